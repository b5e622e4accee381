package builder_test

import (
	"errors"
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A block as a consumer gets it: two counters, two instances.
func Example() {
	cpu := builder.NewObject(238).
		Counter(6, layout.PERF_100NSEC_TIMER_INV).
		Counter(148, layout.PERF_COUNTER_COUNTER).
		Instance("0", 1_000_000, 42).
		Instance("_Total", 1_000_000, 42)
	block, err := new(builder.DataBlock{SystemName: "HOST"}).Add(cpu).MarshalBinary()
	fmt.Println(len(block), err)
	// Output: 368 <nil>
}

// What a provider's Collect function writes is objects without a header. They go
// straight into the caller's buffer.
func ExampleObjects_AppendBinary() {
	o := builder.Object{
		ObjectNameTitleIndex: 4000,
		NumInstances:         layout.PERF_NO_INSTANCES,
		Counters:             []builder.Counter{{CounterNameTitleIndex: 4002, CounterType: layout.PERF_COUNTER_RAWCOUNT, DefaultScale: -1}},
		Values:               []uint64{7},
	}
	buffer := make([]byte, 0, 1024)
	buffer, err := builder.Objects{o}.AppendBinary(buffer)
	fmt.Println(len(buffer), err)
	// Output: 112 <nil>
}

// WithBase adds the base that a type requires; its value follows the counter's.
func ExampleObject_WithBase() {
	o := builder.NewObject(234).
		WithBase(208, layout.PERF_AVERAGE_TIMER).
		Instance("0 C:", 1_500, 3)
	for _, c := range o.Counters {
		fmt.Println(c.CounterType)
	}
	// Output:
	// PERF_AVERAGE_TIMER
	// PERF_AVERAGE_BASE
}

// Threads have processes for parents: the third process has two threads.
func ExampleObject_Child() {
	process := builder.NewObject(230).Instance("Idle").Instance("System").Instance("shell")
	thread := builder.NewObject(232).Child(230, 2, "0").Child(230, 2, "1")
	_, err := new(builder.DataBlock{}).Add(process, thread).MarshalBinary()
	fmt.Println(err)
	_, err = new(builder.DataBlock{}).Add(process, thread.Child(230, 3, "0")).MarshalBinary()
	fmt.Println(err)
	// Output:
	// <nil>
	// object[1].instance[2].ParentObjectInstance: is 3, but object 230 has 3 instances
}

// What cannot be encoded is an error with the place of the value at fault.
func ExampleDataBlock_MarshalBinary_error() {
	o := builder.NewObject(238).Counter(148, layout.PERF_COUNTER_COUNTER).Instance("0", 1<<32)
	_, err := o.MarshalBinary()
	fmt.Println(err)
	fmt.Println(errors.Is(err, layout.ErrRange))
	// Output:
	// object[0].instance[0].block.value[0]: is 4294967296, must fit the counter's 4 bytes
	// true
}

// A captured block often has more behind its end. UnmarshalLossy drops what a
// model cannot hold, and lists it.
func ExampleDataBlock_UnmarshalLossy() {
	captured, _ := builder.DataBlock{SystemName: "HOST"}.MarshalBinary()
	captured = append(captured, make([]byte, 1000)...)
	var d builder.DataBlock
	losses, err := d.UnmarshalLossy(captured)
	fmt.Println(d.SystemName, err)
	for _, loss := range losses {
		fmt.Println(loss)
	}
	// Output:
	// HOST <nil>
	// rest at 0x68: 1000 bytes after the 104 that belong to the record
}
