package layout_test

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// instanceList returns n instances, each with a name of two characters.
func instanceList(n int) (b []byte) {
	for i := range n {
		b = wire.InstanceHeader{Size: 16, InstanceId: uint32(i)}.Append(b)
		b = append(b, "a\x00b\x00\x00\x00\x00\x00"...)
	}
	return b
}

// querySet returns query data with a result of every type, each with n counters and instances.
func querySet(n int) []byte {
	value := append(wire.CounterData{DwDataSize: 4, DwSize: 16}.Append(nil), 1, 2, 3, 4, 0, 0, 0, 0)
	ids := wire.MultiCounters{DwSize: uint32(8+4*n+7) &^ 7, DwCounters: uint32(n)}.Append(nil)
	for i := range n {
		ids = binary.LittleEndian.AppendUint32(ids, uint32(i))
	}
	ids = append(ids, make([]byte, -len(ids)&7)...)
	instances := func(values int) (b []byte) {
		for i := range n {
			b = append(b, instanceList(i + 1)[16*i:]...)
			b = append(b, slices.Repeat(value, values)...)
		}
		return append(wire.MultiInstances{DwTotalSize: uint32(8 + len(b)), DwInstances: uint32(n)}.Append(nil), b...)
	}
	b := make([]byte, 48)
	for _, one := range []struct {
		kind layout.PerfCounterDataType
		body []byte
	}{
		{layout.PERF_ERROR_RETURN, nil},
		{layout.PERF_SINGLE_COUNTER, value},
		{layout.PERF_MULTIPLE_COUNTERS, slices.Concat(ids, slices.Repeat(value, n))},
		{layout.PERF_MULTIPLE_INSTANCES, instances(1)},
		{layout.PERF_COUNTERSET, slices.Concat(ids, instances(n))},
	} {
		b = wire.CounterHeader{DwType: one.kind, DwSize: uint32(16 + len(one.body))}.Append(b)
		b = append(b, one.body...)
	}
	wire.DataHeader{DwTotalSize: uint32(len(b)), DwNumCounters: 5}.Put(b)
	return b
}

// walkQuery reads the whole block as a consumer does and returns the number of values.
func walkQuery(b []byte) (n int) {
	q, err := layout.ReadQueryData(b)
	if err != nil {
		panic(err)
	}
	for r := range q.Results() {
		if r.HasIDs() {
			ids, _ := r.IDs()
			for id := range ids.All() {
				_ = id
			}
		}
		for v := range r.Values() {
			_, _ = v.Value()
			n++
		}
		if !r.HasInstances() {
			continue
		}
		in, _ := r.Instances()
		for one := range in.All() {
			_ = one.Name()
			for v := range one.Values() {
				_, _ = v.Value()
				n++
			}
		}
	}
	return n
}

func TestPerflibCursorsDoNotAllocate(t *testing.T) {
	odd := querySet(99)
	le.PutUint32(odd[48+16+32+16:], 8+4*99) // the length of the ids leaves out the padding
	for _, tt := range []struct {
		name string
		walk func()
	}{
		{"query", func() { walkQuery(querySet100) }},
		{"query with an odd number of ids", func() { walkQuery(odd) }},
		{"instances", func() {
			for one := range layout.ReadInstanceHeaders(instances100) {
				_ = one.Name()
			}
		}},
		{"identifiers", func() {
			for id := range layout.ReadCounterIdentifiers(identifiers100) {
				_ = id.Name()
			}
		}},
		{"strings", func() {
			s, _ := layout.ReadStringBuffer(strings100)
			for e := range s.Entries() {
				_, _ = e.Text()
			}
		}},
		{"registered set", func() {
			s, _ := layout.ReadCounterSetRegInfo(regSet100)
			for c := range s.Counters() {
				_ = wire.GetCounterRegInfo(c.Bytes())
			}
		}},
		{"GUIDs", func() {
			for g := range layout.ReadGUIDs(regSet100[:1600]) {
				_ = g
			}
		}},
		{"template", func() {
			s, _ := layout.ReadCounterSetInfo(template100)
			for c := range s.Counters() {
				_ = wire.GetCounterInfo(c.Bytes())
			}
		}},
		{"set instance", func() {
			s, _ := layout.ReadCounterSetInstance(setInstance100)
			_, _ = s.Name()
			for slot := range s.Slots() {
				_, _ = slot.Number()
			}
		}},
	} {
		if n := testing.AllocsPerRun(10, tt.walk); n != 0 {
			t.Errorf("%s: %v allocations", tt.name, n)
		}
	}
}

var (
	querySet100    = querySet(100)
	instances100   = instanceList(100)
	identifiers100 = slices.Repeat(wire.CounterIdentifier{Size: 40}.Append(nil), 100)
	strings100     = stringBuffer(100, 8+8*100)
	regSet100      = append(wire.CounterSetRegInfo{NumCounters: 100}.Append(nil), make([]byte, 4800)...)
	template100    = append(wire.CounterSetInfo{NumCounters: 100}.Append(nil), make([]byte, 3200)...)
	setInstance100 = append(wire.CounterSetInstance{DwSize: 840, InstanceNameOffset: 832, InstanceNameSize: 2}.Append(nil), make([]byte, 808)...)
)

// stringBuffer returns n strings of two characters. The dwOffset of the first is from.
func stringBuffer(n int, from uint32) []byte {
	b := wire.StringBufferHeader{DwSize: uint32(8 + 14*n), DwCounters: uint32(n)}.Append(nil)
	for i := range n {
		b = wire.StringCounterHeader{DwCounterId: uint32(i), DwOffset: from + 6*uint32(i)}.Append(b)
	}
	return append(b, slices.Repeat([]byte("a\x00b\x00\x00\x00"), n)...)
}

// walkQuery, which the benchmarks measure, reads every value.
func TestWalkQueryReadsAll(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 9, 100} {
		if got, want := walkQuery(querySet(n)), 1+n+n+n*n; got != want {
			t.Errorf("%d values, want %d", got, want)
		}
	}
}

// A count of four billion is read only to the end of the bytes, in time linear in the bytes.
func TestPerflibCountsEndWithTheBytes(t *testing.T) {
	t.Parallel()
	b := querySet(300)
	le.PutUint32(b[4:], most)
	instances := 48 + 16 + 32 + (16 + 8 + 4*300 + 16*300) + 16
	le.PutUint32(b[instances+4:], most)
	v := follow(t, "query", b)
	if v.err == nil {
		t.Error("no fault")
	}
	for _, tt := range []struct {
		title string
		bytes []byte
		at    int
	}{{"registered set", regSet100, 24}, {"template", template100, 32}} {
		b := slices.Clone(tt.bytes)
		le.PutUint32(b[tt.at:], most)
		if v := follow(t, tt.title, b); v.err == nil {
			t.Errorf("%s: no fault", tt.title)
		}
	}
	// The maximum NumCounters in a block without counters.
	if v := follow(t, "registered set", wire.CounterSetRegInfo{NumCounters: most}.Append(nil)); v.err == nil || v.err.Error() != "counter[0] at 0x20: 0 bytes are less than the 48 of a PERF_COUNTER_REG_INFO" {
		t.Errorf("%v", v.err)
	}
}

// sharing returns a string buffer of n entries and of texts bytes without a NUL. at returns the dwOffset of
// an entry.
func sharing(n, texts int, at func(i int) uint32) []byte {
	first := 8 + 8*n
	b := wire.StringBufferHeader{DwSize: uint32(first + texts), DwCounters: uint32(n)}.Append(nil)
	for i := range n {
		b = wire.StringCounterHeader{DwCounterId: uint32(i), DwOffset: uint32(first) + at(i)}.Append(b)
	}
	return append(b, slices.Repeat([]byte("a\x00"), texts/2)...)
}

// The work is linear in the bytes also for texts that share bytes, counts of four billion and lengths
// of 0.
func TestWorkOnPerflibIsLinear(t *testing.T) {
	t.Parallel()
	n := long.Count(20_000, 100_000)
	counting := func(b []byte, at int) []byte {
		le.PutUint32(b[at:], most)
		return b
	}
	for _, tt := range []struct {
		name string
		kind layout.Kind
		b    []byte
	}{
		{"texts in each other", layout.StringsKind, sharing(n, n, func(i int) uint32 { return uint32(i) })},
		{"texts in each other, the last first", layout.StringsKind, sharing(n, n, func(i int) uint32 { return uint32(n - 1 - i) })},
		{"all one text", layout.StringsKind, sharing(n, n, func(int) uint32 { return 0 })},
		{"no text in the buffer", layout.StringsKind, sharing(n, n, func(int) uint32 { return most / 2 })},
		{"ids to the end", layout.QueryDataKind, counting(querySet(300), 48+16+32+20)},
		{"instances to the end", layout.QueryDataKind, counting(querySet(300), 48+16+32+(16+8+4*300+16*300)+20)},
		{"results of a header alone", layout.QueryDataKind, counting(wire.DataHeader{DwTotalSize: 48}.Append(make([]byte, 0, 48+16*n)), 4)},
		{"empty instances", layout.InstancesKind, slices.Repeat([]byte{8, 0, 0, 0, 0, 0, 0, 0}, n)},
		{"zeros", layout.InstancesKind, make([]byte, 10*n)},
		{"GUIDs", layout.GUIDsKind, make([]byte, 16*n+1)},
		{"counters", layout.RegSetKind, counting(make([]byte, 32+48*n), 24)},
		{"counters", layout.TemplateKind, counting(make([]byte, 40+32*n), 32)},
		{"slots", layout.InstanceBlockKind, wire.CounterSetInstance{DwSize: most, InstanceNameOffset: most}.Append(nil)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			start, parts := time.Now(), 0
			for p := range layout.Walk(tt.kind, tt.b) {
				if parts++; parts > len(tt.b)+1 {
					t.Fatalf("more parts than the %d bytes", len(tt.b))
				}
				if p.Len() == 0 && p.Err == nil {
					t.Fatalf("%v is empty and has no error", p.Path)
				}
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%v for %d bytes", took, len(tt.b))
			}
		})
	}
}

// oddIDs returns query data with a result for n counters. The padding after the ids is not zero and dwSize excludes it,
// so the reader must look at the whole result to find where the ids end.
func oddIDs(n int) []byte {
	b := make([]byte, 48+16)
	b = wire.MultiCounters{DwSize: uint32(8 + 4*n), DwCounters: uint32(n)}.Append(b)
	b = append(b, make([]byte, 4*n)...)
	b = append(b, 1, 2, 3, 4)
	b = append(b, slices.Repeat(wire.CounterData{DwSize: 8}.Append(nil), n)...)
	wire.CounterHeader{DwType: layout.PERF_MULTIPLE_COUNTERS, DwSize: uint32(len(b) - 48)}.Put(b[48:])
	wire.DataHeader{DwTotalSize: uint32(len(b)), DwNumCounters: 1}.Put(b)
	return b
}

// FindAll reads each result, instance and text once, so many paths cost little more than one.
func TestFindingEverythingInPerflibIsLinear(t *testing.T) {
	t.Parallel()
	n := long.Count(2_000, 20_000)
	for _, tt := range []struct {
		kind layout.Kind
		b    []byte
	}{
		{layout.QueryDataKind, querySet(long.Count(40, 200))},
		{layout.QueryDataKind, oddIDs(n + 1)},
		{layout.StringsKind, stringBuffer(n, uint32(8+8*n))},
		{layout.InstancesKind, instanceList(n)},
		{layout.GUIDsKind, make([]byte, 16*n)},
		{layout.RegSetKind, append(wire.CounterSetRegInfo{NumCounters: 5000}.Append(nil), make([]byte, 48*5000)...)},
	} {
		start := time.Now()
		shown := slices.Collect(layout.Walk(tt.kind, tt.b))
		for i, q := range findAll(tt.kind, tt.b, shown) {
			if p := shown[i]; q.Err != nil || q.Off() != p.Off() {
				t.Fatalf("%v: %v", p.Path, q.Err)
			}
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%v: %v for %d bytes", tt.kind, took, len(tt.b))
		}
	}
}

// Walk does not allocate for each part, except for the entries of a string buffer.
func TestWalkOfPerflibDoesNotAllocatePerPart(t *testing.T) {
	cost := func(b []byte) float64 {
		return testing.AllocsPerRun(5, func() {
			for p := range layout.Walk(layout.QueryDataKind, b) {
				_ = p
			}
		})
	}
	if few, many := cost(querySet(5)), cost(querySet(100)); many > few {
		t.Errorf("%v allocations for 5 instances and counters, %v for 100", few, many)
	}
}
