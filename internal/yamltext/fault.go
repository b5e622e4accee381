// Package yamltext reads texts in YAML and JSON as trees, and reports where a text is wrong. The package refuses
// anchors, aliases, tags, directives and a second document: they can make a text larger than it looks, or give a text
// an unexpected meaning.
package yamltext

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/quote"
)

// A Fault is an error at a place in a text. Line and Column count from 1. Column counts characters. Both fields are
// 0 if the error has no place.
type Fault struct {
	Line, Column int
	Err          error
}

func (f *Fault) Error() string { return fmt.Sprintf("%d:%d: %v", f.Line, f.Column, f.Err) }
func (f *Fault) Unwrap() error { return f.Err }

// At returns a fault at byte i of the text.
func At(text []byte, i int, format string, args ...any) *Fault {
	before := text[:i]
	start := bytes.LastIndexByte(before, '\n') + 1
	return &Fault{bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1, fmt.Errorf(format, args...)}
}

// On returns a fault at the node n, or a fault without a place if n is nil.
func On(n *yaml.Node, format string, args ...any) *Fault {
	if n == nil {
		return &Fault{Err: fmt.Errorf(format, args...)}
	}
	return &Fault{n.Line, n.Column, fmt.Errorf(format, args...)}
}

// Under returns err as a fault about the value of a key. If err is a [*Fault] or [Faults], Under
// returns it unchanged.
func Under(key string, value *yaml.Node, err error) error {
	switch err.(type) {
	case nil, *Fault, Faults:
		return err
	}
	return On(value, "%s: %w", key, err)
}

// Faults are the faults of one text. The zero value has none.
type Faults []*Fault

// Reading stops after mostFaults. This bounds the time and the memory for a text with many faults. A report shows the
// first mostShown faults.
const (
	mostFaults = 1000
	mostShown  = 20
)

// Add adds a [*Fault] or [Faults]. Any other error becomes a fault without a place, and nil adds nothing.
func (f *Faults) Add(err error) {
	switch err := err.(type) {
	case nil:
	case *Fault:
		*f = append(*f, err)
	case Faults:
		*f = append(*f, err...)
	default:
		*f = append(*f, &Fault{Err: err})
	}
}

// Full reports whether there are so many faults that reading should stop.
func (f Faults) Full() bool { return len(f) >= mostFaults }

// Err returns nil if f is empty, the [*Fault] if f has exactly one, and f itself if f has more.
func (f Faults) Err() error {
	switch len(f) {
	case 0:
		return nil
	case 1:
		return f[0]
	}
	return f
}

func (f Faults) Error() string {
	var lines []string
	for _, fault := range f {
		lines = append(lines, fault.Error())
	}
	return strings.Join(lines, "\n")
}

// Report calls wrap for the first 20 faults in err, sorted by place, and joins the results. If there are more faults,
// it also calls wrap for a last fault, such as "and 5 more errors".
func Report(err error, wrap func(*Fault) error) error {
	var all Faults
	if all.Add(err); len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b *Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	var shown []error
	for _, f := range all[:min(len(all), mostShown)] {
		shown = append(shown, wrap(f))
	}
	switch more := len(all) - mostShown; {
	case len(all) == 1:
		return shown[0]
	case all.Full():
		shown = append(shown, wrap(&Fault{Err: fmt.Errorf("and at least %d more errors", more)}))
	case more > 0:
		shown = append(shown, wrap(&Fault{Err: errors.New("and " + quote.Count(more, "more error"))}))
	}
	return errors.Join(shown...)
}
