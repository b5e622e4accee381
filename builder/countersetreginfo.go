package builder

import (
	"cmp"
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A CounterSetRegInfo is the registration of a counter set: the result of
// PerfQueryCounterSetRegistrationInfo for [layout.PERF_REG_COUNTERSET_STRUCT].
// Source: PERF_COUNTERSET_REG_INFO.
type CounterSetRegInfo struct {
	// CounterSetGuid is the GUID of the counter set.
	CounterSetGuid layout.GUID
	// DetailLevel 0 means PERF_DETAIL_NOVICE.
	DetailLevel layout.DetailLevel
	// InstanceType says whether the set has instances, and how they are aggregated.
	InstanceType layout.InstanceType
	// Counters are the counters of the set. All CounterIds must differ.
	Counters []CounterRegInfo
}

// NewCounterSetRegInfo returns the registration of a counter set without counters.
func NewCounterSetRegInfo(set layout.GUID, t layout.InstanceType) *CounterSetRegInfo {
	return &CounterSetRegInfo{CounterSetGuid: set, InstanceType: t}
}

// Counter adds a counter and returns s. [CounterSetRegInfo.WithBase] adds a counter whose type
// requires a base.
func (s *CounterSetRegInfo) Counter(id uint32, t layout.CounterType) *CounterSetRegInfo {
	return s.Define(CounterRegInfo{CounterId: id, Type: t})
}

// WithBase adds a counter and returns s. If the type requires a base, WithBase also adds the base, with baseID as its
// CounterId. The Attrib of the base is PERF_ATTRIB_NO_DISPLAYABLE.
func (s *CounterSetRegInfo) WithBase(id uint32, t layout.CounterType, baseID uint32) *CounterSetRegInfo {
	baseType, ok := t.Base()
	if !ok {
		return s.Counter(id, t)
	}
	return s.Define(
		CounterRegInfo{CounterId: id, Type: t, BaseCounterId: &baseID},
		CounterRegInfo{CounterId: baseID, Type: baseType, Attrib: layout.PERF_ATTRIB_NO_DISPLAYABLE},
	)
}

// Define adds counters and returns s.
func (s *CounterSetRegInfo) Define(c ...CounterRegInfo) *CounterSetRegInfo {
	s.Counters = append(s.Counters, c...)
	return s
}

func (s CounterSetRegInfo) encode(b []byte, _ int) []byte {
	b = wire.CounterSetRegInfo{
		CounterSetGuid: s.CounterSetGuid,
		DetailLevel:    cmp.Or(s.DetailLevel, layout.PERF_DETAIL_NOVICE),
		NumCounters:    uint32(len(s.Counters)),
		InstanceType:   s.InstanceType,
	}.Append(b)
	for i := range s.Counters {
		b = s.Counters[i].append(b)
	}
	return b
}

// EncodedLen checks the registration and returns its length.
func (s CounterSetRegInfo) EncodedLen() (int, error) {
	var all faults
	all.add(checkSet(s.InstanceType, len(s.Counters)))
	ids := make(counterIDs, min(len(s.Counters), maxCounters))
	for i := range s.Counters {
		ids.add(s.Counters[i].CounterId, i)
	}
	all.each(len(s.Counters), counterPath, func(i int) error {
		c := &s.Counters[i]
		var one faults
		one.add(c.check())
		one.add(ids.check(c.CounterId, i))
		return one.err()
	})
	all.each(len(s.Counters), counterPath, func(i int) error {
		c := &s.Counters[i]
		var one faults
		for _, r := range c.references() {
			if c.checkReference(r) == nil { // CounterRegInfo.check has already returned the other errors
				one.add(s.checkReference(r, ids))
			}
		}
		return one.err()
	})
	if len(all) > 0 {
		return 0, all.err()
	}
	return layout.SizeofCounterSetRegInfo + len(s.Counters)*layout.SizeofCounterRegInfo, nil
}

// checkReference checks that the set has the counter that r refers to, and that this counter has
// the right type.
func (s *CounterSetRegInfo) checkReference(r reference, ids counterIDs) error {
	id := *r.id
	if id == nil {
		return nil
	}
	i, found := ids[*id]
	switch {
	case !found:
		return fault(r.field, ErrReference, "is %d, must be the id of a counter of the set", *id)
	case r.want != 0 && s.Counters[i].Type != r.want:
		return fault(r.field, ErrReference, "is the id of %v (%v), must be the id of a %v", counterPath(i), s.Counters[i].Type, r.want)
	}
	return nil
}

func (d *decoder) counterSetRegInfo(b []byte) (CounterSetRegInfo, error) {
	r := &layout.PERF_COUNTERSET_REG_INFO
	v, err := layout.ReadCounterSetRegInfo(b)
	if err != nil {
		return CounterSetRegInfo{}, err
	}
	out := CounterSetRegInfo{CounterSetGuid: v.CounterSetGuid(), InstanceType: v.InstanceType()}
	d.loseReserved(here, r, v.Span, "CounterSetType", v.CounterSetType())
	out.DetailLevel = d.setLevel(here, r, v.Span, v.DetailLevel())
	n, err := counterCapacity(r, &layout.PERF_COUNTER_REG_INFO, v.Span, v.NumCounters())
	if err != nil {
		return out, err
	}
	out.Counters = slices.Grow(out.Counters, n)
	for c, err := range v.Counters() {
		if err != nil {
			return out, err
		}
		out.Define(d.regCounter(c, n-len(out.Counters)))
	}
	d.dropSetReferences(v, &out)
	d.loseAfter(b, v.Len())
	return out, nil
}

// dropSetReferences calls [decoder.dropReferences] for each counter of a set.
func (d *decoder) dropSetReferences(v layout.CounterSetRegInfo, out *CounterSetRegInfo) {
	ids := make(counterIDs, len(out.Counters))
	for i := range out.Counters {
		ids.add(out.Counters[i].CounterId, i)
	}
	i := 0
	for c := range v.Counters() { // no error is possible, because counterSetRegInfo has read all counters
		counter := &out.Counters[i]
		d.dropReferences(c, counter, func(r reference) error {
			if err := counter.checkReference(r); err != nil {
				return err
			}
			return out.checkReference(r, ids)
		})
		i++
	}
}
