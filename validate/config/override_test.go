package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
)

func parse(t *testing.T, text string) config.Config {
	t.Helper()
	c, err := config.Parse("t.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestExcluded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		glob, path string
		want       bool
		reason     string
	}{
		{"a.bin", "a.bin", true, "a glob matches the name of a file"},
		{"a.bin", "x/y/a.bin", true, "a glob without a slash matches in every folder"},
		{"/a.bin", "a.bin", true, "a glob that starts with a slash matches in the folder of the configuration"},
		{"/a.bin", "x/a.bin", false, "a glob that starts with a slash matches in no other folder"},
		{"x/a.bin", "x/a.bin", true, "a glob matches the path of a file"},
		{"x/a.bin", "y/x/a.bin", false, "a path is relative to the folder of the configuration"},
		{"**/x/a.bin", "y/x/a.bin", true, "** matches a folder"},
		{"**/x/a.bin", "x/a.bin", true, "** also matches no folder"},
		{"*.bin", "x/a.bin", true, "* matches a part of a name"},
		{"x/*.bin", "x/y/a.bin", false, "* does not match a slash"},
		{"x/**/*.bin", "x/y/z/a.bin", true, "** may be inside a path"},
		{"x/*.{bin,dat}", "x/a.dat", true, "braces match one of several texts"},
		{"[ab].bin", "b.bin", true, "brackets match one of several characters"},
		{"old", "old/a.bin", true, "a glob that matches a folder matches the files in it"},
		{"old/", "x/old/y/a.bin", true, "a slash at the end is ignored"},
		{"old/", "old", true, "a glob with a slash at the end matches the folder itself"},
		{"old", "older/a.bin", false, "a glob must match a whole name"},
		{"a.zip", "a.zip!/x/b.bin", true, "a glob that matches an archive matches the files in it"},
		{"a.zip/x", "a.zip!/x/b.bin", true, "a glob that matches a folder in an archive matches the files in it"},
		{"a.zip!/x/*", "a.zip!/x/b.bin", true, "a glob may have the !/ of a path in an archive"},
		{"b.bin", "a.zip!/x/b.bin", true, "a glob without a slash matches in every archive"},
		{"A.bin", "a.bin", false, "a glob does not ignore case on any system"},
		{".*", "x/.hidden", true, "a glob may start with a dot"},
		{"*", "x/.hidden", true, "* matches a dot at the start"},
		{"*", "", false, "no glob matches a block without a file"},
	} {
		c := parse(t, fmt.Sprintf("exclude: [%q]", tt.glob))
		if got := c.Excluded(tt.path); got != tt.want {
			t.Errorf("%s: %s excludes %q: %t, want %t", tt.reason, tt.glob, tt.path, got, tt.want)
		}
	}
}

const layered = `profile: windows
rules:
  PERF14*: off
  inst-unnamed: info
overrides:
  - paths: [q/]
    kind: query-data
    profile: nt4
  - paths: [old/]
    profile: strict
    rules:
      inst-*: {severity: error, reason: the provider is fixed}
exclude: [z/]
`

// TestFor checks which settings of overrides apply to a file.
func TestFor(t *testing.T) {
	t.Parallel()
	c := parse(t, layered)
	base := []validate.Override{{Rule: "PERF14*", Severity: validate.Off}, {Rule: "inst-unnamed", Severity: validate.Info}}
	errors := append(base, validate.Override{Rule: "inst-*", Severity: validate.Error, Reason: "the provider is fixed"})
	for _, tt := range []struct {
		reason, path string
		overriding   []int
		want         config.Config
	}{
		{"no override applies", "a.bin", nil, config.Config{Profile: new(validate.Windows), Rules: base}},
		{"no override applies to a block without a file", "", nil, config.Config{Profile: new(validate.Windows), Rules: base}},
		{"the settings of the override have precedence", "q/a.bin", []int{0}, config.Config{Kind: new(config.FileKind("query-data")), Profile: new(validate.NT4), Rules: base}},
		{"the rules of an override follow the rules of the file", "old/a.bin", []int{1}, config.Config{Profile: new(validate.Strict), Rules: errors}},
		{"the last override has precedence", "q/old/a.bin", []int{0, 1}, config.Config{Kind: new(config.FileKind("query-data")), Profile: new(validate.Strict), Rules: errors}},
	} {
		tt.want.Exclude = []string{"z/"}
		if diff := cmp.Diff(tt.want, c.For(tt.path), ignoreOrigins); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
		if diff := cmp.Diff(tt.overriding, c.Overriding(tt.path)); diff != "" {
			t.Errorf("%s: overrides (-want +got):\n%s", tt.reason, diff)
		}
	}
	if len(c.Overrides) != 2 || len(c.Rules) != 2 {
		t.Error("For changed its receiver")
	}
}

// TestSettings checks the values and the origins of settings.
func TestSettings(t *testing.T) {
	t.Parallel()
	c := parse(t, layered).For("q/old/a.bin").With(config.Config{FailOn: new(validate.Off), Suppressions: "known.yaml", Rules: []validate.Override{{Rule: "inst-name-long", Severity: validate.Warning}}})
	var got []string
	for _, s := range c.Settings() {
		if s.Rule != nil && !strings.HasSuffix(s.Key, "-long") && s.Key != "inst-unnamed" && s.Key != "blk-slack" {
			continue
		}
		got = append(got, fmt.Sprintf("%s = %s, %t, %v, %s", s.Key, s.Value, s.Set, s.Origin, s.Reason))
	}
	if diff := cmp.Diff([]string{
		"profile = strict, true, t.yaml:10 (override 2), ",
		"fail-on = never, true, :0, ", // the caller has set it
		"max-findings = 1000, false, :0, ",
		"kind = query-data, true, t.yaml:7 (override 1), ",
		"suppressions = known.yaml, true, :0, ",
		"inst-unnamed = error, true, t.yaml:12 (override 2), the provider is fixed",
		"inst-name-long = warning, true, :0, ",
		"blk-slack = off, true, t.yaml:3, ",
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
