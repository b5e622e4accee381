// Package suggest finds the name in a list that is most similar to a misspelled word.
package suggest

import (
	"fmt"
	"strings"
)

// Named returns the item of list with the given name. The parameter what is the noun for an item in the error, such as
// "format".
func Named[T any](what, name string, list []T, nameOf func(T) string) (T, error) {
	names := make([]string, len(list))
	for i, one := range list {
		if names[i] = nameOf(one); names[i] == name {
			return one, nil
		}
	}
	var none T
	return none, fmt.Errorf("no %s %q: must be one of %s", what, name, strings.Join(names, ", "))
}

// DidYouMean returns the end of a message, such as "; did you mean name?". It names the candidate that is most similar
// to word. It returns "" if no candidate is similar.
func DidYouMean(word string, candidates []string) string { return ask(nearest(word, candidates)) }

// Key is [DidYouMean] for names that users often shorten or extend. For the word Type, Key suggests CounterType.
func Key(word string, candidates []string) string { return ask(Similar(word, candidates)) }

// Similar returns the candidate that [Key] suggests, or "".
func Similar(word string, candidates []string) string {
	if best := nearest(word, candidates); best != "" {
		return best
	}
	// A candidate can contain the word, be a part of the word, or differ only in the ending "es".
	for _, c := range candidates {
		if isPart(word, c) || isPart(c, word) || strings.EqualFold(word+"es", c) || strings.EqualFold(c+"es", word) {
			return c
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

// longest is the maximum length, in bytes, of a word that is compared, because a comparison takes quadratic time.
// All names are shorter.
const longest = 80

// nearest returns the candidate with the smallest distance to word, ignoring case. If several have this distance, it
// returns the first. If no candidate is near enough, it returns "".
func nearest(word string, candidates []string) string {
	if len(word) > longest {
		return ""
	}
	best, fewest := "", 1+max(1, len(word)/3)
	word = strings.ToLower(word)
	for _, candidate := range candidates {
		if max(len(candidate)-len(word), len(word)-len(candidate)) >= fewest {
			continue // the distance is at least the difference of the lengths
		}
		lower := strings.ToLower(candidate)
		// A distance of 1 is near enough. A larger distance must be at most a third of the length of the word.
		// The length does not include a prefix that both words have, such as PERF_COUNTER_.
		if n := distance(word, lower); n < fewest && n <= max(1, (len(word)-sharedWords(word, lower))/3) {
			best, fewest = candidate, n
		}
	}
	return best
}

// sharedWords returns the length of the longest common prefix that ends with an underscore or a hyphen.
func sharedWords(a, b string) (n int) {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			break
		}
		if a[i] == '_' || a[i] == '-' {
			n = i + 1
		}
	}
	return n
}

// isPart reports whether a name contains a shorter text, ignoring case. In the name, the text must begin and end at
// word boundaries.
func isPart(text, name string) bool {
	if text == "" || len(name) > longest {
		return false
	}
	for i := range len(name) - len(text) + 1 {
		end := i + len(text)
		if (i == 0 || startsWord(name, i)) && (end == len(name) || startsWord(name, end)) && strings.EqualFold(name[i:end], text) {
			return len(text) < len(name)
		}
	}
	return false
}

// startsWord reports whether a word or a separator starts at s[i], as Type in CounterType. i must be at least 1.
func startsWord(s string, i int) bool {
	isCapital := func(c byte) bool { return 'A' <= c && c <= 'Z' }
	isSeparator := func(c byte) bool { return c == '_' || c == '-' }
	isDigit := '0' <= s[i] && s[i] <= '9'
	return isSeparator(s[i-1]) || isSeparator(s[i]) || (isCapital(s[i]) || isDigit) && !isCapital(s[i-1])
}

// distance returns the number of edits that change a to b. An edit inserts, deletes or changes a
// letter, or swaps two letters that follow each other.
func distance(a, b string) int {
	// A row has the distance from the first letters of a to each prefix of b: before from the first i-1 letters, last
	// from the first i letters, and now from the first i+1 letters.
	newRow := func() []int { return make([]int, len(b)+1) }
	before, last, now := newRow(), newRow(), newRow()
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		now[0] = i + 1
		for j := range len(b) {
			n := last[j]
			if a[i] != b[j] {
				n++
			}
			n = min(n, last[j+1]+1, now[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				n = min(n, before[j-1]+1)
			}
			now[j+1] = n
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}
