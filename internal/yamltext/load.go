package yamltext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// What the error of [Load] wraps where the text has not one document.
var (
	ErrNone   = errors.New("the text is empty")
	ErrSecond = errors.New("a second document")
)

// Load returns the root of the one document in the text, which [CheckCharacters]
// has nothing against. The error is a [*Fault].
func Load(text []byte) (root *yaml.Node, err error) {
	// The library ends with a panic where it meets what it calls an internal error;
	// no text may end the program that reads it.
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, &Fault{1, 1, fmt.Errorf("the YAML parser gave up: %v", p)}
		}
	}()
	if i := directive(text); i >= 0 {
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
		return nil, syntaxFault(err)
	}
	switch err := loader.Load(&second); {
	case err == nil:
		return nil, On(&second, "%w", ErrSecond)
	case !errors.Is(err, io.EOF):
		return nil, syntaxFault(err)
	}
	return document.Content[0], nil
}

// directive returns where the first line starts that begins with %, -1 if none
// does. The parser looks each tag's directive up in a list of all. In a text that
// has a use here no other line can begin so.
func directive(text []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(text[from:], '%')
		if i < 0 {
			return -1
		}
		before := text[:from+i]
		last, size := utf8.DecodeLastRune(before)
		if size == 0 || strings.ContainsRune("\n\r\u0085\u2028\u2029", last) { // what ends a line for the parser
			return len(before)
		}
		from = len(before) + 1
	}
}

// Check refuses anchors and tags, and lists and mappings that are in each other
// deeper than that. The error is a [*Fault].
func Check(root *yaml.Node, depth int) error { return check(root, 1, depth) }

func check(n *yaml.Node, depth, most int) error {
	switch {
	case n.Anchor != "": // what an alias refers to comes before it, so this refuses both
		return On(n, "an anchor, &%s; anchors and aliases have no use here", n.Anchor)
	case n.Style&yaml.TaggedStyle != 0 || n.Tag == "!":
		return On(n, "a tag, %s; values have no tags here", n.Tag)
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
func syntaxFault(err error) *Fault {
	e, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		return &Fault{1, 1, err}
	}
	message := e.Message
	if e.ContextMsg != "" && e.ContextMark.Line > 0 {
		message = fmt.Sprintf("%s %s that starts at %d:%d", message, e.ContextMsg, e.ContextMark.Line, e.ContextMark.Column)
	}
	return &Fault{max(e.Mark.Line, 1), max(e.Mark.Column, 1), errors.New(message)}
}
