//go:build race

package fuzz_test

// Under the race detector each round takes ten times as long, and what it looks for is in
// the first of them.
const (
	rounds        = 150
	mostInstances = 100_000
)
