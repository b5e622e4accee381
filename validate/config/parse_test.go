package config_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfblock/perfblock/internal/hostiletext"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
)

// settings compares only the settings of configurations, not their places.
var settings = cmpopts.IgnoreUnexported(config.Config{}, config.Override{})

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, text string
		want         config.Config
	}{
		{"nothing", "", config.Config{}},
		{"a comment", "# profile: nt4\n", config.Config{}},
		{"an empty document", "---\n", config.Config{}},
		{"no keys", "{}", config.Config{}},
		{"a profile", "profile: windows", config.Config{Profile: new(validate.Windows)}},
		{"the default is set too", "profile: strict", config.Config{Profile: new(validate.Strict)}},
		{"a byte order mark", "\uFEFFprofile: nt4", config.Config{Profile: new(validate.NT4)}},
		{"UTF-16", "\xff\xfep\x00r\x00o\x00f\x00i\x00l\x00e\x00:\x00 \x00n\x00t\x004\x00", config.Config{Profile: new(validate.NT4)}},
		{"a threshold", "fail-on: info", config.Config{FailOn: new(validate.Info)}},
		{"no threshold", "fail-on: never", config.Config{FailOn: new(validate.Off)}},
		{"a bound", "max-findings: 1000", config.Config{MaxFindings: new(1000)}},
		{"no bound", "max-findings: 0", config.Config{MaxFindings: new(0)}},
		{"no rules", "rules:", config.Config{}},
		{"off, which some versions of YAML read as false", "rules: {data-version: off}", config.Config{Rules: []validate.Override{{Rule: "data-version", Severity: validate.Off}}}},
		{"in quotes", `rules: {"data-version": 'off'}`, config.Config{Rules: []validate.Override{{Rule: "data-version", Severity: validate.Off}}}},
		{"an ID", "rules:\n  PERF1105: error", config.Config{Rules: []validate.Override{{Rule: "data-version", Severity: validate.Error}}}},
		{"reasons, in the order of the file", "rules:\n  data-revision: {reason: 5, severity: info}\n  data-version:\n    severity: warning\n    reason: >\n      of two\n      lines\n", config.Config{Rules: []validate.Override{
			{Rule: "data-revision", Severity: validate.Info, Reason: "5"}, {Rule: "data-version", Severity: validate.Warning, Reason: "of two lines"},
		}}},
		{"patterns of rules, before the rules", "rules:\n  data-version: off\n  inst-*: info\n  PERF14*: warning\n", config.Config{Rules: []validate.Override{
			{Rule: "inst-*", Severity: validate.Info}, {Rule: "PERF14*", Severity: validate.Warning}, {Rule: "data-version", Severity: validate.Off},
		}}},
		{"overrides", "overrides:\n- {paths: [q/, '*.qd'], kind: query-data, profile: nt4, rules: {'v2-*': off}}\n- paths: [a.bin]\n", config.Config{Overrides: []config.Override{
			{Paths: []string{"q/", "*.qd"}, Kind: new(layout.QueryDataKind), Profile: new(validate.NT4), Rules: []validate.Override{{Rule: "v2-*", Severity: validate.Off}}},
			{Paths: []string{"a.bin"}},
		}}},
		{"excluded files", "exclude: [old/, '**/*.{tmp,bak}']", config.Config{Exclude: []string{"old/", "**/*.{tmp,bak}"}}},
		{"suppressions", "suppressions: a/known.yaml", config.Config{Suppressions: "a/known.yaml"}},
		{"no overrides and no excluded files", "overrides:\nexclude:", config.Config{}},
		{"all keys, in braces", `{profile: nt4, fail-on: warning, max-findings: 1, rules: {}}`, config.Config{Profile: new(validate.NT4), FailOn: new(validate.Warning), MaxFindings: new(1)}},
	} {
		got, err := config.Parse("t.yaml", []byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		}
		if diff := cmp.Diff(tt.want, got, settings); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"a list", "[profile]", "1:1: a configuration must be a mapping, is a list"},
		{"a word", "windows", `1:1: a configuration must be a mapping, is the text "windows"`},
		{"a syntax error", "a: b: c", "1:5: mapping values are not allowed in this context"},
		{"a second document", "profile: nt4\n---\n", "2:1: a second document; the text must have one document"},
		{"an anchor", "profile: &a nt4", "1:10: anchor &a: YAML anchors and aliases are not supported"},
		{"a tag", "profile: !!str nt4", "1:10: tag !!str: YAML tags are not supported"},
		{"a merge key", "<<: {profile: nt4}", `1:1: a configuration has no key "<<"; it has the keys profile, fail-on, max-findings, rules, overrides, exclude, suppressions`},
		{"depth", "rules: " + strings.Repeat("[", 8) + strings.Repeat("]", 8), "1:15: more than 8 lists and mappings inside each other"},
		{"a control character", "profile: \x01", `1:10: control character 0x01; write it as \u0001 in double quotes`},

		{"a slip in a key", "profil: nt4", `1:1: a configuration has no key "profil"; did you mean profile?`},
		{"a key that is a list", "? [a]\n: b", "1:3: a key must be a word, is a list"},
		{"a key twice", "profile: nt4\nprofile: nt4", "2:1: profile is repeated, first at 1:1; remove one"},
		{"an unknown profile", "\nprofile: windoze", `2:10: profile: no profile "windoze": must be one of strict, windows, nt4; did you mean windows?`},
		{"no profile", "profile:", "1:9: profile: is empty, must be one of strict, windows, nt4"},
		{"two profiles", "profile: [nt4]", "1:10: profile: is a list, must be one of strict, windows, nt4"},
		{"an unknown threshold", "fail-on: errors", `1:10: fail-on: no threshold "errors": must be one of error, warning, info, never; did you mean error?`},
		{"off is for rules", "fail-on: off", `1:10: fail-on: no threshold "off": must be one of error, warning, info, never`},

		{"a bound that is not a number", "max-findings: all", `1:15: max-findings: is the text "all", must be a whole number from 0 to 2147483647`},
		{"below 0", "max-findings: -1", `1:15: max-findings: is "-1", must be a whole number from 0 to 2147483647`},
		{"too large", "max-findings: 2147483648", `1:15: max-findings: is "2147483648", must be a whole number from 0 to 2147483647`},
		{"octal or not", "max-findings: 010", `1:15: max-findings: is "010", must be a whole number from 0 to 2147483647`},
		{"hexadecimal", "max-findings: 0x10", `1:15: max-findings: is "0x10", must be a whole number from 0 to 2147483647`},
		{"underscores", "max-findings: 1_0", `1:15: max-findings: is "1_0", must be a whole number from 0 to 2147483647`},
		{"a fraction", "max-findings: 1.5", "1:15: max-findings: is 1.5, must be a whole number from 0 to 2147483647"},
		{"in quotes", "max-findings: '5'", `1:15: max-findings: is the text "5", must be a whole number from 0 to 2147483647`},

		{"rules in a list", "rules: [data-version]", "1:8: rules must be a mapping, is a list"},
		{"an unknown rule", "rules:\n  data-verison: off", `2:3: no rule has the ID or name "data-verison"; did you mean data-version?`},
		{"an ID in small letters", "rules: {perf1105: off}", `1:9: no rule has the ID or name "perf1105"; did you mean PERF1105?`},
		{"an unknown rule without a suggestion", "rules: {colour: off}", `1:9: no rule has the ID or name "colour"`},
		{"a rule twice", "rules: {PERF1105: off, PERF1105: info}", "1:24: PERF1105 is repeated, first at 1:9; remove one"},
		{"a rule by ID and name", "rules:\n  PERF1105: off\n  data-version: info", "3:3: data-version is the same rule as PERF1105 at 2:3; remove one"},
		{"a pattern that matches no rule", "rules: {isnt-*: off}", `1:9: no rule has an ID or name that "isnt-*" matches; did you mean inst-*?`},
		{"a pattern that is not closed", "rules: {'inst-[': off}", `1:9: "inst-[" is not a pattern: a [ has no ], or a \ is the last character; did you mean inst-*?`},
		{"a pattern twice", "rules: {inst-*: off, inst-*: info}", "1:22: inst-* is repeated, first at 1:9; remove one"},
		{"a pattern with a wrong severity", "rules: {inst-*: of}", `1:17: inst-*: no severity "of": must be one of off, info, warning, error; did you mean off?`},

		{"overrides that are no list", "overrides: {paths: [a]}", "1:12: overrides: is a mapping, must be a list of overrides, each with paths"},
		{"an override that is a word", "overrides: [a]", `1:13: an override must be a mapping, is the text "a"`},
		{"an override without paths", "overrides: [{kind: objects}]", "1:13: an override requires the key paths"},
		{"an override with an empty list of paths", "overrides: [{paths: []}]", "1:21: paths: has no globs, must have at least one"},
		{"an override with a key of the file", "overrides: [{paths: [a], fail-on: info}]", `1:26: an override has no key "fail-on"; it has the keys paths, kind, profile, rules`},
		{"an unknown kind", "overrides: [{paths: [a], kind: object}]", `1:32: kind: "object" is not a kind: it must be one of data-block, objects, query-data, instances, identifiers, reg-set, reg-counter, reg-string, reg-guid, strings, guids, template, instance-block; did you mean objects?`},
		{"too many overrides", "overrides: [" + strings.Repeat("0,", 1000) + "{}]", "1:12: overrides: has 1001 overrides, must have at most 1000"},
		{"one path without a list", "exclude: old/", `1:10: exclude: is the text "old/", must be a list of globs such as [captures/, "*.bin"]`},
		{"a path that is a number", "exclude: [a, 5]", `1:14: is 5, must be a glob`},
		{"a path that is empty", "exclude: ['']", `1:11: is the text "", must be a glob`},
		{"a path of Windows", `exclude: ['old\*.bin']`, `1:11: "old\\*.bin" has \, must have / between folders on every system; write [*] to match a *`},
		{"a path outside the folder", "exclude: [../old]", `1:11: "../old" has the step . or .., must be a path in the folder of the configuration`},
		{"a glob that is not closed", "exclude: ['old[']", `1:11: "old[" is not a glob: a [ or a { is not closed`},
		{"a glob that takes long to match", "exclude: ['" + strings.Repeat("{a,b}", 10) + "']", `1:11: "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}" has too many texts in braces; write several globs`},

		{"suppressions that are a list", "suppressions: [a]", "1:15: suppressions: is a list, must be the path of a file"},
		{"no suppressions", "suppressions:", "1:14: suppressions: is empty, must be the path of a file"},
		{"an unknown severity", "rules: {data-version: warnign}", `1:23: data-version: no severity "warnign": must be one of off, info, warning, error; did you mean warning?`},
		{"a threshold in place of a severity", "rules: {data-version: never}", `1:23: data-version: no severity "never": must be one of off, info, warning, error`},
		{"false in place of off", "rules: {data-version: false}", `1:23: data-version: no severity "false": must be one of off, info, warning, error`},
		{"no severity", "rules: {data-version: }", "1:23: data-version: is empty, must be one of off, info, warning, error"},
		{"only a reason", "rules: {data-version: {reason: x}}", "1:23: the setting of a rule requires the key severity"},
		{"a slip in a setting", "rules: {data-version: {severty: off}}", `1:24: the setting of a rule has no key "severty"; did you mean severity?`},
		{"a severity twice", "rules: {data-version: {severity: off, severity: off}}", "1:39: severity is repeated, first at 1:24; remove one"},
		{"a wrong severity in a setting", "rules: {data-version: {severity: 5}}", `1:34: severity: no severity "5": must be one of off, info, warning, error`},
		{"no reason", "rules: {data-version: {severity: off, reason: }}", "1:47: reason: is empty, must be a text"},
		{"reasons", "rules: {data-version: {severity: off, reason: [x]}}", "1:47: reason: is a list, must be a text"},
		{"too long", strings.Repeat("#\n", 1<<19) + "#", "1:1: the text is longer than the 1048576 bytes that a configuration may have"},
		{"too many marks", "rules: [" + strings.Repeat("a,", 1<<16), "1:131078: the text is too large: it has more than 65536 of the characters , : [ { ? - # & * and !, the limit for a configuration"},
	} {
		c, err := config.Parse("t.yaml", []byte(tt.text))
		if err == nil {
			t.Errorf("%s: no error, want %s", tt.reason, tt.want)
			continue
		}
		if got := err.Error(); got != "t.yaml:"+tt.want {
			t.Errorf("%s:\n got %s\nwant t.yaml:%s", tt.reason, got, tt.want)
		}
		if e, ok := errors.AsType[*config.Error](err); !ok || e.File != "t.yaml" || e.Line < 1 || e.Column < 1 {
			t.Errorf("%s: %#v has no place", tt.reason, err)
		}
		if diff := cmp.Diff(config.Config{}, c, settings); diff != "" {
			t.Errorf("%s: with the error comes\n%s", tt.reason, diff)
		}
	}
	_, err := config.Parse("t.yaml", []byte("profile: x\nrules: {data-verison: off, PERF1106: on}\n"))
	const want = `t.yaml:1:10: profile: no profile "x": must be one of strict, windows, nt4
t.yaml:2:9: no rule has the ID or name "data-verison"; did you mean data-version?
t.yaml:2:38: PERF1106: no severity "on": must be one of off, info, warning, error`
	if err == nil || err.Error() != want {
		t.Errorf("several errors:\n got %v\nwant %s", err, want)
	}
	if _, err := config.Parse("", []byte("profile: x")); !errors.Is(err, layout.ErrRange) {
		t.Errorf("%v is no ErrRange", err)
	}
}

// TestMemory checks that Parse allocates at most 100 MiB for a text of 1 MiB.
func TestMemory(t *testing.T) { // not parallel: it counts the allocations of the program
	for _, part := range []string{",", "a,", "a: b,", "- ", "-\n", "? ", "[", "&a ", "a:\n", "#\n", "{"} {
		text := []byte("[" + strings.Repeat(part, (1<<20-1)/len(part)))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := config.Parse("", text)
		runtime.ReadMemStats(&after)
		if n := (after.TotalAlloc - before.TotalAlloc) >> 20; n > 100 || err == nil {
			t.Errorf("%q repeated takes %d MiB: %v", part, n, err)
		}
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	rules := []validate.Override{{Rule: "data-version", Severity: validate.Off, Reason: "x"}}
	for _, tt := range []struct {
		reason string
		c      config.Config
		want   validate.Options
		fails  validate.Severity
	}{
		{"the default", config.Config{}, validate.Options{}, validate.Error},
		{"all set", config.Config{Profile: new(validate.NT4), FailOn: new(validate.Warning), MaxFindings: new(7), Rules: rules}, validate.Options{Profile: validate.NT4, MaxFindings: 7, Overrides: rules}, validate.Warning},
		{"0 is all", config.Config{MaxFindings: new(0)}, validate.Options{MaxFindings: -1}, validate.Error},
		{"never", config.Config{FailOn: new(validate.Off)}, validate.Options{}, validate.Off},
	} {
		if diff := cmp.Diff(fmt.Sprint(tt.want), fmt.Sprint(tt.c.Options())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
		if got := tt.c.Threshold(); got != tt.fails {
			t.Errorf("%s: it fails on %v", tt.reason, got)
		}
	}
	if n := (validate.Counts{Error: 1, Warning: 1, Info: 1}).AtLeast(config.Config{FailOn: new(validate.Off)}.Threshold()); n != 0 {
		t.Errorf("the threshold never fails on %d findings", n)
	}
}

func TestWith(t *testing.T) {
	t.Parallel()
	off, info := validate.Override{Rule: "data-version", Severity: validate.Off}, validate.Override{Rule: "PERF1105", Severity: validate.Info}
	full := config.Config{Profile: new(validate.NT4), FailOn: new(validate.Warning), MaxFindings: new(7), Rules: []validate.Override{off}}
	for _, tt := range []struct {
		reason        string
		c, over, want config.Config
	}{
		{"nothing on top", full, config.Config{}, full},
		{"nothing below", config.Config{}, full, full},
		{"a default on top", full, config.Config{Profile: new(validate.Strict)}, config.Config{Profile: new(validate.Strict), FailOn: new(validate.Warning), MaxFindings: new(7), Rules: []validate.Override{off}}},
		{"never on top", full, config.Config{FailOn: new(validate.Off)}, config.Config{Profile: new(validate.NT4), FailOn: new(validate.Off), MaxFindings: new(7), Rules: []validate.Override{off}}},
		{"no bound on top", full, config.Config{MaxFindings: new(0)}, config.Config{Profile: new(validate.NT4), FailOn: new(validate.Warning), MaxFindings: new(0), Rules: []validate.Override{off}}},
		{"the rules of the configuration on top come last", full, config.Config{Rules: []validate.Override{info}}, config.Config{Profile: new(validate.NT4), FailOn: new(validate.Warning), MaxFindings: new(7), Rules: []validate.Override{off, info}}},
	} {
		if diff := cmp.Diff(tt.want, tt.c.With(tt.over), settings); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
	if len(full.Rules) != 1 {
		t.Error("With changed its receiver")
	}
}

func TestFailOns(t *testing.T) {
	t.Parallel()
	for i, word := range config.FailOns() {
		s, err := config.ParseFailOn(word)
		if want := []validate.Severity{validate.Error, validate.Warning, validate.Info, validate.Off}[i]; err != nil || s != want {
			t.Errorf("%s: %v, %v", word, s, err)
		}
	}
	if _, err := config.ParseFailOn("off"); !errors.Is(err, layout.ErrRange) {
		t.Errorf("off: %v", err)
	}
}

// TestParseAnyText checks anyText on texts that are written to break a parser.
func TestParseAnyText(t *testing.T) { // not parallel: it counts the allocations of the program
	for _, n := range []int{1 << 8, 1 << 15} {
		if n > 1<<8 && !long.Enabled() {
			break
		}
		for _, x := range hostiletext.Texts(n) {
			t.Run(fmt.Sprintf("%s, %d", x.Reason, n), func(t *testing.T) { anyText(t, []byte(x.Text)) })
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("profile: windows\nfail-on: never\nmax-findings: 5\nrules:\n  PERF1105: {severity: off, reason: \"x\"}\n  data-revision: info\n"))
	for _, x := range hostiletext.Texts(60) {
		f.Add([]byte(x.Text))
	}
	f.Fuzz(anyText)
}

// anyText checks that Parse returns a configuration that validate.New accepts, or an error with a place,
// and that its time and memory are in proportion to the length of the text.
func anyText(t *testing.T, text []byte) {
	t.Helper()
	var c config.Config
	decoded, err := yamltext.Decode(text) // places are those of the text in UTF-8
	if err != nil {
		if _, err := config.Parse("t.yaml", text); err == nil {
			t.Fatalf("%q is read", text)
		}
		return
	}
	hostiletext.Check(t, decoded, func() (int, int, error) {
		c, err = config.Parse("t.yaml", text)
		if err == nil {
			return 0, 0, nil
		}
		e, ok := errors.AsType[*config.Error](err)
		if !ok {
			t.Fatalf("%T is not a *config.Error: %v", err, err)
		}
		return e.Line, e.Column, e
	})
	if err != nil {
		return
	}
	if _, err := validate.New(c.Options()); err != nil {
		t.Fatalf("validate.New refuses the configuration: %v", err)
	}
}
