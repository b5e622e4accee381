package builder

import (
	"math"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A QueryInstance is an instance of a [Result] with its values.
// Source: PERF_MULTI_INSTANCES, PERF_INSTANCE_HEADER, PERF_COUNTER_DATA.
type QueryInstance struct {
	// Name is UTF-8 without NUL, possibly empty. Windows writes at most 1,023 characters, which
	// is not checked. Names may repeat, because InstanceId distinguishes the instances, and ids
	// may repeat too.
	Name       string
	InstanceId uint32
	// Size 0 means the length that the name requires. A larger value must be a multiple of 8.
	Size uint32
	// Values holds a number for each counter, in their order. It is 0 for a counter of
	// Bytes. A number that does not fit its counter is an error.
	Values []uint64
	// Texts holds the value of each counter of Bytes, in the order of the counters.
	Texts []string
}

func (in *QueryInstance) header() InstanceHeader {
	return InstanceHeader{in.Name, in.InstanceId, in.Size}
}

// planInstances returns dwTotalSize.
func (r *Result) planInstances(texts int) (uint64, error) {
	total := uint64(layout.PERF_MULTI_INSTANCES.Size)
	for i := range r.Instances {
		in := &r.Instances[i]
		n, err := planNamed(&layout.PERF_INSTANCE_HEADER, in.Name, in.Size)
		if err != nil {
			return 0, within(instancePath(i), err)
		}
		values, err := queryValues{r.Counters, in.Values, in.Texts}.plan(texts)
		if err != nil {
			return 0, within(instancePath(i), err)
		}
		if total += n + values; total > math.MaxUint32 {
			return 0, fault(instancePath(i), "", ErrTooLarge, "makes the instances take %d bytes, must fit 32 bits", total)
		}
	}
	return total, nil
}

func (r *Result) appendInstances(b []byte, total uint64) []byte {
	b = wire.MultiInstances{DwTotalSize: uint32(total), DwInstances: uint32(len(r.Instances))}.Append(b)
	for i := range r.Instances {
		in := &r.Instances[i]
		h := in.header()
		b = h.append(b)
		b = queryValues{r.Counters, in.Values, in.Texts}.append(b)
	}
	return b
}

// The functions below, like those in instancedefinition.go, make no path before there is a
// fault or a loss. The loops over values are written out where they are needed: passed to a
// function, each would allocate.

// queryInstances decodes the instances of a result and returns where they end.
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
		return 0, broken(instances.Path(), &layout.PERF_MULTI_INSTANCES, instances.Span, "dwTotalSize", layout.ErrBounds, "is %d, but the last instance ends at %d", instances.DwTotalSize(), end-instances.Off())
	}
	// sizes has read all instances, so dwInstances is right.
	n, texts := int(instances.DwInstances()), out.texts()
	if n > 0 {
		out.Instances = make([]QueryInstance, n)
	}
	for v := range instances.All() {
		in, times := &out.Instances[v.Index()], n-v.Index()
		in.InstanceId = v.InstanceId()
		if in.Name, in.Size, err = d.named(v.Span, &layout.PERF_INSTANCE_HEADER, v.Name(), times, v.Path); err != nil {
			return 0, err
		}
		into := d.row(out, texts, times)
		for v := range v.Values() {
			if err := into.value(v); err != nil {
				return 0, err
			}
		}
		in.Values, in.Texts = into.numbers, into.texts
	}
	return end, nil
}

// sizes sets Size or Bytes of each counter, which depends on its values in all instances, and
// returns where the last instance ends.
func sizes(instances layout.MultiInstances, out *Result) (end int64, err error) {
	end = instances.Off() + int64(layout.PERF_MULTI_INSTANCES.Size)
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
