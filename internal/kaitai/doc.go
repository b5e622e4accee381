// Package kaitai tests the format descriptions in docs/formats: readers made from them must find the same parts in a
// block as package layout.
//
// The compiler of Kaitai Struct makes the readers, and walk.js runs them over many blocks in one process and prints every
// field. Compiler and runtime are npm packages with the versions in package-lock.json; "npm ci" in this folder installs
// them.
package kaitai
