package provider_test

import (
	"fmt"

	"github.com/perfblock/perfblock/provider"
	"github.com/perfblock/perfblock/validate"
)

// The provider in this example returns 0 bytes, but 1 as the number of objects. Check reports this fault.
func ExampleCheck() {
	collect := func(query string, buf []byte) (n, objects int, err error) {
		return 0, 1, nil
	}
	result := provider.Check(collect)
	for _, f := range result.Findings[:1] {
		fmt.Println(f)
	}
	fmt.Println(result.Err(validate.Warning) != nil)
	// Output:
	// error PERF3007 prov-no-data: Collect("Global", 65536).objects at 1:46: the number of objects is 1, must be 0, because the number of bytes is 0
	// true
}
