package provider

import (
	"fmt"

	"github.com/perfblock/perfblock/validate"
)

// A guardedBuffer is a buffer inside the slice `memory`. The bytes before and after the buffer have a pattern, to
// detect writes outside the buffer.
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

// A changedRange is a range of bytes that a call changed outside the buffer.
type changedRange struct {
	First, N int64 // First is an offset from the start of the buffer
}

func (w changedRange) String() string {
	if w.N == 1 {
		return fmt.Sprint(w.First)
	}
	return fmt.Sprintf("%d to %d", w.First, w.First+w.N-1)
}

// guardRules has the rule about bytes outside the buffer.
var guardRules = []*rule{
	{validate.Rule{
		ID: "PERF3009", Name: "prov-guard", Severity: validate.Error, Event: 1002,
		Doc: "Collect writes only to its buffer",
		Why: "A write outside the buffer changes memory of the program that reads counters. Windows tests 1 KB before and after the buffer.",
		Fix: "Compare the size of the buffer with the size of the data before you write.",
	}, func(m *callResult, report report) {
		if w := m.Outside; w.N > 0 {
			report("changed", "Collect writes at "+plural(int(w.N), "offset ", "the offsets ")+w.String()+" of the buffer", fmt.Sprintf("must write only to its %d bytes", m.Size))
		}
	}},
}
