package builder_test

import (
	"errors"
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A provider compiles its object when it is opened, and fills it each time it is
// asked. The title indexes are offsets, as in the symbol file that lodctr reads.
func ExampleTemplate() {
	const requests, failures = 0, 1 // positions of the counters
	template, err := builder.NewObject(0).
		Counter(2, layout.PERF_COUNTER_BULK_COUNT).
		Counter(4, layout.PERF_COUNTER_COUNTER).
		Compile()
	if err != nil {
		fmt.Println(err)
		return
	}
	// Open: First Counter and First Help of the service's Performance key.
	if template, err = template.Rebase(5000, 5001); err != nil {
		fmt.Println(err)
		return
	}
	requestsOf, failuresOf := template.Handle64(requests), template.Handle32(failures)

	// Collect: buffer is what the caller has room for.
	buffer := make([]byte, 0, 4096)
	f := builder.NewFixedFill(buffer)
	f.Object(template)
	for i, site := range []string{"shop", "blog"} {
		f.Instance(site)
		f.Set64(requestsOf, 1000+uint64(i))
		f.Set32(failuresOf, 7)
	}
	buffer, err = f.Done()
	fmt.Println(len(buffer), f.Objects(), err)
	// Output: 272 1 <nil>
}

// A buffer that is too small is left as it was, and Need says what would do.
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

// As long as the instances stand, only their values are written.
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

// A provider that counts as things happen keeps a counter block for each instance,
// and has it copied.
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
