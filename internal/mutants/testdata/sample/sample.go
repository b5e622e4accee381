// Package sample is damaged by the tests of mutants.
package sample

// Tested has a test here.
func Tested(a, b int) int { return a + b }

// Used has a test in package user alone.
func Used(a, b int) int { return a - b }

// Untested has none.
func Untested(a int) bool { return a < 5 }

// Greeting adds what cannot be subtracted.
func Greeting(name string) string { return "hello " + name }

// Half goes on for ever if it goes the wrong way.
func Half(n int64) (half int) {
	for n > 1 {
		half++
		n -= 2
	}
	return half
}

// Larger does the same with <= as with <.
func Larger(a, b int) int {
	if a < b {
		a = b
	}
	return a
}
