package spec

import (
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/internal/suggest"
)

// didYouMean returns the end of a message: the word of the text form that was meant by
// another. It is what that is a slip of, or else the first that it is a part of, or
// that is a part of it, as id is of InstanceId and CounterType has Type.
func didYouMean(word string, words []string) string {
	if end := suggest.DidYouMean(word, words); end != "" {
		return end
	}
	for _, w := range words {
		if isPart(word, w) || isPart(w, word) {
			return fmt.Sprintf("; did you mean %s?", w)
		}
	}
	return ""
}

// meantOf is didYouMean for the names of a field's values, of which it lists all where it
// knows none that was meant.
func meantOf(word string, names []string) string {
	if end := didYouMean(word, names); end != "" || len(names) < 2 {
		return end
	}
	return fmt.Sprintf(": it is one of %s, or a number", strings.Join(names, ", "))
}

// isPart reports whether whole begins or ends with part, in letters of any case, and the
// rest of it is words of their own.
func isPart(part, whole string) bool {
	rest := len(whole) - len(part)
	if part == "" || rest <= 0 {
		return false
	}
	return strings.EqualFold(whole[:len(part)], part) && startsWord(whole, len(part)) ||
		strings.EqualFold(whole[rest:], part) && startsWord(whole, rest)
}

// startsWord reports whether the letter at i is the first of a word: a capital behind a
// small letter or a digit, or one behind what joins words.
func startsWord(s string, i int) bool {
	isCapital := func(c byte) bool { return 'A' <= c && c <= 'Z' }
	return s[i-1] == '_' || s[i] == '_' || (isCapital(s[i]) || isDigit(s[i])) && !isCapital(s[i-1])
}
