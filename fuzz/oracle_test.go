//go:build !race

// The race detector cannot check the C programs of these tests.

package fuzz_test

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/oracle"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// TestOracleAgrees reads generated blocks and workloads with layout, with builder, and with a C program that is
// compiled with winperf.h and perflib.h. All three must read the same values.
func TestOracleAgrees(t *testing.T) {
	t.Parallel()
	walker := oracle.Need(t)
	for _, kind := range layout.Kinds() {
		var blocks [][]byte
		for seed := range uint64(long.Count(60, 3000)) {
			b, err := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{}).MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			blocks = append(blocks, b)
		}
		if kind == layout.DataBlockKind {
			workloads := []string{"tiny", "cpu", "process-300"}
			if long.Enabled() {
				workloads = append(workloads, "process-2775", "server")
			}
			for _, name := range workloads {
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
				t.Fatalf("%v %d: the C program refuses a valid block: %v", kind, i, r.Err)
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
				comparison{t, entries}.sameAsPerflibModel(m)
			}
			if t.Failed() {
				t.Fatalf("%v %d", kind, i)
			}
		}
	}
}

// sameAsModel compares decoded objects with the values that the C program reads.
func sameAsModel(t *testing.T, objects builder.Objects, read map[string]oracle.Entry) {
	t.Helper()
	for i, o := range objects {
		path := fmt.Sprintf("object[%d].", i)
		agree(t, read, path+"ObjectNameTitleIndex", o.ObjectNameTitleIndex)
		agree(t, read, path+"NumCounters", len(o.Counters))
		agree(t, read, path+"NumInstances", int(o.NumInstances)+len(o.Instances))
		for j, c := range o.Counters {
			path := fmt.Sprintf("%scounter[%d].", path, j)
			agree(t, read, path+"CounterNameTitleIndex", c.CounterNameTitleIndex)
			agree(t, read, path+"CounterType", uint32(c.CounterType))
			agree(t, read, path+"DefaultScale", c.DefaultScale)
			number(t, read, fmt.Sprintf("object[%d].block.value[%d]", i, j), o.Values, j)
			for k, in := range o.Instances {
				number(t, read, fmt.Sprintf("object[%d].instance[%d].block.value[%d]", i, k, j), in.Values, j)
			}
		}
		for k, in := range o.Instances {
			path := fmt.Sprintf("object[%d].instance[%d].", i, k)
			agree(t, read, path+"ParentObjectTitleIndex", in.ParentObjectTitleIndex)
			name := []byte(in.Name + "\x00")
			if o.CodePage == 0 {
				name, _ = layout.AppendUTF16(nil, in.Name+"\x00")
			}
			if in.Name != "" {
				agree(t, read, path+"Name", "hex:"+hex.EncodeToString(name))
			}
		}
	}
}

// number compares value i with the value that the C program reads at the path. It ignores 0 and missing values.
func number(t *testing.T, read map[string]oracle.Entry, path string, values []uint64, i int) {
	t.Helper()
	if e, ok := read[path]; ok && i < len(values) && values[i] != 0 {
		agree(t, map[string]oracle.Entry{path: e}, path, values[i])
	}
}

func agree(t *testing.T, read map[string]oracle.Entry, path string, decoded any) {
	t.Helper()
	if diff := cmp.Diff(read[path].Value, fmt.Sprint(decoded)); diff != "" {
		t.Errorf("%s (-C +decoded)\n%s", path, diff)
	}
}

// TestOracleAgreesOnDamage reads damaged blocks with layout and with the C program. If both can read a block, they
// must read the same values. The C program checks only that records are inside the block.
func TestOracleAgreesOnDamage(t *testing.T) {
	t.Parallel()
	walker := oracle.Need(t)
	seeds := long.Count(150, 3000)
	for _, kind := range layout.Kinds() {
		var blocks [][]byte
		for seed := range uint64(seeds) {
			b, err := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{}).MarshalBinary()
			fatal(t, err)
			blocks = append(blocks, fuzz.Damage(fuzz.Seed(seed), b))
		}
		results, err := walker.WalkAll(t.Context(), kind.String(), blocks)
		fatal(t, err)
		followed := 0
		for i, r := range results {
			if r.Err != nil || refused(kind, blocks[i]) {
				continue
			}
			followed++
			for _, line := range oracle.Disagreements(kind, blocks[i], r.Entries) {
				t.Errorf("%v %d: %s", kind, i, line)
			}
		}
		if followed < seeds/4 || followed == seeds {
			t.Errorf("%v: the C program reads %d of %d damaged blocks, which tests little", kind, followed, seeds)
		}
	}
}

// refused reports whether layout refuses a block for a reason that the C program does not check. Such reasons are a
// wrong signature, and a name or value whose offset is inside the record before it.
func refused(kind layout.Kind, b []byte) bool {
	if kind == layout.DataBlockKind && !layout.HasSignature(b) {
		return true
	}
	for p := range layout.Walk(kind, b) {
		if e, ok := errors.AsType[*layout.Error](p.Err); ok && (strings.HasSuffix(e.Path.String(), "NameOffset") || strings.HasSuffix(e.Path.String(), "CounterOffset")) {
			return true
		}
	}
	return false
}

// A comparison compares a decoded model with the values that the C program reads in the same block.
type comparison struct {
	t       *testing.T
	entries map[string]oracle.Entry
}

func (s comparison) agree(path string, decoded any) {
	s.t.Helper()
	agree(s.t, s.entries, path, decoded)
}

func (s comparison) guid(path string, g layout.GUID) {
	s.t.Helper()
	s.agree(path, "hex:"+hex.EncodeToString(wire.GUID(g).Append(nil)))
}

func (s comparison) text(path, text string) {
	s.t.Helper()
	units, err := layout.AppendUTF16(nil, text+"\x00")
	fatal(s.t, err)
	s.agree(path, "hex:"+hex.EncodeToString(units))
}

// none checks that the C program reads no value at the path.
func (s comparison) none(path string) {
	s.t.Helper()
	if e, ok := s.entries[path]; ok {
		s.t.Errorf("C reads %s at %s, and the model has no value there", e.Value, path)
	}
}

// sameAsPerflibModel compares a model of V2 with the values that the C program reads.
func (s comparison) sameAsPerflibModel(m builder.Model) {
	s.t.Helper()
	switch m := m.(type) {
	case *builder.QueryData:
		s.query(m)
	case *builder.InstanceList:
		s.count("instance", len(*m))
		for i, in := range *m {
			s.agree(fmt.Sprintf("instance[%d].InstanceId", i), in.InstanceId)
			s.text(fmt.Sprintf("instance[%d].Name", i), in.Name)
		}
	case *builder.Identifiers:
		s.identifiers(*m)
	case *builder.CounterSetRegInfo:
		s.guid("CounterSetGuid", m.CounterSetGuid)
		s.agree("InstanceType", uint32(m.InstanceType))
		s.agree("NumCounters", len(m.Counters))
		for i, c := range m.Counters {
			s.registered(fmt.Sprintf("counter[%d].", i), c)
		}
	case *builder.CounterRegInfo:
		s.registered("counter[0].", *m)
	case *builder.RegString:
		s.text("Text", string(*m))
	case *builder.RegGUID:
		s.guid("guid[0]", layout.GUID(*m))
	case *builder.GUIDs:
		s.count("guid", len(*m))
		for i, g := range *m {
			s.guid(fmt.Sprintf("guid[%d]", i), g)
		}
	case *builder.StringBuffer:
		s.strings(*m)
	case *builder.CounterSetInfo:
		s.template(*m)
	case *builder.CounterSetInstance:
		s.guid("CounterSetGuid", m.CounterSetGuid)
		s.agree("InstanceId", m.InstanceId)
		s.text("Name", m.Name)
		s.count("slot", len(m.Values))
		for i, v := range m.Values {
			s.agree(fmt.Sprintf("slot[%d]", i), v)
		}
	default:
		s.t.Fatalf("%T has no comparison", m)
	}
}

// count checks that the C program reads n records in the list with the name.
func (s comparison) count(name string, n int) {
	s.t.Helper()
	items := map[string]bool{}
	for path := range s.entries {
		if item, _, _ := strings.Cut(path, "."); strings.HasPrefix(item, name+"[") {
			items[item] = true
		}
	}
	if len(items) != n {
		s.t.Errorf("C reads %d records named %s, the model has %d", len(items), name, n)
	}
}

func (s comparison) query(q *builder.QueryData) {
	s.t.Helper()
	s.agree("PerfTimeStamp", q.PerfTimeStamp)
	s.agree("dwNumCounters", len(q.Results))
	for i, r := range q.Results {
		path := fmt.Sprintf("result[%d].", i)
		s.agree(path+"dwStatus", r.Status)
		s.agree(path+"dwType", uint32(r.Type))
		if r.Type == layout.PERF_MULTIPLE_COUNTERS || r.Type == layout.PERF_COUNTERSET {
			s.agree(path+"ids.dwCounters", len(r.Counters))
			for j, c := range r.Counters {
				s.agree(fmt.Sprintf("%sids.id[%d]", path, j), c.CounterId)
			}
		}
		s.row(path, r.Counters, r.Values, r.Texts)
		if r.Type == layout.PERF_MULTIPLE_INSTANCES || r.Type == layout.PERF_COUNTERSET {
			s.agree(path+"instances.dwInstances", len(r.Instances))
		}
		for k, in := range r.Instances {
			path := fmt.Sprintf("%sinstance[%d].", path, k)
			s.agree(path+"InstanceId", in.InstanceId)
			s.text(path+"Name", in.Name)
			s.row(path, r.Counters, in.Values, in.Texts)
		}
	}
}

// row compares the values of an instance, or the values of a result without instances.
func (s comparison) row(path string, counters []builder.QueryCounter, numbers []uint64, texts []string) {
	s.t.Helper()
	for j, n := range numbers {
		path := fmt.Sprintf("%sdata[%d].value", path, j)
		if !counters[j].Bytes {
			s.agree(path, n)
			continue
		}
		text := texts[0]
		texts = texts[1:]
		switch len(text) {
		case 0:
			s.none(path)
		case 4:
			s.agree(path, binary.LittleEndian.Uint32([]byte(text)))
		case 8:
			s.agree(path, binary.LittleEndian.Uint64([]byte(text)))
		default:
			s.agree(path, "hex:"+hex.EncodeToString([]byte(text)))
		}
	}
	s.none(fmt.Sprintf("%sdata[%d].dwSize", path, len(numbers)))
}

func (s comparison) identifiers(ids builder.Identifiers) {
	s.t.Helper()
	s.count("identifier", len(ids))
	for i, id := range ids {
		path := fmt.Sprintf("identifier[%d].", i)
		s.guid(path+"CounterSetGuid", id.CounterSetGuid)
		s.agree(path+"Status", id.Status)
		s.agree(path+"CounterId", id.CounterId)
		s.agree(path+"InstanceId", id.InstanceId)
		s.agree(path+"Index", id.Index)
		if id.Name != "" {
			s.text(path+"Name", id.Name)
		}
	}
}

func (s comparison) registered(path string, c builder.CounterRegInfo) {
	s.t.Helper()
	s.agree(path+"CounterId", c.CounterId)
	s.agree(path+"Type", uint32(c.Type))
	s.agree(path+"Attrib", uint64(c.Attrib))
	s.agree(path+"DefaultScale", c.DefaultScale)
	s.agree(path+"AggregateFunc", uint32(c.AggregateFunc))
	for name, id := range map[string]*uint32{"BaseCounterId": c.BaseCounterId, "PerfTimeId": c.PerfTimeId, "PerfFreqId": c.PerfFreqId, "MultiId": c.MultiId} {
		if id == nil {
			id = new(uint32(0xFFFFFFFF))
		}
		s.agree(path+name, *id)
	}
}

func (s comparison) strings(m builder.StringBuffer) {
	s.t.Helper()
	s.agree("dwCounters", len(m.Entries))
	for i, e := range m.Entries {
		path := fmt.Sprintf("entry[%d].", i)
		s.agree(path+"dwCounterId", e.CounterId)
		if e.None {
			s.none(path + "Text")
		} else {
			s.text(path+"Text", e.Text)
		}
	}
}

func (s comparison) template(m builder.CounterSetInfo) {
	s.t.Helper()
	s.guid("CounterSetGuid", m.CounterSetGuid)
	s.guid("ProviderGuid", m.ProviderGuid)
	s.agree("InstanceType", uint32(m.InstanceType))
	s.agree("NumCounters", len(m.Counters))
	for i, c := range m.Counters {
		path := fmt.Sprintf("counter[%d].", i)
		s.agree(path+"CounterId", c.CounterId)
		s.agree(path+"Type", uint32(c.Type))
		s.agree(path+"Attrib", uint64(c.Attrib))
		s.agree(path+"Scale", c.Scale)
		s.agree(path+"Offset", c.Offset)
	}
}
