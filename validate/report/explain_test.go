package report_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

// pages are rules made up to have one of everything, or next to nothing.
var pages = []struct {
	name    string
	rule    validate.Rule
	example report.Example
	reason  string
}{
	{"full", validate.Rule{
		ID: "PERF9999", Name: "made-up", Severity: validate.Error, Windows: validate.Warning, NT4: validate.Off, Since: "v0.1.0",
		Doc:  "the ByteLength of a * in _Total is a multiple of 8, and is_more than <that>",
		Why:  "It is the [distance](http://a) to the next one, which is why a reader that trusts it goes astray where it is wrong, and a reader that does not reads C:\\a|b`c`.",
		Mend: "Round it up.", Event: 1004, Misread: []string{"this reader stops", "*that* one reads past the buffer", "-1 is many to a third"}, Needs: "the query",
		Sources: []validate.Source{{Clause: "PERF_INSTANCE_DEFINITION, ByteLength", URL: "https://example.com/a(v=ws.10)"}, {Clause: "a [page]", URL: "https://example.com/b"}},
	}, report.Example{Note: "ByteLength is 33.", Wrong: "00f0 | 21 00 00 00 | ```\n", Right: "00f0 | 20 00 00 00 |\n00f4 | 00 |"}, "one of everything, with characters that Markdown would take"},
	{"small", validate.Rule{
		ID: "PERF9998", Name: "small", Severity: validate.Info, Since: "v0.1.0", Doc: "wYear is at least 1601", Why: "It is.", Mend: "Write 1.",
		Sources: []validate.Source{{Clause: "a page", URL: "https://example.com/a"}},
	}, report.Example{}, "no more than a rule must have"},
}

func explained(t *testing.T, r *validate.Rule, e report.Example, o report.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Explain(&b, r, e, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPages(t *testing.T) {
	t.Parallel()
	for _, tt := range pages {
		golden(t, "page-"+tt.name+".txt", tt.reason, explained(t, &tt.rule, tt.example, report.Options{}))
		golden(t, "page-"+tt.name+".md", tt.reason, report.Markdown(&tt.rule, tt.example))
	}
}

// The pages of every rule say all that there is to say of it, in lines of a width
// that a terminal has.
func TestPagesOfRules(t *testing.T) {
	t.Parallel()
	for _, r := range validate.Rules() {
		text := explained(t, r, report.Example{}, report.Options{})
		flat := strings.Join(strings.Fields(text), " ")
		markdown := strings.ReplaceAll(report.Markdown(r, report.Example{}), "\\", "")
		says := slices.Concat([]string{r.ID, r.Name, r.Doc[1:], r.Why, r.Mend, r.Since, r.Needs}, r.Misread)
		for _, s := range r.Sources {
			says = append(says, s.Clause, s.URL)
		}
		if e, known := validate.FindEvent(r.Event); known {
			says = append(says, e.Meaning, e.Source.URL)
		}
		for _, k := range r.Kinds() {
			says = append(says, k.String())
		}
		for _, p := range validate.Profiles() {
			says = append(says, r.In(p).String())
		}
		for _, s := range says {
			if !strings.Contains(flat, strings.Join(strings.Fields(s), " ")) {
				t.Errorf("%s: no %q in\n%s", r.ID, s, text)
			}
			if !strings.Contains(markdown, strings.ReplaceAll(s, "\\", "")) {
				t.Errorf("%s: no %q in\n%s", r.ID, s, markdown)
			}
		}
		for line := range strings.Lines(text) {
			if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > 80 && !strings.Contains(line, "://") || strings.HasSuffix(line, " ") {
				t.Errorf("%s: %q", r.ID, line)
			}
		}
		if got := uncoloured(explained(t, r, report.Example{}, report.Options{Color: true})); got != text {
			t.Errorf("%s: colours change it to\n%s", r.ID, got)
		}
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	list := func(rules []*validate.Rule, o report.Options) string {
		var b bytes.Buffer
		if err := report.List(&b, rules, o); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	two := []*validate.Rule{&pages[0].rule, &pages[1].rule}
	for _, tt := range []struct {
		rules   []*validate.Rule
		profile validate.Profile
		want    string
		reason  string
	}{
		{two, validate.Strict, "PERF9999  made-up  error  " + two[0].Doc + "\nPERF9998  small    info   " + two[1].Doc + "\n", "in columns"},
		{two, validate.Windows, "PERF9999  made-up  warning  " + two[0].Doc + "\nPERF9998  small    info     " + two[1].Doc + "\n", "of the severity under the profile"},
		{two, validate.NT4, "PERF9999  made-up  off   " + two[0].Doc + "\nPERF9998  small    info  " + two[1].Doc + "\n", "what is off is listed"},
		{nil, validate.Strict, "", "no rules, no lines"},
	} {
		got := list(tt.rules, report.Options{Profile: tt.profile})
		if got != tt.want {
			t.Errorf("got\n%swant\n%s: %s", got, tt.want, tt.reason)
		}
		if plain := uncoloured(list(tt.rules, report.Options{Profile: tt.profile, Color: true})); plain != tt.want {
			t.Errorf("colours change it to\n%s", plain)
		}
	}
	if got := strings.Count("\n"+list(validate.Rules(), report.Options{}), "\nPERF"); got != len(validate.Rules()) {
		t.Errorf("%d lines for %d rules", got, len(validate.Rules()))
	}
}

// Every rule is in one section, and every section has a title that no other has.
func TestSections(t *testing.T) {
	t.Parallel()
	var all []*validate.Rule
	seen := map[string]bool{"": true}
	for title, rules := range report.Sections(validate.Rules()) {
		if seen[title] {
			t.Errorf("%q twice, or no title: %s", title, rules[0].ID)
		}
		seen[title] = true
		all = append(all, rules...)
	}
	if !slices.Equal(all, validate.Rules()) {
		t.Errorf("%d rules of %d", len(all), len(validate.Rules()))
	}
	for title, rules := range report.Sections(validate.Rules()) {
		if title != "Data blocks" || rules[0].ID != "PERF1101" {
			t.Errorf("the first is %q with %s", title, rules[0].ID)
		}
		break
	}
	two := []*validate.Rule{{ID: "PERF1101", Doc: "a"}, {ID: "PERF2401", Doc: "b"}}
	var b bytes.Buffer
	if err := report.List(&b, two, report.Options{}); err != nil {
		t.Fatal(err)
	}
	if want := "Data blocks:\nPERF1101      a\n\nInstances and their names:\nPERF2401      b\n"; b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}
