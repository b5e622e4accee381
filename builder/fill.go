package builder

import (
	"fmt"
	"sync/atomic"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A Fill writes objects into a buffer, one after the other, by their templates.
//
// Names, numbers and the values of a [CounterBlock] are copied into the buffer by the call
// that gets them, and may be reused when it returns. Until [Fill.Done] the Fill keeps the
// buffer and the current template.
//
// The first error sticks: calls after it have no effect, and Done returns it with the
// buffer at its old length. It wraps [ErrMoreData], or is an [*layout.Error] with the path of
// the value. Once there is no room, values are dropped without a check, so an error in them
// is reported only with a larger buffer.
//
// A Fill is for one buffer; each Collect needs a new one. It must not be copied: pass a
// pointer. It is not safe for concurrent use. The zero Fill is NewFill(nil).
type Fill struct {
	_ noCopy
	row
	room
	template *Template       // of the current object
	noClock  bool            // the current object needs a PerfTime and has none yet
	header   wire.ObjectType // of the current object; written when its lengths are known
	start    int             // where the current object starts
	last     int             // where its last instance starts
	inBlock  bool            // the objects are in a data block
	data     wire.DataBlock  // its header
}

// NewFill returns a Fill that appends to b, like append. The contents of b are kept; their
// length should be a multiple of 8. The bytes between its length and its capacity are
// overwritten.
func NewFill(b []byte) Fill { return Fill{room: newRoom(b, false)} }

// NewFixedFill is [NewFill] for a buffer that cannot grow, such as that of a Collect
// function. The room is from the length of b to its capacity: to write over all of b, pass
// b[:0]. If the room is too small, Done returns an error that wraps [ErrMoreData], and
// [Fill.Need] the capacity that is needed. The bytes after the length of b then have any value.
func NewFixedFill(b []byte) Fill { return Fill{room: newRoom(b, true)} }

// DataBlock starts a data block, the block that a consumer reads: it writes the header of d,
// and the next objects are in it. It must come before the first object. d has no Objects, and
// is not kept.
func (f *Fill) DataBlock(d *DataBlock) {
	switch {
	case f.err != nil:
		return
	case f.objects > 0 || f.inBlock:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "Fill.DataBlock must be called once, before the first Fill.Object"))
		return
	case d == nil:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "the DataBlock is nil"))
		return
	case len(d.Objects) > 0:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "the DataBlock has %s, must have none: call Fill.Object for each", count(len(d.Objects), "object")))
		return
	}
	p, err := d.planHeader()
	if err != nil {
		f.fail(layout.Path{}, err)
		return
	}
	f.inBlock, f.data = true, d.record(p)
	if b := f.take(p.header); b != nil {
		d.appendHeader(b[:0], p)
	} else {
		f.full()
	}
}

// Object ends the current object and starts one of the template. An object with
// PERF_NO_INSTANCES has its counter block at once, with zeros for values.
func (f *Fill) Object(t *Template) {
	f.end()
	if f.err != nil {
		return
	}
	f.objects, f.instances = f.objects+1, 0
	if t == nil || t.form == nil {
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "the template is nil or zero: Object.Compile returns one"))
		return
	}
	f.template, f.header, f.start = t, t.header, f.at
	if f.noClock = t.live && !f.inBlock; t.timed && f.inBlock {
		f.header.PerfTime = f.data.PerfTime100nSec
	}
	size := uint64(layout.PERF_OBJECT_TYPE.Size)
	length := size + uint64(len(t.counters))
	lone := t.header.NumInstances == layout.PERF_NO_INSTANCES
	if lone {
		length += uint64(t.form.length)
	}
	b := f.take(length)
	if b == nil {
		f.full()
		return
	}
	n := copy(b[size:], t.counters)
	if lone {
		f.open(b[int(size)+n:], t.form)
	}
}

// PerfTime sets the object's own clock, in ticks of its PerfFreq. Without it the object has
// the compiled PerfTime. If a counter is computed with the clock and none was compiled, it
// has the PerfTime100nSec of the data block; without a data block PerfTime must be called
// then, except in the answer to a metadata query. 0 is refused if a counter is computed with
// the clock.
func (f *Fill) PerfTime(ticks int64) {
	switch {
	case f.err != nil:
	case f.template == nil:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "Fill.PerfTime is called without an object: call Fill.Object first"))
	default:
		if err := f.template.checkPerfTime(ticks); err != nil {
			f.fail(layout.Path{}.Field("PerfTime"), err)
		}
		f.header.PerfTime, f.noClock = ticks, false
	}
}

// Instance starts an instance with its counter block, whose values are zero until they are
// set. The name is UTF-8 without NUL, or bytes without NUL if the object has a CodePage. An
// empty name makes an unnamed instance, which should have a [Fill.UniqueID].
func (f *Fill) Instance(name string) { f.instance(0, 0, name) }

// Child starts an instance with a parent, which is the instance at that position of the object
// with that title. The title must not be 0; for an object of the same provider it is the
// [Template.ObjectNameTitleIndex] of the rebased template.
func (f *Fill) Child(parentTitle, position uint32, name string) {
	f.instance(parentTitle, position, name)
	if parentTitle == 0 {
		f.fail(layout.Path{}.Field("ParentObjectTitleIndex"), layout.Faultf(ErrParent, "is 0, must be the title of an object: call Template.Rebase on the parent's template, or Fill.Instance for no parent"))
	}
}

// UniqueID sets the UniqueID of the current instance. Without it, it is PERF_NO_UNIQUE_ID.
func (f *Fill) UniqueID(id int32) {
	switch {
	case f.err != nil:
	case f.template == nil || f.instances == 0:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "Fill.UniqueID is called without an instance: call Fill.Instance first"))
	case !f.over:
		b := f.b[f.last:]
		in := wire.GetInstanceDefinition(b)
		in.UniqueID = id
		in.Put(b)
	}
}

func (f *Fill) instance(parent, position uint32, name string) {
	t := f.template
	if t == nil || t.header.NumInstances != 0 || f.err != nil {
		f.misplaced()
		return
	}
	f.settle()
	f.instances++
	size, at := uint64(layout.PERF_INSTANCE_DEFINITION.Size), f.at
	b, whole := []byte(nil), uint64(0)
	if t.header.CodePage == 0 && name != "" {
		b, whole = f.takeASCII(size, name, uint64(t.form.length))
	}
	if b == nil {
		f.anyInstance(parent, position, name)
		return
	}
	wire.InstanceDefinition{
		ByteLength:             uint32(whole),
		ParentObjectTitleIndex: parent,
		ParentObjectInstance:   position,
		UniqueID:               layout.PERF_NO_UNIQUE_ID,
		NameOffset:             uint32(size),
		NameLength:             uint32(2*len(name) + utf16NUL),
	}.Put(b)
	f.last = at
	f.open(b[whole:], t.form)
}

// anyInstance starts an instance with any name, or reports why it cannot.
func (f *Fill) anyInstance(parent, position uint32, name string) {
	t := f.template
	in := Instance{Name: name, ParentObjectTitleIndex: parent, ParentObjectInstance: position}
	m, err := t.model.checkInstance(&in)
	if err != nil {
		f.fail(layout.Path{}, err)
		return
	}
	f.last = f.at
	b := f.take(m.whole + uint64(t.form.length))
	if b == nil {
		f.full()
		return
	}
	t.model.appendInstance(b[:0], &in, m)
	f.open(b[m.whole:], t.form)
}

// misplaced reports an instance where there can be none.
func (f *Fill) misplaced() {
	switch {
	case f.err != nil:
	case f.template == nil:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "an instance is added without an object: call Fill.Object first"))
	default:
		f.fail(layout.Path{}.Field("NumInstances"), layout.Faultf(ErrCount, "is %s in the template, so the object has no instances", layout.InstancesName(f.template.header.NumInstances)))
	}
}

// SetText sets a value of variable length: UTF-8 for a PERF_COUNTER_TEXT, bytes for any other
// type. A text must fit its CounterSize, other bytes must fill it.
func (f *Fill) SetText(h HandleText, s string) { f.setText(h, s) }

// Objects returns the number of objects started, or 0 after Done has returned an error. A
// Collect function stores it in lpNumObjectTypes.
func (f *Fill) Objects() int { return f.objects }

// Done ends the last object and returns the buffer with everything that was written. On an
// error it returns the buffer that the Fill was given, at its old length; the bytes after
// that length may have changed. Nothing can be added after Done, and the Fill no longer uses
// the buffer.
func (f *Fill) Done() ([]byte, error) {
	f.end()
	switch {
	case f.err == nil && f.over:
		f.err = newMoreData(f.at, cap(f.given))
		fallthrough
	case f.err != nil:
		f.objects = 0
		return f.given, f.err
	}
	if f.inBlock {
		f.data.TotalByteLength = uint32(f.at - len(f.given))
		f.data.NumObjectTypes = uint32(f.objects)
		f.data.Put(f.b[len(f.given):])
	}
	f.err, f.of, f.block = errDone, nowhere, nil
	return f.b[:f.at], nil
}

var errDone error = &layout.Error{Off: -1, Err: layout.Faultf(ErrCount, "the Fill is done: use another one")}

// end writes the lengths of the current object.
func (f *Fill) end() {
	if f.template == nil || f.err != nil {
		return
	}
	if f.noClock {
		f.instances = 0
		f.fail(layout.Path{}.Field("PerfTime"), layout.Faultf(ErrCount, "is not set, and a counter is computed with it: call Fill.PerfTime, or Fill.DataBlock before the first object"))
		return
	}
	f.header.TotalByteLength = uint32(f.at - f.start)
	if f.header.NumInstances == 0 {
		f.header.NumInstances = int32(f.instances)
	}
	if !f.over {
		f.settle()
		f.header.Put(f.b[f.start:])
	}
	f.of, f.block = nil, nil
}

// full drops the values that follow, and reports a block that no buffer can hold.
func (f *Fill) full() {
	f.of, f.block = nowhere, nil
	if f.huge {
		f.fail(layout.Path{}, layout.Faultf(ErrTooLarge, "the block takes more than the %d bytes that its length and a slice can hold", uint64(maxTotal)))
	}
}

// moreData is an [ErrMoreData] with its numbers.
type moreData struct{ need, room int }

func (e *moreData) Error() string {
	return fmt.Sprintf("%v: it has a capacity of %d bytes, and %d are needed", ErrMoreData, e.room, e.need)
}

func (e *moreData) Unwrap() error { return ErrMoreData }

// lastMoreData is the latest moreData. A collector that comes back with the same buffer gets
// the same error, without an allocation.
var lastMoreData atomic.Pointer[moreData]

func newMoreData(need, room int) error {
	e := lastMoreData.Load()
	if e == nil || e.need != need || e.room != room {
		e = &moreData{need, room}
		lastMoreData.Store(e)
	}
	return e
}
