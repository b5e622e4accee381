package builder_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func TestSmoke(t *testing.T) {
	sys := builder.NewObject(2)
	sys.Define(
		builder.Counter{CounterNameTitleIndex: 10, CounterType: 0x10410400},
		builder.Counter{CounterNameTitleIndex: 12, CounterType: 0x10410400},
		builder.Counter{CounterNameTitleIndex: 14, CounterType: 0x10410400, DetailLevel: 200},
		builder.Counter{CounterNameTitleIndex: 16, CounterType: 0x10410500, DefaultScale: -4, DetailLevel: 300},
		builder.Counter{CounterNameTitleIndex: 674, CounterType: 0x30240500, DefaultScale: -5},
		builder.Counter{CounterNameTitleIndex: 1350, CounterType: 0x20020400, DetailLevel: 200},
		builder.Counter{CounterNameTitleIndex: 1350, CounterType: 0x40030403, DetailLevel: 200},
	).Single(1, 2, 3, 4, 5, 6, 7)
	cpu := builder.NewObject(238).Counter(6, layout.PERF_100NSEC_TIMER_INV).WithBase(44, layout.PERF_AVERAGE_TIMER).
		Instance("0", 1, 2, 3).Instance("_Total", 4, 5, 6).Add(builder.Instance{Name: "a𝄞", UniqueID: new(int32(0)), Values: []uint64{1, 2, 3}})
	d := builder.DataBlock{SystemName: "HOST", Objects: []builder.Object{*sys, *cpu}}
	b, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var got builder.DataBlock
	if err := got.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for p := range layout.Walk(layout.DataBlockKind, b) {
		n, _ := p.Int()
		t.Logf("%04x %3d %v %d %v", p.Off(), p.Len(), p.Path, n, p.Err)
	}
}
