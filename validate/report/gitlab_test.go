package report_test

import (
	"encoding/json"
	"testing"

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
	one := file(t, "a.bin", layout.ObjectsKind, instances(t, 2, "a/b"), "inst-name-special")
	one.Result.Findings = append(one.Result.Findings, one.Result.Findings[0])
	other := one
	other.Path = "b.bin"
	var issues []struct{ Fingerprint string }
	if err := json.Unmarshal([]byte(write(t, "gitlab", []report.File{one, other}, report.Options{})), &issues); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, i := range issues {
		seen[i.Fingerprint] = true
	}
	if len(issues) != 6 || len(seen) != 6 {
		t.Errorf("%d issues have %d fingerprints", len(issues), len(seen))
	}
}
