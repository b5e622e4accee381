//go:build purego

package builder

import (
	"reflect"
	"sync/atomic"
)

// The type memory copies the fields of a struct T to and from a counter block, without package unsafe.
type memory[T any] struct {
	fields  []field
	places  []place
	padding []uint32 // not used, because inBlock returns nil
}

// newMemory returns a memory that copies fields[i] to and from places[i] of a counter block.
func newMemory[T any](fields []field, places []place, _ uint32) memory[T] {
	return memory[T]{fields: fields, places: places}
}

// inBlock returns nil: a pointer into the block requires package unsafe.
func (m *memory[T]) inBlock([]byte) *T { return nil }

func (m *memory[T]) write(block []byte, v *T) {
	for i := range m.fields {
		putNumber(block[m.places[i].at:], m.places[i].size, m.number(v, &m.fields[i]))
	}
}

func (m *memory[T]) read(block []byte, v *T) {
	for i := range m.fields {
		m.setNumber(v, &m.fields[i], getNumber(block[m.places[i].at:], m.places[i].size))
	}
}

func (m *memory[T]) number(v *T, f *field) uint64 {
	switch p := reflect.ValueOf(v).Elem().Field(f.index).Addr().Interface().(type) {
	case *atomic.Uint32:
		return uint64(p.Load())
	case *atomic.Int32:
		return uint64(uint32(p.Load()))
	case *atomic.Uint64:
		return p.Load()
	case *atomic.Int64:
		return uint64(p.Load())
	}
	if value := reflect.ValueOf(v).Elem().Field(f.index); value.CanUint() {
		return value.Uint()
	} else if f.kind == plain32 {
		return uint64(uint32(value.Int()))
	} else {
		return uint64(value.Int())
	}
}

func (m *memory[T]) setNumber(v *T, f *field, n uint64) {
	switch p := reflect.ValueOf(v).Elem().Field(f.index).Addr().Interface().(type) {
	case *atomic.Uint32:
		p.Store(uint32(n))
	case *atomic.Int32:
		p.Store(int32(n))
	case *atomic.Uint64:
		p.Store(n)
	case *atomic.Int64:
		p.Store(int64(n))
	default:
		value := reflect.ValueOf(v).Elem().Field(f.index)
		switch {
		case value.CanUint():
			value.SetUint(n)
		case f.kind == plain32:
			value.SetInt(int64(int32(n)))
		default:
			value.SetInt(int64(n))
		}
	}
}
