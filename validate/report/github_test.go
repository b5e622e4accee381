package report_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

func TestGitHub(t *testing.T) {
	t.Parallel()
	for _, tt := range cases(t) {
		got := tt.write(t, "github", report.Options{})
		golden.File(t, "testdata/"+tt.name+".github.txt", got)
		checkCommands(t, got)
	}
}

// command matches a workflow command. A colon or comma that is not escaped would end a property. A line
// break that is not escaped would end the command.
var command = regexp.MustCompile(`^::(error|warning|notice) (file=[^:,]*,(line=[1-9]\d*,col=[1-9]\d*,)?)?title=[^:,]*::.+$`)

func checkCommands(t *testing.T, out string) {
	t.Helper()
	for line := range strings.Lines(out) {
		if !command.MatchString(strings.TrimSuffix(line, "\n")) {
			t.Errorf("not a command: %q", line)
		}
	}
}

// TestGitHubLimit checks that a report has at most 10 annotations of a level, because GitHub shows only 10.
func TestGitHubLimit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		findings, most, files int
		lines                 int
		last, reason          string
	}{
		{10, 0, 1, 10, "holds", "all fit"},
		{11, 0, 1, 10, "2 more", "one too many"},
		{3, 1, 1, 2, "2 more", "findings that were not listed are counted"},
		{4, 0, 5, 10, "11 more", "the limit is for all files"},
	} {
		var files []report.File
		for range tt.files {
			files = append(files, validated(t, "a.bin", layout.ObjectsKind, instances(t, tt.findings, "a/b"), validate.Options{MaxFindings: tt.most}, "inst-name-special"))
		}
		got := write(t, "github", files, report.Options{})
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		if tt.last == "holds" {
			tt.last = "inst-name-special"
		}
		if len(lines) != tt.lines || !strings.Contains(lines[len(lines)-1], tt.last) {
			t.Errorf("%d findings in %d files: %d lines, want %d with %q at the end: %s\n%s", tt.findings, tt.files, len(lines), tt.lines, tt.last, tt.reason, got)
		}
	}
}

// TestGitHubNotes checks that the notes about all files are in a notice, and that no more than 10 notices are written.
func TestGitHubNotes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		findings     int
		lines        int
		last, reason string
	}{
		{0, 1, "::notice title=perfblock::3 findings suppressed", "only the note"},
		{9, 10, "::notice title=perfblock::3 findings suppressed", "the findings and the note fit"},
		{10, 10, "::notice title=perfblock::3 findings suppressed; not listed: 1 more of this level", "the note takes the place of a finding"},
		{12, 10, "::notice title=perfblock::3 findings suppressed; not listed: 3 more of this level", "one notice has the note and the number of the findings that are not listed"},
	} {
		info := validate.Options{Overrides: []validate.Override{{Rule: "inst-name-special", Severity: validate.Info}}}
		one := validated(t, "a.bin", layout.ObjectsKind, instances(t, tt.findings, "a/b"), info, "inst-name-special")
		one.Suppressed = 3
		got := write(t, "github", []report.File{one}, report.Options{})
		checkCommands(t, got)
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		if len(lines) != tt.lines || lines[len(lines)-1] != tt.last {
			t.Errorf("%d findings: %d lines, want %d and %q at the end: %s\n%s", tt.findings, len(lines), tt.lines, tt.last, tt.reason, got)
		}
	}
}

// TestGitHubEscapes checks that the path and the message cannot end a command or a property.
func TestGitHubEscapes(t *testing.T) {
	t.Parallel()
	all := testCase{unchecked: []report.Unchecked{{Path: "a,title=x::y%0A.bin", Err: errors.New("50%\n::error::z")}}}
	want := fmt.Sprintln(`::error file=a%2Ctitle=x%3A%3Ay%250A.bin,title=not validated::50%25\n::error::z`)
	if got := all.write(t, "github", report.Options{}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
