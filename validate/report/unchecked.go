package report

import (
	"errors"
	"slices"

	"github.com/perfblock/perfblock/internal/terminal"
)

// An Unchecked is a file that could not be read or validated. JSON calls such a file unjudged, and texts
// call it not validated.
type Unchecked struct {
	Path  string // as in [File]
	Order int    // as in [File]
	Err   error  // the reason; a report has its text
}

// message returns the reason as one line. The line is not empty.
func (u *Unchecked) message() string {
	if u.Err != nil {
		if text := terminal.Printable(u.Err.Error()); text != "" {
			return text
		}
	}
	return "not validated"
}

// A placedError is an error at a place in a text, such as a *definition.Error.
type placedError interface {
	error
	Unwrap() error
	Place() (line, column int) // from 1; 0 without a place
}

// errors returns the joined errors of the reason if one of them has a place, and otherwise the reason as one
// error.
func (u *Unchecked) errors() []error {
	if several, is := u.Err.(interface{ Unwrap() []error }); is {
		all := several.Unwrap()
		if slices.ContainsFunc(all, func(err error) bool { _, is := errors.AsType[placedError](err); return is }) {
			return all
		}
	}
	return []error{u.Err}
}
