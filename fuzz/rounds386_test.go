//go:build !race && 386

package fuzz_test

// In 32 bits what is looked for is a number that does not fit, which is in the first rounds.
const (
	rounds        = 750
	mostInstances = 1_000_000
)
