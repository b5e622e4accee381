package builder

import (
	"cmp"
	"errors"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A CounterRegInfo is the registration of a counter. It is a part of a [CounterSetRegInfo], or the result of
// PerfQueryCounterSetRegistrationInfo for [layout.PERF_REG_COUNTER_STRUCT].
// Source: PERF_COUNTER_REG_INFO.
type CounterRegInfo struct {
	// CounterId is the counter's id in its set.
	CounterId uint32
	// Type may have any value. It determines which of BaseCounterId, PerfTimeId, PerfFreqId and
	// MultiId must be set.
	Type layout.CounterType
	// Attrib has flags for the display of the value.
	Attrib layout.Attrib
	// DetailLevel 0 means PERF_DETAIL_NOVICE.
	DetailLevel layout.DetailLevel
	// DefaultScale is the power of ten by which a graph scales the value, -10 to 10.
	DefaultScale int32
	// BaseCounterId is the id of the counter's base. nil means that there is no base. 0 is a valid id.
	BaseCounterId *uint32
	// PerfTimeId is the id of the counter whose value is the clock. PerfFreqId is the id of the counter whose value is
	// the frequency of this clock, in ticks per second. Both counters must have the type PERF_COUNTER_LARGE_RAWCOUNT.
	// nil means that there is no such counter.
	PerfTimeId, PerfFreqId *uint32
	// MultiId is the id of the counter whose value is the number of items. This counter must have the type
	// PERF_COUNTER_RAWCOUNT. nil means that there is no such counter.
	MultiId *uint32
	// AggregateFunc is the function that combines the values of several instances.
	AggregateFunc layout.AggregateFunc
}

// noCounter is the encoded id of a reference that is nil.
const noCounter = 0xFFFFFFFF

func (c CounterRegInfo) encode(b []byte, _ int) []byte { return c.append(b) }

// EncodedLen checks the registration and returns its length. It cannot check the counters that BaseCounterId,
// PerfTimeId, PerfFreqId and MultiId refer to.
func (c CounterRegInfo) EncodedLen() (int, error) {
	if err := c.check(); err != nil {
		return 0, within(counterPath(0), err)
	}
	return layout.SizeofCounterRegInfo, nil
}

// check checks the fields that do not depend on other counters of the set.
func (c *CounterRegInfo) check() error {
	var all faults
	all.add(checkSetCounter(c.CounterId, c.Attrib, "DefaultScale", c.DefaultScale))
	if !c.AggregateFunc.Valid() {
		all.add(fault("AggregateFunc", layout.ErrRange, "is %v, must be %s", c.AggregateFunc, aggregates))
	}
	for _, r := range c.references() {
		all.add(c.checkReference(r))
	}
	return all.err()
}

func (c *CounterRegInfo) append(b []byte) []byte {
	return wire.CounterRegInfo{
		CounterId:     c.CounterId,
		Type:          c.Type,
		Attrib:        c.Attrib,
		DetailLevel:   cmp.Or(c.DetailLevel, layout.PERF_DETAIL_NOVICE),
		DefaultScale:  c.DefaultScale,
		BaseCounterId: idOrNone(c.BaseCounterId),
		PerfTimeId:    idOrNone(c.PerfTimeId),
		PerfFreqId:    idOrNone(c.PerfFreqId),
		MultiId:       idOrNone(c.MultiId),
		AggregateFunc: c.AggregateFunc,
	}.Append(b)
}

func idOrNone(id *uint32) uint32 {
	if id == nil {
		return noCounter
	}
	return *id
}

// A reference is a field of a [CounterRegInfo] with the id of another counter of the set.
type reference struct {
	field  string
	id     **uint32           // the field of the CounterRegInfo
	needed bool               // readers cannot compute the counter without the other counter
	want   layout.CounterType // the required type of the other counter, 0 for any type
}

// references returns the four references of the counter. The rules for each reference follow the documentation of
// perflib.h.
func (c *CounterRegInfo) references() [4]reference {
	var base layout.CounterType
	var needsBase, needsClock, needsItems bool
	switch c.Type {
	case layout.PERF_SAMPLE_FRACTION, layout.PERF_AVERAGE_TIMER, layout.PERF_AVERAGE_BULK,
		layout.PERF_RAW_FRACTION, layout.PERF_LARGE_RAW_FRACTION,
		layout.PERF_PRECISION_SYSTEM_TIMER, layout.PERF_PRECISION_100NS_TIMER:
		base, needsBase = c.Type.Base()
	case layout.PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE, layout.PERF_OBJ_TIME_TIMER,
		layout.PERF_ELAPSED_TIME, layout.PERF_PRECISION_OBJECT_TIMER:
		needsClock = true
	case layout.PERF_COUNTER_MULTI_TIMER_INV:
		base, _ = c.Type.Base() // the schema of manifests requires the base, but MS-PCQ does not
		needsItems = true
	case layout.PERF_COUNTER_MULTI_TIMER, layout.PERF_100NSEC_MULTI_TIMER, layout.PERF_100NSEC_MULTI_TIMER_INV:
		needsItems = true
	}
	return [...]reference{
		{"BaseCounterId", &c.BaseCounterId, needsBase, base},
		{"PerfTimeId", &c.PerfTimeId, needsClock, layout.PERF_COUNTER_LARGE_RAWCOUNT},
		{"PerfFreqId", &c.PerfFreqId, needsClock, layout.PERF_COUNTER_LARGE_RAWCOUNT},
		{"MultiId", &c.MultiId, needsItems, layout.PERF_COUNTER_RAWCOUNT},
	}
}

// checkReference checks the id in a reference. It does not check the counter with this id.
func (c *CounterRegInfo) checkReference(r reference) error {
	id := *r.id
	switch {
	case id == nil && r.needed:
		return fault(r.field, ErrReference, "is nil, must be the id of a %v: %v cannot be computed without it", r.want, c.Type)
	case id == nil:
		return nil
	case *id == noCounter:
		return fault(r.field, layout.ErrRange, "is %d, must be the id of a counter, or nil for no reference", *id)
	case *id == c.CounterId:
		return fault(r.field, ErrReference, "is %d, must differ from the counter's own CounterId", *id)
	}
	return nil
}

// counterRegInfo decodes the registration of a single counter.
func (d *decoder) counterRegInfo(b []byte) (CounterRegInfo, error) {
	v, err := layout.ReadCounterRegInfo(b)
	if err != nil {
		return CounterRegInfo{}, err
	}
	out := d.regCounter(v, 1)
	d.dropReferences(v, &out, out.checkReference)
	d.loseAfter(b, v.Len())
	return out, nil
}

func (d *decoder) regCounter(v layout.CounterRegInfo, remaining int) CounterRegInfo {
	r, path := &layout.PERF_COUNTER_REG_INFO, v.Path()
	out := CounterRegInfo{
		CounterId:     v.CounterId(),
		Type:          v.Type(),
		Attrib:        d.attrib(path, r, v.Span, v.Attrib()),
		DetailLevel:   d.setLevel(path, r, v.Span, v.DetailLevel()),
		DefaultScale:  d.setScale(path, r, v.Span, "DefaultScale", v.DefaultScale()),
		BaseCounterId: d.reference(v.BaseCounterId(), remaining),
		PerfTimeId:    d.reference(v.PerfTimeId(), remaining),
		PerfFreqId:    d.reference(v.PerfFreqId(), remaining),
		MultiId:       d.reference(v.MultiId(), remaining),
		AggregateFunc: v.AggregateFunc(),
	}
	if !out.AggregateFunc.Valid() {
		out.AggregateFunc = 0
		d.loseField(path, r, v.Span, "AggregateFunc", "is %v, must be %s", v.AggregateFunc(), aggregates)
	}
	d.loseReserved(path, r, v.Span, "Reserved", v.Reserved())
	return out
}

func (d *decoder) reference(id uint32, remaining int) *uint32 {
	if id == noCounter {
		return nil
	}
	p := &d.references.take(1, remaining)[0]
	*p = id
	return p
}

// dropReferences removes each invalid optional reference of a counter and records an ErrUnkept error.
func (d *decoder) dropReferences(v layout.CounterRegInfo, out *CounterRegInfo, check func(reference) error) {
	for _, r := range out.references() {
		err := check(r)
		if err == nil || r.needed { // EncodedLen reports the error of a required reference
			continue
		}
		*r.id = nil
		if e, ok := errors.AsType[*layout.Error](err); ok {
			err = e.Err
		}
		d.loseField(v.Path(), &layout.PERF_COUNTER_REG_INFO, v.Span, r.field, "%v", err)
	}
}
