package layout_test

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/walktest"
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

// querySet returns query data with one result of each type. The results have n counters and n
// instances.
func querySet(n int) []byte {
	value := append(wire.CounterData{DwDataSize: 4, DwSize: 16}.Append(nil), 1, 2, 3, 4, 0, 0, 0, 0)
	ids := wire.MultiCounters{DwSize: uint32(layout.SizeofMultiCounters+4*n+7) &^ 7, DwCounters: uint32(n)}.Append(nil)
	for i := range n {
		ids = binary.LittleEndian.AppendUint32(ids, uint32(i))
	}
	ids = append(ids, make([]byte, -len(ids)&7)...)
	instances := func(values int) (b []byte) {
		for i := range n {
			b = append(b, instanceList(i + 1)[16*i:]...)
			b = append(b, slices.Repeat(value, values)...)
		}
		return append(wire.MultiInstances{DwTotalSize: uint32(layout.SizeofMultiInstances + len(b)), DwInstances: uint32(n)}.Append(nil), b...)
	}
	b := make([]byte, layout.SizeofDataHeader)
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
		b = wire.Result{DwType: one.kind, DwSize: uint32(layout.SizeofCounterHeader + len(one.body))}.Append(b)
		b = append(b, one.body...)
	}
	wire.QueryData{DwTotalSize: uint32(len(b)), DwNumCounters: 5}.Append(b[:0])
	return b
}

// walkQuery reads all values of query data as a consumer does and returns their number.
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
	const n = 99
	odd := querySet(n)
	setField(t, layout.QueryDataKind, odd, "result[2].ids.dwSize", layout.SizeofMultiCounters+4*n) // excludes the padding
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
				_, _ = c.Attrib(), c.MultiId()
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
				_, _ = c.Attrib(), c.Offset()
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
	identifiers100 = slices.Repeat(wire.CounterIdentifier{Size: layout.SizeofCounterIdentifier}.Append(nil), 100)
	strings100     = stringBuffer(100)
	regSet100      = append(wire.CounterSetRegInfo{NumCounters: 100}.Append(nil), make([]byte, 100*layout.SizeofCounterRegInfo)...)
	template100    = append(wire.CounterSetInfo{NumCounters: 100}.Append(nil), make([]byte, 100*layout.SizeofCounterInfo)...)
	setInstance100 = append(wire.CounterSetInstance{DwSize: 840, InstanceNameOffset: 832, InstanceNameSize: 2}.Append(nil), make([]byte, 808)...)
)

// stringBuffer returns a buffer of n strings of two characters.
func stringBuffer(n int) []byte {
	const text = "a\x00b\x00\x00\x00"
	first := layout.SizeofStringBufferHeader + layout.SizeofStringCounterHeader*n
	b := wire.StringBuffer{DwSize: uint32(first + len(text)*n), DwCounters: uint32(n)}.Append(nil)
	for i := range n {
		b = wire.StringCounter{DwCounterId: uint32(i), DwOffset: uint32(first + len(text)*i)}.Append(b)
	}
	return append(b, slices.Repeat([]byte(text), n)...)
}

// TestWalkQueryReadsAll checks that walkQuery reads every value.
func TestWalkQueryReadsAll(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 9, 100} {
		if got, want := walkQuery(querySet(n)), 1+n+n+n*n; got != want {
			t.Errorf("%d values, want %d", got, want)
		}
	}
}

// TestPerflibCountsEndWithTheBytes checks that iterators stop at the end of the bytes if a count is 0xFFFFFFFF.
func TestPerflibCountsEndWithTheBytes(t *testing.T) {
	t.Parallel()
	b := setField(t, layout.QueryDataKind, querySet(300), "dwNumCounters", most)
	setField(t, layout.QueryDataKind, b, "result[3].instances.dwInstances", most)
	v := follow(t, "query", b)
	if v.err == nil {
		t.Error("no fault")
	}
	for title, b := range map[string][]byte{"registered set": regSet100, "template": template100} {
		if v := follow(t, title, setField(t, fixture.WorkedKinds[title], slices.Clone(b), "NumCounters", most)); v.err == nil {
			t.Errorf("%s: no fault", title)
		}
	}
	// NumCounters is the maximum, and the block has no counters.
	if v := follow(t, "registered set", wire.CounterSetRegInfo{NumCounters: most}.Append(nil)); v.err == nil || v.err.Error() != "counter[0] at 0x20: 0 bytes are less than the 48 bytes of a PERF_COUNTER_REG_INFO" {
		t.Errorf("%v", v.err)
	}
}

// sharedText returns a string buffer with n entries, and then `size` bytes of text without a NUL. The string of
// entry i starts at the position start(i) of the text.
func sharedText(n, size int, start func(i int) uint32) []byte {
	first := layout.SizeofStringBufferHeader + layout.SizeofStringCounterHeader*n
	b := wire.StringBuffer{DwSize: uint32(first + size), DwCounters: uint32(n)}.Append(nil)
	for i := range n {
		b = wire.StringCounter{DwCounterId: uint32(i), DwOffset: uint32(first) + start(i)}.Append(b)
	}
	return append(b, slices.Repeat([]byte("a\x00"), size/2)...)
}

// headers returns query data with n results. Each result is only a header.
func headers(n int) []byte {
	size := layout.SizeofDataHeader + layout.SizeofCounterHeader*n
	b := wire.QueryData{DwTotalSize: uint32(size), DwNumCounters: most}.Append(nil)
	return append(b, slices.Repeat(wire.Result{DwSize: layout.SizeofCounterHeader}.Append(nil), n)...)
}

// TestWorkOnPerflibIsLinear checks that the time for reading hostile buffers is linear in their size.
func TestWorkOnPerflibIsLinear(t *testing.T) {
	t.Parallel()
	n := long.Count(20_000, 100_000)
	counting := func(kind layout.Kind, b []byte, path string) []byte { return setField(t, kind, b, path, most) }
	for _, tt := range []struct {
		name string
		kind layout.Kind
		b    []byte
	}{
		{"each text starts inside the text before it", layout.StringsKind, sharedText(n, n, func(i int) uint32 { return uint32(i) })},
		{"each text starts inside the text after it", layout.StringsKind, sharedText(n, n, func(i int) uint32 { return uint32(n - 1 - i) })},
		{"all entries have the same text", layout.StringsKind, sharedText(n, n, func(int) uint32 { return 0 })},
		{"no text in the buffer", layout.StringsKind, sharedText(n, n, func(int) uint32 { return most / 2 })},
		{"ids to the end", layout.QueryDataKind, counting(layout.QueryDataKind, querySet(300), "result[2].ids.dwCounters")},
		{"instances to the end", layout.QueryDataKind, counting(layout.QueryDataKind, querySet(300), "result[3].instances.dwInstances")},
		{"results of a header alone", layout.QueryDataKind, headers(n)},
		{"empty instances", layout.InstancesKind, slices.Repeat(wire.InstanceHeader{Size: layout.SizeofInstanceHeader}.Append(nil), n)},
		{"zeros", layout.InstancesKind, make([]byte, 10*n)},
		{"GUIDs", layout.GUIDsKind, make([]byte, layout.SizeofGUID*n+1)},
		{"counters", layout.RegSetKind, counting(layout.RegSetKind, make([]byte, layout.SizeofCounterSetRegInfo+layout.SizeofCounterRegInfo*n), "NumCounters")},
		{"counters", layout.TemplateKind, counting(layout.TemplateKind, make([]byte, layout.SizeofCounterSetInfo+layout.SizeofCounterInfo*n), "NumCounters")},
		{"slots", layout.InstanceBlockKind, wire.CounterSetInstance{DwSize: most, InstanceNameOffset: most}.Append(nil)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			countParts(t, tt.kind, tt.b)
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%v for %d bytes", took, len(tt.b))
			}
		})
	}
}

// oddIDs returns query data with an odd number n of ids, 4 bytes of padding that are not zero, and n values. To find out
// that the 4 bytes are padding, a reader must check the sizes of all values.
func oddIDs(n int) []byte {
	b := make([]byte, layout.SizeofDataHeader+layout.SizeofCounterHeader)
	b = wire.MultiCounters{DwSize: uint32(layout.SizeofMultiCounters + 4*n), DwCounters: uint32(n)}.Append(b)
	b = append(b, make([]byte, 4*n)...)
	b = append(b, 1, 2, 3, 4)
	b = append(b, slices.Repeat(wire.CounterData{DwSize: layout.SizeofCounterData}.Append(nil), n)...)
	wire.Result{DwType: layout.PERF_MULTIPLE_COUNTERS, DwSize: uint32(len(b) - layout.SizeofDataHeader)}.Append(b[:layout.SizeofDataHeader])
	wire.QueryData{DwTotalSize: uint32(len(b)), DwNumCounters: 1}.Append(b[:0])
	return b
}

// TestFindingEverythingInPerflibIsLinear checks that FindAll reads each result, instance and text only once, even
// for many paths.
func TestFindingEverythingInPerflibIsLinear(t *testing.T) {
	t.Parallel()
	n := long.Count(2_000, 20_000)
	for _, tt := range []struct {
		kind layout.Kind
		b    []byte
	}{
		{layout.QueryDataKind, querySet(long.Count(40, 200))},
		{layout.QueryDataKind, oddIDs(n + 1)},
		{layout.StringsKind, stringBuffer(n)},
		{layout.InstancesKind, instanceList(n)},
		{layout.GUIDsKind, make([]byte, layout.SizeofGUID*n)},
		{layout.RegSetKind, append(wire.CounterSetRegInfo{NumCounters: 5000}.Append(nil), make([]byte, layout.SizeofCounterRegInfo*5000)...)},
	} {
		start := time.Now()
		walktest.Check(t, tt.kind, tt.b)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%v: %v for %d bytes", tt.kind, took, len(tt.b))
		}
	}
}

// TestWalkOfPerflibDoesNotAllocatePerPart checks that Walk does not allocate for each part. It
// may allocate for each entry of a string buffer.
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
