package builder_test

import (
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// Fake what is registered of a counter set, and read it as a consumer does.
func ExampleCounterSetRegInfo() {
	set, err := layout.ParseGUID("{b4fc721a-0378-476f-89ba-a5a79f810b36}")
	if err != nil {
		fmt.Println(err)
		return
	}
	block, err := builder.NewCounterSetRegInfo(set, layout.PERF_COUNTERSET_MULTI_INSTANCES).
		Counter(1, layout.PERF_COUNTER_COUNTER).
		WithBase(2, layout.PERF_AVERAGE_TIMER, 3).
		MarshalBinary()
	if err != nil {
		fmt.Println(err)
		return
	}
	registered, err := layout.ReadCounterSetRegInfo(block)
	if err != nil {
		fmt.Println(err)
		return
	}
	for counter := range registered.Counters() {
		fmt.Println(counter.CounterId(), counter.Type(), int32(counter.BaseCounterId()))
	}
	// Output:
	// 1 PERF_COUNTER_COUNTER -1
	// 2 PERF_AVERAGE_TIMER 3
	// 3 PERF_AVERAGE_BASE -1
}

// What cannot be computed is not registered.
func ExampleCounterSetRegInfo_refused() {
	_, err := builder.NewCounterSetRegInfo(layout.GUID{}, layout.PERF_COUNTERSET_MULTI_INSTANCES).
		Counter(2, layout.PERF_AVERAGE_TIMER).
		MarshalBinary()
	fmt.Println(err)
	// Output:
	// counter[0].BaseCounterId: is nil, but PERF_AVERAGE_TIMER cannot be computed without it
}
