package definition

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"github.com/perfblock/perfblock/layout"
)

// noFile returns the error for a file that does not exist.
func noFile(name string) ([]byte, error) { return nil, os.ErrNotExist }

func singleFile(name, text string) func(string) ([]byte, error) {
	return func(wanted string) ([]byte, error) {
		if !strings.EqualFold(wanted, name) {
			return nil, fmt.Errorf("%s: %w", wanted, os.ErrNotExist)
		}
		return []byte(text), nil
	}
}

// TestReadINI checks forms of text that real .ini files have, but that the documentation does not mention or does not
// allow.
func TestReadINI(t *testing.T) {
	t.Parallel()
	const head = "[info]\ndrivername=Shop\nsymbolfile=shop.h\n[languages]\n009=English\n"
	const symbols = "#define QUEUES 0\n#define DEPTH 2\n"
	encoded := func(text string, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	utf16 := encodeUTF16(head + "[text]\nQUEUES_009_NAME=Größe\n")
	for _, tt := range []struct{ reason, ini, header, want string }{
		{"UTF-16 is known by its byte order mark", string(utf16), symbols, "Größe"},
		{"UTF-8 needs no byte order mark", head + "[text]\nQUEUES_009_NAME=Größe\n", symbols, "Größe"},
		{"other bytes are Windows-1252 if no language has another code page", encoded(charmap.Windows1252.NewEncoder().String(head + "[text]\nQUEUES_009_NAME=Größe\n")), symbols, "Größe"},
		{"the language decides the code page; in 932, the second byte of a character can be a backslash",
			encoded(japanese.ShiftJIS.NewEncoder().String(strings.ReplaceAll(head, "009=English", "011=日本語") + "[text]\nQUEUES_011_NAME=表示ソ\n")), symbols, "表示ソ"},
		{"Ctrl-Z ends the text, and the last line needs no line end", head + "[text]\nQUEUES_009_NAME=Queues\x1a", symbols, "Queues"},
		{"lines that begin with ; // or # are comments, also before the first section", "; a\n// b\n# c\n" + head + "[text]\n;x=y\nQUEUES_009_NAME=Queues\n", symbols, "Queues"},
		{"tabs and spaces around the key and the value are ignored", head + "[text]\n\tQUEUES_009_NAME\t = Queues \t\n", symbols, "Queues"},
		{"only the first equals sign ends the key", head + "[text]\nQUEUES_009_NAME=a=b\n", symbols, "a=b"},
		{"the case of section names does not matter, nor do spaces", strings.ReplaceAll(head, "[info]", "[ INFO ]") + "[TEXT]\nQUEUES_009_NAME=Queues\n", symbols, "Queues"},
		{"the header is found in any case, without its folder", strings.ReplaceAll(head, "shop.h", `inc\SHOP.H`) + "[text]\nQUEUES_009_NAME=Queues\n", symbols, "Queues"},
		{"only macros with a number are symbols", head + "[text]\nQUEUES_009_NAME=Queues\n",
			"/** a\n#define DEPTH 9 **/\n#ifndef A_H\n#define A_H\n#  include <x.h>\n#define QUEUES (0) // first\n# define\tDEPTH 0x2 /* x */\n#define LAST DEPTH\n#text\n#endif\n", "Queues, LAST missing"},
		{"a comment without an end extends to the end of the header", head + "[text]\nQUEUES_009_NAME=Queues\n", "#define QUEUES 0 / 1\n/*/ #define QUEUES 2\n*/#define QUEUES 0\n/* #define LAST 2\n/", "Queues"},
	} {
		f, err := Read("shop.ini", []byte(tt.ini), singleFile("shop.h", tt.header))
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		p, err := f.Definition()
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		want, _, _ := strings.Cut(tt.want, ",")
		if got := p.CounterSets[0].Name.String(); got != want || p.Name != "Shop" {
			t.Errorf("%s: the name is %q, want %q; the provider is %q", tt.reason, got, want, p.Name)
		}
	}
}

// TestHeader checks which lines of a header define a symbol, and the places of the symbols.
func TestHeader(t *testing.T) {
	t.Parallel()
	h, err := readHeader([]byte("#define A_H\n/* #define NO 1\n*/ #define A 0\n#  define\tB (0x2UL) // c\n#define LAST B\n# text\n#define F(x) 4\n #define C 4 /* d */\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []symbol{{"A", 0, place{3, 12}}, {"B", 2, place{4, 11}}, {"C", 4, place{8, 10}}}
	if diff := cmp.Diff(want, h, cmp.AllowUnexported(symbol{}, place{})); diff != "" {
		t.Errorf("symbols (-want +got):\n%s", diff)
	}
}

// TestLanguages checks texts in several languages. It also checks that sets and counters are in the order of their
// numbers.
func TestLanguages(t *testing.T) {
	t.Parallel()
	f, err := Read("shop.ini", []byte(`[info]
drivername=Shop
symbolfile=shop.h
[objects]
A_009_NAME=
B_009_NAME=
[languages]
009=English
416=Portuguese
[text]
B_009_NAME=Second
A_009_NAME=First
A_416_NAME=Primeiro
A_X_009_NAME=In A
A_X_009_HELP=About it.
B_Y_009_NAME=In B
`), singleFile("shop.h", "#define A 0\n#define A_X 2\n#define B 6\n#define B_Y 8\n"))
	if err != nil {
		t.Fatal(err)
	}
	en := func(text string) Text { return Text{Languages: map[string]string{"en": text}} }
	raw := layout.PERF_COUNTER_RAWCOUNT
	want := &Provider{Name: "Shop", Header: "shop.h", CounterSets: []CounterSet{
		{
			Name: Text{Languages: map[string]string{"en": "First", "pt-BR": "Primeiro"}}, Symbol: "A", Instances: layout.PERF_COUNTERSET_MULTI_INSTANCES,
			Counters: []Counter{{Name: en("In A"), Help: en("About it."), ID: 1, Symbol: "A_X", Type: raw}},
		},
		{
			Name: en("Second"), Symbol: "B", Title: new(uint32(6)), Instances: layout.PERF_COUNTERSET_MULTI_INSTANCES,
			Counters: []Counter{{Name: en("In B"), ID: 1, Symbol: "B_Y", Type: raw}},
		},
	}}
	if diff := cmp.Diff(want, f.Provider, sameProviders); diff != "" {
		t.Errorf("provider (-want +got):\n%s", diff)
	}
}

// TestObjectsSection checks that a symbol in the section [objects] becomes a counter set. If [objects] has no symbol of
// the header, the symbol with the lowest number becomes the only counter set.
func TestObjectsSection(t *testing.T) {
	t.Parallel()
	const text = "[info]\ndrivername=Shop\nsymbolfile=shop.h\n[objects]\n%s\n[languages]\n009=English\n[text]\nDEPTH_009_NAME=Depth\nQUEUES_009_NAME=Queues\nWAIT_009_NAME=Wait\n"
	for _, tt := range []struct{ reason, objects, want string }{
		{"the set is not the first symbol", "QUEUES_009_NAME=", "Queues 2: Depth 1 0, Wait 2 4"},
		{"no symbol is listed", "", "Depth 0: Queues 1 2, Wait 2 4"},
		{"the listed symbol is not in the header", "TOPICS_009_NAME=", "Depth 0: Queues 1 2, Wait 2 4"},
	} {
		f, err := Read("shop.ini", fmt.Appendf(nil, text, tt.objects), singleFile("shop.h", "#define DEPTH 0\n#define QUEUES 2\n#define WAIT 4\n"))
		if err != nil {
			t.Fatal(err)
		}
		numbers := make(map[string]uint32)
		for _, title := range f.Provider.Titles() {
			numbers[title.Symbol] = title.Number
		}
		var got []string
		set := f.Provider.CounterSets[0]
		for _, c := range set.Counters {
			got = append(got, fmt.Sprint(c.Name, " ", c.ID, " ", numbers[c.Symbol]))
		}
		if line := fmt.Sprint(set.Name, " ", numbers[set.Symbol], ": ", strings.Join(got, ", ")); line != tt.want || len(f.Provider.CounterSets) != 1 {
			t.Errorf("%s: %s, want %s", tt.reason, line, tt.want)
		}
	}
}

// TestRandomINI writes a random definition for lodctr and reads it again. The texts and numbers must be the same, and a
// second .ini file must equal the first.
func TestRandomINI(t *testing.T) {
	t.Parallel()
	written := 0
	for seed := range uint64(500) {
		p := newRandom(seed).provider()
		text, lost, err := p.AppendINI(nil)
		if err != nil { // a name that an .ini file cannot hold
			continue
		}
		written++
		header, err := p.AppendHeader(nil)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Read("shop.ini", text, singleFile(p.HeaderName(), string(header)))
		if err != nil {
			t.Fatal(seed, err)
		}
		got, err := f.Definition()
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, header)
		}
		if diff := cmp.Diff(titlesOf(p, got.LanguageTags()), titlesOf(got, got.LanguageTags())); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
		checkTexts(t, seed, p, got, lost)
		again, _, err := got.AppendINI(nil)
		if err != nil || string(again) != string(text) {
			t.Fatalf("seed %d: %v (-first +second):\n%s", seed, err, cmp.Diff(string(text), string(again)))
		}
	}
	if written < 100 {
		t.Errorf("%d of 500 definitions were written", written)
	}
}

// checkTexts checks that each text of p is in fromINI or in losses. fromINI was read from the .ini file of p.
func checkTexts(t *testing.T, seed uint64, p, fromINI *Provider, losses []Loss) {
	t.Helper()
	var reported strings.Builder
	for _, l := range losses {
		reported.WriteString(l.Text + "\n")
	}
	titles := fromINI.Titles()
	for i, title := range p.Titles() {
		for _, text := range [][2]*Text{{title.Name(), titles[i].Name()}, {title.Help(), titles[i].Help()}} {
			written := slices.Collect(maps.Values(text[1].Languages))
			for _, value := range append(slices.Collect(maps.Values(text[0].Languages)), text[0].Neutral) {
				if value != "" && !slices.Contains(written, value) && !strings.Contains(reported.String(), "the text "+quoted(value)+" ") {
					t.Fatalf("seed %d: %s: the text %q is neither written nor reported:\n%s", seed, title.Symbol, value, &reported)
				}
			}
		}
	}
}

// titlesOf returns each title of a definition as text: its number, its symbol, and its texts in the given languages.
func titlesOf(p *Provider, tags []string) (lines []string) {
	for _, t := range p.Titles() {
		var line strings.Builder
		line.WriteString(fmt.Sprint(t.Number, " ", t.Symbol))
		for _, tag := range tags {
			name := t.Name().In(tag)
			if name == "" { // a file for lodctr has a name in each language
				name = t.Name().String()
			}
			line.WriteString(fmt.Sprintf(" %q %q", name, t.Help().In(tag)))
		}
		lines = append(lines, line.String())
	}
	return lines
}

// TestNoDefinition checks the errors for files that define no provider, or only a part of a provider.
func TestNoDefinition(t *testing.T) {
	t.Parallel()
	const info = "[info]\ndrivername=Shop\nsymbolfile=shop.h\n"
	for _, tt := range []struct {
		reason, path, text string
		beside             func(string) ([]byte, error)
		want               string
	}{
		{"the header must exist", "a.ini", info, noFile, "a.ini:3:1: file does not exist; the header must be in the folder of the .ini file"},
		{"[info] must name a header", "a.ini", "[info]\ndrivername=Shop\n", noFile, "a.ini:1:1: [info] has no symbolfile; write symbolfile=NAME.h with the name of the header"},
		{"[info] must name the service", "a.ini", "[info]\nsymbolfile=shop.h\n", singleFile("shop.h", ""), "a.ini:1:1: [info] has no drivername, which names the service; write drivername=NAME"},
		{"a symbol of the header must have a text", "a.ini", info, singleFile("shop.h", "#define A 0"), "a.ini:3:1: no symbol of the header has a text in [text]; write SYMBOL_009_NAME=NAME for each symbol"},
		{"a header does not define names", "a.h", "#define A 0", nil, "a.h: a header has numbers, but no names; give the .ini file whose key symbolfile is the name of the header"},
		{"the caller must give a function that reads the header", "a.ini", info, nil, `a.ini:3:1: the header "shop.h" was not given; the header must be in the folder of the .ini file`},
	} {
		f, err := Read(tt.path, []byte(tt.text), tt.beside)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		_, err = f.Definition()
		if at := (*Error)(nil); !errors.As(err, &at) || err.Error() != tt.want {
			t.Errorf("%s: the error is %q, want %q", tt.reason, err, tt.want)
		}
	}
	if _, err := Read("a.txt", nil, nil); err == nil || !strings.Contains(err.Error(), ".yaml") {
		t.Errorf("an unknown extension: %v", err)
	}
}

// TestControlCharacters checks that AppendINI refuses a name that has a control character or starts with a space, and
// that the error has the path of the name.
func TestControlCharacters(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"two\nlines", " space", "tab\t"} {
		p := &Provider{Name: "A", CounterSets: []CounterSet{{Name: Text{Neutral: name}}}}
		if _, _, err := p.AppendINI(nil); err == nil || !strings.HasPrefix(err.Error(), "counterSet[0].name: ") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// anyFile reads a text, which can be invalid, and checks that errors and findings have messages.
func anyFile(t *testing.T, path string, text []byte) {
	f, err := Read(path, text, singleFile("shop.h", "#define QUEUES 0\n#define DEPTH 2\n"))
	if err != nil {
		if err.Error() == "" {
			t.Error("the error has no text")
		}
		return
	}
	for _, at := range f.findings() {
		if at.Got == "" || at.Want == "" {
			t.Errorf("a finding of %s without a text: %+v", at.Rule.Name, at)
		}
	}
	if p, err := f.Definition(); err == nil {
		again, err := p.AppendYAML(nil)
		if err != nil {
			return // such as a text that is not UTF-8
		}
		same, err := Parse("again.yaml", again)
		if err != nil {
			t.Errorf("the definition cannot be read again: %v\n%s", err, again)
			return
		}
		outputsAgree(t, same)
	}
}

func FuzzINI(f *testing.F) {
	f.Add([]byte("[info]\ndrivername=Shop\nsymbolfile=shop.h\n[objects]\nQUEUES_009_NAME=\n[languages]\n009=English\n[text]\nQUEUES_009_NAME=Queues\nDEPTH_009_NAME=Depth\nDEPTH_009_HELP=Help\n"))
	f.Add([]byte("\xff\xfe[\x00i\x00n\x00f\x00o\x00]\x00"))
	f.Add([]byte("[text]\nx\n=\n_009_NAME=\n"))
	f.Add([]byte("[info]\ndrivername=p\nsymbolfile=shop.h\n[text]\nQUEUES__NAME=D\nQUEUES_\u00e9_NAME=D\nDEPTH_009_NAME=D\n")) // no languages
	f.Fuzz(func(t *testing.T, text []byte) { anyFile(t, "a.ini", text) })
}

func FuzzHeader(f *testing.F) {
	f.Add([]byte("#define A 0\n/* x */ #define B 2 // y\n#define C (4)\n"))
	f.Add([]byte("/*"))
	f.Fuzz(func(t *testing.T, text []byte) {
		anyFile(t, "a.h", text)
		h, err := readHeader(text)
		if err != nil {
			return
		}
		lines := slices.Collect(strings.Lines(string(text)))
		for _, s := range h {
			if s.at.line < 1 || s.at.column < 1 || s.at.line > len(lines)+1 {
				t.Errorf("%s is at %d:%d", s.name, s.at.line, s.at.column)
			}
		}
	})
}

func FuzzDefinition(f *testing.F) {
	for _, text := range definitionFiles(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		anyFile(t, "a.yaml", text)
		if p, err := Parse("a.yaml", text); err == nil {
			checkRefused(t, p)
		}
	})
}

// TestUnreadINI tests that each line whose value is not in the definition has a note.
func TestUnreadINI(t *testing.T) {
	t.Parallel()
	const text = `[info]
drivername=Shop
symbolfile=shop.h
version=7
[languages]
009=English
[text]
QUEUES_009_NAME=Queues
QUEUES_009_HELP=first
QUEUES_009_HELP=second
QUEUES_009_name=in small letters
ORDERS_009_NAME=not in the header
QUEUES__NAME=without a language
a line
[other]
key=value
`
	f, err := Read("shop.ini", []byte(text), singleFile("shop.h", "#define QUEUES 0\n#define QUEUES 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"an .ini file has no types, so each counter has the type PERF_COUNTER_RAWCOUNT",
		`not read: at 4:1: the line begins with "version"`,
		`not read: at 10:1: the line begins with "QUEUES_009_HELP"`,
		`not read: at 11:1: the line begins with "QUEUES_009_name"`,
		`not read: at 12:1: the line begins with "ORDERS_009_NAME"`,
		`not read: at 13:1: the line begins with "QUEUES__NAME"`,
		`not read: at 14:1: the line begins with "a line"`,
		`not read: at 16:1: the line begins with "key"`,
	}
	if diff := cmp.Diff(want, f.Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	if got := f.Provider.CounterSets; len(got) != 1 || len(got[0].Counters) != 0 || got[0].Help.String() != "first" {
		t.Errorf("the sets are %+v, want one with the first help text", got)
	}
}
