package layout_test

import (
	"math"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// newObject returns an object. The CounterOffset and CounterSize of counter i are the results of place(i).
func newObject(counters, instances, blockLen int, place func(i int) (offset, size uint32)) []byte {
	defs := layout.SizeofObjectType + layout.SizeofCounterDefinition*counters
	total := defs + instances*(layout.SizeofInstanceDefinition+blockLen)
	b := wire.Object{
		TotalByteLength: uint32(total), DefinitionLength: uint32(defs), HeaderLength: layout.SizeofObjectType,
		NumCounters: uint32(counters), NumInstances: int32(instances),
	}.Append(make([]byte, 0, total))
	for i := range counters {
		offset, size := place(i)
		b = wire.Counter{ByteLength: layout.SizeofCounterDefinition, CounterOffset: offset, CounterSize: size}.Append(b)
	}
	for range instances {
		b = wire.Instance{ByteLength: layout.SizeofInstanceDefinition}.Append(b)
		b = wire.CounterBlock{ByteLength: uint32(blockLen)}.Append(b)
		b = append(b, make([]byte, blockLen-layout.SizeofCounterBlock)...)
	}
	return b
}

// TestWorkIsLinear checks that Walk takes linear time for hostile blocks. If Walk yielded a part
// for each counter of each instance, there would be 195 million parts.
func TestWorkIsLinear(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		at   func(i int) (offset, size uint32)
	}{
		{"all values at the same offset", func(int) (uint32, uint32) { return 4, 4 }},
		{"all values at the same offset, with increasing sizes", func(i int) (uint32, uint32) { return 4, uint32(i) }},
		{"all values at the same offset after the block", func(int) (uint32, uint32) { return 8, 4 }},
		{"values next to each other, most of them after the block", func(i int) (uint32, uint32) { return uint32(4 + i), 4 }},
		{"no value fits into the block", func(i int) (uint32, uint32) { return uint32(5 + i%3), 4 }},
		{"values of one byte at four offsets", func(i int) (uint32, uint32) { return uint32(4 + i%4), 1 }},
		{"each value overlaps the next", func(i int) (uint32, uint32) { return uint32(4 + i%4), uint32(4 - i%4) }},
		{"values at the largest offsets", func(i int) (uint32, uint32) { return most - uint32(i), most }},
		{"values without bytes", func(i int) (uint32, uint32) { return uint32(4 + i%4), 0 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			countParts(t, layout.ObjectsKind, newObject(13_000, 15_000, 8, tt.at))
		})
	}
}

// countParts checks that Walk yields at most one part for each byte of b, plus one part for a fault. An empty part
// must have an error.
func countParts(t *testing.T, kind layout.Kind, b []byte) {
	t.Helper()
	parts := 0
	for p := range layout.Walk(kind, b) {
		if parts++; parts > len(b)+1 {
			t.Fatalf("more parts than the %d bytes", len(b))
		}
		if p.Len() == 0 && p.Err == nil {
			t.Fatalf("%v is empty and has no error", p.Path)
		}
	}
}

// TestCountsEndWithTheBytes checks that iterators stop at the end of the bytes if NumCounters or
// NumInstances is the maximum.
func TestCountsEndWithTheBytes(t *testing.T) {
	t.Parallel()
	b := newObject(100, 100, 8, func(int) (uint32, uint32) { return 4, 4 })
	setField(t, layout.ObjectsKind, b, "object[0].NumCounters", most)
	setField(t, layout.ObjectsKind, b, "object[0].NumInstances", math.MaxInt32)
	for o, err := range layout.ReadObjects(b) {
		if err != nil {
			t.Fatal(err)
		}
		counters, instances := 0, 0
		for _, err := range o.Counters() {
			counters++
			if last := counters == 101; (err != nil) != last {
				t.Fatalf("counter %d: %v", counters, err)
			}
		}
		for _, err := range o.Instances() {
			instances++
			if last := instances == 101; (err != nil) != last {
				t.Fatalf("instance %d: %v", instances, err)
			}
		}
		if counters != 101 || instances != 101 {
			t.Errorf("%d counters and %d instances, the fault with them", counters, instances)
		}
	}
}

func TestCursorsDoNotAllocatePerStep(t *testing.T) {
	few := newObject(10, 10, 8, func(int) (uint32, uint32) { return 4, 4 })
	many := newObject(1000, 1000, 8, func(int) (uint32, uint32) { return 4, 4 })
	count := func(b []byte) float64 {
		return testing.AllocsPerRun(10, func() {
			for o := range layout.ReadObjects(b) {
				for c := range o.Counters() {
					_ = c.CounterOffset()
				}
				for in := range o.Instances() {
					_, _ = in.Name()
					_, _ = in.Block()
				}
			}
		})
	}
	if a, z := count(few), count(many); a != z {
		t.Errorf("%v allocations for 10 counters and instances, %v for 1000", a, z)
	}
}
