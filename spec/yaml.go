package spec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// parseYAML returns the root of the one document in the text.
func parseYAML(text []byte) (root *yaml.Node, err error) {
	// The library ends with a panic where it meets what it calls an internal error;
	// no text may end the program that reads it.
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, &Error{Line: 1, Column: 1, Err: fmt.Errorf("the YAML parser gave up: %v", p)}
		}
	}()
	if i := directive(text); i >= 0 {
		return nil, atOffset(text, i, "a directive; the directives of YAML, lines that start with %%, have no use here")
	}
	source := text
	text, mark := packed(source)
	loader, err := yaml.NewLoader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	var document, second yaml.Node
	switch err := loader.Load(&document); {
	case errors.Is(err, io.EOF):
		return nil, &Error{Line: 1, Column: 1, Err: errors.New("the text is empty, and a block has at least the key objects")}
	case err != nil:
		return nil, syntaxError(source, err)
	}
	switch err := loader.Load(&second); {
	case err == nil:
		return nil, faultf(&second, "a second document, and a text describes one block")
	case !errors.Is(err, io.EOF):
		return nil, syntaxError(source, err)
	}
	if mark != 0 {
		unpack(&document, mark)
	}
	root = document.Content[0]
	return root, checkTree(root, 1)
}

// directive returns where the first line starts that begins with %, -1 if none
// does. The parser looks each tag's directive up in a list of all. In a text that a
// block is made of no other line can begin so.
func directive(text []byte) int {
	start := true
	for i, r := range string(text) { // makes no copy
		if start && r == '%' {
			return i
		}
		start = strings.ContainsRune("\n\r\u0085\u2028\u2029", r) // what ends a line for the parser
	}
	return -1
}

// checkTree refuses what the form has no use for, and what would let a short text
// stand for a long one.
func checkTree(n *yaml.Node, depth int) error {
	switch {
	case n.Anchor != "": // what an alias refers to comes before it, so this refuses both
		return faultf(n, "an anchor, &%s; anchors and aliases have no use here", n.Anchor)
	case n.Style&yaml.TaggedStyle != 0 || n.Tag == "!":
		return faultf(n, "a tag, %s; values have no tags here", n.Tag)
	case depth > maxDepth:
		return tooDeep(n)
	}
	for _, child := range n.Content {
		if err := checkTree(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func tooDeep(n *yaml.Node) error {
	return faultf(n, "more than %d lists and mappings in each other", maxDepth)
}

// syntaxError gives an error of the YAML library the form of ours.
func syntaxError(text []byte, err error) error {
	e, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		return &Error{Line: 1, Column: 1, Err: err}
	}
	message := e.Message
	if e.ContextMsg != "" && e.ContextMark.Line > 0 {
		message = fmt.Sprintf("%s %s that starts at %d:%d", message, e.ContextMsg, e.ContextMark.Line, e.ContextMark.Column)
	}
	if bracketInPath(text, e.Mark.Line, e.Mark.Column) {
		message += "; between braces or brackets a path stands in quotes"
	}
	return &Error{Line: max(e.Mark.Line, 1), Column: max(e.Mark.Column, 1), Err: errors.New(message)}
}

// bracketInPath reports whether the place is the bracket of an unquoted path.
func bracketInPath(text []byte, line, column int) bool {
	for range line - 1 {
		_, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
	}
	first, _, _ := strings.Cut(string(text[:min(len(text), 1<<10)]), "\n")
	row := []rune(first)
	if column < 1 || column > len(row) || row[column-1] != '[' {
		return false
	}
	return slices.ContainsFunc([]string{"object", "instance", "counter", "value"}, func(word string) bool {
		return strings.HasSuffix(string(row[:column-1]), word)
	})
}
