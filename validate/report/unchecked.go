package report

import (
	"cmp"
	"errors"
	"slices"

	"github.com/perfblock/perfblock/internal/terminal"
)

// An Unchecked is a file that could not be read or validated. Reports in JSON call such a file "unjudged", and
// other texts call it "not validated".
type Unchecked struct {
	Path  string // as in [File]
	Order int    // as in [File]
	Err   error  // the reason; a report has its text

	record *jsonlUnjudged // the record of the file, if the file is from [Records]
}

// A reason says why a file was not validated.
type reason struct {
	Message string `json:"message"` // with the path, the line and the column
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Fault   string `json:"fault,omitempty"` // Message without path, line and column; "" if the error is no placedError
}

// message returns the reason as one line. The line is not empty.
func (u *Unchecked) message() string { return errorText(u.Err) }

// reasons returns the errors of the file. If u is from a record that lists errors, reasons returns these errors. If
// u.Err joins several errors, and at least one of them has a position, reasons returns each of them. Otherwise,
// reasons returns u.Err.
func (u *Unchecked) reasons() (list []reason) {
	if u.record != nil && len(u.record.Errors) > 0 {
		for _, r := range u.record.Errors {
			list = append(list, reason{printed(r.Message), r.Line, r.Column, terminal.Printable(r.Fault)})
		}
		return list
	}
	all := []error{u.Err}
	if several, is := u.Err.(interface{ Unwrap() []error }); is && slices.ContainsFunc(several.Unwrap(), hasPlace) {
		all = several.Unwrap()
	}
	for _, err := range all {
		r := reason{Message: errorText(err)}
		if placed, is := errors.AsType[placedError](err); is {
			r.Line, r.Column = placed.Place()
			r.Fault = errorText(placed.Unwrap())
		}
		list = append(list, r)
	}
	return list
}

// A placedError is an error with a position in a text, such as a *definition.Error.
type placedError interface {
	error
	Unwrap() error
	Place() (line, column int) // both count from 1; 0 means that there is no position
}

func hasPlace(err error) bool {
	_, is := errors.AsType[placedError](err)
	return is
}

// errorText returns the text of an error, or of nil, as one line that is not empty.
func errorText(err error) string {
	if err == nil {
		return printed("")
	}
	return printed(err.Error())
}

func printed(text string) string { return cmp.Or(terminal.Printable(text), "not validated") }
