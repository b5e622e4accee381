// Package long selects the size of tests that take long.
//
// The sizes are, from small to large: go test -short, go test, and go test with PERFBLOCK_LONG=1. On two cores, a
// plain go test ./... must finish within 60 seconds. Therefore, a test that takes more than two seconds in full must
// have a smaller default size. .ci/run and the nightly workflow set PERFBLOCK_LONG=1 and run everything.
package long

import "os"

// Enabled reports whether the environment variable PERFBLOCK_LONG is set and not empty.
// A test that has no smaller size skips itself when Enabled returns false.
func Enabled() bool { return os.Getenv("PERFBLOCK_LONG") != "" }

// Count returns the size of a test: longSize if [Enabled] returns true, otherwise defaultSize.
func Count(defaultSize, longSize int) int {
	if Enabled() {
		return longSize
	}
	return defaultSize
}
