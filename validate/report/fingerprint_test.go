package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate/report"
)

// TestSARIFFingerprints checks that a fingerprint depends on the rule and the structural path, but not on
// the message, on the offset or on other results.
func TestSARIFFingerprints(t *testing.T) {
	t.Parallel()
	fingerprints := func(path string, kind layout.Kind, b []byte, rules ...string) []string {
		var list []string
		for _, r := range sarif(t, []report.File{checkedFile(t, path, kind, b, rules...)}, report.Options{}, report.End{}).Results {
			if len(r.PartialFingerprints) != 1 || r.PartialFingerprints["perfblock/v2"] == "" {
				t.Fatalf("fingerprints %v", r.PartialFingerprints)
			}
			list = append(list, r.PartialFingerprints["perfblock/v2"])
		}
		return list
	}
	const object = layout.ObjectsKind
	base := fingerprints("a.bin", object, instances(t, 1, "a/b"), "inst-name-special")[0]
	moved := fingerprints("a.bin", object, append(instances(t, 3, "b")[len(instances(t, 2, "b")):], instances(t, 1, "a/b")...), "inst-name-special")
	if !slices.Contains(moved, base) {
		t.Error("an object before the finding gives another fingerprint")
	}
	two := instances(t, 2, "a/b")
	more := fingerprints("b.bin", object, patched(two, map[int]uint32{len(two)/2 + 28: 7}), "inst-name-special", "obj-detail-level")
	if len(more) != 3 || !slices.Contains(more, base) {
		t.Errorf("fingerprints %v do not include %s: they depend on other results", more, base)
	}
	if slices.Sort(more); len(slices.Compact(more)) != 3 || slices.ContainsFunc(more, func(f string) bool { return !strings.HasSuffix(f, ":1") }) {
		t.Errorf("two results have the same fingerprint, or differ only in their number: %v", more)
	}
	if other := fingerprints("a.bin", object, instances(t, 1, "a*b"), "inst-name-special")[0]; other == base {
		t.Error("another structural path gives the same fingerprint")
	}
	level := func(value uint32) string {
		return fingerprints("a.bin", object, patched(instances(t, 1, "a"), map[int]uint32{28: value}), "obj-detail-level")[0]
	}
	if level(7) != level(8) {
		t.Error("another message gives another fingerprint")
	}
	f := checkedFile(t, "a.bin", object, instances(t, 1, "a/b"), "inst-name-special")
	f.Result.Findings = append(f.Result.Findings, f.Result.Findings[0], f.Result.Findings[0])
	results := sarif(t, []report.File{f, f}, report.Options{}, report.End{}).Results
	seen := map[string]int{}
	for _, r := range results {
		seen[r.PartialFingerprints["perfblock/v2"]]++
	}
	if len(seen) != 3 || seen[base] != 2 {
		t.Errorf("of three equal findings in each of two files: %v", seen)
	}
}
