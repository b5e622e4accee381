// Package kaitai tests the format descriptions in docs/formats. Readers that Kaitai Struct generates from the
// descriptions must find the same parts in a block as package layout.
//
// walk.js runs the readers. "npm ci" in this folder installs the compiler and the runtime of Kaitai Struct.
package kaitai
