package spec

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Bounds of a text. The node tree of a text takes at most a few hundred bytes for
// each mark, so these bound memory as well as time.
const (
	maxText  = 64 << 20 // bytes
	maxMarks = 4 << 20  // of the characters , : [ { ? and -
	maxDepth = 16       // lists and mappings in each other; the form needs 7
)

const byteOrderMark = "\uFEFF"

// parseText returns the root of the tree of a text.
func parseText(file string, text []byte) (*yaml.Node, error) {
	if len(text) > maxText {
		return nil, &Error{Line: 1, Column: 1, Err: fmt.Errorf("the text has %d bytes, and may have %d", len(text), maxText)}
	}
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	if err := checkCharacters(text); err != nil {
		return nil, err
	}
	if isJSON(file, text) {
		return parseJSON(text)
	}
	return parseYAML(text)
}

// isJSON reports whether the text is taken for JSON. YAML in braces would be taken
// for it too; the readers differ in what they refuse, not in what a text means.
func isJSON(file string, text []byte) bool {
	return strings.HasSuffix(strings.ToLower(file), ".json") || bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{"))
}

// checkCharacters refuses what is not UTF-8, control characters, and a text so
// full of marks that its tree would be too large.
func checkCharacters(text []byte) error {
	marks := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && n == 1 {
				return atOffset(text, i, "byte 0x%02x is not UTF-8", c)
			}
			if r == 0xFFFE || r == 0xFFFF {
				return atOffset(text, i, "U+%04X is no character; in quotes write \\u%04x", r, r)
			}
			i += n
			continue
		}
		switch {
		case c < ' ' && c != '\t' && c != '\n' && c != '\r':
			return atOffset(text, i, "the control character 0x%02x; in quotes write \\u%04x", c, c)
		case c == ',' || c == ':' || c == '[' || c == '{' || c == '?' || c == '-':
			if marks++; marks > maxMarks {
				return atOffset(text, i, "more than %d of the characters , : [ { ? and -, which is too much for one block", maxMarks)
			}
		}
		i++
	}
	return nil
}

// atOffset returns an error at a byte of the text.
func atOffset(text []byte, i int, format string, args ...any) error {
	line, column := position(text, i)
	return &Error{Line: line, Column: column, Err: fmt.Errorf(format, args...)}
}

// position returns the line and column of a byte, both from 1.
func position(text []byte, i int) (line, column int) {
	before := text[:i]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}
