// Package utf16le has the parts of the conversion between UTF-8 and UTF-16LE that packages layout,
// builder and fuzz share.
package utf16le

import "unicode/utf8"

// Invalid returns the index of the first byte of s that is not valid UTF-8, or -1 if s is
// valid.
func Invalid(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return i
			}
		}
	}
	return -1
}

// Len returns the size of s as UTF-16 in bytes. s must be valid UTF-8.
func Len(s string) int {
	i := 0
	for i <= len(s)-8 && load8(s[i:i+8])&highs == 0 { // eight ASCII characters at once
		i += 8
	}
	n := 2 * i
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c < 0x80 || c >= 0xC0 && c < 0xF0: // first byte of a character below U+10000
			n += 2
		case c >= 0xF0: // first byte of a character that takes two code units
			n += 4
		}
	}
	return n
}
