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

var ignoreOrigins = cmpopts.IgnoreUnexported(config.Config{}, config.Override{})

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, text string
		want         config.Config
	}{
		{"an empty text sets nothing", "", config.Config{}},
		{"a comment sets nothing", "# profile: nt4\n", config.Config{}},
		{"an empty document sets nothing", "---\n", config.Config{}},
		{"a mapping without keys sets nothing", "{}", config.Config{}},
		{"profile sets the profile", "profile: windows", config.Config{Profile: new(validate.Windows)}},
		{"a profile that is the default is set too", "profile: strict", config.Config{Profile: new(validate.Strict)}},
		{"a byte order mark is ignored", "\uFEFFprofile: nt4", config.Config{Profile: new(validate.NT4)}},
		{"the text may be UTF-16", "\xff\xfep\x00r\x00o\x00f\x00i\x00l\x00e\x00:\x00 \x00n\x00t\x004\x00", config.Config{Profile: new(validate.NT4)}},
		{"fail-on sets the threshold", "fail-on: info", config.Config{FailOn: new(validate.Info)}},
		{"never sets the threshold Off", "fail-on: never", config.Config{FailOn: new(validate.Off)}},
		{"max-findings sets the bound", "max-findings: 1000", config.Config{MaxFindings: new(1000)}},
		{"0 sets no bound", "max-findings: 0", config.Config{MaxFindings: new(0)}},
		{"rules without a value sets nothing", "rules:", config.Config{}},
		{"off is a word, although some versions of YAML read it as false", "rules: {data-version: off}", config.Config{Rules: []validate.Override{{Rule: "data-version", Severity: validate.Off}}}},
		{"quotes make no difference", `rules: {"data-version": 'off'}`, config.Config{Rules: []validate.Override{{Rule: "data-version", Severity: validate.Off}}}},
		{"the ID of a rule sets the severity of the rule", "rules:\n  PERF1105: error", config.Config{Rules: []validate.Override{{Rule: "data-version", Severity: validate.Error}}}},
		{"rules with reasons keep the order of the file", "rules:\n  data-revision: {reason: 5, severity: info}\n  data-version:\n    severity: warning\n    reason: >\n      of two\n      lines\n", config.Config{Rules: []validate.Override{
			{Rule: "data-revision", Severity: validate.Info, Reason: "5"}, {Rule: "data-version", Severity: validate.Warning, Reason: "of two lines"},
		}}},
		{"patterns come before names, whatever their order in the file", "rules:\n  data-version: off\n  inst-*: info\n  PERF14*: warning\n", config.Config{Rules: []validate.Override{
			{Rule: "inst-*", Severity: validate.Info}, {Rule: "PERF14*", Severity: validate.Warning}, {Rule: "data-version", Severity: validate.Off},
		}}},
		{"overrides is a list of settings with paths", "overrides:\n- {paths: [q/, '*.qd'], kind: query-data, profile: nt4, rules: {'v2-*': off}}\n- paths: [a.bin]\n", config.Config{Overrides: []config.Override{
			{Paths: []string{"q/", "*.qd"}, Kind: new(config.FileKind("query-data")), Profile: new(validate.NT4), Rules: []validate.Override{{Rule: "v2-*", Severity: validate.Off}}},
			{Paths: []string{"a.bin"}},
		}}},
		{"exclude is a list of globs", "exclude: [old/, '**/*.{tmp,bak}']", config.Config{Exclude: []string{"old/", "**/*.{tmp,bak}"}}},
		{"suppressions is the path of a file", "suppressions: a/known.yaml", config.Config{Suppressions: "a/known.yaml"}},
		{"overrides and exclude without values set nothing", "overrides:\nexclude:", config.Config{}},
		{"the mapping may be in braces", `{profile: nt4, fail-on: warning, max-findings: 1, rules: {}}`, config.Config{Profile: new(validate.NT4), FailOn: new(validate.Warning), MaxFindings: new(1)}},
	} {
		got, err := config.Parse("t.yaml", []byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		}
		if diff := cmp.Diff(tt.want, got, ignoreOrigins); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"a list is no configuration", "[profile]", "1:1: a configuration must be a mapping, is a list"},
		{"a word is no configuration", "windows", `1:1: a configuration must be a mapping, is the text "windows"`},
		{"the text must be valid YAML", "a: b: c", "1:5: mapping values are not allowed in this context"},
		{"a second document is not allowed", "profile: nt4\n---\n", "2:1: a second document; the text must have one document"},
		{"an anchor is not allowed", "profile: &a nt4", "1:10: anchor &a: YAML anchors and aliases are not supported"},
		{"a tag is not allowed", "profile: !!str nt4", "1:10: tag !!str: YAML tags are not supported"},
		{"a merge key is not allowed", "<<: {profile: nt4}", `1:1: a configuration has no key "<<"; it has the keys profile, fail-on, max-findings, rules, overrides, exclude, suppressions`},
		{"lists may be at most 8 deep", "rules: " + strings.Repeat("[", 8) + strings.Repeat("]", 8), "1:15: more than 8 lists and mappings inside each other"},
		{"a control character is not allowed", "profile: \x01", `1:10: control character 0x01; write it as \u0001 in double quotes`},

		{"an unknown key has a suggestion", "profil: nt4", `1:1: a configuration has no key "profil"; did you mean profile?`},
		{"a key must not be a list", "? [a]\n: b", "1:3: a key must be a word, is a list"},
		{"a key must not be repeated", "profile: nt4\nprofile: nt4", "2:1: profile is repeated, first at 1:1; remove one"},
		{"the profile must exist", "\nprofile: windoze", `2:10: profile: no profile "windoze": must be one of strict, windows, nt4; did you mean windows?`},
		{"profile must have a value", "profile:", "1:9: profile: is empty, must be one of strict, windows, nt4"},
		{"profile must not be a list", "profile: [nt4]", "1:10: profile: is a list, must be one of strict, windows, nt4"},
		{"the threshold must exist", "fail-on: errors", `1:10: fail-on: no threshold "errors": must be one of error, warning, info, never; did you mean error?`},
		{"off is a severity of rules, not a threshold", "fail-on: off", `1:10: fail-on: no threshold "off": must be one of error, warning, info, never`},

		{"the bound must be a number", "max-findings: all", `1:15: max-findings: is the text "all", must be a whole number from 0 to 2147483647`},
		{"the bound must not be negative", "max-findings: -1", `1:15: max-findings: is "-1", must be a whole number from 0 to 2147483647`},
		{"the bound must be less than 1<<31", "max-findings: 2147483648", `1:15: max-findings: is "2147483648", must be a whole number from 0 to 2147483647`},
		{"YAML readers differ on the meaning of 010", "max-findings: 010", `1:15: max-findings: is "010", must be a whole number from 0 to 2147483647`},
		{"the bound must not be hexadecimal", "max-findings: 0x10", `1:15: max-findings: is "0x10", must be a whole number from 0 to 2147483647`},
		{"the bound must not have underscores", "max-findings: 1_0", `1:15: max-findings: is "1_0", must be a whole number from 0 to 2147483647`},
		{"the bound must be a whole number", "max-findings: 1.5", "1:15: max-findings: is 1.5, must be a whole number from 0 to 2147483647"},
		{"the bound must not be in quotes", "max-findings: '5'", `1:15: max-findings: is the text "5", must be a whole number from 0 to 2147483647`},

		{"rules must not be a list", "rules: [data-version]", "1:8: rules must be a mapping, is a list"},
		{"an unknown rule has a suggestion", "rules:\n  data-verison: off", `2:3: no rule has the ID or name "data-verison"; did you mean data-version?`},
		{"an ID must be in capital letters", "rules: {perf1105: off}", `1:9: no rule has the ID or name "perf1105"; did you mean PERF1105?`},
		{"a rule unlike all others has no suggestion", "rules: {colour: off}", `1:9: no rule has the ID or name "colour"`},
		{"an ID must not be repeated", "rules: {PERF1105: off, PERF1105: info}", "1:24: PERF1105 is repeated, first at 1:9; remove one"},
		{"a rule must not be set by ID and by name", "rules:\n  PERF1105: off\n  data-version: info", "3:3: data-version is the same rule as PERF1105 at 2:3; remove one"},
		{"a pattern must match a rule", "rules: {isnt-*: off}", `1:9: no rule has an ID or name that "isnt-*" matches; did you mean inst-*?`},
		{"a pattern must be valid", "rules: {'inst-[': off}", `1:9: "inst-[" is not a pattern: a [ has no ], or a \ is the last character; did you mean inst-*?`},
		{"a pattern must not be repeated", "rules: {inst-*: off, inst-*: info}", "1:22: inst-* is repeated, first at 1:9; remove one"},
		{"the severity of a pattern must exist", "rules: {inst-*: of}", `1:17: inst-*: no severity "of": must be one of off, info, warning, error; did you mean off?`},

		{"overrides must be a list", "overrides: {paths: [a]}", "1:12: overrides: is a mapping, must be a list of overrides, each with paths"},
		{"an override must be a mapping", "overrides: [a]", `1:13: an override must be a mapping, is the text "a"`},
		{"an override must have paths", "overrides: [{kind: objects}]", "1:13: an override requires the key paths"},
		{"paths must not be empty", "overrides: [{paths: []}]", "1:21: paths: has no globs, must have at least one"},
		{"an override must not set fail-on", "overrides: [{paths: [a], fail-on: info}]", `1:26: an override has no key "fail-on"; it has the keys paths, kind, profile, rules`},
		{"the kind must exist", "overrides: [{paths: [a], kind: object}]", `1:32: kind: "object" is not a kind: it must be one of data-block, objects, query-data, instances, identifiers, reg-set, reg-counter, reg-string, reg-guid, strings, guids, template, instance-block, titles; did you mean objects?`},
		{"there may be at most 1000 overrides", "overrides: [" + strings.Repeat("0,", 1000) + "{}]", "1:12: overrides: has 1001 overrides, must have at most 1000"},
		{"exclude must be a list", "exclude: old/", `1:10: exclude: is the text "old/", must be a list of globs such as [captures/, "*.bin"]`},
		{"a path must not be a number", "exclude: [a, 5]", `1:14: is 5, must be a glob`},
		{"a path must not be empty", "exclude: ['']", `1:11: is the text "", must be a glob`},
		{"a path must not have backslashes", `exclude: ['old\*.bin']`, `1:11: "old\\*.bin" has \, must have / between folders on every system; to match the character *, write [*]`},
		{"a path must not lead out of the folder", "exclude: [../old]", `1:11: "../old" has "." or ".." as a folder, must be a path inside the folder of the configuration`},
		{"a glob must be valid", "exclude: ['old[']", `1:11: "old[" is not a glob: a [ or a { is not closed`},
		{"a glob must not take long to match", "exclude: ['" + strings.Repeat("{a,b}", 10) + "']", `1:11: "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}" has too many alternatives in braces; write several globs`},

		{"suppressions must not be a list", "suppressions: [a]", "1:15: suppressions: is a list, must be the path of a file"},
		{"suppressions must have a value", "suppressions:", "1:14: suppressions: is empty, must be the path of a file"},
		{"an unknown severity has a suggestion", "rules: {data-version: warnign}", `1:23: data-version: no severity "warnign": must be one of off, info, warning, error; did you mean warning?`},
		{"never is a threshold, not a severity", "rules: {data-version: never}", `1:23: data-version: no severity "never": must be one of off, info, warning, error`},
		{"false does not mean off", "rules: {data-version: false}", `1:23: data-version: no severity "false": must be one of off, info, warning, error`},
		{"a rule must have a severity", "rules: {data-version: }", "1:23: data-version: is empty, must be one of off, info, warning, error"},
		{"a reason requires a severity", "rules: {data-version: {reason: x}}", "1:23: the setting of a rule requires the key severity"},
		{"an unknown key of a setting has a suggestion", "rules: {data-version: {severty: off}}", `1:24: the setting of a rule has no key "severty"; did you mean severity?`},
		{"severity must not be repeated", "rules: {data-version: {severity: off, severity: off}}", "1:39: severity is repeated, first at 1:24; remove one"},
		{"the severity of a setting must exist", "rules: {data-version: {severity: 5}}", `1:34: severity: no severity "5": must be one of off, info, warning, error`},
		{"reason must have a value", "rules: {data-version: {severity: off, reason: }}", "1:47: reason: is empty, must be a text"},
		{"reason must not be a list", "rules: {data-version: {severity: off, reason: [x]}}", "1:47: reason: is a list, must be a text"},
		{"the text must not be longer than 1 MiB", strings.Repeat("#\n", 1<<19) + "#", "1:1: the text is longer than the 1048576 bytes that a configuration may have"},
		{"the text must not have more than 65,536 marks", "rules: [" + strings.Repeat("a,", 1<<16), "1:131078: the text is too large: a configuration may have at most 65536 of the characters , : [ { ? - # & * and !"},
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
		if diff := cmp.Diff(config.Config{}, c, ignoreOrigins); diff != "" {
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
		{"the zero Config gives the defaults", config.Config{}, validate.Options{}, validate.Error},
		{"each setting is passed on", config.Config{Profile: new(validate.NT4), FailOn: new(validate.Warning), MaxFindings: new(7), Rules: rules}, validate.Options{Profile: validate.NT4, MaxFindings: 7, Overrides: rules}, validate.Warning},
		{"0 means that all findings are listed", config.Config{MaxFindings: new(0)}, validate.Options{MaxFindings: -1}, validate.Error},
		{"the threshold Off is passed on", config.Config{FailOn: new(validate.Off)}, validate.Options{}, validate.Off},
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
		{"an empty Config changes nothing", full, config.Config{}, full},
		{"an empty Config gets all settings", config.Config{}, full, full},
		{"a set default replaces another value", full, config.Config{Profile: new(validate.Strict)}, config.Config{Profile: new(validate.Strict), FailOn: new(validate.Warning), MaxFindings: new(7), Rules: []validate.Override{off}}},
		{"never replaces another threshold", full, config.Config{FailOn: new(validate.Off)}, config.Config{Profile: new(validate.NT4), FailOn: new(validate.Off), MaxFindings: new(7), Rules: []validate.Override{off}}},
		{"0 replaces another bound", full, config.Config{MaxFindings: new(0)}, config.Config{Profile: new(validate.NT4), FailOn: new(validate.Warning), MaxFindings: new(0), Rules: []validate.Override{off}}},
		{"the rules of over follow the rules of c", full, config.Config{Rules: []validate.Override{info}}, config.Config{Profile: new(validate.NT4), FailOn: new(validate.Warning), MaxFindings: new(7), Rules: []validate.Override{off, info}}},
	} {
		if diff := cmp.Diff(tt.want, tt.c.With(tt.over), ignoreOrigins); diff != "" {
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

// TestParseAnyText calls anyText for texts that could break a parser.
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

// anyText checks that Parse returns a valid configuration or an error with a position, in linear time and memory.
func anyText(t *testing.T, text []byte) {
	t.Helper()
	var c config.Config
	decoded, err := yamltext.Decode(text) // errors have the line and column in the text as UTF-8
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
