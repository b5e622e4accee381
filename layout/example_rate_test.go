package layout_test

import (
	"fmt"
	"log"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// sites returns the objects of a provider: one object with two instances. ticks is the PerfTime of the object.
func sites(ticks int64, shop, blog uint64) []byte {
	object := builder.NewObject(5000).
		Counter(5002, layout.PERF_COUNTER_RAWCOUNT).
		Counter(5004, layout.PERF_COUNTER_BULK_COUNT).
		Instance("shop", 3, shop).
		Instance("blog", 1, blog)
	object.PerfTime, object.PerfFreq = ticks, 10_000_000
	block, err := object.MarshalBinary()
	if err != nil {
		log.Fatal(err)
	}
	return block
}

// This example reads the counter with the title index 5004. The counter has the same position in
// all rows.
func ExampleRows_Counters() {
	var rows layout.Rows
	for object, err := range layout.ReadObjects(sites(0, 100, 7)) {
		if err == nil {
			err = rows.Open(object)
		}
		if err != nil {
			log.Fatal(err)
		}
		position := slices.IndexFunc(rows.Counters(), func(c layout.Counter) bool { return c.CounterNameTitleIndex() == 5004 })
		if position < 0 {
			continue
		}
		var values []uint64
		for rows.Next() {
			values = rows.AppendValues(values[:0])
			name, err := rows.Name().Text()
			fmt.Println(name, values[position], err)
		}
		if err := rows.Err(); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// shop 100 <nil>
	// blog 7 <nil>
}

// This example computes the rate of a PERF_COUNTER_BULK_COUNT: the difference of two values,
// divided by the seconds between the two samples.
func Example_rate() {
	before := make(map[string]uint64) // the values of the first sample
	var beforeTicks int64
	var rows layout.Rows
	for _, block := range [][]byte{sites(50_000_000, 100, 7), sites(70_000_000, 350, 7)} {
		for object, err := range layout.ReadObjects(block) {
			if err == nil {
				err = rows.Open(object)
			}
			if err != nil {
				log.Fatal(err)
			}
			// PerfTime is in ticks, PerfFreq in ticks per second.
			seconds := float64(object.PerfTime()-beforeTicks) / float64(object.PerfFreq())
			for rows.Next() {
				name, err := rows.Name().Text()
				if err != nil {
					log.Fatal(err)
				}
				value := rows.AppendValues(nil)[1] // of the counter 5004
				if earlier, ok := before[name]; ok && value >= earlier && seconds > 0 {
					fmt.Println(name, float64(value-earlier)/seconds, "per second")
				}
				before[name] = value
			}
			if err := rows.Err(); err != nil {
				log.Fatal(err)
			}
			beforeTicks = object.PerfTime()
		}
	}
	// Output:
	// shop 125 per second
	// blog 0 per second
}
