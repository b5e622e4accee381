package yamltext

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

const byteOrderMark = "\uFEFF"

// Decode returns the text as UTF-8 without a byte order mark. The text may be UTF-16, which Windows PowerShell writes
// if output is redirected with >. The error is a [*Fault].
func Decode(text []byte) ([]byte, error) {
	switch {
	case len(text) < 2:
		return text, nil
	case text[0] == 0xFF && text[1] == 0xFE:
		return decodeUTF16(text[2:], binary.LittleEndian)
	case text[0] == 0xFE && text[1] == 0xFF:
		return decodeUTF16(text[2:], binary.BigEndian)
	case text[0] != 0 && text[1] == 0:
		return decodeUTF16(text, binary.LittleEndian)
	case text[0] == 0 && text[1] != 0:
		return decodeUTF16(text, binary.BigEndian)
	}
	return bytes.TrimPrefix(text, []byte(byteOrderMark)), nil
}

// DecodeDamaged returns the text as [Decode] does. For damaged UTF-16, it returns only the ASCII characters.
func DecodeDamaged(text []byte) []byte {
	decoded, err := Decode(text)
	if err != nil {
		return bytes.Map(func(r rune) rune {
			if r == 0 || r >= utf8.RuneSelf {
				return -1
			}
			return r
		}, text)
	}
	return decoded
}

func decodeUTF16(text []byte, order binary.ByteOrder) ([]byte, error) {
	out := make([]byte, 0, len(text)/2)
	for ; len(text) >= 2; text = text[2:] {
		r := rune(order.Uint16(text))
		if utf16.IsSurrogate(r) {
			pair := utf8.RuneError
			if len(text) >= 4 {
				pair = utf16.DecodeRune(r, rune(order.Uint16(text[2:])))
			}
			if pair == utf8.RuneError {
				return nil, At(out, len(out), "the text is UTF-16 with 0x%04x, half of a surrogate pair; save it as UTF-8", r)
			}
			r, text = pair, text[2:]
		}
		out = utf8.AppendRune(out, r)
	}
	if len(text) > 0 {
		return nil, At(out, len(out), "the text is UTF-16 and ends inside a character; save it as UTF-8")
	}
	return out, nil
}

// checkCharacters reports bytes that are not UTF-8, control characters, and code points that
// are not characters.
func checkCharacters(text []byte) error {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			return At(text, i, "byte 0x%02x is not UTF-8; save the text as UTF-8", text[i])
		case r == 0xFFFE || r == 0xFFFF:
			return At(text, i, "U+%04X is not a character; write it as \\u%04x in double quotes", r, r)
		case r < ' ' && r != '\t' && r != '\n' && r != '\r':
			return At(text, i, "control character 0x%02x; write it as \\u%04x in double quotes", r, r)
		}
		i += n
	}
	return nil
}
