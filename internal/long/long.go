// Package long selects the size of tests that take long.
//
// The sizes are, from small to large: go test -short, go test, and go test with PERFBLOCK_LONG=1, as in .ci/run.
// On two cores, go test ./... must finish within 60 seconds. So a test that takes more than two seconds with
// PERFBLOCK_LONG=1 must have a smaller default size.
package long

import (
	"os"
	"strconv"
)

// Enabled reports whether the environment variable PERFBLOCK_LONG is set and not empty.
func Enabled() bool { return os.Getenv("PERFBLOCK_LONG") != "" }

// Count returns the size of a test: longSize if [Enabled] returns true, otherwise defaultSize.
func Count(defaultSize, longSize int) int {
	if Enabled() {
		return longSize
	}
	return defaultSize
}

// Seeds returns the number of random inputs of a test. With PERFBLOCK_LONG=5, as in the nightly workflow, Seeds returns
// 5 times longCount.
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
