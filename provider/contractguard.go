package provider

// A guarded is memory with a buffer, and with a pattern in the bytes before and after the buffer.
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

const period = 256 // of the pattern

// pattern returns the byte at an offset of the memory. Neighbouring bytes differ, so that a provider that writes the
// same value to several bytes changes at least one of them.
func pattern(i int) byte { return byte(0xA5 ^ i*7) }

func (g guarded) buffer() []byte { return g.memory[g.from:g.to] }

// changed returns the range from the first to the last byte of the pattern that changed. If bytes changed before and
// after the buffer, it returns the range after the buffer.
func (g guarded) changed() writes {
	if w := g.changedIn(g.to, len(g.memory)); w.n > 0 {
		return w
	}
	return g.changedIn(0, g.from)
}

func (g guarded) changedIn(from, to int) (w writes) {
	for i := from; i < to; i++ {
		if g.memory[i] == pattern(i) {
			continue
		}
		if w.n == 0 {
			w.first = int64(i - g.from)
		}
		w.n = int64(i-g.from) - w.first + 1
	}
	return w
}
