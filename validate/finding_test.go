package validate_test

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestCounts checks the methods of Counts for each severity. For AsRule, Off and values out of
// range, they must return 0.
func TestCounts(t *testing.T) {
	t.Parallel()
	c := validate.Counts{Error: 1, Warning: 20, Info: 300}
	for _, tt := range []struct {
		severity    validate.Severity
		of, atLeast int
		reason      string
	}{
		{validate.AsRule, 0, 0, "no finding has the severity AsRule"},
		{validate.Off, 0, 0, "no finding has the severity Off"},
		{validate.Info, 300, 321, "Info is the lowest severity"},
		{validate.Warning, 20, 21, "Warning is between Info and Error"},
		{validate.Error, 1, 1, "Error is the highest severity"},
		{validate.Error + 1, 0, 0, "the value is above Error"},
	} {
		if of, atLeast := c.Of(tt.severity), c.AtLeast(tt.severity); of != tt.of || atLeast != tt.atLeast {
			t.Errorf("%v: %d and at least %d, want %d and %d: %s", tt.severity, of, atLeast, tt.of, tt.atLeast, tt.reason)
		}
	}
}

// TestErr checks that Result.Err lists the findings of at least the given severity.
func TestErr(t *testing.T) {
	t.Parallel()
	b := fourObjects(t, layout.DataBlockKind)
	b[12], b[16], b[8] = 2, 2, 3 // Version, Revision, LittleEndian: one of each severity
	for _, tt := range []struct {
		at     validate.Severity
		lines  int
		reason string
	}{
		{validate.Error, 1, "only the error"},
		{validate.Warning, 2, "the error and the warning"},
		{validate.Info, 3, "all three findings"},
	} {
		err := validate.Bytes(layout.DataBlockKind, b, validate.Context{}).Err(tt.at)
		if err == nil || strings.Count(err.Error(), "\n")+1 != tt.lines {
			t.Errorf("%v: %v, want %d lines: %s", tt.at, err, tt.lines, tt.reason)
		}
	}
	if err := validate.Bytes(layout.DataBlockKind, fourObjects(t, layout.DataBlockKind), validate.Context{}).Err(validate.Info); err != nil {
		t.Errorf("Err of a valid block: %v", err)
	}
	v, err := validate.New(validate.Options{MaxFindings: 1})
	if err != nil {
		t.Fatal(err)
	}
	objects := fourObjects(t, layout.ObjectsKind)
	objects[16], objects[24] = 1, 1 // two reserved titles
	r := v.Bytes(layout.ObjectsKind, objects, validate.Context{})
	if got := r.Err(validate.Warning); got == nil || !strings.HasSuffix(got.Error(), "\nand 1 more") || !r.Truncated || len(r.Findings) != 1 || r.Counts.Warning != 2 {
		t.Errorf("MaxFindings is 1, and the block has two findings: %+v, %v", r, got)
	}
}

// TestWords checks that ParseProfile and ParseSeverity accept the texts that String returns, and no
// other text.
func TestWords(t *testing.T) {
	t.Parallel()
	for _, p := range validate.Profiles() {
		if got, err := validate.ParseProfile(p.String()); got != p || err != nil || p.Doc() == "" {
			t.Errorf("%v: %v, %v, %q", p, got, err, p.Doc())
		}
	}
	for _, s := range append(validate.Severities(), validate.Off) {
		if got, err := validate.ParseSeverity(s.String()); got != s || err != nil {
			t.Errorf("%v: %v, %v", s, got, err)
		}
	}
	for _, text := range []string{"", "Error", "fatal"} {
		if _, err := validate.ParseSeverity(text); err == nil {
			t.Errorf("%q is a severity", text)
		}
	}
	for _, text := range []string{"", "Windows", "nt5"} {
		if _, err := validate.ParseProfile(text); err == nil {
			t.Errorf("%q is a profile", text)
		}
	}
	if p := validate.Profile(len(validate.Profiles())); p.String() != "?" || p.Doc() != "" || validate.Severity(9).String() != "?" {
		t.Error("an invalid profile or severity has a name")
	}
	validate.Events()[0].ID = 77
	if _, ok := validate.FindEvent(1003); !ok {
		t.Error("a caller changed the events")
	}
	if _, ok := validate.FindEvent(77); ok {
		t.Error("there is no event 77")
	}
}

// TestOverrides checks that the last override of a rule applies, and that the findings of the rule
// have its reason.
func TestOverrides(t *testing.T) {
	t.Parallel()
	b := fourObjects(t, layout.DataBlockKind)
	b[12] = 2 // Version
	for _, tt := range []struct {
		reason string
		list   []validate.Override
		want   validate.Counts
	}{
		{"there is no override", nil, validate.Counts{Warning: 1}},
		{"the rule is off, by its name", []validate.Override{{Rule: "data-version", Severity: validate.Off}}, validate.Counts{}},
		{"the rule is off, by its ID", []validate.Override{{Rule: "PERF1105", Severity: validate.Off}}, validate.Counts{}},
		{"the severity is raised", []validate.Override{{Rule: "data-version", Severity: validate.Error}}, validate.Counts{Error: 1}},
		{"the second override restores the severity of the profile", []validate.Override{{Rule: "data-version", Severity: validate.Off}, {Rule: "PERF1105"}}, validate.Counts{Warning: 1}},
	} {
		for i := range tt.list {
			tt.list[i].Reason = "because"
		}
		v, err := validate.New(validate.Options{Overrides: tt.list})
		if err != nil {
			t.Fatal(err)
		}
		r := v.Bytes(layout.DataBlockKind, b, validate.Context{})
		if r.Counts != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.reason, r.Counts, tt.want)
		}
		if len(tt.list) > 0 && len(r.Findings) > 0 && r.Findings[0].Reason != "because" {
			t.Errorf("%s: the reason is %q", tt.reason, r.Findings[0].Reason)
		}
	}
	for reason, o := range map[string]validate.Options{
		"New must refuse an unknown rule":     {Overrides: []validate.Override{{Rule: "data-verson"}}},
		"New must refuse an unknown severity": {Overrides: []validate.Override{{Rule: "data-version", Severity: validate.Error + 1}}},
		"New must refuse an unknown profile":  {Profile: 3},
	} {
		if _, err := validate.New(o); err == nil {
			t.Errorf("%s: no error", reason)
		}
	}
}

// TestZeroFinding checks that a caller can print the zero Finding.
func TestZeroFinding(t *testing.T) {
	t.Parallel()
	if got, want := (validate.Finding{}).String(), "no rule: at 0x0"; !strings.Contains(got, want) {
		t.Errorf("the zero Finding prints %q, must contain %q", got, want)
	}
}
