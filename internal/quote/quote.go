// Package quote shortens text of any length for messages.
package quote

import (
	"fmt"
	"strings"
)

// Most is the number of bytes of a text that messages show.
const Most = 60

// Short returns s in quotes, with at most [Most] bytes of it.
func Short(s string) string {
	if short, cut := First(s, Most); cut {
		return fmt.Sprintf("%q...", short)
	}
	return fmt.Sprintf("%q", s)
}

// First returns at most n bytes of s without a broken character at the end, and whether
// that is less than s.
func First(s string, n int) (first string, cut bool) {
	if len(s) <= n {
		return s, false
	}
	return strings.ToValidUTF8(s[:n], ""), true
}
