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

// header returns the PERF_INSTANCE_HEADER of the instance.
func (in *QueryInstance) header() InstanceHeader {
	return InstanceHeader{in.Name, in.InstanceId, in.Size}
}

// planInstances checks the instances and returns dwTotalSize. texts is the number of counters whose
// Bytes is true.
func (r *Result) planInstances(texts int) (uint64, error) {
	total := uint64(layout.SizeofMultiInstances)
	for i := range r.Instances {
		in := &r.Instances[i]
		header := in.header()
		n, err := header.plan()
		if err != nil {
			return 0, within(instancePath(i), err)
		}
		values, err := queryValues{r.Counters, in.Values, in.Texts}.plan(texts)
		if err != nil {
			return 0, within(instancePath(i), err)
		}
		if total += n + values; total > math.MaxUint32 {
			return 0, fault(instancePath(i), "", ErrTooLarge, "makes the instances take %d bytes, must be at most %d", total, uint32(math.MaxUint32))
		}
	}
	return total, nil
}

// appendInstances appends the PERF_MULTI_INSTANCES and the instances. total is dwTotalSize.
func (r *Result) appendInstances(b []byte, total uint64) []byte {
	b = wire.MultiInstances{DwTotalSize: uint32(total), DwInstances: uint32(len(r.Instances))}.Append(b)
	for i := range r.Instances {
		in := &r.Instances[i]
		header := in.header()
		b = header.append(b)
		b = queryValues{r.Counters, in.Values, in.Texts}.append(b)
	}
	return b
}

// To be fast, the functions below create a Path only for an error or a loss. Each has its own loop
// over values, because passing an iterator to a function allocates.

// queryInstances decodes the instances of a result and returns the offset where they end.
func (d *decoder) queryInstances(v layout.Result, out *Result) (int64, error) {
	instances, err := v.Instances()
	if err != nil {
		return 0, err
	}
	end, err := sizes(instances, out)
	if err != nil {
		return 0, err
	}
	if end != instances.End() {
		return 0, broken(instances.Path(), &layout.PERF_MULTI_INSTANCES, instances.Span, "dwTotalSize", layout.ErrBounds, "is %d, must be %d, where the last instance ends", instances.DwTotalSize(), end-instances.Off())
	}
	// dwInstances is the number of instances, because sizes has read all of them.
	n, texts := int(instances.DwInstances()), out.texts()
	if n > 0 {
		out.Instances = make([]QueryInstance, n)
	}
	for v := range instances.All() {
		in, remaining := &out.Instances[v.Index()], n-v.Index()
		in.InstanceId = v.InstanceId()
		if in.Name, in.Size, err = d.nameAndSize(v.Span, &layout.PERF_INSTANCE_HEADER, v.Name(), remaining, v.Path); err != nil {
			return 0, err
		}
		into := d.collect(out, texts, remaining)
		for v := range v.Values() {
			if err := into.value(v); err != nil {
				return 0, err
			}
		}
		in.Values, in.Texts = into.numbers, into.texts
	}
	return end, nil
}

// sizes reads the values of all instances, and sets Size or Bytes of each counter. It returns the
// offset where the last instance ends.
func sizes(instances layout.MultiInstances, out *Result) (end int64, err error) {
	end = instances.Off() + layout.SizeofMultiInstances
	first := true
	for in, err := range instances.All() {
		if err != nil {
			return 0, err
		}
		end = in.End()
		for v, err := range in.Values() {
			if err == nil {
				err = out.size(v, first)
			}
			if err != nil {
				return 0, err
			}
			end = v.End()
		}
		first = false
	}
	return end, nil
}
