//go:build !race && !386

package fuzz_test

const (
	// rounds is how many blocks of a kind a property is tried on, or a multiple or part of
	// it: enough for what is rare to come up, few enough for seconds.
	rounds = 3000

	// mostInstances is how many a workload may have that is made.
	mostInstances = 1_000_000
)
