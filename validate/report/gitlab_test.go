package report_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate/report"
)

func TestGitLab(t *testing.T) {
	t.Parallel()
	for _, tt := range cases(t) {
		golden.File(t, "testdata/"+tt.name+".gitlab.json", tt.write(t, "gitlab", report.Options{}))
	}
}

// TestGitLabFingerprints checks that all issues have different fingerprints. GitLab shows only one
// issue for each fingerprint.
func TestGitLabFingerprints(t *testing.T) {
	t.Parallel()
	one := checkedFile(t, "a.bin", layout.ObjectsKind, instances(t, 2, "a/b"), "inst-name-special")
	one.Result.Findings = append(one.Result.Findings, one.Result.Findings[0])
	other, changed := one, one
	other.Path = "b.bin"
	changed.Block = append(bytes.Clone(one.Block), 0) // merged records can have two versions of a file
	files := []report.File{one, other, changed}
	for reason, text := range map[string]string{
		"one run":        write(t, "gitlab", files, report.Options{}),
		"merged records": merged(t, "gitlab", write(t, "jsonl", files, report.Options{})),
	} {
		issues := issuesOf(t, text)
		seen := map[string]bool{}
		for _, i := range issues {
			seen[i.Fingerprint] = true
		}
		if len(issues) < 6 || len(seen) != len(issues) {
			t.Errorf("%s: %d issues have %d fingerprints", reason, len(issues), len(seen))
		}
	}
}

// TestGitLabPaths checks that a path in the working folder is relative, as GitLab requires. So the fingerprint is the
// same on every machine.
func TestGitLabPaths(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	one := checkedFile(t, "a/b.bin", layout.ObjectsKind, instances(t, 1, "a/b"), "inst-name-special")
	want := issuesOf(t, write(t, "gitlab", []report.File{one}, report.Options{Folder: folder}))
	one.Path = filepath.Join(folder, "a", "b.bin")
	got := issuesOf(t, write(t, "gitlab", []report.File{one}, report.Options{Folder: folder}))
	if diff := cmp.Diff(want, got); diff != "" || want[0].Location.Path != "a/b.bin" {
		t.Errorf("relative path, absolute path:\n%s", diff)
	}
}

type issue struct {
	Fingerprint string
	Location    struct{ Path string }
}

func issuesOf(t *testing.T, text string) (list []issue) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	return list
}
