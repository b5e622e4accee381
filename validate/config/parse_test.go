package config_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/hostiletext"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, text string
		want         config.Config
	}{
		{"nothing", "", config.Config{}},
		{"a comment", "# profile: nt4\n", config.Config{}},
		{"a document of nothing", "---\n", config.Config{}},
		{"no keys", "{}", config.Config{}},
		{"a profile", "profile: windows", config.Config{Profile: new(validate.Windows)}},
		{"the default is set too", "profile: strict", config.Config{Profile: new(validate.Strict)}},
		{"a byte order mark", "\uFEFFprofile: nt4", config.Config{Profile: new(validate.NT4)}},
		{"a threshold", "fail-on: info", config.Config{FailOn: new(validate.Info)}},
		{"no threshold", "fail-on: never", config.Config{FailOn: new(validate.Off)}},
		{"a bound", "max-findings: 1000", config.Config{MaxFindings: new(1000)}},
		{"no bound", "max-findings: 0", config.Config{MaxFindings: new(0)}},
		{"no rules", "rules:", config.Config{}},
		{"off, which some YAML takes for false", "rules: {data-version: off}", config.Config{Rules: []validate.Override{{Rule: "data-version", Severity: validate.Off}}}},
		{"in quotes", `rules: {"data-version": 'off'}`, config.Config{Rules: []validate.Override{{Rule: "data-version", Severity: validate.Off}}}},
		{"an ID", "rules:\n  PERF1105: error", config.Config{Rules: []validate.Override{{Rule: "data-version", Severity: validate.Error}}}},
		{"reasons, in the order of the file", "rules:\n  data-revision: {reason: 5, severity: info}\n  data-version:\n    severity: warning\n    reason: >\n      of two\n      lines\n", config.Config{Rules: []validate.Override{
			{Rule: "data-revision", Severity: validate.Info, Reason: "5"}, {Rule: "data-version", Severity: validate.Warning, Reason: "of two lines"},
		}}},
		{"all keys, in braces", `{profile: nt4, fail-on: warning, max-findings: 1, rules: {}}`, config.Config{Profile: new(validate.NT4), FailOn: new(validate.Warning), MaxFindings: new(1)}},
	} {
		got, err := config.Parse("t.yaml", []byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"a list", "[profile]", "1:1: a configuration is a mapping, not a list"},
		{"a word", "windows", `1:1: a configuration is a mapping, not the text "windows"`},
		{"no YAML", "a: b: c", "1:5: mapping values are not allowed in this context"},
		{"a second document", "profile: nt4\n---\n", "2:1: a second document"},
		{"an anchor", "profile: &a nt4", "1:10: an anchor, &a; anchors and aliases have no use here"},
		{"a tag", "profile: !!str nt4", "1:10: a tag, !!str; values have no tags here"},
		{"a merge key", "<<: {profile: nt4}", `1:1: the keys are profile, fail-on, max-findings and rules, and none is "<<"`},
		{"depth", "rules: " + strings.Repeat("[", 8) + strings.Repeat("]", 8), "1:15: more than 8 lists and mappings in each other"},
		{"a control character", "profile: \x01", `1:10: the control character 0x01; in quotes write \u0001`},

		{"a slip in a key", "profil: nt4", `1:1: the keys are profile, fail-on, max-findings and rules, and none is "profil"; did you mean profile?`},
		{"a key that is a list", "? [a]\n: b", "1:3: a key is a word, not a list"},
		{"a key twice", "profile: nt4\nprofile: nt4", "2:1: profile stands twice, first at 1:1"},
		{"a profile that there is not", "\nprofile: windoze", `2:10: profile: no profile "windoze": it is one of strict, windows, nt4; did you mean windows?`},
		{"no profile", "profile:", "1:9: profile: wants one of strict, windows, nt4, not nothing"},
		{"two profiles", "profile: [nt4]", "1:10: profile: wants one of strict, windows, nt4, not a list"},
		{"a threshold that there is not", "fail-on: errors", `1:10: fail-on: no threshold "errors": it is one of error, warning, info, never; did you mean error?`},
		{"off is for rules", "fail-on: off", `1:10: fail-on: no threshold "off": it is one of error, warning, info, never`},

		{"a bound that is no number", "max-findings: all", `1:15: max-findings: wants a whole number from 0 to 2147483647, not the text "all"`},
		{"below 0", "max-findings: -1", `1:15: max-findings: "-1" is no whole number from 0 to 2147483647`},
		{"too large", "max-findings: 2147483648", `1:15: max-findings: "2147483648" is no whole number from 0 to 2147483647`},
		{"octal or not", "max-findings: 010", `1:15: max-findings: "010" is no whole number from 0 to 2147483647`},
		{"hexadecimal", "max-findings: 0x10", `1:15: max-findings: "0x10" is no whole number from 0 to 2147483647`},
		{"underscores", "max-findings: 1_0", `1:15: max-findings: "1_0" is no whole number from 0 to 2147483647`},
		{"a fraction", "max-findings: 1.5", "1:15: max-findings: wants a whole number from 0 to 2147483647, not 1.5"},
		{"in quotes", "max-findings: '5'", `1:15: max-findings: wants a whole number from 0 to 2147483647, not the text "5"`},

		{"rules in a list", "rules: [data-version]", "1:8: rules is a mapping, not a list"},
		{"a rule that there is not", "rules:\n  data-verison: off", `2:3: no rule has the ID or name "data-verison"; did you mean data-version?`},
		{"an ID in small letters", "rules: {perf1105: off}", `1:9: no rule has the ID or name "perf1105"; did you mean PERF1105?`},
		{"like no rule", "rules: {colour: off}", `1:9: no rule has the ID or name "colour"`},
		{"a rule twice", "rules: {PERF1105: off, PERF1105: info}", "1:24: PERF1105 stands twice, first at 1:9"},
		{"a rule by ID and name", "rules:\n  PERF1105: off\n  data-version: info", "3:3: data-version and PERF1105, at 2:3, are one rule"},
		{"a severity that there is not", "rules: {data-version: warnign}", `1:23: data-version: no severity "warnign": it is one of off, info, warning, error; did you mean warning?`},
		{"a threshold is none", "rules: {data-version: never}", `1:23: data-version: no severity "never": it is one of off, info, warning, error`},
		{"false is no off", "rules: {data-version: false}", `1:23: data-version: no severity "false": it is one of off, info, warning, error`},
		{"no severity", "rules: {data-version: }", "1:23: data-version: wants one of off, info, warning, error, not nothing"},
		{"only a reason", "rules: {data-version: {reason: x}}", "1:23: data-version: wants a severity, one of off, info, warning, error"},
		{"a slip in a setting", "rules: {data-version: {severty: off}}", `1:24: the keys are severity and reason, and none is "severty"; did you mean severity?`},
		{"a severity twice", "rules: {data-version: {severity: off, severity: off}}", "1:39: severity stands twice, first at 1:24"},
		{"a wrong severity in a setting", "rules: {data-version: {severity: 5}}", `1:34: severity: no severity "5": it is one of off, info, warning, error`},
		{"no reason", "rules: {data-version: {severity: off, reason: }}", "1:47: reason: wants a text, not nothing"},
		{"reasons", "rules: {data-version: {severity: off, reason: [x]}}", "1:47: reason: wants a text, not a list"},
		{"too long", strings.Repeat("#\n", 1<<19) + "#", "1:1: the text has more than the 1 MiB that a configuration may have"},
		{"too much of it", "rules: [" + strings.Repeat("a,", 1<<16), "1:131078: more than 65536 of the characters ,:[{?-#&*!, which is too much for a configuration"},
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
		if diff := cmp.Diff(config.Config{}, c); diff != "" {
			t.Errorf("%s: with the error comes\n%s", tt.reason, diff)
		}
	}
	if _, err := config.Parse("", []byte("profile: x")); !errors.Is(err, layout.ErrRange) {
		t.Errorf("%v is no ErrRange", err)
	}
}

// What it takes to read the worst of texts is bounded.
func TestMemory(t *testing.T) { // alone, as it counts what the whole program allocates
	for _, part := range []string{",", "a,", "a: b,", "- ", "-\n", "? ", "[", "&a ", "a:\n", "#\n", "{"} {
		text := []byte("[" + strings.Repeat(part, (1<<20-1)/len(part)))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := config.Parse("", text)
		runtime.ReadMemStats(&after)
		if n := (after.TotalAlloc - before.TotalAlloc) >> 20; n > 100 || err == nil {
			t.Errorf("%q again and again takes %d MiB: %v", part, n, err)
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
		{"all set", config.Config{new(validate.NT4), new(validate.Warning), new(7), rules}, validate.Options{Profile: validate.NT4, MaxFindings: 7, Overrides: rules}, validate.Warning},
		{"0 is all of them", config.Config{MaxFindings: new(0)}, validate.Options{MaxFindings: -1}, validate.Error},
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
		t.Errorf("never fails on %d findings", n)
	}
}

func TestWith(t *testing.T) {
	t.Parallel()
	off, info := validate.Override{Rule: "data-version", Severity: validate.Off}, validate.Override{Rule: "PERF1105", Severity: validate.Info}
	full := config.Config{new(validate.NT4), new(validate.Warning), new(7), []validate.Override{off}}
	for _, tt := range []struct {
		reason        string
		c, over, want config.Config
	}{
		{"nothing on top", full, config.Config{}, full},
		{"nothing below", config.Config{}, full, full},
		{"a default on top", full, config.Config{Profile: new(validate.Strict)}, config.Config{new(validate.Strict), new(validate.Warning), new(7), []validate.Override{off}}},
		{"never on top", full, config.Config{FailOn: new(validate.Off)}, config.Config{new(validate.NT4), new(validate.Off), new(7), []validate.Override{off}}},
		{"no bound on top", full, config.Config{MaxFindings: new(0)}, config.Config{new(validate.NT4), new(validate.Warning), new(0), []validate.Override{off}}},
		{"the rules on top are later", full, config.Config{Rules: []validate.Override{info}}, config.Config{new(validate.NT4), new(validate.Warning), new(7), []validate.Override{off, info}}},
	} {
		if diff := cmp.Diff(tt.want, tt.c.With(tt.over)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
	if len(full.Rules) != 1 {
		t.Error("a configuration that others are made of has changed")
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

// Any text is an error with a place in it or a configuration that a validator takes, and
// takes no more to read than its length justifies.

func TestParseAnyText(t *testing.T) { // alone, as it counts what the whole program allocates
	for _, n := range []int{1 << 8, 1 << 15} {
		if testing.Short() && n > 1<<8 {
			break // the long ones take seconds, and are for what they allocate
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

func anyText(t *testing.T, text []byte) {
	t.Helper()
	var c config.Config
	var err error
	hostiletext.Hold(t, text, func() (int, int, error) {
		c, err = config.Parse("t.yaml", text)
		if err == nil {
			return 0, 0, nil
		}
		e, ok := errors.AsType[*config.Error](err)
		if !ok {
			t.Fatalf("%T is no error of a text: %v", err, err)
		}
		return e.Line, e.Column, e
	})
	if err != nil {
		return
	}
	if _, err := validate.New(c.Options()); err != nil {
		t.Fatalf("what was read is refused: %v", err)
	}
}
