package spec_test

import (
	"fmt"
	"log"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

func ExampleParse() {
	s, err := spec.Parse("cpu.yaml", []byte(`
SystemName: HOST
objects:
  - ObjectNameTitleIndex: 238
    counters:
      - {CounterNameTitleIndex: 6, CounterType: PERF_100NSEC_TIMER_INV}
    instances:
      - {name: "0", values: [1000000]}
      - {name: _Total, values: [1000000]}
patches:
  - object[0].instance[1].NameLength: 3
`))
	if err != nil {
		log.Fatal(err)
	}
	block, err := s.Build()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(block), "bytes")
	// Output: 312 bytes
}

// An error has the line and column of the value. For a misspelled word it suggests a similar name.
func ExampleError() {
	_, err := spec.Parse("cpu.yaml", []byte(`
objects:
  - ObjectNameTitleIndex: 238
    counters:
      - {CounterNameTitleIndex: 6, CounterType: PERF_100NSEC_TIMER_IVN}
`))
	fmt.Println(err)
	// Output: cpu.yaml:5:49: CounterType: "PERF_100NSEC_TIMER_IVN" is not a counter type: it must be a name of winperf.h or a number of 32 bits; did you mean PERF_100NSEC_TIMER_INV?
}

func ExampleFromBlock() {
	s, err := spec.Parse("system.json", []byte(`{"objects": [{"ObjectNameTitleIndex": 2, "NumInstances": "PERF_NO_INSTANCES",
		"counters": [{"CounterNameTitleIndex": 10, "CounterType": "PERF_COUNTER_COUNTER"}], "values": [7]}]}`))
	if err != nil {
		log.Fatal(err)
	}
	block, err := s.Build()
	if err != nil {
		log.Fatal(err)
	}
	s, _, err = spec.FromBlock(layout.DataBlockKind, block, false)
	if err != nil {
		log.Fatal(err)
	}
	text, err := s.AppendYAML(nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", text)
	// Output:
	// objects:
	//   - ObjectNameTitleIndex: 2
	//     NumInstances: PERF_NO_INSTANCES
	//     counters:
	//       - {CounterNameTitleIndex: 10, CounterType: PERF_COUNTER_COUNTER}
	//     values: [7]
}
