// Package long selects the size of tests that take long.
//
// The sizes are, from small to large: go test -short, go test, and go test with PERFBLOCK_LONG=1.
// A plain go test ./... must finish within 60 seconds on two cores, so a test
// whose full size takes more than a second or two runs a part of it by default.
// .ci/run and the nightly workflow set PERFBLOCK_LONG=1 and run everything.
package long

import "os"

// Enabled reports whether the environment variable PERFBLOCK_LONG is set and not empty.
// A test that has no smaller size skips itself when Enabled returns false.
func Enabled() bool { return os.Getenv("PERFBLOCK_LONG") != "" }

// Count returns the size of a test: the parameter full if [Enabled] returns true, otherwise the parameter some.
func Count(some, full int) int {
	if Enabled() {
		return full
	}
	return some
}
