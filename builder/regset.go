package builder

import (
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A CounterSetRegInfo is what PerfQueryCounterSetRegistrationInfo returns for
// [layout.PERF_REG_COUNTERSET_STRUCT]: what is registered of a counter set.
// Source: PERF_COUNTERSET_REG_INFO.
type CounterSetRegInfo struct {
	// CounterSetGuid is that of the counter set.
	CounterSetGuid layout.GUID
	// DetailLevel 0 means PERF_DETAIL_NOVICE.
	DetailLevel layout.DetailLevel
	// InstanceType says whether the set has instances, and how they are summed up.
	InstanceType layout.InstanceType
	// Counters are those of the set. No two have one CounterId.
	Counters []CounterRegInfo
}

// NewCounterSetRegInfo returns the registration of a counter set without counters.
func NewCounterSetRegInfo(set layout.GUID, t layout.InstanceType) *CounterSetRegInfo {
	return &CounterSetRegInfo{CounterSetGuid: set, InstanceType: t}
}

// Counter adds a counter and returns s. A type that requires a base wants
// [CounterSetRegInfo.WithBase].
func (s *CounterSetRegInfo) Counter(id uint32, t layout.CounterType) *CounterSetRegInfo {
	return s.Define(CounterRegInfo{CounterId: id, Type: t})
}

// WithBase adds a counter, behind it the base that its type requires, if any, which is
// not shown and has the second id, and returns s.
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

// AppendBinary appends the registration to b and returns the longer slice. It is as
// [QueryData.AppendBinary].
func (s CounterSetRegInfo) AppendBinary(b []byte) ([]byte, error) {
	total, err := s.plan()
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

// MarshalBinary returns the registration. Its errors are those of [CounterSetRegInfo.AppendBinary].
func (s CounterSetRegInfo) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

// EncodedLen returns the bytes that the registration takes. Its errors are those of
// [CounterSetRegInfo.AppendBinary].
func (s CounterSetRegInfo) EncodedLen() (int, error) { return s.plan() }

// plan checks the set and returns the bytes that it takes.
func (s *CounterSetRegInfo) plan() (int, error) {
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
