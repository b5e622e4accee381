package validate_test

import (
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

func TestCounterOverlap(t *testing.T) {
	t.Parallel()
	const variable = layout.PERF_SIZE_VARIABLE_LEN
	judgeCounterRows(t, []counterRow{
		{"one behind the other", []wire.CounterDefinition{valued(large, 8, 8), valued(raw, 4, 16), valued(large, 8, 24)}, nil, nil},
		{"one behind the other, the last one first", []wire.CounterDefinition{valued(large, 8, 24), valued(raw, 4, 16), valued(large, 8, 8)}, nil, nil},
		{"one place for three", []wire.CounterDefinition{valued(large, 8, 8), valued(large, 8, 8), valued(large, 8, 8)}, nil, nil},
		{"one place, and one shows half of it", []wire.CounterDefinition{valued(raw, 4, 8), valued(large, 8, 8)}, nil, nil},
		{"the second half", []wire.CounterDefinition{valued(large, 8, 8), valued(raw, 4, 12)}, nil,
			[]string{"ctr-overlap-partial counter[1].CounterOffset: CounterOffset is 12, must be 8, as counter[0] has, or 16 at least, where that ends"}},
		{"the second half, defined first", []wire.CounterDefinition{valued(raw, 4, 12), valued(large, 8, 8)}, nil,
			[]string{"ctr-overlap-partial counter[0].CounterOffset: CounterOffset is 12, must be 8, as counter[1] has, or 16 at least, where that ends"}},
		{"of two with one place the longer is named", []wire.CounterDefinition{valued(raw, 4, 8), valued(large, 8, 8), valued(raw, 4, 12)}, nil,
			[]string{"ctr-overlap-partial counter[2].CounterOffset: CounterOffset is 12, must be 8, as counter[1] has, or 16 at least, where that ends"}},
		{"of two alike the first", []wire.CounterDefinition{valued(large, 8, 8), valued(large, 8, 8), valued(raw, 4, 12)}, nil,
			[]string{"ctr-overlap-partial counter[2].CounterOffset: CounterOffset is 12, must be 8, as counter[0] has, or 16 at least, where that ends"}},
		{"one that reaches far, over others that do not", []wire.CounterDefinition{valued(variable, 16, 8), valued(raw, 4, 12), valued(raw, 4, 20), valued(raw, 4, 24)}, nil, []string{
			"ctr-overlap-partial counter[1].CounterOffset: CounterOffset is 12, must be 8, as counter[0] has, or 24 at least, where that ends",
			"ctr-overlap-partial counter[2].CounterOffset: CounterOffset is 20, must be 8, as counter[0] has, or 24 at least, where that ends",
		}},
		{"two in the middle of a third share their place", []wire.CounterDefinition{valued(variable, 16, 8), valued(raw, 4, 12), valued(raw, 4, 12)}, nil, []string{
			"ctr-overlap-partial counter[1].CounterOffset: CounterOffset is 12, must be 8, as counter[0] has, or 24 at least, where that ends",
			"ctr-overlap-partial counter[2].CounterOffset: CounterOffset is 12, must be 8, as counter[0] has, or 24 at least, where that ends",
		}},
		{"two of 8 bytes, and a third in the second", []wire.CounterDefinition{valued(variable, 8, 8), valued(variable, 8, 12), valued(raw, 4, 16)}, nil, []string{
			"ctr-overlap-partial counter[1].CounterOffset: CounterOffset is 12, must be 8, as counter[0] has, or 16 at least, where that ends",
			"ctr-overlap-partial counter[2].CounterOffset: CounterOffset is 16, must be 12, as counter[1] has, or 20 at least, where that ends",
		}},
		{"of two that reach as far, the one that starts first is named", []wire.CounterDefinition{valued(variable, 12, 8), valued(variable, 8, 12), valued(raw, 4, 16)}, nil, []string{
			"ctr-overlap-partial counter[1].CounterOffset: CounterOffset is 12, must be 8, as counter[0] has, or 20 at least, where that ends",
			"ctr-overlap-partial counter[2].CounterOffset: CounterOffset is 16, must be 8, as counter[0] has, or 20 at least, where that ends",
		}},
		{"nothing is in the middle", []wire.CounterDefinition{valued(variable, 8, 8), valued(variable, 0, 12), valued(label, 0, 12)}, nil, nil},
		{"nothing is around it", []wire.CounterDefinition{valued(variable, 0, 8), valued(raw, 4, 12)}, nil, nil},
		{"a size that no number has covers nothing", []wire.CounterDefinition{valued(raw, 100, 8), valued(raw, 4, 12)}, nil,
			[]string{"ctr-size-domain counter[0].CounterSize: CounterSize is 100, must be 4, the width of PERF_COUNTER_RAWCOUNT"}},
		{"a label covers nothing", []wire.CounterDefinition{valued(label, 100, 8), valued(raw, 4, 12)}, nil,
			[]string{"ctr-size-nodata counter[0].CounterSize: CounterSize is 100, must be 0, as PERF_COUNTER_NODATA has no value"}},
		{"an offset that none can have covers nothing", []wire.CounterDefinition{valued(large, 8, 0), valued(raw, 4, 4)}, nil,
			[]string{"ctr-offset-min counter[0].CounterOffset: CounterOffset is 0, must be at least 4, after the block's ByteLength"}},
	})
}

// TestOverlapKeepsItsMemory holds counters that are out of order to cost no more memory
// than others.
func TestOverlapKeepsItsMemory(t *testing.T) {
	allocations := func(place func(i uint32) uint32) float64 {
		var counters []wire.CounterDefinition
		for i := range uint32(500) {
			counters = append(counters, valued(raw, 4, 4+4*place(i)))
		}
		b := withBlocks(withTitles(counters))
		v := profiled(t, validate.Strict)
		if r := v.Bytes(layout.ObjectsKind, b, validate.Context{}); len(r.Findings) > 0 {
			t.Fatal(r.Findings)
		}
		return testing.AllocsPerRun(10, func() { v.Bytes(layout.ObjectsKind, b, validate.Context{}) })
	}
	inOrder := allocations(func(i uint32) uint32 { return i })
	outOfOrder := allocations(func(i uint32) uint32 { return 499 - i })
	if inOrder > 1 || outOfOrder > inOrder {
		t.Errorf("%v allocations in order, %v out of order", inOrder, outOfOrder)
	}
}
