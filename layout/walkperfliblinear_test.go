package layout_test

import (
	"slices"
	"testing"
	"time"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// sharing returns a string buffer of n entries, whose offsets at gives, before texts
// of that many bytes without a NUL.
func sharing(n, texts int, at func(i int) uint32) []byte {
	first := 8 + 8*n
	b := wire.StringBufferHeader{DwSize: uint32(first + texts), DwCounters: uint32(n)}.Append(nil)
	for i := range n {
		b = wire.StringCounterHeader{DwCounterId: uint32(i), DwOffset: uint32(first) + at(i)}.Append(b)
	}
	return append(b, slices.Repeat([]byte("a\x00"), texts/2)...)
}

// Texts that share their bytes, counts that promise four billion and lengths of nothing
// must not make the work more than the bytes.
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
		{"answers of nothing", layout.QueryDataKind, counting(wire.DataHeader{DwTotalSize: 48}.Append(make([]byte, 0, 48+16*n)), 4)},
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
					t.Fatalf("%v holds nothing, and for no reason", p.Path)
				}
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%v for %d bytes", took, len(tt.b))
			}
		})
	}
}

// oddIDs returns query data with an answer to n counters, whose padding holds something and
// is left out of the length of the ids: all of it tells where they end.
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

// Many look-ups cost little more than one: each answer, instance and text is read once.
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

// Walking takes no memory for each part, but for the entries of a string buffer.
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
