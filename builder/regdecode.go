package builder

import "github.com/perfblock/perfblock/layout"

// UnmarshalBinary sets *s to the model of the registration b. It is as
// [DataBlock.UnmarshalBinary].
func (s *CounterSetRegInfo) UnmarshalBinary(b []byte) error {
	_, err := s.decode(b, false)
	return err
}

// UnmarshalLossy is to [CounterSetRegInfo.UnmarshalBinary] as [DataBlock.UnmarshalLossy].
func (s *CounterSetRegInfo) UnmarshalLossy(b []byte) ([]*layout.Error, error) {
	return s.decode(b, true)
}

func (s *CounterSetRegInfo) decode(b []byte, lossy bool) ([]*layout.Error, error) {
	r, d, here := &layout.PERF_COUNTERSET_REG_INFO, newDecoder(b, lossy), layout.Path{}
	v, err := layout.ReadCounterSetRegInfo(b)
	if err != nil {
		return nil, err
	}
	if err := d.reserved(here, r, v.Span, "CounterSetType", v.CounterSetType()); err != nil {
		return nil, err
	}
	out := CounterSetRegInfo{CounterSetGuid: v.CounterSetGuid(), InstanceType: v.InstanceType()}
	if out.DetailLevel, err = d.setLevel(here, r, v.Span, v.DetailLevel()); err != nil {
		return nil, err
	}
	n, err := rowCount(r, &layout.PERF_COUNTER_REG_INFO, v.Span, v.NumCounters())
	if err != nil {
		return nil, err
	}
	if n > 0 {
		out.Counters = make([]CounterRegInfo, 0, n)
	}
	for c, err := range v.Counters() {
		if err != nil {
			return nil, err
		}
		counter, err := d.regCounter(c, n-len(out.Counters))
		if err != nil {
			return nil, err
		}
		out.Define(counter)
	}
	if err := d.unknownReferences(v, &out); err != nil {
		return nil, err
	}
	if err := d.behind(b, v.Len()); err != nil {
		return nil, err
	}
	if _, err := out.plan(); err != nil {
		return nil, placed(err, layout.RegSetKind, b)
	}
	*s = out
	return d.list(), nil
}

// UnmarshalBinary sets *c to the model of the registration b. It is as
// [DataBlock.UnmarshalBinary].
func (c *CounterRegInfo) UnmarshalBinary(b []byte) error {
	_, err := c.decode(b, false)
	return err
}

// UnmarshalLossy is to [CounterRegInfo.UnmarshalBinary] as [DataBlock.UnmarshalLossy].
func (c *CounterRegInfo) UnmarshalLossy(b []byte) ([]*layout.Error, error) { return c.decode(b, true) }

func (c *CounterRegInfo) decode(b []byte, lossy bool) ([]*layout.Error, error) {
	d := newDecoder(b, lossy)
	v, err := layout.ReadCounterRegInfo(b)
	if err != nil {
		return nil, err
	}
	out, err := d.regCounter(v, 1)
	if err != nil {
		return nil, err
	}
	if err := d.unusedReferences(v, &out, out.checkReference); err != nil {
		return nil, err
	}
	if err := d.behind(b, v.Len()); err != nil {
		return nil, err
	}
	if _, err := out.EncodedLen(); err != nil {
		return nil, placed(err, layout.RegCounterKind, b)
	}
	*c = out
	return d.list(), nil
}

// regCounter decodes a counter. times is how many are to come, this one included.
func (d *decoder) regCounter(v layout.CounterRegInfo, times int) (CounterRegInfo, error) {
	r, path := &layout.PERF_COUNTER_REG_INFO, v.Path()
	out := CounterRegInfo{
		CounterId:     v.CounterId(),
		Type:          v.Type(),
		AggregateFunc: v.AggregateFunc(),
		BaseCounterId: d.reference(v.BaseCounterId(), times),
		PerfTimeId:    d.reference(v.PerfTimeId(), times),
		PerfFreqId:    d.reference(v.PerfFreqId(), times),
		MultiId:       d.reference(v.MultiId(), times),
	}
	var err error
	if out.Attrib, err = d.attrib(path, r, v.Span, v.Attrib()); err != nil {
		return out, err
	}
	if out.DetailLevel, err = d.setLevel(path, r, v.Span, v.DetailLevel()); err != nil {
		return out, err
	}
	if out.DefaultScale, err = d.setScale(path, r, v.Span, "DefaultScale", v.DefaultScale()); err != nil {
		return out, err
	}
	if !out.AggregateFunc.Valid() {
		out.AggregateFunc = 0
		if err := d.loseField(path, r, v.Span, "AggregateFunc", "%v is not one of the five functions", v.AggregateFunc()); err != nil {
			return out, err
		}
	}
	return out, d.reserved(path, r, v.Span, "Reserved", v.Reserved())
}

// reference returns the id as the model has it.
func (d *decoder) reference(id uint32, times int) *uint32 {
	if id == noCounter {
		return nil
	}
	at := &d.references.take(1, times)[0]
	*at = id
	return at
}

// unknownReferences drops what leads nowhere, or to a counter of another type.
func (d *decoder) unknownReferences(v layout.CounterSetRegInfo, out *CounterSetRegInfo) error {
	ids := make(counterIDs, len(out.Counters))
	for i := range out.Counters {
		_ = ids.add(out.Counters[i].CounterId, i) // the plan tells of two of one id
	}
	i := 0
	for c := range v.Counters() { // each was read before
		counter := &out.Counters[i]
		err := d.unusedReferences(c, counter, func(r reference) error {
			if err := counter.checkReference(r); err != nil {
				return err
			}
			return out.checkReference(r, ids)
		})
		if err != nil {
			return err
		}
		i++
	}
	return nil
}

// unusedReferences drops those that are wrong, if the counter can be computed without.
func (d *decoder) unusedReferences(v layout.CounterRegInfo, out *CounterRegInfo, check func(reference) error) error {
	for _, r := range out.references() {
		err := check(r)
		if err == nil || r.needed {
			continue // which the plan tells
		}
		*r.at = nil
		if err := d.loseField(v.Path(), &layout.PERF_COUNTER_REG_INFO, v.Span, r.field, "%v", what(err)); err != nil {
			return err
		}
	}
	return nil
}
