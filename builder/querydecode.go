package builder

import "github.com/perfblock/perfblock/layout"

// UnmarshalBinary sets *q to the model of the query data b. It is as
// [DataBlock.UnmarshalBinary]. Bytes behind dwTotalSize, which a buffer often has, are
// such as a model cannot hold: give what the call says is in the buffer.
func (q *QueryData) UnmarshalBinary(b []byte) error {
	_, err := q.decode(b, false)
	return err
}

// UnmarshalLossy is to [QueryData.UnmarshalBinary] as [DataBlock.UnmarshalLossy].
func (q *QueryData) UnmarshalLossy(b []byte) ([]*layout.Error, error) { return q.decode(b, true) }

func (q *QueryData) decode(b []byte, lossy bool) ([]*layout.Error, error) {
	v, err := layout.ReadQueryData(b)
	if err != nil {
		return nil, err
	}
	d, here := newDecoder(b, lossy), layout.Path{}
	c, err := d.keptClocks(v.Span, clocks{&queryDataClocks, v.SystemTime(), v.PerfTimeStamp(), v.PerfFreq(), v.PerfTime100NSec()})
	if err != nil {
		return nil, err
	}
	out := QueryData{SystemTime: c.system, PerfTimeStamp: c.ticks, PerfFreq: c.freq, PerfTime100NSec: c.now}
	end := int64(layout.PERF_DATA_HEADER.Size)
	if n := min(uint64(v.DwNumCounters()), uint64(v.Len()-int(end))/uint64(layout.PERF_COUNTER_HEADER.Size)); n > 0 {
		out.Results = make([]Result, 0, n)
	}
	for r, err := range v.Results() {
		if err != nil {
			return nil, err
		}
		result, err := d.result(r)
		if err != nil {
			return nil, err
		}
		out.Results = append(out.Results, result)
		end = r.End()
	}
	if end != v.End() {
		return nil, broken(here, &layout.PERF_DATA_HEADER, v.Span, "dwTotalSize", layout.ErrBounds, "%d, but the last answer ends at %d", v.DwTotalSize(), end)
	}
	if err := d.behind(b, v.Len()); err != nil {
		return nil, err
	}
	if _, err := out.plan(); err != nil {
		return nil, placed(err, layout.QueryDataKind, b)
	}
	*q = out
	return d.list(), nil
}

func (d *decoder) result(v layout.Result) (Result, error) {
	r := &layout.PERF_COUNTER_HEADER
	out := Result{Type: v.DwType(), Status: v.DwStatus()}
	if !out.Type.Valid() {
		return out, broken(v.Path(), r, v.Span, "dwType", layout.ErrRange, "%v is not one of the five types", out.Type)
	}
	err := d.reserved(v.Path(), r, v.Span, "Reserved", v.Reserved())
	if err != nil {
		return out, err
	}
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
	if out.hasInstances() {
		end, err = d.queryInstances(v, &out)
	} else {
		end, err = d.queryValues(v, &out, end)
	}
	if err != nil {
		return out, err
	}
	if rest, _ := v.Sub(uint64(end-v.Off()), uint64(v.End()-end)); rest.Len() > 0 {
		return out, d.lose(v.Path().Field("rest"), rest, "%d bytes behind the answer's last", rest.Len())
	}
	return out, nil
}

// counterIDs decodes the ids of the counters and returns where they and their padding end.
func (d *decoder) counterIDs(v layout.Result, out *Result) (end int64, err error) {
	r := &layout.PERF_MULTI_COUNTERS
	ids, err := v.IDs()
	if err != nil {
		return 0, err
	}
	if ids.DwCounters() > maxCounters {
		return 0, broken(ids.Path(), r, ids.Span, "dwCounters", ErrTooLarge, "%d counters are more than the %d that a set can have", ids.DwCounters(), maxCounters)
	}
	if n := ids.DwCounters(); n > 0 {
		out.Counters = make([]QueryCounter, 0, n)
	}
	for id := range ids.All() {
		at := uint64(r.Size) + idBytes*uint64(len(out.Counters))
		if id == layout.PERF_WILDCARD_COUNTER {
			return 0, &layout.Error{Path: ids.Path(), Off: ids.Off() + int64(at), Len: idBytes, Err: layout.Faultf(layout.ErrRange, "%d is no counter's id: it asks for all", id)}
		}
		out.Define(QueryCounter{CounterId: id})
	}
	need, size, whole := out.idsLen(), uint64(ids.DwSize()), uint64(ids.Len())
	switch padded := up(need, layout.Align); {
	case size == padded: // the plain reading
	case size != need:
		return 0, broken(ids.Path(), r, ids.Span, "dwSize", layout.ErrBounds, "%d, but %d ids take %d", size, len(out.Counters), padded)
	case whole == padded:
		out.ShortIDs = true
	default:
		if err := d.loseField(ids.Path(), r, ids.Span, "dwSize", "%d, and no padding to %d", size, padded); err != nil {
			return 0, err
		}
	}
	padding, _ := ids.Sub(need, whole-need)
	return ids.End(), d.loseUnlessZero(ids.Path().Field("padding"), padding)
}
