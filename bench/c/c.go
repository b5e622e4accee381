// Package c is the baseline of the benchmarks: the same work, written by hand in C.
package c

// #cgo CFLAGS: -std=c11 -O2 -Wall -Wextra
// #include "fill.h"
import "C"

import (
	"unsafe"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// An Input is the input of the C functions: the arrays from which a provider writes a data block.
type Input struct {
	header, definitions, names []byte

	objects   []C.struct_object
	places    []C.struct_place
	instances []C.struct_instance
	values    []uint64
}

// NewInput returns the input for writing a block. It copies the encoded header, the definitions and the offsets of values
// from the block, and the names and values from the model of the block.
func NewInput(model *builder.DataBlock, block []byte) (*Input, error) {
	data, err := layout.ReadDataBlock(block)
	if err != nil {
		return nil, err
	}
	in := &Input{header: block[:data.HeaderLength()]}
	for o, err := range data.Objects() {
		if err != nil {
			return nil, err
		}
		m := &model.Objects[o.Index()]
		if err := in.addDefinitions(o); err != nil {
			return nil, err
		}
		in.values = append(in.values, m.Values...)
		for i := range m.Instances {
			in.addInstance(&m.Instances[i])
		}
	}
	return in, nil
}

// addDefinitions adds the definitions of an object.
func (in *Input) addDefinitions(o layout.Object) error {
	block, err := firstBlock(o)
	if err != nil {
		return err
	}
	for counter, err := range o.Counters() {
		if err != nil {
			return err
		}
		in.places = append(in.places, C.struct_place{C.uint32_t(counter.CounterOffset()), C.uint32_t(counter.CounterSize())})
	}
	in.definitions = append(in.definitions, o.Bytes()[:o.DefinitionLength()]...)
	in.objects = append(in.objects, C.struct_object{
		definition_length: C.uint32_t(o.DefinitionLength()),
		block_length:      C.uint32_t(len(block.Bytes())),
		num_counters:      C.uint32_t(o.NumCounters()),
		num_instances:     C.int32_t(o.NumInstances()),
	})
	return nil
}

// firstBlock returns the first counter block of the object, or the zero CounterBlock if the object has none.
func firstBlock(o layout.Object) (layout.CounterBlock, error) {
	if o.NumInstances() == layout.PERF_NO_INSTANCES {
		return o.Block()
	}
	for in, err := range o.Instances() {
		if err != nil {
			return layout.CounterBlock{}, err
		}
		return in.Block()
	}
	return layout.CounterBlock{}, nil
}

// addInstance adds the name and the values of an instance.
func (in *Input) addInstance(m *builder.Instance) {
	id := layout.PERF_NO_UNIQUE_ID
	if m.UniqueID != nil {
		id = *m.UniqueID
	}
	in.instances = append(in.instances, C.struct_instance{
		name_length:     C.uint32_t(len(m.Name)),
		parent_title:    C.uint32_t(m.ParentObjectTitleIndex),
		parent_position: C.uint32_t(m.ParentObjectInstance),
		unique_id:       C.int32_t(id),
	})
	in.names = append(in.names, m.Name...)
	in.values = append(in.values, m.Values...)
}

// Fill writes the block into the buffer n times and returns its length. It does not check the buffer's length.
func (in *Input) Fill(buffer []byte, n int) int {
	return int(C.fill(in.pointers(), (*C.uchar)(unsafe.SliceData(buffer)), C.uint64_t(n), 0))
}

// Refresh overwrites the values of the block in the buffer n times. It returns the length of the block, or 0 if the block has
// other objects or instances than the input.
func (in *Input) Refresh(buffer []byte, n int) int {
	return int(C.fill(in.pointers(), (*C.uchar)(unsafe.SliceData(buffer)), C.uint64_t(n), 1))
}

// pointers returns the struct that the C function expects.
func (in *Input) pointers() C.struct_input {
	return C.struct_input{
		header:        (*C.uchar)(unsafe.SliceData(in.header)),
		header_length: C.uint32_t(len(in.header)),
		num_objects:   C.uint32_t(len(in.objects)),
		objects:       unsafe.SliceData(in.objects),
		definitions:   (*C.uchar)(unsafe.SliceData(in.definitions)),
		places:        unsafe.SliceData(in.places),
		instances:     unsafe.SliceData(in.instances),
		names:         (*C.uchar)(unsafe.SliceData(in.names)),
		values:        (*C.uint64_t)(unsafe.SliceData(in.values)),
	}
}
