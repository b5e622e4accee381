package yamltext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/quote"
)

// loadYAML returns the root of the one document in the text.
func (r *Reader) loadYAML(text []byte) (root *yaml.Node, err error) {
	// The library panics at errors that it calls internal. A text must not end the program.
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, At(text, 0, "the YAML parser failed: %v", p)
		}
	}()
	// If a line begins with a byte order mark, the parser ignores the mark and then reports wrong columns in this
	// line.
	if i := lineWith(text, "\uFEFF"); i >= 0 {
		return nil, At(text, i, "a line begins with a byte order mark, U+FEFF; write it as \\ufeff in double quotes")
	}
	// The parser compares each directive with all others, which takes quadratic time.
	if i := lineWith(text, "%"); i >= 0 {
		return nil, At(text, i, "a line begins with %%: YAML directives are not supported")
	}
	loader, err := yaml.NewLoader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	var document, second yaml.Node
	switch err := loader.Load(&document); {
	case errors.Is(err, io.EOF):
		return nil, At(text, 0, "%w", ErrEmpty)
	case err != nil:
		return nil, syntaxFault(text, err)
	}
	switch err := loader.Load(&second); {
	case err == nil:
		settle(text, &second)
		return nil, On(&second, "a second document; the text must have one document")
	case !errors.Is(err, io.EOF):
		return nil, syntaxFault(text, err)
	}
	settle(text, &document)
	return document.Content[0], nil
}

// settle corrects the places of missing values at the end of the text. The YAML library places them after the last
// line.
func settle(text []byte, n *yaml.Node) {
	lines := 1 + bytes.Count(text, []byte("\n")) // the text has at least this number of lines
	var end yaml.Mark                            // computed when it is used, because this takes long
	var clamp func(n *yaml.Node)
	clamp = func(n *yaml.Node) {
		if n.Line > lines && end.Line == 0 {
			end = endOf(text)
		}
		if n.Line > lines && n.Line > end.Line {
			n.Line, n.Column = end.Line, end.Column
		}
		for _, child := range n.Content {
			clamp(child)
		}
	}
	clamp(n)
}

// lineEnds are the characters that end a line in YAML. A carriage return and a newline after it
// end one line.
const lineEnds = "\n\r\u0085\u2028\u2029"

func isLineEnd(r rune) bool { return strings.ContainsRune(lineEnds, r) }

// lineWith returns the position of the first line with the prefix, or -1 if no line has it.
func lineWith(text []byte, prefix string) int {
	for at := 0; ; at += len(prefix) {
		next := bytes.Index(text[at:], []byte(prefix))
		if next < 0 {
			return -1
		}
		at += next
		if last, size := utf8.DecodeLastRune(text[:at]); size == 0 || isLineEnd(last) {
			return at
		}
	}
}

// check returns an error for an anchor, for a tag, or for a list or mapping with a depth of more than limit. The root
// has depth 1, and a value in a list or mapping is one level deeper than the list or mapping.
func check(n *yaml.Node, depth, limit int) error {
	switch {
	case n.Anchor != "": // an anchor precedes its aliases, so check never reaches an alias
		return On(n, "anchor &%s: YAML anchors and aliases are not supported", short(n.Anchor, quote.Most))
	case n.Style&yaml.TaggedStyle != 0 || n.Tag == "!":
		return On(n, "tag %s: YAML tags are not supported", short(n.Tag, quote.Most))
	case depth > limit && n.Kind != yaml.ScalarNode:
		return tooDeep(n, limit)
	}
	for _, child := range n.Content {
		if err := check(child, depth+1, limit); err != nil {
			return err
		}
	}
	return nil
}

func tooDeep(n *yaml.Node, most int) *Fault {
	return On(n, "more than %d lists and mappings inside each other", most)
}

// syntaxFault converts an error of the YAML library.
func syntaxFault(text []byte, err error) *Fault {
	e, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		return At(text, 0, "%w", err)
	}
	if line, column := tabFault(text, e); line != 0 {
		return &Fault{line, column, errors.New("a tab in the indentation: YAML indents with spaces, replace each tab with spaces")}
	}
	line, column := inside(text, e.Mark)
	message := short(e.Message, longestMessage) // it may quote an alias of any length
	if e.ContextMsg != "" && e.ContextMark.Line > 0 {
		line, column := inside(text, e.ContextMark)
		message = fmt.Sprintf("%s %s that starts at %d:%d", message, e.ContextMsg, line, column)
	}
	return &Fault{line, column, errors.New(message)}
}

// tabFault returns the place of the tab that causes an error of the YAML library. It returns 0, 0 if no tab causes the
// error. YAML allows tabs in many places, for example inside braces.
func tabFault(text []byte, e *yaml.LoadError) (line, column int) {
	about := strings.Contains(e.Message, "tab character") || e.Message == "found character that cannot start any token"
	if at := offset(text, e.Mark.Line, e.Mark.Column); about && bytes.HasPrefix(text[at:], []byte("\t")) {
		return e.Mark.Line, e.Mark.Column
	}
	// If the line is not indented enough, the library sometimes reports a character after the tab. The tab is the
	// cause if the error disappears when spaces replace the indentation.
	start := offset(text, e.Mark.Line, 1)
	rest := bytes.TrimLeft(text[start:], " \t")
	indent := text[start : len(text)-len(rest)]
	tab := bytes.IndexByte(indent, '\t')
	if tab < 0 {
		return 0, 0
	}
	const deeper = 100 // more spaces than the lines before usually have
	spaces := bytes.Repeat([]byte(" "), len(indent)+deeper)
	again := firstError(slices.Concat(text[:start], spaces, rest))
	if again != nil && again.Mark.Line == e.Mark.Line && again.Message == e.Message {
		return 0, 0
	}
	return e.Mark.Line, 1 + tab
}

// firstError returns the error of the YAML library for the first two documents of a text, or nil.
func firstError(text []byte) *yaml.LoadError {
	loader, err := yaml.NewLoader(bytes.NewReader(text))
	for n := 0; n < 2 && err == nil; n++ {
		err = loader.Load(new(yaml.Node))
	}
	e, _ := errors.AsType[*yaml.LoadError](err)
	return e
}

// longestMessage is the maximum length, in bytes, of a message of the YAML library. Longer messages quote the
// input, and are cut.
const longestMessage = 200

// short returns the first n bytes of s, followed by dots if s is longer.
func short(s string, n int) string {
	s, cut := quote.First(s, n)
	if cut {
		s += "..."
	}
	return s
}

// inside returns the line and column of a position that the YAML library reports. If the position is after the end
// of the text, inside returns the end.
func inside(text []byte, m yaml.Mark) (line, column int) {
	if end := endOf(text); m.Line > end.Line {
		m = end
	}
	return max(m.Line, 1), max(m.Column, 1)
}

// endOf returns the place of the end of the text. The library counts one line too many if the text does not end with a
// line end.
func endOf(text []byte) yaml.Mark {
	_, end := seek(text, math.MaxInt, 1)
	return end
}

// offset returns the offset of a place that the YAML library reports. If the place is after the end of the text, offset
// returns the length of the text.
func offset(text []byte, line, column int) int {
	i, _ := seek(text, line, column)
	return i
}

// seek returns the offset and the place of the first character at or after the given place. If there is none, seek
// returns the end of the text.
func seek(text []byte, line, column int) (int, yaml.Mark) {
	at := yaml.Mark{Line: 1, Column: 1}
	for i, r := range string(text) {
		switch {
		case at.Line > line || at.Line == line && at.Column >= column:
			return i, at
		case r == '\r' && i+1 < len(text) && text[i+1] == '\n': // the newline ends the line
		case isLineEnd(r):
			at.Line, at.Column = at.Line+1, 1
		default:
			at.Column++
		}
	}
	return len(text), at
}
