package builder_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A provider defines its object with a struct in Open, and fills a buffer in each Collect. The title indexes 0, 2
// and 4 are offsets, as in the .h file that lodctr reads.
func ExampleTemplate() {
	type site struct {
		Requests uint64 `perf:"type=PERF_COUNTER_BULK_COUNT"`
		Failures uint32 `perf:"type=PERF_COUNTER_COUNTER"`
	}
	object, err := builder.Define[site](0)
	if err != nil {
		log.Fatal(err)
	}
	template, err := object.Compile()
	if err != nil {
		log.Fatal(err)
	}
	// In Open, add First Counter (5000) and First Help (5001) from the Performance key of the service.
	if template, err = template.Rebase(5000, 5001); err != nil {
		log.Fatal(err)
	}
	sites, err := builder.Bind[site](template)
	if err != nil {
		log.Fatal(err)
	}

	// In Collect, fill the buffer of the caller.
	buffer := make([]byte, 0, 4096)
	f := builder.NewFixedFill(buffer)
	f.Object(template)
	sites.Instance(&f, "shop", &site{Requests: 1000, Failures: 7})
	sites.Instance(&f, "blog", &site{Requests: 1001, Failures: 7})
	buffer, err = f.Done()
	fmt.Println(len(buffer), f.Objects(), err)
	// Output: 272 1 <nil>
}

// A handle selects a counter that is known only at run time.
func ExampleTemplate_Handle64() {
	template, err := builder.NewObject(4000).
		Counter(4002, layout.PERF_COUNTER_BULK_COUNT).
		Counter(4004, layout.PERF_COUNTER_RAWCOUNT).
		Compile()
	if err != nil {
		log.Fatal(err)
	}
	requests, queue := template.Handle64(0), template.Handle32(1) // the positions of the counters

	f := builder.NewFill(nil)
	f.Object(template)
	f.Instance("shop")
	f.Set64(requests, 1000)
	f.Set32(queue, 7)
	buffer, err := f.Done()
	fmt.Println(buffer[len(buffer)-16:], err)
	// Output: [232 3 0 0 0 0 0 0 7 0 0 0 0 0 0 0] <nil>
}

// If the buffer is too small, Done returns it unchanged, and Need returns the required capacity.
func ExampleNewFixedFill() {
	template, _ := builder.NewObject(4000).Counter(4002, layout.PERF_COUNTER_RAWCOUNT).Compile()
	f := builder.NewFixedFill(make([]byte, 0, 100))
	f.Object(template)
	f.Instance("shop")
	f.Values(7)
	buffer, err := f.Done()
	fmt.Println(len(buffer), errors.Is(err, builder.ErrMoreData), f.Need())
	// Output: 0 true 152
}

// A Refresh writes new values into an object that a Fill has written. The names and the number of instances stay the
// same.
func ExampleTemplate_Refresh() {
	template, _ := builder.NewObject(4000).Counter(4002, layout.PERF_COUNTER_RAWCOUNT).Compile()
	f := builder.NewFill(nil)
	f.Object(template)
	f.Instance("shop")
	f.Instance("blog")
	buffer, _ := f.Done()

	r := template.Refresh(buffer)
	for n := uint64(1); r.Next(); n++ {
		r.Values(n)
	}
	rest, err := r.Done()
	fmt.Println(len(rest), err)
	// Output: 0 <nil>
}

// A provider that counts events as they happen keeps a CounterBlock for each instance. Fill.Block copies the
// values into the buffer.
func ExampleTemplate_CounterBlock() {
	template, _ := builder.NewObject(4000).Counter(4002, layout.PERF_COUNTER_BULK_COUNT).Compile()
	requests := template.Handle64(0)
	shop := template.CounterBlock()
	shop.Add64(requests, 1)
	shop.Add64(requests, 1)

	f := builder.NewFill(nil)
	f.Object(template)
	f.Instance("shop")
	f.Block(shop)
	buffer, err := f.Done()
	fmt.Println(buffer[len(buffer)-8:], err)
	// Output: [2 0 0 0 0 0 0 0] <nil>
}

// This example encodes a block as a consumer reads it, with two counters and two instances.
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

// A provider's Collect function writes objects without a PERF_DATA_BLOCK. AppendBinary writes
// them into the caller's buffer.
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

// WithBase adds the base that a type requires. The value of the base follows the value of the
// counter.
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

// The parent of a thread is its process. Here the process at position 2 has two threads. The parent
// of the third thread has the position 3. This is an error, because the three processes have the
// positions 0 to 2.
func ExampleObject_Child() {
	process := builder.NewObject(230).Instance("Idle").Instance("System").Instance("shell")
	thread := builder.NewObject(232).Child(230, 2, "0").Child(230, 2, "1")
	_, err := new(builder.DataBlock{}).Add(process, thread).MarshalBinary()
	fmt.Println(err)
	_, err = new(builder.DataBlock{}).Add(process, thread.Child(230, 3, "0")).MarshalBinary()
	fmt.Println(err)
	// Output:
	// <nil>
	// object[1].instance[2].ParentObjectInstance: is 3, must be the position of an instance: object 230 has 3 instances, and positions start at 0
}

// The error about a model that cannot be encoded has the path of the wrong value.
func ExampleDataBlock_MarshalBinary_error() {
	o := builder.NewObject(238).Counter(148, layout.PERF_COUNTER_COUNTER).Instance("0", 1<<32)
	_, err := o.MarshalBinary()
	fmt.Println(err)
	fmt.Println(errors.Is(err, layout.ErrRange))
	// Output:
	// object[0].instance[0].block.value[0]: is 4294967296, must fit the counter's 4 bytes
	// true
}

// A captured block often has bytes after its end. UnmarshalLossy drops and lists data that a model cannot hold.
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
	// rest at 0x68: 1000 bytes after the 104 bytes of the record
}

// This example encodes query data of a counter set with two counters and three instances, and reads
// it as a consumer does.
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

// This example encodes the registration of a counter set, and reads it as a consumer does.
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

// If the type of a counter requires a base, encoding returns an error for a BaseCounterId of nil.
func ExampleCounterSetRegInfo_refused() {
	_, err := builder.NewCounterSetRegInfo(layout.GUID{}, layout.PERF_COUNTERSET_MULTI_INSTANCES).
		Counter(2, layout.PERF_AVERAGE_TIMER).
		MarshalBinary()
	fmt.Println(err)
	// Output:
	// counter[0].BaseCounterId: is nil, must be the id of a PERF_AVERAGE_BASE: PERF_AVERAGE_TIMER cannot be computed without it
}
