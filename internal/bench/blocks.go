package main

import (
	"iter"

	"github.com/perfblock/perfblock/internal/wire"
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

func (f *queryFeed) blank(block []byte) error {
	data, err := layout.ReadQueryData(block)
	if err != nil {
		return err
	}
	header := wire.GetDataHeader(data.Bytes())
	wire.DataHeader{DwTotalSize: header.DwTotalSize, DwNumCounters: header.DwNumCounters}.Put(block)
	for r, err := range data.Results() {
		if err != nil {
			return err
		}
		if err := blankValues(r.Values()); err != nil {
			return err
		}
		instances, err := r.Instances()
		if err != nil {
			return err
		}
		for in, err := range instances.All() {
			if err == nil {
				err = blankValues(in.Values())
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func blankValues(values iter.Seq2[layout.CounterData, error]) error {
	for v, err := range values {
		if err != nil {
			return err
		}
		value, err := v.Value()
		if err != nil {
			return err
		}
		clear(value.Bytes())
	}
	return nil
}
