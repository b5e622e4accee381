package layout_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// instanceList returns n instances with names of two characters.
func instanceList(n int) (b []byte) {
	for i := range n {
		b = wire.InstanceHeader{Size: 16, InstanceId: uint32(i)}.Append(b)
		b = append(b, "a\x00b\x00\x00\x00\x00\x00"...)
	}
	return b
}

// querySet returns query data with answers of every type, each with n counters and instances.
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

// walkQuery reads all there is as a consumer does and returns the number of values.
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

// stringBuffer returns n strings of two characters, the first at an offset of from.
func stringBuffer(n int, from uint32) []byte {
	b := wire.StringBufferHeader{DwSize: uint32(8 + 14*n), DwCounters: uint32(n)}.Append(nil)
	for i := range n {
		b = wire.StringCounterHeader{DwCounterId: uint32(i), DwOffset: from + 6*uint32(i)}.Append(b)
	}
	return append(b, slices.Repeat([]byte("a\x00b\x00\x00\x00"), n)...)
}

// The walk of the measured block reads what it should.
func TestWalkQueryReadsAll(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 9, 100} {
		if got, want := walkQuery(querySet(n)), 1+n+n+n*n; got != want {
			t.Errorf("%d values, want %d", got, want)
		}
	}
}

// Counts that promise four billion end with the bytes, and the work with them.
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
	// The most counters that a length of 4 bytes lets follow each other, none of them there.
	if v := follow(t, "registered set", wire.CounterSetRegInfo{NumCounters: most}.Append(nil)); v.err == nil || v.err.Error() != "counter[0] at 0x20: 0 bytes are less than the 48 of a PERF_COUNTER_REG_INFO" {
		t.Errorf("%v", v.err)
	}
}
