package builder_test

import (
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// Fake what PerfQueryCounterData returns for a set of two counters and three instances,
// and read it as a consumer does.
func ExampleQueryData() {
	set := builder.CounterSet().Counter(1, 4).Counter(2, 8).
		Instance("C:", 0, 42, 100).
		Instance("D:", 1, 7, 8).
		Instance("_Total", 2, 49, 108)
	block, err := new(builder.QueryData{}).Add(set, builder.ErrorReturn(4201), builder.SingleCounter(4, 42)).MarshalBinary()
	if err != nil {
		fmt.Println(err)
		return
	}
	query, err := layout.ReadQueryData(block)
	if err != nil {
		fmt.Println(err)
		return
	}
	for result := range query.Results() {
		fmt.Println(result.DwType(), result.DwStatus())
		instances, _ := result.Instances()
		for instance := range instances.All() {
			name, _ := instance.Name().Text()
			fmt.Print(name)
			for data := range instance.Values() {
				value, _ := data.Value()
				n, _ := value.Number()
				fmt.Print(" ", n)
			}
			fmt.Println()
		}
	}
	// Output:
	// PERF_COUNTERSET 0
	// C: 42 100
	// D: 7 8
	// _Total 49 108
	// PERF_ERROR_RETURN 4201
	// PERF_SINGLE_COUNTER 0
}
