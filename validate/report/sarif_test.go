package report_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

const sarifSchema = "testdata/sarif-schema-2.1.0.json"

// A run is what a reader of SARIF would declare of one.
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
			Region           *struct{ ByteOffset, ByteLength *int64 }
			Address          *struct{ AbsoluteAddress, Length *int64 }
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

// sarif returns the one run that is made of files.
func sarif(t *testing.T, files []report.File, o report.Options) run {
	t.Helper()
	var log struct {
		Version string
		Schema  string `json:"$schema"`
		Runs    []run
	}
	if err := json.Unmarshal([]byte(write(t, "sarif", files, o)), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Fatalf("version %s, %d runs", log.Version, len(log.Runs))
	}
	return log.Runs[0]
}

func TestSARIFSchema(t *testing.T) {
	t.Parallel()
	s := schema(t, sarifSchema)
	for _, tt := range cases(t) {
		text := write(t, "sarif", tt.files, report.Options{Version: "v0.1.0", Unjudged: tt.unjudged, ExitCode: new(len(tt.unjudged))})
		if err := s.Validate(parsed(t, text)); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if !strings.Contains(text, `"results": [`) || !strings.Contains(text, `"artifacts": [`) {
			t.Errorf("%s: no results or artifacts, not even none", tt.name)
		}
	}
	for _, p := range validate.Profiles() {
		if err := s.Validate(parsed(t, write(t, "sarif", nil, report.Options{Profile: p}))); err != nil {
			t.Errorf("%v: %v", p, err)
		}
	}
}

// The schema is the one that the output names, and refuses what is not in it.
func TestSARIFSchemaRefuses(t *testing.T) {
	t.Parallel()
	s := schema(t, sarifSchema)
	text := write(t, "sarif", []report.File{file(t, "a.bin", layout.ObjectsKind, instances(t, 1, "a/b"), "inst-name-special")}, report.Options{})
	for _, name := range []string{"ruleIndex", "byteOffset", "defaultConfiguration", "executionSuccessful", "fullyQualifiedName", "shortDescription", "informationUri"} {
		broken := strings.Replace(text, name, name+"x", 1)
		if broken == text || s.Validate(parsed(t, broken)) == nil {
			t.Errorf("it accepts %sx", name)
		}
	}
	var head struct{ ID string }
	if err := json.Unmarshal([]byte(read(t, sarifSchema)), &head); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, `"$schema": "`+head.ID+`"`) {
		t.Errorf("the schema named is not %s", head.ID)
	}
}

// Every rule is there, in order, with all that there is to say of it.
func TestSARIFRules(t *testing.T) {
	t.Parallel()
	for _, p := range validate.Profiles() {
		got := sarif(t, nil, report.Options{Version: "v1.2.3", Profile: p})
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
			for _, s := range slices.Concat([]string{w.Why, w.Mend, w.Sources[0].URL}, w.Misread) {
				if !strings.Contains(g.Help.Text, s) {
					t.Errorf("%s: no %q in the help\n%s", w.ID, s, g.Help.Text)
				}
			}
			if want := report.Markdown(w, report.Example{}); !strings.HasSuffix(want, "\n\n"+g.Help.Markdown) || g.Help.Markdown == "" {
				t.Errorf("%s: the help is\n%swant the end of\n%s", w.ID, g.Help.Markdown, want)
			}
			if (w.Event != 0) != slices.Contains(g.Properties.Tags, "perflib-event") || (w.Needs != "") != slices.Contains(g.Properties.Tags, "needs-context") || len(g.Properties.Tags) < 2 || slices.Contains(g.Properties.Tags, "") {
				t.Errorf("%s: tags %v", w.ID, g.Properties.Tags)
			}
		}
	}
}

var levels = map[validate.Severity]string{validate.Error: "error", validate.Warning: "warning", validate.Info: "note"}

// Each finding is a result, with its place.
func TestSARIFResults(t *testing.T) {
	t.Parallel()
	for _, tt := range cases(t) {
		got := sarif(t, tt.files, tt.options())
		if len(got.Artifacts) != len(tt.files)+len(tt.unjudged) || len(got.Invocations) != 1 {
			t.Errorf("%s: %d artifacts, %d invocations", tt.name, len(got.Artifacts), len(got.Invocations))
		}
		at, notes := 0, len(tt.unjudged)
		for i, f := range tt.files {
			uri := got.Artifacts[i].Location.URI
			if back, err := url.PathUnescape(uri); err != nil || back != f.Path {
				t.Errorf("%s: %s is the path %q", tt.name, uri, back)
			}
			if n := got.Artifacts[i].Length; f.Input == "" && (n == nil || *n != len(f.Block)) || f.Input != "" && n != nil {
				t.Errorf("%s: length %v of %s", tt.name, n, uri)
			}
			if slices.Contains(got.Artifacts[i].Roles, "standardStream") != (f.Path == "-") {
				t.Errorf("%s: roles %v of %s", tt.name, got.Artifacts[i].Roles, uri)
			}
			for _, w := range f.Result.Findings {
				checkResult(t, got.Results[at], w, f, uriIndex{uri, &i})
				at++
			}
			if f.Result.Truncated {
				notes++
			}
		}
		if at != len(got.Results) {
			t.Errorf("%s: %d results, want %d", tt.name, len(got.Results), at)
		}
		if n := len(got.Invocations[0].ToolExecutionNotifications); n != notes {
			t.Errorf("%s: %d notifications, want %d", tt.name, n, notes)
		}
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
	if region := where.Region; f.Input == "" && (region == nil || region.ByteOffset == nil || *region.ByteOffset != w.Off || region.ByteLength == nil || *region.ByteLength != int64(w.Len)) {
		t.Errorf("%v: the region is %+v", w, region)
	}
	if a := where.Address; f.Input != "" && (where.Region != nil || a == nil || *a.AbsoluteAddress != w.Off || *a.Length != int64(w.Len)) {
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

// A result keeps its fingerprint while rule, place and message do, wherever it is
// in the file and whatever else is there.
func TestSARIFFingerprints(t *testing.T) {
	t.Parallel()
	fingerprints := func(path string, kind layout.Kind, b []byte, rules ...string) []string {
		var list []string
		for _, r := range sarif(t, []report.File{file(t, path, kind, b, rules...)}, report.Options{}).Results {
			if len(r.PartialFingerprints) != 1 || r.PartialFingerprints["perfblock/v1"] == "" {
				t.Fatalf("fingerprints %v", r.PartialFingerprints)
			}
			list = append(list, r.PartialFingerprints["perfblock/v1"])
		}
		return list
	}
	const object = layout.ObjectsKind
	base := fingerprints("a.bin", object, instances(t, 1, "a/b"), "inst-name-special")[0]
	longer := fingerprints("a.bin", object, instances(t, 1, "a long name/b"), "inst-name-special")[0]
	if longer != base {
		t.Error("another offset gives another fingerprint")
	}
	two := instances(t, 2, "a/b")
	more := fingerprints("b.bin", object, with(two, map[int]uint32{len(two)/2 + 28: 7}), "inst-name-special", "obj-detail-level")
	if len(more) != 3 || !slices.Contains(more, base) {
		t.Errorf("of three results %v, none of which is %s: what else is there counts", more, base)
	}
	if slices.Sort(more); len(slices.Compact(more)) != 3 || slices.ContainsFunc(more, func(f string) bool { return !strings.HasSuffix(f, ":1") }) {
		t.Errorf("two results have one fingerprint, or differ in no more than their order: %v", more)
	}
	if other := fingerprints("a.bin", object, instances(t, 1, "a*b"), "inst-name-special")[0]; other == base {
		t.Error("another message gives the same fingerprint")
	}
	f := file(t, "a.bin", object, instances(t, 1, "a/b"), "inst-name-special")
	f.Result.Findings = append(f.Result.Findings, f.Result.Findings[0], f.Result.Findings[0])
	results := sarif(t, []report.File{f, f}, report.Options{}).Results
	seen := map[string]int{}
	for _, r := range results {
		seen[r.PartialFingerprints["perfblock/v1"]]++
	}
	if len(seen) != 3 || seen[base] != 2 {
		t.Errorf("of three equal findings in each of two files: %v", seen)
	}
}
