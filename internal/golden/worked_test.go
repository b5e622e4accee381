package golden

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestFixturesMatchWorkedExamples compares fixtures of perflib.h with the blocks in layout/testdata, whose bytes are written
// by hand.
func TestFixturesMatchWorkedExamples(t *testing.T) {
	t.Parallel()
	blocks, worked := map[string][]byte{}, worked(t)
	for _, f := range fixtures(t) {
		blocks[f.name] = f.block
	}
	for fixture, section := range map[string]string{
		"answers": "query", "no-instances": "query: no instances", "identifiers": "identifiers",
		"strings": "strings", "strings-from-entries": "strings: from the entries",
		"reg-set": "registered set", "reg-counter": "registered counter", "reg-string": "registered text",
		"guids": "GUIDs", "template": "template", "instance-block": "set instance",
	} {
		got, want := blocks["perflib/"+fixture], worked[section]
		if len(want) == 0 || !bytes.Equal(got, want) {
			t.Errorf("%s differs from the worked example (-want +got)\n%s", fixture, cmp.Diff(hex.Dump(want), hex.Dump(got)))
		}
	}
}

// worked returns the bytes of each worked example in layout/testdata by the title of its section.
func worked(t *testing.T) map[string][]byte {
	t.Helper()
	text, err := os.ReadFile("../../layout/testdata/perflib.txt")
	if err != nil {
		t.Fatal(err)
	}
	blocks, section := map[string][]byte{}, ""
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if name, ok := strings.CutPrefix(lines.Text(), "== "); ok {
			section = name
		}
		columns := strings.Split(lines.Text(), "|")
		if strings.HasPrefix(lines.Text(), "#") || len(columns) < 3 {
			continue
		}
		b, err := hex.DecodeString(strings.Join(strings.Fields(columns[1]), ""))
		if err != nil {
			t.Fatal(err)
		}
		blocks[section] = append(blocks[section], b...)
	}
	return blocks
}

// TestEveryKindHasAFixture checks that every kind and every type of result has a valid fixture.
func TestEveryKindHasAFixture(t *testing.T) {
	t.Parallel()
	kinds, types := map[layout.Kind]int{}, map[layout.PerfCounterDataType]int{}
	for _, f := range fixtures(t) {
		if f.broken {
			continue
		}
		kinds[f.kind]++
		if f.kind != layout.QueryDataKind {
			continue
		}
		var q builder.QueryData
		if err := q.UnmarshalBinary(f.block); err != nil {
			t.Fatal(err)
		}
		for _, r := range q.Results {
			types[r.Type]++
		}
	}
	for _, kind := range layout.Kinds() {
		if kinds[kind] == 0 {
			t.Errorf("no valid fixture of kind %v", kind)
		}
	}
	for v := range layout.PerfCounterDataType(8) {
		if v.Valid() && types[v] == 0 {
			t.Errorf("no valid fixture with a result of type %v", v)
		}
	}
}
