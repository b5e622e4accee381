// Package suggest looks names up in a list and suggests the name that a misspelled word was
// meant to be.
package suggest

import (
	"fmt"
	"slices"
	"strings"
)

// Named returns the item of list with the name. The error lists the names there are.
func Named[T any](what, name string, list []T, nameOf func(T) string) (T, error) {
	names := make([]string, len(list))
	for i, one := range list {
		if names[i] = nameOf(one); names[i] == name {
			return one, nil
		}
	}
	var none T
	return none, fmt.Errorf("no %s %q: it is one of %s", what, name, strings.Join(names, ", "))
}

// DidYouMean returns the end of a message that suggests the candidate nearest to word. It
// returns "" if no candidate is near.
func DidYouMean(word string, candidates []string) string { return ask(nearest(word, candidates)) }

// Key is [DidYouMean] for names that users often shorten or extend: without a near candidate
// it suggests the first that has word as its first or last words, such as CounterType for
// Type, or that word begins or ends with.
func Key(word string, candidates []string) string {
	if best := nearest(word, candidates); best != "" {
		return ask(best)
	}
	for _, c := range candidates {
		if isPart(word, c) || isPart(c, word) {
			return ask(c)
		}
	}
	return ""
}

func ask(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", name)
}

// nearest returns the first candidate with the fewest slips between it and word, and "" if
// all have more than one slip in three letters.
func nearest(word string, candidates []string) string {
	if len(word) > 80 {
		return "" // longer than any name, and comparing takes quadratic time
	}
	best, fewest := "", 1+max(1, len(word)/3)
	word = strings.ToLower(word)
	var c comparison
	for _, candidate := range candidates {
		if max(len(candidate)-len(word), len(word)-len(candidate)) >= fewest {
			continue // each letter more or less is a slip
		}
		if n := c.slips(word, strings.ToLower(candidate)); n < fewest {
			best, fewest = candidate, n
		}
	}
	return best
}

// isPart reports whether whole begins or ends with part, in any case, and the rest of whole
// consists of other words.
func isPart(part, whole string) bool {
	rest := len(whole) - len(part)
	if part == "" || rest <= 0 {
		return false
	}
	return strings.EqualFold(whole[:len(part)], part) && startsWord(whole, len(part)) ||
		strings.EqualFold(whole[rest:], part) && startsWord(whole, rest)
}

// startsWord reports whether a word starts at i: at a capital or digit after a small letter,
// or at an underscore or after one.
func startsWord(s string, i int) bool {
	isCapital := func(c byte) bool { return 'A' <= c && c <= 'Z' }
	isDigit := '0' <= s[i] && s[i] <= '9'
	return s[i-1] == '_' || s[i] == '_' || (isCapital(s[i]) || isDigit) && !isCapital(s[i-1])
}

// Slips returns the number of letters left out, added, changed or swapped with the next
// letter between a and b.
func Slips(a, b string) int { return new(comparison).slips(a, b) }

// A comparison reuses its memory for several pairs of words. Row i has the slips from the
// first i letters of a to each prefix of b, and depends on the two rows before it.
type comparison struct{ rows [3][]int }

func (c *comparison) slips(a, b string) int {
	for i := range c.rows {
		c.rows[i] = slices.Grow(c.rows[i][:0], len(b)+1)[:len(b)+1]
	}
	row := func(i int) []int { return c.rows[i%len(c.rows)] }
	for j := range row(0) {
		row(0)[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now, last := row(i), row(i-1)
		now[0] = i
		for j := 1; j <= len(b); j++ {
			n := last[j-1]
			if a[i-1] != b[j-1] {
				n++
			}
			n = min(n, last[j]+1, now[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				n = min(n, row(i - 2)[j-2]+1)
			}
			now[j] = n
		}
	}
	return row(len(a))[len(b)]
}
