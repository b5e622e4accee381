package diff_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/perfblock/perfblock/diff"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

// TestCases compares the two blocks of each file in testdata. The comment of the file is the reason for the case. The
// last section is the expected text.
func TestCases(t *testing.T) { // not parallel: with -update it writes files that other tests read
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		c := readCase(t, path)
		r := diff.Compare(c.kind, c.a, c.b, diff.Options{})
		c.archive.Files[2].Data = []byte(write(t, "text", r, diff.WriteOptions{}))
		golden.File(t, path, string(txtar.Format(c.archive)))
		check(t, c.kind, c.a, c.b)
	}
}

// A testCase is a file of testdata.
type testCase struct {
	archive *txtar.Archive
	kind    layout.Kind
	a, b    []byte
}

func readCase(t *testing.T, path string) testCase {
	t.Helper()
	c := testCase{archive: txtar.Parse([]byte(golden.Read(t, path)))}
	if len(c.archive.Files) != 3 {
		t.Fatalf("%s has %d sections, must have 3", path, len(c.archive.Files))
	}
	c.kind, c.a = build(t, path, c.archive.Files[0].Data)
	_, c.b = build(t, path, c.archive.Files[1].Data)
	return c
}

func build(t *testing.T, path string, text []byte) (layout.Kind, []byte) {
	t.Helper()
	s, err := spec.Parse(path, text)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	return s.Kind(), b
}

func write(t *testing.T, format string, r diff.Result, o diff.WriteOptions) string {
	t.Helper()
	f, err := diff.FormatNamed(format)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := f.Write(&out, r, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestTenFields changes ten fields or values of large blocks, whose instances have repeated names, and requires
// ten differences with their paths.
func TestTenFields(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"process-2775", "v2-gpu"} {
		workload, err := fuzz.FindWorkload(name)
		if err != nil {
			t.Fatal(err)
		}
		before, err := workload.Block().MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var plain []layout.Part
		for p := range layout.Walk(workload.Kind, before) {
			if p.Sort == layout.ValuePart || p.Sort == layout.FieldPart && p.Record != &layout.SYSTEMTIME && isPlain(p.Field) {
				plain = append(plain, p)
			}
		}
		random := rand.New(rand.NewPCG(1, 2))
		after := append([]byte(nil), before...)
		want := map[layout.Path]bool{}
		for len(want) < 10 {
			p := plain[random.IntN(len(plain))]
			if !want[p.Path] {
				want[p.Path] = true
				after[p.Off()] ^= 1
			}
		}
		r := diff.Compare(workload.Kind, before, after, diff.Options{})
		if len(r.Differences) != 10 || r.Truncated() {
			t.Errorf("%s: %d differences, want 10:\n%s", name, r.Counts.Total(), write(t, "text", r, diff.WriteOptions{}))
		}
		for _, d := range r.Differences {
			if d.Change != diff.Changed || !want[d.A.Path] || d.A.Path != d.B.Path {
				t.Errorf("%s: %v %v, want a changed field of %v", name, d.Change, d.A.Path, want)
			}
		}
	}
}

// isPlain reports whether Compare finds exactly one difference after a change of the field.
func isPlain(f *layout.Field) bool {
	switch f.Name {
	// Another Signature or LittleEndian makes a block unreadable. The other fields are part of the identity of a V2
	// record.
	case "Signature", "LittleEndian", "dwType", "InstanceId", "id":
		return false
	}
	return !f.Role.Structural()
}

func TestIgnore(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		c := readCase(t, path)
		all := diff.Compare(c.kind, c.a, c.b, diff.Options{})
		for _, s := range diff.Sorts() {
			r := diff.Compare(c.kind, c.a, c.b, diff.Options{Ignore: []diff.Sort{s}})
			if r.Counts[s] != 0 || r.Counts.Total() != all.Counts.Total()-all.Counts[s] {
				t.Errorf("%s: without %v there are %v differences, with all sorts %v", path, s, r.Counts, all.Counts)
			}
			for _, d := range r.Differences {
				if d.Sort == s {
					t.Errorf("%s: %v is listed although %v is ignored", path, d.A.Path, s)
				}
			}
		}
	}
}

func TestMax(t *testing.T) {
	t.Parallel()
	c := readCase(t, "testdata/instances.txtar")
	for _, tt := range []struct {
		max, listed int
		reason      string
	}{
		{0, 3, "the default is larger than the number of differences"},
		{1, 2, "one difference of each sort is listed"},
		{-1, 3, "a negative number is no limit"},
	} {
		r := diff.Compare(c.kind, c.a, c.b, diff.Options{Max: tt.max})
		if len(r.Differences) != tt.listed || r.Counts.Total() != 3 || r.Truncated() != (tt.listed < 3) {
			t.Errorf("Max %d: %d of %d listed, truncated %t, want %d of 3: %s", tt.max, len(r.Differences), r.Counts.Total(), r.Truncated(), tt.listed, tt.reason)
		}
	}
	r := diff.Compare(c.kind, c.a, c.b, diff.Options{Max: 1})
	if text := write(t, "text", r, diff.WriteOptions{}); !strings.HasSuffix(text, "1 more record not listed\n") {
		t.Errorf("the text does not count the differences that it does not list:\n%s", text)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	c := readCase(t, "testdata/values.txtar")
	if got := diff.Text(c.kind, c.a, c.a); got != "" {
		t.Errorf("equal blocks: got %q, want no text", got)
	}
	if got := diff.Text(c.kind, c.a, c.b); !strings.HasPrefix(got, "want and got: 2 differences: 2 values\n") {
		t.Errorf("got %q", got)
	}
}

func TestParseSort(t *testing.T) {
	t.Parallel()
	for _, s := range diff.Sorts() {
		if got, err := diff.ParseSort(s.String()); got != s || err != nil || s.Doc() == "" {
			t.Errorf("%v: got %v, %v, doc %q", s, got, err, s.Doc())
		}
	}
	if _, err := diff.ParseSort("value"); err == nil || !strings.Contains(err.Error(), "did you mean values?") {
		t.Errorf("value: got %v, want a question", err)
	}
}

// TestWriteError checks that Write returns the error of its writer.
func TestWriteError(t *testing.T) {
	t.Parallel()
	c := readCase(t, "testdata/values.txtar")
	closed, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for _, f := range diff.Formats() {
		if f.Write(closed, diff.Compare(c.kind, c.a, c.b, diff.Options{}), diff.WriteOptions{}) == nil {
			t.Errorf("%s: no error from a closed file", f.Name)
		}
	}
}
