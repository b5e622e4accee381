// Package quote shows in a message what someone wrote, which may be longer than any
// message.
package quote

import (
	"fmt"
	"strings"
)

// Most is how many bytes of a text a message can bear.
const Most = 60

// Short returns s in quotes, and no more of it than a message can bear.
func Short(s string) string {
	if short, cut := First(s, Most); cut {
		return fmt.Sprintf("%q...", short)
	}
	return fmt.Sprintf("%q", s)
}

// First returns no more than the first n bytes of s, and whether that is not all.
func First(s string, n int) (first string, cut bool) {
	if len(s) <= n {
		return s, false
	}
	return strings.ToValidUTF8(s[:n], ""), true
}
