// Package suggest finds the word that was meant by one that has a slip in it.
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
	for _, c := range candidates {
		if n := Slips(strings.ToLower(word), strings.ToLower(c)); n < fewest {
			best, fewest = c, n
		}
	}
	return best
}

// Slips returns how many letters were left out, added, changed or swapped with
// the next, to get from a to b.
func Slips(a, b string) int {
	// Row i holds the slips from the first i letters of a to each beginning of b.
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			changed := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				changed++
			}
			n := slices.Min([]int{changed, rows[i-1][j] + 1, rows[i][j-1] + 1})
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				n = min(n, rows[i-2][j-2]+1)
			}
			rows[i][j] = n
		}
	}
	return rows[len(a)][len(b)]
}
