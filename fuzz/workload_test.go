package fuzz_test

import (
	"reflect"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
)

func TestWorkloads(t *testing.T) {
	t.Parallel()
	// objects, counters of the last object, its instances, and bytes: as the names
	// say. The sizes of tiny and cpu are those of the blocks that Windows made.
	want := map[string]struct{ objects, counters, instances, least, most int }{
		"tiny":             {1, 18, 0, 984, 984},
		"cpu":              {1, 15, 9, 2144, 2144},
		"process-300":      {1, 28, 300, 60_000, 90_000},
		"process-2775":     {1, 28, 2775, 600_000, 800_000},
		"process-distinct": {1, 28, 2775, 600_000, 800_000},
		"thread-30000":     {2, 12, 30_000, 3_000_000, 5_000_000},
		"server":           {180, -1, -1, 1_800_000, 2_400_000},
		"cap":              {180, -1, -1, 9_500_000, 11_000_000},
		"wide":             {1, 916, 256, 1_000_000, 2_000_000},
		"million":          {1, 4, 1_000_000, 80_000_000, 120_000_000},
	}
	if len(want) != len(fuzz.Workloads()) {
		t.Errorf("%d workloads, %d expected", len(fuzz.Workloads()), len(want))
	}
	for _, w := range fuzz.Workloads() {
		t.Run(w.Name, func(t *testing.T) {
			d := w.Block()
			b, err := d.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			last := d.Objects[len(d.Objects)-1]
			e := want[w.Name]
			if e.counters < 0 {
				e.counters, e.instances = len(last.Counters), len(last.Instances)
			}
			if len(d.Objects) != e.objects || len(last.Counters) != e.counters || len(last.Instances) != e.instances || len(b) < e.least || len(b) > e.most {
				t.Errorf("%d objects, the last of %d counters and %d instances, %d bytes; want %+v", len(d.Objects), len(last.Counters), len(last.Instances), len(b), e)
			}
			var back builder.DataBlock
			if err := back.UnmarshalBinary(b); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(d, back) { // cmp takes a minute for the largest
				t.Error("decoding changed the model")
			}
		})
	}
}
