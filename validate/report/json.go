package report

import (
	"bufio"
	"bytes"
	"encoding/json"

	"github.com/perfblock/perfblock/validate"
)

// jsonSchema is the version of the shape; docs/lint-json.md says what each member is.
// A member that is added does not change it.
const jsonSchema = 1

type jsonHead struct {
	Schema int `json:"schema"`
}

type jsonFile struct {
	Path  string `json:"path"`
	Kind  string `json:"kind"`
	Input string `json:"input,omitempty"`
	Bytes int    `json:"bytes"`
}

type jsonUnjudged struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

type jsonFinding struct {
	Rule         string `json:"rule"`
	Name         string `json:"name"`
	Severity     string `json:"severity"`
	Path         string `json:"path"`
	Offset       int64  `json:"offset"`
	Length       int    `json:"length"`
	Message      string `json:"message"`
	PerflibEvent int    `json:"perflibEvent,omitempty"`
	Reason       string `json:"reason,omitempty"`
}

type jsonCounts struct {
	Error   int `json:"error"`
	Warning int `json:"warning"`
	Info    int `json:"info"`
}

type jsonEnd struct {
	Counts    jsonCounts `json:"counts"`
	Truncated bool       `json:"truncated"`
}

// writeJSON writes each finding on a line of its own as soon as it is made, so
// that the text can be searched line by line and does not stand in memory.
func writeJSON(w *bufio.Writer, files []File, o Options) error {
	j := jsonWriter{w}
	j.open(jsonHead{jsonSchema})
	_, _ = w.WriteString(`,"files":[`)
	for i := range files {
		j.next(i)
		if err := j.file(&files[i]); err != nil {
			return err
		}
	}
	j.last(len(files))
	_ = w.WriteByte(']')
	j.unjudged(o.Unjudged)
	_, _ = w.WriteString("}\n")
	return nil
}

type jsonWriter struct {
	w *bufio.Writer // keeps the first error
}

func (j *jsonWriter) file(f *File) error {
	r := &f.Result
	j.open(jsonFile{f.Path, f.Kind.String(), f.Input, len(f.Block)})
	_, _ = j.w.WriteString(`,"findings":[`)
	for i := range r.Findings {
		j.next(i)
		_, _ = j.w.Write(encode(jsonOf(&r.Findings[i]), ""))
		if _, err := j.w.Write(nil); err != nil {
			return err
		}
	}
	j.last(len(r.Findings))
	_, _ = j.w.WriteString("],")
	j.close(jsonEnd{jsonCounts(r.Counts), r.Truncated})
	return nil
}

// unjudged writes the member for what was not judged, where there is something.
func (j *jsonWriter) unjudged(list []Unjudged) {
	if len(list) == 0 {
		return
	}
	_, _ = j.w.WriteString(`,"unjudged":[`)
	for i := range list {
		j.next(i)
		_, _ = j.w.Write(encode(jsonUnjudged{list[i].Path, list[i].message()}, ""))
	}
	j.last(len(list))
	_ = j.w.WriteByte(']')
}

func jsonOf(f *validate.Finding) jsonFinding {
	off, length := place(f)
	return jsonFinding{
		Rule: f.Rule.ID, Name: f.Rule.Name, Severity: f.Severity.String(), Path: f.Path.String(), Offset: off, Length: length,
		Message: printable(f.Message()), PerflibEvent: f.Rule.Event, Reason: printable(f.Reason),
	}
}

// next starts the element i of an array on a line of its own, and last ends the
// lines of an array of n.
func (j *jsonWriter) next(i int) {
	if i > 0 {
		_ = j.w.WriteByte(',')
	}
	_ = j.w.WriteByte('\n')
}

func (j *jsonWriter) last(n int) {
	if n > 0 {
		_ = j.w.WriteByte('\n')
	}
}

// open writes an object without its closing brace, and close one without its
// opening brace, so that what is long can stand between them.

func (j *jsonWriter) open(v any) {
	b := encode(v, "")
	_, _ = j.w.Write(b[:len(b)-1])
}

func (j *jsonWriter) close(v any) {
	_, _ = j.w.Write(encode(v, "")[1:])
}

// encode returns v as JSON, with lines if there is something to indent them with.
func encode(v any, indent string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // it is no web page, and people read it
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		panic(err) // structs of texts and numbers can all be encoded
	}
	return appendJSON(nil, bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}
