// Package suggest finds what a name stands for, and the word that was meant by one that has a slip in it.
package suggest

import (
	"fmt"
	"slices"
	"strings"
)

// DidYouMean returns the end of a message: the candidate that word is a slip of,
// nothing if it is like none.
func DidYouMean(word string, candidates []string) string {
	if best := nearest(word, candidates); best != "" {
		return fmt.Sprintf("; did you mean %s?", best)
	}
	return ""
}

// nearest returns the first of the candidates with the fewest slips between it
// and word, "" if there are more than one in three letters.
func nearest(word string, candidates []string) string {
	if len(word) > 80 {
		return "" // nothing is as long, and comparing is not free
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

// Slips returns how many letters were left out, added, changed or swapped with
// the next, to get from a to b.
func Slips(a, b string) int { return new(comparison).slips(a, b) }

// A comparison keeps its memory for the next. Of row i, which holds the slips from the
// first i letters of a to each beginning of b, no more is needed than the two before it.
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
