// Package quote puts texts in quotes for messages, and shortens long texts. It also writes counts such as "2 bytes"
// and lists such as "a, b and c".
package quote

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Count returns a number and a noun, such as "1 byte" or "2 bytes".
func Count[N ~int | ~int64 | ~uint32 | ~uint64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Most is the maximum number of bytes of a text in a message.
const Most = 60

// Short returns s in quotes, with at most [Most] bytes of it.
func Short(s string) string {
	return string(AppendShort(nil, s))
}

// First returns s and false if s has at most n bytes. Otherwise it returns the complete UTF-8 characters in the first n
// bytes, and true.
func First(s string, n int) (text string, shortened bool) {
	if len(s) <= n {
		return s, false
	}
	return strings.ToValidUTF8(s[:n], ""), true
}

// AppendShort appends the result of [Short] to dst.
func AppendShort(dst []byte, s string) []byte {
	short, cut := First(s, Most)
	dst = strconv.AppendQuote(dst, short)
	if cut {
		dst = append(dst, "..."...)
	}
	return dst
}

// Unicode returns s with an escape such as \xff for each byte that is not UTF-8. File names can have such bytes,
// but JSON and YAML cannot.
func Unicode(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[0])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// AppendTitle appends a title name and its index: "Processor" (238), or "Processor" (238, built in).
func AppendTitle(dst []byte, name string, index uint32, builtIn bool) []byte {
	dst = strconv.AppendUint(append(AppendShort(dst, name), " ("...), uint64(index), 10)
	if builtIn {
		dst = append(dst, ", built in"...)
	}
	return append(dst, ')')
}

// List joins words with commas, and the last two with the conjunction: "a, b and c".
func List(words []string, conjunction string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return fmt.Sprintf("%s %s %s", strings.Join(words[:last], ", "), conjunction, words[last])
}
