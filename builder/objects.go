package builder

import (
	"iter"
	"math"
	"slices"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// Objects is the output of a provider's Collect function: objects without a PERF_DATA_BLOCK.
type Objects []Object

// AppendBinary appends the objects to b, as [Model.AppendBinary] describes. If b is the buffer of a Collect function,
// the caller must ensure that the length of b is a multiple of 8, because objects start at multiples of 8.
// AppendBinary checks that the parent of each instance exists, if o contains the parent's object.
func (o Objects) AppendBinary(b []byte) ([]byte, error) {
	plans, total, err := o.plan(false)
	if err != nil {
		return b, err
	}
	b = slices.Grow(b, int(total))
	for i := range o {
		b = o[i].append(b, plans[i])
	}
	return b, nil
}

// EncodedLen checks the objects and returns their length.
func (o Objects) EncodedLen() (int, error) {
	_, total, err := o.plan(false)
	return int(total), err
}

// AppendBinary appends the object to b. See [Objects.AppendBinary].
func (o *Object) AppendBinary(b []byte) ([]byte, error) { return Objects{*o}.AppendBinary(b) }

// MarshalBinary returns the encoded object. See [Objects.MarshalBinary].
func (o *Object) MarshalBinary() ([]byte, error) { return o.AppendBinary(nil) }

func (o Objects) plan(decoded bool) ([]plan, uint64, error) {
	return planObjects(o, decoded, DefaultTime, 0)
}

// maxTotal is the largest length that fits both the 32 bits of TotalByteLength and a slice.
const maxTotal = min(math.MaxUint32, math.MaxInt)

// planRecords returns the offset where the last of n records ends, or 0 and the errors. The first record starts at the
// parameter offset. The function path returns the path of record i. The function plan checks record i and returns its
// length, or 0 and an error. The parameter block is a word for error texts, such as "list".
func planRecords(block string, offset uint64, n int, path func(i int) layout.Path, plan func(i int) (uint64, error)) (uint64, error) {
	var all faults
	tooLarge := false // one error is enough, because all later records end above maxTotal too
	all.each(n, path, func(i int) error {
		length, err := plan(i)
		// Padding to a multiple of 8 follows the last text of a StringBuffer. All other records include their padding.
		if offset += length; err == nil && roundUp(offset, layout.Align) > maxTotal && !tooLarge {
			tooLarge = true
			err = fault("", ErrTooLarge, "ends at byte %d of the %s, must end at %d or before", offset, block, uint64(maxTotal))
		}
		return err
	})
	if len(all) > 0 {
		return 0, all.err()
	}
	return offset, nil
}

// planObjects plans objects that start at offset, and returns the offset where the last object ends. Object.plan
// describes the other parameters.
func planObjects(objects []Object, decoded bool, time100ns int64, offset uint64) ([]plan, uint64, error) {
	plans := make([]plan, len(objects))
	end, err := planRecords("block", offset, len(objects), objectPath, func(i int) (_ uint64, err error) {
		plans[i], err = objects[i].plan(decoded, time100ns)
		return uint64(plans[i].total), err
	})
	var all faults
	all.add(err)
	if all.add(checkParents(objects)); len(all) > 0 {
		return nil, 0, all.err()
	}
	return plans, end, nil
}

// checkParents checks that each ParentObjectInstance is the position of an instance in the parent's object. The
// parent's object may be missing.
func checkParents(objects []Object) error {
	byTitle := make(map[uint32]*Object, len(objects))
	for i := range objects {
		if title := objects[i].ObjectNameTitleIndex; byTitle[title] == nil { // readers use the first object with a title index
			byTitle[title] = &objects[i]
		}
	}
	var all faults
	for i := range objects {
		for j := range objects[i].Instances {
			in := &objects[i].Instances[j]
			if in.ParentObjectTitleIndex == 0 {
				continue
			}
			if parent := byTitle[in.ParentObjectTitleIndex]; parent != nil && int64(in.ParentObjectInstance) >= int64(len(parent.Instances)) && !all.full() {
				all.add(within(instancePath(j).In(objectPath(i)), fault("ParentObjectInstance", ErrParent, "is %d, must be the position of an instance: object %d has %s, and positions start at 0", in.ParentObjectInstance, in.ParentObjectTitleIndex, quote.Count(len(parent.Instances), "instance"))))
			}
		}
	}
	return all.err()
}

// readObjects decodes objects. It also returns the offset where the last object ends. If there are no objects, this
// offset is the parameter `end`.
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
	return out, end, nil
}

// Names returns the names of the objects and counters of a model, by title index. If several names have the same
// title index, Names returns the first name. Names ignores index 0, which means that there is no title. Only a
// [DataBlock] and [Objects] have names.
func Names(m Model) map[uint32]string {
	names := make(map[uint32]string)
	add := func(index uint32, name string) {
		if _, has := names[index]; !has && name != "" && index != 0 {
			names[index] = name
		}
	}
	var objects []Object
	switch m := m.(type) {
	case *DataBlock:
		objects = m.Objects
	case *Objects:
		objects = *m
	}
	for i := range objects {
		o := &objects[i]
		add(o.ObjectNameTitleIndex, o.Name)
		for _, c := range o.Counters {
			add(c.CounterNameTitleIndex, c.Name)
		}
	}
	return names
}
