package provider

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/perfblock/perfblock/builder"
)

// A function is the host of a Collect function in Go.
type function struct {
	collect func(query string, buf []byte) (n, objects int, err error)
}

// guardSize is the number of bytes with a pattern before a buffer, and after it. Perflib uses the same number.
const guardSize = 1024

func (f *function) call(c call) (outcome, error) {
	guarded := newGuarded(make([]byte, guardSize+c.Size+guardSize), guardSize, c.Size)
	buf := guarded.buffer()
	o := outcome{noPointer: true}
	start := time.Now()
	n, objects := f.protected(c.Query, buf[:len(buf):len(buf)], &o)
	o.Took = time.Since(start)
	o.Outside = guarded.changed()
	o.Bytes, o.Objects = clamped(n), clamped(objects)
	if o.failure == "" && o.err == "" && o.Status == success {
		o.Data = buf[:min(uint64(o.Bytes), uint64(len(buf)))]
	}
	return o, nil
}

// protected calls the function, and sets failure, Status and err of o.
func (f *function) protected(query string, buf []byte, o *outcome) (n, objects int) {
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

// clamped converts n to the DWORD that Windows would get. If n is negative or too large, clamped returns the largest
// DWORD.
func clamped(n int) uint32 { return uint32(min(uint64(n), math.MaxUint32)) }

// A guarded is a buffer in larger memory. The bytes before and after the buffer have a pattern.
type guarded struct {
	memory   []byte
	from, to int // the buffer
}

// newGuarded writes the pattern into memory. The buffer has size bytes and starts at from.
func newGuarded(memory []byte, from, size int) guarded {
	for i := range min(len(memory), period) {
		memory[i] = pattern(i)
	}
	for n := period; n < len(memory); n *= 2 {
		copy(memory[n:], memory[:n])
	}
	return guarded{memory, from, from + size}
}

const period = 256 // bytes after which the pattern repeats

// pattern returns the byte at an offset of the memory. Neighbouring bytes differ, so that a provider that writes the
// same value to several bytes changes at least one of them.
func pattern(i int) byte { return byte(0xA5 ^ i*7) }

func (g guarded) buffer() []byte { return g.memory[g.from:g.to] }

// changed returns the range from the first to the last byte of the pattern that changed. If bytes changed before and
// after the buffer, it returns the range after the buffer.
func (g guarded) changed() writes {
	if w := g.changedIn(g.to, len(g.memory)); w.N > 0 {
		return w
	}
	return g.changedIn(0, g.from)
}

func (g guarded) changedIn(from, to int) (w writes) {
	for i := from; i < to; i++ {
		if g.memory[i] == pattern(i) {
			continue
		}
		if w.N == 0 {
			w.First = int64(i - g.from)
		}
		w.N = int64(i-g.from) - w.First + 1
	}
	return w
}
