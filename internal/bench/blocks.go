package main

import (
	"iter"

	"github.com/perfblock/perfblock/layout"
)

// counterBlocks yields the counter blocks of an object. A fault is the last pair.
func counterBlocks(o layout.Object) iter.Seq2[layout.CounterBlock, error] {
	return func(yield func(layout.CounterBlock, error) bool) {
		if o.NumInstances() == layout.PERF_NO_INSTANCES {
			yield(o.Block())
			return
		}
		for in, err := range o.Instances() {
			if err != nil {
				yield(layout.CounterBlock{}, err)
				return
			}
			if b, err := in.Block(); !yield(b, err) || err != nil {
				return
			}
		}
	}
}

func (f *objectFeed) blank(block []byte) error {
	data, err := layout.ReadDataBlock(block)
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
