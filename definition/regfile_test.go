package definition

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/validate"
)

// TestWrittenRegistry checks that the generated registry values of a definition can be read again, and that no rule
// reports them.
func TestWrittenRegistry(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		p := newRandom(seed).provider()
		if p.FirstCounter != nil {
			*p.FirstCounter &^= 1
		}
		for i := range p.CounterSets {
			p.CounterSets[i].Title = nil
			for j := range p.CounterSets[i].Counters {
				p.CounterSets[i].Counters[j].Title = nil
			}
		}
		text, err := p.AppendRegistry(nil)
		if strings.ContainsAny(p.ServiceName(), `\]`) && err != nil {
			continue
		}
		if err != nil {
			t.Fatal(seed, err)
		}
		f, err := Read("shop.reg", text, nil)
		if err != nil {
			t.Fatal(seed, err)
		}
		var v validate.Validator
		if result := f.Check(&v); len(result.Findings) > 0 {
			t.Errorf("seed %d: %v", seed, result.Findings)
		}
		if got := f.registry.services[0]; got.name != p.ServiceName() || got.values["library"].text != p.LibraryName() {
			t.Errorf("seed %d: the service %q has the library %q", seed, got.name, got.values["library"].text)
		}
	}
}

// TestReadRegistry checks the values of services, and the errors in .reg files.
func TestReadRegistry(t *testing.T) {
	t.Parallel()
	const (
		header = "Windows Registry Editor Version 5.00\r\n\r\n"
		shop   = "[HKEY_LOCAL_MACHINE\\SYSTEM\\ControlSet001\\Services\\Shop\\Performance]\r\n"
		other  = "[HKEY_LOCAL_MACHINE\\SYSTEM\\ControlSet001\\Services\\Other\\Performance]"
	)
	for _, tt := range []struct{ reason, text, want string }{
		{"a string has escapes", header + shop + `"Library"="C:\\a \"b\".dll"` + "\r\n" + `"Quoted"="\"q\""`, `Shop: "library" REG_SZ "C:\\a \"b\".dll" 4:1, "quoted" REG_SZ "\"q\"" 5:1`},
		{"a backslash before another character is left out", header + shop + `"Library"="C:\a"`, `Shop: "library" REG_SZ "C:a" 4:1`},
		{"a comment can follow a string", header + shop + `"Library"="a" ; "b"`, `Shop: "library" REG_SZ "a" 4:1`},
		{"a comment can follow a key and a number", header + strings.TrimSpace(shop) + " ; a\r\n\"Open\"=dword:1 ; b\r\n", `Shop: "open" REG_DWORD 1 4:1`},
		{"lines of comments", header + shop + "; \"a\"=\"b\"\n# c\n", `Shop:`},
		{"a string can have several lines, which are not keys", header + shop + "\"Text\"=\"a\r\n" + other + "\r\n\"\r\n\"Open\"=\"b\"", `Shop: "open" REG_SZ "b" 7:1, "text" REG_SZ "a\r\n[HKEY_LOCAL_MACHINESYSTEMControlSet001ServicesOtherPerformance]\r\n" 4:1`},
		{"@ is the default value", header + shop + "@=\"a\"\r\n", `Shop: "" REG_SZ "a" 4:1`},
		{"an empty name is the default value too", header + shop + "@=\"a\"\r\n\"\"=\"b\"\r\n", `Shop: "" REG_SZ "b" 5:1`},
		{"the strings of a list, on two lines", header + shop + "\"Export\"=hex(7):61,00,00,00,\\\r\n  62,00,00,00,00,00\r\n", `Shop: "export" REG_MULTI_SZ "a b" 4:1`},
		{"a backslash continues hex digits only after a comma", header + shop + "\"Export\"=hex(7):61,00\\\r\n  00,00", `a.reg:4:22: '\\' after a byte, must be a comma`},
		{"a backslash does not continue a number", header + shop + "\"Open\"=dword:00000001\\\r\n", `a.reg:4:8: "dword:00000001\\" is not a value of a .reg file: hex:, dword: or a string`},
		{"the case of a type is ignored", header + shop + "\"a\"=HEX(2):61,00\r\n\"b\"=Dword:0000000A\r\n", `Shop: "a" REG_EXPAND_SZ "a" 4:1, "b" REG_DWORD 10 5:1`},
		{"the number of a type can have zeros at its start", header + shop + "\"a\"=hex(00000001):61,00\r\n", `Shop: "a" REG_SZ "a" 4:1`},
		{"a number in hex has the low byte first", header + shop + "\"a\"=hex(4):88,13,00,00\r\n", `Shop: "a" REG_DWORD 5000 4:1`},
		{"hex without a number is REG_BINARY", header + shop + "\"a\"=hex:61,00\r\n", `Shop: "a" REG_BINARY "" 4:1`},
		{"white space around = and before a number", header + shop + "  \"a\" = dword: 0000000f \r\n", `Shop: "a" REG_DWORD 15 4:3`},
		{"version 4 has strings in a code page", "REGEDIT4\n" + shop + "\"a\"=hex(2):61,e9,00\n\"b\"=\"\xe9\"\n", `Shop: "a" REG_EXPAND_SZ "aé" 3:1, "b" REG_SZ "é" 4:1`},
		{"the file deletes a value", header + shop + "\"a\"=\"b\"\n\"A\"=-\n\"c\"=- ; d\n", `Shop:`},
		{"the file deletes a key with its values", header + shop + "[-" + other[1:] + "\n\"a\"=\"b\"\n", `Shop:`},
		{"a value of another key", header + shop + "[HKEY_LOCAL_MACHINE\\SYSTEM\\ControlSet001\\Services\\Shop\\Other]\n\"a\"=\"b\"\n", `Shop:`},
		{"a string can have control characters", string(encodeUTF16(header + shop + "\"a\"=\"\x01\x1b[1m\x00b\"")), `Shop: "a" REG_SZ "\x01\x1b[1m\x00b" 4:1`},
		{"UTF-16 without a byte order mark", string(encodeUTF16(header + shop + "\"a\"=\"b\"")[2:]), `Shop: "a" REG_SZ "b" 4:1`},
		{"half a character", string(encodeUTF16(header+shop)) + "a", `a.reg:4:1: half a character of UTF-16 at the end: the text was cut off`},
		{"the first line must be the header", shop, `a.reg:1:1: "[HKEY_LOCAL_MACHINE\\SYSTEM\\ControlSet001\\Services\\Shop\\Perfo"... is not the first line of a .reg file (example: "Windows Registry Editor Version 5.00")`},
		{"a number must have hex digits", header + shop + "\"a\"=dword:xyz", `a.reg:4:5: "dword:xyz" is not a value of a .reg file: hex:, dword: or a string`},
		{"a string must have quotation marks", header + shop + "\"a\"=b", `a.reg:4:5: "b" is not a value of a .reg file: hex:, dword: or a string`},
		{"a line that is not a value", header + shop + "a=b", `a.reg:4:1: "a=b" is not a line of reg (example: "\"Block\"=hex:50,00,45,00")`},
		{"a file without services and titles", header + "[HKEY_CURRENT_USER\\A]\n", `a.reg:1:1: there is no value Counter or Help of Perflib with the type REG_MULTI_SZ, which is hex(7) in a .reg file, and the file has no key Services\NAME\Performance`},
	} {
		f, err := Read("a.reg", []byte(tt.text), nil)
		var got []string
		if err != nil {
			got = append(got, err.Error())
		} else {
			for _, k := range f.registry.services {
				got = append(got, k.name+":"+valuesOf(k))
			}
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// valuesOf returns the values of a key in the order of their names.
func valuesOf(k regKey) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(k.values)) {
		v := k.values[name]
		data := strconv.Quote(v.text)
		if v.kind == armor.RegDword {
			data = decimal(v.number)
		}
		list = append(list, fmt.Sprintf(" %q %s %s %d:%d", name, v.kind, data, v.at.line, v.at.column))
	}
	return strings.Join(list, ",")
}

func FuzzRegistry(f *testing.F) {
	f.Add([]byte("Windows Registry Editor Version 5.00\n\n[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\Shop\\Performance]\n\"Library\"=hex(2):25,\\\n  00\n\"First Counter\"=dword:00001388\n"))
	f.Add([]byte("Windows Registry Editor Version 5.00\n\n[HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\\009]\n\"Counter\"=hex(7):31,00,00,00,34,00,00,00,00,00\n"))
	f.Fuzz(func(t *testing.T, text []byte) { anyFile(t, "a.reg", text) })
}
