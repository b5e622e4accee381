package samples_test

import (
	"fmt"
	"log"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/samples"
)

// This example shows what a consumer displays for two samples of a provider: orders per second, and how many percent of
// the lookups were hits.
func ExampleValues() {
	sample := func(ticks int64, orders, hits, lookups uint64) samples.Sample {
		shop := builder.NewObject(5000).
			Counter(5002, layout.PERF_COUNTER_BULK_COUNT).
			WithBase(5004, layout.PERF_LARGE_RAW_FRACTION).
			Instance("web", orders, hits, lookups)
		block := builder.DataBlock{PerfTime: ticks, PerfFreq: 10_000_000}
		b, err := block.Add(shop).MarshalBinary()
		if err != nil {
			log.Fatal(err)
		}
		return samples.Sample{Bytes: b}
	}
	older, newer := sample(0, 100, 0, 0), sample(20_000_000, 350, 30, 40) // 2 seconds later
	for v, err := range samples.Values(older, newer) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(v.Instance.Name, v.Counter.ID, v, "=", v.Counter.Formula().Text)
	}
	// Output:
	// web 5002 125.000 /sec = dN / (dD / F)
	// web 5004 75.000 % = 100 * N1 / B1
}
