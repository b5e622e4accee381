// Package fuzz makes blocks that keep the rules, from any bytes or any seed, for
// testing whatever reads such blocks. Its own tests hold package builder to what
// it promises with them.
//
//	block, err := fuzz.DataBlock(fuzz.Seed(7), fuzz.Config{}).MarshalBinary()
//
// The one idea to know: a [Source] turns bytes into choices, so the same bytes
// always make the same block and a fuzzing engine can steer by changing them.
// Every choice that a spent source makes is the plainest, so every block ends.
//
// What is made encodes without an error and decodes to an equal model: it is in
// the form in which decoding gives it, where a field that would be computed is zero.
//
// [DataBlock] and [Objects] make what winperf.h describes, the others what perflib.h does.
// [Model] makes any kind, and [Join] query data with the identifiers and the counter sets
// that belong to it.
//
// The same blocks come under the names of [Workloads] for measuring.
package fuzz
