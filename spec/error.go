package spec

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/yamltext"
)

// An Error is an error in a text and its place. Line and Column count from 1, columns in
// characters. Both are 0 without a text, as in a [Spec] that was not parsed. Err is the error
// itself. It wraps the [*layout.Error] of the builder if the text is well formed and the block
// is not valid, and the error kinds of package layout for values out of range and for paths.
type Error struct {
	File         string
	Line, Column int
	Err          error
}

// Error returns "file:12:5: message", without the parts that are not known.
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

// oneLine returns s with unprintable characters escaped. Backslashes stay as they are, because
// most paths of Windows have some.
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

// report returns err as an [*Error], or as several that are joined.
func (s *Spec) report(err error) error {
	return yamltext.Report(err, func(f *yamltext.Fault) error { return &Error{s.file, f.Line, f.Column, f.Err} })
}

// builderError returns an error of the builder at the value it is about.
func (s *Spec) builderError(err error) error {
	return s.report(yamltext.On(s.place(err), "%w", s.named(err)))
}

// A namedError is an error of the builder with the names of the text form in place of the
// names that only the model has, such as DuplicateNames.
type namedError struct {
	text string
	err  error
}

func (e *namedError) Error() string { return e.text }
func (e *namedError) Unwrap() error { return e.err }

// modelNames are the names that only the model has, with the keys of the text form. Values and
// texts are one list there.
var modelNames = map[string]string{
	"BlockLength": "blockLength", "DuplicateNames": "duplicateNames", "ShortIDs": "shortIDs", "FromEntries": "fromEntries",
	"Counters": "counters", "Instances": "instances", "Values": "values", "Texts": "values", "Bytes": "bytes", "None": "none", "nil": "none",
}

// quotedOrName matches a quotation, which may be text of the block, or a name of the model.
var quotedOrName = regexp.MustCompile(`"(\\.|[^"\\])*"|\b(` + strings.Join(slices.Sorted(maps.Keys(modelNames)), "|") + `)\b`)

// named returns the error of the builder with the names of the text form, if s has a text.
func (s *Spec) named(err error) error {
	if s.root == nil {
		return err
	}
	text := quotedOrName.ReplaceAllStringFunc(err.Error(), func(found string) string {
		if key := modelNames[found]; key != "" {
			return key
		}
		return found
	})
	if text == err.Error() {
		return err
	}
	return &namedError{text, err}
}
