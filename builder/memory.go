//go:build !purego

package builder

import (
	"encoding/binary"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/perfblock/perfblock/layout"
)

// In this module, only this file, tests, and files that call functions of Windows use package unsafe. With the build
// tag purego, memory_purego.go replaces this file. Each access is safe for these reasons:
//
//   - An access stays inside *v: v is not nil, the offset of a field is from package reflect for the same T, and the
//     kind of a field gives its size.
//   - A *T that points into a block stays inside the block and is aligned: memory.inBlock checks the
//     length and the address. If memory.whole is not set, memory.inBlock returns nil. If
//     memory.whole is set, all fields of T are plain counters, and T has no pointers.
//   - A field has the type that the access uses: fieldsOf accepts only integers of 4 and 8 bytes and the types of
//     sync/atomic, and the kind of a field follows from its type.
//   - All bytes that are copied are valid values. A run has only the bytes of plain fields, which are integers. A T
//     that is copied as a whole has only plain fields and padding; the padding in the block is set to 0. No other bytes
//     of T are read or written.
//   - The address of a field is aligned, because Go aligns each field for its type.
//   - *v stays alive during the call, because all pointers are derived from v.

// The type memory copies the fields of a struct T to and from a counter block.
type memory[T any] struct {
	whole   bool     // a block is structAt bytes, then a T whose fields are all plain, then zeros up to a multiple of 8
	padding []uint32 // if whole is true, the offset in the block of every 4 bytes of padding
	runs    []run    // plain fields that are next to each other in the struct and in the block
	moves   []move   // all other fields
}

// A run is a range of bytes that is copied between the struct and the block without conversion.
type run struct {
	offset uintptr // in the struct
	at, to uint32  // in the block
}

// A move is a field that is loaded and stored as a number.
type move struct {
	field
	at uint32 // in the block
	to uint32
}

// littleEndian reports whether this processor stores numbers in the byte order of blocks.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// newMemory plans how the fields of a T are copied to and from counter blocks of the given length. fields[i] and
// places[i] have the same size.
func newMemory[T any](fields []field, places []place, length uint32) (m memory[T]) {
	m.setWhole(fields, places, length)
	for i, f := range fields {
		at := places[i].at
		if f.kind > plain64 || !littleEndian {
			m.moves = append(m.moves, move{f, at, at + f.size})
			continue
		}
		if n := len(m.runs); n > 0 {
			last := &m.runs[n-1]
			if last.to == at && last.offset+uintptr(last.to-last.at) == f.offset {
				last.to += f.size
				continue
			}
		}
		m.runs = append(m.runs, run{f.offset, at, at + f.size})
	}
	return m
}

func (m *memory[T]) setWhole(fields []field, places []place, length uint32) {
	t := reflect.TypeFor[T]()
	if !littleEndian || len(fields) != t.NumField() || uint64(length) != roundUp(structAt+uint64(t.Size()), layout.Align) {
		return
	}
	var padding []uint32
	end := uint32(structAt)
	for i, f := range fields {
		at := places[i].at
		if f.kind > plain64 || uintptr(at) != structAt+f.offset {
			return
		}
		for ; end < at; end += 4 {
			padding = append(padding, end)
		}
		end += f.size
	}
	for ; end < length; end += 4 {
		padding = append(padding, end)
	}
	m.whole, m.padding = true, padding
}

// bytes returns the part of the struct at v that the run covers.
func (r run) bytes(v unsafe.Pointer) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(v, r.offset)), r.to-r.at)
}

// inBlock returns a pointer to the T in the block. It returns nil if the block does not have the layout of T, or
// is not aligned.
func (m *memory[T]) inBlock(block []byte) *T {
	var v *T // a pointer, because a local T can be on the heap: on 386, for example, if its alignment is 8
	if !m.whole || uintptr(len(block)) < structAt+unsafe.Sizeof(*v) {
		return nil
	}
	p := unsafe.Pointer(&block[structAt])
	if uintptr(p)%unsafe.Alignof(*v) != 0 {
		return nil
	}
	return (*T)(p)
}

// write writes the fields of *v to the block, and no other bytes.
func (m *memory[T]) write(block []byte, v *T) {
	p := unsafe.Pointer(v)
	for _, r := range m.runs {
		copy(block[r.at:r.to], r.bytes(p))
	}
	for i := range m.moves {
		f := &m.moves[i]
		putNumber(block[f.at:f.to], f.size, f.load(p))
	}
}

func (m *memory[T]) read(block []byte, v *T) {
	if p := m.inBlock(block); p != nil {
		*v = *p
		return
	}
	p := unsafe.Pointer(v)
	for _, r := range m.runs {
		copy(r.bytes(p), block[r.at:r.to])
	}
	for i := range m.moves {
		f := &m.moves[i]
		f.store(p, getNumber(block[f.at:f.to], f.size))
	}
}

func (m *memory[T]) number(v *T, f *field) uint64 { return f.load(unsafe.Pointer(v)) }

func (m *memory[T]) setNumber(v *T, f *field, n uint64) { f.store(unsafe.Pointer(v), n) }

func (f *field) load(v unsafe.Pointer) uint64 {
	p := unsafe.Add(v, f.offset)
	switch f.kind {
	case plain32:
		return uint64(*(*uint32)(p))
	case plain64:
		return *(*uint64)(p)
	case atomicUint32:
		return uint64((*atomic.Uint32)(p).Load())
	case atomicInt32:
		return uint64(uint32((*atomic.Int32)(p).Load()))
	case atomicUint64:
		return (*atomic.Uint64)(p).Load()
	default:
		return uint64((*atomic.Int64)(p).Load())
	}
}

func (f *field) store(v unsafe.Pointer, n uint64) {
	p := unsafe.Add(v, f.offset)
	switch f.kind {
	case plain32:
		*(*uint32)(p) = uint32(n)
	case plain64:
		*(*uint64)(p) = n
	case atomicUint32:
		(*atomic.Uint32)(p).Store(uint32(n))
	case atomicInt32:
		(*atomic.Int32)(p).Store(int32(n))
	case atomicUint64:
		(*atomic.Uint64)(p).Store(n)
	default:
		(*atomic.Int64)(p).Store(int64(n))
	}
}
