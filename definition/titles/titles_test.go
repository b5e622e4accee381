package titles_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfblock/perfblock/definition/titles"
)

// wide returns text in UTF-16LE. A | is written as a NUL.
func wide(text string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(strings.ReplaceAll(text, "|", "\x00"))) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}

const (
	small = "1|1847|2|System|4|Memory|6|% Processor Time|238|Processor||"
	help  = "3|About the system|5|About memory||"
)

// export returns a .reg file with the tables of two languages.
func export(t *testing.T) string {
	t.Helper()
	d := titles.Database{}
	for _, tt := range []struct{ language, value string }{{"009", small}, {"007", "1|1847|2|System|4|Arbeitsspeicher||"}, {"009", help}} {
		one, err := titles.Read(wide(tt.value))
		if err != nil {
			t.Fatal(err)
		}
		one.Tables[0].Language = tt.language
		d.Tables = append(d.Tables, one.Tables...)
	}
	b, err := d.AppendReg(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// describe returns the tables of a database, with a line for each pair.
func describe(d *titles.Database) string {
	var b strings.Builder
	for _, t := range d.Tables {
		fmt.Fprintf(&b, "%v %q\n", t.Kind, t.Language)
		for _, p := range t.Pairs {
			name := fmt.Sprintf("%q", p.Name)
			if p.Lone {
				name = "lone"
			}
			fmt.Fprintf(&b, "  %q %s\n", p.Key, name)
		}
		for f := range t.Faults() {
			fmt.Fprintf(&b, "  %v %v\n", f.Sort, f)
		}
	}
	return b.String()
}

// TestNames checks look-ups by index and by name.
func TestNames(t *testing.T) {
	t.Parallel()
	d, err := titles.Read([]byte(export(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reason, language string
		index            uint32
		want             string
		ok               bool
	}{
		{"a name is found by its index", "009", 238, "Processor", true},
		{"leading zeros of a language do not matter", "9", 238, "Processor", true},
		{"a help text is found by its index", "009", 3, "About the system", true},
		{"another language has another text", "007", 4, "Arbeitsspeicher", true},
		{"names of other languages are not used", "007", 238, "", false},
		{"pair 1 is not a name", "009", 1, "", false},
		{"an unknown language has no names", "00C", 2, "", false},
	} {
		if name, ok := d.Name(tt.language, tt.index); name != tt.want || ok != tt.ok {
			t.Errorf("%s: %q, %v", tt.reason, name, ok)
		}
		if name := d.Names(tt.language)[tt.index]; name != tt.want {
			t.Errorf("%s: Names has %q", tt.reason, name)
		}
	}
	if got := d.Languages(); !slices.Equal(got, []string{"009", "007"}) {
		t.Errorf("languages %q", got)
	}
	twice, err := titles.Read([]byte("2\nProcesses\n4\nMemory\n248\nProcesses\n2\nSecond\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := twice.Indexes("009", "Processes"); !slices.Equal(got, []uint32{2, 248}) {
		t.Errorf("a name with two indexes has %d", got)
	}
	if name, _ := twice.Name("009", 2); name != "Processes" {
		t.Errorf("of two pairs with the index, %q counts", name)
	}
	if name := twice.Names("009")[2]; name != "Processes" {
		t.Errorf("of two pairs with the index, %q counts in Names", name)
	}
}

// TestWrite writes tables, including tables with faults, and reads them again. The tables must be equal.
func TestWrite(t *testing.T) {
	t.Parallel()
	places := cmpopts.IgnoreTypes(titles.Place{})
	hidden := cmpopts.IgnoreUnexported(titles.Table{})
	for _, value := range []string{small, help, "1|1847|2||", "|||||", "1|1847||Lost|2|System|x|Hex||", "1|1847|2|\u202eevil\x1b|4|日本||"} {
		d, err := titles.Read(wide(value))
		if err != nil {
			t.Fatal(err)
		}
		d.Tables[0].Language = "00A"
		b, err := d.Tables[0].AppendMultiSZ([]byte("x"))
		if err != nil || string(b) != "x"+string(wide(value)) {
			t.Errorf("%q is written as %q, error %v", value, b, err)
		}
		reg, err := d.AppendReg(nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := titles.Read(reg)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(d, again, places, hidden); diff != "" {
			t.Errorf("%q as .reg:\n%s", value, diff)
		}
		text, err := d.Tables[0].AppendText(nil)
		if value == "|||||" {
			if err == nil {
				t.Errorf("%q as text: no error", value)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		again, err = titles.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		again.Tables[0].Language = "00A"
		if diff := cmp.Diff(d, again, places, hidden); diff != "" {
			t.Errorf("%q as text:\n%s", value, diff)
		}
	}
}

// TestWriteErrors checks that writing fails if the output format cannot represent the table. The returned slice must
// then be the slice that the caller passed, with the same contents.
func TestWriteErrors(t *testing.T) {
	t.Parallel()
	table := func(language, key, name string) titles.Table {
		return titles.Table{Language: language, Pairs: []titles.Pair{{Key: key, Name: name}}}
	}
	multiSZ := func(t titles.Table) ([]byte, error) { return t.AppendMultiSZ([]byte("x")) }
	text := func(t titles.Table) ([]byte, error) { return t.AppendText([]byte("x")) }
	reg := func(t titles.Table) ([]byte, error) {
		return (&titles.Database{Tables: []titles.Table{t, t}}).AppendReg([]byte("x"))
	}
	for _, tt := range []struct {
		reason string
		write  func(titles.Table) ([]byte, error)
		table  titles.Table
		want   string
	}{
		{"a NUL ends a string", multiSZ, table("", "2", "a\x00b"), `pair 0: the string "a\x00b" has a NUL, which ends a string of a REG_MULTI_SZ`},
		{"a line end ends a name", text, table("", "2", "a\nb"), `pair 0: the string "2 a\nb" has a line end, which the text form cannot hold`},
		{"readers ignore empty lines at the end", text, table("", "", ""), `pair 0: the last pair is empty, which the text form cannot hold`},
		{"a key needs a language", reg, table("", "2", "a"), `the language of a table is "", must be CurrentLanguage or a language number in hexadecimal, such as "009"`},
		{"a language cannot have a ], because it is the name of a key", reg, table(`009]`, "2", "a"), `the language of a table is "009]", must be CurrentLanguage or a language number in hexadecimal, such as "009"`},
		{"a key has one value Counter", reg, table("009", "2", "a"), `the language 009 has two tables Counter, a .reg file can hold one`},
	} {
		b, err := tt.write(tt.table)
		if err == nil || err.Error() != tt.want || string(b) != "x" {
			t.Errorf("%s: %q, error %v, want %s", tt.reason, b, err, tt.want)
		}
	}
	mixed := titles.Database{Tables: []titles.Table{{Language: "009", Kind: titles.Mixed, Pairs: []titles.Pair{{Key: "3", Name: "h"}, {Key: "2", Name: "n"}}}}}
	b, err := mixed.AppendReg(nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := titles.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("Counter \"009\"\n  \"2\" \"n\"\n", strings.SplitAfter(describe(d), "  first")[0][:len("Counter \"009\"\n  \"2\" \"n\"\n")]); diff != "" || len(d.Tables) != 2 {
		t.Errorf("a mixed table is written as\n%s", describe(d))
	}
}

// TestBuiltIn checks that the built-in indexes are sorted and even, that each name has a source, and that a name in a
// file has priority.
func TestBuiltIn(t *testing.T) {
	t.Parallel()
	last := uint32(0)
	for index, name := range titles.BuiltIns() {
		got, source, ok := titles.BuiltIn(index)
		if index <= last || index%2 == 1 || name == "" || got != name || source == "" || !ok {
			t.Errorf("%d %q after %d: BuiltIn returns %q, %q, %v", index, name, last, got, source, ok)
		}
		last = index
	}
	long := strings.Repeat("x", 1024)
	d := &titles.Database{Tables: []titles.Table{{Pairs: []titles.Pair{{Key: "238", Name: "Prozessor"}, {Key: "240", Name: long}, {Key: "242", Name: long + "y"}}}}}
	for _, tt := range []struct {
		reason  string
		d       *titles.Database
		index   uint32
		name    string
		builtIn bool
	}{
		{"the name in the file is preferred to the built-in name", d, 238, "Prozessor", false},
		{"a built-in name is used if the file has none", d, 2, "System", true},
		{"a name of 1,024 bytes is not cut", d, 240, long, false},
		{"a longer name is cut", d, 242, long + "...", false},
		{"built-in names need no file", nil, 238, "Processor", true},
		{"an unknown index has no name", d, 8, "", false},
	} {
		if name, builtIn := tt.d.Lookup("007")(tt.index); name != tt.name || builtIn != tt.builtIn {
			t.Errorf("%s: %q, %v", tt.reason, name, builtIn)
		}
	}
}

// TestManyLanguages checks that the time for a file with many languages is linear: the test would take minutes if each
// language were compared with all others.
func TestManyLanguages(t *testing.T) {
	t.Parallel()
	const n = 200_000
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "[PerfStrings_x%d]\n2=a\n", i)
	}
	d, err := titles.Read([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	if got := len(d.Languages()); got != n {
		t.Errorf("%d languages, want %d", got, n)
	}
}
