package builder

import (
	"errors"

	"github.com/perfblock/perfblock/layout"
)

// A noCopy is the first field of a type that must not be copied: go vet reports copies of it.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// A row is the counter block that setters write to. The first error sticks; nothing is
// written after it.
type row struct {
	block              []byte // with its ByteLength
	of                 *form  // the block's form; nil without a block
	raw                *form  // the block's form while of is unset
	objects, instances int    // the number of them so far, including the block's
	err                error
}

var (
	// nowhere is the form of a block that has no room or comes after an error. Values that
	// are set there are dropped.
	nowhere = new(form)
	// unset is the form of a block whose bytes still have any value. Writing all values to
	// such a block is cheaper than zeroing it first. The first setter of a single value
	// zeroes it.
	unset = new(form)
)

// Set32 sets the value of a counter of 4 bytes. Set32 and [Fill.Set64] are just small enough
// to be inlined, which matters where they are called millions of times: check with
// "go build -gcflags=-m ./builder".
func (r *row) Set32(h Handle32, v uint32) {
	if h.of == r.of && h.at > 0 || r.ready(handle(h)) {
		le.PutUint32(r.block[h.at:], v)
	}
}

// Set64 sets the value of a counter of 8 bytes.
func (r *row) Set64(h Handle64, v uint64) {
	if h.of == r.of && h.at > 0 || r.ready(handle(h)) {
		le.PutUint64(r.block[h.at:], v)
	}
}

func (r *row) setText(h HandleText, s string) {
	if (h.of != r.of || h.at == 0) && !r.ready(handle(h)) {
		return
	}
	t, slot := h.of.counters[h.counter].CounterType, h.of.slots[h.counter]
	if err := checkVariable(t, slot, s); err != nil {
		r.fail(valuePath(int(h.counter)).In(blockPath), err)
		return
	}
	place := r.block[slot.at:][:slot.size]
	clear(place)
	putText(place, t, s)
}

// Values sets a number for each counter, in the order of the counters, bases included. It is
// 0 for a counter without a number. If counters share bytes of the block, the last one's are
// written. The slice is not kept.
func (r *row) Values(v ...uint64) {
	f := r.of
	if f == nil || len(v) == 0 || len(v) != len(f.slots) || len(v) != len(f.sweep.at) {
		r.anyValues(v)
		return
	}
	if _, fit := f.sweep.put(r.block, v); !fit {
		r.refuse(v)
	}
}

// anyValues is Values for blocks that a sweep does not write completely, or that are unset.
func (r *row) anyValues(v []uint64) {
	f := r.of
	if f == unset {
		f = r.raw
		if r.of = f; len(v) == len(f.slots) {
			f.zero(r.block)
		}
	}
	if f == nil || len(v) != len(f.slots) || !f.put(r.block, v) {
		r.refuse(v)
	}
}

// refuse reports too many, too few or too large numbers. It leaves a block of zeros, so that
// a refreshed object stays valid.
func (r *row) refuse(v []uint64) {
	f := r.of
	switch {
	case f == nowhere:
		return
	case f == nil:
		r.fail(layout.Path{}, errNoBlock)
		return
	case len(v) != len(f.slots):
		r.fail(blockPath, layout.Faultf(ErrCount, "has %s for %s, must have one for each", count(len(v), "value"), count(len(f.slots), "counter")))
		return
	}
	f.clear(r.block)
	for i, s := range f.slots {
		if err := checkNumber(f.counters[i].CounterType, s, v[i]); err != nil {
			r.fail(valuePath(i).In(blockPath), err)
			return
		}
	}
}

var errNoBlock = layout.Faultf(ErrCount, "a value is set without a current instance")

// Block copies all values from b. An error of b becomes an error here.
func (r *row) Block(b *CounterBlock) {
	switch {
	case b != nil && b.of == r.of && r.of != nil:
		copy(r.block, b.block)
	case b != nil && r.of == unset && b.of == r.raw:
		r.of = r.raw
		copy(r.block, b.block)
	case r.of == nowhere:
	case b != nil && b.err != nil:
		r.fail(layout.Path{}, b.err)
	case r.of == nil:
		r.fail(layout.Path{}, errNoBlock)
	default:
		r.fail(blockPath, layout.Faultf(ErrForeign, "the CounterBlock belongs to another template"))
	}
}

// open makes b the current block.
func (r *row) open(b []byte, f *form) { r.block, r.of, r.raw = b, unset, f }

// settle zeroes the current block if nothing was written to it.
func (r *row) settle() {
	if r.of == unset {
		r.of = r.raw
		r.of.clear(r.block)
	}
}

// ready prepares an unset block for the handle, and reports whether the handle can be used.
func (r *row) ready(h handle) bool {
	switch {
	case r.of == nowhere:
	case r.of == nil:
		r.fail(layout.Path{}, errNoBlock)
	case h.of == nil:
		r.fail(blockPath, h.err())
	case r.of == unset && h.of == r.raw:
		r.settle()
		return true
	default:
		r.fail(valuePath(int(h.counter)).In(blockPath), layout.Faultf(ErrForeign, "the handle belongs to another template"))
	}
	return false
}

// fail keeps the first error, at a path relative to the current instance.
func (r *row) fail(path layout.Path, err error) {
	if r.err == nil {
		if r.instances > 0 {
			path = path.In(instancePath(r.instances - 1))
		}
		if r.objects > 0 {
			path = path.In(objectPath(r.objects - 1))
		}
		if _, placed := errors.AsType[*layout.Error](err); !placed {
			err = &layout.Error{Off: -1, Err: err}
		}
		r.err = within(path, err)
	}
	r.of, r.block = nowhere, nil
}
