//go:build !race

package fuzz_test

// rounds is how many blocks of a kind a property is tried on, or a multiple or part of
// it: enough for what is rare to come up, few enough for seconds.
const rounds = 3000
