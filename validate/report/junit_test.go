package report_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/cfacts"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

func TestJUnit(t *testing.T) {
	t.Parallel()
	for _, tt := range cases(t) {
		golden.File(t, "testdata/"+tt.name+".junit.xml", tt.write(t, "junit", report.Options{}))
	}
}

// TestJUnitSchema validates the golden files by the schema of Jenkins.
func TestJUnitSchema(t *testing.T) {
	t.Parallel()
	xmllint, err := exec.LookPath("xmllint")
	if err != nil {
		cfacts.Absent(t, "xmllint is not installed")
	}
	files, err := filepath.Glob("testdata/*.junit.xml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	args := append([]string{"--noout", "--nonet", "--schema", "testdata/junit-10.xsd"}, files...)
	if out, err := exec.CommandContext(t.Context(), xmllint, args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestJUnitFailures checks which findings are failures.
func TestJUnitFailures(t *testing.T) {
	t.Parallel()
	b := patched(block(t), map[int]uint32{12: 7, 20: 96})
	for _, tt := range []struct {
		failOn validate.Severity
		want   int
		reason string
	}{
		{validate.AsRule, 1, "errors fail by default"},
		{validate.Error, 1, "the error"},
		{validate.Warning, 2, "the error and the warning"},
		{validate.Info, 2, "all"},
		{validate.Off, 0, "no finding fails"},
	} {
		f := checkedFile(t, "a.bin", layout.DataBlockKind, b, "data-version", "data-object-sum")
		f.FailOn = tt.failOn
		if got := strings.Count(write(t, "junit", []report.File{f}, report.Options{}), "<failure"); got != tt.want {
			t.Errorf("%v: %d failures, want %d: %s", tt.failOn, got, tt.want, tt.reason)
		}
	}
}
