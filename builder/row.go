package builder

import (
	"errors"

	"github.com/perfblock/perfblock/layout"
)

// A noCopy is the first field of what must not be copied, so that go vet reports copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// A row is the counter block that setters write to. The first error sticks, and
// from then on nothing is written.
type row struct {
	block              []byte // ByteLength included
	of                 *form  // of the block; nil where there is none
	raw                *form  // of the block where of is unset
	objects, instances int    // how many there are, the one of the block included
	err                error
}

var (
	// nowhere stands for the block that had no room, or came after an error: what is
	// set there is dropped.
	nowhere = new(form)
	// unset stands for a block whose bytes are still whatever they were. It costs less
	// to write all values there than to zero it first; the first setter of one value
	// does that.
	unset = new(form)
)

// Set32 sets the value of a counter of 4 bytes. As Set64 it is just small enough for
// the compiler to put it where it is called, which counts where it is called millions
// of times: "go build -gcflags=-m ./builder" tells.
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
		r.fail(r.valuePath(int(h.counter)), err)
		return
	}
	place := r.block[slot.at:][:slot.size]
	clear(place)
	putText(place, t, s)
}

// Values sets a number for each counter, in the order of the counters. The slice is not
// kept. In an object bases are counters too, those without a number have 0, and where
// counters share bytes of the block, the last one's are there.
func (r *row) Values(v ...uint64) {
	f := r.of
	if f == nil || len(v) == 0 || len(v) != len(f.slots) || len(v) != len(f.sweep.at) {
		r.anyValues(v)
		return
	}
	if _, fits := f.sweep.put(r.block, v); !fits {
		r.refuse(v)
	}
}

// anyValues is Values for what is not simply swept over those that are there.
func (r *row) anyValues(v []uint64) {
	f := r.of
	if f == unset {
		f = r.begin(len(v))
	}
	if f == nil || len(v) != len(f.slots) {
		r.refuse(v)
		return
	}
	n, fits := f.sweep.put(r.block, v)
	if n < len(v) {
		fits = f.putFrom(n, r.block, v) && fits
	}
	if !fits {
		r.refuse(v)
	}
}

// begin has a block whose bytes are unset ready for so many numbers.
func (r *row) begin(numbers int) *form {
	f := r.raw
	if r.of = f; numbers == len(f.slots) {
		f.zero(r.block)
	}
	return f
}

// Block sets all values to those of b, which is copied. An error of b is one here.
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
		r.fail(layout.Path{}, layout.Faultf(ErrCount, "values, and no instance to put them in"))
	default:
		r.fail(r.blockPath(), layout.Faultf(ErrForeign, "the values are of another template"))
	}
}

// open makes b the block that setters write to.
func (r *row) open(b []byte, f *form) { r.block, r.of, r.raw = b, unset, f }

// settle zeroes the values of a block that nothing was written to.
func (r *row) settle() {
	if r.of == unset {
		r.of = r.raw
		r.of.clear(r.block)
	}
}

// ready reports whether the handle is of the block at hand after all, or why not.
func (r *row) ready(h handle) bool {
	switch {
	case r.of == nowhere:
	case r.of == nil:
		r.fail(layout.Path{}, layout.Faultf(ErrCount, "a value, and no instance to put it in"))
	case h.of == nil:
		r.fail(r.blockPath(), h.err())
	case r.of == unset && h.of == r.raw:
		r.settle()
		return true
	default:
		r.fail(r.valuePath(int(h.counter)), layout.Faultf(ErrForeign, "the handle is of another template"))
	}
	return false
}

// refuse reports numbers that are too many, too few or too large. A block that is
// refreshed is left with zeros, so that it is still one.
func (r *row) refuse(v []uint64) {
	f := r.of
	switch {
	case f == nowhere:
		return
	case f == nil:
		r.fail(layout.Path{}, layout.Faultf(ErrCount, "values, and no instance to put them in"))
		return
	case len(v) != len(f.slots):
		r.fail(r.blockPath(), layout.Faultf(ErrCount, "%d values for %d counters", len(v), len(f.slots)))
		return
	}
	f.clear(r.block)
	for i, s := range f.slots {
		if err := checkNumber(f.counters[i].CounterType, s, v[i]); err != nil {
			r.fail(r.valuePath(i), err)
			return
		}
	}
}

// blockPath returns the path of the values under that of their instance.
func (r *row) blockPath() layout.Path {
	return layout.Path{}.Field("block")
}

func (r *row) valuePath(i int) layout.Path {
	return valuePath(i).In(r.blockPath())
}

// valuePath returns the path of a value, relative to its counter block.
func valuePath(i int) layout.Path { return layout.Path{}.At("value", i) }

// fail notes the first error, at a path under the instance at hand.
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
