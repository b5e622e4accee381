package fuzz_test

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// countObjects is the reader under test. It follows the lengths of the objects.
func countObjects(b []byte) (n int, err error) {
	if len(b) < 88 || string(b[:8]) != "P\x00E\x00R\x00F\x00" {
		return 0, errors.New("not a data block")
	}
	at := uint64(binary.LittleEndian.Uint32(b[24:]))
	for range binary.LittleEndian.Uint32(b[28:]) {
		if uint64(len(b)) < at+64 {
			return n, errors.New("an object is truncated")
		}
		length := binary.LittleEndian.Uint32(b[at:])
		if length < 64 {
			return n, errors.New("an object is too short")
		}
		at += uint64(length)
		n++
	}
	return n, nil
}

// A reader must find the contents of the model in a valid block, and must not panic on a damaged block.
func Example() {
	for seed := range uint64(1000) {
		model := fuzz.New[builder.DataBlock](fuzz.Seed(seed), fuzz.Config{})
		block, err := model.MarshalBinary()
		if err != nil {
			panic(err) // generated models always encode
		}
		if n, err := countObjects(block); err != nil || n != len(model.Objects) {
			fmt.Printf("seed %d: %d objects of %d, %v\n", seed, n, len(model.Objects), err)
		}
		_, _ = countObjects(fuzz.Damage(fuzz.Seed(seed), block)) // may return an error
	}
	// Output:
}

// A Config can exclude parts of the format. With this Config, all values of counters are numbers, and the encoder
// computes all lengths, offsets, sizes and clocks.
func ExampleConfig() {
	plain := fuzz.Config{MaxObjects: 1, MaxInstances: 2, ASCII: true, Numbers: true, Computed: true}
	for seed := range uint64(100) {
		for _, o := range *fuzz.New[builder.Objects](fuzz.Seed(seed), plain) {
			for _, c := range o.Counters {
				if n, ok := c.CounterType.Width(); !ok || n == 0 || c.CounterOffset != 0 {
					fmt.Println(seed, c)
				}
			}
		}
	}
	// Output:
}

// The block has a TotalByteLength that exceeds the buffer. A reader must return an error.
func ExampleBreak() {
	broken, err := fuzz.Break("data-total-length", fuzz.Seed(1), fuzz.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = layout.ReadDataBlock(broken.Block)
	fmt.Println(broken.Kind, err != nil)
	// Output: data-block true
}

func ExampleFindWorkload() {
	w, _ := fuzz.FindWorkload("cpu")
	block, err := w.Block().MarshalBinary()
	fmt.Println(len(block), err)
	// Output: 2144 <nil>
}
