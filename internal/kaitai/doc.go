// Package kaitai holds nothing but the test of docs/formats: what the descriptions there say of a block is what
// package layout says.
//
// A compiler makes readers of them, walk.js runs these over many blocks in one process and tells every field. Compiler
// and runtime are npm packages, at the versions that package-lock.json pins; "npm ci" in this folder fetches them.
package kaitai
