package builder

import (
	"cmp"
	"math"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// A noCopy is the first field of a type that must not be copied. It makes go vet report copies of this type.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// A currentBlock is the counter block that the setters of a [Fill], [Refresh] or [CounterBlock] write to.
type currentBlock struct {
	block              []byte       // the bytes of the block, from its ByteLength on
	format             *blockFormat // of the block; nil if there is no current block
	missing            error        // the error of a setter if there is no current block, nil means errNoBlock
	objects, instances int          // the numbers of objects and instances so far
	err                error        // the first error; after an error, setters write nothing
}

// discarded is the format of the current block if the buffer is full, or if an earlier call has failed. With this
// format, setters drop the values.
var discarded = new(blockFormat)

var (
	errNoBlock         = layout.Faultf(ErrCount, "a value is set without a counter block: call Fill.Object and then Fill.Instance first; a CounterBlock must be from Template.CounterBlock, and a Refresh must be from Template.Refresh")
	errNoInstance      = layout.Faultf(ErrCount, "a value is set without an instance: call Fill.Instance or Fill.Child first")
	errMetadata        = layout.Faultf(ErrCount, "a value is set in an object of a metadata template, which has no values: call Fill.Object with the original template, not with the result of Template.Metadata")
	errNoNext          = layout.Faultf(ErrCount, "a value is set without an instance: call Refresh.Next first, and set values only after it returns true")
	errNoTemplateBlock = layout.Faultf(ErrCount, "the CounterBlock or its Template is zero: create the Template with Object.Compile, and the CounterBlock with Template.CounterBlock")
)

// Set32 and Set64 are fast because the compiler inlines them: "go build -gcflags=-m ./builder" must print "can
// inline" for both.

// Set32 sets the value of a counter of 4 bytes.
func (r *currentBlock) Set32(h Handle32, v uint32) {
	if h.format != r.format || h.at == 0 {
		r.failHandle(handle(h))
		return
	}
	le.PutUint32(r.block[h.at:], v)
}

// Set64 sets the value of a counter of 8 bytes.
func (r *currentBlock) Set64(h Handle64, v uint64) {
	if h.format != r.format || h.at == 0 {
		r.failHandle(handle(h))
		return
	}
	le.PutUint64(r.block[h.at:], v)
}

// SetText sets a value of variable length: UTF-8 for a PERF_COUNTER_TEXT, bytes for any other type.
// A text must fit in its CounterSize. Bytes must have exactly the length CounterSize.
func (r *currentBlock) SetText(h HandleText, s string) {
	if h.format != r.format || h.at == 0 {
		r.failHandle(handle(h))
		return
	}
	t, p := h.format.counters[h.counter].CounterType, h.format.places[h.counter]
	if err := checkVariable(t, p, s); err != nil {
		r.fail(within(valuePath(int(h.counter)).In(blockPath), err))
		return
	}
	b := r.block[p.at:][:p.size]
	clear(b)
	putText(b, t, s)
}

// Values sets a number for each counter, in the order of the counters, bases included. The number
// must be 0 for a counter of variable length and for a counter without a value. If values overlap in
// the block, the value of a later counter overwrites the shared bytes. Values does not keep v.
func (r *currentBlock) Values(v ...uint64) {
	f := r.format
	if f == nil || len(v) == 0 || len(v) != len(f.ordered) {
		r.valuesSlowly(v)
		return
	}
	block, ordered, excess := r.block, f.ordered, uint32(0) // few variables, so that all are in registers
	for i, n := range v {
		p := &ordered[i]
		excess |= uint32(n>>32) & p.excess
		to := int(p.at) + 8
		if to > len(block) {
			le.PutUint32(block[len(block)-4:], uint32(n)) // the last number, which is in the last 4 bytes of the block
			break
		}
		le.PutUint64(block[p.at:to], n)
	}
	if excess != 0 {
		r.failValues(v)
	}
}

// valuesSlowly implements Values for formats that have no orderedNumbers.
func (r *currentBlock) valuesSlowly(v []uint64) {
	f := r.format
	if f == nil || len(v) != len(f.places) {
		r.failValues(v)
		return
	}
	for i, p := range f.places {
		if checkNumber(f.counters[i].CounterType, p, v[i]) != nil {
			r.failValues(v)
			return
		}
		if p.text < 0 {
			putNumber(r.block[p.at:], p.size, v[i])
		}
	}
}

// failValues records why Values does not accept v.
func (r *currentBlock) failValues(v []uint64) {
	f := r.format
	switch {
	case f == discarded:
		return
	case f == nil:
		r.fail(cmp.Or(r.missing, errNoBlock))
		return
	case len(v) != len(f.places):
		r.fail(within(blockPath, fault("", ErrCount, "has %s for %s, must have one for each counter, bases included", quote.Count(len(v), "value"), quote.Count(len(f.places), "counter"))))
		return
	}
	// Before the fault was found, the method Values may have written numbers. The block must not keep them.
	f.clear(r.block)
	for i, p := range f.places {
		if err := checkNumber(f.counters[i].CounterType, p, v[i]); err != nil {
			r.fail(within(valuePath(i).In(blockPath), err))
			return
		}
	}
}

// Block copies all values from b. If b has an error, Block reports that error.
func (r *currentBlock) Block(b *CounterBlock) {
	switch {
	case b != nil && b.format == r.format && r.format != nil:
		copy(r.block, b.block)
	case r.format == discarded:
	case b != nil && b.err != nil:
		r.fail(b.err)
	case r.format == nil:
		r.fail(cmp.Or(r.missing, errNoBlock))
	case b == nil:
		r.fail(within(blockPath, fault("", ErrForeign, "the CounterBlock is nil, must be from Template.CounterBlock")))
	default:
		r.fail(within(blockPath, fault("", ErrForeign, "the CounterBlock belongs to another template, must be from Template.CounterBlock of the current object's template")))
	}
}

// open makes b the current block and sets its values to 0.
func (r *currentBlock) open(b []byte, f *blockFormat) {
	r.block, r.format = b, f
	f.clear(b)
}

// failHandle reports why a value cannot be set with h.
func (r *currentBlock) failHandle(h handle) {
	switch {
	case r.format == discarded:
	case r.format == nil:
		r.fail(cmp.Or(r.missing, errNoBlock))
	case h.format == nil:
		r.fail(within(blockPath, h.err()))
	default:
		r.fail(within(valuePath(int(h.counter)).In(blockPath), layout.Faultf(ErrForeign, "the handle belongs to another template, must be from the current object's template")))
	}
}

// fail keeps err if it is the first error. The path of err is relative to the current instance, or to
// the current object if there is no instance.
func (r *currentBlock) fail(err error) {
	if r.err == nil {
		path := here
		if r.instances > 0 {
			path = instancePath(r.instances - 1)
		}
		if r.objects > 0 {
			path = path.In(objectPath(r.objects - 1))
		}
		r.err = within(path, err)
	}
	r.format, r.block = discarded, nil
}

// A blockFormat describes the counter blocks of a template. All blocks have the same length and the
// same offsets of values.
type blockFormat struct {
	blockLayout
	counters []Counter
	length   uint32          // ByteLength
	ordered  []orderedNumber // one for each place, or nil; see orderedNumbers
}

// An orderedNumber is a number in a counter block. Values writes 8 bytes for each number, because this is faster. For a
// number of 4 bytes, the other 4 bytes are zeros: they are padding, or the next number overwrites them.
type orderedNumber struct {
	at     uint32
	excess uint32 // the bits of the upper 4 bytes that must be 0
}

// orderedNumbers returns the numbers of a block, or nil if Values cannot write 8 bytes for each number.
func orderedNumbers(places []place) []orderedNumber {
	ordered := make([]orderedNumber, 0, len(places))
	at := uint32(layout.SizeofCounterBlock)
	for _, p := range places {
		if p.text >= 0 || p.size == 0 || p.at < at || p.at%4 != 0 {
			return nil
		}
		at = p.at + p.size
		n := orderedNumber{at: p.at}
		if p.size == 4 {
			n.excess = math.MaxUint32
		}
		ordered = append(ordered, n)
	}
	return ordered
}

// clear sets the ByteLength of a block, and sets all other bytes of the block to 0.
func (f *blockFormat) clear(block []byte) {
	clear(block)
	le.PutUint32(block, f.length)
}
