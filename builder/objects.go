package builder

import (
	"iter"
	"math"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// Objects is the output of a provider's Collect function: objects without a header.
type Objects []Object

// AppendBinary appends the objects to b and returns the longer slice. Like append, it
// allocates if b has too little capacity; a provider that must stay in a given buffer
// calls [Objects.EncodedLen] first. The length of b should be a multiple of 8, because
// objects start there. On an error it returns b unchanged. The errors are those of
// [DataBlock.AppendBinary]. A parent object that is not in o may be in another buffer, so
// it is not checked.
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

// EncodedLen returns the number of bytes that the objects take. Its errors are those of
// [Objects.AppendBinary].
func (o Objects) EncodedLen() (int, error) {
	_, total, err := o.plan()
	return int(total), err
}

// UnmarshalBinary sets *o to the models of the objects that fill b, like [DataBlock.UnmarshalBinary].
func (o *Objects) UnmarshalBinary(b []byte) error {
	return strictly(unmarshal(o, b, false, (*decoder).allObjects))
}

// UnmarshalLossy is [Objects.UnmarshalBinary] with losses, like [DataBlock.UnmarshalLossy].
func (o *Objects) UnmarshalLossy(b []byte) ([]*layout.Error, error) {
	return unmarshal(o, b, true, (*decoder).allObjects)
}

// AppendBinary appends the object to b, as [Objects.AppendBinary] does for several.
func (o *Object) AppendBinary(b []byte) ([]byte, error) { return Objects{*o}.AppendBinary(b) }

// MarshalBinary returns the object, as [Objects.MarshalBinary] does for several.
func (o *Object) MarshalBinary() ([]byte, error) { return o.AppendBinary(nil) }

func (o Objects) plan() ([]plan, uint64, error) {
	var total uint64
	plans, err := planObjects(o, DefaultTime, &total)
	if err != nil {
		return nil, 0, err
	}
	return plans, total, nil
}

// maxTotal is the largest length that fits both the 32 bits of TotalByteLength and a slice.
const maxTotal = min(math.MaxUint32, math.MaxInt)

// planObjects plans the objects and adds their lengths to total, which stays within
// maxTotal. now is the header's PerfTime100nSec.
func planObjects(objects []Object, now int64, total *uint64) ([]plan, error) {
	plans := make([]plan, len(objects))
	for i := range objects {
		var err error
		if plans[i], err = objects[i].plan(now); err != nil {
			return nil, within(objectPath(i), err)
		}
		*total += uint64(plans[i].total)
		if *total > maxTotal {
			return nil, fault(objectPath(i), "", ErrTooLarge, "ends at byte %d of the block, which can have %d", *total, uint64(maxTotal))
		}
	}
	return plans, checkParents(objects)
}

// checkParents refuses the position of a parent that its object does not have. The first
// object with the parent's title counts, as for readers. A parent object that is not among
// objects is not checked.
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
				return fault(instancePath(j).In(objectPath(i)), "ParentObjectInstance", ErrParent, "is %d, but object %d has %s", in.ParentObjectInstance, in.ParentObjectTitleIndex, count(len(parent.Instances), "instance"))
			}
		}
	}
	return nil
}

func (d *decoder) allObjects(b []byte) (Objects, error) {
	out, _, err := d.readObjects(layout.ReadObjects(b), 0)
	return out, err
}

// readObjects decodes objects and returns the offset where the last one ends.
func (d *decoder) readObjects(objects iter.Seq2[layout.Object, error], end int64) (out []Object, _ int64, err error) {
	for v, err := range objects {
		if err != nil {
			return nil, 0, err
		}
		object, err := d.object(v)
		if err != nil {
			return nil, 0, err
		}
		out, end = append(out, object), v.End()
	}
	d.objects = out
	return out, end, nil
}
