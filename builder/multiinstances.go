package builder

import (
	"math"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A QueryInstance is an instance of a [Result] with its values.
// Source: PERF_MULTI_INSTANCES, PERF_INSTANCE_HEADER, PERF_COUNTER_DATA.
type QueryInstance struct {
	// Name is UTF-8 without NUL, possibly empty. Windows writes at most 1,023 characters; the
	// model allows more. Instances may have the same Name, the same InstanceId, or both.
	Name       string
	InstanceId uint32
	// Size 0 means the length that the name requires. A larger value must be a multiple of 8.
	Size uint32
	// Values holds a number for each counter, in the order of the counters. The number is 0 for a
	// counter whose Bytes is true. A number that does not fit its counter is an error.
	Values []uint64
	// Texts holds a string of bytes for each counter whose Bytes is true, in the order of the
	// counters.
	Texts []string
}

// planInstances checks the instances and returns dwTotalSize.
func (r *Result) planInstances() (uint64, error) {
	total := uint64(layout.SizeofMultiInstances)
	var all faults
	all.each(len(r.Instances), instancePath, func(i int) error {
		in := &r.Instances[i]
		var one faults
		n, err := checkedSize(&layout.PERF_INSTANCE_HEADER, in.Name, in.Size)
		one.add(err)
		values, err := queryValues{r.Counters, in.Values, in.Texts}.plan()
		end := total + n + values
		if err == nil && total <= math.MaxUint32 && end > math.MaxUint32 {
			err = fault("", ErrTooLarge, "makes the total length of the instances %d bytes, must be at most %d", end, uint32(math.MaxUint32))
		}
		one.add(err)
		total = end
		return one.err()
	})
	return total, all.err()
}

// appendInstances appends the PERF_MULTI_INSTANCES and the instances. total is dwTotalSize.
func (r *Result) appendInstances(b []byte, total uint64) []byte {
	b = wire.MultiInstances{DwTotalSize: uint32(total), DwInstances: uint32(len(r.Instances))}.Append(b)
	for i := range r.Instances {
		in := &r.Instances[i]
		header := InstanceHeader{in.Name, in.InstanceId, in.Size}
		b = header.append(b)
		b = queryValues{r.Counters, in.Values, in.Texts}.append(b)
	}
	return b
}

// To be fast, the functions below create a Path only for an error.

// resultRows decodes the values and instances of a result, and returns the offset where the last row ends. If the
// result has no rows and no PERF_MULTI_INSTANCES, this offset is the parameter `end`.
func (d *decoder) resultRows(v layout.Result, out *Result, end int64) (int64, error) {
	list, err := v.Instances()
	if err != nil {
		return 0, err
	}
	if out.hasInstances() {
		end = list.Off() + layout.SizeofMultiInstances
	}
	// All rows are read twice: first for the sizes, then for the values.
	n, end, err := d.sizes(v, out, end)
	texts := textCount(out.Counters)
	switch {
	case err != nil:
		return 0, err
	case !out.hasInstances():
		if d.rows.Next() {
			out.Values, out.Texts = d.rowValues(out, texts, 1)
		}
		return end, nil
	case end != list.End():
		return 0, broken(list.Path(), &layout.PERF_MULTI_INSTANCES, list.Span, "dwTotalSize", layout.ErrBounds, "is %d, must be %d, where the last instance ends", list.DwTotalSize(), end-list.Off())
	case n > 0:
		out.Instances = make([]QueryInstance, n)
	}
	d.names.reset(n, list.Len()-n*(layout.SizeofInstanceHeader+len(out.Counters)*layout.SizeofCounterData))
	for i := range out.Instances {
		d.rows.Next() // returns true, because sizes has read all rows
		in, remaining, header := &out.Instances[i], n-i, d.rows.InstanceHeader()
		in.InstanceId = header.InstanceId()
		if !d.names.add(header.Bytes(), layout.SizeofInstanceHeader, layout.SizeofInstanceHeader+d.rows.Name().Len()) {
			if in.Name, in.Size, err = d.nameAndSize(header.Span, &layout.PERF_INSTANCE_HEADER, header.Name(), remaining, header.Path); err != nil {
				return 0, err
			}
		}
		d.names.endInstance()
		in.Values, in.Texts = d.rowValues(out, texts, remaining)
	}
	for i, name := range d.names.byInstance() {
		out.Instances[i].Name = name
	}
	return end, nil
}

// sizes reads all rows of a result, and sets Size or Bytes of each counter. Then it opens the result again: the next
// call of d.rows.Next moves to the first row. sizes returns the number of rows, and the offset where the last row ends.
// If there are no rows, the offset is the parameter `end`.
func (d *decoder) sizes(v layout.Result, out *Result, end int64) (n int, _ int64, err error) {
	if err := d.rows.OpenResult(v); err != nil {
		return 0, 0, err
	}
	for ; d.rows.Next(); n++ {
		if out.hasInstances() {
			end = d.rows.InstanceHeader().End()
		}
		for i := range out.Counters {
			value := d.rows.Data(i)
			out.Counters[i].resize(value.DwDataSize(), n == 0)
			end = value.End()
		}
	}
	if err := d.rows.Err(); err != nil {
		return 0, 0, err
	}
	return n, end, d.rows.OpenResult(v)
}
