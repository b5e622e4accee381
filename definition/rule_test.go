package definition_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
)

// TestRules checks that each rule reports the broken input in its file in testdata/rules, and not the valid input.
func TestRules(t *testing.T) {
	t.Parallel()
	for _, r := range definition.Rules() {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("testdata/rules", r.Name+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			a := txtar.Parse([]byte(strings.ReplaceAll(string(text), "\r\n", "\n")))
			var want []string
			for line := range strings.Lines(string(a.Comment)) {
				if at, is := strings.CutPrefix(line, "want: "); is {
					want = append(want, r.Name+" "+strings.TrimSuffix(at, "\n"))
				}
			}
			if len(want) == 0 {
				t.Fatal("no finding is wanted")
			}
			if diff := cmp.Diff(want, found(t, a, "broken/", r)); diff != "" {
				t.Errorf("broken (-want +got):\n%s", diff)
			}
			if got := found(t, a, "near/", r); got != nil {
				t.Errorf("near miss: %s", got)
			}
		})
	}
	files, err := filepath.Glob("testdata/rules/*.txtar")
	if err != nil || len(files) != len(definition.Rules()) {
		t.Errorf("%d files for %d rules, %v", len(files), len(definition.Rules()), err)
	}
}

// found returns the findings about the first file in a folder of the archive. Each line has the rule, the path and the
// place.
func found(t *testing.T, a *txtar.Archive, folder string, about *validate.Rule) (lines []string) {
	t.Helper()
	i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, folder) })
	if i < 0 {
		t.Fatalf("no file in %s", folder)
	}
	var v validate.Validator
	if a.Files[0].Name == "definition.yaml" {
		return differences(t, a.Files[0].Data, a.Files[i])
	}
	if strings.HasPrefix(about.Needs, "other files") {
		return contradictions(t, a, folder)
	}
	f, err := definition.Read(a.Files[i].Name, a.Files[i].Data, filesIn(a, folder))
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range f.Check(&v).Findings {
		// Findings of other rules with the severity info are left out: most definitions here lack GUIDs and help texts.
		if finding.Rule == about || finding.Severity != validate.Info {
			lines = append(lines, fmt.Sprintf("%s %v %d:%d", finding.Rule.Name, finding.Path, finding.Line, finding.Column))
		}
	}
	return lines
}

// differences compares a definition with a manifest, or with the block of a spec, and returns the findings.
func differences(t *testing.T, text []byte, file txtar.File) (lines []string) {
	t.Helper()
	p, err := definition.Parse("definition.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(file.Name, ".man") {
		f, err := definition.Read(file.Name, file.Data, nil)
		if err != nil {
			t.Fatal(err)
		}
		var v validate.Validator
		for _, f := range p.CompareFile(&v, f).Findings {
			lines = append(lines, fmt.Sprintf("%s %v %d:%d", f.Rule.Name, f.Path, f.Line, f.Column))
		}
		return lines
	}
	s, err := spec.Parse(file.Name, file.Data)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	var v validate.Validator
	result, err := p.Compare(&v, s.Kind(), b, validate.Context{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Findings {
		lines = append(lines, fmt.Sprintf("%s %v 0x%x+%d", f.Rule.Name, f.Path, f.Off, f.Len))
	}
	return lines
}

// contradictions checks the files in a folder of the archive as files of one run. Each line of the result has the rule,
// the path and the place of a finding.
func contradictions(t *testing.T, a *txtar.Archive, folder string) (lines []string) {
	t.Helper()
	var set definition.FileSet
	var v validate.Validator
	for _, file := range a.Files {
		if !strings.HasPrefix(file.Name, folder) {
			continue
		}
		f, err := definition.Read(file.Name, file.Data, filesIn(a, folder))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range set.Check(&v, f).Findings {
			t.Logf("%s:%d:%d: %s, %s", file.Name, f.Line, f.Column, f.Got, f.Want)
			lines = append(lines, fmt.Sprintf("%s %v %d:%d", f.Rule.Name, f.Path, f.Line, f.Column))
		}
	}
	return lines
}

func filesIn(a *txtar.Archive, folder string) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		for _, f := range a.Files {
			if f.Name == folder+name {
				return f.Data, nil
			}
		}
		return nil, errors.New("no file " + name)
	}
}

// TestMessages checks the whole text of the errors and warnings of files.
func TestMessages(t *testing.T) {
	t.Parallel()
	archive, err := txtar.ParseFile("testdata/rules/manifest-ref-unknown.txtar")
	if err != nil {
		t.Fatal(err)
	}
	manifest := string(archive.Files[len(archive.Files)-1].Data)
	const text = "[info]\ndrivername=Shop\nsymbolfile=clock.h\n[objects]\nA_009_NAME=\n[languages]\n009=English\n416=Portuguese\n011=Japanese\n[text]\nA_009_NAME=A\n"
	for _, tt := range []struct{ reason, name, text, header, want string }{
		{"a type that cannot be read gives one finding, and none about the base", "x.man", strings.Replace(manifest, `"perf_raw_base"`, `"perf_raw_bsae"`, 1), "", `12:49: type is "perf_raw_bsae", must be the name of a counter type in small letters, such as perf_counter_rawcount; did you mean perf_raw_base?`},
		{"a header that cannot be read is reported at the key symbolfile", "x.ini", text, "", "3:1: clock.h: file does not exist, must name a header in the same folder\n11:1: A has no name in the languages 416 and 011, must have a name in each language of [languages]"},
		{"the message lists the languages without a name", "x.ini", text, "#define A 0", "11:1: A has no name in the languages 416 and 011, must have a name in each language of [languages]"},
		{"the message names the language without a name", "x.ini", text + "A_011_NAME=A\n", "#define A 0", "11:1: A has no name in the language 416, must have a name in each language of [languages]"},
		{"each title that is odd or too large is reported", "x.yaml", `provider: P
counterSets:
  - name: S
    counters:
      - {name: A, type: PERF_COUNTER_RAWCOUNT, title: 2}
      - {name: B, type: PERF_COUNTER_RAWCOUNT, title: 8}
      - {name: C, type: PERF_RAW_FRACTION, base: {name: D}}
      - {name: E, type: PERF_COUNTER_RAWCOUNT, title: 13}
`, "", "6:55: the title is 8, must be 4, or absent\n8:55: the title is 13, must be 12, or absent"},
	} {
		f, err := definition.Read(tt.name, []byte(tt.text), func(name string) ([]byte, error) {
			if tt.header == "" {
				return nil, fmt.Errorf("%s: %w", name, os.ErrNotExist)
			}
			return []byte(tt.header), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var v validate.Validator
		var got []string
		for _, f := range f.Check(&v).Findings {
			if f.Severity != validate.Info {
				got = append(got, fmt.Sprintf("%d:%d: %s, %s", f.Line, f.Column, f.Got, f.Want))
			}
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestRulesAreKnown checks that package validate knows the rules, and that a Validator sets and
// overrides their severities.
func TestRulesAreKnown(t *testing.T) {
	t.Parallel()
	f, err := definition.Read("shop.yaml", []byte("provider: Shop\ncounterSets:\n  - {name: Queues, counters: [{name: Depth, type: PERF_COUNTER_RAWCOUNT, scale: 11}]}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	v, err := validate.New(validate.Options{MaxFindings: 1, Overrides: []validate.Override{
		{Rule: "manifest-scale", Severity: validate.Warning, Reason: "a test"}, {Rule: "def-help", Severity: validate.Off},
	}})
	if err != nil {
		t.Fatal(err)
	}
	result := f.Check(v)
	var got []string
	for _, f := range result.Findings {
		got = append(got, fmt.Sprintf("%v %s %d:%d %q", f.Severity, f.Rule.Name, f.Line, f.Column, f.Reason))
	}
	// MaxFindings is 1 for each severity, so the result lists one of the two findings of def-guid-derived.
	if diff := cmp.Diff([]string{`info def-guid-derived 1:1 ""`, `warning manifest-scale 3:81 "a test"`}, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if want := (validate.Counts{Warning: 1, Info: 2}); result.Counts != want || !result.Truncated {
		t.Errorf("counts %v, truncated %v", result.Counts, result.Truncated)
	}
}

// TestRegisterTwice checks that a rule cannot be added under an ID that another rule has.
func TestRegisterTwice(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	validate.Register(&validate.Rule{ID: "PERF4001", Name: "def-other"})
}
