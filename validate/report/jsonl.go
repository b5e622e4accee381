package report

import (
	"bufio"
	"errors"

	"github.com/perfblock/perfblock/internal/comparison"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/validate"
)

// A jsonlWriter writes a record for each file and each finding, each on its own line. Each record has the
// path of its file and, if the file was validated, the digest of the validated bytes. So the order of
// records has no meaning: the reports of many processes can be concatenated, and the duplicate records of
// a repeated run can be dropped.
type jsonlWriter struct {
	w *bufio.Writer // keeps the first error
}

func newJSONL(w *bufio.Writer, _ Options) reporter { return &jsonlWriter{w} }

// A jsonlRecord has the first members of each record.
type jsonlRecord struct {
	Schema int    `json:"schema"`
	Record string `json:"record"` // file, finding, unjudged or skipped
	Path   string `json:"path"`
	Digest string `json:"digest,omitempty"`
}

type jsonlFile struct {
	jsonlRecord
	Order    int    `json:"order,omitempty"`
	Kind     string `json:"kind"`
	Text     bool   `json:"text,omitempty"`
	Detected bool   `json:"detected,omitempty"`
	Input    string `json:"input,omitempty"`
	Bytes    int    `json:"bytes"`
	comparison.Totals
	Profile    string           `json:"profile"`
	FailOn     string           `json:"failOn"`
	Failed     bool             `json:"failed"`
	Comparison *comparison.Text `json:"comparison,omitempty"`
}

type jsonlFinding struct {
	jsonlRecord
	StructuralPath string      `json:"structuralPath"`
	Finding        jsonFinding `json:"finding"`
}

type jsonlUnjudged struct {
	jsonlRecord
	Order   int          `json:"order,omitempty"`
	Message string       `json:"message"`
	Errors  []jsonlError `json:"errors,omitempty"`
}

// A jsonlError is one of the errors of a file that was not validated. It is a placedError if Fault is not "".
type jsonlError struct {
	Message string `json:"message"` // with the path and the place
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Fault   string `json:"fault,omitempty"` // without them; "" for an error without a place
}

func (e jsonlError) Error() string             { return e.Message }
func (e jsonlError) Unwrap() error             { return errors.New(e.Fault) }
func (e jsonlError) Place() (line, column int) { return e.Line, e.Column }

// err returns the reason.
func (j *jsonlUnjudged) err() error {
	var list []error
	for _, e := range j.Errors {
		if e.Fault == "" {
			list = append(list, errors.New(e.Message))
		} else {
			list = append(list, e)
		}
	}
	return jsonlErrors{j.Message, list}
}

// jsonlErrors is the reason why a file was not validated.
type jsonlErrors struct {
	message string
	list    []error
}

func (e jsonlErrors) Error() string   { return e.message }
func (e jsonlErrors) Unwrap() []error { return e.list }

func (j *jsonlWriter) file(f *File) error {
	head := jsonlRecord{jsonSchema, "file", quote.Unicode(f.Path), f.digest()}
	record := jsonlFile{head, f.Order, f.kind(), f.Form != "", f.Detected, f.Input, f.size(), f.totals(), f.Profile.String(), failOnWord(f.FailOn), f.Failed(), f.comparison()}
	line := terminal.JSON(record, "")
	if len(line) > maxRecord && record.Comparison != nil { // merge then reports that the text is not compared
		record.Comparison = nil
		line = terminal.JSON(record, "")
	}
	if err := j.line(line); err != nil {
		return err
	}
	head.Record = "finding"
	places := f.structuralPaths()
	for i := range f.Result.Findings {
		if err := j.record(jsonlFinding{head, places[i], f.json(i)}); err != nil {
			return err
		}
	}
	return nil
}

// The word never, as the value of failOn and of --fail-on, means [validate.Off].
const never = "never"

func failOnWord(s validate.Severity) string {
	switch s {
	case validate.AsRule:
		return validate.Error.String()
	case validate.Off:
		return never
	}
	return s.String()
}

func (j *jsonlWriter) unchecked(u *Unchecked) error {
	record := jsonlUnjudged{jsonlRecord{jsonSchema, "unjudged", quote.Unicode(u.Path), ""}, u.Order, u.message(), nil}
	for _, err := range u.errors() {
		one := jsonlError{Message: (&Unchecked{Err: err}).message()}
		if placed, is := errors.AsType[placedError](err); is {
			one.Line, one.Column = placed.Place()
			one.Fault = (&Unchecked{Err: placed.Unwrap()}).message()
		} else if one.Message == record.Message {
			continue // there is only this error
		}
		record.Errors = append(record.Errors, one)
	}
	return j.record(record)
}

func (j *jsonlWriter) skipped(path string) error {
	return j.record(jsonlRecord{jsonSchema, "skipped", quote.Unicode(path), ""})
}

// end writes nothing: a report that is cut off after a line is valid, too.
func (j *jsonlWriter) end(End) error { return nil }

func (j *jsonlWriter) record(v any) error { return j.line(terminal.JSON(v, "")) }

func (j *jsonlWriter) line(text []byte) error {
	_, err := j.w.Write(append(text, '\n'))
	return err
}
