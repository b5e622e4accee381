package report_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/comparison"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

// compared returns a File for a text. All members of its Comparison are set.
func compared() report.File {
	f := report.File{Path: "a.zip!/shop.ini", Form: "ini", Block: []byte("[info]\n"), Order: 3, Suppressed: 5}
	f.Comparison = func() *comparison.Text {
		return &comparison.Text{
			Totals: comparison.Totals{Counts: validate.Counts{Error: 1, Info: 2}, Truncated: true, Suppressed: 4},
			Rules:  []comparison.Setting{{Rule: "PERF4505", Severity: "info", Reason: "bug 7"}, {Rule: "PERF4506", Severity: "off"}},
			Apart:  true, MaxFindings: -1, Suppressions: []comparison.Suppression{{Rule: "def-file-differs", Path: `"[info]"`, Count: 2}},
			Contents: comparison.Pack(f.Block), Header: comparison.Pack([]byte("#define A 0\n")),
		}
	}
	return f
}

// TestCompare checks that Compare calls the given function with the text and the Comparison of a record, and that the
// report then has the findings that this function returned.
func TestCompare(t *testing.T) {
	t.Parallel()
	f := compared()
	differs, err := validate.FindRule("PERF4505")
	if err != nil {
		t.Fatal(err)
	}
	old := validate.Finding{Rule: differs, Severity: validate.Info, Line: 1, Column: 1, Got: "old"}
	f.Result.Findings = []validate.Finding{old}
	f.Places = []string{"old place"}
	text := write(t, "jsonl", []report.File{f}, report.Options{})
	s := schemaOf(t, jsonSchema, "#/$defs/record")
	for line := range strings.Lines(text + testCase{unchecked: []report.Unchecked{faulty}}.write(t, "jsonl", report.Options{})) {
		if err := s.Validate(parsed(t, line)); err != nil {
			t.Errorf("%v\n%s", err, line)
		}
	}
	var r report.Records
	if err := r.Read(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	err = r.Compare(func(got report.File) (report.File, error) {
		if diff := cmp.Diff(f.Comparison(), got.Comparison()); diff != "" {
			t.Errorf("(-written +read)\n%s", diff)
		}
		if !bytes.Equal(f.Block, got.Block) || got.Form != f.Form || got.Path != f.Path {
			t.Errorf("got %s, %s, %q", got.Path, got.Form, got.Block)
		}
		fresh := old
		fresh.Got = "new"
		got.Result = validate.Result{Findings: []validate.Finding{fresh}, Counts: validate.Counts{Info: 1}}
		got.Places, got.Suppressed = []string{"new place"}, 1
		return got, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	format, _ := report.FormatNamed("jsonl")
	w := format.NewWriter(&out, report.Options{})
	if _, _, err := r.Write(w); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(report.End{}); err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer(`"old"`, `"new"`, "old place", "new place", `"bytes":7,"counts":{"error":0,"warning":0,"info":0},"truncated":false,"suppressed":5`,
		`"bytes":7,"counts":{"error":1,"warning":0,"info":3},"truncated":true,"suppressed":5`, `"failed":false`, `"failed":true`).Replace(text)
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestLongText checks that Read accepts the record that lint writes for a long text. The record does not contain the
// text if the text or the record would be too long.
func TestLongText(t *testing.T) {
	t.Parallel()
	random := make([]byte, 4<<20)
	rand.NewChaCha8([32]byte{}).Read(random)
	for _, tt := range []struct {
		reason string
		text   []byte
		want   bool
	}{
		{"a long text whose record is short", bytes.Repeat([]byte("a\n"), 8<<20), true},
		{"a text that is longer than Read unpacks", bytes.Repeat([]byte("a\n"), 8<<20+1), false},
		{"a text whose record would be longer than Read accepts", random, false},
	} {
		f := compared()
		f.Block = tt.text
		f.Comparison = func() *comparison.Text { return &comparison.Text{Contents: comparison.Pack(tt.text)} }
		var r report.Records
		if err := r.Read(strings.NewReader(write(t, "jsonl", []report.File{f}, report.Options{}))); err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		}
		called := false
		if err := r.Compare(func(f report.File) (report.File, error) {
			called = true
			if has := f.Comparison != nil; has != tt.want {
				t.Errorf("%s: the record has a text: %v, want %v", tt.reason, has, tt.want)
			}
			return f, nil
		}); err != nil || !called {
			t.Errorf("%s: %v, called %v", tt.reason, err, called)
		}
	}
}

// TestLongestRecord checks that Read accepts records whose length is close to 4 MiB, the largest length.
func TestLongestRecord(t *testing.T) {
	t.Parallel()
	f := compared()
	f.Block = make([]byte, 3_100_000)
	rand.NewChaCha8([32]byte{}).Read(f.Block)
	f.Comparison = func() *comparison.Text { return &comparison.Text{Contents: comparison.Pack(f.Block)} }
	path, most := f.Path, 4<<20
	line, _, _ := strings.Cut(write(t, "jsonl", []report.File{f}, report.Options{}), "\n")
	for n := most - 2; n <= most+1; n++ {
		f.Path = path + strings.Repeat("a", n-len(line))
		var r report.Records
		if err := r.Read(strings.NewReader(write(t, "jsonl", []report.File{f}, report.Options{}))); err != nil {
			t.Errorf("a record that would have %d bytes: %v", n, err)
		}
	}
}

// TestCompareRequiresPlaces checks that Compare returns an error if its function returns a finding without a path in
// Places.
func TestCompareRequiresPlaces(t *testing.T) {
	t.Parallel()
	var r report.Records
	if err := r.Read(strings.NewReader(write(t, "jsonl", []report.File{compared()}, report.Options{}))); err != nil {
		t.Fatal(err)
	}
	err := r.Compare(func(f report.File) (report.File, error) {
		f.Result, f.Places = validate.Result{Findings: make([]validate.Finding, 2)}, []string{"a"}
		return f, nil
	})
	if want := "compare returned 1 place for 2 findings, must return a place for each finding"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// TestCompareRefuses checks that Compare returns an error if the text in a record is damaged, too long, or not the
// text that was validated.
func TestCompareRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason string
		text   comparison.Packed
		want   string
	}{
		{"it is another text", comparison.Pack([]byte("[other]\n")), "a.zip!/shop.ini: cannot be compared: the digest of the text differs from the digest in the record"},
		{"it is not in gzip", comparison.Packed("[info]\n[text]\n"), "gzip: invalid header"},
		{"it is cut off", comparison.Pack(compared().Block)[:25], "unexpected EOF"},
		{"it is absent", comparison.Packed{}, "EOF"},
		{"it is very long", comparison.Pack(make([]byte, 17<<20)), "is longer than 16777216 bytes"},
	} {
		f := compared()
		f.Comparison = func() *comparison.Text { return &comparison.Text{Contents: tt.text} }
		var r report.Records
		if err := r.Read(strings.NewReader(write(t, "jsonl", []report.File{f}, report.Options{}))); err != nil {
			t.Fatal(err)
		}
		err := r.Compare(func(f report.File) (report.File, error) { return f, nil })
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.reason, err, tt.want)
		}
	}
}
