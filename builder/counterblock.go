package builder

// A CounterBlock has the values of one instance as they are written in an object.
// A provider that counts as things happen keeps its counts in one for each
// instance, and when it is asked has them copied, which is faster than to set each value
// then:
//
//	site.block.Add64(requests, 1) // whenever there is one
//	f.Block(site.block)           // in Collect
//
// It is a copy each time: counting goes on in the same block as soon as Block returns. A
// count beyond its 4 or 8 bytes wraps.
//
// The first error sticks: from then on nothing is counted, and whoever copies the block
// has that error, until [CounterBlock.Clear]. A CounterBlock is not
// safe for concurrent use: who counts and who collects share a lock.
type CounterBlock struct {
	_ noCopy
	row
	form   *form
	values []byte // the block, also where it is closed because of an error
}

// CounterBlock returns a new block of the template's with zeros for values. That of a
// [Template] is good for what [Template.Rebase] makes of it too, as handles are.
func (t *Template) CounterBlock() *CounterBlock {
	b := &CounterBlock{form: t.form}
	if t.form != nil {
		b.values = make([]byte, t.form.length)
	}
	b.Clear()
	return b
}

// Clear makes all values zero and forgets the error.
func (b *CounterBlock) Clear() {
	b.row = row{block: b.values, of: b.form}
	if b.form != nil { // the zero CounterBlock is of no template
		b.form.clear(b.values)
	}
}

// SetText is [Fill.SetText].
func (b *CounterBlock) SetText(h HandleText, s string) { b.setText(h, s) }

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

// Get32 returns the value of a counter of 4 bytes, also after an error, and 0 for a
// handle that is not of the block's template.
func (b *CounterBlock) Get32(h Handle32) uint32 {
	if h.of != b.form || h.at == 0 {
		return 0
	}
	return le.Uint32(b.values[h.at:])
}

// Get64 is Get32 for a counter of 8 bytes.
func (b *CounterBlock) Get64(h Handle64) uint64 {
	if h.of != b.form || h.at == 0 {
		return 0
	}
	return le.Uint64(b.values[h.at:])
}

// Err returns the first error of what was set or added.
func (b *CounterBlock) Err() error { return b.err }
