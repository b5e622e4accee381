package page_test

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
	"github.com/perfblock/perfblock/validate/report/page"
)

// pages returns the pages of an index by their names.
func pages(t testing.TB, x *page.Index, e report.End) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name, write := range x.Pages(e) {
		var out strings.Builder
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		all[name] = out.String()
	}
	return all
}

func TestIndex(t *testing.T) {
	t.Parallel()
	x := page.Index{Version: "v1.2.3"}
	clean := checked(t, "clean.bin", block(t, "a"))
	clean.Suppressed, clean.Detected = 290, true
	x.Add(clean)
	x.Add(faulty(t))
	x.AddOnly(checked(t, "none.bin", block(t, "a")))
	x.Unchecked(report.Unchecked{Path: "gone<b>.bin", Err: errors.New("gone<b>.bin: no such \x1bfile")})
	x.Unchecked(report.Unchecked{Path: "-"})
	x.Skipped()
	all := pages(t, &x, report.End{Interrupted: true})
	golden.File(t, "testdata/index.html", withoutInlined(all[page.IndexName]))
	if len(all) != 1 {
		t.Errorf("the index has %d pages", len(all))
	}
	golden.File(t, "testdata/index-none.html", withoutInlined(pages(t, &page.Index{}, report.End{})[page.IndexName]))
}

// TestIndexOfMany checks that an index of many files has several pages, which link to each other.
func TestIndexOfMany(t *testing.T) {
	t.Parallel()
	const files = 2*page.MaxRows + 1
	var x page.Index
	for i := range files {
		x.Add(report.File{Path: fmt.Sprintf("%d.bin", i), Result: validate.Result{Counts: validate.Counts{Error: i}}})
	}
	all := pages(t, &x, report.End{})
	first, last := all[page.IndexName], all["index-3.html"]
	if len(all) != 3 || strings.Count(first, "<tr>") != page.MaxRows+1 || strings.Count(last, "<tr>") != 2 {
		t.Errorf("%d pages, with %d rows on the first and %d on the last", len(all), strings.Count(first, "<tr>"), strings.Count(last, "<tr>"))
	}
	if !strings.Contains(first, fmt.Sprintf("<bdi>%d.bin</bdi>", files-1)) || !strings.Contains(last, "<bdi>0.bin</bdi>") {
		t.Error("the files with the most errors are not first")
	}
	if !strings.Contains(last, `<a href="index.html">1</a> <a href="index-2.html">2</a> <strong aria-current="page">3</strong>`) {
		t.Errorf("the last page has no links to the others:\n%s", last)
	}
}

// TestNames checks the file names of pages.
func TestNames(t *testing.T) {
	t.Parallel()
	var x page.Index
	seen := map[string]string{}
	for _, tt := range []struct{ path, prefix, reason string }{
		{"cpu.bin", "cpu.bin-", "a plain name"},
		{"captures/cpu.bin", "cpu.bin-", "the same name in a folder"},
		{`captures\cpu.bin`, "cpu.bin-", "a folder on Windows"},
		{"CPU.bin", "CPU.bin-", "a name that only differs in case"},
		{"cpu.bin", "cpu.bin-", "the same path again"},
		{"a.zip!/b.bin", "b.bin-", "a member of an archive"},
		{"", "block-", "no name"},
		{"..", "block-", "a parent folder"},
		{".hidden", "hidden-", "a hidden file"},
		{"-", "block-", "standard input"},
		{"-rf", "rf-", "a name must not look like a flag"},
		{"con", "con-", "a name must not be a device of Windows"},
		{"a:b|c?d*e\"f<g>h", "a_b_c_d_e_f_g_h-", "Windows does not allow these characters"},
		{"größe \u202e\x1b\xff.bin", "gr__e____.bin-", "characters outside ASCII are replaced"},
		{strings.Repeat("x", 5000), strings.Repeat("x", 60) + "-", "a long name is cut"},
		{"index.html", "index.html-", "no page may have the name of the index"},
	} {
		name := x.Add(report.File{Path: tt.path})
		if !strings.HasPrefix(name, tt.prefix) || !regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*\.html$`).MatchString(name) {
			t.Errorf("%q has the page %q: %s", tt.path, name, tt.reason)
		}
		if other, ok := seen[strings.ToLower(name)]; ok {
			t.Errorf("%q and %q have the page %q: %s", tt.path, other, name, tt.reason)
		}
		seen[strings.ToLower(name)] = tt.path
	}
	var again page.Index
	if a, b := x.Add(report.File{Path: "new.bin"}), again.Add(report.File{Path: "new.bin"}); a != b {
		t.Errorf("two runs have the pages %q and %q", a, b)
	}
}

// TestIndexWriteFails checks that a page of an index returns the error of the writer.
func TestIndexWriteFails(t *testing.T) {
	t.Parallel()
	for name, write := range new(page.Index).Pages(report.End{}) {
		if err := write(io.Writer(failing{})); !errors.Is(err, errFull) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
