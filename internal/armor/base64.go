package armor

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"iter"
	"slices"
)

const base64Line = 57 // bytes in a line of 76 characters

func writeBase64(w *bufio.Writer, _ string, b []byte) {
	var line []byte
	for part := range slices.Chunk(b, base64Line) {
		line = append(base64.StdEncoding.AppendEncode(line[:0], part), '\n')
		_, _ = w.Write(line)
	}
}

// decodeBase64 reads the standard or the URL alphabet, with or without = at the end.
func decodeBase64(text []byte) ([]Block, error) {
	encodings := map[byte]*base64.Encoding{'+': base64.StdEncoding, '/': base64.StdEncoding, '-': base64.URLEncoding, '_': base64.URLEncoding}
	var encoding *base64.Encoding // nil before the first character that only one alphabet has, such as + or _
	kept := make([]byte, 0, len(text))
	for i, c := range base64Characters(text) {
		switch {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '=':
		case encodings[c] == nil:
			return nil, place(text, i, "%s is not base64", quoteFirst(text[i:]))
		case encoding != nil && encoding != encodings[c]:
			return nil, place(text, i, "%q belongs to another base64 alphabet than the characters before; a text must use + and / (standard) or - and _ (URL)", c)
		default:
			encoding = encodings[c]
		}
		kept = append(kept, c)
	}
	if len(kept) == 0 {
		return nil, place(text, len(text), "the text has no base64")
	}
	encoding = cmp.Or(encoding, base64.StdEncoding)
	if !bytes.ContainsRune(kept, '=') {
		encoding = encoding.WithPadding(base64.NoPadding)
	}
	b := make([]byte, encoding.DecodedLen(len(kept)))
	// Strict requires that unused bits are 0. This finds most texts that were cut off or changed.
	n, err := encoding.Strict().Decode(b, kept)
	if wrong, ok := errors.AsType[base64.CorruptInputError](err); ok {
		at := len(text)
		for i := range base64Characters(text) {
			if wrong--; wrong < 0 {
				at = i
				break
			}
		}
		return nil, place(text, at, "the base64 was cut off or changed here")
	}
	return []Block{{Bytes: b[:n]}}, err
}

// base64Characters yields the offset and the value of each character. It skips white space and lines such as
// -----BEGIN X-----.
func base64Characters(text []byte) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		n := 0
		for i := 0; i < len(text); i++ {
			switch c := text[i]; {
			case isSpace(c):
			case c == '-' && n%4 == 0 && (i == 0 || text[i-1] == '\n') && isFrame(line(text[i:])):
				i += len(line(text[i:])) - 1
			case !yield(i, c):
				return
			default:
				n++
			}
		}
	}
}

// isFrame reports whether a line is like -----BEGIN X-----, which PEM and certutil -encode write.
func isFrame(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r")
	dashes := []byte("-----")
	return len(line) > 2*len(dashes) && bytes.HasPrefix(line, dashes) && bytes.HasSuffix(line, dashes)
}
