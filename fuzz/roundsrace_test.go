//go:build race

package fuzz_test

// rounds is less under the race detector, which makes each take ten times as long and
// sees what it looks for in the first.
const rounds = 240
