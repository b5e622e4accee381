package definition_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// utf16Of returns a text in UTF-16, with a byte order mark.
func utf16Of(t *testing.T, text string) string {
	t.Helper()
	b, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestDetect checks which files are definitions.
func TestDetect(t *testing.T) {
	t.Parallel()
	wide := func(text string) string { return utf16Of(t, text) }
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
		{"a.h", "#define QUEUES 0\n", definition.Header, "a macro with a number can be a symbol"},
		{"a.h", "#define QUEUES_H\nint f(void);\n", none, "a header without numbers"},
		{"a.man", `<instrumentationManifest><instrumentation><counters/></instrumentation></instrumentationManifest>`, definition.Manifest, "a manifest with counters"},
		{"a.man", wide(`<c:counterSet/>`), definition.Manifest, "UTF-16 is decoded, and a namespace prefix is ignored"},
		{"a.man", `<instrumentationManifest><events/></instrumentationManifest>`, none, "a manifest without counters defines nothing"},
		{"a.reg", "Windows Registry Editor Version 5.00\n\n[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\shop\\Performance]\n\"Library\"=\"shop.dll\"\n", definition.Registry, "the values of a provider"},
		{"a.reg", "Windows Registry Editor Version 5.00\n\n[HKEY_LOCAL_MACHINE\\A]\n\"Block\"=hex:50,00,45,00\n", none, "a block in the registry"},
		{"a.txt", "1\n1847\n2\nSystem\n4\nMemory\n", definition.Titles, "a title database with any name"},
		{"perflib.ini", "[Perflib]\nBase Index=1847\n[PerfStrings_009]\n2=System\n", definition.Titles, "a file of lodctr /S"},
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

// TestTitles checks the places of findings in title databases, and the lines that reports show for these places.
func TestTitles(t *testing.T) {
	t.Parallel()
	bytesOf := func(list string) string {
		var b strings.Builder
		for _, c := range []byte(list) {
			b.WriteString(string([]byte{c, 0}))
		}
		return strings.ReplaceAll(b.String(), "|", "\x00")
	}
	for _, tt := range []struct {
		reason, path, text string
		want               []string
	}{
		{"bytes have no lines, so strings are counted", "Counter 009", bytesOf("1|1847|2|System|7|Memory|x|Y"), []string{
			`5 "7" the index is 7 at 0x20, must be even for a name`,
			`7 "x" the index is "x" at 0x32, must be a decimal number`,
			`8 "Y" the list ends in the string "Y" at 0x36, must have a NUL after each string and an empty string at the end`,
		}},
		{"text has lines", "names.txt", "1\r\n1847\r\n2\r\nSystem\r\n7\r\nMemory\r\n", []string{`5 "7" the index is 7, must be even for a name`}},
		{"lodctr writes code page 1252", "perflib.ini", "[PerfStrings_007]\n2=Z\xE4hler\nGr\xF6\xDFe\n", []string{`3 "Größe" the line "Größe" has no =, must be INDEX=TEXT`}},
	} {
		f, err := definition.Read(tt.path, []byte(tt.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		lines := f.Lines([]byte(tt.text))
		var v validate.Validator
		var got []string
		for _, f := range f.Check(&v).Findings {
			if f.Severity != validate.Info {
				got = append(got, fmt.Sprintf("%d %q %s", f.Line, lines[f.Line-1], f.Message()))
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
		if _, err := f.Definition(); err == nil {
			t.Error("a title database is a definition")
		}
	}
}

// TestLines checks that a place of a finding is in the line that Lines returns, whatever the encoding of the file.
func TestLines(t *testing.T) {
	t.Parallel()
	japanese, err := japanese.ShiftJIS.NewEncoder().String("待ち行列")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ reason, path, text, want string }{
		{"a character of code page 932 has two bytes", "a.ini", "[info]\n[languages]\n011=Japanese\n[text]\nA_011_NAME=" + japanese + "\n", "A_011_NAME=待ち行列"},
		{"bytes of code page 1252 that could be UTF-8", "a.h", "#define A 0 // \xC3\xA4 \xE4\n", "#define A 0 // Ã¤ ä"},
		{"UTF-16", "a.h", utf16Of(t, "#define A 0\n"), "#define A 0"},
		{"the encoding of a manifest", "a.man", "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>\n<instrumentationManifest><instrumentation><counters>\n<!-- Gr\xF6\xDFe -->\n</counters></instrumentation></instrumentationManifest>", "<!-- Größe -->"},
		{"UTF-8", "a.yaml", "provider: Größe\ncounterSets: []\n", "provider: Größe"},
	} {
		f, err := definition.Read(tt.path, []byte(tt.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Lines([]byte(tt.text)); !slices.Contains(got, tt.want) {
			t.Errorf("%s: %q, want a line %q", tt.reason, got, tt.want)
		}
	}
}

// TestNames checks that Names returns only unique names.
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

// TestUnknownForm checks that an unknown form has neither extensions nor a description.
func TestUnknownForm(t *testing.T) {
	t.Parallel()
	f := definition.Titles + 1
	if f.String() != "?" || f.Extensions() != nil || f.Doc() != "" {
		t.Errorf("got %q, %q and %q", f, f.Extensions(), f.Doc())
	}
}
