package builder

import (
	"math"
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// AppendBinary appends the data to b and returns the longer slice. What b holds should
// end on a multiple of 8, as data starts there. On an error it returns b as it was.
// Errors are as with [DataBlock.AppendBinary].
func (q QueryData) AppendBinary(b []byte) ([]byte, error) {
	p, err := q.plan()
	if err != nil {
		return b, err
	}
	b = slices.Grow(b, int(p.total))
	p.header.DwTotalSize, p.header.DwNumCounters = uint32(p.total), uint32(len(q.Results))
	b = p.header.Append(b)
	for i := range q.Results {
		b = q.Results[i].append(b, p.results[i])
	}
	return b, nil
}

// MarshalBinary returns the data. Its errors are those of [QueryData.AppendBinary].
func (q QueryData) MarshalBinary() ([]byte, error) { return q.AppendBinary(nil) }

// EncodedLen returns the bytes that the data takes. Its errors are those of
// [QueryData.AppendBinary].
func (q QueryData) EncodedLen() (int, error) {
	p, err := q.plan()
	return int(p.total), err
}

func (q *QueryData) clocks() clocks {
	return clocks{&queryDataClocks, q.SystemTime, q.PerfTimeStamp, q.PerfFreq, q.PerfTime100NSec}
}

// header checks the clocks and returns them as they are written.
func (q *QueryData) header() (wire.DataHeader, error) {
	if err := q.clocks().check(); err != nil {
		return wire.DataHeader{}, err
	}
	system, now, err := q.clocks().times()
	return wire.DataHeader{PerfTimeStamp: q.PerfTimeStamp, PerfTime100NSec: now, PerfFreq: q.clocks().perfFreq(), SystemTime: system}, err
}

// queryPlan is the plan of query data, as [plan] is that of an object.
type queryPlan struct {
	header  wire.DataHeader // without dwTotalSize and dwNumCounters
	results []resultPlan
	total   uint64
}

// resultPlan has the sizes of an answer.
type resultPlan struct {
	ids       uint64 // with their padding, 0 where there are none
	instances uint64 // dwTotalSize, 0 where there are none
	total     uint64
}

func (q *QueryData) plan() (queryPlan, error) {
	p := queryPlan{total: uint64(layout.PERF_DATA_HEADER.Size), results: make([]resultPlan, len(q.Results))}
	var err error
	if p.header, err = q.header(); err != nil {
		return queryPlan{}, err
	}
	for i := range q.Results {
		if p.results[i], err = q.Results[i].plan(); err != nil {
			return queryPlan{}, within(resultPath(i), err)
		}
		if p.total += p.results[i].total; p.total > maxTotal {
			return queryPlan{}, fault(resultPath(i), "", ErrTooLarge, "with it the data takes %d bytes, which is too many", p.total)
		}
	}
	return p, nil
}

// plan checks the answer and measures it. That it fits 32 bits the whole tells.
func (r *Result) plan() (resultPlan, error) {
	if err := r.check(); err != nil {
		return resultPlan{}, err
	}
	var p resultPlan
	if r.hasIDs() {
		p.ids = up(r.idsLen(), layout.Align)
	}
	texts, values := r.texts(), uint64(0)
	var err error
	if r.hasInstances() {
		p.instances, err = r.planInstances(texts)
	} else {
		values, err = queryValues{r.Counters, r.Values, r.Texts}.plan(texts)
	}
	if err != nil {
		return resultPlan{}, err
	}
	p.total = uint64(layout.PERF_COUNTER_HEADER.Size) + p.ids + p.instances + values
	return p, nil
}

// idBytes is what the id of a counter takes.
const idBytes = 4

// idsLen returns what the ids take without padding.
func (r *Result) idsLen() uint64 {
	return uint64(layout.PERF_MULTI_COUNTERS.Size) + idBytes*uint64(len(r.Counters))
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
			return 0, fault(instancePath(i), "", ErrTooLarge, "with it the instances take %d bytes, which does not fit 32 bits", total)
		}
	}
	return total, nil
}

// append writes the answer as planned.
func (r *Result) append(b []byte, p resultPlan) []byte {
	b = wire.CounterHeader{DwStatus: r.Status, DwType: r.Type, DwSize: uint32(p.total)}.Append(b)
	if r.hasIDs() {
		start, size := len(b), uint32(p.ids)
		if r.ShortIDs {
			size = uint32(r.idsLen())
		}
		b = wire.MultiCounters{DwSize: size, DwCounters: uint32(len(r.Counters))}.Append(b)
		for _, c := range r.Counters {
			b = le.AppendUint32(b, c.CounterId)
		}
		b = zeroTo(b, start+int(p.ids))
	}
	if !r.hasInstances() {
		return queryValues{r.Counters, r.Values, r.Texts}.append(b)
	}
	b = wire.MultiInstances{DwTotalSize: uint32(p.instances), DwInstances: uint32(len(r.Instances))}.Append(b)
	for i := range r.Instances {
		in := &r.Instances[i]
		b = appendInstanceHeader(b, in.Name, in.InstanceId, in.Size)
		b = queryValues{r.Counters, in.Values, in.Texts}.append(b)
	}
	return b
}

// appendInstanceHeader writes a checked PERF_INSTANCE_HEADER with its name.
func appendInstanceHeader(b []byte, name string, id, size uint32) []byte {
	r := &layout.PERF_INSTANCE_HEADER
	whole := max(uint64(size), namedLen(r, name))
	b = wire.InstanceHeader{Size: uint32(whole), InstanceId: id}.Append(b)
	return appendName(b, r, name, whole)
}

// append writes checked values.
func (v queryValues) append(b []byte) []byte {
	text := 0
	for i, c := range v.counters {
		start, n := len(b), uint64(c.size())
		if c.Bytes {
			n = uint64(len(v.texts[text]))
		}
		whole := dataLen(n)
		b = wire.CounterData{DwDataSize: uint32(n), DwSize: uint32(whole)}.Append(b)
		value := len(b)
		b = zeroTo(b, start+int(whole))
		if c.Bytes {
			copy(b[value:], v.texts[text])
			text++
		} else {
			putNumber(b[value:], c.size(), v.numbers[i])
		}
	}
	return b
}
