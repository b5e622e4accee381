// Package long selects the size of tests that take long.
//
// The sizes are, from small to large: go test -short, go test, and go test with PERFBLOCK_LONG=1. On two cores, a
// plain go test ./... must finish within 60 seconds. Therefore, a test that takes more than two seconds in full must
// have a smaller default size. .ci/run sets PERFBLOCK_LONG=1 and runs everything.
// The nightly workflow sets a larger number. Then tests that use Seeds have more random inputs.
package long

import (
	"os"
	"strconv"
)

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

// Seeds returns the number of random inputs of a test: defaultCount if [Enabled] returns false, and longCount times
// the number in PERFBLOCK_LONG otherwise.
func Seeds(defaultCount, longCount int) int {
	if !Enabled() {
		return defaultCount
	}
	times, err := strconv.Atoi(os.Getenv("PERFBLOCK_LONG"))
	if err != nil || times < 1 {
		times = 1
	}
	return longCount * times
}
