package titles_test

import (
	"bytes"
	"testing"

	"github.com/perfblock/perfblock/definition/titles"
)

// FuzzRead checks that Read returns a database or an error for any bytes. The position of every fault and of every
// pair must be inside the contents, and a table that is written must be the same when it is read again.
func FuzzRead(f *testing.F) {
	for _, text := range []string{small, help, "1|1847|2||", "1|1847||Lost|x|Hex|2"} {
		f.Add(wide(text))
		f.Add(bytes.ReplaceAll([]byte(text), []byte("|"), []byte("\r\n")))
		f.Add(append([]byte("[PerfStrings_009]\n"), bytes.ReplaceAll([]byte(text), []byte("|"), []byte("="))...))
		f.Add(append([]byte("HKEY_PERFORMANCE_DATA\n    Help 009    REG_MULTI_SZ    "), bytes.ReplaceAll([]byte(text), []byte("|"), []byte(`\0`))...))
	}
	f.Add([]byte("Windows Registry Editor Version 5.00\n\n[K\\009]\n\"Counter\"=hex(7):31,00,00,00,\\\n  78,00,00,00,00,00\n"))
	f.Fuzz(func(t *testing.T, contents []byte) {
		titles.Detect("Counter 009", contents)
		d, err := titles.Read(contents)
		if err != nil {
			return
		}
		inside := func(p titles.Place) bool {
			return p.Off >= 0 && p.Off <= int64(len(contents)) && p.Line >= 0 && p.Line <= 1+bytes.Count(contents, []byte("\n")) && p.Col <= len(contents)+1
		}
		for i := range d.Tables {
			table := &d.Tables[i]
			for fault := range table.Faults() {
				if !inside(fault.Place) || fault.Pair < -1 || fault.Pair >= len(table.Pairs) {
					t.Fatalf("%v of pair %d of %d", fault, fault.Pair, len(table.Pairs))
				}
			}
			for _, p := range table.Pairs {
				if !inside(p.KeyAt) || !inside(p.NameAt) {
					t.Fatalf("%+v", p)
				}
			}
			b, err := table.AppendMultiSZ(nil)
			if err != nil || table.Kind == titles.Mixed {
				continue
			}
			again, err := titles.Read(b)
			if err != nil {
				continue // no string of the table is an index, which is possible in a file of lodctr
			}
			if len(again.Tables) != 1 || len(again.Tables[0].Pairs) != len(table.Pairs) {
				t.Fatalf("%d pairs are read as %d", len(table.Pairs), len(again.Tables[0].Pairs))
			}
			for j, p := range again.Tables[0].Pairs {
				if w := table.Pairs[j]; p.Key != w.Key || p.Name != w.Name || p.Lone != w.Lone {
					t.Fatalf("%+v is read as %+v", w, p)
				}
			}
		}
	})
}
