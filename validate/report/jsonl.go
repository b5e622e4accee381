package report

import (
	"bufio"

	"github.com/perfblock/perfblock/internal/comparison"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/validate"
)

// A jsonlWriter writes one record on each line. Each record names its file. So reports can be concatenated, and their
// records can be in any order or repeated.
type jsonlWriter struct {
	w *bufio.Writer // keeps the first error
}

func newJSONL(w *bufio.Writer, _ Options) reporter { return &jsonlWriter{w} }

// A jsonlRecord has the members that all records begin with.
type jsonlRecord struct {
	Schema int    `json:"schema"`
	Record string `json:"record"` // file, finding, unjudged or skipped
	Path   string `json:"path"`
	Digest string `json:"digest,omitempty"`
}

type jsonlFile struct {
	jsonlRecord
	Order int `json:"order,omitempty"`
	jsonContents
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
	Order   int      `json:"order,omitempty"`
	Message string   `json:"message"`
	Errors  []reason `json:"errors,omitempty"` // nil if the only error is in Message and is not a placedError
}

func (j *jsonlWriter) file(f *File) error {
	head := jsonlRecord{jsonSchema, "file", quote.Unicode(f.Path), f.digest()}
	record := jsonlFile{head, f.Order, f.contents(), f.totals(), f.Profile.String(), f.failOnWord(), f.Failed(), f.comparison()}
	line := terminal.JSON(record, "")
	if len(line) >= maxRecord && record.Comparison != nil { // merge then reports that the text is not compared
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

// comparison returns the Comparison of the file. It returns nil if there is no Comparison or the text is too long.
func (f *File) comparison() *comparison.Text {
	if f.Comparison == nil || len(f.Block) > comparison.MaxText {
		return nil
	}
	return f.Comparison()
}

// In failOn and --fail-on, the word "never" means [validate.Off].
const never = "never"

func (f *File) failOnWord() string {
	if f.threshold() == validate.Off {
		return never
	}
	return f.threshold().String()
}

func (j *jsonlWriter) unchecked(u *Unchecked) error {
	record := jsonlUnjudged{jsonlRecord{jsonSchema, "unjudged", quote.Unicode(u.Path), ""}, u.Order, u.message(), u.reasons()}
	if len(record.Errors) == 1 && record.Errors[0] == (reason{Message: record.Message}) {
		record.Errors = nil
	}
	return j.record(record)
}

func (j *jsonlWriter) skipped(path string) error {
	return j.record(jsonlRecord{jsonSchema, "skipped", quote.Unicode(path), ""})
}

// finish writes nothing, because a report is valid after each complete line.
func (j *jsonlWriter) finish(End) error { return nil }

func (j *jsonlWriter) record(v any) error { return j.line(terminal.JSON(v, "")) }

func (j *jsonlWriter) line(text []byte) error {
	_, err := j.w.Write(append(text, '\n'))
	return err
}
