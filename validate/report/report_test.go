package report_test

import (
	"bytes"
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
		t.Errorf("the default is %s", first.Name)
	}
	for _, f := range report.Formats() {
		if got, err := report.FormatNamed(f.Name); err != nil || got.Name != f.Name || got.Doc == "" {
			t.Errorf("%s: got %+v, %v", f.Name, got, err)
		}
	}
	_, err := report.FormatNamed("xml")
	if err == nil || !strings.Contains(err.Error(), "text, json, jsonl, sarif, junit, github, gitlab") {
		t.Errorf("got %v, want an error that lists the formats", err)
	}
}

// TestDetected checks that each format marks a detected kind. A detected kind can be wrong.
func TestDetected(t *testing.T) {
	t.Parallel()
	one := checkedFile(t, "a.bin", layout.ObjectsKind, instances(t, 1, "a/b"), "inst-name-special")
	check := func(format string, f report.File, o report.Options) {
		t.Helper()
		f.Detected = false
		if got := write(t, format, []report.File{f}, o); strings.Contains(got, "detected") && format != "sarif" { // rules in the log contain the word
			t.Errorf("%s %+v: the kind was given:\n%s", format, o, got)
		}
		f.Detected = true
		if got := write(t, format, []report.File{f}, o); !strings.Contains(got, "detected") {
			t.Errorf("%s %+v: the kind was detected:\n%s", format, o, got)
		}
	}
	for _, f := range report.Formats() {
		check(f.Name, one, report.Options{})
		check(f.Name, report.File{Path: "clean.bin", Kind: layout.ObjectsKind}, report.Options{})
	}
	check("text", one, report.Options{Summary: true})
	check("text", report.File{Path: "clean.bin", Kind: layout.ObjectsKind}, report.Options{Summary: true})
	check("text", one, report.Options{Quiet: true})
}

// TestSuppressed checks that each format shows the number of suppressed findings, even for a file in which all findings
// are suppressed.
func TestSuppressed(t *testing.T) {
	t.Parallel()
	one := report.File{Path: "a.bin", Kind: layout.ObjectsKind, Suppressed: 290}
	for _, f := range report.Formats() {
		if got := write(t, f.Name, []report.File{one}, report.Options{}); !strings.Contains(got, "290") || !strings.Contains(got, "suppressed") {
			t.Errorf("%s: 290 findings are suppressed:\n%s", f.Name, got)
		}
	}
}

// TestInterrupted checks that each format except jsonl reports an interrupted run.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	for _, f := range report.Formats() {
		got := testCase{end: report.End{Interrupted: true}}.write(t, f.Name, report.Options{})
		// A jsonl report has only records of files.
		if says := strings.Contains(got, "interrupted"); says != (f.Name != "jsonl") {
			t.Errorf("%s: an interrupted run has the report\n%s", f.Name, got)
		}
	}
}

// TestSameTwice checks that two reports on the same files are equal.
func TestSameTwice(t *testing.T) {
	t.Parallel()
	for _, f := range report.Formats() {
		once, again := cases(t)[2], cases(t)[2]
		if first, second := once.write(t, f.Name, report.Options{}), again.write(t, f.Name, report.Options{}); first != second {
			t.Errorf("%s: two outputs\n%s\n%s", f.Name, first, second)
		}
	}
}

// TestShared checks that each format writes the same report for a File and for the copy that its method Shared
// returns.
func TestShared(t *testing.T) {
	t.Parallel()
	one := checkedFile(t, "a.bin", layout.ObjectsKind, instances(t, 1, "a/b"), "inst-name-special").Shared()
	other := checkedFile(t, "a.bin", layout.ObjectsKind, instances(t, 2, "a/b"), "inst-name-special").Shared()
	for _, f := range report.Formats() {
		for _, shared := range []report.File{one, other, one} {
			want := write(t, f.Name, []report.File{{Path: shared.Path, Kind: shared.Kind, Block: shared.Block, Result: shared.Result, Profile: shared.Profile}}, report.Options{})
			if got := write(t, f.Name, []report.File{shared}, report.Options{}); got != want {
				t.Errorf("%s: a shared file has the report\n%s\nand the same file\n%s", f.Name, got, want)
			}
		}
	}
}

// TestUnchecked checks that the method File refuses a block that was not validated. Otherwise the report would show the
// block as a block without findings.
func TestUnchecked(t *testing.T) {
	t.Parallel()
	one := report.File{Path: "q.bin", Kind: layout.Kind(99), Result: validate.Bytes(layout.Kind(99), nil, validate.Context{})}
	for _, f := range report.Formats() {
		none := testCase{}.write(t, f.Name, report.Options{})
		var out bytes.Buffer
		w := f.NewWriter(&out, report.Options{})
		if err := w.File(one); err == nil || !strings.HasPrefix(err.Error(), "q.bin: not validated: no rules for the kind 99") {
			t.Errorf("%s: %v", f.Name, err)
		}
		if err := w.Close(report.End{}); err != nil || out.String() != none {
			t.Errorf("%s: %v, and the report %q, want %q", f.Name, err, out.String(), none)
		}
	}
}

// TestNoRule checks that File refuses a finding without a rule. Package validate makes no such finding, but a caller
// can.
func TestNoRule(t *testing.T) {
	t.Parallel()
	one := report.File{Path: "a.bin", Result: validate.Result{Findings: []validate.Finding{{Rule: validate.Rules()[0]}, {}}}}
	for _, f := range report.Formats() {
		if err := f.NewWriter(io.Discard, report.Options{}).File(one); err == nil || err.Error() != "a.bin: finding 1 has no rule: set its Rule, such as one of validate.Rules" {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// TestWriterFails checks that a Writer returns the error of the underlying writer, and writes nothing after the
// error.
func TestWriterFails(t *testing.T) {
	t.Parallel()
	files := []report.File{checkedFile(t, "many.bin", layout.ObjectsKind, instances(t, 500, "a/b"), "inst-name-special")}
	type row struct {
		name  string
		write func(w io.Writer) error
	}
	rows := []row{
		{"text without findings", func(w io.Writer) error { return writeTo(w, "text", []report.File{{Path: "clean.bin"}}) }},
		{"json without files", func(w io.Writer) error { return writeTo(w, "json", nil) }},
		{"json of a file that was not validated", func(w io.Writer) error {
			return testCase{unchecked: []report.Unchecked{{Path: "gone.bin", Err: errFull}}}.writeTo(w, "json", report.Options{})
		}},
	}
	for _, f := range report.Formats() {
		rows = append(rows, row{f.Name, func(w io.Writer) error { return writeTo(w, f.Name, files) }})
	}
	for _, tt := range rows {
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

// TestStopsEarly checks that a Writer stops formatting findings after its io.Writer fails, for example
// because a pipe is closed.
func TestStopsEarly(t *testing.T) {
	files := []report.File{checkedFile(t, "many.bin", layout.ObjectsKind, instances(t, 900, "a/b"), "inst-name-special")}
	for _, format := range []string{"text", "json", "gitlab"} {
		whole := testing.AllocsPerRun(1, func() { _ = writeTo(io.Discard, format, files) })
		some := testing.AllocsPerRun(1, func() { _ = writeTo(&limited{}, format, files) })
		if some > whole*3/4 {
			t.Errorf("%s: %v allocations to write nothing, %v to write all", format, some, whole)
		}
	}
}

func writeTo(w io.Writer, format string, files []report.File) error {
	return testCase{files: files}.writeTo(w, format, report.Options{})
}

var errFull = errors.New("full")

// limited is a writer that fails after `left` bytes. It counts the writes after the failure.
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
