package definition_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestV1 checks that the block of a definition fits the definition, and that sets that V1 cannot hold are left out.
func TestV1(t *testing.T) {
	t.Parallel()
	p, err := definition.Parse("shop.yaml", []byte(shop+`  - name: Shop
    counters:
      - {name: Uptime, type: PERF_ELAPSED_TIME, perfTime: Clock, perfFreq: Freq, scale: 9}
      - {name: Clock, type: PERF_COUNTER_LARGE_RAWCOUNT}
      - {name: Freq, type: PERF_COUNTER_LARGE_RAWCOUNT}
  - name: Shop Texts
    counters:
      - {name: Motto, type: PERF_COUNTER_TEXT}
`))
	if err != nil {
		t.Fatal(err)
	}
	const first = 6000
	objects, losses := p.V1(first)
	want := []builder.Object{
		{Name: "Shop Queues", ObjectNameTitleIndex: 6000, Counters: []builder.Counter{
			{Name: "Published/sec", CounterNameTitleIndex: 6002, CounterType: layout.PERF_COUNTER_BULK_COUNT, DetailLevel: 100},
			{Name: "Depth", CounterNameTitleIndex: 6004, CounterType: layout.PERF_COUNTER_RAWCOUNT, DetailLevel: 100},
			{Name: "Hit ratio", CounterNameTitleIndex: 6006, CounterType: layout.PERF_RAW_FRACTION, DetailLevel: 100},
			{CounterType: layout.PERF_RAW_BASE},
		}},
		{Name: "Shop", ObjectNameTitleIndex: 6008, NumInstances: layout.PERF_NO_INSTANCES, Values: []uint64{0, 0, 0}, Counters: []builder.Counter{
			{Name: "Uptime", CounterNameTitleIndex: 6010, CounterType: layout.PERF_ELAPSED_TIME, DetailLevel: 100, DefaultScale: layout.MaxScale},
			{Name: "Clock", CounterNameTitleIndex: 6012, CounterType: layout.PERF_COUNTER_LARGE_RAWCOUNT, DetailLevel: 100},
			{Name: "Freq", CounterNameTitleIndex: 6014, CounterType: layout.PERF_COUNTER_LARGE_RAWCOUNT, DetailLevel: 100},
		}},
	}
	if d := cmp.Diff(want, objects); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if text := fmt.Sprint(losses); len(losses) != 2 {
		t.Errorf("the losses are %s", text)
	}
	objects[0].Instance("orders", 0, 0, 0, 0)
	b, err := builder.Objects(objects).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	p.CounterSets = p.CounterSets[:2]
	r, err := p.Compare(new(validate.Validator), layout.ObjectsKind, b, first)
	if err != nil || len(r.Findings) > 0 {
		t.Errorf("the block differs from the definition: %v, %v", r.Findings, err)
	}
}
