package spec

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/yamltext"
	"go.yaml.in/yaml/v4"
)

const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// parseYAML returns the root of the one document in the text.
func parseYAML(text []byte) (*yaml.Node, error) {
	root, err := loadPacked(text)
	if err != nil {
		return nil, err
	}
	return root, yamltext.Check(root, maxDepth)
}

// loadPacked returns the root of the text, read with lists of numbers that are packed.
func loadPacked(text []byte) (*yaml.Node, error) {
	short, mark := packed(text)
	root, err := yamltext.Load(short)
	if f, ok := errors.AsType[*yamltext.Fault](err); ok {
		switch {
		case errors.Is(f, yamltext.ErrNone):
			f.Err = fmt.Errorf("%w, and a block has at least the key objects", f.Err)
		case errors.Is(f, yamltext.ErrSecond):
			f.Err = fmt.Errorf("%w, and a text describes one block", f.Err)
		case bracketInPath(text, f.Line, f.Column):
			f.Err = fmt.Errorf("%w; between braces or brackets a path stands in quotes", f.Err)
		}
	}
	if err != nil {
		return nil, err
	}
	if mark != 0 {
		unpack(&yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{root}}, mark)
	}
	return root, nil
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
	return slices.ContainsFunc(slices.Concat(listParts, []string{"value", "data", "id"}), func(word string) bool {
		return strings.HasSuffix(string(row[:column-1]), word)
	})
}
