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
	maxMarks = 512 << 10 // marks
	maxDepth = 16        // lists and mappings in each other; the form needs 7
	// The YAML parser keeps all of a line in which a list may turn out to be a key,
	// which takes twice as much again.
	maxLineMarks = 128 << 10
	// A patch takes more in the model than the few marks it is written with.
	maxPatches = 64 << 10
)

// marks are the characters that can begin something that takes memory: a value, a comment,
// an anchor, an alias, a tag.
const (
	marks     = ",:[{?-#&*!"
	marksText = ", : [ { ? - # & * and !"
)

// counting has the characters that checkMarks does more than go by.
var counting = setOf(marks + "\n\r\"")

// A set is one of bytes. Nearly all of a text is in none, and to ask takes no time.
type set [256]bool

func setOf(bytes string) (s set) {
	for _, c := range []byte(bytes) {
		s[c] = true
	}
	return s
}

// inWord reports whether the hyphen at i is one before a letter or digit, of which a GUID
// has four: it begins nothing, wherever it stands.
func inWord(text []byte, i int) bool {
	if i+1 == len(text) {
		return false
	}
	next := text[i+1]
	return isDigit(next) || 'a' <= next|0x20 && next|0x20 <= 'z'
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
	n, before := 0, 0 // before: those above the line
	packs := json || absentRune(text) != 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case !counting[c]:
			continue
		case c == '\n' || c == '\r':
			before = n
			continue
		case c == '"':
			if json {
				i = endOfString(text, i)
			}
			continue
		case c == '-' && inWord(text, i):
			continue
		}
		if n++; n > maxMarks {
			return atOffset(text, i, "more than %d of the characters %s, which is too much for one block", maxMarks, marksText)
		}
		if n-before > maxLineMarks && !json {
			return atOffset(text, i, "more than %d of the characters %s on one line", maxLineMarks, marksText)
		}
		if packs {
			i += max(numberList(text[i:])-1, 0)
		}
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
