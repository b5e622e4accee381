// Package c is the baseline of the benchmarks: the same work, written by hand in C.
package c

// #cgo CFLAGS: -std=c11 -O2 -Wall -Wextra
// #include "fill.h"
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/perfblock/perfblock/layout"
)

// An Input is the input of the C functions: the arrays from which a provider writes a data block.
type Input struct {
	header, definitions, names []byte

	objects   []C.struct_object
	instances []C.struct_instance
	processes []C.struct_process
	threads   []C.struct_thread
}

// NewInput reads a data block and returns an Input that writes the same block. The error is [errors.ErrUnsupported] if
// an object other than Process and Thread has rows: see [layout.Rows].
func NewInput(block []byte) (*Input, error) {
	data, err := layout.ReadDataBlock(block)
	if err != nil {
		return nil, err
	}
	in := &Input{header: block[:data.HeaderLength()]}
	for o, err := range data.Objects() {
		if err == nil {
			err = in.addObject(o)
		}
		if err != nil {
			return nil, err
		}
	}
	return in, nil
}

func (in *Input) addObject(o layout.Object) error {
	in.definitions = append(in.definitions, o.Bytes()[:o.DefinitionLength()]...)
	in.objects = append(in.objects, C.struct_object{
		title:             C.uint32_t(o.ObjectNameTitleIndex()),
		definition_length: C.uint32_t(o.DefinitionLength()),
		num_instances:     C.int32_t(o.NumInstances()),
	})
	var rows layout.Rows
	if err := rows.Open(o); err != nil {
		return err
	}
	for rows.Next() {
		start := len(in.names)
		var err error
		if in.names, err = rows.Name().AppendText(in.names); err != nil {
			return err
		}
		i := rows.Instance()
		in.instances = append(in.instances, C.struct_instance{
			name_length:     C.uint32_t(len(in.names) - start),
			parent_title:    C.uint32_t(i.ParentObjectTitleIndex()),
			parent_position: C.uint32_t(i.ParentObjectInstance()),
			unique_id:       C.int32_t(i.UniqueID()),
		})
		switch o.ObjectNameTitleIndex() {
		case C.PROCESS:
			in.processes, err = appendBlock(in.processes, rows.Block())
		case C.THREAD:
			in.threads, err = appendBlock(in.threads, rows.Block())
		default:
			return errors.ErrUnsupported
		}
		if err != nil {
			return err
		}
	}
	return rows.Err()
}

// appendBlock appends a copy of a counter block as a C struct.
func appendBlock[T any](list []T, block layout.CounterBlock) ([]T, error) {
	var v T
	if block.Len() != int(unsafe.Sizeof(v)) {
		return nil, fmt.Errorf("a counter block has %d bytes, must have the %d bytes of its C struct", block.Len(), unsafe.Sizeof(v))
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v)), block.Bytes())
	return append(list, v), nil
}

// Fill writes the block into the buffer n times and returns the length of the block. It does not check the buffer's
// length.
func (in *Input) Fill(buffer []byte, n int) int { return in.write(buffer, n, 0) }

// Refresh overwrites the counter blocks in the buffer n times. It returns the length of the block, or 0 if the input
// and the buffer have different objects or instances.
func (in *Input) Refresh(buffer []byte, n int) int { return in.write(buffer, n, 1) }

func (in *Input) write(buffer []byte, n int, valuesOnly C.int) int {
	return int(C.fill(C.struct_input{
		header:        (*C.uchar)(unsafe.SliceData(in.header)),
		header_length: C.uint32_t(len(in.header)),
		num_objects:   C.uint32_t(len(in.objects)),
		objects:       unsafe.SliceData(in.objects),
		definitions:   (*C.uchar)(unsafe.SliceData(in.definitions)),
		instances:     unsafe.SliceData(in.instances),
		names:         (*C.uchar)(unsafe.SliceData(in.names)),
		processes:     unsafe.SliceData(in.processes),
		threads:       unsafe.SliceData(in.threads),
	}, (*C.uchar)(unsafe.SliceData(buffer)), C.uint64_t(n), valuesOnly))
}
