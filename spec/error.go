package spec

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/yamltext"
	"go.yaml.in/yaml/v4"
)

// An Error is a fault of a text, and the place in it. Line and Column count from
// 1, columns in characters; both are 0 where there is no text, as in a [Spec]
// that was not parsed. Err says what is wrong. It wraps the [*layout.Error] of the
// builder where the text is well formed and the block it describes is not, and
// the kinds of package layout for what is out of range and for paths.
type Error struct {
	File         string
	Line, Column int
	Err          error
}

// Error returns "file:12:5: message", without what is not known of the place.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(oneLine(e.File) + ":")
	}
	if e.Line > 0 {
		fmt.Fprintf(&b, "%d:%d:", e.Line, e.Column)
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	if e.Err == nil { // as in a zero Error
		return b.String() + "no error"
	}
	return b.String() + e.Err.Error()
}

// oneLine returns s with what cannot be printed escaped. Backslashes stay: they are
// in most paths of Windows.
func oneLine(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch _, n := utf8.DecodeRuneInString(s[i:]); {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// in returns the error with the name of the file.
func in(file string, err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		e = &Error{Err: err}
	}
	e.File = file
	return e
}

// at returns err with the place of n, unless it has one already; n may be nil.
func at(n *yaml.Node, err error) error {
	if _, placed := errors.AsType[*Error](err); placed || err == nil {
		return err
	}
	e := &Error{Err: err}
	if n != nil {
		e.Line, e.Column = n.Line, n.Column
	}
	return e
}

// placed returns what is wrong with a text as an error of this package.
func placed(err error) error {
	if f, ok := errors.AsType[*yamltext.Fault](err); ok {
		return &Error{Line: f.Line, Column: f.Column, Err: f.Err}
	}
	return err
}

// atOffset returns an error at a byte of the text.
func atOffset(text []byte, i int, format string, args ...any) error {
	return placed(yamltext.At(text, i, format, args...))
}

// faultf returns an error at n.
func faultf(n *yaml.Node, format string, args ...any) error {
	return at(n, fmt.Errorf(format, args...))
}
