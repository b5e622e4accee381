package golden

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/layout"
)

// TestFixturesMatchWorkedExamples compares fixtures of perflib.h with the blocks in layout/testdata, whose bytes are
// written by hand.
func TestFixturesMatchWorkedExamples(t *testing.T) {
	t.Parallel()
	blocks, worked := map[string][]byte{}, map[string][]byte{}
	examples, err := fixture.ReadWorked("../../layout/testdata/perflib.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range examples {
		worked[x.Title] = x.Bytes
	}
	for _, f := range fixtures(t) {
		blocks[f.name] = f.block
	}
	for name, title := range map[string]string{
		"answers": "query", "no-instances": "query: no instances", "identifiers": "identifiers",
		"strings": "strings", "strings-from-entries": "strings: from the entries",
		"reg-set": "registered set", "reg-counter": "registered counter", "reg-string": "registered text",
		"guids": "GUIDs", "template": "template", "instance-block": "set instance",
	} {
		got, want := blocks["perflib/"+name], worked[title]
		if len(want) == 0 || !bytes.Equal(got, want) {
			t.Errorf("%s differs from the worked example (-want +got)\n%s", name, cmp.Diff(hex.Dump(want), hex.Dump(got)))
		}
	}
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
