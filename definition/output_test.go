package definition

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOutputs checks the files, or the error, for definitions whose values become file names or C identifiers.
func TestOutputs(t *testing.T) {
	t.Parallel()
	const counters = "\n    counters:\n      - {name: a/b, type: PERF_COUNTER_RAWCOUNT}\n"
	const set = "counterSets:\n  - name: S" + counters
	for _, tt := range []struct {
		reason, text string
		want         string // an error, or else a name of a file
	}{
		{"a header in another folder is written beside the other files", "provider: Shop\nheader: ../../evil.h\n" + set, "evil.h"},
		{"a header in a folder of Windows is written beside the other files", "provider: Shop\nheader: 'c:\\inc\\shop.h'\n" + set, "shop.h"},
		{"two files must not have the same name", "provider: Shop\nheader: Shop.yaml\n" + set, `header at 2:9: "Shop.yaml" is the name of two files to write, must be a name that ends in .h`},
		{"Windows has no file with the name of a device", "provider: CON\n" + set, "con-counters.h"},
		{"the name of a file has at most 255 bytes", "provider: " + strings.Repeat("a", 300) + "\n" + set, strings.Repeat("a", 200) + "_windows_amd64.syso"},
		{"a definition without texts has no language", "provider: Shop\ncounterSets:\n  - {name: '', counters: []}\n", "shop.ini"},
		{"a line end in the name of the service would be a line of the .ini file", "provider: Shop\nservice: \"a\\n[text]\"\n" + set, `shop.ini: service at 2:10: service is "a\n[text]", must have no control character, and no space at its start or end`},
		{"two names can become one symbol", "provider: Shop\n" + set + "      - {name: a per b, type: PERF_COUNTER_RAWCOUNT}\n",
			`shop.ini and shop.h: counterSet[0].counter[1].symbol at 6:9: the symbol "S_A_PER_B" of "a per b" is also the symbol of "a/b", must be unique; choose another with symbol: NAME`},
		{"a symbol with a line end would be a line of the header", "provider: Shop\ncounterSets:\n  - name: S\n    symbol: \"A 1\\n#error\"" + counters,
			`shop.ini, shop.h and shop_counters.c: counterSet[0].symbol at 4:13: the symbol of "S" is "A 1\n#error", must be an identifier of C: letters, digits and _`},
	} {
		p, err := Parse("shop.yaml", []byte(tt.text))
		if err != nil {
			t.Fatal(tt.reason, err)
		}
		list, err := p.Outputs(nil)
		var got []string
		for _, one := range list {
			got = append(got, one.Name)
		}
		if err != nil {
			got = []string{err.Error()}
		}
		if all := "\n" + strings.Join(got, "\n"); !strings.Contains(all, tt.want) || err == nil && !strings.Contains(all+"\n", "\n"+tt.want+"\n") {
			t.Errorf("%s: got %s, want %s", tt.reason, all, tt.want)
		}
	}
}

// TestInsertGUIDsLine checks that InsertGUIDs takes linear time for many sets on one line.
func TestInsertGUIDsLine(t *testing.T) {
	t.Parallel()
	const sets = 5_000
	text := []byte(`{"provider": "é", "counterSets": [` + strings.TrimSuffix(strings.Repeat(`{"name": "é`+strings.Repeat("x", 500)+`", "counters": []}, `, sets), ", ") + `]}`)
	p, err := Parse("shop.json", text)
	if err != nil {
		t.Fatal(err)
	}
	text, err = p.InsertGUIDs(text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse("shop.json", text)
	if err != nil {
		t.Fatal(err)
	}
	if again.GUID != p.ID() || again.CounterSets[sets-1].GUID != p.SetID(&p.CounterSets[sets-1]) || again.WriteGUIDs() != 0 {
		t.Error("a GUID is missing")
	}
}

// TestInsertGUIDsWrong checks that InsertGUIDs refuses texts that it would damage: texts with line ends other than LF
// and CR LF, and texts with a GUID of zeros.
func TestInsertGUIDsWrong(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"provider: Shop\ncounterSets:\n  - name: \"a\u2028b\u2028\"\n    counters: []\n  - name: c\n    counters: []\n", // a line end in YAML
		"provider: Shop\rcounterSets:\r  - name: a\r    counters: []\r",
		"provider: Shop\nguid: '{00000000-0000-0000-0000-000000000000}'\ncounterSets: []\n",
	} {
		p, err := Parse("shop.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.InsertGUIDs([]byte(text)); err == nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestOutputPlaces checks the errors for values that an output cannot hold. Each error must have the place of the value
// and a remedy.
func TestOutputPlaces(t *testing.T) {
	t.Parallel()
	const counters = "\n    counters:\n      - {name: Depth, type: PERF_COUNTER_RAWCOUNT}\n"
	for _, tt := range []struct{ reason, text, name, want string }{
		{"a name that begins or ends with a space", "provider: Shop\ncounterSets:\n  - name: 'Queues '" + counters, "shop.ini",
			`counterSet[0].name at 3:11: the name is "Queues ", must have no control character, and no space at its start or end`},
		{"a neutral name is in each language, and its fault is reported once", "provider: Shop\ncounterSets:\n  - name: 'Queues '\n    help: {en: a, de: b}" + counters, "shop.ini",
			`counterSet[0].name at 3:11: the name is "Queues ", must have no control character, and no space at its start or end`},
		{"an id that is too large", "provider: Shop\ncounterSets:\n  - name: Queues\n    nameID: 70000" + counters, "shop.rc",
			`counterSet[0].nameID at 4:13: nameID of "Queues" is 70000, must be at most 65535; write a smaller nameID or resourceBase`},
		{"ids from a base that is too large", "provider: Shop\nresourceBase: 65535\ncounterSets:\n  - name: Queues" + counters, "shop.rc",
			`counterSet[0].counter[0].nameID at 6:9: nameID of "Depth" is 65536, must be at most 65535; write a smaller nameID or resourceBase`},
		{"an id of two texts", "provider: Shop\ncounterSets:\n  - name: Queues\n    help: Q.\n    nameID: 7\n    helpID: 7" + counters, "shop_windows_386.syso",
			`counterSet[0].helpID at 6:13: helpID of "Q." is 7, which is also the id of another text, must be unique`},
		{"a language without a number", "provider: Shop\ncounterSets:\n  - name: {en: Queues, xx-YY: q}" + counters, "shop.ini",
			`counterSet[0].name at 3:11: the language is "xx-YY", must be a known tag such as en or de-DE, or a number such as 009`},
		{"a language without a number, for a string resource", "provider: Shop\ncounterSets:\n  - name: {en: Queues, xx-YY: q}" + counters, "shop.rc",
			`counterSet[0].name at 3:11: the language is "xx-YY", must be a known tag such as en or de-DE, or a number such as 009`},
		{"a control character in a resource script", "provider: Shop\ncounterSets:\n  - name: Queues\n    help: \"a\\tb\"" + counters, "shop.rc",
			`counterSet[0].help at 4:11: the help is "a\tb", must have no control character`},
		{"a control character in the registry", "provider: Shop\nlibrary: \"a\\tb\"\ncounterSets:\n  - name: Queues" + counters, "shop.reg",
			`library at 2:10: library is "a\tb", must have no control character`},
		{"an odd index", "provider: Shop\nfirstCounter: 5001\ncounterSets:\n  - name: Queues" + counters, "shop.reg",
			`firstCounter at 2:15: the index is 5001, must be even`},
	} {
		p, err := Parse("shop.yaml", []byte(tt.text))
		if err != nil {
			t.Fatal(tt.reason, err)
		}
		if _, err := p.Output(tt.name, nil); err == nil || err.Error() != tt.want {
			t.Errorf("%s:\n got %v\nwant %s", tt.reason, err, tt.want)
		}
	}
}

// TestOutputsLost checks the losses that Outputs and Output report. Outputs writes several files, and does not report a
// value that another file has. Output writes one form, and reports each value that the form lacks, once.
func TestOutputsLost(t *testing.T) {
	t.Parallel()
	text := []byte(`provider: Shop
service: shopsvc
package: counters
counterSets:
  - name: {en: Queues, de: Warteschlangen}
    help: {en: Queues of the shop., de: Die Schlangen.}
    counters:
      - {name: {en: Depth, de: Tiefe}, type: PERF_COUNTER_RAWCOUNT, title: 8, offset: 16, detailLevel: expert}
      - {name: Hits, type: PERF_RAW_FRACTION}
`)
	p, err := Parse("shop.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	const level = `counterSet[0].counter[0].detailLevel at 8:104: the detail level expert is written as advanced: a manifest has standard and advanced`
	const noBase = `counterSet[0].counter[1].type at 9:28: the V1 struct%s of the set "Queues": "Hits" has no base`
	for _, tt := range []struct {
		reason, name string // "" for all forms
		want         []string
	}{
		{"other files have the languages and the values of V1, but V2 has no level expert, and V1 has no fraction without a base", "", []string{
			"shop.man: " + level, "shop.go: " + fmt.Sprintf(noBase, ""), "shop_counters.c: " + fmt.Sprintf(noBase, " and functions")}},
		{"a manifest alone lacks the languages and the values of V1", "shop.man", []string{
			`shop.man: service at 2:10: the service "shopsvc": a manifest has no values of V1`,
			`shop.man: package at 3:10: the package "counters": a manifest has no name of a Go package`,
			"shop.man: " + level,
			`shop.man: counterSet[0].counter[0].title at 8:76: the title 8: a manifest has no values of V1`,
			`shop.man: counterSet[0].counter[0].offset at 8:87: the offset 16: a manifest has no values of V1`,
			`shop.man: counterSet[0].name at 5:11: 3 texts in de: a manifest without string tables has one text for all languages, and refers to the string resources in .rc and .syso files, which have each language`,
		}},
	} {
		list, err := p.Outputs(nil)
		if tt.name != "" {
			list, err = p.Output(tt.name, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, one := range list {
			for _, l := range one.Lost {
				got = append(got, one.Name+": "+l.String())
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}
