package rulepage_test

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/internal/rulepage"
	"github.com/perfblock/perfblock/validate"
)

// pages has two invented rules. One rule has all fields. The other rule has only the required fields.
var pages = []struct {
	name    string
	rule    validate.Rule
	example rulepage.Example
	reason  string // why this rule is tested; the tests do not print it
}{
	{"full", validate.Rule{
		ID: "PERF9999", Name: "made-up", Severity: validate.Error, Windows: validate.Warning, NT4: validate.Off, Since: "v0.1.0",
		Doc: "the ByteLength of a * in _Total is a multiple of 8, and is_more than <that>",
		Why: "It is the [distance](http://a) to the next one, which is why a reader that trusts it goes astray where it is wrong, and a reader that does not reads C:\\a|b`c`.",
		Fix: "Round it up.", Event: 1004, Misread: []string{"this reader stops", "*that* one reads past the buffer", "-1 is many to a third"}, Needs: "the query",
		Sources: []validate.Source{{Clause: "PERF_INSTANCE_DEFINITION, ByteLength", URL: "https://example.com/a(v=ws.10)"}, {Clause: "a [page]", URL: "https://example.com/b"}},
	}, rulepage.Example{Note: "ByteLength is 33.", Wrong: "00f0 | 21 00 00 00 | ```\n", Right: "00f0 | 20 00 00 00 |\n00f4 | 00 |"}, "all fields, with characters that have a meaning in Markdown"},
	{"small", validate.Rule{
		ID: "PERF9998", Name: "small", Severity: validate.Info, Since: "v0.1.0", Doc: "wYear is at least 1601", Why: "It is.", Fix: "Write 1.",
		Sources: []validate.Source{{Clause: "a page", URL: "https://example.com/a"}},
	}, rulepage.Example{}, "the required fields only"},
}

func explained(t *testing.T, r *validate.Rule, e rulepage.Example, o rulepage.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := rulepage.Explain(&b, r, e, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPages(t *testing.T) {
	t.Parallel()
	for _, tt := range pages {
		golden.File(t, "testdata/page-"+tt.name+".txt", explained(t, &tt.rule, tt.example, rulepage.Options{}))
		golden.File(t, "testdata/page-"+tt.name+".md", rulepage.Markdown(&tt.rule, tt.example))
	}
}

// TestPagesOfRules checks that the page of each rule has all fields of the rule, and that its
// lines fit on a terminal.
func TestPagesOfRules(t *testing.T) {
	t.Parallel()
	for _, r := range validate.Rules() {
		text := explained(t, r, rulepage.Example{}, rulepage.Options{})
		flat := strings.Join(strings.Fields(text), " ")
		markdown := strings.ReplaceAll(rulepage.Markdown(r, rulepage.Example{}), "\\", "")
		texts := slices.Concat([]string{r.ID, r.Name, r.Doc[1:], r.Why, r.Fix, r.Since, r.Needs}, r.Misread)
		for _, s := range r.Sources {
			texts = append(texts, s.Clause, s.URL)
		}
		if e, known := validate.FindEvent(r.Event); known {
			texts = append(texts, e.Meaning, e.Source.URL)
		}
		for _, k := range r.Kinds() {
			texts = append(texts, k.String())
		}
		for _, p := range validate.Profiles() {
			texts = append(texts, r.In(p).String())
		}
		for _, s := range texts {
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
		if got := uncoloured(explained(t, r, rulepage.Example{}, rulepage.Options{Color: true})); got != text {
			t.Errorf("%s: colours change the text to\n%s", r.ID, got)
		}
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	list := func(rules []*validate.Rule, o rulepage.Options) string {
		var b bytes.Buffer
		if err := rulepage.List(&b, rules, o); err != nil {
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
		{two, validate.Strict, "PERF9999  made-up  error  " + two[0].Doc + "\nPERF9998  small    info   " + two[1].Doc + "\n", "the columns are aligned"},
		{two, validate.Windows, "PERF9999  made-up  warning  " + two[0].Doc + "\nPERF9998  small    info     " + two[1].Doc + "\n", "the list has the severities of the profile"},
		{two, validate.NT4, "PERF9999  made-up  off   " + two[0].Doc + "\nPERF9998  small    info  " + two[1].Doc + "\n", "the list includes rules that are off"},
		{nil, validate.Strict, "", "a list of no rules is empty"},
	} {
		got := list(tt.rules, rulepage.Options{Profile: tt.profile})
		if got != tt.want {
			t.Errorf("got\n%swant\n%s: %s", got, tt.want, tt.reason)
		}
		if plain := uncoloured(list(tt.rules, rulepage.Options{Profile: tt.profile, Color: true})); plain != tt.want {
			t.Errorf("colours change the text to\n%s", plain)
		}
	}
	if got := strings.Count("\n"+list(validate.Rules(), rulepage.Options{}), "\nPERF"); got != len(validate.Rules()) {
		t.Errorf("%d lines for %d rules", got, len(validate.Rules()))
	}
}

// TestSections checks that each rule is in one section, and that each section has its own title.
func TestSections(t *testing.T) {
	t.Parallel()
	var all []*validate.Rule
	seen := map[string]bool{"": true}
	for title, rules := range rulepage.Sections(validate.Rules()) {
		if seen[title] {
			t.Errorf("title %q is empty or not unique: %s", title, rules[0].ID)
		}
		seen[title] = true
		all = append(all, rules...)
	}
	if !slices.Equal(all, validate.Rules()) {
		t.Errorf("sections have %d of %d rules", len(all), len(validate.Rules()))
	}
	for title, rules := range rulepage.Sections(validate.Rules()) {
		if title != "Data blocks" || rules[0].ID != "PERF1101" {
			t.Errorf("the first section is %q with %s", title, rules[0].ID)
		}
		break
	}
	two := []*validate.Rule{{ID: "PERF1101", Doc: "a"}, {ID: "PERF2401", Doc: "b"}}
	var b bytes.Buffer
	if err := rulepage.List(&b, two, rulepage.Options{}); err != nil {
		t.Fatal(err)
	}
	if want := "Data blocks:\nPERF1101      a\n\nInstances and their names:\nPERF2401      b\n"; b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

// TestExampleIsSafe checks that a page has no terminal control characters. The text of an
// example can come from an untrusted block.
func TestExampleIsSafe(t *testing.T) {
	t.Parallel()
	r := validate.Rules()[0]
	e := rulepage.Example{Note: "\x1b[2J", Wrong: "a\x1b\n\u202e\n", Right: "\r"}
	for _, text := range []string{explained(t, r, e, rulepage.Options{}), rulepage.Markdown(r, e)} {
		if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
			t.Errorf("%q at %d of\n%s", text[i:min(len(text), i+4)], i, text)
		}
	}
}

// TestWriterFails checks that the functions return the error of the writer.
func TestWriterFails(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]func(w io.Writer) error{
		"explain": func(w io.Writer) error {
			return rulepage.Explain(w, validate.Rules()[0], rulepage.Example{Wrong: strings.Repeat("0000 | 00 |\n", 1000)}, rulepage.Options{})
		},
		"list": func(w io.Writer) error { return rulepage.List(w, validate.Rules(), rulepage.Options{}) },
	} {
		if err := write(failing{}); !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var errFull = errors.New("full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

// uncoloured removes the colours from a text.
func uncoloured(s string) string {
	return regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(s, "")
}
