package builder

import (
	"errors"
	"math"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A noCopy is the first field of a type that must not be copied: go vet reports copies of it.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// A currentBlock is the counter block that the setters of a [Fill], [Refresh] or
// [CounterBlock] write to. It keeps the first error; after an error nothing is written.
type currentBlock struct {
	block              []byte       // the bytes of the block, from its ByteLength on
	format             *blockFormat // of the block; nil if there is no current block
	uncleared          *blockFormat // of the block, while format is notCleared
	missing            error        // what to report if there is no current block, nil for errNoBlock
	objects, instances int          // the numbers of objects and instances so far
	err                error
}

// Special values of currentBlock.format.
var (
	// discarded is the format of a block that drops values, after an error or in a full buffer.
	discarded = new(blockFormat)
	// notCleared is the format of a new block, whose bytes may hold old data. Values and Block
	// overwrite the whole block, which is cheaper than to clear it first. A setter of a single
	// value clears the block first.
	notCleared = new(blockFormat)
)

var (
	errNoBlock         = layout.Faultf(ErrCount, "a value is set without a counter block: call Fill.Object and then Fill.Instance first; a CounterBlock must be from Template.CounterBlock, a Refresh from Template.Refresh")
	errNoInstance      = layout.Faultf(ErrCount, "a value is set without an instance: call Fill.Instance or Fill.Child first")
	errNoNext          = layout.Faultf(ErrCount, "a value is set without an instance: call Refresh.Next first, and set values only after it returns true")
	errNoTemplateBlock = layout.Faultf(ErrCount, "the CounterBlock is zero or from a zero Template, must be from Template.CounterBlock of a Template that Object.Compile returned")
)

// Set32 and Set64 are just small enough to be inlined, which makes millions of calls faster. The
// output of "go build -gcflags=-m ./builder" must have "can inline" for both.

// Set32 sets the value of a counter of 4 bytes.
func (r *currentBlock) Set32(h Handle32, v uint32) {
	if h.format == r.format && h.at > 0 || r.prepare(handle(h)) {
		le.PutUint32(r.block[h.at:], v)
	}
}

// Set64 sets the value of a counter of 8 bytes.
func (r *currentBlock) Set64(h Handle64, v uint64) {
	if h.format == r.format && h.at > 0 || r.prepare(handle(h)) {
		le.PutUint64(r.block[h.at:], v)
	}
}

func (r *currentBlock) setText(h HandleText, s string) {
	if (h.format != r.format || h.at == 0) && !r.prepare(handle(h)) {
		return
	}
	t, p := h.format.counters[h.counter].CounterType, h.format.places[h.counter]
	if err := checkVariable(t, p, s); err != nil {
		r.fail(valuePath(int(h.counter)).In(blockPath), err)
		return
	}
	b := r.block[p.at:][:p.size]
	clear(b)
	putText(b, t, s)
}

// Values sets a number for each counter, in the order of the counters, bases included. The number
// must be 0 for a counter of variable length and for a counter without a value. If counters share
// bytes of the block, the last of them overwrites the others there. Values does not keep v.
func (r *currentBlock) Values(v ...uint64) {
	f := r.format
	if f == nil || len(v) == 0 || len(v) != len(f.places) || len(v) != len(f.writer.at) {
		r.valuesSlowly(v)
		return
	}
	if _, fit := f.writer.put(r.block, v); !fit {
		r.failValues(v)
	}
}

// valuesSlowly is Values for a block that is not cleared, or that the numberWriter does not
// write completely.
func (r *currentBlock) valuesSlowly(v []uint64) {
	f := r.format
	if f == notCleared {
		f = r.uncleared
		if r.format = f; len(v) == len(f.places) {
			f.clearGaps(r.block)
		}
	}
	if f == nil || len(v) != len(f.places) || !f.put(r.block, v) {
		r.failValues(v)
	}
}

// failValues reports why Values does not accept v. If a number is too large, failValues sets
// all values of the block to 0, so that a refreshed object stays valid.
func (r *currentBlock) failValues(v []uint64) {
	f := r.format
	switch {
	case f == discarded:
		return
	case f == nil:
		r.fail(layout.Path{}, r.noBlock())
		return
	case len(v) != len(f.places):
		r.fail(blockPath, layout.Faultf(ErrCount, "has %s for %s, must have one for each, bases included", count(len(v), "value"), count(len(f.places), "counter")))
		return
	}
	f.clear(r.block)
	for i, p := range f.places {
		if err := checkNumber(f.counters[i].CounterType, p, v[i]); err != nil {
			r.fail(valuePath(i).In(blockPath), err)
			return
		}
	}
}

// noBlock returns the error about a value that is set without a current block.
func (r *currentBlock) noBlock() error {
	if r.missing != nil {
		return r.missing
	}
	return errNoBlock
}

// Block copies all values from b. If b has an error, Block reports that error.
func (r *currentBlock) Block(b *CounterBlock) {
	switch {
	case b != nil && b.format == r.format && r.format != nil:
		copy(r.block, b.block)
	case b != nil && r.format == notCleared && b.format == r.uncleared:
		r.format = r.uncleared
		copy(r.block, b.block)
	case r.format == discarded:
	case b != nil && b.err != nil:
		r.fail(layout.Path{}, b.err)
	case r.format == nil:
		r.fail(layout.Path{}, r.noBlock())
	case b == nil:
		r.fail(blockPath, layout.Faultf(ErrForeign, "the CounterBlock is nil, must be from Template.CounterBlock"))
	default:
		r.fail(blockPath, layout.Faultf(ErrForeign, "the CounterBlock belongs to another template, must be from Template.CounterBlock of the current object's template"))
	}
}

// open makes b the current block.
func (r *currentBlock) open(b []byte, f *blockFormat) {
	r.block, r.format, r.uncleared = b, notCleared, f
}

// finish clears the current block if no value was set in it.
func (r *currentBlock) finish() {
	if r.format == notCleared {
		r.format = r.uncleared
		r.format.clear(r.block)
	}
}

// prepare clears a block that is not cleared, and reports whether a value can be set with h.
func (r *currentBlock) prepare(h handle) bool {
	switch {
	case r.format == discarded:
	case r.format == nil:
		r.fail(layout.Path{}, r.noBlock())
	case h.format == nil:
		r.fail(blockPath, h.err())
	case r.format == notCleared && h.format == r.uncleared:
		r.finish()
		return true
	default:
		r.fail(valuePath(int(h.counter)).In(blockPath), layout.Faultf(ErrForeign, "the handle belongs to another template, must be from the current object's template"))
	}
	return false
}

// fail keeps err if it is the first error. path is relative to the current instance.
func (r *currentBlock) fail(path layout.Path, err error) {
	if r.err == nil {
		if r.instances > 0 {
			path = path.In(instancePath(r.instances - 1))
		}
		if r.objects > 0 {
			path = path.In(objectPath(r.objects - 1))
		}
		if _, hasPath := errors.AsType[*layout.Error](err); !hasPath {
			err = &layout.Error{Off: -1, Err: err}
		}
		r.err = within(path, err)
	}
	r.format, r.block = discarded, nil
}

// A blockFormat describes the counter blocks of a template: all have the same length and the
// same places.
type blockFormat struct {
	blockLayout
	counters []Counter
	length   uint32 // ByteLength
	writer   numberWriter
}

func newBlockFormat(counters []Counter, p blockLayout, length uint32) *blockFormat {
	return &blockFormat{blockLayout: p, counters: counters, length: length, writer: newNumberWriter(p.places, length)}
}

// clear writes a block whose values are zero.
func (f *blockFormat) clear(block []byte) {
	clear(block)
	wire.CounterBlock{ByteLength: f.length}.Put(block)
}

// clearGaps writes the bytes of a block that put does not write: ByteLength and gaps.
func (f *blockFormat) clearGaps(block []byte) {
	if len(f.writer.at) == 0 {
		f.clear(block)
		return
	}
	wire.CounterBlock{ByteLength: f.length}.Put(block)
	le.PutUint32(block[layout.SizeofCounterBlock:], 0) // padding, or overwritten by put
	for _, g := range f.writer.gaps {
		clear(block[g.from:g.to])
	}
}

// put writes the numbers of all counters, and reports whether each fits its counter.
func (f *blockFormat) put(block []byte, numbers []uint64) bool {
	n, fit := f.writer.put(block, numbers)
	for i := n; i < len(f.places); i++ {
		p := f.places[i]
		fit = fit && checkNumber(f.counters[i].CounterType, p, numbers[i]) == nil
		if p.text < 0 {
			putNumber(block[p.at:], p.size, numbers[i])
		}
	}
	return fit
}

// A numberWriter writes the numbers of the first counters of a block in the order of their offsets.
// It writes 8 bytes even for a number of 4 bytes, because that is faster. The upper 4 bytes are
// zero. They overwrite padding, or the next number, which is written later.
type numberWriter struct {
	at     []uint32 // the offsets of the numbers
	narrow []uint32 // the positions of the counters of 4 bytes
	gaps   []gap    // bytes from offset 8 on that blockFormat.put does not write
}

// newNumberWriter returns a numberWriter for places that hold only numbers, in the order of their
// offsets and without overlaps. For other places it returns an empty numberWriter, because writing
// 8 bytes could overwrite a value. If the last number starts less than 8 bytes before the end of
// the block, blockFormat.put writes it.
func newNumberWriter(places []place, length uint32) numberWriter {
	var w numberWriter
	at := uint64(layout.SizeofCounterBlock) // the end of the previous place
	written := at + 4                       // clearGaps writes ByteLength and the 4 bytes after it
	for i, p := range places {
		if p.text >= 0 || p.size == 0 || uint64(p.at) < at {
			return numberWriter{}
		}
		if uint64(p.at) > written {
			w.gaps = append(w.gaps, gap{written, uint64(p.at)})
		}
		at = uint64(p.at) + uint64(p.size)
		if uint64(p.at)+8 > uint64(length) {
			if i != len(places)-1 {
				return numberWriter{} // the next place starts before this one
			}
			written = at // the last number is written as 4 bytes
			break
		}
		written = uint64(p.at) + 8
		w.at = append(w.at, p.at)
		if p.size == 4 {
			w.narrow = append(w.narrow, uint32(i))
		}
	}
	if written < uint64(length) {
		w.gaps = append(w.gaps, gap{written, uint64(length)})
	}
	return w
}

// put writes the first numbers. It returns how many, and whether each of them fits its counter.
func (w *numberWriter) put(block []byte, numbers []uint64) (n int, fit bool) {
	numbers = numbers[:len(w.at)]
	for i, at := range w.at {
		if int64(at) > int64(len(block)-8) {
			return i, false // never happens; the comparison saves the compiler's bounds checks
		}
		le.PutUint64(block[at:int(at)+8], numbers[i])
	}
	var all uint64
	for _, i := range w.narrow {
		all |= numbers[i]
	}
	return len(w.at), all <= math.MaxUint32
}
