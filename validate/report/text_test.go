package report_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

func TestTextGolden(t *testing.T) {
	t.Parallel()
	for _, tt := range cases(t) {
		golden.File(t, "testdata/"+tt.name+".txt", tt.write(t, "text", report.Options{}))
	}
}

// TestQuiet checks that quiet text has a line for each finding and nothing else.
func TestQuiet(t *testing.T) {
	t.Parallel()
	for _, tt := range cases(t) {
		findings, got := 0, tt.write(t, "text", report.Options{Quiet: true})
		for _, f := range tt.files {
			findings += len(f.Result.Findings)
		}
		if tt.end.Interrupted {
			findings++
		}
		if n := strings.Count(got, "\n"); n != findings {
			t.Errorf("%s: %d lines, want %d\n%s", tt.name, n, findings, got)
		}
	}
}

// TestSummary checks that the tables are sorted by severity and have a bounded number of rows.
func TestSummary(t *testing.T) {
	t.Parallel()
	var all testCase
	for _, tt := range cases(t) {
		all.files = append(all.files, tt.files...)
	}
	golden.File(t, "testdata/summary.txt", all.write(t, "text", report.Options{Summary: true}))
	golden.File(t, "testdata/summary-clean.txt", cases(t)[1].write(t, "text", report.Options{Summary: true}))
	many := testCase{files: []report.File{checkedFile(t, "many.bin", layout.ObjectsKind, instances(t, 60, "a/b"), "inst-name-special")}}
	if got := many.write(t, "text", report.Options{Summary: true}); strings.Count(got, "\n") != 2+1+2+1+52+1+1 || !strings.Contains(got, " 10 more\n") {
		t.Errorf("60 objects:\n%s", got)
	}
}

// TestColor checks that the text is the same with colours, except for the escape sequences.
func TestColor(t *testing.T) {
	t.Parallel()
	for _, tt := range cases(t) {
		plain := tt.write(t, "text", report.Options{})
		coloured := tt.write(t, "text", report.Options{Color: true})
		if len(tt.files) > 0 && coloured == plain {
			t.Errorf("%s: no colours", tt.name)
		}
		if got := uncoloured(coloured); got != plain {
			t.Errorf("%s: without colours the text is\n%swant\n%s", tt.name, got, plain)
		}
	}
	for _, format := range []string{"json", "sarif"} {
		if strings.Contains(write(t, format, cases(t)[2].files, report.Options{Color: true}), "\x1b") {
			t.Errorf("%s has colours", format)
		}
	}
}

// uncoloured removes the colours from a text.
func uncoloured(s string) string {
	return regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(s, "")
}

// TestCarets checks that the carets are under the bytes of the finding, for every offset and length.
func TestCarets(t *testing.T) {
	t.Parallel()
	size := long.Count(40, 100)
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(i)
	}
	for off := range size + 1 {
		for n := range size + 1 - off {
			f := validate.Finding{Rule: validate.Rules()[0], Severity: validate.Error, Off: int64(off), Len: n}
			lines := strings.Split(write(t, "text", []report.File{{Path: "x", Block: b, Result: validate.Result{Findings: []validate.Finding{f}}}}, report.Options{}), "\n")
			bytes, marks := lines[1], lines[2]
			at := strings.IndexByte(marks, '^')
			if n == 0 {
				after := off == 0 || bytes[at-2:at] == hexByte(off-1)
				before := bytes[at+1] == '|' && off == size || at+3 < len(bytes) && bytes[at+1:at+3] == hexByte(off) || off%16 == 0
				if !after || !before || strings.Count(marks, "^") != 1 {
					t.Fatalf("no bytes at %d:\n%s\n%s", off, bytes, marks)
				}
				continue
			}
			shown := strings.Count(marks, "^^")
			for i := range shown {
				if got := bytes[at+3*i : at+3*i+2]; got != hexByte(off+i) {
					t.Fatalf("%d bytes at %d: a caret under %s, want %s\n%s\n%s", n, off, got, hexByte(off+i), bytes, marks)
				}
			}
			if more := strings.Contains(marks, "more byte"); n <= 16 && shown != n || more != (shown < n) || shown < min(n, 16) && off%16 == 0 {
				t.Fatalf("%d bytes at %d: %d shown\n%s\n%s", n, off, shown, bytes, marks)
			}
		}
	}
}

func hexByte(n int) string { return "0123456789abcdef"[n>>4:][:1] + "0123456789abcdef"[n&15:][:1] }

// TestFindingOutsideTheBlock checks that a report shows findings whose bytes are outside the block. A caller can make
// such findings.
func TestFindingOutsideTheBlock(t *testing.T) {
	t.Parallel()
	for _, f := range []validate.Finding{{Off: 1000, Len: 4}, {Off: 2, Len: 1 << 30}, {Off: 1 << 40}} {
		f.Rule = validate.Rules()[0]
		for _, b := range [][]byte{nil, {1, 2, 3}} {
			if got := write(t, "text", []report.File{{Path: "x", Block: b, Result: validate.Result{Findings: []validate.Finding{f}}}}, report.Options{}); !strings.Contains(got, "^") {
				t.Errorf("%d bytes at %d of %d: no caret in\n%s", f.Len, f.Off, len(b), got)
			}
		}
	}
}

// TestFindingBeforeTheBlock checks that negative offsets and lengths are written as 0.
func TestFindingBeforeTheBlock(t *testing.T) {
	t.Parallel()
	list := []report.File{{Path: "x", Block: []byte{1, 2, 3}, Result: validate.Result{Findings: []validate.Finding{{Rule: validate.Rules()[0], Off: -3, Len: -5}}}}}
	for format, want := range map[string]string{
		"text": "x:0x0000: ",
		"json": `"offset":0,"length":0,`,
		"sarif": `"byteOffset": 0,
       "byteLength": 0`,
	} {
		if got := write(t, format, list, report.Options{}); !strings.Contains(strings.ReplaceAll(got, "  ", ""), strings.ReplaceAll(want, "  ", "")) {
			t.Errorf("%s: no %s in\n%.2000s", format, want, got)
		}
	}
}
