package builder

import (
	"cmp"
	"slices"
	"time"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A QueryData is the result of PerfQueryCounterData: clocks, and a [Result] for each counter or counter set of the
// query. UnmarshalBinary returns an error for bytes after dwTotalSize. The caller must remove the unused bytes at
// the end of a buffer.
// Source: PERF_DATA_HEADER.
type QueryData struct {
	// SystemTime is the UTC time of the data. If it is zero, encoding computes it from
	// PerfTime100NSec.
	SystemTime layout.SystemTime
	// PerfTimeStamp is a clock. PerfFreq is the number of ticks per second of this clock; 0 means 10,000,000. A
	// PerfTimeStamp of 0 is written as 0.
	PerfTimeStamp, PerfFreq int64
	// PerfTime100NSec counts units of 100 ns since 1601-01-01 UTC. If it is 0, encoding computes it from
	// SystemTime. If SystemTime is also zero, the default is [DefaultTime].
	PerfTime100NSec int64
	// Results[i] is the result for the [CounterIdentifier] whose Index is i.
	Results []Result
}

// At sets PerfTime100NSec to t and SystemTime to zero, and returns q, like [DataBlock.At]. It does
// not set PerfTimeStamp.
func (q *QueryData) At(t time.Time) *QueryData {
	q.SystemTime, q.PerfTime100NSec = layout.SystemTime{}, fileTime(t)
	return q
}

// Add adds shallow copies of the results and returns q. If the caller later sets a field of a result,
// or adds a counter or an instance to the result, its copy does not change. A result and its copy can
// share the counters, instances and values that exist when Add is called: a later change to one of
// these can change both. Add panics if a result is nil.
func (q *QueryData) Add(r ...*Result) *QueryData {
	for _, r := range r {
		if r == nil {
			panic("builder: QueryData.Add: the Result is nil")
		}
		added := *r
		added.Counters, added.Instances = slices.Clip(r.Counters), slices.Clip(r.Instances)
		q.Results = append(q.Results, added)
	}
	return q
}

// AppendBinary is [Model.AppendBinary].
func (q QueryData) AppendBinary(b []byte) ([]byte, error) {
	p, err := q.plan(false)
	if err != nil {
		return b, err
	}
	b = slices.Grow(b, int(p.total))
	b = p.header.Append(b)
	for i := range q.Results {
		b = q.Results[i].append(b, p.results[i])
	}
	return b, nil
}

// EncodedLen checks the data and returns its length.
func (q QueryData) EncodedLen() (int, error) {
	p, err := q.plan(false)
	return int(p.total), err
}

// queryPlan holds the header and the lengths of valid query data.
type queryPlan struct {
	header  wire.QueryData
	results []resultPlan
	total   uint64
}

// plan checks the data and computes its lengths. If decoded is true, plan does not check the instances.
func (q *QueryData) plan(decoded bool) (queryPlan, error) {
	p := queryPlan{results: make([]resultPlan, len(q.Results))}
	c := clocks{&queryDataClocks, q.SystemTime, q.PerfTimeStamp, q.PerfFreq, q.PerfTime100NSec}
	var all faults
	system, now, err := c.check()
	all.add(err)
	p.total, err = planRecords("data", layout.SizeofDataHeader, len(q.Results), resultPath, func(i int) (_ uint64, err error) {
		p.results[i], err = q.Results[i].plan(decoded)
		return p.results[i].total, err
	})
	if all.add(err); len(all) > 0 {
		return queryPlan{}, all.err()
	}
	p.header = wire.QueryData{
		DwTotalSize:     uint32(p.total),
		DwNumCounters:   uint32(len(q.Results)),
		PerfTimeStamp:   q.PerfTimeStamp,
		PerfTime100NSec: now,
		PerfFreq:        cmp.Or(q.PerfFreq, defaultFreq),
		SystemTime:      system,
	}
	return p, nil
}

func (d *decoder) queryData(b []byte) (QueryData, error) {
	v, err := layout.ReadQueryData(b)
	if err != nil {
		return QueryData{}, err
	}
	c := d.clocks(v.Span, clocks{&queryDataClocks, v.SystemTime(), v.PerfTimeStamp(), v.PerfFreq(), v.PerfTime100NSec()})
	out := QueryData{SystemTime: c.system, PerfTimeStamp: c.ticks, PerfFreq: c.freq, PerfTime100NSec: c.now}
	end := int64(layout.SizeofDataHeader)
	out.Results = slices.Grow(out.Results, int(min(uint64(v.DwNumCounters()), uint64(v.Len()-int(end))/layout.SizeofCounterHeader)))
	for r, err := range v.Results() {
		if err != nil {
			return out, err
		}
		result, err := d.result(r)
		if err != nil {
			return out, err
		}
		out.Results, end = append(out.Results, result), r.End()
	}
	if end != v.End() {
		return out, broken(here, &layout.PERF_DATA_HEADER, v.Span, "dwTotalSize", layout.ErrBounds, "is %d, must be %d, where the last result ends", v.DwTotalSize(), end)
	}
	d.loseAfter(b, v.Len())
	return out, nil
}
