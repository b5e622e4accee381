package yamltext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/quote"
	"go.yaml.in/yaml/v4"
)

// What the error of [Load] wraps where the text has not one document.
var (
	ErrNone   = errors.New("the text is empty")
	ErrSecond = errors.New("a second document")
)

// Load returns the root of the one document in the text, which [CheckCharacters]
// has nothing against, without the mark of byte order that it may start with. The error is
// a [*Fault].
func Load(text []byte) (root *yaml.Node, err error) {
	// The library ends with a panic where it meets what it calls an internal error;
	// no text may end the program that reads it.
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, &Fault{1, 1, fmt.Errorf("the YAML parser gave up: %v", p)}
		}
	}()
	// The parser takes the mark for nothing, and has what is behind it elsewhere than it is.
	if i := lineWith(text, "\uFEFF"); i >= 0 {
		return nil, At(text, i, "a mark of byte order, U+FEFF; in quotes write \\ufeff")
	}
	// The parser looks each tag's directive up in a list of all. In a text that has a use here
	// no other line can begin so.
	if i := lineWith(text, "%"); i >= 0 {
		return nil, At(text, i, "a directive; the directives of YAML, lines that start with %%, have no use here")
	}
	loader, err := yaml.NewLoader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	var document, second yaml.Node
	switch err := loader.Load(&document); {
	case errors.Is(err, io.EOF):
		return nil, &Fault{1, 1, ErrNone}
	case err != nil:
		return nil, syntaxFault(text, err)
	}
	switch err := loader.Load(&second); {
	case err == nil:
		settle(text, &second)
		return nil, On(&second, "%w", ErrSecond)
	case !errors.Is(err, io.EOF):
		return nil, syntaxFault(text, err)
	}
	settle(text, &document)
	return document.Content[0], nil
}

// settle gives nodes that the library has behind the text the place where it ends: values
// that are not there.
func settle(text []byte, n *yaml.Node) {
	sure, end := 1+bytes.Count(text, []byte("\n")), yaml.Mark{}
	var clamp func(n *yaml.Node)
	clamp = func(n *yaml.Node) {
		if n.Line > sure {
			if end.Line == 0 {
				end = endOf(text)
			}
			if n.Line > end.Line {
				n.Line, n.Column = end.Line, end.Column
			}
		}
		for _, child := range n.Content {
			clamp(child)
		}
	}
	clamp(n)
}

// lineEnds are the characters that end a line for the parser; a return and a newline end
// one together.
const lineEnds = "\n\r\u0085\u2028\u2029"

func isLineEnd(r rune) bool { return strings.ContainsRune(lineEnds, r) }

// lineWith returns where the first line starts that begins with that, -1 if none does.
func lineWith(text []byte, begin string) int {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(begin))
		if i < 0 {
			return -1
		}
		before := text[:from+i]
		last, size := utf8.DecodeLastRune(before)
		if size == 0 || isLineEnd(last) {
			return len(before)
		}
		from = len(before) + len(begin)
	}
}

// Check refuses anchors and tags, and lists and mappings that are in each other
// deeper than that. The error is a [*Fault].
func Check(root *yaml.Node, depth int) error { return check(root, 1, depth) }

func check(n *yaml.Node, depth, most int) error {
	switch {
	case n.Anchor != "": // what an alias refers to comes before it, so this refuses both
		return On(n, "an anchor, &%s; anchors and aliases have no use here", short(n.Anchor, quote.Most))
	case n.Style&yaml.TaggedStyle != 0 || n.Tag == "!":
		return On(n, "a tag, %s; values have no tags here", short(n.Tag, quote.Most))
	case depth > most:
		return TooDeep(n, most)
	}
	for _, child := range n.Content {
		if err := check(child, depth+1, most); err != nil {
			return err
		}
	}
	return nil
}

// TooDeep returns the fault of a node that is in more lists and mappings than that.
func TooDeep(n *yaml.Node, most int) *Fault {
	return On(n, "more than %d lists and mappings in each other", most)
}

// syntaxFault gives an error of the YAML library the form of ours.
func syntaxFault(text []byte, err error) *Fault {
	e, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		return &Fault{1, 1, err}
	}
	message := short(e.Message, longestMessage) // it may have an alias of any length
	if e.ContextMsg != "" && e.ContextMark.Line > 0 {
		line, column := inside(text, e.ContextMark)
		message = fmt.Sprintf("%s %s that starts at %d:%d", message, e.ContextMsg, line, column)
	}
	line, column := inside(text, e.Mark)
	return &Fault{line, column, errors.New(message)}
}

// longestMessage is more than the library has to say of itself.
const longestMessage = 200

// short returns s with no more of it than n bytes.
func short(s string, n int) string {
	s, cut := quote.First(s, n)
	if cut {
		s += "..."
	}
	return s
}

// inside returns the place of a mark, that of the end for one that is behind it.
func inside(text []byte, m yaml.Mark) (line, column int) {
	if end := endOf(text); m.Line > end.Line {
		m = end
	}
	return max(m.Line, 1), max(m.Column, 1)
}

// endOf returns the place where the text ends. Where that is not behind the end of a line
// the library has one more line, which no editor has.
func endOf(text []byte) yaml.Mark {
	end := yaml.Mark{Line: 1, Column: 1}
	for i, r := range string(text) {
		switch {
		case r == '\r' && i+1 < len(text) && text[i+1] == '\n': // the newline ends the line
		case isLineEnd(r):
			end.Line, end.Column = end.Line+1, 1
		default:
			end.Column++
		}
	}
	return end
}
