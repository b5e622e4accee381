package armor

import (
	"bytes"
	"unicode/utf8"
)

// decodeBase64 reads the standard and the URL alphabet, but not both in one text,
// with or without = at the end. White space may stand anywhere, and lines
// between dashes, as PEM and certutil -encode write them, are left out.
//
// It is strict where a lax reader would hide that a text was cut or changed.
func decodeBase64(text []byte) ([]byte, error) {
	out := make([]byte, 0, len(text)/4*3+3)
	var bits uint32
	n, pad, alphabet := 0, 0, byte(0)
	last := 0 // where the last digit stands
	for i := withoutMark(text); i < len(text); i++ {
		c := text[i]
		switch {
		case isSpace(c):
			continue
		case c == '-' && n%4 == 0 && (i == 0 || text[i-1] == '\n') && isFrame(line(text[i:])):
			i += len(line(text[i:])) - 1
			continue
		case c == '=':
			pad++
			if pad > 2 || (n+pad)%4 == 1 || n%4 < 2 {
				return nil, place(text, i, "= where no padding can be")
			}
			continue
		}
		v, which := sextet(c)
		switch {
		case v < 0:
			return nil, place(text, i, "%s is no base64", character(text[i:]))
		case pad > 0:
			return nil, place(text, i, "%q behind the padding, where the data ends", c)
		case which != 0 && alphabet != 0 && which != alphabet:
			return nil, place(text, i, "%q is of the %s alphabet, what comes before of the other", c, alphabets[which])
		case which != 0:
			alphabet = which
		}
		bits = bits<<6 | uint32(v)
		if n++; n%4 == 0 {
			out = append(out, byte(bits>>16), byte(bits>>8), byte(bits))
		}
		last = i
	}
	switch rest := n % 4; {
	case n == 0:
		return nil, place(text, len(text), "no base64 in it")
	case rest == 1, pad > 0 && (n+pad)%4 != 0:
		return nil, place(text, len(text), "it ends too early: %d characters", n+pad)
	case rest == 2 && bits&0xF != 0, rest == 3 && bits&0x3 != 0:
		return nil, place(text, last, "the last character has bits that belong to no byte")
	case rest == 2:
		out = append(out, byte(bits>>4))
	case rest == 3:
		out = append(out, byte(bits>>10), byte(bits>>2))
	}
	return out, nil
}

var alphabets = [...]string{1: "standard", 2: "URL"}

// sextet returns the value of a digit, negative if it is none, and which alphabet
// alone has it.
func sextet(c byte) (v int, alphabet byte) {
	switch {
	case c >= 'A' && c <= 'Z':
		return int(c - 'A'), 0
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 26, 0
	case c >= '0' && c <= '9':
		return int(c-'0') + 52, 0
	case c == '+':
		return 62, 1
	case c == '/':
		return 63, 1
	case c == '-':
		return 62, 2
	case c == '_':
		return 63, 2
	}
	return -1, 0
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// line returns the first line of text, without its end.
func line(text []byte) []byte {
	first, _, _ := bytes.Cut(text, []byte{'\n'})
	return first
}

func isFrame(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r")
	dashes := []byte("-----")
	return len(line) > 2*len(dashes) && bytes.HasPrefix(line, dashes) && bytes.HasSuffix(line, dashes)
}

// character quotes the first character of text for an error.
func character(text []byte) string {
	if len(text) == 0 {
		return "the end"
	}
	r, n := utf8.DecodeRune(text)
	if r == utf8.RuneError && n == 1 {
		return "a byte that is not UTF-8"
	}
	return quoteRune(r)
}
