package builder

// A CounterBlock has the values of one instance as they are written. A provider that
// counts as things happen keeps its counts in one for each instance, and when it is
// asked has them copied, which is faster than to set each value then:
//
//	site.block.Add64(requests, 1) // whenever there is one
//	f.Block(site.block)           // in Collect
//
// The first error sticks, and is one of whoever copies the block. A CounterBlock is not
// safe for concurrent use: who counts and who collects share a lock.
type CounterBlock struct {
	row
	form   *form
	values []byte // the block, also where it is closed because of an error
}

// CounterBlock returns a block of the template's with zeros for values. It is good for
// what [Template.Rebase] makes of t too, as handles are.
func (t *Template) CounterBlock() *CounterBlock {
	b := &CounterBlock{form: t.form, values: make([]byte, t.form.length)}
	b.Clear()
	return b
}

// Clear makes all values zero and forgets the error.
func (b *CounterBlock) Clear() {
	b.form.clear(b.values)
	b.row = row{block: b.values, of: b.form}
}

// Add32 adds to the value of a counter of 4 bytes, which wraps.
func (b *CounterBlock) Add32(h Handle32, n uint32) {
	if (h.of != b.of || h.at == 0) && !b.ready(handle(h)) {
		return
	}
	at := b.block[h.at:]
	le.PutUint32(at, le.Uint32(at)+n)
}

// Add64 adds to the value of a counter of 8 bytes, which wraps.
func (b *CounterBlock) Add64(h Handle64, n uint64) {
	if (h.of != b.of || h.at == 0) && !b.ready(handle(h)) {
		return
	}
	at := b.block[h.at:]
	le.PutUint64(at, le.Uint64(at)+n)
}

// Err returns the first error of what was set or added.
func (b *CounterBlock) Err() error { return b.err }
