package definition

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// manifest returns a random provider that a manifest can hold. Its counter types and kinds of instances exist in
// manifests, and each text in several languages has an id.
func (r random) manifest() *Provider {
	p := r.provider()
	p.SchemaVersion = []string{"", "1.0", "1.1", "2.0", "3"}[r.IntN(5)]
	p.Type = []string{"", userMode, kernelMode}[r.IntN(3)]
	p.Callback = []string{"", "default", "custom"}[r.IntN(3)]
	n := uint32(0)
	for t := range p.placedTexts() {
		if n++; len(t.text.Languages) > 0 {
			t.text.ID, t.text.Neutral = "S."+decimal(n), ""
		}
	}
	for i := range p.CounterSets {
		s := &p.CounterSets[i]
		if s.Instances == layout.PERF_COUNTERSET_INSTANCE_AGGREGATE {
			s.Instances = layout.PERF_COUNTERSET_MULTI_INSTANCES
		}
		if r.sometimes(3) {
			s.Structs = []Struct{{Name: "Values", Type: "VALUES"}, {Name: "More", Type: "MORE_VALUES"}}
		}
		for j := range s.Counters {
			c := &s.Counters[j]
			if c.Type == layout.PERF_COUNTER_NODATA || c.Type == layout.PERF_COUNTER_HISTOGRAM_TYPE {
				c.Type = layout.PERF_COUNTER_RAWCOUNT
			}
			if r.sometimes(4) {
				c.Name = Text{}
			}
			for _, ref := range c.references() {
				if *ref.to != "" && r.sometimes(4) {
					*ref.to = s.Counters[r.IntN(len(s.Counters))].label()
				}
			}
		}
	}
	for i := range p.CounterSets { // remove references to counters that have lost their names
		s := &p.CounterSets[i]
		for j := range s.Counters {
			for _, ref := range s.Counters[j].references() {
				if s.Find(*ref.to) == nil {
					*ref.to = ""
				}
			}
		}
	}
	return p
}

// throughManifest returns what remains of p in a manifest, and the number of lost values.
func throughManifest(p *Provider) (c *Provider, losses int) {
	c = derived(p)
	lose := func(is bool) {
		if is {
			losses++
		}
	}
	for _, text := range []*string{&c.Service, &c.Header, &c.Library, &c.Open, &c.Collect, &c.Close, &c.Package} {
		lose(*text != "")
		*text = ""
	}
	lose(p.Name != c.Name)
	lose(c.Trusted)
	lose(c.FirstCounter != nil)
	c.Trusted, c.FirstCounter = false, nil
	for i := range c.CounterSets {
		s := &c.CounterSets[i]
		lose(s.Title != nil)
		s.Title = nil
		for j := range s.Counters {
			k := &s.Counters[j]
			lose(k.Title != nil)
			lose(k.Offset != nil)
			k.Title, k.Offset = nil, nil
			if k.DetailLevel > layout.PERF_DETAIL_ADVANCED {
				losses++
				k.DetailLevel = layout.PERF_DETAIL_ADVANCED
			}
		}
	}
	return c, losses
}

// TestManifestRoundTrip checks that a random provider is the same in its manifest, except for reported losses.
func TestManifestRoundTrip(t *testing.T) {
	t.Parallel()
	for seed := range uint64(long.Count(100, 500)) {
		p := newRandom(seed).manifest()
		text, lost, err := p.AppendManifest([]byte("before"), ManifestOptions{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		text, ok := bytes.CutPrefix(text, []byte("before"))
		if !ok {
			t.Fatal("the bytes before the manifest change")
		}
		want, n := throughManifest(p)
		if len(lost) != n {
			t.Errorf("seed %d: %d values are lost, want %d: %v", seed, len(lost), n, lost)
		}
		f := mustRead(t, "x.man", text)
		if diff := cmp.Diff(want, f.Provider, sameProviders); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s\n%s", seed, diff, text)
		}
		if more := f.manifest.lost(); more != nil {
			t.Errorf("seed %d: the written manifest has parts that are not read: %v", seed, more)
		}
		again, lost, err := f.Provider.AppendManifest(nil, ManifestOptions{})
		if err != nil || lost != nil || !bytes.Equal(again, text) {
			t.Fatalf("seed %d: %v, %v (-first +second):\n%s", seed, err, lost, cmp.Diff(string(text), string(again)))
		}
	}
}

// TestManifestToYAML checks that a manifest keeps every attribute when it is converted to YAML and back.
func TestManifestToYAML(t *testing.T) {
	t.Parallel()
	texts := [][]byte{}
	for _, text := range filesNamed(t, "*.man") {
		texts = append(texts, text)
	}
	for seed := range uint64(long.Seeds(50, 100)) {
		text, _, err := newRandom(seed).manifest().AppendManifest(nil, ManifestOptions{})
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	for _, text := range texts {
		p := mustRead(t, "x.man", text).Provider
		want, _, err := p.AppendManifest(nil, ManifestOptions{})
		if err != nil {
			t.Fatal(err)
		}
		yaml, err := p.AppendYAML(nil)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := mustRead(t, "x.yaml", yaml).Provider.AppendManifest(nil, ManifestOptions{})
		if diff := cmp.Diff(string(want), string(got)); err != nil || diff != "" {
			t.Fatalf("%v (-man +yaml):\n%s\n%s", err, diff, yaml)
		}
	}
}

// TestManifestLosses checks the messages about values that a manifest does not hold.
func TestManifestLosses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, yaml string
		version      string
		want         string // losses, or the error
	}{
		{"nothing is lost: the name of the provider is the start of the URI", "{name: A, type: PERF_COUNTER_RAWCOUNT}", "", ""},
		{"a manifest has no titles of V1", "{name: A, type: PERF_COUNTER_RAWCOUNT, title: 4}", "", "counterSet[0].counter[0].title at 6:57: the title 4: a manifest has no values of V1"},
		{"a manifest has only two detail levels", "{name: A, type: PERF_COUNTER_RAWCOUNT, detailLevel: expert}", "", "counterSet[0].counter[0].detailLevel at 6:63: the detail level expert is written as advanced: a manifest has standard and advanced"},
		{"one loss has all texts in other languages than English, and a name that is also the help text counts once", "{name: {de: B, en: A}, type: PERF_COUNTER_RAWCOUNT}\n        - {name: {fr: D, de: C, en: D}, type: PERF_COUNTER_RAWCOUNT}", "",
			"counterSet[0].counter[0].name at 6:18: 2 texts in de: a manifest without string tables has one text for all languages, and refers to the string resources in .rc and .syso files, which have each language"},
		{"version 1.1 does not refer to string resources", "{name: {en: A, de: B, fr: C}, type: PERF_COUNTER_RAWCOUNT}", "1.1",
			"counterSet[0].counter[0].name at 6:18: 2 texts in de and fr: a manifest without string tables has one text for all languages; write {string: ID, LANGUAGE: TEXT} for string tables"},
		{"the manifest has the text, but not its language", "{name: {de: A}, type: PERF_COUNTER_RAWCOUNT}", "",
			"counterSet[0].counter[0].name at 6:18: the language de of 1 text: a manifest without string tables has one text for all languages, and refers to the string resources in .rc and .syso files, which have each language"},
		{"a manifest has no counters without a value", "{name: A, type: PERF_COUNTER_NODATA}", "", "error: counterSet[0].counter[0].type at 6:27: type is PERF_COUNTER_NODATA, must be a value that the manifest schema defines"},
		{"a type must have a name", "{name: A, type: 0x10}", "", "error: counterSet[0].counter[0].type at 6:27: type is 0x00000010, must be a value that the manifest schema defines"},
		{"version 1.1 has no ids of resources", "{name: A, type: PERF_COUNTER_RAWCOUNT, nameID: 7}", "1.1", "counterSet[0].counter[0].nameID at 6:58: nameID is 7: a manifest of version 1.1 does not have it"},
		{"the version must be 1.1 or 2.0", "{name: A, type: PERF_COUNTER_RAWCOUNT}", "3", `error: the version of the manifest is "3", must be 1.1 or 2.0`},
		{"XML cannot hold control characters", `{name: "A\u0001", type: PERF_COUNTER_RAWCOUNT}`, "", "error: counterSet[0].counter[0].name at 6:18: name is \"A\\x01\", must have only characters that XML has"},
		{"readers would take the text as a reference to a string table", `{name: $(string.A), type: PERF_COUNTER_RAWCOUNT, help: A.}`, "", "error: counterSet[0].counter[0].name at 6:18: name is \"$(string.A)\", must not have the form of a reference to a string table"},
	} {
		text := "provider: Shop\ncounterSets:\n  - name: Queues\n    help: Queues.\n    counters:\n        - " + tt.yaml + "\n"
		_, lost, err := mustRead(t, "x.yaml", []byte(text)).Provider.AppendManifest(nil, ManifestOptions{Version: tt.version})
		var got []string
		if err != nil {
			got, lost = []string{"error: " + err.Error()}, nil
		}
		for _, l := range lost {
			got = append(got, l.String())
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
	p := shopDefinition(t)
	if _, lost, err := p.AppendManifest(nil, ManifestOptions{}); err != nil || lost != nil {
		t.Errorf("lost %v, %v, want nothing: the symbol and the binary are made from the name", lost, err)
	}
	p.Symbol = "QUEUES"
	_, lost, err := p.AppendManifest(nil, ManifestOptions{})
	const name = `provider at 2:11: the name of the provider and its service, "Shop": a manifest has no attribute for the name, so readers make the name "QUEUES" from symbol or applicationIdentity`
	if err != nil || len(lost) != 1 || lost[0].String() != name {
		t.Errorf("lost %v, %v, want %s", lost, err, name)
	}
	for _, tt := range []struct{ reason, yaml, want string }{
		{"neither the symbol, the binary nor the URI has the space", "provider: Big Cinema\ncounterSets: [{name: Rooms, counters: []}]\n", `the name of the provider and its service, "Big Cinema": a manifest has no attribute for the name, so readers make the name "big-cinema" from symbol or applicationIdentity`},
		{"the service is not made from the name", "provider: Big Cinema\nservice: cine\ncounterSets: [{name: Rooms, counters: []}]\n", `the name "Big Cinema": a manifest has no attribute for the name, so readers make the name "big-cinema" from symbol or applicationIdentity`},
		{"names differ in case only", "provider: cinema\ncounterSets: [{name: Rooms, counters: []}]\n", `the name of the provider and its service, "cinema": a manifest has no attribute for the name, so readers make the name "Cinema" from symbol or applicationIdentity`},
	} {
		_, lost, err := mustRead(t, "x.yaml", []byte(tt.yaml)).Provider.AppendManifest(nil, ManifestOptions{})
		if err != nil || !slices.ContainsFunc(lost, func(l Loss) bool { return l.Text == tt.want }) {
			t.Errorf("%s: lost %v, %v, want %s", tt.reason, lost, err, tt.want)
		}
	}
	set := Provider{Name: "P", CounterSets: []CounterSet{{Instances: layout.PERF_COUNTERSET_INSTANCE_AGGREGATE, Counters: []Counter{{Base: "B", Attributes: 32, Aggregate: 9}}}}}
	_, _, err = set.AppendManifest(nil, ManifestOptions{})
	const want = `counterSet[0].instances: instances is PERF_COUNTERSET_INSTANCE_AGGREGATE, must be a value that the manifest schema defines
counterSet[0].counter[0].base: base is "B", must be a counter of the set
counterSet[0].counter[0].aggregate: aggregate is 9, must be a value that the manifest schema defines
counterSet[0].counter[0].attributes: attributes has the undefined bits 0x20, must be a value that the manifest schema defines`
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %v", err, want)
	}
}

// TestManifestIntoOther checks which losses are reported when a changed provider is written into its manifest. The
// manifest has a string table, which AppendManifest does not change. It also has a comment and an unknown attribute,
// which a provider cannot hold.
func TestManifestIntoOther(t *testing.T) {
	t.Parallel()
	text := strings.Replace(shopManifest, `name="Queues"`, `name="$(string.Q)" colour="red"`, 1)
	text = strings.Replace(text, "  </instrumentation>\n", `  </instrumentation>
  <localization><resources culture="en-US"><stringTable><string id="Q" value="Queues"/></stringTable></resources></localization>
`, 1)
	text = strings.Replace(text, "    </counters>", "      <!-- one -->\n    </counters>", 1)
	f := mustRead(t, "x.man", []byte(text))
	p := mustRead(t, "x.man", []byte(text)).Provider
	p.CounterSets[0].Name.Languages["en-US"] = "Lines"
	out, lost, err := p.AppendManifest(nil, ManifestOptions{Into: f})
	if err != nil || string(out) != text {
		t.Errorf("%v: only a text of the string table changes, so the file must not change:\n%s", err, out)
	}
	want := []string{`counterSet[0].name at 6:106: the texts of the string "Q": the existing file keeps its string tables, in which the string has other texts or no text`}
	p.CounterSets[0].Counters[0].Scale = 2
	_, more, err := p.AppendManifest(nil, ManifestOptions{Into: f})
	if err != nil {
		t.Fatal(err)
	}
	wantMore := append(slices.Clone(want),
		`counterSet[0] at 6:125: the attribute "colour" is not in the schema, must be absent`,
		`at 10:7: the counters element has 1 comment, which a definition does not have`)
	for _, list := range []struct {
		got  []Loss
		want []string
	}{{lost, want}, {more, wantMore}} {
		var got []string
		for _, l := range list.got {
			got = append(got, l.String())
		}
		if diff := cmp.Diff(list.want, got); diff != "" {
			t.Errorf("lost (-want +got):\n%s", diff)
		}
	}
}

// TestManifestVersionOfOther writes a definition without a schemaVersion into a manifest of version 1.1. The manifest
// must keep version 1.1, which has no ids.
func TestManifestVersionOfOther(t *testing.T) {
	t.Parallel()
	p := mustRead(t, "x.yaml", []byte("provider: Shop\ncounterSets:\n  - {name: Queues, nameID: 7, help: Queues., counters: [{name: Depth, help: Depth., type: PERF_COUNTER_RAWCOUNT}]}\n")).Provider
	text, lost, err := p.AppendManifest(nil, ManifestOptions{Into: mustRead(t, "x.man", []byte(shopManifest))})
	const want = "counterSet[0].nameID at 3:28: nameID is 7: a manifest of version 1.1 does not have it"
	if err != nil || len(lost) != 1 || lost[0].String() != want || bytes.Contains(text, []byte("nameID")) {
		t.Errorf("%v: lost %v, want %s:\n%s", err, lost, want, text)
	}
}

// TestManifestVersionAbsent converts a manifest without a schemaVersion to YAML and back. The result must have no
// schemaVersion and no nameID.
func TestManifestVersionAbsent(t *testing.T) {
	t.Parallel()
	p := mustRead(t, "x.man", []byte(strings.Replace(shopManifest, ` schemaVersion="1.1"`, "", 1))).Provider
	yaml, err := p.AppendYAML(nil)
	if err != nil {
		t.Fatal(err)
	}
	text, lost, err := mustRead(t, "x.yaml", yaml).Provider.AppendManifest(nil, ManifestOptions{})
	if err != nil || lost != nil || bytes.Contains(text, []byte("schemaVersion")) || bytes.Contains(text, []byte("nameID")) {
		t.Errorf("%v, %v:\n%s", err, lost, text)
	}
}

// TestDerivedSymbols checks that a manifest can have two counters whose names give the same symbol.
func TestDerivedSymbols(t *testing.T) {
	t.Parallel()
	line := strings.Split(shopManifest, "\n")[6]
	text := []byte(strings.Replace(shopManifest, line, strings.NewReplacer(`"Depth"`, `"A-B"`).Replace(line)+
		strings.NewReplacer(`"Depth"`, `"A B"`, `id="1"`, `id="2"`, ".Depth", ".B").Replace(line), 1))
	var v validate.Validator
	f := mustRead(t, "x.man", text)
	made, lost, err := f.Provider.AppendManifest(nil, ManifestOptions{})
	if err != nil || lost != nil {
		t.Fatal(err, lost)
	}
	g := mustRead(t, "y.man", made)
	if diff := cmp.Diff(derived(f.Provider), g.Provider, sameProviders); diff != "" {
		t.Errorf("written and read (-want +got):\n%s", diff)
	}
	for _, f := range []*File{f, g} {
		if errs := f.Check(&v).Err(validate.Error); errs != nil {
			t.Errorf("%s: %v", f.Path, errs)
		}
	}
	// In YAML, two counters with equal default symbols are an error, because generated code has one constant for each
	// symbol.
	yaml := &File{Form: YAML, Provider: f.Provider}
	if got := yaml.findings(); !slices.ContainsFunc(got, func(f validate.Finding) bool { return f.Rule.Name == "manifest-duplicate-symbol" }) {
		t.Errorf("the findings in YAML are %v", got)
	}
}

// TestManifestErrorWritesNothing checks that an error leaves the destination as it is.
func TestManifestErrorWritesNothing(t *testing.T) {
	t.Parallel()
	p, err := Parse("a.yaml", []byte("provider: Shop\ncounterSets:\n  - {name: Queues, counters: [{name: Depth, type: 0x12345678}]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	b, lost, err := p.AppendManifest([]byte("before"), ManifestOptions{})
	if err == nil || string(b) != "before" || lost != nil {
		t.Errorf("got %q, %v, %v, want the destination and an error", b, lost, err)
	}
}
