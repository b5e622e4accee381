package builder

import (
	"github.com/perfblock/perfblock/internal/cname"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/utf16le"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A Fill writes objects into a buffer, one after the other. A [Template] describes each object.
//
// Each call copies its arguments into the buffer: names, numbers and the values of a [CounterBlock]. After the
// call the caller may change them. The Fill uses the buffer and the current template until [Fill.Done].
//
// After an error, all further calls have no effect. Done then returns this error, and the buffer at its original
// length. The error is an [*layout.Error] with the path of the value, or wraps several such errors: see [Model].
//
// A full buffer becomes an error only in Done. Further calls still add to [Fill.Need], but the Fill drops values
// without checking them. If there is no other error, Done returns an error that wraps [ErrMoreData], and the buffer at
// its original length.
//
// A Fill is for one buffer. Each Collect requires a new Fill. A Fill must not be copied: pass a pointer. It is not
// safe for concurrent use. The zero Fill is NewFill(nil).
type Fill struct {
	_ noCopy
	currentBlock
	buffer
	template     *Template      // of the current object
	blockLength  uint64         // of each instance of the current object; 0 if only instanceSlowly can add instances
	missingClock bool           // the current object requires a call of PerfTime
	header       wire.Object    // of the current object; written when its lengths are known
	start        int            // the offset of the current object
	last         int            // the offset of the last instance of the current object
	inDataBlock  bool           // the objects are in a data block
	data         wire.DataBlock // the header of the data block
}

// NewFill returns a Fill that appends to b, like append. The Fill keeps the first len(b) bytes and overwrites the bytes
// between the length and the capacity. The length must be a multiple of 8, because objects start at multiples of 8 from
// the start of a buffer. Otherwise Done returns an error that wraps [layout.ErrAlign].
func NewFill(b []byte) Fill {
	return Fill{currentBlock: currentBlock{err: checkStart(b)}, buffer: newBuffer(b, false)}
}

// NewFixedFill is [NewFill] for a buffer that cannot grow, such as the buffer of a Collect function. To overwrite
// b from its start, pass b[:0]. If the capacity of b is too small, Done returns an error that wraps [ErrMoreData],
// and [Fill.Need] returns the required capacity. In this case the bytes after the length of b may have changed.
func NewFixedFill(b []byte) Fill {
	return Fill{currentBlock: currentBlock{err: checkStart(b)}, buffer: newBuffer(b, true)}
}

// DataBlock starts a data block, which is the block that a consumer reads. The header of the
// data block has the values of d. d must have no Objects: the objects of later calls of
// [Fill.Object] are in the data block. DataBlock must be called before the first of these calls.
// The Fill does not keep d.
func (f *Fill) DataBlock(d *DataBlock) {
	switch {
	case f.err != nil:
		return
	case f.objects > 0 || f.inDataBlock:
		f.fail(fault("", ErrCount, "Fill.DataBlock must be called once, before the first Fill.Object"))
		return
	case d == nil:
		f.fail(fault("", ErrCount, "the DataBlock is nil, must be the header of the data block"))
		return
	case len(d.Objects) > 0:
		f.fail(fault("", ErrCount, "the DataBlock has %s, must have none: call Fill.Object for each", quote.Count(len(d.Objects), "object")))
		return
	}
	p, err := d.planHeader()
	if err != nil {
		f.fail(err)
		return
	}
	f.inDataBlock, f.data = true, d.record(p)
	if b := f.take(p.header.whole); b != nil {
		d.appendHeader(b[:0], p)
	} else {
		f.bufferFull()
	}
}

// Object ends the current object and starts an object with the definitions of t. An object with PERF_NO_INSTANCES
// has one counter block. All values are 0 until setters are called.
func (f *Fill) Object(t *Template) {
	f.end()
	if f.err != nil {
		return
	}
	f.objects, f.instances = f.objects+1, 0
	if t == nil || t.format == nil {
		f.fail(fault("", ErrCount, "the Template is nil or zero, must be from Object.Compile"))
		return
	}
	f.template, f.header, f.start, f.missing = t, t.header, f.at, errNoInstance
	if t.header.NumInstances < layout.PERF_NO_INSTANCES {
		f.missing = errMetadata
	}
	f.missingClock = t.fromDataBlock && !f.inDataBlock && t.header.NumInstances >= layout.PERF_NO_INSTANCES
	f.blockLength = 0
	if t.header.NumInstances == 0 && t.header.CodePage == 0 {
		f.blockLength = uint64(t.format.length)
	}
	if t.fromDataBlock && f.inDataBlock {
		f.header.PerfTime = f.data.PerfTime100nSec
	}
	length := layout.SizeofObjectType + uint64(len(t.counters))
	single := t.header.NumInstances == layout.PERF_NO_INSTANCES
	if single {
		length += uint64(t.format.length)
	}
	b := f.take(length)
	if b == nil {
		f.bufferFull()
		return
	}
	n := copy(b[layout.SizeofObjectType:], t.counters)
	if single {
		f.open(b[layout.SizeofObjectType+n:], t.format)
	}
}

// PerfTime sets the PerfTime of the current object, in ticks of its PerfFreq. If a counter is computed with
// PerfTime, 0 is an error.
//
// The default is the PerfTime of the compiled object. If this default is 0 and a counter is computed with PerfTime:
//
//   - In a Fill with a data block, the default is the PerfTime100nSec of the data block.
//   - In a Fill without a data block, there is no default: without a call of PerfTime, Done returns an error. Templates
//     from [Template.Metadata] require no call.
func (f *Fill) PerfTime(ticks int64) {
	switch {
	case f.err != nil:
	case f.template == nil:
		f.fail(fault("", ErrCount, "Fill.PerfTime is called without an object: call Fill.Object first"))
	default:
		if err := f.template.checkPerfTime(ticks); err != nil {
			f.fail(err)
		}
		f.header.PerfTime, f.missingClock = ticks, false
	}
}

// Instance starts an instance with a counter block. All values are 0 until setters are called. The name is UTF-8
// without NUL, or bytes without NUL if the object has a CodePage. An empty name makes an unnamed instance, which
// should have a [Fill.UniqueID].
func (f *Fill) Instance(name string) { f.instance(0, 0, name, true) }

// Child starts an instance with a parent. parentTitle is the title index of the parent's object, and must not be 0.
// position is the position of the parent among the instances of the parent's object. If the same provider
// writes the parent's object, parentTitle is the [Template.ObjectNameTitleIndex] of that object's rebased template.
func (f *Fill) Child(parentTitle, position uint32, name string) {
	f.instance(parentTitle, position, name, true)
	if parentTitle == 0 {
		f.failParent()
	}
}

func (f *Fill) failParent() {
	f.fail(fault("ParentObjectTitleIndex", ErrParent, "is 0, must be the title index of an object: call Template.Rebase on the parent's template; for an instance without a parent, call Fill.Instance"))
}

// UniqueID sets the UniqueID of the current instance. Without a call of UniqueID, the instance has
// PERF_NO_UNIQUE_ID.
func (f *Fill) UniqueID(id int32) {
	switch {
	case f.err != nil:
	case f.template == nil || f.instances == 0:
		f.fail(fault("", ErrCount, "Fill.UniqueID is called without an instance: call Fill.Instance first"))
	case !f.over:
		le.PutUint32(f.b[f.last+instanceDefinitionUniqueID:], uint32(id))
	}
}

// instance starts an instance. If zero is false, the caller must write the whole counter block.
func (f *Fill) instance(parent, position uint32, name string, zero bool) {
	const size = layout.SizeofInstanceDefinition
	n := 2 * uint64(len(name))
	whole := roundUp(size+n+utf16NUL, layout.Align)
	end := uint64(f.at) + whole + f.blockLength
	if f.err != nil || f.blockLength == 0 || name == "" || end > uint64(len(f.b)) {
		f.instanceSlowly(parent, position, name)
		return
	}
	b := f.b[f.at:end:end]
	f.block, f.format = b[whole:], f.template.format // set here, because the calls below would spill b to the stack
	putDefinition((*[size]byte)(b), uint32(whole), parent, position, uint32(n+utf16NUL))
	// The 8 bytes after the name are its NUL, padding, and possibly bytes of the counter block, which is written later.
	le.PutUint64(b[size+n:size+n+8], 0)
	if utf16le.Widen(b[size:whole:whole], name) != len(name) {
		f.instanceSlowly(parent, position, name)
		return
	}
	f.instances++
	f.last, f.at = f.at, int(end)
	if zero {
		f.format.clear(f.block)
	}
}

// putDefinition writes a PERF_INSTANCE_DEFINITION faster than wire.Instance.Append, which copies a struct.
func putDefinition(d *[layout.SizeofInstanceDefinition]byte, length, parent, position, nameLength uint32) {
	id := layout.PERF_NO_UNIQUE_ID
	le.PutUint32(d[instanceDefinitionByteLength:], length)
	le.PutUint32(d[instanceDefinitionParentObjectTitleIndex:], parent)
	le.PutUint32(d[instanceDefinitionParentObjectInstance:], position)
	le.PutUint32(d[instanceDefinitionUniqueID:], uint32(id))
	le.PutUint32(d[instanceDefinitionNameOffset:], layout.SizeofInstanceDefinition)
	le.PutUint32(d[instanceDefinitionNameLength:], nameLength)
}

// instanceSlowly starts an instance in slow cases, such as a name outside ASCII or a full buffer.
func (f *Fill) instanceSlowly(parent, position uint32, name string) {
	t := f.template
	if t == nil || t.header.NumInstances != 0 || f.err != nil {
		f.reportMisplaced()
		return
	}
	f.instances++
	in := Instance{Name: name, ParentObjectTitleIndex: parent, ParentObjectInstance: position}
	m, err := t.model.checkInstance(&in)
	if err != nil {
		f.fail(err)
		return
	}
	f.last = f.at
	b := f.take(m.whole + uint64(t.format.length))
	if b == nil {
		f.bufferFull()
		return
	}
	t.model.appendInstance(b[:0], &in, m)
	f.open(b[m.whole:], t.format)
}

// reportMisplaced reports an instance without an object, or in an object that cannot have
// instances.
func (f *Fill) reportMisplaced() {
	switch {
	case f.err != nil:
	case f.template == nil:
		f.fail(fault("", ErrCount, "an instance is added without an object: call Fill.Object first"))
	default:
		f.fail(fault("NumInstances", ErrCount, "is %s in the Template, must be 0 for an object with instances", cname.Instances(f.template.header.NumInstances)))
	}
}

// Objects returns the number of objects so far, or 0 if Done has returned an error. A Collect function stores this
// number in lpNumObjectTypes.
func (f *Fill) Objects() int { return f.objects }

// Done ends the last object and returns the buffer with all written data. After an error Done returns the original
// buffer at its original length; the bytes after this length may have changed. After Done the Fill does not use
// the buffer. Later calls that add data are errors.
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
	if f.inDataBlock {
		f.data.TotalByteLength = uint32(f.at - len(f.given))
		f.data.NumObjectTypes = uint32(f.objects)
		f.data.Put(f.b[len(f.given):])
	}
	f.err = errDone
	return f.b[:f.at], nil
}

var errDone = fault("", ErrCount, "Fill.Done was called before: call NewFill or NewFixedFill for another buffer")

// end writes the header of the current object, with its TotalByteLength and NumInstances. It reports an error if
// the PerfTime is missing.
func (f *Fill) end() {
	if f.template == nil || f.err != nil {
		return
	}
	if f.missingClock {
		f.instances = 0
		f.fail(fault("PerfTime", ErrCount, "is not set, but a counter requires it: call Fill.PerfTime, or Fill.DataBlock before the first object"))
		return
	}
	f.header.TotalByteLength = uint32(f.at - f.start)
	if f.header.NumInstances == 0 {
		f.header.NumInstances = int32(f.instances)
	}
	if !f.over {
		f.header.Put(f.b[f.start:])
	}
	f.format, f.block = nil, nil
}

// bufferFull makes setters drop values until the next instance or object. If the block is too long
// for any buffer, bufferFull reports an error.
func (f *Fill) bufferFull() {
	f.format, f.block = discarded, nil
	if f.tooLarge {
		f.fail(fault("", ErrTooLarge, "the objects take more than %d bytes, the most that a block can have", uint64(maxTotal)))
	}
}
