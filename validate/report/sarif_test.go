package report_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/rulepage"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

const sarifSchema = "testdata/sarif-schema-2.1.0.json"

// A run has the members of a SARIF run that tests need.
type run struct {
	Tool struct {
		Driver struct {
			Name, Version, InformationURI string
			Rules                         []rule
		}
	}
	Invocations []struct {
		ExecutionSuccessful        *bool
		ExitCode                   *int
		ToolExecutionNotifications []notification
	}
	Artifacts []struct {
		Location uriIndex
		Length   *int
		Roles    []string
	}
	ColumnKind string
	Results    []result
	Properties struct{ Profile string }
}

type notification struct {
	Level     string
	Message   struct{ Text string }
	Locations []struct {
		PhysicalLocation struct{ ArtifactLocation uriIndex }
	}
}

type rule struct {
	ID, Name, HelpURI                 string
	ShortDescription, FullDescription struct{ Text string }
	Help                              struct{ Text, Markdown string }
	DefaultConfiguration              struct {
		Enabled bool
		Level   string
	}
	Properties struct{ Tags []string }
}

type result struct {
	RuleID    string
	RuleIndex *int
	Level     string
	Message   struct{ Text string }
	Locations []struct {
		PhysicalLocation struct {
			ArtifactLocation uriIndex
			Region           *struct {
				StartLine, StartColumn, EndLine, EndColumn int
				ByteOffset, ByteLength                     *int64
			}
			Address *struct{ AbsoluteAddress, Length *int64 }
		}
		LogicalLocations []struct{ FullyQualifiedName string }
	}
	PartialFingerprints map[string]string
	Properties          struct {
		PerflibEvent int
		Reason       string
	}
}

type uriIndex struct {
	URI   string
	Index *int
}

// sarif writes a SARIF log on the files and returns the object in runs[0] of the log.
func sarif(t *testing.T, files []report.File, o report.Options, e report.End) run {
	t.Helper()
	return oneRun(t, testCase{files: files, end: e}.write(t, "sarif", o))
}

// oneRun returns the run of a log. The log must have exactly one run.
func oneRun(t *testing.T, text string) run {
	t.Helper()
	var log struct {
		Version string
		Schema  string `json:"$schema"`
		Runs    []run
	}
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Fatalf("version %s, %d runs", log.Version, len(log.Runs))
	}
	return log.Runs[0]
}

// TestSARIF validates the log of each case by the schema, and compares the log with the findings.
func TestSARIF(t *testing.T) {
	t.Parallel()
	s := schema(t, sarifSchema)
	for _, tt := range cases(t) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text := tt.write(t, "sarif", report.Options{})
			if err := s.Validate(withoutRules(parsed(t, text))); err != nil {
				t.Error(err)
			}
			if !strings.Contains(text, `"results": [`) || !strings.Contains(text, `"artifacts": [`) {
				t.Error("results or artifacts are missing, which must be there even if empty")
			}
			if strings.Contains(text, "\x1b") {
				t.Error("the text has colours")
			}
			got := oneRun(t, text)
			checkResults(t, got, tt)
			checkUnchecked(t, got, tt)
		})
	}
}

// TestSARIFSchema checks that the schema accepts the rules under every profile.
func TestSARIFSchema(t *testing.T) {
	t.Parallel()
	s := schema(t, sarifSchema)
	for _, p := range validate.Profiles()[:long.Count(1, len(validate.Profiles()))] {
		if err := s.Validate(parsed(t, testCase{files: []report.File{{Profile: p}}}.write(t, "sarif", report.Options{Version: "v0.1.0"}))); err != nil {
			t.Errorf("%v: %v", p, err)
		}
	}
}

// TestSARIFSchemaRefuses checks that the schema in testdata refuses unknown members. A log must name this schema.
func TestSARIFSchemaRefuses(t *testing.T) {
	t.Parallel()
	s := schema(t, sarifSchema)
	text := write(t, "sarif", []report.File{checkedFile(t, "a.bin", layout.ObjectsKind, instances(t, 1, "a/b"), "inst-name-special")}, report.Options{})
	for _, name := range []string{"ruleIndex", "byteOffset", "defaultConfiguration", "executionSuccessful", "fullyQualifiedName", "shortDescription", "informationUri"} {
		broken := strings.Replace(text, name, name+"x", 1)
		if broken == text || s.Validate(parsed(t, broken)) == nil {
			t.Errorf("the schema accepts %sx", name)
		}
	}
	var head struct{ ID string }
	if err := json.Unmarshal([]byte(golden.Read(t, sarifSchema)), &head); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, `"$schema": "`+head.ID+`"`) {
		t.Errorf("the output does not name the schema %s", head.ID)
	}
}

// TestSARIFRules checks that a log lists all rules with all their properties.
func TestSARIFRules(t *testing.T) {
	t.Parallel()
	for _, p := range validate.Profiles() {
		got := sarif(t, []report.File{{Profile: p}}, report.Options{Version: "v1.2.3"}, report.End{})
		if d := got.Tool.Driver; d.Name != "perfblock" || d.Version != "v1.2.3" || d.InformationURI == "" || got.Properties.Profile != p.String() {
			t.Errorf("the tool is %s %s %s under %s", d.Name, d.Version, d.InformationURI, got.Properties.Profile)
		}
		rules := got.Tool.Driver.Rules
		if len(rules) != len(validate.Rules()) {
			t.Fatalf("%d rules, want %d", len(rules), len(validate.Rules()))
		}
		for i, w := range validate.Rules() {
			g := rules[i]
			if g.ID != w.ID || g.Name != w.Name || g.HelpURI != w.Sources[0].URL || g.DefaultConfiguration.Enabled != (w.In(p) != validate.Off) {
				t.Errorf("got %+v, want %s %s", g, w.ID, w.Name)
			}
			want := w.In(p)
			if want == validate.Off {
				want = w.Severity
			}
			if g.DefaultConfiguration.Level != levels[want] {
				t.Errorf("%s is %s under %v, want %s", w.ID, g.DefaultConfiguration.Level, p, levels[want])
			}
			if !strings.EqualFold(g.ShortDescription.Text, w.Doc+".") || !strings.Contains(g.FullDescription.Text, w.Why) {
				t.Errorf("%s: described as %q, %q", w.ID, g.ShortDescription.Text, g.FullDescription.Text)
			}
			for _, s := range slices.Concat([]string{w.Why, w.Fix, w.Sources[0].URL}, w.Misread) {
				if !strings.Contains(g.Help.Text, s) {
					t.Errorf("%s: no %q in the help\n%s", w.ID, s, g.Help.Text)
				}
			}
			if want := rulepage.Markdown(w, rulepage.Example{}); !strings.HasSuffix(want, "\n\n"+g.Help.Markdown) || g.Help.Markdown == "" {
				t.Errorf("%s: the help is\n%swant the end of\n%s", w.ID, g.Help.Markdown, want)
			}
			if (w.Event != 0) != slices.Contains(g.Properties.Tags, "perflib-event") || (w.Needs != "") != slices.Contains(g.Properties.Tags, "needs-context") || len(g.Properties.Tags) < 2 || slices.Contains(g.Properties.Tags, "") {
				t.Errorf("%s: tags %v", w.ID, g.Properties.Tags)
			}
		}
	}
}

var levels = map[validate.Severity]string{validate.Error: "error", validate.Warning: "warning", validate.Info: "note"}

// checkResults checks that a run has a result for each finding, at the position of the finding.
func checkResults(t *testing.T, got run, tt testCase) {
	t.Helper()
	without := 0    // files without results
	var index []int // of the artifact of each file, -1 for a file without results and notifications
	for _, f := range tt.files {
		if len(f.Result.Findings) == 0 {
			without++
		}
		if len(f.Result.Findings) == 0 && !f.Detected && f.Suppressed == 0 {
			index = append(index, -1)
		} else {
			index = append(index, slices.Max(append(index, -1))+1)
		}
	}
	if want := slices.Max(append(index, -1)) + 1 + len(tt.unchecked); len(got.Artifacts) != want || len(got.Invocations) != 1 {
		t.Fatalf("%d artifacts, %d invocations, want %d and 1", len(got.Artifacts), len(got.Invocations), want)
	}
	notes := len(tt.unchecked)
	if len(tt.skipped) > 0 {
		notes++
	}
	if tt.end.Interrupted {
		notes++
	}
	if without > 0 {
		notes++
	}
	for i, f := range tt.files {
		if f.Form != "" && got.ColumnKind != "unicodeCodePoints" {
			t.Errorf("columns count %q", got.ColumnKind)
		}
		if f.Detected {
			notes++
		}
		if index[i] < 0 {
			continue
		}
		artifact := got.Artifacts[index[i]]
		uri := artifact.Location.URI
		if back, err := url.PathUnescape(uri); err != nil || back != f.Path {
			t.Errorf("%s is the path %q", uri, back)
		}
		if n := artifact.Length; f.Input == "" && (n == nil || *n != len(f.Block)) || f.Input != "" && n != nil {
			t.Errorf("length %v of %s", n, uri)
		}
		if slices.Contains(artifact.Roles, "standardStream") != (f.Path == "-") {
			t.Errorf("roles %v of %s", artifact.Roles, uri)
		}
		if f.Result.Truncated {
			notes++
		}
		if f.Suppressed > 0 {
			notes++
		}
	}
	at := 0
	for _, severity := range slices.Backward(validate.Severities()) {
		for i, f := range tt.files {
			for _, w := range f.Result.Findings {
				if w.Severity == severity {
					checkResult(t, got.Results[at], w, f, uriIndex{got.Artifacts[index[i]].Location.URI, &index[i]})
					at++
				}
			}
		}
	}
	if at != len(got.Results) {
		t.Errorf("%d results, want %d", len(got.Results), at)
	}
	if n := len(got.Invocations[0].ToolExecutionNotifications); n != notes {
		t.Errorf("%d notifications, want %d", n, notes)
	}
}

func checkResult(t *testing.T, r result, w validate.Finding, f report.File, at uriIndex) {
	t.Helper()
	if r.RuleID != w.Rule.ID || r.RuleIndex == nil || validate.Rules()[*r.RuleIndex].ID != w.Rule.ID || r.Level != levels[w.Severity] {
		t.Errorf("got %+v, want %v", r, w)
	}
	where := r.Locations[0].PhysicalLocation
	if diff := cmp.Diff(at, where.ArtifactLocation); diff != "" {
		t.Errorf("%v (-want +got)\n%s", w, diff)
	}
	region := where.Region
	line, column := max(w.Line, 1), max(w.Column, 1)
	if region == nil || region.StartLine != line || region.StartColumn != column || region.EndLine != line || region.EndColumn != column {
		t.Errorf("%v: the region is %+v, want a line, which GitHub requires", w, region)
		return
	}
	if f.Form != "" && (region.ByteOffset != nil || region.ByteLength != nil || where.Address != nil) {
		t.Errorf("%v: a text has the region %+v, the address %+v", w, region, where.Address)
	}
	if f.Form == "" && f.Input == "" && (region.ByteOffset == nil || *region.ByteOffset != w.Off || region.ByteLength == nil || *region.ByteLength != int64(w.Len)) {
		t.Errorf("%v: the region is %+v", w, region)
	}
	if a := where.Address; f.Input != "" && (where.Region.ByteOffset != nil || a == nil || *a.AbsoluteAddress != w.Off || *a.Length != int64(w.Len)) {
		t.Errorf("%v: the region is %+v, the address %+v", w, where.Region, a)
	}
	logical := r.Locations[0].LogicalLocations
	if path := w.Path.String(); path == "" && logical != nil || path != "" && (len(logical) != 1 || logical[0].FullyQualifiedName != path) {
		t.Errorf("%v: the place is %v", w, logical)
	}
	if r.Properties.PerflibEvent != w.Rule.Event || (r.Properties.Reason == "") != (w.Reason == "") {
		t.Errorf("%v: properties %+v", w, r.Properties)
	}
	if strings.Contains(r.Message.Text, "](") || strings.Contains(strings.ReplaceAll(r.Message.Text, "{{0}}", ""), "{") {
		t.Errorf("%q has a link or a placeholder", r.Message.Text)
	}
}

func TestSARIFExitCode(t *testing.T) {
	t.Parallel()
	if got := sarif(t, nil, report.Options{}, report.End{}).Invocations[0].ExitCode; got != nil {
		t.Errorf("%d, want none", *got)
	}
	for _, want := range []int{0, 2} {
		if got := sarif(t, nil, report.Options{}, report.End{ExitCode: &want}).Invocations[0].ExitCode; got == nil || *got != want {
			t.Errorf("got %v, want %d", got, want)
		}
	}
}

// TestSARIFForGitHub checks that a log has all members that GitHub code scanning requires:
// https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support-for-code-scanning
func TestSARIFForGitHub(t *testing.T) {
	t.Parallel()
	text := write(t, "sarif", cases(t)[2].files, report.Options{Version: "v1"})
	log := parsed(t, text).(map[string]any)
	member := func(v any, names ...string) any {
		for _, name := range names {
			if list, ok := v.([]any); ok && len(list) > 0 {
				v = list[0]
			}
			object, ok := v.(map[string]any)
			if !ok || object[name] == nil || object[name] == "" {
				t.Fatalf("no %s of %v in\n%.3000s", name, names, text)
			}
			v = object[name]
		}
		return v
	}
	member(log, "$schema")
	member(log, "version")
	driver := member(log, "runs", "tool", "driver")
	member(driver, "name")
	for _, rule := range member(driver, "rules").([]any) {
		for _, names := range [][]string{{"id"}, {"shortDescription", "text"}, {"fullDescription", "text"}, {"help", "text"}} {
			member(rule, names...)
		}
	}
	for _, result := range member(log, "runs", "results").([]any) {
		member(result, "message", "text")
		member(result, "ruleId")
		member(result, "partialFingerprints")
		place := member(result, "locations", "physicalLocation")
		if uri := member(place, "artifactLocation", "uri").(string); strings.Contains(uri, ":") {
			t.Errorf("the URI %s is not relative", uri)
		}
		for _, name := range []string{"startLine", "startColumn", "endLine", "endColumn"} {
			member(place, "region", name)
		}
	}
}
