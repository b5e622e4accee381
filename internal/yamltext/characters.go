package yamltext

import "unicode/utf8"

// CheckCharacters refuses what is not UTF-8, and control characters. The error is
// a [*Fault].
func CheckCharacters(text []byte) error {
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && n == 1 {
				return At(text, i, "byte 0x%02x is not UTF-8", c)
			}
			if r == 0xFFFE || r == 0xFFFF {
				return At(text, i, "U+%04X is no character; in quotes write \\u%04x", r, r)
			}
			i += n
			continue
		}
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			return At(text, i, "the control character 0x%02x; in quotes write \\u%04x", c, c)
		}
		i++
	}
	return nil
}
