package fuzz

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// openQuery makes a table for each result of the query data.
func (s *Series) openQuery(b []byte, o SeriesOptions) error {
	v, err := layout.ReadQueryData(b)
	if err != nil {
		return err
	}
	q := s.query
	if q.PerfTimeStamp, q.PerfFreq, q.PerfTime100NSec = v.PerfTimeStamp(), v.PerfFreq(), v.PerfTime100NSec(); q.PerfFreq <= 0 {
		return layout.Faultf(layout.ErrRange, "PerfFreq is %d, must be more than 0", q.PerfFreq)
	}
	clocks := [seriesClocks]seriesTicks{
		tickClock:  {ok: true, freq: q.PerfFreq, now: q.PerfTimeStamp},
		clock100ns: {ok: true, freq: units100ns, now: q.PerfTime100NSec},
	}
	for i := range q.Results {
		r := &q.Results[i]
		t := &seriesTable{path: fmt.Sprintf("result[%d]", i), result: r, single: !listsInstances(r.Type), clocks: clocks}
		s.tables = append(s.tables, t)
		if r.Type == layout.PERF_ERROR_RETURN {
			continue
		}
		id := slices.IndexFunc(o.Identifiers, func(id builder.CounterIdentifier) bool { return id.Index == uint32(i) })
		if id < 0 {
			return layout.Faultf(layout.ErrRange, "%s: SeriesOptions.Identifiers has no identifier with the Index %d, so the types of the counters are not known", t.path, i)
		}
		t.set = o.Identifiers[id].CounterSetGuid
		set := slices.IndexFunc(o.Sets, func(set builder.CounterSetRegInfo) bool { return set.CounterSetGuid == t.set })
		if set < 0 {
			return layout.Faultf(layout.ErrRange, "%s: SeriesOptions.Sets has no counter set %v, so the types of the counters are not known", t.path, t.set)
		}
		if err := t.openQueryCounters(o.Sets[set].Counters, o.Identifiers[id].CounterId); err != nil {
			return err
		}
		t.openQueryRows()
		if o.Sets[set].InstanceType == layout.PERF_COUNTERSET_MULTI_AGGREGATE && slices.ContainsFunc(t.rows, func(r *seriesRow) bool { return r.total }) {
			return layout.Faultf(layout.ErrRange, "%s: has an instance _Total, must have none, because only Windows can compute the _Total of the counter set %v", t.path, t.set)
		}
	}
	return nil
}

// openQueryCounters sets the counters of a result. A result without a list of ids has one counter, and `requested` is
// the id of this counter.
func (t *seriesTable) openQueryCounters(set []builder.CounterRegInfo, requested uint32) error {
	ids, places := make([]uint32, len(t.result.Counters)), make(map[uint32]int)
	for i, c := range t.result.Counters {
		ids[i] = c.CounterId
		if !listsIDs(t.result.Type) {
			ids[i] = requested
		}
		places[ids[i]] = i
	}
	place := func(id *uint32) int {
		if id != nil {
			if i, ok := places[*id]; ok {
				return i
			}
		}
		return -1
	}
	for i, c := range t.result.Counters {
		at := slices.IndexFunc(set, func(r builder.CounterRegInfo) bool { return r.CounterId == ids[i] })
		if at < 0 {
			return layout.Faultf(layout.ErrRange, "%s: the registration of the counter set has no counter %d, so its type is not known", t.path, ids[i])
		}
		r := set[at]
		n := seriesCounter{id: ids[i], typ: r.Type, scale: r.DefaultScale, bytes: c.Bytes, cell: i, base: place(r.BaseCounterId), time: -1, freq: -1}
		if n.typ.Multi() {
			n.base = place(r.MultiId)
		}
		if n.typ.UsesObjectTimer() {
			n.time, n.freq = place(r.PerfTimeId), place(r.PerfFreqId)
		}
		if n.base < 0 && n.typ == layout.PERF_PRECISION_OBJECT_TIMER {
			n.base = n.time
		}
		if n.time >= 0 && (n.freq < 0 || t.result.Counters[n.time].Size == 4 || t.result.Counters[n.freq].Size == 4) {
			return layout.Faultf(layout.ErrRange, "%s: counter[%d] is a %v, so PerfTimeId and PerfFreqId must refer to counters of 8 bytes in the result", t.path, i, n.typ)
		}
		t.counters = append(t.counters, n)
		t.cells = append(t.cells, seriesCell{mask: maskOf(c.Size)})
	}
	return t.compile()
}

// openQueryRows sets the rows of a result.
func (t *seriesTable) openQueryRows() {
	if t.single {
		t.rows = []*seriesRow{{values: t.result.Values}}
		return
	}
	for i := range t.result.Instances {
		in := &t.result.Instances[i]
		t.rows = append(t.rows, &seriesRow{name: in.Name, id: int64(in.InstanceId), at: i, total: isTotal(in.Name), query: in, values: in.Values})
		t.nextID = max(t.nextID, int64(in.InstanceId)+1)
	}
	t.usual = len(t.rows)
}

// queryModel returns a copy of the current query data.
func (s *Series) queryModel() *builder.QueryData {
	q := *s.query
	q.Results = slices.Clone(q.Results)
	for i, t := range s.tables {
		result := &q.Results[i]
		result.Values, result.Instances = nil, nil
		for _, r := range t.rows {
			values := slices.Clone(r.values)
			if t.single {
				result.Values = values
				continue
			}
			in := *r.query
			in.Values = values
			result.Instances = append(result.Instances, in)
		}
	}
	return &q
}
