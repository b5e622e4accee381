package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate/report"
)

// TestSARIFKeepsTheWorst checks that a log has at most 5,000 results, and that they have the highest severities. A note
// must have the number of results and the number of all findings.
func TestSARIFKeepsTheWorst(t *testing.T) {
	t.Parallel()
	many := checkedFile(t, "many.bin", layout.ObjectsKind, instances(t, 1000, "a/b"), "inst-name-special")
	var all testCase
	for range 6 {
		all.files = append(all.files, many)
	}
	for range 1000 {
		all.files = append(all.files, checkedFile(t, "cut.bin", layout.DataBlockKind, []byte("PERF"), "data-truncated"))
	}
	got := oneRun(t, all.write(t, "sarif", report.Options{}))
	if n := len(got.Results); n != 5000 || got.Results[0].RuleID != "PERF1101" || got.Results[1000].Level != "warning" {
		t.Errorf("%d results, the first is %+v", n, got.Results[0])
	}
	notes := got.Invocations[0].ToolExecutionNotifications
	if len(notes) != 2 || notes[0].Message.Text != "validated 2 files without a result in this log" || notes[1].Message.Text != "this log has 5000 of 7000 findings, errors before warnings" {
		t.Errorf("notifications %+v", notes)
	}
	// The 5,000 results are in 4 files named many.bin and in all files named cut.bin. The log must list only these
	// files, in the order of the input.
	var uris []string
	for i, a := range got.Artifacts {
		if uris = append(uris, a.Location.URI); *a.Location.Index != i {
			t.Errorf("artifact %d has the index %d", i, *a.Location.Index)
		}
	}
	if want := append(slices.Repeat([]string{"many.bin"}, 4), slices.Repeat([]string{"cut.bin"}, 1000)...); !slices.Equal(uris, want) {
		t.Errorf("artifacts %q, want %q", uris, want)
	}
	if at := got.Results[0].Locations[0].PhysicalLocation.ArtifactLocation; at.URI != "cut.bin" || *at.Index != 4 {
		t.Errorf("the error is in %s, artifact %d", at.URI, *at.Index)
	}
}

// TestSARIFIsBounded checks that the log of very many files lists only some files.
func TestSARIFIsBounded(t *testing.T) {
	t.Parallel()
	var all testCase
	for range 1003 {
		all.files = append(all.files, report.File{Path: "clean.bin"}, report.File{Path: "detected.bin", Detected: true})
		all.unchecked = append(all.unchecked, report.Unchecked{Path: "gone.bin"})
	}
	got := oneRun(t, all.write(t, "sarif", report.Options{}))
	if n := len(got.Artifacts); n != 2000 {
		t.Errorf("%d artifacts, want 1,000 of each kind with notifications", n)
	}
	texts := map[string]int{}
	for _, n := range got.Invocations[0].ToolExecutionNotifications {
		texts[n.Level+": "+n.Message.Text]++
	}
	if diff := cmp.Diff(map[string]int{
		"note: the kind data-block was detected from the bytes": 1000, "error: not validated": 1000,
		"note: kinds detected from the bytes: 1003 files as data-block": 1, "error: 3 more notifications of this level": 1,
		"note: validated 2006 files without a result in this log": 1,
	}, texts); diff != "" {
		t.Errorf("notifications (-want +got)\n%s", diff)
	}
}

// TestSARIFErrors checks that a text with errors has a notification for each error.
func TestSARIFErrors(t *testing.T) {
	t.Parallel()
	_, err := definition.Read("a.yaml", []byte("provider: []\ncounterSets: 1\n"), nil)
	all := testCase{unchecked: []report.Unchecked{{Path: "a.yaml", Err: err}}}
	var got []string
	for _, n := range oneRun(t, all.write(t, "sarif", report.Options{})).Invocations[0].ToolExecutionNotifications {
		got = append(got, n.Message.Text)
	}
	if want := strings.Split(err.Error(), "\n"); len(want) != 2 || !slices.Equal(got, want) {
		t.Errorf("notifications %q, want %q", got, want)
	}
}
