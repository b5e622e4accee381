package spec

import (
	"regexp"
	"strings"
)

// A namedError is an error of the builder in which what the model calls
// DuplicateNames has the name that the text has for it.
type namedError struct {
	text string
	err  error
}

func (e *namedError) Error() string { return e.text }
func (e *namedError) Unwrap() error { return e.err }

// modelNames finds the names at the end of the path, before any text of the
// block's own, and in what the builder advises, behind it.
var (
	pathName   = regexp.MustCompile(`^[A-Za-z0-9.\[\]]*\bBlockLength:`)
	adviceName = regexp.MustCompile(`; DuplicateNames allows it$`)
)

// named returns the error of the builder in the words of the text; a Spec without
// a text has those of the model.
func (s *Spec) named(err error) error {
	if s.root == nil {
		return err
	}
	lower := func(from, to string) func(string) string {
		return func(match string) string { return strings.Replace(match, from, to, 1) }
	}
	text := pathName.ReplaceAllStringFunc(err.Error(), lower("BlockLength:", "blockLength:"))
	text = adviceName.ReplaceAllStringFunc(text, lower("DuplicateNames", "duplicateNames"))
	if text == err.Error() {
		return err
	}
	return &namedError{text, err}
}
