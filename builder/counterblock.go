package builder

import "github.com/perfblock/perfblock/layout"

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
	clear(b.values)
	layout.PutCounterBlock(b.values, layout.CounterBlock{ByteLength: b.form.length})
	b.row = row{block: b.values, of: b.form}
}

// Add32 adds to the value of a counter of 4 bytes, which wraps.
func (b *CounterBlock) Add32(h Handle32, n uint32) {
	if h.of != b.of || h.of == nil {
		b.stray(h.handle, "of 4 bytes")
		return
	}
	le.PutUint32(b.block[h.at:], le.Uint32(b.block[h.at:])+n)
}

// Add64 adds to the value of a counter of 8 bytes, which wraps.
func (b *CounterBlock) Add64(h Handle64, n uint64) {
	if h.of != b.of || h.of == nil {
		b.stray(h.handle, "of 8 bytes")
		return
	}
	le.PutUint64(b.block[h.at:], le.Uint64(b.block[h.at:])+n)
}

// Err returns the first error of what was set or added.
func (b *CounterBlock) Err() error { return b.err }

// Block sets all values to those of b, which is copied. An error of b is one here.
func (r *row) Block(b *CounterBlock) {
	switch {
	case b != nil && b.of == r.of && r.of != nil:
		copy(r.block, b.block)
	case r.of == nowhere:
	case b != nil && b.err != nil:
		r.fail(layout.Path{}, b.err)
	case r.of == nil:
		r.fail(layout.Path{}, layout.Faultf(ErrCount, "values, and no counter block to put them in"))
	default:
		r.fail(layout.Path{}.Field("block"), layout.Faultf(ErrForeign, "the values are of another template"))
	}
}
