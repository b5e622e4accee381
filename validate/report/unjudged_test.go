package report_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

// No report is written of a block that was not judged: it would look like a good one's.
func TestUnjudged(t *testing.T) {
	t.Parallel()
	one := report.File{Path: "q.bin", Kind: layout.Kind(99), Result: validate.Bytes(layout.Kind(99), nil, validate.Context{})}
	for _, f := range report.Formats() {
		var out bytes.Buffer
		err := f.Write(&out, []report.File{one}, report.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), "q.bin: not judged: no rules for the kind 99") || out.Len() > 0 {
			t.Errorf("%s: %v, and %q", f.Name, err, out.String())
		}
	}
}

// Where a file was not judged, who uploads a log must not take the run for a whole one.
func TestSARIFUnjudged(t *testing.T) {
	t.Parallel()
	for _, tt := range cases(t) {
		got := sarif(t, tt.files, tt.options())
		in := got.Invocations[0]
		if in.ExecutionSuccessful == nil || *in.ExecutionSuccessful != (tt.unjudged == nil) {
			t.Errorf("%s: %d files not judged, and the run is %+v", tt.name, len(tt.unjudged), in)
		}
		notes := slices.DeleteFunc(slices.Clone(in.ToolExecutionNotifications), func(n notification) bool { return n.Level != "error" })
		if len(notes) != len(tt.unjudged) {
			t.Errorf("%s: notifications %+v, want %d", tt.name, notes, len(tt.unjudged))
			continue
		}
		for i, u := range tt.unjudged {
			at := len(tt.files) + i
			artifact := got.Artifacts[at]
			if back, err := url.PathUnescape(artifact.Location.URI); err != nil || back != u.Path || artifact.Length != nil {
				t.Errorf("%s: the artifact %+v is the path %q", tt.name, artifact, back)
			}
			if slices.Contains(artifact.Roles, "standardStream") != (u.Path == "-") || !slices.Contains(artifact.Roles, "analysisTarget") {
				t.Errorf("%s: roles %v of %q", tt.name, artifact.Roles, u.Path)
			}
			where := notes[i].Locations[0].PhysicalLocation.ArtifactLocation
			if where.URI != artifact.Location.URI || where.Index == nil || *where.Index != at {
				t.Errorf("%s: %+v is of %s, want %s", tt.name, notes[i], where.URI, artifact.Location.URI)
			}
		}
	}
}

// What a notification says is text, and nothing in it means anything to SARIF.
func TestSARIFUnjudgedMessage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err    error
		want   string
		reason string
	}{
		{errors.New("a.bin: it is empty"), "a.bin: it is empty", "as it is"},
		{fmt.Errorf("a.bin: not judged: %w", errors.Join(errors.New("one"), errors.New("two"))), `a.bin: not judged: one\ntwo`, "one line"},
		{errors.New("[a](http:b) {0}"), "[a] (http:b) {{0}}", "neither a link nor a placeholder"},
		{errors.New("\x1b[2J\u202e\xff"), `\x1b[2J\u202e\xff`, "nothing that drives a terminal"},
		{errors.New(""), "not judged", "a text"},
		{nil, "not judged", "a text"},
	} {
		in := sarif(t, nil, report.Options{Unjudged: []report.Unjudged{{Path: "a.bin", Err: tt.err}}}).Invocations[0]
		if n := in.ToolExecutionNotifications; len(n) != 1 || n[0].Message.Text != tt.want {
			t.Errorf("%v: got %+v, want %q: %s", tt.err, n, tt.want, tt.reason)
		}
	}
}

func TestSARIFExitCode(t *testing.T) {
	t.Parallel()
	if got := sarif(t, nil, report.Options{}).Invocations[0].ExitCode; got != nil {
		t.Errorf("%d, and there is none", *got)
	}
	for _, want := range []int{0, 1, 2} {
		if got := sarif(t, nil, report.Options{ExitCode: &want}).Invocations[0].ExitCode; got == nil || *got != want {
			t.Errorf("got %v, want %d", got, want)
		}
	}
}
