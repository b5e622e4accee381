package builder

import (
	"cmp"
	"slices"
	"time"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A DataBlock is the block that a consumer reads: a header and objects.
// Source: PERF_DATA_BLOCK.
type DataBlock struct {
	// SystemName is the computer's name: UTF-8 without NUL, possibly empty.
	SystemName string
	// SystemTime is the UTC time of the data. If it is zero, encoding computes it from
	// PerfTime100nSec.
	SystemTime layout.SystemTime
	// PerfTime is a clock. PerfFreq is the number of ticks per second of this clock; 0 means 10,000,000. Readers
	// compute rates from the difference of PerfTime between two blocks. A PerfTime of 0 is written as 0.
	PerfTime, PerfFreq int64
	// PerfTime100nSec counts units of 100 ns since 1601-01-01 UTC. If it is 0, encoding computes it from
	// SystemTime. If SystemTime is also zero, the default is [DefaultTime].
	PerfTime100nSec int64
	// DefaultObject is the title index of the object that a tool shows first. Encoding does not check whether the
	// block has this object.
	DefaultObject int32
	// SystemNameOffset is the offset of the name in the header. 0 means the end of the
	// PERF_DATA_BLOCK structure. If SystemName is empty, SystemNameOffset is written as it is.
	SystemNameOffset uint32
	// HeaderLength 0 means the length that the name requires. A larger value must be a
	// multiple of 8.
	HeaderLength uint32

	Objects []Object
}

// At sets PerfTime100nSec to t, with a resolution of 100 ns, and returns d. It sets SystemTime to zero, so that
// encoding computes SystemTime from PerfTime100nSec. It does not set PerfTime, which readers use to compute rates. If t
// is outside the years 1601 to 30827, encoding d returns an error. The first moment of 1601 is also an error, because a
// PerfTime100nSec of 0 means the default.
func (d *DataBlock) At(t time.Time) *DataBlock {
	d.SystemTime, d.PerfTime100nSec = layout.SystemTime{}, fileTime(t)
	return d
}

// Add adds shallow copies of the objects and returns d. If the caller later sets a field of an object,
// or adds a counter or an instance to the object, its copy does not change. An object and its copy can
// share the counters, instances and values that exist when Add is called: a later change to one of
// these can change both. Add panics if an object is nil.
func (d *DataBlock) Add(o ...*Object) *DataBlock {
	for _, o := range o {
		if o == nil {
			panic("builder: DataBlock.Add: the Object is nil")
		}
		added := *o
		added.Counters, added.Instances = slices.Clip(o.Counters), slices.Clip(o.Instances)
		d.Objects = append(d.Objects, added)
	}
	return d
}

// AppendBinary is [Model.AppendBinary].
func (d DataBlock) AppendBinary(b []byte) ([]byte, error) {
	p, err := d.plan(false)
	if err != nil {
		return b, err
	}
	b = slices.Grow(b, int(p.total))
	b = d.appendHeader(b, p)
	for i := range d.Objects {
		b = d.Objects[i].append(b, p.objects[i])
	}
	return b, nil
}

// EncodedLen checks the block and returns its length.
func (d DataBlock) EncodedLen() (int, error) {
	p, err := d.plan(false)
	return int(p.total), err
}

// blockPlan holds the lengths and times of a valid data block.
type blockPlan struct {
	objects   []plan
	header    namePlan
	total     uint64
	time      layout.SystemTime
	time100ns int64
}

// plan checks the block and computes its lengths. If decoded is true, plan does not check the instances.
func (d *DataBlock) plan(decoded bool) (blockPlan, error) {
	var all faults
	p, err := d.planHeader()
	if all.add(err); err != nil {
		p.header.whole = layout.SizeofDataBlock
	}
	p.objects, p.total, err = planObjects(d.Objects, decoded, p.time100ns, p.header.whole)
	if all.add(err); len(all) > 0 {
		return blockPlan{}, all.err()
	}
	if p.total > maxTotal {
		return blockPlan{}, fault("HeaderLength", ErrTooLarge, "is %d, must be at most %d", p.header.whole, uint64(maxTotal))
	}
	return p, nil
}

// planHeader checks the header and computes its lengths.
func (d *DataBlock) planHeader() (blockPlan, error) {
	r := &layout.PERF_DATA_BLOCK
	p := blockPlan{header: newNamePlan(r, d.SystemName, 0, d.SystemNameOffset, d.HeaderLength)}
	var all faults
	all.add(p.header.check(r, d.SystemName, 0, "SystemName", "SystemNameOffset", "HeaderLength"))
	var err error
	p.time, p.time100ns, err = clocks{&dataBlockClocks, d.SystemTime, d.PerfTime, d.PerfFreq, d.PerfTime100nSec}.check()
	all.add(err)
	return p, all.err()
}

func (d *DataBlock) record(p blockPlan) wire.DataBlock {
	return wire.DataBlock{
		Signature:        layout.Signature,
		LittleEndian:     1,
		Version:          layout.PERF_DATA_VERSION,
		Revision:         layout.PERF_DATA_REVISION,
		TotalByteLength:  uint32(p.total),
		HeaderLength:     uint32(p.header.whole),
		NumObjectTypes:   uint32(len(d.Objects)),
		DefaultObject:    d.DefaultObject,
		SystemTime:       p.time,
		PerfTime:         d.PerfTime,
		PerfFreq:         cmp.Or(d.PerfFreq, defaultFreq),
		PerfTime100nSec:  p.time100ns,
		SystemNameLength: uint32(p.header.length),
		SystemNameOffset: uint32(p.header.offset),
	}
}

// appendHeader appends the header with the system name.
func (d *DataBlock) appendHeader(b []byte, p blockPlan) []byte {
	start := len(b)
	return p.header.append(d.record(p).Append(b), start, d.SystemName, 0)
}

func (d *decoder) dataBlock(b []byte) (DataBlock, error) {
	v, err := layout.ReadDataBlock(b)
	if err != nil {
		return DataBlock{}, err
	}
	r := &layout.PERF_DATA_BLOCK
	out := DataBlock{DefaultObject: v.DefaultObject()}
	if v.LittleEndian() != 1 {
		return out, broken(here, r, v.Span, "LittleEndian", layout.ErrRange, "is %d, must be 0 or 1", v.LittleEndian())
	}
	if v.HeaderLength()%layout.Align != 0 {
		return out, broken(here, r, v.Span, "HeaderLength", layout.ErrAlign, "is %d, must be a multiple of 8", v.HeaderLength())
	}
	var raw wire.DataBlock
	raw.Get(v.Bytes())
	d.loseUnless(layout.PERF_DATA_VERSION, here, r, v.Span, "Version", raw.Version)
	d.loseUnless(layout.PERF_DATA_REVISION, here, r, v.Span, "Revision", raw.Revision)
	d.loseUnless(0, here, r, v.Span, "Padding", raw.Padding)
	if err := d.systemName(v, &out); err != nil {
		return out, err
	}
	c := d.clocks(v.Span, clocks{&dataBlockClocks, v.SystemTime(), v.PerfTime(), v.PerfFreq(), v.PerfTime100nSec()})
	out.SystemTime, out.PerfTime, out.PerfFreq, out.PerfTime100nSec = c.system, c.ticks, c.freq, c.now
	var end int64
	if out.Objects, end, err = d.readObjects(v.Objects(), int64(v.HeaderLength())); err != nil {
		return out, err
	}
	if end != v.End() {
		return out, broken(here, r, v.Span, "TotalByteLength", layout.ErrBounds, "is %d, must be %d, where the last object ends", v.TotalByteLength(), end)
	}
	d.loseAfter(b, v.Len())
	return out, nil
}

// systemName sets SystemName, SystemNameOffset and HeaderLength.
func (d *decoder) systemName(v layout.DataBlock, out *DataBlock) error {
	name, err := v.SystemName()
	if err != nil {
		return err
	}
	size := uint64(layout.SizeofDataBlock)
	if out.SystemName, err = d.name(name, here.Field("SystemName"), true); err != nil {
		return err
	}
	var offset uint64
	if out.SystemName != "" {
		offset = size
	}
	if uint64(v.SystemNameOffset()) != offset && (out.SystemName != "" || name.Len() == 0) {
		out.SystemNameOffset = v.SystemNameOffset()
	}
	d.loseAround(layout.NewSpan(v.Bytes()[size:v.HeaderLength()], int64(size)), name, here)
	// If encoding computes a smaller HeaderLength, the model gets the HeaderLength of the block. Encoding can also
	// compute a larger HeaderLength, because it adds a NUL to a name without NUL. The HeaderLength of the model then
	// stays 0.
	if newNamePlan(&layout.PERF_DATA_BLOCK, out.SystemName, 0, out.SystemNameOffset, 0).whole < uint64(v.HeaderLength()) {
		out.HeaderLength = v.HeaderLength()
	}
	return nil
}
