package definition_test

import (
	"errors"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/layout"
)

// TestDetect checks which files are definitions.
func TestDetect(t *testing.T) {
	t.Parallel()
	wide := func(text string) string {
		b, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	const none = definition.Form(0xFF)
	for _, tt := range []struct {
		path, text string
		want       definition.Form
		reason     string
	}{
		{"a.yaml", "provider: Shop\ncounterSets: []\n", definition.YAML, "a definition"},
		{"a.YML", "# a comment\ncounterSets:\n  - {}\n", definition.YAML, "the provider is missing, which reading reports"},
		{"a.yaml", "provider: [\n", definition.YAML, "a text with a fault has a form"},
		{"a.yaml", wide("provider: Shop\n"), definition.YAML, "PowerShell writes UTF-16"},
		{"a.json", `{"provider": "Shop"}`, definition.YAML, "on one line"},
		{"a.json", "{\n  \"counterSets\": []\n}", definition.YAML, "on several lines"},
		{"a.yaml", "SystemName: HOST\nobjects: []\n", none, "a spec"},
		{"a.yaml", "provider:\n  name: aws\n", none, "another tool has a mapping as its provider"},
		{"a.yaml", "text: |\n  provider: Shop\n", none, "the key is not at the top"},
		{"a.ini", "[info]\ndrivername=Shop\n[text]\nA_009_NAME=A\n", definition.INI, "names for lodctr"},
		{"a.ini", wide("[languages]\n009=English\n[text]\nA_009_NAME=A\n"), definition.INI, "no section info, which the rules report"},
		{"desktop.ini", "[.ShellClassInfo]\nIconIndex=0\n", none, "another .ini file"},
		{"a.h", "#define QUEUES 0\n", definition.Header, "a header with a number"},
		{"a.h", "#define QUEUES_H\nint f(void);\n", none, "a header without numbers"},
		{"a.man", `<instrumentationManifest><instrumentation><counters/></instrumentation></instrumentationManifest>`, definition.Manifest, "a manifest with counters"},
		{"a.man", wide(`<c:counterSet/>`), definition.Manifest, "a prefix, and UTF-16"},
		{"a.man", `<instrumentationManifest><events/></instrumentationManifest>`, none, "a manifest with events only"},
		{"a.reg", "Windows Registry Editor Version 5.00\n\n[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\shop\\Performance]\n\"Library\"=\"shop.dll\"\n", definition.Registry, "the values of a provider"},
		{"a.reg", "Windows Registry Editor Version 5.00\n\n[HKEY_LOCAL_MACHINE\\A]\n\"Block\"=hex:50,00,45,00\n", none, "a block in the registry"},
		{"a.txt", "provider: Shop\n", none, "the name has no extension of a form"},
	} {
		if form, ok := definition.Detect(tt.path, []byte(tt.text)); ok != (tt.want != none) || ok && form != tt.want {
			t.Errorf("%s %q: %v, %v: %s", tt.path, tt.text, form, ok, tt.reason)
		}
	}
	if definition.YAML.IsPart() || !definition.Header.IsPart() {
		t.Error("only a header is a part of another file")
	}
}

// TestNames checks that a name identifies one element.
func TestNames(t *testing.T) {
	t.Parallel()
	f, err := definition.Read("a.yaml", []byte(`provider: Shop
counterSets:
  - {name: Queues, counters: [{name: Depth, type: PERF_COUNTER_RAWCOUNT}, {name: Same, type: PERF_COUNTER_RAWCOUNT}, {name: Same, type: PERF_COUNTER_RAWCOUNT}]}
  - {name: Depth, counters: [{name: Depth, type: PERF_COUNTER_RAWCOUNT}]}
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	name := f.Names()
	for path, want := range map[string]string{
		"counterSet[0]": "Queues", "counterSet[0].counter[0]": "Depth", "counterSet[1].counter[0]": "Depth",
		"counterSet[0].counter[1]": "", "counterSet[0].counter[2]": "", "counterSet[2]": "", "": "", "counterSet[0].name": "",
	} {
		p, err := layout.ParsePath(path)
		if path == "" {
			p, err = layout.Path{}, nil
		}
		if got := name(p); got != want || err != nil {
			t.Errorf("%q: %q, %v, want %q", path, got, err, want)
		}
	}
	header, err := definition.Read("a.h", []byte("#define A 0"), nil)
	if err != nil || header.Names()(layout.Path{}.At("counterSet", 0)) != "" {
		t.Errorf("a header has no names: %v", err)
	}
	if _, err := definition.Read("a.txt", nil, nil); err == nil || errors.Unwrap(err) != nil {
		t.Errorf("a file without a form: %v", err)
	}
}
