package builder

import (
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
	// Counters are the counters of the set, each with another CounterId.
	Counters []CounterRegInfo
}

// NewCounterSetRegInfo returns the registration of a counter set without counters.
func NewCounterSetRegInfo(set layout.GUID, t layout.InstanceType) *CounterSetRegInfo {
	return &CounterSetRegInfo{CounterSetGuid: set, InstanceType: t}
}

// Counter adds a counter and returns s. For a type that requires a base call
// [CounterSetRegInfo.WithBase].
func (s *CounterSetRegInfo) Counter(id uint32, t layout.CounterType) *CounterSetRegInfo {
	return s.Define(CounterRegInfo{CounterId: id, Type: t})
}

// WithBase adds a counter, and after it the base that its type requires, if any, with the id
// base and PERF_ATTRIB_NO_DISPLAYABLE. It returns s.
func (s *CounterSetRegInfo) WithBase(id uint32, t layout.CounterType, base uint32) *CounterSetRegInfo {
	of, ok := t.Base()
	if !ok {
		return s.Counter(id, t)
	}
	return s.Define(
		CounterRegInfo{CounterId: id, Type: t, BaseCounterId: &base},
		CounterRegInfo{CounterId: base, Type: of, Attrib: layout.PERF_ATTRIB_NO_DISPLAYABLE},
	)
}

// Define adds counters and returns s.
func (s *CounterSetRegInfo) Define(c ...CounterRegInfo) *CounterSetRegInfo {
	s.Counters = append(s.Counters, c...)
	return s
}

// AppendBinary appends the registration to b and returns the longer slice, like
// [QueryData.AppendBinary].
func (s CounterSetRegInfo) AppendBinary(b []byte) ([]byte, error) {
	total, err := s.EncodedLen()
	if err != nil {
		return b, err
	}
	b = slices.Grow(b, total)
	b = wire.CounterSetRegInfo{
		CounterSetGuid: s.CounterSetGuid,
		DetailLevel:    novice(s.DetailLevel),
		NumCounters:    uint32(len(s.Counters)),
		InstanceType:   s.InstanceType,
	}.Append(b)
	for i := range s.Counters {
		b = s.Counters[i].append(b)
	}
	return b, nil
}

// MarshalBinary returns the registration. Its errors are those of
// [CounterSetRegInfo.AppendBinary].
func (s CounterSetRegInfo) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

// EncodedLen returns the number of bytes that the registration takes. Its errors are those of
// [CounterSetRegInfo.AppendBinary].
func (s CounterSetRegInfo) EncodedLen() (int, error) {
	if err := checkSet(s.InstanceType, len(s.Counters)); err != nil {
		return 0, err
	}
	ids := make(counterIDs, len(s.Counters))
	for i := range s.Counters {
		c := &s.Counters[i]
		err := c.check()
		if err == nil {
			err = ids.add(c.CounterId, i)
		}
		if err != nil {
			return 0, within(counterPath(i), err)
		}
	}
	for i := range s.Counters {
		for _, r := range s.Counters[i].references() {
			if err := s.checkReference(r, ids); err != nil {
				return 0, within(counterPath(i), err)
			}
		}
	}
	return int(layout.PERF_COUNTERSET_REG_INFO.Size) + len(s.Counters)*int(layout.PERF_COUNTER_REG_INFO.Size), nil
}

// checkReference checks that the set has the counter that r refers to, with the right type.
func (s *CounterSetRegInfo) checkReference(r reference, ids counterIDs) error {
	here, id := layout.Path{}, *r.at
	if id == nil {
		return nil
	}
	i, found := ids[*id]
	switch {
	case !found:
		return fault(here, r.field, ErrReference, "is %d, must be the id of a counter of the set", *id)
	case r.want != 0 && s.Counters[i].Type != r.want:
		return fault(here, r.field, ErrReference, "is the id of %v, a %v, must be that of a %v", counterPath(i), s.Counters[i].Type, r.want)
	}
	return nil
}

// UnmarshalBinary sets *s to the model of the registration b, like [DataBlock.UnmarshalBinary].
func (s *CounterSetRegInfo) UnmarshalBinary(b []byte) error {
	return strictly(unmarshal(s, b, false, (*decoder).counterSetRegInfo))
}

// UnmarshalLossy is [CounterSetRegInfo.UnmarshalBinary] with losses, like
// [DataBlock.UnmarshalLossy].
func (s *CounterSetRegInfo) UnmarshalLossy(b []byte) ([]*layout.Error, error) {
	return unmarshal(s, b, true, (*decoder).counterSetRegInfo)
}

func (d *decoder) counterSetRegInfo(b []byte) (CounterSetRegInfo, error) {
	r, here := &layout.PERF_COUNTERSET_REG_INFO, layout.Path{}
	v, err := layout.ReadCounterSetRegInfo(b)
	if err != nil {
		return CounterSetRegInfo{}, err
	}
	out := CounterSetRegInfo{CounterSetGuid: v.CounterSetGuid(), InstanceType: v.InstanceType()}
	d.loseReserved(here, r, v.Span, "CounterSetType", v.CounterSetType())
	out.DetailLevel = d.setLevel(here, r, v.Span, v.DetailLevel())
	n, err := rowCount(r, &layout.PERF_COUNTER_REG_INFO, v.Span, v.NumCounters())
	if err != nil {
		return out, err
	}
	if n > 0 {
		out.Counters = make([]CounterRegInfo, 0, n)
	}
	for c, err := range v.Counters() {
		if err != nil {
			return out, err
		}
		out.Define(d.regCounter(c, n-len(out.Counters)))
	}
	d.dropReferences(v, &out)
	d.loseAfter(b, v.Len())
	return out, nil
}

// dropReferences drops references to counters that the set does not have, or that have another
// type, if the counter can be computed without them.
func (d *decoder) dropReferences(v layout.CounterSetRegInfo, out *CounterSetRegInfo) {
	ids := make(counterIDs, len(out.Counters))
	for i := range out.Counters {
		_ = ids.add(out.Counters[i].CounterId, i) // EncodedLen reports duplicates
	}
	i := 0
	for c := range v.Counters() { // counterSetRegInfo has read each without an error
		counter := &out.Counters[i]
		d.dropUnusable(c, counter, func(r reference) error {
			if err := counter.checkReference(r); err != nil {
				return err
			}
			return out.checkReference(r, ids)
		})
		i++
	}
}
