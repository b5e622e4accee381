package definition

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

const shop = `provider: Shop
counterSets:
  - name: Shop Queues
    instances: multiple
    counters:
      - {name: "Published/sec", type: PERF_COUNTER_BULK_COUNT, help: Messages accepted.}
      - {name: Depth, type: PERF_COUNTER_RAWCOUNT}
      - {name: Hit ratio, type: PERF_RAW_FRACTION, base: {name: Lookups}}
`

// TestParse checks the counters of a short definition: ids in order, and a hidden base.
func TestParse(t *testing.T) {
	t.Parallel()
	got, err := Parse("shop.yaml", []byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	want := &Provider{Name: "Shop", CounterSets: []CounterSet{{
		Name: Text{Neutral: "Shop Queues"}, Instances: layout.PERF_COUNTERSET_MULTI_INSTANCES,
		Counters: []Counter{
			{Name: Text{Neutral: "Published/sec"}, ID: 1, Type: layout.PERF_COUNTER_BULK_COUNT, Help: Text{Neutral: "Messages accepted."}},
			{Name: Text{Neutral: "Depth"}, ID: 2, Type: layout.PERF_COUNTER_RAWCOUNT},
			{Name: Text{Neutral: "Hit ratio"}, ID: 3, Type: layout.PERF_RAW_FRACTION, Base: "Lookups"},
			{Name: Text{Neutral: "Lookups"}, ID: 4, Type: layout.PERF_RAW_BASE, Attributes: layout.PERF_ATTRIB_NO_DISPLAYABLE},
		},
	}}}
	if diff := cmp.Diff(want, got, sameProviders); diff != "" {
		t.Errorf("provider (-want +got):\n%s", diff)
	}
	text, err := got.AppendYAML(nil)
	if err != nil || string(text) != shop {
		t.Errorf("AppendYAML returns, %v:\n%s", err, text)
	}
}

// TestDefinitions reads and writes the files in testdata/definitions. The files must not change, even if a file gives a
// default value.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	for path, text := range definitionFiles(t) {
		p, err := Parse(path, text)
		if err != nil {
			t.Fatal(err)
		}
		again, err := p.AppendYAML([]byte(firstComments(text)))
		if err != nil {
			t.Fatal(err)
		}
		golden.File(t, path, string(again))
	}
}

// definitionFiles returns the definitions in testdata/definitions, by path, with LF line ends.
func definitionFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files := filesNamed(t, "*.yaml")
	for path, text := range files {
		files[path] = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	return files
}

// filesNamed returns the files in testdata/definitions whose names match a pattern, by path.
func filesNamed(t testing.TB, pattern string) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../testdata/definitions/" + pattern)
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	files := make(map[string][]byte)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = text
	}
	return files
}

// firstComments returns the comments at the start of a text.
func firstComments(text []byte) string {
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// TestRandomYAML writes a random definition, reads it, and writes it again. The definitions must be equal, and the
// texts must be equal.
func TestRandomYAML(t *testing.T) {
	t.Parallel()
	for seed := range uint64(long.Seeds(300, 600)) {
		p := newRandom(seed).provider()
		text, err := p.AppendYAML(nil)
		if err != nil {
			t.Fatal(seed, err)
		}
		got, err := Parse("random.yaml", text)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if diff := cmp.Diff(p, got, sameProviders); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s\n%s", seed, diff, text)
		}
		if again, err := got.AppendYAML(nil); err != nil || !bytes.Equal(again, text) {
			t.Fatalf("seed %d, %v (-first +second):\n%s", seed, err, cmp.Diff(string(text), string(again)))
		}
	}
}

// TestUnknownID checks that Parse and AppendYAML keep a reference to an unknown id, because manifests can have it. A
// rule reports the reference.
func TestUnknownID(t *testing.T) {
	t.Parallel()
	p, err := Parse("a.yaml", []byte(definitionWith("{name: Hits, type: PERF_RAW_FRACTION, base: 7}")))
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.AppendYAML(nil)
	if err != nil || !strings.Contains(string(text), "base: 7}") {
		t.Errorf("%v:\n%s", err, text)
	}
	var found []string
	for _, f := range (&File{Form: YAML, Provider: p}).findings() {
		found = append(found, f.Rule.Name)
	}
	if !slices.Contains(found, "manifest-ref-unknown") {
		t.Errorf("the findings are %q", found)
	}
}

// TestParseErrors checks that all errors of a text are reported, with their places.
func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"an empty text is an error", "", "a.yaml:1:1: the text is empty, a definition requires at least the keys provider and counterSets"},
		{"all missing keys and wrong values are reported together", "guid: x", "a.yaml:1:1: a definition requires the key provider\na.yaml:1:1: a definition requires the key counterSets\na.yaml:1:7: guid: \"x\" is not a GUID such as {b4fc721a-0378-476f-89ba-a5a79f810b36}"},
		{"the error for a misspelled key suggests the right one", "provider: A\ncounterset: []", "a.yaml:2:1: a definition has no key \"counterset\"; did you mean counterSets?"},
		{"a set requires a name", "provider: A\ncounterSets: [{counters: []}]", "a.yaml:2:15: a counter set requires the key name"},
		{"all wrong words are reported together", definitionWith("{name: B, type: perf_counter_rawcont, detailLevel: easy, aggregate: mean, attributes: [noDisplays]}"),
			"a.yaml:2:52: type: \"perf_counter_rawcont\" is not a counter type; did you mean PERF_COUNTER_RAWCOUNT?\n" +
				"a.yaml:2:87: detailLevel: is \"easy\", must be one of standard, advanced, expert, wizard\n" +
				"a.yaml:2:104: aggregate: is \"mean\", must be one of undefined, sum, avg, min, max\n" +
				"a.yaml:2:123: attributes: is \"noDisplays\"; did you mean noDisplay?"},
		{"a reference must name a counter of the set", definitionWith("{name: Hits, type: PERF_RAW_FRACTION, base: Lookup}, {name: Lookups, type: PERF_RAW_BASE}"),
			"a.yaml:2:80: base: the set has no counter \"Lookup\"; did you mean Lookups?; to define a hidden counter with the name, write base: {name: Lookup}"},
		{"a hidden counter requires a name", definitionWith("{name: Hits, type: PERF_RAW_FRACTION, base: {}}"), "a.yaml:2:80: a counter requires the key name"},
		{"a reference is checked although another key has a fault", definitionWith("{name: B, type: PERF_RAW_FRACTION, base: Bse, hlep: x}, {name: Base, type: PERF_RAW_BASE}"),
			"a.yaml:2:77: base: the set has no counter \"Bse\"; did you mean Base?; to define a hidden counter with the name, write base: {name: Bse}\na.yaml:2:82: a counter has no key \"hlep\"; did you mean help?"},
		{"a reference is not checked if the name of a counter cannot be read", definitionWith("{name: B, type: PERF_RAW_FRACTION, base: Base}, {nmae: Base, type: PERF_RAW_BASE}"),
			"a.yaml:2:85: a counter has no key \"nmae\"; did you mean name?"},
		{"a language must be a tag or a number", "provider: A\ncounterSets: [{name: {en_US: A}, counters: []}]",
			"a.yaml:2:23: \"en_US\" is not a language; write a tag such as en or de-DE, or a number in hexadecimal such as 009"},
	} {
		_, err := Parse("a.yaml", []byte(tt.text))
		if err == nil {
			t.Errorf("%s: no error", tt.reason)
		} else if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func definitionWith(counters string) string {
	return "provider: A\ncounterSets: [{name: S, counters: [" + counters + "]}]"
}

// TestSchema checks that the JSON Schema and the page of keys are up to date.
func TestSchema(t *testing.T) {
	t.Parallel()
	golden.File(t, "../docs/schema/perfblock-definition.schema.json", string(schema()))
	golden.File(t, "../docs/schema/definition-keys.md", string(keysPage()))
}
