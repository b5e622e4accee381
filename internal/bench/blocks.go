package main

import (
	"iter"

	"github.com/perfblock/perfblock/layout"
)

// counterBlocks yields the counter blocks of an object. A fault is the last pair.
func counterBlocks(o layout.Object) iter.Seq2[layout.Block, error] {
	return func(yield func(layout.Block, error) bool) {
		if o.NumInstances() == layout.PERF_NO_INSTANCES {
			yield(o.Block())
			return
		}
		for in, err := range o.Instances() {
			if err != nil {
				yield(layout.Block{}, err)
				return
			}
			if b, err := in.Block(); !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// blank clears all values of a block, which is what a refresh has to put right again.
func blank(block []byte) error {
	data, err := layout.ReadData(block)
	if err != nil {
		return err
	}
	for o, err := range data.Objects() {
		if err != nil {
			return err
		}
		for b, err := range counterBlocks(o) {
			if err != nil {
				return err
			}
			clear(b.Bytes()[layout.PERF_COUNTER_BLOCK.Size:])
		}
	}
	return nil
}
