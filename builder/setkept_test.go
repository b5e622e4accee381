package builder_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A counter or a text costs no allocation of its own, and is its own all the same.
func TestSetDecodingAllocatesLittle(t *testing.T) {
	const n = 20_000
	set, template, texts := new(builder.CounterSetRegInfo{}), new(builder.CounterSetInfo{}), new(builder.StringBuffer{})
	for i := range uint32(n) {
		set.Define(builder.CounterRegInfo{CounterId: i, Type: layout.PERF_COUNTER_LARGE_RAWCOUNT, PerfTimeId: new((i + 1) % n), PerfFreqId: new((i + 2) % n)})
		template.Counter(i, layout.PERF_COUNTER_COUNTER)
		texts.Counter(i, fmt.Sprintf("größe %08d", i))
	}
	for _, m := range []builder.Model{set, template, texts, &builder.CounterSetInstance{Values: make([]uint64, n)}, new(make(builder.GUIDs, n))} {
		b, err := m.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		back, err := builder.NewModel(m.Kind())
		if err != nil {
			t.Fatal(err)
		}
		allocs := testing.AllocsPerRun(3, func() { err = back.UnmarshalBinary(b) })
		if err != nil || allocs > n/20 {
			t.Errorf("%v allocations for a %v of %d, %v", allocs, m.Kind(), n, err)
		}
		t.Logf("%v allocations for a %v of %d", allocs, m.Kind(), n)
		clear(b)
		if !reflect.DeepEqual(m, back) {
			t.Errorf("the model changed with the bytes (-want +got):\n%s", cmp.Diff(m, back))
		}
	}
}
