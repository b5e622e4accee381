package suppression_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/suppression"
	"github.com/perfblock/perfblock/validate"
)

// found returns a finding of severity s for each place, and the paths of the findings. A place is the name of a
// rule, a space and a path.
func found(t *testing.T, s validate.Severity, places ...string) (findings []validate.Finding, paths []string) {
	t.Helper()
	for _, place := range places {
		name, path, _ := strings.Cut(place, " ")
		r, err := validate.FindRule(name)
		if err != nil {
			t.Fatal(err)
		}
		findings, paths = append(findings, validate.Finding{Rule: r, Severity: s}), append(paths, path)
	}
	return findings, paths
}

func parse(t *testing.T, text string) *suppression.List {
	t.Helper()
	l, err := suppression.Parse("t.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func always(string) bool { return true }

const known = `version: 1
files:
  a.bin:
    - {rule: inst-unnamed, path: 'object[2].instance[""]', reason: "old"}
    - {rule: data-version, path: Version}
    - {rule: blk-slack, path: x, count: 2}
`

func TestApply(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, file string
		places       []string
		left         int
		suppressed   int
		gone         []suppression.Entry
	}{
		{"no entry is gone if all have findings", "a.bin", []string{`inst-unnamed object[2].instance[""]`, "data-version Version", "blk-slack x", "blk-slack x"}, 0, 4, nil},
		{"an entry does not suppress findings at another path", "a.bin", []string{`inst-unnamed object[2].instance[""#1]`, "data-version Version", "blk-slack x", "blk-slack x"}, 1, 3, []suppression.Entry{{"a.bin", "inst-unnamed", `object[2].instance[""]`, 1, "old"}}},
		{"an entry does not suppress findings of another rule", "a.bin", []string{`inst-unnamed object[2].instance[""]`, "data-revision Version", "data-version Version", "blk-slack x", "blk-slack x"}, 1, 4, nil},
		{"findings above the count are left", "a.bin", []string{`inst-unnamed object[2].instance[""]`, "data-version Version", "data-version Version", "blk-slack x", "blk-slack x", "blk-slack x"}, 2, 4, nil},
		{"an entry with fewer findings than its count is gone in part", "a.bin", []string{`inst-unnamed object[2].instance[""]`, "data-version Version", "blk-slack x"}, 0, 3, []suppression.Entry{{"a.bin", "blk-slack", "x", 1, ""}}},
		{"the entries of one file suppress no findings of another", "b.bin", []string{"data-version Version"}, 1, 0, nil},
	} {
		l := parse(t, known)
		findings, paths := found(t, validate.Warning, tt.places...)
		left, suppressed := l.Apply(tt.file, findings, paths, true, always)
		if len(left) != tt.left || suppressed != (validate.Counts{Warning: tt.suppressed}) {
			t.Errorf("%s: %d findings are left, %+v suppressed, want %d and %d", tt.reason, len(left), suppressed, tt.left, tt.suppressed)
		}
		if diff := cmp.Diff(tt.gone, l.Gone()); diff != "" {
			t.Errorf("%s: entries without findings (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestGoneNeedsACheck checks that Gone omits the entries that no call of Apply checked. Gone must also omit an entry if
// one call of Apply found its findings and a later call did not.
func TestGoneNeedsACheck(t *testing.T) {
	t.Parallel()
	l := parse(t, known)
	l.Apply("a.bin", nil, nil, true, func(rule string) bool { return rule != "data-version" && rule != "inst-unnamed" })
	if got := l.Gone(); len(got) != 1 || got[0].Rule != "blk-slack" || got[0].Count != 2 {
		t.Errorf("two rules were not checked, and %v are gone", got)
	}
	l = parse(t, known)
	l.Apply("a.bin", nil, nil, false, always)
	if got := l.Gone(); got != nil {
		t.Errorf("the findings are not complete, and %v are gone", got)
	}
	l = parse(t, known)
	findings, paths := found(t, validate.Error, "data-version Version")
	l.Apply("a.bin", findings, paths, true, always)
	l.Apply("a.bin", nil, nil, true, always)
	if got := l.Gone(); len(got) != 2 || got[0].Rule == "data-version" || got[1].Rule == "data-version" {
		t.Errorf("the first validation has a finding, and %v are gone", got)
	}
}

// TestAddAndPrune checks the text of a list after Add and Prune.
func TestAddAndPrune(t *testing.T) {
	t.Parallel()
	l := parse(t, known)
	findings, paths := found(t, validate.Info, "data-version Version", "blk-slack x", "data-revision Revision", "data-truncated ", "data-revision Revision")
	l.Add("a.bin", findings, paths)
	l.Add("-b 'c' \x1b.bin", findings[:1], paths[:1])
	l.Apply("a.bin", findings, paths, true, always)
	l.Prune()
	text, err := l.Append([]byte("before\n"))
	if err != nil {
		t.Fatal(err)
	}
	before, entries, _ := strings.Cut(string(text), "version: 1\n")
	if !strings.HasPrefix(before, "before\n# ") {
		t.Errorf("the text starts with %q", before)
	}
	if diff := cmp.Diff(`files:
  "-b 'c' \x1b.bin":
    - {rule: data-version, path: 'Version'}
  a.bin:
    - {rule: blk-slack, path: 'x'}
    - {rule: data-revision, path: 'Revision', count: 2}
    - {rule: data-truncated}
    - {rule: data-version, path: 'Version'}
`, entries); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestParse checks texts that a person could write, and texts that a merge of two versions could produce.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, text string
		want         []suppression.Entry
	}{
		{"an empty text is an empty list", "", nil},
		{"a list may have no files", "version: 1\nfiles:\n", nil},
		{"an entry may be on several lines and have the ID of the rule", "version: 1\nfiles:\n  a b.bin:\n    - rule: PERF1105\n      path: Version\n      reason: >\n        of two\n        lines\n", []suppression.Entry{{"a b.bin", "data-version", "Version", 1, "of two lines"}}},
		{"entries and files that a merge has doubled become one", "version: 1\nfiles:\n  a: [{rule: data-version, count: 3}, {rule: data-version, reason: x, count: 2}]\n  a: [{rule: data-version}]\n", []suppression.Entry{{"a", "data-version", "", 3, "x"}}},
		{"a rule of another version of perfblock is kept", "version: 1\nfiles: {a: [{rule: data-colour}]}\n", []suppression.Entry{{"a", "data-colour", "", 1, ""}}},
		{"a reason may be a number, and names may look like values", "version: 1\nfiles: {1.5: [{rule: data-version, reason: 7}], null: [{rule: data-version, path: 'null', reason: 'null'}]}\n", []suppression.Entry{{"1.5", "data-version", "", 1, "7"}, {"null", "data-version", "null", 1, "null"}}},
	} {
		if diff := cmp.Diff(tt.want, parse(t, tt.text).Entries()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"the version is required", "files: {}", "t.yaml:1:1: a list of suppressions requires the key version"},
		{"the version must be known", "version: 2", `t.yaml:1:10: version: is 2, must be 1; use the version of perfblock that wrote the file`},
		{"a list of suppressions is not a YAML list", "[a]", "t.yaml:1:1: a list of suppressions must be a mapping, is a list"},
		{"an unknown key is an error", "version: 1\nfile: {}", `t.yaml:2:1: a list of suppressions has no key "file"; did you mean files?`},
		{"files must not be a list", "version: 1\nfiles: [a]", "t.yaml:2:8: files must be a mapping, is a list"},
		{"a file must have a list of entries", "version: 1\nfiles: {a: b}", `t.yaml:2:12: a: is the text "b", must be a list`},
		{"an entry must not be a word", "version: 1\nfiles: {a: [b]}", `t.yaml:2:13: an entry must be a mapping, is the text "b"`},
		{"an entry must have a rule", "version: 1\nfiles: {a: [{path: b}]}", "t.yaml:2:13: an entry requires the key rule"},
		{"an unknown key of an entry is an error", "version: 1\nfiles: {a: [{rule: b, paths: c}]}", `t.yaml:2:23: an entry has no key "paths"; did you mean path?`},
		{"a count must be at least 1", "version: 1\nfiles: {a: [{rule: b, count: 0}]}", `t.yaml:2:30: count: is 0, must be a whole number, at least 1`},
		{"a reason must not be a list", "version: 1\nfiles: {a: [{rule: b, reason: []}]}", "t.yaml:2:31: reason: is a list, must be a text"},
		{"a merge must not leave its marks", "version: 1\nfiles:\n<<<<<<< HEAD\n  a: []\n", "t.yaml:4:4: mapping values are not allowed in this context"},
	} {
		if _, err := suppression.Parse("t.yaml", []byte(tt.text)); err == nil || err.Error() != tt.want {
			t.Errorf("%s:\n got %v\nwant %s", tt.reason, err, tt.want)
		}
	}
}

// TestLimits checks that Append returns an error for a list with a path that is too long, or with too many entries.
func TestLimits(t *testing.T) {
	t.Parallel()
	var l suppression.List
	findings, paths := found(t, validate.Info, "data-version Version")
	l.Add(strings.Repeat("a", 1000), findings, paths)
	if _, err := l.Append(nil); err == nil || !strings.Contains(err.Error(), "longer than 900 bytes") {
		t.Errorf("a long path: %v", err)
	}
	l = suppression.List{}
	findings, paths = found(t, validate.Info, strings.Split(strings.Repeat("data-version Version,", 60_000), ",")[:60_000]...)
	for i := range paths {
		paths[i] = fmt.Sprintf("[[[[[[[[[[%d", i)
	}
	l.Add("a", findings, paths)
	if _, err := l.Append(nil); err == nil || !strings.Contains(err.Error(), "60000 suppressions are too many for one list: set the rules with the most findings to off") {
		t.Errorf("60,000 entries: %v", err)
	}
}

// TestConcurrent calls Apply from several goroutines. The race detector reports data that the calls share.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	l := parse(t, known)
	var running sync.WaitGroup
	for i := range 16 {
		running.Go(func() {
			findings, paths := found(t, validate.Info, "data-version Version", "data-revision Revision")
			file := string(rune('a'+i%4)) + ".bin"
			l.Add(file, findings[:1], paths[:1])
			if left, _ := l.Apply(file, findings, paths, true, always); len(left) != 1 {
				t.Errorf("%d findings of %s are left", len(left), file)
			}
			l.Gone()
		})
	}
	running.Wait()
}

func TestRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(path, []byte(known), 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := suppression.Read(path)
	if err != nil || len(l.Entries()) != 3 {
		t.Errorf("%v, %v", l.Entries(), err)
	}
	if _, err := suppression.Read(path + "x"); !os.IsNotExist(err) {
		t.Errorf("no file: %v", err)
	}
}

// TestInvalidNames checks files whose names are not UTF-8. Different names must have different entries, even after
// the list was written and read.
func TestInvalidNames(t *testing.T) {
	t.Parallel()
	l := new(suppression.List)
	findings, paths := found(t, validate.Info, "data-version")
	l.Add("bad\xff", findings, paths)
	text, err := l.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	l = parse(t, string(text))
	if left, _ := l.Apply("bad\xfe", slices.Clone(findings), paths, true, always); len(left) != 1 {
		t.Error("the entry of a file suppresses a finding in another file")
	}
	if left, _ := l.Apply("bad\xff", findings, paths, true, always); len(left) != 0 {
		t.Error("the entry of a file does not suppress its finding")
	}
}

// FuzzSuppressions checks that Parse reads the list that Append writes. Parse must not panic for any text.
func FuzzSuppressions(f *testing.F) {
	f.Add([]byte(known), "a.bin", "x")
	f.Add([]byte("version: 1"), "-\x00é\u202e'\"", "object[2].instance[\"a: b\"]")
	f.Fuzz(func(t *testing.T, text []byte, file, path string) {
		l, err := suppression.Parse("t.yaml", text)
		if err != nil {
			l = new(suppression.List)
		}
		findings, _ := found(t, validate.Info, "data-version")
		l.Add(file, findings, []string{strings.ToValidUTF8(path, "?")})
		written, err := l.Append(nil)
		if err != nil {
			return
		}
		again, err := suppression.Parse("t.yaml", written)
		if err != nil {
			t.Fatalf("%v in\n%s", err, written)
		}
		if diff := cmp.Diff(l.Entries(), again.Entries()); diff != "" {
			t.Fatalf("(-written +read):\n%s\n%s", diff, written)
		}
	})
}
