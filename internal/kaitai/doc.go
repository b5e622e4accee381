// Package kaitai tests the format descriptions in docs/formats. The compiler of Kaitai Struct generates readers from the
// descriptions. The readers must find the same parts in a block as package layout.
//
// walk.js runs the readers over many blocks in one process and prints every field. The compiler and the runtime are npm
// packages with the versions in package-lock.json. "npm ci" in this folder installs them.
package kaitai
