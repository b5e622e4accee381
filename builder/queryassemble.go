package builder

import (
	"slices"
	"time"

	"github.com/perfblock/perfblock/layout"
)

// ErrorReturn returns the answer to what failed with that Win32 error, such as 4201
// where there are no instances.
func ErrorReturn(status uint32) *Result {
	return &Result{Type: layout.PERF_ERROR_RETURN, Status: status}
}

// SingleCounter returns the answer to one counter of one instance, of 4 or 8 bytes.
func SingleCounter(size uint32, value uint64) *Result {
	return (&Result{Type: layout.PERF_SINGLE_COUNTER}).Counter(0, size).Single(value)
}

// MultipleCounters returns the answer to all the counters of one instance, without any.
// [Result.Counter] adds them and [Result.Single] their values.
func MultipleCounters() *Result { return &Result{Type: layout.PERF_MULTIPLE_COUNTERS} }

// MultipleInstances returns the answer to one counter, of 4 or 8 bytes, of several
// instances, without any. [Result.Instance] adds them.
func MultipleInstances(size uint32) *Result {
	return (&Result{Type: layout.PERF_MULTIPLE_INSTANCES}).Counter(0, size)
}

// CounterSet returns the answer to all the counters of several instances, without any.
// [Result.Counter] and [Result.Instance] add them.
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

// Single sets the values of an answer without instances, one for each counter, and
// returns r.
func (r *Result) Single(values ...uint64) *Result {
	r.Values = values
	return r
}

// Instance adds an instance and returns r. There is a value for each counter.
func (r *Result) Instance(name string, id uint32, values ...uint64) *Result {
	return r.Add(QueryInstance{Name: name, InstanceId: id, Values: values})
}

// Add adds instances and returns r.
func (r *Result) Add(in ...QueryInstance) *Result {
	r.Instances = append(r.Instances, in...)
	return r
}

// At sets SystemTime and PerfTime100NSec to t and returns q. PerfTimeStamp stays as it
// is. It is as [DataBlock.At].
func (q *QueryData) At(t time.Time) *QueryData {
	q.SystemTime, q.PerfTime100NSec = layout.SystemTime{}, moment(t)
	return q
}

// Add adds the answers as they are now and returns q: what is added to r later is not
// in q. It panics if one is nil.
func (q *QueryData) Add(r ...*Result) *QueryData {
	for _, r := range r {
		if r == nil {
			panic("builder: a nil Result to be added to a QueryData")
		}
		added := *r
		added.Counters, added.Instances = slices.Clip(r.Counters), slices.Clip(r.Instances)
		q.Results = append(q.Results, added)
	}
	return q
}
