package report_test

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/validate/report"
)

// checkUnchecked checks that a run is marked as failed, and has a notification for each file that was not
// validated.
func checkUnchecked(t *testing.T, got run, tt testCase) {
	t.Helper()
	in := got.Invocations[0]
	if in.ExecutionSuccessful == nil || *in.ExecutionSuccessful != (tt.unchecked == nil && !tt.end.Interrupted) {
		t.Errorf("%d files not validated, and the run is %+v", len(tt.unchecked), in)
	}
	notes := slices.DeleteFunc(slices.Clone(in.ToolExecutionNotifications), func(n notification) bool { return n.Level != "error" || len(n.Locations) == 0 })
	if len(notes) != len(tt.unchecked) {
		t.Errorf("notifications %+v, want %d", notes, len(tt.unchecked))
		return
	}
	for i, u := range tt.unchecked {
		at := len(got.Artifacts) - len(tt.unchecked) + i
		artifact := got.Artifacts[at]
		if back, err := url.PathUnescape(artifact.Location.URI); err != nil || back != u.Path || artifact.Length != nil {
			t.Errorf("the artifact %+v is the path %q", artifact, back)
		}
		if slices.Contains(artifact.Roles, "standardStream") != (u.Path == "-") || !slices.Contains(artifact.Roles, "analysisTarget") {
			t.Errorf("roles %v of %q", artifact.Roles, u.Path)
		}
		where := notes[i].Locations[0].PhysicalLocation.ArtifactLocation
		if where.URI != artifact.Location.URI || where.Index == nil || *where.Index != at {
			t.Errorf("%+v is at %s, want %s", notes[i], where.URI, artifact.Location.URI)
		}
	}
}

// TestSARIFUncheckedMessage checks that the message of a notification is one line without links and
// placeholders.
func TestSARIFUncheckedMessage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		err    error
		want   string
		reason string
	}{
		{errors.New("a.bin: is empty"), "a.bin: is empty", "plain text"},
		{fmt.Errorf("a.bin: not validated: %w", errors.Join(errors.New("one"), errors.New("two"))), `a.bin: not validated: one\ntwo`, "a text of two lines becomes one line"},
		{errors.New("[a](http:b) {0}"), "[a] (http:b) {{0}}", "text cannot make a link or a placeholder"},
		{errors.New("\x1b[2J\u202e\xff"), `\x1b[2J\u202e\xff`, "control characters are escaped"},
		{errors.New(""), "not validated", "a text"},
		{nil, "not validated", "a text"},
	}
	var all testCase
	for _, tt := range tests {
		all.unchecked = append(all.unchecked, report.Unchecked{Path: "a.bin", Err: tt.err})
	}
	notes := oneRun(t, all.write(t, "sarif", report.Options{})).Invocations[0].ToolExecutionNotifications
	for i, tt := range tests {
		if got := notes[i].Message.Text; got != tt.want {
			t.Errorf("%v: got %q, want %q: %s", tt.err, got, tt.want, tt.reason)
		}
	}
}
