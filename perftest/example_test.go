package perftest_test

import (
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/perftest"
)

// This example tests a consumer that doubles its buffer until the data fits. The consumer ignores the size that a call
// returns with ERROR_MORE_DATA.
func ExampleRegistry() {
	cpu := builder.NewObject(238).Counter(6, layout.PERF_100NSEC_TIMER_INV).Instance("_Total", 1_000_000)
	r := perftest.New(new(builder.DataBlock{SystemName: "HOST"}).Add(cpu))
	r.MoreData(perftest.Zero)

	for size := 64; ; size *= 2 {
		buf := make([]byte, size)
		_, n, err := r.Query("238", buf)
		if err == perftest.ERROR_MORE_DATA {
			fmt.Println(size, "bytes are too few, n is", n)
			continue
		}
		fmt.Println(size, "bytes are enough, n is", n, "and the error is", err)
		break
	}
	// Output:
	// 64 bytes are too few, n is 0
	// 128 bytes are too few, n is 0
	// 256 bytes are too few, n is 0
	// 512 bytes are enough, n is 264 and the error is <nil>
}
