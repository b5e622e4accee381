package definition

import (
	"strings"
	"testing"

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

// TestReadRegistry checks lines of .reg files that tools write.
func TestReadRegistry(t *testing.T) {
	t.Parallel()
	const key = "[HKEY_LOCAL_MACHINE\\SYSTEM\\"
	f, err := Read("a.reg", []byte("Windows Registry Editor Version 5.00\r\n\r\n"+
		"; comment\r\n"+
		"[-HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\Gone\\Performance]\r\n\"Library\"=\"x\"\r\n"+
		key+"ControlSet001\\Services\\Shop\\Performance]\r\n"+
		"@=\"default\"\r\n\"Library\"=\"C:\\\\a \\\"b\\\".dll\"\r\n\"First Counter\"=dword:00001388\r\n\"Quoted\"=\"\\\"q\\\"\"\r\n\"Bad\"=dword:xyz\r\n"+
		"\"Export\"=hex(7):61,00,00,00,\\\r\n  62,00,00,00,00,00\r\n"+
		key+"CurrentControlSet\\Services\\Shop\\Other]\r\n\"Library\"=\"y\"\r\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.registry.services); n != 1 {
		t.Fatalf("%d services, want 1", n)
	}
	v := f.registry.services[0].values
	if v["library"].text != `C:\a "b".dll` || v["library"].at != (place{8, 1}) {
		t.Errorf("the library is %+v", v["library"])
	}
	if v["quoted"].text != `"q"` || v["bad"].kind != "another type" {
		t.Errorf("the values are %+v", v)
	}
	if v["first counter"].number != 5000 || v["export"].text != "a b" || v["export"].kind != regMulti {
		t.Errorf("the values are %+v", v)
	}
	if _, err := Read("a.reg", []byte("Windows Registry Editor Version 5.00\n\n[HKEY_CURRENT_USER\\A]\n"), nil); err == nil {
		t.Error("no error for a file without providers and titles")
	}
}

func FuzzRegistry(f *testing.F) {
	f.Add([]byte("Windows Registry Editor Version 5.00\n\n[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\Shop\\Performance]\n\"Library\"=hex(2):25,\\\n  00\n\"First Counter\"=dword:00001388\n"))
	f.Add([]byte("Windows Registry Editor Version 5.00\n\n[HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\\009]\n\"Counter\"=hex(7):31,00,00,00,34,00,00,00,00,00\n"))
	f.Fuzz(func(t *testing.T, text []byte) { anyFile(t, "a.reg", text) })
}
