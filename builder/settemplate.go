package builder

import (
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A CounterSetInfo is what a provider gives to PerfSetCounterSetInfo.
// Source: PERF_COUNTERSET_INFO.
type CounterSetInfo struct {
	// CounterSetGuid is that of the counter set, ProviderGuid that of the provider.
	CounterSetGuid, ProviderGuid layout.GUID
	// InstanceType says whether the set has instances, and how they are summed up.
	InstanceType layout.InstanceType
	// Counters are those of the set: one at least, and no two of one CounterId.
	Counters []CounterInfo
}

// A CounterInfo is a counter of a [CounterSetInfo].
// Source: PERF_COUNTER_INFO.
type CounterInfo struct {
	// CounterId is the counter's in its set.
	CounterId uint32
	Type      layout.CounterType
	// Attrib says how the value is shown, and whether it is kept by reference.
	Attrib layout.Attrib
	// Size is that of the value. 0 means what the type says: 4 or 8, and 0 for a type
	// without a value of such a size. It may be any, as Windows takes any.
	Size uint32
	// DetailLevel 0 means PERF_DETAIL_NOVICE.
	DetailLevel layout.DetailLevel
	// Scale is the power of ten by which a graph scales the value, -10 to 10.
	Scale int32
	// Offset is written as it is. Windows gives each counter 8 bytes whatever it says.
	Offset uint32
}

// NewCounterSetInfo returns a template without counters.
func NewCounterSetInfo(set, provider layout.GUID, t layout.InstanceType) *CounterSetInfo {
	return &CounterSetInfo{CounterSetGuid: set, ProviderGuid: provider, InstanceType: t}
}

// Counter adds a counter and returns t. A base is a counter like any other: a
// template does not say whose it is, as a registration does.
func (t *CounterSetInfo) Counter(id uint32, typ layout.CounterType) *CounterSetInfo {
	return t.Define(CounterInfo{CounterId: id, Type: typ})
}

// Define adds counters and returns t.
func (t *CounterSetInfo) Define(c ...CounterInfo) *CounterSetInfo {
	t.Counters = append(t.Counters, c...)
	return t
}

// AppendBinary appends the template to b and returns the longer slice. It is as
// [QueryData.AppendBinary].
func (t CounterSetInfo) AppendBinary(b []byte) ([]byte, error) {
	total, err := t.plan()
	if err != nil {
		return b, err
	}
	b = slices.Grow(b, total)
	b = wire.CounterSetInfo{
		CounterSetGuid: t.CounterSetGuid,
		ProviderGuid:   t.ProviderGuid,
		NumCounters:    uint32(len(t.Counters)),
		InstanceType:   t.InstanceType,
	}.Append(b)
	for i := range t.Counters {
		c := &t.Counters[i]
		b = wire.CounterInfo{
			CounterId:   c.CounterId,
			Type:        c.Type,
			Attrib:      c.Attrib,
			Size:        c.size(),
			DetailLevel: novice(c.DetailLevel),
			Scale:       c.Scale,
			Offset:      c.Offset,
		}.Append(b)
	}
	return b, nil
}

// MarshalBinary returns the template. Its errors are those of [CounterSetInfo.AppendBinary].
func (t CounterSetInfo) MarshalBinary() ([]byte, error) { return t.AppendBinary(nil) }

// EncodedLen returns the bytes that the template takes. Its errors are those of
// [CounterSetInfo.AppendBinary].
func (t CounterSetInfo) EncodedLen() (int, error) { return t.plan() }

// plan checks the template and returns the bytes that it takes.
func (t *CounterSetInfo) plan() (int, error) {
	if err := checkSet(t.InstanceType, len(t.Counters)); err != nil {
		return 0, err
	}
	if len(t.Counters) == 0 {
		return 0, fault(layout.Path{}, "Counters", ErrCount, noCounters)
	}
	ids := make(counterIDs, len(t.Counters))
	for i := range t.Counters {
		c := &t.Counters[i]
		err := checkSetCounter(c.CounterId, c.Attrib, "Scale", c.Scale)
		if err == nil {
			err = ids.add(c.CounterId, i)
		}
		if err != nil {
			return 0, within(counterPath(i), err)
		}
	}
	return int(layout.PERF_COUNTERSET_INFO.Size) + len(t.Counters)*int(layout.PERF_COUNTER_INFO.Size), nil
}

// noCounters is what is wrong with a template without any.
const noCounters = "no counters: Windows takes one at least"

// size returns the Size to write.
func (c *CounterInfo) size() uint32 {
	if c.Size != 0 {
		return c.Size
	}
	width, _ := c.Type.Width()
	return width
}
