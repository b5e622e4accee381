package builder_test

import (
	"fmt"

	"github.com/perfblock/perfblock/builder"
)

// A set that is asked for each second is compiled once, and filled each time.
func ExampleQueryTemplate() {
	template, err := builder.CounterSet().Counter(1, 8).Counter(2, 4).Compile()
	if err != nil {
		fmt.Println(err)
		return
	}
	buffer := make([]byte, 0, 4096)
	f := builder.NewFixedQueryFill(buffer, builder.QueryData{PerfTimeStamp: 1_000_000})
	f.Result(template)
	for i, disk := range []string{"C:", "D:"} {
		f.Instance(disk, uint32(i))
		f.Values(100, 7)
	}
	data, err := f.Done()
	fmt.Println(len(data), err)
	// Output: 184 <nil>
}

// As long as the instances stand, only their values and the clocks are written.
func ExampleQueryRefresh() {
	template, _ := builder.CounterSet().Counter(1, 8).Compile()
	reads := template.Handle64(0)
	f := builder.NewQueryFill(nil, builder.QueryData{PerfTimeStamp: 1_000_000})
	f.Result(template)
	f.Instance("C:", 20)
	f.Instance("D:", 21)
	data, _ := f.Done()

	counts := map[uint32]uint64{20: 100, 21: 42} // by InstanceId
	r := builder.NewQueryRefresh(data, builder.QueryData{PerfTimeStamp: 2_000_000})
	r.Result(template)
	for r.Next() {
		r.Set64(reads, counts[r.InstanceId()])
	}
	fmt.Println(r.Done())
	// Output: <nil>
}
