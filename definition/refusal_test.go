package definition

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestRefusalsAreFound checks that a definition for which some file cannot be written has a finding at the value, and
// that a definition without such a finding has all files.
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
		{"a line end in the name of the provider, which is that of the service", "provider: \"a\\nb\"\n" + set, "provider"},
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

// manyLanguages returns more texts in languages than a form can have.
func manyLanguages() string {
	var list []string
	for i := range mostLanguages + 1 {
		list = append(list, `"`+languageTag(uint16(0x1001+i))+`": a`)
	}
	return strings.Join(list, ", ")
}
