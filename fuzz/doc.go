// Package fuzz makes blocks that keep the rules, from any bytes or any seed, for
// testing whatever reads such blocks; breaks them, one rule at a time; and damages them.
// Its own tests hold the packages of perfblock to what they promise with them.
//
//	block, err := fuzz.DataBlock(fuzz.Seed(7), fuzz.Config{}).MarshalBinary()
//
// The one idea to know: a [Source] turns bytes into choices, so a fuzzing engine can steer
// by changing them. [DataBlock] and [Objects] make what winperf.h describes, the others
// what perflib.h does; [Model] makes any kind. [Join] makes query data with all that
// belongs to it.
//
// # What is promised of a generated block
//
// It is valid. Any bytes and any seed make a model that encodes without an error and
// decodes to an equal model: it is in the form in which decoding gives it, where a field
// that would be computed is zero. Package validate finds no error in its bytes. What the
// documentation advises against, as two instances of one name, does come up.
//
// The same bytes make the same block, on every machine, and so does the same seed. [Input]
// returns the bytes for the block of a seed.
//
// A small change is a small change. The bytes are cut into parts at [Separators]; each
// object, counter and instance has a part of its own. A byte in one part changes what that
// part makes, and elsewhere what depends on it: an instance whose parent is there, an
// offset behind a counter that is longer now, a name that would be there twice. It does not
// change how the bytes of other parts are understood.
//
// More bytes never make less. With bytes added at the end no list of objects, counters or
// instances is shorter than without, and what has no fixed length can grow until the
// [Config] ends it. Every choice that a spent source makes is the plainest, so every block
// ends, and no bytes at all make one with nothing in it.
//
// A [Config] bounds how much is made, and leaves out what a reader does not care for.
//
// Everything comes up: each record, field and named value, each field of a model given or
// computed, each place of the grammar. docs/fuzz-coverage.md has how often.
//
// Which block a seed makes may change from one version of this package to the next.
//
// The blocks of [Workloads] are for measuring.
package fuzz
