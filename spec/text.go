package spec

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/internal/yamltext"
	"go.yaml.in/yaml/v4"
)

// Bounds of a text. They are those of the tree that is made of it, which takes up
// to some 800 bytes for each mark but those of a [numberList]: a text at all bounds
// takes a few hundred megabytes to read. JSON is made the same tree and has the
// same bounds, so that what a text is written in does not decide whether it is read.
const (
	maxText  = 32 << 20  // bytes
	maxMarks = 512 << 10 // of the characters of isMark
	maxDepth = 16        // lists and mappings in each other; the form needs 7
	// The YAML parser keeps all of a line in which a list may turn out to be a key,
	// which takes twice as much again.
	maxLineMarks = 128 << 10
	// A patch takes more in the model than the few marks it is written with.
	maxPatches = 64 << 10
)

const marksText = ", : [ { ? - # & * and !"

// isMark reports whether the character at i can begin something that takes memory: a
// value, a comment, an anchor, an alias, a tag. A hyphen before a letter or digit, of
// which a GUID has four, is one of a word, wherever it stands.
func isMark(text []byte, i int) bool {
	if text[i] == '-' && i+1 < len(text) {
		next := text[i+1]
		return !isDigit(next) && (next|0x20 < 'a' || next|0x20 > 'z')
	}
	return strings.IndexByte(",:[{?-#&*!", text[i]) >= 0
}

const byteOrderMark = "\uFEFF"

// parseText returns the root of the tree of a text.
func parseText(file string, text []byte) (*yaml.Node, error) {
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	if err := checkSize(text, isJSON(file, text)); err != nil {
		return nil, err
	}
	if err := yamltext.CheckCharacters(text); err != nil {
		return nil, placed(err)
	}
	if isJSON(file, text) {
		return parseJSON(text)
	}
	root, err := parseYAML(text)
	return root, placed(err)
}

// isJSON reports whether the text is taken for JSON. YAML in braces would be taken
// for it too; the readers differ in what they refuse, not in what a text means.
func isJSON(file string, text []byte) bool {
	return strings.HasSuffix(strings.ToLower(file), ".json") || bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{"))
}

// checkSize refuses a text that is too long, or so full of marks that its tree would
// be too large. Those of the numbers of a [numberList] and of JSON's strings do not count.
func checkSize(text []byte, json bool) error {
	if err := checkLength(len(text)); err != nil {
		return err
	}
	return checkMarks(text, json)
}

func checkLength(n int) error {
	if n > maxText {
		return &Error{Line: 1, Column: 1, Err: fmt.Errorf("the text has %d bytes, and may have %d", n, maxText)}
	}
	return nil
}

func checkMarks(text []byte, json bool) error {
	marks, before := 0, 0 // before: those above the line
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' {
			before = marks
		}
		if json && text[i] == '"' {
			i = endOfString(text, i)
			continue
		}
		if !isMark(text, i) {
			continue
		}
		if marks++; marks > maxMarks {
			return atOffset(text, i, "more than %d of the characters %s, which is too much for one block", maxMarks, marksText)
		}
		if marks-before > maxLineMarks && !json {
			return atOffset(text, i, "more than %d of the characters %s on one line", maxLineMarks, marksText)
		}
		i += max(numberList(text[i:])-1, 0)
	}
	return nil
}

// endOfString returns where the JSON string that begins at i has its closing quote, or
// the text its end. YAML has too many ways to write a quote for the same to be sure of.
func endOfString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}
