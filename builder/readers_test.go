package builder_test

import (
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// Known readers find some values by other means than CounterOffset and
// CounterSize. These layouts give all of them the same numbers.
func TestEveryReaderSeesTheSame(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		typ    layout.CounterType
		given  uint32 // the counter's CounterOffset, 0 for computed
		values []uint64
		at     []uint32       // CounterOffset of each definition
		eight  map[int]uint64 // offset in the block: 8 bytes that some reader takes from there
		four   map[int]uint32
		reason string
	}{
		{layout.PERF_AVERAGE_TIMER, 0, []uint64{7, 9}, []uint32{16, 24}, map[int]uint64{16: 7}, map[int]uint32{16: 7, 24: 9},
			"the Microsoft sample and netdata read 8 bytes of the timer, others the 4 it declares"},
		{layout.PERF_AVERAGE_BULK, 0, []uint64{7, 9}, []uint32{16, 24}, map[int]uint64{16: 7, 24: 9}, map[int]uint32{24: 9},
			"perflib_exporter reads 8 bytes behind the value as the second one"},
		{layout.PERF_COUNTER_MULTI_TIMER, 0, []uint64{7, 9}, []uint32{16, 24}, map[int]uint64{16: 7, 24: 9}, map[int]uint32{24: 9},
			"the sample reads the components as a DWORD behind the value, WMI and .NET by the definition"},
		{layout.PERF_100NSEC_MULTI_TIMER_INV, 0, []uint64{7, 9}, []uint32{16, 24}, map[int]uint64{16: 7}, map[int]uint32{24: 9}, "as above"},
		{layout.PERF_COUNTER_MULTI_TIMER, 20, []uint64{7, 9}, []uint32{20, 28}, map[int]uint64{20: 7, 28: 9}, map[int]uint32{28: 9},
			"also where the counter is told a place that is not on 8"},
		{layout.PERF_RAW_FRACTION, 0, []uint64{7, 9}, []uint32{12, 16}, nil, map[int]uint32{12: 7, 16: 9}, "two DWORDs need no room between them"},
	} {
		// Two DWORDs first, so that the next place is not on 8 by chance.
		o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Counter(8, layout.PERF_COUNTER_RAWCOUNT).WithBase(6, test.typ)
		if test.given != 0 {
			o.Counters[2].CounterOffset = test.given
		}
		b, err := o.Single(append([]uint64{1, 2}, test.values...)...).MarshalBinary()
		if err != nil {
			t.Errorf("%v: %v", test.typ, err)
			continue
		}
		for v := range layout.ReadObjects(b) {
			block, err := v.Block()
			if err != nil {
				t.Fatal(err)
			}
			i := 0
			for c := range v.Counters() {
				if i > 1 && c.CounterOffset() != test.at[i-2] {
					t.Errorf("%v: definition %d is at %d, want %d: %s", test.typ, i, c.CounterOffset(), test.at[i-2], test.reason)
				}
				i++
			}
			for at, want := range test.eight {
				if s, err := block.Sub(uint64(at), 8); err != nil {
					t.Errorf("%v: no 8 bytes at %d: %s", test.typ, at, test.reason)
				} else if got, _ := s.Number(); got != want {
					t.Errorf("%v: 8 bytes at %d are %d, want %d: %s", test.typ, at, got, want, test.reason)
				}
			}
			for at, want := range test.four {
				s, err := block.Sub(uint64(at), 4)
				if got, _ := s.Number(); err != nil || got != uint64(want) {
					t.Errorf("%v: 4 bytes at %d are %d, %v, want %d: %s", test.typ, at, got, err, want, test.reason)
				}
			}
		}
	}
}

// Every predefined type alone, with its base: 8-byte values on 8, the block a
// multiple of 8, each value where its definition says.
func TestEveryCounterType(t *testing.T) {
	t.Parallel()
	n := 0
	for typ := range layout.CounterTypes() {
		if typ.IsBase() {
			continue
		}
		n++
		o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).WithBase(6, typ)
		values := []uint64{5}
		for _, c := range o.Counters[1:] {
			v := uint64(0x1122334455667788)
			switch size, _ := c.CounterType.Width(); size {
			case 0:
				v = 0
			case 4:
				v = 0x11223344
			}
			values = append(values, v)
		}
		o.Single(values...)
		if typ.IsText() {
			o.Texts = []string{"Ä"}
		}
		b, err := o.MarshalBinary()
		if err != nil {
			t.Errorf("%v: %v", typ, err)
			continue
		}
		for v := range layout.ReadObjects(b) {
			block, err := v.Block()
			if err != nil || block.Len()%8 != 0 {
				t.Fatalf("%v: a block of %d bytes, %v", typ, block.Len(), err)
			}
			i := 0
			for c := range v.Counters() {
				s, err := block.Value(c)
				if err != nil {
					t.Fatalf("%v: %v", typ, err)
				}
				got, number := s.Number()
				if number && (got != values[i] || c.CounterOffset()%c.CounterSize() != 0) && !typ.IsText() {
					t.Errorf("%v: value %d is 0x%x at %d, want 0x%x", typ, i, got, c.CounterOffset(), values[i])
				}
				if i == 1 && typ.IsText() && string(s.Bytes()) != "\x02\x00\x00\x00\xc4\x00" {
					t.Errorf("the text is % x", s.Bytes())
				}
				i++
			}
		}
	}
	if n != 34 {
		t.Errorf("%d types stand by themselves, want 39 without 5 bases", n)
	}
}
