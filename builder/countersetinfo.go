package builder

import (
	"cmp"
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A CounterSetInfo is the template that a provider passes to PerfSetCounterSetInfo.
// Source: PERF_COUNTERSET_INFO.
type CounterSetInfo struct {
	// CounterSetGuid is the GUID of the counter set. ProviderGuid is the GUID of the provider.
	CounterSetGuid, ProviderGuid layout.GUID
	// InstanceType says whether the set has instances, and how they are aggregated.
	InstanceType layout.InstanceType
	// Counters are the counters of the set. There must be at least one. All CounterIds must differ.
	Counters []CounterInfo
}

// A CounterInfo is a counter of a [CounterSetInfo].
// Source: PERF_COUNTER_INFO.
type CounterInfo struct {
	// CounterId is the counter's id in its set.
	CounterId uint32
	Type      layout.CounterType
	// Attrib has flags that say how to display the value, and whether Windows gets the value or its address.
	Attrib layout.Attrib
	// Size is the size of the value. 0 means the size that Type gives: 4 or 8 for a number, 0 for other types.
	// Windows and models accept any size.
	Size uint32
	// DetailLevel 0 means PERF_DETAIL_NOVICE.
	DetailLevel layout.DetailLevel
	// Scale is the power of ten by which a graph scales the value, -10 to 10.
	Scale int32
	// Offset is written as it is. Windows ignores Offset and stores each value in 8 bytes.
	Offset uint32
}

// NewCounterSetInfo returns a template without counters.
func NewCounterSetInfo(set, provider layout.GUID, t layout.InstanceType) *CounterSetInfo {
	return &CounterSetInfo{CounterSetGuid: set, ProviderGuid: provider, InstanceType: t}
}

// Counter adds a counter and returns t. Bases must be added as counters too. A template does not connect a base
// with its counter.
func (t *CounterSetInfo) Counter(id uint32, typ layout.CounterType) *CounterSetInfo {
	return t.Define(CounterInfo{CounterId: id, Type: typ})
}

// Define adds counters and returns t.
func (t *CounterSetInfo) Define(c ...CounterInfo) *CounterSetInfo {
	t.Counters = append(t.Counters, c...)
	return t
}

func (t CounterSetInfo) encode(b []byte, _ int) []byte {
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
			DetailLevel: cmp.Or(c.DetailLevel, layout.PERF_DETAIL_NOVICE),
			Scale:       c.Scale,
			Offset:      c.Offset,
		}.Append(b)
	}
	return b
}

// EncodedLen checks the template and returns its length.
func (t CounterSetInfo) EncodedLen() (int, error) {
	var all faults
	all.add(checkSet(t.InstanceType, len(t.Counters)))
	if len(t.Counters) == 0 {
		all.add(fault("Counters", ErrCount, "is empty, must have at least one counter"))
	}
	ids := make(counterIDs, min(len(t.Counters), maxCounters))
	all.each(len(t.Counters), counterPath, func(i int) error {
		c := &t.Counters[i]
		ids.add(c.CounterId, i)
		var one faults
		one.add(checkSetCounter(c.CounterId, c.Attrib, "Scale", c.Scale))
		one.add(ids.check(c.CounterId, i))
		return one.err()
	})
	if len(all) > 0 {
		return 0, all.err()
	}
	return layout.SizeofCounterSetInfo + len(t.Counters)*layout.SizeofCounterInfo, nil
}

func (c *CounterInfo) size() uint32 {
	width, _ := c.Type.Width()
	return cmp.Or(c.Size, width)
}

func (d *decoder) counterSetInfo(b []byte) (CounterSetInfo, error) {
	r := &layout.PERF_COUNTERSET_INFO
	v, err := layout.ReadCounterSetInfo(b)
	if err != nil {
		return CounterSetInfo{}, err
	}
	out := CounterSetInfo{CounterSetGuid: v.CounterSetGuid(), ProviderGuid: v.ProviderGuid(), InstanceType: v.InstanceType()}
	n, err := counterCapacity(r, &layout.PERF_COUNTER_INFO, v.Span, v.NumCounters())
	if err != nil {
		return out, err
	}
	if v.NumCounters() == 0 {
		return out, broken(here, r, v.Span, "NumCounters", ErrCount, "is 0, must be at least 1")
	}
	out.Counters = slices.Grow(out.Counters, n)
	for c, err := range v.Counters() {
		if err != nil {
			return out, err
		}
		out.Define(d.counterInfo(c))
	}
	d.loseAfter(b, v.Len())
	return out, nil
}

func (d *decoder) counterInfo(v layout.CounterInfo) CounterInfo {
	r, path := &layout.PERF_COUNTER_INFO, v.Path()
	out := CounterInfo{
		CounterId:   v.CounterId(),
		Type:        v.Type(),
		Attrib:      d.attrib(path, r, v.Span, v.Attrib()),
		DetailLevel: d.setLevel(path, r, v.Span, v.DetailLevel()),
		Scale:       d.setScale(path, r, v.Span, "Scale", v.Scale()),
		Offset:      v.Offset(),
	}
	switch computed := out.size(); v.Size() {
	case computed:
	case 0:
		d.loseField(path, r, v.Span, "Size", "is 0, must be %d", computed)
	default:
		out.Size = v.Size()
	}
	return out
}
