package report

import (
	"bufio"
	"fmt"

	"github.com/perfblock/perfblock/internal/comparison"
	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/terminal"
)

// jsonSchema is the version of the format that docs/lint-json.md describes. A new member of an
// object does not change the version.
const jsonSchema = 1

type jsonFile struct {
	Path string `json:"path"`
	jsonContents
}

// jsonContents has the members about the contents of a file. The formats json and jsonl both have these members.
type jsonContents struct {
	Kind     string `json:"kind"`
	Text     bool   `json:"text,omitempty"`
	Detected bool   `json:"detected,omitempty"`
	Input    string `json:"input,omitempty"`
	Bytes    int    `json:"bytes"`
}

type jsonUnchecked struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

type jsonFinding struct {
	Rule         string `json:"rule"`
	Name         string `json:"name"`
	Severity     string `json:"severity"`
	Path         string `json:"path"`
	Offset       *int64 `json:"offset,omitempty"` // nil for a finding in a text
	Length       *int64 `json:"length,omitempty"`
	Line         int    `json:"line,omitempty"`
	Column       int    `json:"column,omitempty"`
	Message      string `json:"message"`
	PerflibEvent int    `json:"perflibEvent,omitempty"`
	Reason       string `json:"reason,omitempty"`

	Object  identity.Title `json:"object,omitzero"`
	Counter identity.Title `json:"counter,omitzero"`
}

func (f *File) contents() jsonContents {
	return jsonContents{f.kind(), f.Form != "", f.Detected, f.Input, f.size()}
}

// totals returns the totals of the file.
func (f *File) totals() comparison.Totals {
	return comparison.Totals{Counts: f.Result.Counts, Truncated: f.Result.Truncated, Suppressed: f.Suppressed}
}

// A jsonWriter writes each finding on its own line, because many tools search lines.
type jsonWriter struct {
	w      *bufio.Writer   // keeps the first error
	files  int             // written so far
	rest   []jsonUnchecked // files that were not validated, for the end of the report
	others int             // files that were skipped
}

func newJSON(w *bufio.Writer, _ Options) reporter {
	_, _ = fmt.Fprintf(w, `{"schema":%d,"files":[`, jsonSchema)
	return &jsonWriter{w: w}
}

func (j *jsonWriter) file(f *File) error {
	j.next(j.files)
	j.files++
	r := &f.Result
	j.open(jsonFile{quote.Unicode(f.Path), f.contents()})
	_, _ = j.w.WriteString(`,"findings":[`)
	for i := range r.Findings {
		j.next(i)
		_, _ = j.w.Write(terminal.JSON(f.json(i), ""))
		if _, err := j.w.Write(nil); err != nil {
			return err
		}
	}
	j.endArray(len(r.Findings))
	_ = j.w.WriteByte(',')
	end := terminal.JSON(f.totals(), "")
	_, err := j.w.Write(end[1:]) // without the first brace, because the method open wrote the brace of this object
	return err
}

func (j *jsonWriter) unchecked(u *Unchecked) error {
	j.rest = append(j.rest, jsonUnchecked{quote.Unicode(u.Path), u.message()})
	return nil
}

func (j *jsonWriter) skipped(string) error {
	j.others++
	return nil
}

func (j *jsonWriter) finish(e End) error {
	j.endArray(j.files)
	if len(j.rest) > 0 {
		_, _ = j.w.WriteString(`,"unjudged":[`)
		for i, u := range j.rest {
			j.next(i)
			_, _ = j.w.Write(terminal.JSON(u, ""))
		}
		j.endArray(len(j.rest))
	}
	if j.others > 0 {
		_, _ = fmt.Fprintf(j.w, `,"skipped":%d`, j.others)
	}
	if e.Interrupted {
		_, _ = j.w.WriteString(`,"interrupted":true`)
	}
	_, err := j.w.WriteString("}\n")
	return err
}

// json returns the record of finding i.
func (f *File) json(i int) jsonFinding {
	found := &f.Result.Findings[i]
	object, counter := f.titles(i)
	j := jsonFinding{
		Rule: found.Rule.ID, Name: found.Rule.Name, Severity: found.Severity.String(), Path: found.Path.String(),
		Message: terminal.Printable(found.Message()), PerflibEvent: found.Rule.Event, Reason: terminal.Printable(found.Reason),
		Object: object, Counter: counter,
	}
	if f.Form != "" {
		j.Line, j.Column = textPlace(found)
		return j
	}
	off, length := place(found)
	j.Offset, j.Length = &off, new(int64(length))
	return j
}

// open writes v as an object without its closing brace.
func (j *jsonWriter) open(v any) {
	b := terminal.JSON(v, "")
	_, _ = j.w.Write(b[:len(b)-1])
}

// next starts element i of an array on a new line, after a comma if i is not 0.
func (j *jsonWriter) next(i int) {
	if i > 0 {
		_ = j.w.WriteByte(',')
	}
	_ = j.w.WriteByte('\n')
}

// endArray ends an array of n elements.
func (j *jsonWriter) endArray(n int) {
	if n > 0 {
		_ = j.w.WriteByte('\n')
	}
	_ = j.w.WriteByte(']')
}
