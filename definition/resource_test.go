package definition

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/tc-hib/winres"

	"github.com/perfblock/perfblock/internal/wine"
	"github.com/perfblock/perfblock/layout"
)

// resourceTexts returns a provider with texts that a resource script must quote, in two languages. The first two texts
// have the ids 15 and 16, which are in different blocks of the resource format.
func resourceTexts() *Provider {
	return &Provider{Name: "Texts", ResourceBase: new(uint32(15)), CounterSets: []CounterSet{{
		Name: Text{Neutral: `back\slash "quoted" %d`}, Help: Text{Neutral: "Größe 日本語 \U0001F600"},
		Counters: []Counter{
			{Name: Text{Languages: map[string]string{"en": "Depth", "de": "Tiefe"}}, ID: 1, Type: layout.PERF_COUNTER_RAWCOUNT},
			{Name: Text{Neutral: strings.Repeat("x", 300)}, ID: 2, HelpID: new(uint32(99)), Help: Text{Neutral: "*/ //"}, Type: layout.PERF_COUNTER_RAWCOUNT},
		},
	}}}
}

// TestWine runs all tests that use Wine in one Wine installation, because each installation takes seconds.
func TestWine(t *testing.T) {
	t.Parallel()
	w := wine.New(t)
	t.Run("LoadString", func(t *testing.T) { loadString(t, w) })
	t.Run("Registry", func(t *testing.T) { importRegistry(t, w) })
}

// loadString checks that a Windows program finds the texts of the object file and of the compiled resource script.
func loadString(t *testing.T, w *wine.Wine) {
	t.Helper()
	p := resourceTexts()
	object, err := p.object(winres.ArchAMD64)
	if err != nil {
		t.Fatal(err)
	}
	script, err := p.resourceScript()
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[uint32]string)
	for text, id := range p.resourceIDs() {
		texts[id] = text.String()
	}
	var want strings.Builder
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(&want, "%d %s\n", id, texts[id])
	}
	for name, object := range map[string][]byte{"syso": object, "windres": windres(t, script)} {
		program := linked(t, object)
		if diff := cmp.Diff(want.String(), w.RunGo(t, program)); diff != "" {
			t.Errorf("%s: strings (-definition +LoadString):\n%s", name, diff)
		}
		if got, want := languagesIn(t, program), tablesOf(t, p); !maps.Equal(got, want) {
			t.Errorf("%s: texts by language and id (-want +got):\n%s", name, cmp.Diff(want, got))
		}
	}
}

// windres compiles a resource script with the resource compiler of mingw-w64.
func windres(t *testing.T, script []byte) []byte {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.rc"), script, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("x86_64-w64-mingw32-windres", "-i", filepath.Join(dir, "a.rc"), "-o", filepath.Join(dir, "a.o")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, script)
	}
	object, err := os.ReadFile(filepath.Join(dir, "a.o"))
	if err != nil {
		t.Fatal(err)
	}
	return object
}

// linked builds the program in testdata/strings, links the object file into it, and returns its path.
func linked(t *testing.T, object []byte) string {
	t.Helper()
	dir := t.TempDir()
	source, err := os.ReadFile("testdata/strings/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, contents := range map[string][]byte{"go.mod": []byte("module example.com/strings\n\ngo 1.26\n"), "main.go": source, "a_windows_amd64.syso": object} {
		if err := os.WriteFile(filepath.Join(dir, name), contents, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "strings.exe")
	wine.Compile(t, "amd64", dir, program, "build")
	return program
}

// A languageID identifies a text of a program by its language and id.
type languageID struct {
	language uint16
	id       uint32
}

// languagesIn returns the strings of a program, by language and id.
func languagesIn(t *testing.T, program string) map[languageID]string {
	t.Helper()
	file, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	set, err := winres.LoadFromEXESingleType(bytes.NewReader(file), winres.RT_STRING)
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[languageID]string)
	set.WalkType(winres.RT_STRING, func(block winres.Identifier, language uint16, b []byte) bool {
		for i := range uint32(blockStrings) {
			n := int(binary.LittleEndian.Uint16(b))
			units := make([]uint16, n)
			for j := range units {
				units[j] = binary.LittleEndian.Uint16(b[2+2*j:])
			}
			b = b[2+2*n:]
			if n > 0 {
				texts[languageID{language, (uint32(block.(winres.ID))-1)*blockStrings + i}] = string(utf16.Decode(units))
			}
		}
		return true
	})
	return texts
}

// tablesOf returns the texts of a definition, by language and id.
func tablesOf(t *testing.T, p *Provider) map[languageID]string {
	t.Helper()
	tables, err := p.stringTables(true)
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[languageID]string)
	for _, table := range tables {
		for id, text := range table.texts {
			texts[languageID{table.language, id}] = text
		}
	}
	return texts
}

// TestNoResource checks the errors for texts that no string resource can hold.
func TestNoResource(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason string
		change func(*Provider)
		want   string
	}{
		{"an id has at most 16 bits", func(p *Provider) { p.CounterSets[0].NameID = new(uint32(70000)) }, " is 70000, must be at most 65535"},
		{"two texts must not have one id", func(p *Provider) { p.CounterSets[0].NameID = new(uint32(99)) }, "is 99, which is also the id of another text, must be unique"},
		{"the length of a text has at most 16 bits", func(p *Provider) { p.CounterSets[0].Help.Neutral = strings.Repeat("x", 70000) }, "must have at most 65535 UTF-16 characters"},
		{"a resource script cannot hold control characters", func(p *Provider) { p.CounterSets[0].Help.Neutral = "two\nlines" }, "must have no control character"},
	} {
		p := resourceTexts()
		tt.change(p)
		if _, err := p.resourceScript(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want %q", tt.reason, err, tt.want)
		}
	}
}

// importRegistry checks that Wine reads the values of a .reg file.
func importRegistry(t *testing.T, w *wine.Wine) {
	t.Helper()
	p := resourceTexts()
	p.Service, p.Library, p.FirstCounter = "Shop 2", `C:\Program Files\"shop".dll`, new(uint32(5000))
	text, err := p.AppendRegistry(nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "shop.reg")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	w.Run(t, "reg", "import", path)
	got := w.Run(t, "reg", "query", `HKLM\SYSTEM\CurrentControlSet\Services\Shop 2\Performance`)
	for _, want := range []string{
		`Library    REG_SZ    C:\Program Files\"shop".dll`, "Open    REG_SZ    OpenTexts", "Collect    REG_SZ    CollectTexts", "Close    REG_SZ    CloseTexts",
		"First Counter    REG_DWORD    0x1388", "Last Counter    REG_DWORD    0x138c", "First Help    REG_DWORD    0x1389", "Last Help    REG_DWORD    0x138d",
		"Object List    REG_SZ    5000",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("Wine's registry has no line %q:\n%s", want, got)
		}
	}
	if t.Failed() {
		t.Logf("%s", text)
	}
}

// TestNoRegistry checks the errors for values that the registry cannot hold.
func TestNoRegistry(t *testing.T) {
	t.Parallel()
	for reason, change := range map[string]func(*Provider){
		"a backslash in the name of the service": func(p *Provider) { p.Service = `a\b` },
		"a line end in the name of the DLL":      func(p *Provider) { p.Library = "a\nb" },
		"an index of more than 32 bits":          func(p *Provider) { p.FirstCounter = new(uint32(0xFFFFFFFE)) },
	} {
		p := resourceTexts()
		change(p)
		if _, err := p.AppendRegistry(nil); err == nil {
			t.Errorf("%s: no error", reason)
		}
	}
}
