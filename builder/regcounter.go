package builder

import (
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A CounterRegInfo is what is registered of a counter: of a [CounterSetRegInfo], or alone what
// PerfQueryCounterSetRegistrationInfo returns for [layout.PERF_REG_COUNTER_STRUCT].
// Source: PERF_COUNTER_REG_INFO.
type CounterRegInfo struct {
	// CounterId is the counter's in its set.
	CounterId uint32
	// Type may be any. Those that need another counter of the set want its id below.
	Type layout.CounterType
	// Attrib says how the value is shown.
	Attrib layout.Attrib
	// DetailLevel 0 means PERF_DETAIL_NOVICE.
	DetailLevel layout.DetailLevel
	// DefaultScale is the power of ten by which a graph scales the value, -10 to 10.
	DefaultScale int32
	// BaseCounterId is the counter's base, nil for none. 0 is an id like any other.
	BaseCounterId *uint32
	// PerfTimeId and PerfFreqId are the counter's clock and the ticks of that in a
	// second, both of PERF_COUNTER_LARGE_RAWCOUNT; nil for none.
	PerfTimeId, PerfFreqId *uint32
	// MultiId is the number of items, of PERF_COUNTER_RAWCOUNT, nil for none.
	MultiId *uint32
	// AggregateFunc says how the values of instances become one.
	AggregateFunc layout.AggregateFunc
}

// noCounter is the id of a reference that there is not.
const noCounter = 0xFFFFFFFF

// AppendBinary appends the registration to b and returns the longer slice. It is as
// [QueryData.AppendBinary]. What its references lead to, it cannot know.
func (c CounterRegInfo) AppendBinary(b []byte) ([]byte, error) {
	if err := c.check(); err != nil {
		return b, within(counterPath(0), err)
	}
	return c.append(b), nil
}

// MarshalBinary returns the registration. Its errors are those of
// [CounterRegInfo.AppendBinary].
func (c CounterRegInfo) MarshalBinary() ([]byte, error) { return c.AppendBinary(nil) }

// EncodedLen returns the bytes that the registration takes. Its errors are those of
// [CounterRegInfo.AppendBinary].
func (c CounterRegInfo) EncodedLen() (int, error) {
	if err := c.check(); err != nil {
		return 0, within(counterPath(0), err)
	}
	return int(layout.PERF_COUNTER_REG_INFO.Size), nil
}

// check looks at what the counter shows alone.
func (c *CounterRegInfo) check() error {
	if err := checkSetCounter(c.CounterId, c.Attrib, "DefaultScale", c.DefaultScale); err != nil {
		return err
	}
	if !c.AggregateFunc.Valid() {
		return fault(layout.Path{}, "AggregateFunc", layout.ErrRange, "%v is not one of the five functions", c.AggregateFunc)
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
