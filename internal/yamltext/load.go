package yamltext

import (
	"bytes"
	"errors"
	"strings"

	"go.yaml.in/yaml/v4"
)

// A Reader reads the texts of one purpose. The bounds limit the memory that a tree takes:
// up to some 800 bytes for each mark outside number lists.
type Reader struct {
	What     string // what a text describes, for messages: "a block"
	MaxBytes int
	MaxMarks int // see [Marks]
	// MaxLineMarks bounds the marks of one line of YAML; 0 is no bound. The parser keeps a
	// whole line in which a list could still become a key, which takes twice the memory.
	MaxLineMarks int
	MaxDepth     int  // lists and mappings inside each other
	JSON         bool // whether a text that looks like JSON is read as JSON
}

// ErrEmpty is wrapped by the error of a text without a document.
var ErrEmpty = errors.New("the text is empty")

// Load returns the root of the one document in a text that [Decode] returned. It reads JSON if
// file ends in .json or the first character is a brace, else YAML. The error is a [*Fault].
func (r *Reader) Load(file string, text []byte) (*yaml.Node, error) {
	json := r.JSON && isJSON(file, text)
	if err := r.CheckSize(text, json); err != nil {
		return nil, err
	}
	if err := checkCharacters(text); err != nil {
		return nil, err
	}
	if json {
		return parseJSON(text, r.MaxDepth)
	}
	short, mark := packed(text)
	root, err := r.loadYAML(short)
	if err != nil {
		return nil, err
	}
	if mark != 0 {
		unpack(&yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{root}}, mark)
	}
	return root, check(root, 1, r.MaxDepth)
}

// isJSON reports whether the text is taken for JSON. YAML in braces is taken for JSON too.
// The two readers differ in what they refuse, not in what a text means.
func isJSON(file string, text []byte) bool {
	return strings.HasSuffix(strings.ToLower(file), ".json") || bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{"))
}

// Marks are the characters that can begin something that takes memory: a value, a comment,
// an anchor, an alias, a tag.
const (
	marks = ",:[{?-#&*!"
	Marks = ", : [ { ? - # & * and !" // as messages list them
)

// counting has the characters that checkMarks handles.
var counting = setOf(marks + "\n\r\"")

// A set holds bytes.
type set [256]bool

func setOf(bytes string) (s set) {
	for _, c := range []byte(bytes) {
		s[c] = true
	}
	return s
}

// CheckSize reports a text that is too long or has too many marks. These do not count: a
// hyphen before a letter or digit, marks inside a list of decimal numbers on one line, and
// marks inside the quotes of JSON.
func (r *Reader) CheckSize(text []byte, json bool) error {
	if len(text) > r.MaxBytes {
		return At(nil, 0, "the text is longer than the %d bytes that %s may have", r.MaxBytes, r.What)
	}
	n, before := 0, 0 // before counts the marks of the lines above
	lists := json || absentRune(text) != 0
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
		if n++; n > r.MaxMarks {
			return At(text, i, "the text has too many of the characters %s: %s may have at most %d", Marks, r.What, r.MaxMarks)
		}
		if r.MaxLineMarks > 0 && n-before > r.MaxLineMarks && !json {
			return At(text, i, "the line has too many of the characters %s: at most %d are allowed, break the line", Marks, r.MaxLineMarks)
		}
		if lists {
			i += max(numberList(text[i:])-1, 0)
		}
	}
	return nil
}

// inWord reports whether a letter or digit follows the hyphen at i, as in a GUID. Such a
// hyphen begins no list item.
func inWord(text []byte, i int) bool {
	if i+1 == len(text) {
		return false
	}
	next := text[i+1]
	return isDigit(next) || 'a' <= next|0x20 && next|0x20 <= 'z'
}

// endOfString returns the position of the quote that closes the JSON string at i, or of the
// end of the text. YAML has too many forms of quoting to do the same.
func endOfString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}
