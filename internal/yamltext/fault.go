// Package yamltext reads YAML that people write by hand into a tree, and says
// where it is wrong. It refuses what would let a text be larger or mean something
// else than it looks: anchors and aliases, tags, directives, a second document.
package yamltext

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// A Fault is what is wrong with a text, and the place. Line and Column count from
// 1, columns in characters.
type Fault struct {
	Line, Column int
	Err          error
}

func (f *Fault) Error() string { return fmt.Sprintf("%d:%d: %v", f.Line, f.Column, f.Err) }
func (f *Fault) Unwrap() error { return f.Err }

// At returns a fault at a byte of the text.
func At(text []byte, i int, format string, args ...any) *Fault {
	before := text[:i]
	start := bytes.LastIndexByte(before, '\n') + 1
	return &Fault{bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1, fmt.Errorf(format, args...)}
}

// On returns a fault at a node.
func On(n *yaml.Node, format string, args ...any) *Fault {
	return &Fault{n.Line, n.Column, fmt.Errorf(format, args...)}
}
