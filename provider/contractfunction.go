package provider

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/perfblock/perfblock/builder"
)

// A functionHost calls a Collect function in Go.
type functionHost struct {
	collect func(query string, buf []byte) (n, objects int, err error)
}

// guardSize is the number of bytes with a pattern before a buffer, and after it. Perflib uses the same number.
const guardSize = 1024

func (f *functionHost) call(c call) (outcome, error) {
	guarded := newGuardedBuffer(make([]byte, guardSize+c.Size+guardSize), guardSize, c.Size)
	buf := guarded.buffer()
	o := outcome{noPointer: true}
	start := time.Now()
	n, objects := f.callCollect(c.Query, buf[:len(buf):len(buf)], &o)
	o.Took = time.Since(start)
	o.Outside = guarded.findChanges()
	o.Bytes, o.Objects = toDWORD(n), toDWORD(objects)
	if o.failure == "" && o.err == "" && o.Status == success {
		o.Data = buf[:min(uint64(o.Bytes), uint64(len(buf)))]
	}
	return o, nil
}

// callCollect calls the function, and sets failure, Status and err of o.
func (f *functionHost) callCollect(query string, buf []byte, o *outcome) (n, objects int) {
	defer func() {
		if fault := recover(); fault != nil {
			o.failure = oneLine(fmt.Sprintf("panic: %v", fault))
		}
	}()
	n, objects, err := f.collect(query, buf)
	switch {
	case errors.Is(err, builder.ErrMoreData):
		o.Status = moreData
	case err != nil:
		o.err = err.Error()
	}
	return n, objects
}

// toDWORD converts n to the DWORD that Windows would get. If n is negative or too large, toDWORD returns the
// largest DWORD.
func toDWORD(n int) uint32 { return uint32(min(uint64(n), math.MaxUint32)) }

// A guardedBuffer is a part of memory. The bytes of memory before and after the buffer have a pattern.
type guardedBuffer struct {
	memory     []byte
	first, end int // the offsets of the buffer in memory
}

// newGuardedBuffer writes the pattern into memory. The buffer has `size` bytes from the offset `start` of memory.
func newGuardedBuffer(memory []byte, start, size int) guardedBuffer {
	for i := range min(len(memory), period) {
		memory[i] = pattern(i)
	}
	for n := period; n < len(memory); n *= 2 {
		copy(memory[n:], memory[:n])
	}
	return guardedBuffer{memory, start, start + size}
}

const period = 256 // bytes after which the pattern repeats

// pattern returns the byte at an offset of the memory. Neighbouring bytes differ, so a write of several equal bytes
// changes at least one byte.
func pattern(i int) byte { return byte(0xA5 ^ i*7) }

func (g guardedBuffer) buffer() []byte { return g.memory[g.first:g.end] }

// findChanges returns the range that the call changed after the buffer. If nothing changed there, it returns the range
// that the call changed before the buffer. The range can contain unchanged bytes.
func (g guardedBuffer) findChanges() changedRange {
	if w := g.changesIn(g.end, len(g.memory)); w.N > 0 {
		return w
	}
	return g.changesIn(0, g.first)
}

func (g guardedBuffer) changesIn(from, to int) (w changedRange) {
	for i := from; i < to; i++ {
		if g.memory[i] == pattern(i) {
			continue
		}
		if w.N == 0 {
			w.First = int64(i - g.first)
		}
		w.N = int64(i-g.first) - w.First + 1
	}
	return w
}
