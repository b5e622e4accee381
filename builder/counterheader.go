package builder

import (
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A Result is the result for one counter or counter set. Its Type determines which fields are used. Fields that
// are not used must be empty, except Status.
// Source: PERF_COUNTER_HEADER, PERF_MULTI_COUNTERS, PERF_MULTI_INSTANCES.
type Result struct {
	Type layout.PerfCounterDataType
	// Status is the Win32 error of a PERF_ERROR_RETURN. For other types it should be 0. Encoding does not check
	// Status.
	Status uint32
	// Counters are the counters that have values. A PERF_SINGLE_COUNTER or PERF_MULTIPLE_INSTANCES has one
	// counter. The CounterId of this counter is not written and must be 0.
	Counters []QueryCounter
	// ShortIDs means that dwSize of PERF_MULTI_COUNTERS does not include the padding after an odd
	// number of ids. The padding is still written. The documentation allows both lengths.
	ShortIDs bool
	// Values and Texts are the values of a PERF_SINGLE_COUNTER or PERF_MULTIPLE_COUNTERS, as in
	// [QueryInstance].
	Values []uint64
	Texts  []string
	// Instances are the instances of a PERF_MULTIPLE_INSTANCES or PERF_COUNTERSET, possibly none.
	Instances []QueryInstance
}

// ErrorReturn returns the result for a counter that failed with the Win32 error status, such as
// 4201 if there are no instances.
func ErrorReturn(status uint32) *Result {
	return &Result{Type: layout.PERF_ERROR_RETURN, Status: status}
}

// SingleCounter returns the result for one counter of one instance. size is 4 or 8 bytes.
func SingleCounter(size uint32, value uint64) *Result {
	return (&Result{Type: layout.PERF_SINGLE_COUNTER}).Counter(0, size).Single(value)
}

// MultipleCounters returns the result for all counters of one instance. [Result.Counter] adds a counter.
// [Result.Single] sets the values.
func MultipleCounters() *Result { return &Result{Type: layout.PERF_MULTIPLE_COUNTERS} }

// MultipleInstances returns the result for one counter of several instances. size is 4 or 8 bytes.
// [Result.Instance] adds an instance.
func MultipleInstances(size uint32) *Result {
	return (&Result{Type: layout.PERF_MULTIPLE_INSTANCES}).Counter(0, size)
}

// CounterSet returns the result for all counters of several instances. [Result.Counter] adds a counter.
// [Result.Instance] adds an instance.
func CounterSet() *Result { return &Result{Type: layout.PERF_COUNTERSET} }

// Counter adds a counter of 4 or 8 bytes and returns r.
func (r *Result) Counter(id, size uint32) *Result {
	return r.Define(QueryCounter{CounterId: id, Size: size})
}

// Define adds counters and returns r.
func (r *Result) Define(c ...QueryCounter) *Result {
	r.Counters = append(r.Counters, c...)
	return r
}

// Single sets the Values of a result without instances, and returns r. Each counter requires one value.
func (r *Result) Single(values ...uint64) *Result {
	r.Values = values
	return r
}

// Instance adds an instance, with a value for each counter, and returns r.
func (r *Result) Instance(name string, id uint32, values ...uint64) *Result {
	return r.Add(QueryInstance{Name: name, InstanceId: id, Values: values})
}

// Add adds instances and returns r.
func (r *Result) Add(in ...QueryInstance) *Result {
	r.Instances = append(r.Instances, in...)
	return r
}

// hasIDs reports whether the result has a PERF_MULTI_COUNTERS.
func (r *Result) hasIDs() bool {
	return r.Type == layout.PERF_MULTIPLE_COUNTERS || r.Type == layout.PERF_COUNTERSET
}

// hasInstances reports whether the result has a PERF_MULTI_INSTANCES.
func (r *Result) hasInstances() bool {
	return r.Type == layout.PERF_MULTIPLE_INSTANCES || r.Type == layout.PERF_COUNTERSET
}

// check checks the type of the result, and whether it has the counters, values and instances that the type requires.
func (r *Result) check() error {
	var all faults
	switch {
	case !r.Type.Valid():
		return fault("Type", layout.ErrRange, "is %v, must be %s", r.Type, resultTypes)
	case r.Type == layout.PERF_ERROR_RETURN && len(r.Counters) > 0:
		all.add(fault("Counters", ErrCount, "has %s, must have none for %v", quote.Count(len(r.Counters), "counter"), r.Type))
	case r.Type != layout.PERF_ERROR_RETURN && !r.hasIDs() && len(r.Counters) != 1:
		all.add(fault("Counters", ErrCount, "has %s, must have exactly one counter for the type %v", quote.Count(len(r.Counters), "counter"), r.Type))
	case len(r.Counters) > maxCounters:
		all.add(fault("Counters", ErrTooLarge, "has %d counters, must have at most %d", len(r.Counters), maxCounters))
	}
	if r.Type == layout.PERF_ERROR_RETURN && len(r.Values) > 0 {
		all.add(fault("Values", ErrCount, "has %s, must have none for %v", quote.Count(len(r.Values), "number"), r.Type))
	}
	if r.Type == layout.PERF_ERROR_RETURN && len(r.Texts) > 0 {
		all.add(fault("Texts", ErrCount, "has %s, must have none for %v", quote.Count(len(r.Texts), "text"), r.Type))
	}
	if !r.hasInstances() && len(r.Instances) > 0 {
		all.add(fault("Instances", ErrCount, "has %s, must have none for %v", quote.Count(len(r.Instances), "instance"), r.Type))
	}
	if r.hasInstances() && (len(r.Values) > 0 || len(r.Texts) > 0) {
		all.add(fault("Values", ErrCount, "has %s and %s, must have none: the values of a %v are in its Instances", quote.Count(len(r.Values), "number"), quote.Count(len(r.Texts), "text"), r.Type))
	}
	switch {
	case r.ShortIDs && !r.hasIDs():
		all.add(fault("ShortIDs", layout.ErrRange, "is true, must be false: %v has no ids", r.Type))
	case r.ShortIDs && len(r.Counters)%2 == 0:
		all.add(fault("ShortIDs", layout.ErrRange, "is true, must be false: only an odd number of ids has padding after it"))
	}
	return all.err()
}

// resultPlan has the lengths of a valid result.
type resultPlan struct {
	ids       uint64 // of the PERF_MULTI_COUNTERS with padding, 0 if there is none
	instances uint64 // dwTotalSize of the PERF_MULTI_INSTANCES, 0 if there is none
	total     uint64
}

// plan checks the result and computes its lengths. If decoded is true, plan does not check the instances, and the
// lengths do not include them.
func (r *Result) plan(decoded bool) (resultPlan, error) {
	if err := r.check(); err != nil {
		return resultPlan{}, err // no further checks, because their errors could be consequences of this error
	}
	var all faults
	all.each(len(r.Counters), counterPath, func(i int) error { return r.checkCounter(r.Counters[i]) })
	var p resultPlan
	if r.hasIDs() {
		p.ids = roundUp(r.idsLen(), layout.Align)
	}
	var values uint64
	var err error
	switch {
	case !r.hasInstances():
		values, err = queryValues{r.Counters, r.Values, r.Texts}.plan()
	case !decoded: // decoding has already checked the instances
		p.instances, err = r.planInstances()
	}
	if all.add(err); len(all) > 0 {
		return resultPlan{}, all.err()
	}
	p.total = layout.SizeofCounterHeader + p.ids + p.instances + values // QueryData.plan checks that this fits in 32 bits
	return p, nil
}

func (r *Result) append(b []byte, p resultPlan) []byte {
	b = wire.Result{DwStatus: r.Status, DwType: r.Type, DwSize: uint32(p.total)}.Append(b)
	if r.hasIDs() {
		b = r.appendIDs(b, p.ids)
	}
	if r.hasInstances() {
		return r.appendInstances(b, p.instances)
	}
	return queryValues{r.Counters, r.Values, r.Texts}.append(b)
}

func (d *decoder) result(v layout.Result) (Result, error) {
	r := &layout.PERF_COUNTER_HEADER
	out := Result{Type: v.DwType(), Status: v.DwStatus()}
	if !out.Type.Valid() {
		return out, broken(v.Path(), r, v.Span, "dwType", layout.ErrRange, "is %v, must be %s", out.Type, resultTypes)
	}
	d.loseReserved(v.Path(), r, v.Span, "Reserved", v.Reserved())
	var err error
	end := v.Off() + int64(r.Size)
	switch {
	case out.Type == layout.PERF_ERROR_RETURN:
	case out.hasIDs():
		end, err = d.counterIDs(v, &out)
	default:
		out.Counters = make([]QueryCounter, 1)
	}
	if err != nil {
		return out, err
	}
	if end, err = d.resultRows(v, &out, end); err != nil {
		return out, err
	}
	if after, _ := v.Sub(uint64(end-v.Off()), uint64(v.End()-end)); after.Len() > 0 {
		d.lose(v.Path().Field("rest"), after, "%s after the last record of the result", quote.Count(after.Len(), "byte"))
	}
	return out, nil
}
