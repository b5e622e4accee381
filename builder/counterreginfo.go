package builder

import (
	"errors"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A CounterRegInfo is the registration of a counter. It is part of a [CounterSetRegInfo], and by
// itself the result of PerfQueryCounterSetRegistrationInfo for
// [layout.PERF_REG_COUNTER_STRUCT].
// Source: PERF_COUNTER_REG_INFO.
type CounterRegInfo struct {
	// CounterId is the counter's id in its set.
	CounterId uint32
	// Type may be any. Some types require one of the references below.
	Type layout.CounterType
	// Attrib says how the value is displayed.
	Attrib layout.Attrib
	// DetailLevel 0 means PERF_DETAIL_NOVICE.
	DetailLevel layout.DetailLevel
	// DefaultScale is the power of ten by which a graph scales the value, -10 to 10.
	DefaultScale int32
	// BaseCounterId is the id of the counter's base, nil for none. 0 is an id like any other.
	BaseCounterId *uint32
	// PerfTimeId and PerfFreqId are the ids of the counter's clock and of its ticks per second,
	// both of PERF_COUNTER_LARGE_RAWCOUNT; nil for none.
	PerfTimeId, PerfFreqId *uint32
	// MultiId is the id of the number of items, of PERF_COUNTER_RAWCOUNT, nil for none.
	MultiId *uint32
	// AggregateFunc says how the values of instances are aggregated.
	AggregateFunc layout.AggregateFunc
}

// noCounter is the id of a missing reference.
const noCounter = 0xFFFFFFFF

// AppendBinary appends the registration to b and returns the longer slice, like
// [QueryData.AppendBinary]. It cannot check the counters that the references refer to.
func (c CounterRegInfo) AppendBinary(b []byte) ([]byte, error) {
	if _, err := c.EncodedLen(); err != nil {
		return b, err
	}
	return c.append(b), nil
}

// MarshalBinary returns the registration. Its errors are those of
// [CounterRegInfo.AppendBinary].
func (c CounterRegInfo) MarshalBinary() ([]byte, error) { return c.AppendBinary(nil) }

// EncodedLen returns the number of bytes that the registration takes. Its errors are those of
// [CounterRegInfo.AppendBinary].
func (c CounterRegInfo) EncodedLen() (int, error) {
	if err := c.check(); err != nil {
		return 0, within(counterPath(0), err)
	}
	return int(layout.PERF_COUNTER_REG_INFO.Size), nil
}

// check checks what does not depend on other counters.
func (c *CounterRegInfo) check() error {
	if err := checkSetCounter(c.CounterId, c.Attrib, "DefaultScale", c.DefaultScale); err != nil {
		return err
	}
	if !c.AggregateFunc.Valid() {
		return fault(layout.Path{}, "AggregateFunc", layout.ErrRange, "is %v, must be one of the five functions", c.AggregateFunc)
	}
	for _, r := range c.references() {
		if err := c.checkReference(r); err != nil {
			return err
		}
	}
	return nil
}

func (c *CounterRegInfo) append(b []byte) []byte {
	return wire.CounterRegInfo{
		CounterId:     c.CounterId,
		Type:          c.Type,
		Attrib:        c.Attrib,
		DetailLevel:   novice(c.DetailLevel),
		DefaultScale:  c.DefaultScale,
		BaseCounterId: orNone(c.BaseCounterId),
		PerfTimeId:    orNone(c.PerfTimeId),
		PerfFreqId:    orNone(c.PerfFreqId),
		MultiId:       orNone(c.MultiId),
		AggregateFunc: c.AggregateFunc,
	}.Append(b)
}

func orNone(id *uint32) uint32 {
	if id == nil {
		return noCounter
	}
	return *id
}

// A reference is a field of a [CounterRegInfo] with the id of another counter of the set.
type reference struct {
	field  string
	at     **uint32
	needed bool               // the counter cannot be computed without it
	want   layout.CounterType // the type of the other counter, 0 for any; no reference has the type 0
}

func (c *CounterRegInfo) references() [4]reference {
	base, needsBase := baseOf(c.Type)
	clock := needsClock(c.Type)
	return [...]reference{
		{"BaseCounterId", &c.BaseCounterId, needsBase, base},
		{"PerfTimeId", &c.PerfTimeId, clock, layout.PERF_COUNTER_LARGE_RAWCOUNT},
		{"PerfFreqId", &c.PerfFreqId, clock, layout.PERF_COUNTER_LARGE_RAWCOUNT},
		{"MultiId", &c.MultiId, countsItems(c.Type), layout.PERF_COUNTER_RAWCOUNT},
	}
}

// baseOf returns the type of the base, 0 if the documentation names none, and whether the
// counter requires it. Two types differ from winperf.h: PERF_PRECISION_OBJECT_TIMER has no
// base here, and of the multi timers only one has, which the schema of manifests requires and
// MS-PCQ does not.
func baseOf(t layout.CounterType) (base layout.CounterType, needed bool) {
	switch t {
	case layout.PERF_SAMPLE_FRACTION, layout.PERF_AVERAGE_TIMER, layout.PERF_AVERAGE_BULK,
		layout.PERF_RAW_FRACTION, layout.PERF_LARGE_RAW_FRACTION,
		layout.PERF_PRECISION_SYSTEM_TIMER, layout.PERF_PRECISION_100NS_TIMER:
		needed = true
	case layout.PERF_COUNTER_MULTI_TIMER_INV:
	default:
		return 0, false
	}
	base, _ = t.Base()
	return base, needed
}

func needsClock(t layout.CounterType) bool {
	switch t {
	case layout.PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE, layout.PERF_OBJ_TIME_TIMER,
		layout.PERF_ELAPSED_TIME, layout.PERF_PRECISION_OBJECT_TIMER:
		return true
	}
	return false
}

func countsItems(t layout.CounterType) bool {
	switch t {
	case layout.PERF_COUNTER_MULTI_TIMER, layout.PERF_COUNTER_MULTI_TIMER_INV,
		layout.PERF_100NSEC_MULTI_TIMER, layout.PERF_100NSEC_MULTI_TIMER_INV:
		return true
	}
	return false
}

// checkReference checks what does not depend on the other counter.
func (c *CounterRegInfo) checkReference(r reference) error {
	here, id := layout.Path{}, *r.at
	switch {
	case id == nil && r.needed:
		return fault(here, r.field, ErrReference, "is nil, but %v cannot be computed without it", c.Type)
	case id == nil:
		return nil
	case *id == noCounter:
		return fault(here, r.field, layout.ErrRange, "is %d, which is no counter's id, must be nil for no reference", *id)
	case *id == c.CounterId:
		return fault(here, r.field, ErrReference, "is %d, the counter itself", *id)
	}
	return nil
}

// UnmarshalBinary sets *c to the model of the registration b, like [DataBlock.UnmarshalBinary].
func (c *CounterRegInfo) UnmarshalBinary(b []byte) error {
	return strictly(unmarshal(c, b, false, (*decoder).counterRegInfo))
}

// UnmarshalLossy is [CounterRegInfo.UnmarshalBinary] with losses, like
// [DataBlock.UnmarshalLossy].
func (c *CounterRegInfo) UnmarshalLossy(b []byte) ([]*layout.Error, error) {
	return unmarshal(c, b, true, (*decoder).counterRegInfo)
}

func (d *decoder) counterRegInfo(b []byte) (CounterRegInfo, error) {
	v, err := layout.ReadCounterRegInfo(b)
	if err != nil {
		return CounterRegInfo{}, err
	}
	out := d.regCounter(v, 1)
	d.dropUnusable(v, &out, out.checkReference)
	d.loseAfter(b, v.Len())
	return out, nil
}

// regCounter decodes a counter. times is the expected number of counters still to come, this
// one included.
func (d *decoder) regCounter(v layout.CounterRegInfo, times int) CounterRegInfo {
	r, path := &layout.PERF_COUNTER_REG_INFO, v.Path()
	out := CounterRegInfo{
		CounterId:     v.CounterId(),
		Type:          v.Type(),
		Attrib:        d.attrib(path, r, v.Span, v.Attrib()),
		DetailLevel:   d.setLevel(path, r, v.Span, v.DetailLevel()),
		DefaultScale:  d.setScale(path, r, v.Span, "DefaultScale", v.DefaultScale()),
		BaseCounterId: d.reference(v.BaseCounterId(), times),
		PerfTimeId:    d.reference(v.PerfTimeId(), times),
		PerfFreqId:    d.reference(v.PerfFreqId(), times),
		MultiId:       d.reference(v.MultiId(), times),
		AggregateFunc: v.AggregateFunc(),
	}
	if !out.AggregateFunc.Valid() {
		out.AggregateFunc = 0
		d.loseField(path, r, v.Span, "AggregateFunc", "is %v, must be one of the five functions", v.AggregateFunc())
	}
	d.loseReserved(path, r, v.Span, "Reserved", v.Reserved())
	return out
}

// reference returns the id in the form of the model.
func (d *decoder) reference(id uint32, times int) *uint32 {
	if id == noCounter {
		return nil
	}
	at := &d.references.take(1, times)[0]
	*at = id
	return at
}

// dropUnusable drops the references that check refuses, if the counter can be computed without
// them. EncodedLen reports the others.
func (d *decoder) dropUnusable(v layout.CounterRegInfo, out *CounterRegInfo, check func(reference) error) {
	for _, r := range out.references() {
		err := check(r)
		if err == nil || r.needed {
			continue
		}
		*r.at = nil
		if e, ok := errors.AsType[*layout.Error](err); ok {
			err = e.Err
		}
		d.loseField(v.Path(), &layout.PERF_COUNTER_REG_INFO, v.Span, r.field, "%v", err)
	}
}
