package yamltext

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"

	"go.yaml.in/yaml/v4"
)

// A Reader reads texts for one purpose, such as specs. Its limits bound the memory of the tree, which is up to about
// 800 bytes for each of the [Marks] in the text.
type Reader struct {
	What     string // what a text describes, for messages: "a block"
	MaxBytes int
	MaxMarks int  // see [Marks]
	MaxDepth int  // of lists and mappings inside each other
	JSON     bool // a text that starts with a brace, or whose file name ends in .json, is JSON
}

// ReadFile returns the text of the file at path. If the text is too long for [Reader.Load], ReadFile may return only
// the start of the text. Load also refuses this start as too long.
func (r *Reader) ReadFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// MaxBytes counts bytes of UTF-8, and a character of UTF-16 can have twice as many bytes as in UTF-8. Load
	// must still refuse a text that is cut here, so the text is cut after a little more than twice MaxBytes.
	return io.ReadAll(io.LimitReader(f, 2*int64(r.MaxBytes+2)))
}

// LoadOptional decodes and loads a text. The root is nil if the text is empty, has only comments or is null.
func (r *Reader) LoadOptional(file string, text []byte) (*yaml.Node, error) {
	text, err := Decode(text)
	if err != nil {
		return nil, err
	}
	root, err := r.Load(file, text)
	if errors.Is(err, ErrEmpty) || err == nil && IsNull(root) {
		return nil, nil
	}
	return root, err
}

// ErrEmpty means that a text has no document. The error of [Reader.Load] wraps ErrEmpty.
var ErrEmpty = errors.New("the text is empty")

// Load returns the root of the one document in a text that [Decode] returned. Load does not open the file. The error
// is a [*Fault].
func (r *Reader) Load(file string, text []byte) (*yaml.Node, error) {
	// A text that starts with { is read as JSON, but could be meant as YAML. A text that is valid in both languages has
	// the same meaning in both.
	json := r.JSON && (hasJSONName(file) || bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")))
	if err := r.CheckSize(text, json); err != nil {
		return nil, err
	}
	if err := checkCharacters(text); err != nil {
		return nil, err
	}
	if json {
		note := ""
		if !hasJSONName(file) {
			note = "; the text starts with { and is read as JSON"
		}
		return parseJSON(text, r.MaxDepth, note)
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

func hasJSONName(file string) bool { return strings.HasSuffix(strings.ToLower(file), ".json") }

// Marks are the characters that can begin a value, a comment, an anchor, an alias or a tag. The
// tree takes memory for each of these.
const (
	marks = ",:[{?-#&*!"
	Marks = ", : [ { ? - # & * and !" // as messages list them
)

// MaxLineMarks limits the number of [Marks] and quotes on one line of YAML. The parser keeps the words of a whole line
// in memory until it knows whether a list such as [a, b] is a key. This memory is in addition to the tree. Quotes
// count, because the parser also keeps the words of a line such as "a""b""c", which has no marks and is never valid.
const MaxLineMarks = 128 << 10

// counting is true for the characters at which CheckSize stops: marks, line ends and quotes.
var counting = func() (stops [256]bool) {
	for _, c := range []byte(marks + "\n\r\"'") {
		stops[c] = true
	}
	return stops
}()

// CheckSize returns an error if the text has more than MaxBytes bytes, or more than MaxMarks of the characters in
// [Marks]. If the text is YAML, CheckSize also returns an error if a line has more marks and quotes than
// [MaxLineMarks].
//
// A number list counts as one mark if [Reader.Load] makes one node of the list. A hyphen before a letter or a digit
// does not count. In JSON, marks inside strings do not count.
func (r *Reader) CheckSize(text []byte, json bool) error {
	if len(text) > r.MaxBytes {
		return At(nil, 0, "the text is longer than the %d bytes that %s may have", r.MaxBytes, r.What)
	}
	n, line := 0, 0 // the marks up to i, and the marks and quotes in the line of i
	lists := json || absentRune(text) != 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case !counting[c]:
			continue
		case c == '\n' || c == '\r':
			line = 0
			continue
		case c == '"' && json:
			i = endOfString(text, i) // marks in quotes count only in YAML, which has more forms of quotes
			continue
		case c == '-' && inWord(text, i):
			continue
		}
		if line++; line > MaxLineMarks && !json {
			return At(text, i, "the line is too long: it has more than %d of the characters \" ' %s; break the line", MaxLineMarks, Marks)
		}
		if c == '"' || c == '\'' {
			continue
		}
		if n++; n > r.MaxMarks {
			return At(text, i, "the text is too large: %s may have at most %d of the characters %s", r.What, r.MaxMarks, Marks)
		}
		if lists { // a number list counts as one mark
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

// endOfString returns the position of the quote that ends the JSON string at i, or a position after the text.
func endOfString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}
