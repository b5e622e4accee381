package builder

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// ErrMoreData is the error of a [Fill] that stays in its buffer where that has no
// room for all. A Collect function returns ERROR_MORE_DATA then.
var ErrMoreData = errors.New("the buffer is too small")

// moreData is an [ErrMoreData] with its numbers.
type moreData struct{ need, room int }

func (e *moreData) Error() string {
	return fmt.Sprintf("%v: it has a capacity of %d bytes, and %d are needed", ErrMoreData, e.room, e.need)
}

func (e *moreData) Unwrap() error { return ErrMoreData }

// lastMoreData is the latest moreData. A collector that comes back with the same buffer
// gets the same error, without an allocation.
var lastMoreData atomic.Pointer[moreData]

func newMoreData(need, room int) error {
	e := lastMoreData.Load()
	if e == nil || e.need != need || e.room != room {
		e = &moreData{need, room}
		lastMoreData.Store(e)
	}
	return e
}

// A Fill writes objects into a buffer, one behind the other, by their templates.
//
// Names, numbers and the values of a [CounterBlock] are copied into the buffer by the
// call that gives them, and may be reused when it returns. What is kept, until
// [Fill.Done], is the buffer and the template at hand.
//
// The first error sticks: what comes after is without effect, and Done returns it, with
// the buffer as long as it was given. It is [ErrMoreData], or an [*layout.Error] with
// the path of the value at fault. Where there is no room any more, values are dropped
// without a look, so that their errors show only when there is.
//
// A Fill is for one buffer: the next time is another Fill. It must not be copied once it
// is in use, and is not safe for concurrent use. The zero Fill is NewFill(nil).
type Fill struct {
	_ noCopy
	row
	room
	template *Template       // of the object at hand
	clock    bool            // it wants a PerfTime, and has none yet
	header   wire.ObjectType // of it; written when its lengths are known
	start    int             // of it
	last     int             // where its last instance starts
	data     dataHeader
}

// NewFill returns a Fill that appends to b and grows it as append does. What b holds
// is kept, and should end on a multiple of 8; the bytes behind it, to its capacity, are
// written over, whatever they are.
func NewFill(b []byte) Fill { return Fill{room: newRoom(b, false)} }

// NewFixedFill is [NewFill] for a buffer that cannot grow, such as the one that a
// Collect function is handed. The room is from the length of b to its capacity: to write
// over all of b, give b[:0]. Where there is no room for all, [Fill.Need] says how much
// would do. The bytes behind the length of b are not to be relied on then.
func NewFixedFill(b []byte) Fill { return Fill{room: newRoom(b, true)} }

// Object ends the object before and starts one of the template. A template of
// PERF_NO_INSTANCES has its counter block at once, with zeros for values.
func (f *Fill) Object(t *Template) {
	f.end()
	if f.err != nil {
		return
	}
	f.objects, f.instances = f.objects+1, 0
	if t == nil || t.form == nil {
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "no template"))
		return
	}
	f.template, f.header, f.start = t, t.header, f.at
	if f.clock = t.live && !f.data.is; t.timed && f.data.is {
		f.header.PerfTime = f.data.block.PerfTime100nSec
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

// PerfTime sets the object's own clock, in ticks of its PerfFreq. Without it the
// object has the PerfTime that was compiled, or where a counter is computed with it and
// none was, the PerfTime100nSec of the data block. Without a data block it must be set
// then, but for the answer to a metadata query: for readers no time would pass. 0 is
// written as it is.
func (f *Fill) PerfTime(ticks int64) {
	switch {
	case f.err != nil:
	case f.template == nil:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "a PerfTime, and no object"))
	default:
		if err := f.template.checkPerfTime(ticks); err != nil {
			f.fail(layout.Path{}.Field("PerfTime"), err)
		}
		f.header.PerfTime, f.clock = ticks, false
	}
}

// SetText sets a value of variable length: text of UTF-8 for a PERF_COUNTER_TEXT,
// bytes for any other. It must fit the CounterSize, and where it is no text fill it.
func (f *Fill) SetText(h HandleText, s string) { f.setText(h, s) }

// Done ends the last object and returns the buffer with all that was written, or with
// an error the one that was given, as long as it was; the bytes behind its length may
// have been written to then. Nothing can be added after it.
// The buffer is the caller's: the Fill does not come back to it.
func (f *Fill) Done() ([]byte, error) {
	f.end()
	f.endData()
	switch {
	case f.err == nil && f.over:
		f.err = newMoreData(f.at, cap(f.given))
		fallthrough
	case f.err != nil:
		f.objects = 0
		return f.given, f.err
	}
	f.err, f.of, f.block = errDone, nowhere, nil
	return f.b[:f.at], nil
}

// Objects returns how many objects were started, and 0 once Done has returned an error:
// a Collect function stores it as lpNumObjectTypes.
func (f *Fill) Objects() int { return f.objects }

// end writes the lengths of the object at hand.
func (f *Fill) end() {
	if f.template == nil || f.err != nil {
		return
	}
	if f.clock {
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

var errDone error = &layout.Error{Off: -1, Err: layout.Faultf(ErrCount, "the Fill is done")}

// full drops what is set from now on, and reports what no buffer could hold.
func (f *Fill) full() {
	f.of, f.block = nowhere, nil
	if f.huge {
		f.fail(layout.Path{}, layout.Faultf(ErrTooLarge, "with it the block takes more bytes than 32 bits, or a slice, can tell"))
	}
}

// Instance starts an instance with its counter block, whose values are zero until
// they are set. The name is as in [Instance]: text of UTF-8 without NUL, or bytes
// without NUL where the object has a CodePage; an empty one makes an unnamed instance,
// which should have a [Fill.UniqueID].
func (f *Fill) Instance(name string) { f.instance(0, 0, name) }

// Child starts an instance that has a parent, the one at that position among the
// instances of the object of that title index, which is not 0: that of a provider's
// own is the [Template.ObjectNameTitleIndex] of what Rebase returned.
func (f *Fill) Child(parentTitle, position uint32, name string) {
	f.instance(parentTitle, position, name)
	if parentTitle == 0 {
		f.fail(layout.Path{}.Field("ParentObjectTitleIndex"), layout.Faultf(ErrParent, "0 is the title of no object; was its template rebased?"))
	}
}

// UniqueID sets the UniqueID of the instance at hand, which is PERF_NO_UNIQUE_ID
// without it.
func (f *Fill) UniqueID(id int32) {
	switch {
	case f.err != nil:
	case f.template == nil || f.instances == 0:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "a UniqueID, and no instance"))
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

// anyInstance starts an instance of any name, or reports why it cannot.
func (f *Fill) anyInstance(parent, position uint32, name string) {
	t := f.template
	if err := checkLetters(name, t.header.CodePage); err != nil {
		f.fail(layout.Path{}.Field("Name"), err)
		return
	}
	in := wire.InstanceDefinition{ParentObjectTitleIndex: parent, ParentObjectInstance: position, UniqueID: layout.PERF_NO_UNIQUE_ID}
	size := uint64(layout.PERF_INSTANCE_DEFINITION.Size)
	whole := size
	if name != "" {
		n := lettersLen(name, t.header.CodePage) + terminatorLen(t.header.CodePage)
		whole = up(size+n, layout.Align)
		in.NameOffset, in.NameLength = uint32(size), uint32(n)
	}
	f.last = f.at
	b := f.take(whole + uint64(t.form.length))
	if b == nil {
		f.full()
		return
	}
	in.ByteLength = uint32(whole)
	in.Put(b)
	zeroTo(appendLetters(b[:size:whole], name, t.header.CodePage), int(whole))
	f.open(b[whole:], t.form)
}

// misplaced reports an instance where there can be none.
func (f *Fill) misplaced() {
	switch {
	case f.err != nil:
	case f.template == nil:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "an instance, and no object"))
	default:
		f.fail(layout.Path{}.Field("NumInstances"), layout.Faultf(ErrCount, "%s goes with no instances", layout.InstancesName(f.template.header.NumInstances)))
	}
}

// A dataHeader is that of the data block that a Fill writes, if it writes one.
type dataHeader struct {
	is    bool
	block wire.DataBlock
}

// DataBlock starts a data block, as a consumer gets it: it writes the header that d
// has, and the objects that come next are in it. It stands before the first object.
// d has no Objects; it is not kept.
func (f *Fill) DataBlock(d *DataBlock) {
	switch {
	case f.err != nil:
		return
	case f.objects > 0 || f.data.is:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "a data block inside a block"))
		return
	case d == nil:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "no data block"))
		return
	case len(d.Objects) > 0:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "%d objects in the header of a block; they are filled one by one", len(d.Objects)))
		return
	}
	p, err := d.planHeader()
	if err != nil {
		f.fail(layout.Path{}, err)
		return
	}
	f.data = dataHeader{true, d.record(p)}
	if b := f.take(p.header); b != nil {
		d.appendHeader(b[:0], p)
	} else {
		f.full()
	}
}

// endData writes the lengths of the data block.
func (f *Fill) endData() {
	if f.data.is && f.err == nil && !f.over {
		f.data.block.TotalByteLength = uint32(f.at - len(f.given))
		f.data.block.NumObjectTypes = uint32(f.objects)
		f.data.block.Put(f.b[len(f.given):])
	}
}
