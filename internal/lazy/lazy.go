// Package lazy computes values at their first use. A short run of the command then does not compute
// values that it does not use.
//
//	var number = lazy.Regexp(`^[0-9]+$`)
//	number().MatchString("12")
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a function that returns the compiled regular expression. The first call compiles the
// text, and panics if it is not a regular expression. The function is safe for concurrent use.
func Regexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
