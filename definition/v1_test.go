package definition_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestV1 checks that the objects of V1 agree with the definition, and that V1 leaves out sets that it cannot hold.
func TestV1(t *testing.T) {
	t.Parallel()
	p, err := definition.Parse("shop.yaml", []byte(shop+`  - name: Shop
    counters:
      - {name: Uptime, type: PERF_ELAPSED_TIME, perfTime: Clock, perfFreq: Freq, scale: 9}
      - {name: Clock, type: PERF_COUNTER_LARGE_RAWCOUNT}
      - {name: Freq, type: PERF_COUNTER_LARGE_RAWCOUNT}
  - name: Shop Fields
    counters:
      - {name: Last, type: PERF_COUNTER_RAWCOUNT, offset: 16}
      - {name: Next, type: PERF_COUNTER_LARGE_RAWCOUNT}
      - {name: First, type: PERF_COUNTER_RAWCOUNT, offset: 8}
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
		{Name: "Shop Fields", ObjectNameTitleIndex: 6016, NumInstances: layout.PERF_NO_INSTANCES, Values: []uint64{0, 0, 0}, Counters: []builder.Counter{
			{Name: "Last", CounterNameTitleIndex: 6018, CounterType: layout.PERF_COUNTER_RAWCOUNT, DetailLevel: 100, CounterOffset: 16},
			{Name: "Next", CounterNameTitleIndex: 6020, CounterType: layout.PERF_COUNTER_LARGE_RAWCOUNT, DetailLevel: 100, CounterOffset: 24},
			{Name: "First", CounterNameTitleIndex: 6022, CounterType: layout.PERF_COUNTER_RAWCOUNT, DetailLevel: 100, CounterOffset: 8},
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
	p.CounterSets = p.CounterSets[:3]
	r, err := p.Compare(new(validate.Validator), layout.ObjectsKind, b, validate.Context{FirstCounter: first})
	if err != nil || len(r.Findings) > 0 {
		t.Errorf("the block differs from the definition: %v, %v", r.Findings, err)
	}
}

// TestCompareObjects checks what Compare reports about bases and about objects in a data block, which has objects of
// other providers too.
func TestCompareObjects(t *testing.T) {
	t.Parallel()
	p, err := definition.Parse("shop.yaml", []byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	const first = 6000
	for _, tt := range []struct {
		reason string
		change func(*builder.Object)
		want   string
	}{
		{"the block of the definition", func(*builder.Object) {}, ""},
		{"an object of another provider", func(o *builder.Object) { o.ObjectNameTitleIndex = 7000 }, ""},
		{"an object before the provider", func(o *builder.Object) { o.ObjectNameTitleIndex = 238 }, ""},
		{"the index of a counter", func(o *builder.Object) { o.ObjectNameTitleIndex = first + 2 }, "object[0].ObjectNameTitleIndex: ObjectNameTitleIndex is 6002, must be the index of a set in the definition"},
		{"an index in the range without a title", func(o *builder.Object) { o.ObjectNameTitleIndex = first + 3 }, "object[0].ObjectNameTitleIndex: ObjectNameTitleIndex is 6003, must be the index of a set in the definition"},
		{"another fraction with another base", func(o *builder.Object) {
			o.Counters[2].CounterType, o.Counters[3].CounterType = layout.PERF_SAMPLE_FRACTION, layout.PERF_SAMPLE_BASE
		}, `object[0].counter[2].CounterType: CounterType is PERF_SAMPLE_FRACTION, must be PERF_RAW_FRACTION, the type of "Hit ratio"
object[0].counter[3].CounterType: CounterType is PERF_SAMPLE_BASE, must be PERF_RAW_BASE, the type of the base of "Hit ratio"`},
		{"a base of another width", func(o *builder.Object) { o.Counters[3].CounterSize = 8 }, "object[0].counter[3].CounterSize: CounterSize is 8, must be 4, the size of a PERF_RAW_BASE"},
	} {
		objects, _ := p.V1(first)
		tt.change(&objects[0])
		objects[0].Instance("orders", 0, 0, 0, 0)
		data := builder.DataBlock{Objects: objects}
		b, err := data.MarshalBinary()
		if err != nil {
			t.Fatal(tt.reason, err)
		}
		r, err := p.Compare(new(validate.Validator), layout.DataBlockKind, b, validate.Context{FirstCounter: first})
		if err != nil {
			t.Fatal(tt.reason, err)
		}
		var got []string
		for _, f := range r.Findings {
			got = append(got, f.Path.String()+": "+f.Message())
		}
		if text := strings.Join(got, "\n"); text != tt.want {
			t.Errorf("%s: got %s, want %s", tt.reason, text, tt.want)
		}
	}
}
