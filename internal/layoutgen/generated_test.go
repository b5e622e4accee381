package main

import (
	"bytes"
	_ "embed"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
)

// TestGeneratedFilesAreCurrent fails if the record table was changed without "go generate ./layout".
func TestGeneratedFilesAreCurrent(t *testing.T) {
	t.Parallel()
	n := 0
	for name, want := range outputs() {
		n++
		got, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(got), "\r\n", "\n")
		if diff := cmp.Diff(string(want), text); diff != "" {
			t.Errorf("%s is out of date: run go generate ./layout (-want +got):\n%s", name, diff)
		}
		if !strings.Contains(text, "DO NOT EDIT.") {
			t.Errorf("%s has no line DO NOT EDIT", name)
		}
	}
	if n != 6 {
		t.Errorf("%d files are generated", n)
	}
}

// tiny is a record table with a field of most types, a record with a view and a record without a view.
var tiny = []*layout.Record{
	{
		C: "TINY_STAMP", Size: 4, Align: 2, Name: "Stamp", In: "Stamp", Doc: "is a stamp.", Source: "https://example.com/stamp",
		Fields: []layout.Field{
			{At: 0, Type: layout.U16, Name: "wLow", Doc: "first"},
			{At: 2, Type: layout.U16, Name: "wHigh", Doc: "second"},
		},
	},
	{
		C: "TINY_BLOCK", Size: 48, Align: 8, Name: "TinyBlock", View: "Tiny", Doc: "is tiny.", Source: "https://example.com/tiny",
		Fields: []layout.Field{
			{At: 0, Type: layout.WChar4, Name: "Magic", Role: layout.Role{Kind: layout.Constant}, Doc: "four letters"},
			{At: 8, Type: layout.U32, Name: "ByteLength", Role: layout.Role{Kind: layout.Length, Of: "the block", From: layout.RecordStart}, Doc: "48"},
			{At: 12, Type: layout.U32, Name: "Level", Go: "DetailLevel", Role: layout.Role{Kind: layout.Enum}, Doc: "a level"},
			{At: 16, Type: layout.Time, Name: "Clock", Doc: "when"},
			{At: 32, Type: layout.I32, Name: "Scale", Doc: "a sign"},
			{At: 36, Type: layout.U32, Name: "Padding", Role: layout.Role{Kind: layout.Padding}, Doc: "a hole"},
			{At: 40, Type: layout.I64, Name: "Count", Role: layout.Role{Kind: layout.Count, Of: "things"}, Doc: "how many"},
		},
	},
}

//go:embed testdata/tinylayout.go.txt
var tinyLayout string

//go:embed testdata/tinywire.go.txt
var tinyWire string

func TestCodeOfTinyRecords(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(tinyLayout, string(layoutCode(tiny))); diff != "" {
		t.Errorf("package layout (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(tinyWire, string(wireCode(tiny, true))); diff != "" {
		t.Errorf("package wire (-want +got):\n%s", diff)
	}
}

const tinyTables = `
## TINY_STAMP

4 bytes, aligned to 2 in C. It is a stamp. ([source](https://example.com/stamp))

| offset | size | type | field | role | meaning |
|---:|---:|---|---|---|---|
| 0 | 2 | WORD | wLow | value | first |
| 2 | 2 | WORD | wHigh | value | second |

## TINY_BLOCK

48 bytes, aligned to 8 in C. It is tiny. ([source](https://example.com/tiny))

| offset | size | type | field | role | meaning |
|---:|---:|---|---|---|---|
| 0 | 8 | WCHAR[4] | Magic | constant | four letters |
| 8 | 4 | DWORD | ByteLength | length of the block, from the start of this record | 48 |
| 12 | 4 | DWORD | Level | enumeration | a level |
| 16 | 16 | SYSTEMTIME | Clock | value | when |
| 32 | 4 | LONG | Scale | value | a sign |
| 36 | 4 | DWORD | Padding | padding | a hole |
| 40 | 8 | LARGE_INTEGER | Count | count of things | how many |
`

func TestTablesOfTinyRecords(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	tables(&b, tiny)
	if diff := cmp.Diff(tinyTables, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPicturesAreSquare checks that all lines of a picture have the same width. A note after an arrow does not count.
func TestPicturesAreSquare(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{"docs/layout.md": 1, "docs/layout-v2.md": 14} {
		pictures := strings.Split(string(outputs()[name]), "```text\n")[1:]
		if len(pictures) != want {
			t.Errorf("%s has %d pictures, want %d", name, len(pictures), want)
		}
		for _, text := range pictures {
			text, _, _ = strings.Cut(text, "```")
			widths := map[int]int{}
			for line := range strings.Lines(text) {
				line, _, _ = strings.Cut(strings.TrimRight(line, "\n"), " ← ")
				widths[len([]rune(line))]++
			}
			if len(widths) != 1 {
				t.Errorf("%s: widths of the lines: %v in\n%s", name, widths, text)
			}
		}
	}
}

// TestPagesHaveEveryRecord checks that a page has a table of every record and a picture of every record with a view.
func TestPagesHaveEveryRecord(t *testing.T) {
	t.Parallel()
	for name, records := range map[string][]*layout.Record{"docs/layout.md": layout.Winperf, "docs/layout-v2.md": layout.Perflib} {
		text := string(outputs()[name])
		for _, r := range records {
			if !strings.Contains(text, "\n## "+r.C+"\n") {
				t.Errorf("%s has no table of %s", name, r.C)
			}
			if r.View != "" && !strings.Contains(text, "│ "+sized(*r)) {
				t.Errorf("%s has no picture with %s", name, r.C)
			}
			for _, f := range r.Fields {
				if f.Role.Kind == layout.Length && f.Role.From == layout.RecordStart && !strings.Contains(text, "← "+f.Name) {
					t.Errorf("%s: no picture shows the end that %s.%s gives", name, r.C, f.Name)
				}
			}
		}
	}
}
