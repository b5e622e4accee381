package definition

import (
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestRefusalsAreFound checks that a rule reports each value that prevents a file from being written. If no rule
// reports a value of a definition, all files must be written.
func TestRefusalsAreFound(t *testing.T) {
	t.Parallel()
	const counters = "\n    counters:\n      - {name: Depth, help: Messages., type: PERF_COUNTER_RAWCOUNT}\n"
	const set = "counterSets:\n  - name: Q" + counters
	for _, tt := range []struct {
		reason, text string
		path         string // of the finding, or "" if all files can be written
	}{
		{"all values can be written", "provider: Shop\n" + set, ""},
		{"a NUL in a name", "provider: Shop\ncounterSets:\n  - name: \"Q\\0\"" + counters, "counterSet[0].name"},
		{"a line end in a help text", "provider: Shop\ncounterSets:\n  - name: Q\n    help: \"a\\nb\"" + counters, "counterSet[0].help"},
		{"a space at the end, in one language", "provider: Shop\ncounterSets:\n  - name: {en: Q, de: 'R '}" + counters, "counterSet[0].name"},
		{"an unknown language", "provider: Shop\ncounterSets:\n  - name: {en: Q, xx: R}" + counters, "counterSet[0].name"},
		{"a symbol with a space", "provider: Shop\ncounterSets:\n  - name: Q\n    symbol: a b" + counters, "counterSet[0].symbol"},
		{"a set with the symbol of a counter", "provider: Shop\ncounterSets:\n  - name: Q" + counters + "  - name: Q Depth" + counters, "counterSet[1].symbol"},
		{"two counters with one symbol", "provider: Shop\n" + set + "      - {name: depth, help: Messages., type: PERF_COUNTER_RAWCOUNT}\n", "counterSet[0].counter[1].symbol"},
		{"a line end in the name of the provider, which is also the name of the service", "provider: \"a\\nb\"\n" + set, "provider"},
		{"a service that is a path", "provider: Shop\nservice: a\\b\n" + set, "service"},
		{"a DLL with a line end", "provider: Shop\nlibrary: \"a\\nb\"\n" + set, "library"},
		{"a header with the name of another file", "provider: Shop\nheader: shop.rc\n" + set, "header"},
		{"a header with the name of the header of the C source", "provider: Shop\nheader: shop_counters.h\n" + set, ""},
		{"an odd index", "provider: Shop\nfirstCounter: 5001\n" + set, "firstCounter"},
		{"an index of 33 bits", "provider: Shop\nfirstCounter: 4294967294\n" + set, "firstCounter"},
		{"a package with the name of a keyword", "provider: Shop\npackage: func\n" + set, "package"},
		{"an id of 17 bits", "provider: Shop\ncounterSets:\n  - name: Q\n    nameID: 70000" + counters, "counterSet[0].nameID"},
		{"an id of two texts", "provider: Shop\ncounterSets:\n  - name: Q\n    nameID: 3\n    help: h\n    helpID: 3" + counters, "counterSet[0].helpID"},
		{"a binary with a character that XML does not have", "provider: Shop\nbinary: \"a\\x01\"\n" + set, "binary"},
		{"a name that is a reference in a manifest", "provider: Shop\ncounterSets:\n  - name: $(string.A)" + counters, "counterSet[0].name"},
		{"a string with two texts", "provider: Shop\ncounterSets:\n  - name: {string: A, en: Q}\n    help: {string: A, en: R}" + counters, "counterSet[0].help"},
		{"a type that manifests do not have", "provider: Shop\ncounterSets:\n  - name: Q\n    counters: [{name: D, help: D., type: PERF_COUNTER_NODATA}]\n", "counterSet[0].counter[0].type"},
		{"a kind of instances that manifests do not have", "provider: Shop\ncounterSets:\n  - name: Q\n    instances: instanceAggregate" + counters, "counterSet[0].instances"},
		{"a text that is too long", "provider: Shop\ncounterSets:\n  - name: Q\n    help: " + strings.Repeat("x", 70_000) + counters, "counterSet[0].help"},
		{"too many languages", "provider: Shop\ncounterSets:\n  - name: {" + manyLanguages() + "}" + counters, ""},
	} {
		p, err := Parse("shop.yaml", []byte(tt.text))
		if err != nil {
			t.Fatal(tt.reason, err)
		}
		_, refused := p.Outputs(nil)
		var v validate.Validator
		var found []layout.Path
		for _, f := range (&File{Form: YAML, Provider: p}).Check(&v).Findings {
			if f.Severity >= validate.Warning {
				found = append(found, f.Path)
			}
		}
		many := tt.reason == "too many languages" // a fault of the provider, whose path is ""
		switch {
		case (refused != nil) != (tt.path != "" || many):
			t.Errorf("%s: the files: %v", tt.reason, refused)
		case refused == nil && len(found) != 0, refused != nil && (len(found) == 0 || found[0].String() != tt.path):
			t.Errorf("%s: findings at %v, want %q: %v", tt.reason, found, tt.path, refused)
		}
	}
}

// manyLanguages returns texts in more languages than a definition can have.
func manyLanguages() string {
	var list []string
	for i := range mostLanguages + 1 {
		list = append(list, `"`+languageTag(uint16(0x1001+i))+`": a`)
	}
	return strings.Join(list, ", ")
}

// TestRandomRefusals sets one value of a definition to a hostile text. A rule must report each definition for which a
// file cannot be written.
func TestRandomRefusals(t *testing.T) {
	t.Parallel()
	hostile := []string{"a\x00b", "a\nb", " a", "a\\b]", "CON", "7up", "$(string.A)", "é\"*/", "..", "a\uFFFEb", "shop.rc", "DEPTH", ""}
	for seed := range uint64(long.Seeds(300, 2000)) {
		r := newRandom(seed)
		p, err := Parse("shop.yaml", []byte(`provider: Shop
counterSets:
  - name: {string: Q, en: Queues, de: Warteschlangen}
    counters:
      - {name: Depth, type: PERF_COUNTER_RAWCOUNT}
      - {name: Hits, type: PERF_RAW_FRACTION, base: {name: Lookups}}
  - {name: Shop, counters: [{name: Orders, type: PERF_COUNTER_RAWCOUNT}]}
`))
		if err != nil {
			t.Fatal(err)
		}
		s := &p.CounterSets[r.IntN(2)]
		texts := []*string{&p.Name, &p.Symbol, &p.Service, &p.Header, &p.Library, &p.Open, &p.Package, &p.Binary, &p.WMIPrefix, &s.URI, &s.Symbol, &s.Name.Neutral, &s.Help.Neutral, &s.Name.ID}
		numbers := []**uint32{&p.FirstCounter, &p.ResourceBase, &s.NameID, &s.HelpID, &s.Title}
		c := &s.Counters[r.IntN(len(s.Counters))]
		texts = append(texts, &c.Name.Neutral, &c.Help.Neutral, &c.Symbol, &c.URI, &c.Struct, &c.Field)
		numbers = append(numbers, &c.NameID, &c.HelpID, &c.Title, &c.Offset)
		if r.sometimes(2) {
			*texts[r.IntN(len(texts))] = hostile[r.IntN(len(hostile))]
		} else {
			*numbers[r.IntN(len(numbers))] = new([]uint32{0, 1, 3, 0xFFFF, 0x10000, 0xFFFFFFFE, 0xFFFFFFFF}[r.IntN(7)])
		}
		checkRefused(t, p)
	}
}

// checkRefused checks that a rule reports the definition p if Outputs returns an error.
func checkRefused(t *testing.T, p *Provider) {
	t.Helper()
	_, err := p.Outputs(nil)
	if err == nil {
		return
	}
	for _, f := range (&File{Form: YAML, Provider: p}).findings() {
		switch f.Rule.Name {
		case "def-output", "def-manifest", "def-language", "manifest-duplicate-symbol":
			return
		}
	}
	t.Errorf("no rule reports that files cannot be written: %v", err)
}

// TestControlCharactersInForms checks that rules report control characters in the texts of a definition and of a
// manifest.
func TestControlCharactersInForms(t *testing.T) {
	t.Parallel()
	p := mustRead(t, "x.yaml", []byte("provider: Shop\ncounterSets:\n  - name: \"Que\\nues\"\n    help: Queues.\n    counters:\n      - {name: Depth, type: PERF_COUNTER_RAWCOUNT, help: {en: Depth., de: \"Tie\\tfe.\"}}\n")).Provider
	for _, tt := range []struct{ reason, ext, rule, want string }{
		{"an .ini file cannot have a line end in a name", ".yaml", "def-output", `the name is "Que\nues"`},
		{"a language other than English", ".yaml", "def-output", `the help in the language de is "Tie\tfe."`},
		{"XML can have a reference to a line end", ".man", "ini-text-plain", `the name is "Que\nues"`},
	} {
		files, err := p.Output("x"+tt.ext, nil)
		if err != nil {
			t.Fatal(tt.reason, err)
		}
		var v validate.Validator
		result := mustRead(t, "x"+tt.ext, files[0].Contents).Check(&v)
		if !slices.ContainsFunc(result.Findings, func(f validate.Finding) bool { return f.Rule.Name == tt.rule && f.Got == tt.want }) {
			t.Errorf("%s: %s has no finding of %s that %s", tt.reason, tt.ext, tt.rule, tt.want)
		}
	}
}

// TestSymbolOfSet checks that a wrong symbol of a set is reported once, and not again for each counter with a derived
// symbol.
func TestSymbolOfSet(t *testing.T) {
	t.Parallel()
	p := mustRead(t, "x.yaml", []byte("provider: Shop\ncounterSets:\n  - name: Queues\n    symbol: 1-Q!\n    counters:\n      - {name: Depth, type: PERF_COUNTER_RAWCOUNT}\n      - {name: Length, symbol: 2-L, type: PERF_COUNTER_RAWCOUNT}\n")).Provider
	var got []string
	for _, r := range p.symbolRefusals() {
		got = append(got, r.path.String())
	}
	if want := []string{"counterSet[0].symbol", "counterSet[0].counter[1].symbol"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
