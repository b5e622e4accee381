package report_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

func TestFormats(t *testing.T) {
	t.Parallel()
	if first := report.Formats()[0]; first.Name != "text" {
		t.Errorf("the first is %s, the one that is used unless asked otherwise", first.Name)
	}
	for _, f := range report.Formats() {
		if got, err := report.FormatNamed(f.Name); err != nil || got.Name != f.Name || got.Doc == "" {
			t.Errorf("%s: got %+v, %v", f.Name, got, err)
		}
	}
	_, err := report.FormatNamed("xml")
	if err == nil || !strings.Contains(err.Error(), "text, json, sarif") {
		t.Errorf("got %v, want an error that lists the formats", err)
	}
}

func TestSameTwice(t *testing.T) {
	t.Parallel()
	once, again := cases(t), cases(t)
	for _, f := range report.Formats() {
		for i := range once {
			first, second := write(t, f.Name, once[i].files, once[i].options()), write(t, f.Name, again[i].files, again[i].options())
			if first != second {
				t.Errorf("%s: two outputs\n%s\n%s", f.Name, first, second)
			}
		}
	}
}

// An error of the writer comes back wherever it happens, and ends the work there.
func TestWriterFails(t *testing.T) {
	t.Parallel()
	files := []report.File{file(t, "many.bin", layout.ObjectsKind, instances(t, 500, "a/b"), "inst-name-special")}
	rule := validate.Rules()[0]
	long := report.Example{Wrong: strings.Repeat("0000 | 00 |\n", 1000)}
	for _, tt := range []struct {
		name  string
		write func(w io.Writer) error
	}{
		{"text", func(w io.Writer) error { return writeTo(w, "text", files) }},
		{"json", func(w io.Writer) error { return writeTo(w, "json", files) }},
		{"sarif", func(w io.Writer) error { return writeTo(w, "sarif", files) }},
		{"text of nothing found", func(w io.Writer) error { return writeTo(w, "text", []report.File{{Path: "clean.bin"}}) }},
		{"json of nothing", func(w io.Writer) error { return writeTo(w, "json", nil) }},
		{"json of what was not judged", func(w io.Writer) error {
			f, err := report.FormatNamed("json")
			if err != nil {
				return err
			}
			return f.Write(w, nil, report.Options{Unjudged: []report.Unjudged{{Path: "gone.bin", Err: errFull}}})
		}},
		{"explain", func(w io.Writer) error { return report.Explain(w, rule, long, report.Options{}) }},
		{"list", func(w io.Writer) error { return report.List(w, validate.Rules(), report.Options{}) }},
	} {
		whole := &limited{left: 1 << 30}
		if err := tt.write(whole); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		size := 1<<30 - whole.left
		for _, room := range []int{0, 1, size / 2, size - 1} {
			w := &limited{left: room}
			if err := tt.write(w); !errors.Is(err, errFull) {
				t.Errorf("%s: room for %d of %d bytes: got %v, want the writer's error", tt.name, room, size, err)
			}
			if w.after > 0 {
				t.Errorf("%s: %d writes after an error", tt.name, w.after)
			}
		}
	}
}

// Nothing more is made ready for a writer that takes no more, such as a closed pipe.
func TestStopsEarly(t *testing.T) {
	files := []report.File{file(t, "many.bin", layout.ObjectsKind, instances(t, 900, "a/b"), "inst-name-special")}
	for _, format := range []string{"text", "json"} {
		whole := testing.AllocsPerRun(1, func() { _ = writeTo(io.Discard, format, files) })
		some := testing.AllocsPerRun(1, func() { _ = writeTo(&limited{}, format, files) })
		if some > whole*3/4 {
			t.Errorf("%s: %v allocations to write nothing, %v to write all", format, some, whole)
		}
	}
}

func writeTo(w io.Writer, format string, files []report.File) error {
	f, err := report.FormatNamed(format)
	if err != nil {
		return err
	}
	return f.Write(w, files, report.Options{})
}

var errFull = errors.New("full")

// limited takes a number of bytes and no more.
type limited struct{ left, after int }

func (l *limited) Write(b []byte) (int, error) {
	if l.left < 0 {
		l.after++
	}
	if l.left -= len(b); l.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}
