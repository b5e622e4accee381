// Package lazy computes values at their first use, because a short run of the command needs only
// some of them.
//
//	var number = lazy.Regexp(`^[0-9]+$`)
//	number().MatchString("12")
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a function that compiles the text at the first call. The function panics if the text
// is not a regular expression, and is safe for concurrent use.
func Regexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
