package fuzz_test

import (
	"fmt"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// A hundred valid blocks, to try a reader on.
func ExampleDataBlock() {
	objects := 0
	for seed := range uint64(100) {
		block, err := fuzz.DataBlock(fuzz.Seed(seed), fuzz.Config{}).MarshalBinary()
		if err != nil {
			fmt.Println(err)
			return
		}
		d, err := layout.ReadData(block) // the reader on trial
		if err != nil {
			fmt.Println(seed, err)
		}
		for range d.Objects() {
			objects++
		}
	}
	fmt.Println(objects > 100)
	// Output: true
}

func ExampleFindWorkload() {
	w, _ := fuzz.FindWorkload("cpu")
	block, err := w.Block().MarshalBinary()
	fmt.Println(len(block), err)
	// Output: 2144 <nil>
}
