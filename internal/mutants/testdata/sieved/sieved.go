// Package sieved has functions of each form.
package sieved

type pair struct{ a, b int }

func (p pair) Sum() int { return p.a + p.b }

// first has a parameter without a name, and other has none of its receiver.
func first(a int, _ int) int { return a + 1 }

func (pair) other() int { return 1 }

func last[T any](list ...T) T { return list[len(list)-1] }

// add has no result.
func add(to *int, n int) {
	*to += n
	if n > 100 {
		*to = 7
	}
}

func join(a, b string) string { return a + b }
