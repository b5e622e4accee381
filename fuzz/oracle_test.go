//go:build !race

// Another program reads here, which the race detector does not see.

package fuzz_test

import (
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/oracle"
	"github.com/perfblock/perfblock/layout"
)

// A C program that knows the blocks from winperf.h and perflib.h alone reads every
// generated block and every workload it can hold, field by field as layout and builder do.

const oracleBlocks = rounds / 10

func TestOracleAgrees(t *testing.T) {
	t.Parallel()
	walker := oracle.Need(t)
	for _, kind := range layout.Kinds() {
		var blocks [][]byte
		for seed := range uint64(oracleBlocks) {
			b, err := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{}).MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			blocks = append(blocks, b)
		}
		if kind == layout.DataBlockKind {
			for _, name := range []string{"tiny", "cpu", "process-300", "process-2775", "server"} {
				w, err := fuzz.FindWorkload(name)
				if err != nil {
					t.Fatal(err)
				}
				b, err := w.Block().MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				blocks = append(blocks, b)
			}
		}
		results, err := walker.WalkAll(t.Context(), kind.String(), blocks)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range results {
			if r.Err != nil {
				t.Fatalf("%v %d: the C walker refuses a valid block: %v", kind, i, r.Err)
			}
			entries := map[string]oracle.Entry{}
			for _, e := range r.Entries {
				entries[e.Path] = e
			}
			for _, line := range oracle.Disagreements(kind, blocks[i], r.Entries) {
				t.Error(line)
			}
			m, err := builder.NewModel(kind)
			if err != nil {
				t.Fatal(err)
			}
			if err := m.UnmarshalBinary(blocks[i]); err != nil {
				t.Fatal(err)
			}
			switch m := m.(type) {
			case *builder.DataBlock:
				agree(t, entries, "DefaultObject", m.DefaultObject)
				agree(t, entries, "PerfTime", m.PerfTime)
				sameAsModel(t, m.Objects, entries)
			case *builder.Objects:
				sameAsModel(t, *m, entries)
			default:
				heard{t, entries}.sameAsPerflibModel(m)
			}
			if t.Failed() {
				t.Fatalf("%v %d", kind, i)
			}
		}
	}
}

// sameAsModel compares what C says with what the builder decodes.
func sameAsModel(t *testing.T, objects builder.Objects, said map[string]oracle.Entry) {
	t.Helper()
	for i, o := range objects {
		path := fmt.Sprintf("object[%d].", i)
		agree(t, said, path+"ObjectNameTitleIndex", o.ObjectNameTitleIndex)
		agree(t, said, path+"NumCounters", len(o.Counters))
		agree(t, said, path+"NumInstances", int(o.NumInstances)+len(o.Instances))
		for j, c := range o.Counters {
			path := fmt.Sprintf("%scounter[%d].", path, j)
			agree(t, said, path+"CounterNameTitleIndex", c.CounterNameTitleIndex)
			agree(t, said, path+"CounterType", uint32(c.CounterType))
			agree(t, said, path+"DefaultScale", c.DefaultScale)
			number(t, said, fmt.Sprintf("object[%d].block.value[%d]", i, j), o.Values, j)
			for k, in := range o.Instances {
				number(t, said, fmt.Sprintf("object[%d].instance[%d].block.value[%d]", i, k, j), in.Values, j)
			}
		}
		for k, in := range o.Instances {
			path := fmt.Sprintf("object[%d].instance[%d].", i, k)
			agree(t, said, path+"ParentObjectTitleIndex", in.ParentObjectTitleIndex)
			name := []byte(in.Name + "\x00")
			if o.CodePage == 0 {
				name, _ = layout.AppendUTF16(nil, in.Name+"\x00")
			}
			if in.Name != "" {
				agree(t, said, path+"Name", "hex:"+hex.EncodeToString(name))
			}
		}
	}
}

// number compares a value that is a number, which texts and labels are not.
func number(t *testing.T, said map[string]oracle.Entry, path string, values []uint64, i int) {
	t.Helper()
	if e, ok := said[path]; ok && i < len(values) && values[i] != 0 {
		agree(t, map[string]oracle.Entry{path: e}, path, values[i])
	}
}

func agree(t *testing.T, said map[string]oracle.Entry, path string, decoded any) {
	t.Helper()
	if diff := cmp.Diff(said[path].Value, fmt.Sprint(decoded)); diff != "" {
		t.Errorf("%s (-C +decoded)\n%s", path, diff)
	}
}
