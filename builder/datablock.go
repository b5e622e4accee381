package builder

import (
	"math"
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// blockPlan is the plan of a data block.
type blockPlan struct {
	objects              []plan
	nameOffset, nameSize uint64
	header, total        uint64
	time                 layout.SystemTime
	time100ns            int64
}

// AppendBinary appends the block to b and returns the longer slice. On an error it
// returns b as it was. The error is an [*layout.Error] with a path and no offset;
// it wraps one of the kinds of this package or of package layout.
func (d DataBlock) AppendBinary(b []byte) ([]byte, error) {
	p, err := d.plan()
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

// record returns the block's PERF_DATA_BLOCK.
func (d *DataBlock) record(p blockPlan) wire.DataBlock {
	return wire.DataBlock{
		Signature:        layout.Signature(),
		LittleEndian:     1,
		Version:          layout.PERF_DATA_VERSION,
		Revision:         layout.PERF_DATA_REVISION,
		TotalByteLength:  uint32(p.total),
		HeaderLength:     uint32(p.header),
		NumObjectTypes:   uint32(len(d.Objects)),
		DefaultObject:    d.DefaultObject,
		SystemTime:       p.time,
		PerfTime:         d.PerfTime,
		PerfFreq:         d.clocks().perfFreq(),
		PerfTime100nSec:  p.time100ns,
		SystemNameLength: uint32(p.nameSize),
		SystemNameOffset: uint32(p.nameOffset),
	}
}

// appendHeader writes what stands before the objects.
func (d *DataBlock) appendHeader(b []byte, p blockPlan) []byte {
	start := len(b)
	b = d.record(p).Append(b)
	if p.nameSize > 0 {
		b = appendLetters(zeroTo(b, start+int(p.nameOffset)), d.SystemName, 0)
	}
	return zeroTo(b, start+int(p.header))
}

// MarshalBinary returns the block. Its errors are those of [DataBlock.AppendBinary].
func (d DataBlock) MarshalBinary() ([]byte, error) { return d.AppendBinary(nil) }

// EncodedLen returns the bytes that the block takes. Its errors are those of
// [DataBlock.AppendBinary].
func (d DataBlock) EncodedLen() (int, error) {
	p, err := d.plan()
	return int(p.total), err
}

func (d *DataBlock) plan() (blockPlan, error) {
	p, err := d.planHeader()
	if err != nil {
		return blockPlan{}, err
	}
	p.total = p.header
	if p.objects, err = planObjects(d.Objects, p.time100ns, &p.total); err != nil {
		return blockPlan{}, err
	}
	if p.total > maxTotal {
		return blockPlan{}, fault(layout.Path{}, "HeaderLength", ErrTooLarge, "%d is too long for this machine", p.header)
	}
	if err := checkParents(d.Objects); err != nil {
		return blockPlan{}, err
	}
	return p, nil
}

// maxTotal is what the 32 bits of TotalByteLength, and a slice, can hold.
const maxTotal = min(math.MaxUint32, math.MaxInt)

// planObjects plans the objects and adds their bytes to total, which stays within
// 32 bits and what a slice can hold.
func planObjects(objects []Object, now int64, total *uint64) ([]plan, error) {
	plans := make([]plan, len(objects))
	for i := range objects {
		var err error
		if plans[i], err = objects[i].plan(now); err != nil {
			return nil, within(objectPath(i), err)
		}
		*total += uint64(plans[i].total)
		if *total > maxTotal {
			return nil, fault(objectPath(i), "", ErrTooLarge, "with it the block takes %d bytes, which is too many", *total)
		}
	}
	return plans, nil
}

// AppendBinary appends the objects to b and returns the longer slice. As append
// does, it makes a new array where b has no room: a provider that must stay in the
// buffer it was given asks [Objects.EncodedLen] first. What b holds should end on a
// multiple of 8, as blocks start there. On an error it returns b as it was. Errors
// are as with [DataBlock.AppendBinary]. A parent object that is not among o may
// stand elsewhere, so it is not asked for.
func (o Objects) AppendBinary(b []byte) ([]byte, error) {
	plans, total, err := o.plan()
	if err != nil {
		return b, err
	}
	b = slices.Grow(b, int(total))
	for i := range o {
		b = o[i].append(b, plans[i])
	}
	return b, nil
}

// MarshalBinary returns the objects. Its errors are those of [Objects.AppendBinary].
func (o Objects) MarshalBinary() ([]byte, error) { return o.AppendBinary(nil) }

// EncodedLen returns the bytes that the objects take. Its errors are those of
// [Objects.AppendBinary].
func (o Objects) EncodedLen() (int, error) {
	_, total, err := o.plan()
	return int(total), err
}

func (o Objects) plan() ([]plan, uint64, error) {
	var total uint64
	plans, err := planObjects(o, DefaultTime, &total)
	if err == nil {
		err = checkParents(o)
	}
	if err != nil {
		return nil, 0, err
	}
	return plans, total, nil
}

// AppendBinary appends the one object to b. It is [Objects.AppendBinary] of it alone.
func (o *Object) AppendBinary(b []byte) ([]byte, error) { return Objects{*o}.AppendBinary(b) }

// MarshalBinary returns the one object. It is [Objects.MarshalBinary] of it alone.
func (o *Object) MarshalBinary() ([]byte, error) { return o.AppendBinary(nil) }

// checkParents refuses a parent position that its object does not have. The first
// object of that title counts, as it does for readers; a parent object that is not there is not asked for.
func checkParents(objects []Object) error {
	byTitle := make(map[uint32]*Object, len(objects))
	for i := range objects {
		if title := objects[i].ObjectNameTitleIndex; byTitle[title] == nil {
			byTitle[title] = &objects[i]
		}
	}
	for i := range objects {
		for j := range objects[i].Instances {
			in := &objects[i].Instances[j]
			parent := byTitle[in.ParentObjectTitleIndex]
			if in.ParentObjectTitleIndex != 0 && parent != nil && int64(in.ParentObjectInstance) >= int64(len(parent.Instances)) {
				return fault(instancePath(j).In(objectPath(i)), "ParentObjectInstance", ErrParent, "%d, but object %d has %d instances", in.ParentObjectInstance, in.ParentObjectTitleIndex, len(parent.Instances))
			}
		}
	}
	return nil
}
