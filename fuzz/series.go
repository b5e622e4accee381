package fuzz

import (
	"fmt"
	"iter"
	"math"
	"math/bits"
	"math/rand/v2"
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A Series makes the blocks that a reader gets from one imaginary machine at a fixed interval. First it chooses the
// events on the machine, such as 12 operations in an interval. From these events it computes the blocks, and also the
// values that a consumer should display.
//
// The clocks advance by exactly the interval. Percentages are from 0 to 100. An inverse timer of n components, such as
// PERF_COUNTER_MULTI_TIMER_INV, is from 0 to 100*n. Instances come and go, except _Total and the parents of instances.
//
// A counter starts with its value in the model. If this value is 0, the counter usually starts with a random value. In
// a new instance, a counter that only grows starts at 0. A level, such as PERF_COUNTER_RAWCOUNT, starts near its value
// in another instance. The value of a fraction, such as PERF_RAW_FRACTION, does not come from the model: in each block,
// it is a random part of the base.
//
// An instance _Total is computed from the other instances of its object. Its levels are the sums of their levels. Its
// counters and bases that only grow change by the sums of their changes. In a fraction, both the value and the base are
// sums. For percentages of time, such as PERF_100NSEC_TIMER, _Total has the average. The multi-timers and
// PERF_ELAPSED_TIME are exceptions: their values in _Total do not depend on the other instances.
type Series struct {
	interval time.Duration
	random   *rand.Rand
	data     *builder.DataBlock // the next block; nil for query data
	headless bool               // the blocks are of ObjectsKind
	query    *builder.QueryData // the next block if it is query data; otherwise nil
	tables   []*seriesTable
	made     int   // the number of blocks that Next has returned
	ended    error // the error of a clock that would pass its largest value
}

// SeriesOptions are the options of [NewSeries]. The zero value has an interval of a second.
type SeriesOptions struct {
	Interval time.Duration // 0 means a second
	Seed     uint64        // the same seed makes the same series

	// Identifiers and Sets are the identifiers of the query and the registrations of its counter sets. Query data
	// requires them, because it does not contain the types of its counters.
	Identifiers builder.Identifiers
	Sets        []builder.CounterSetRegInfo
}

// NewSeries returns a series. The first block has the objects, counters and instances of m, which is a
// *builder.DataBlock, *builder.Objects or *builder.QueryData. NewSeries does not change m. It returns an error if m
// is nil, or if the interval is not a whole number of ticks of each clock. It also returns an error if two counters use
// the same bytes and their types require different values there.
func NewSeries(m builder.Model, o SeriesOptions) (*Series, error) {
	if err := checkNotNil(m); err != nil {
		return nil, err
	}
	if o.Interval == 0 {
		o.Interval = time.Second
	}
	if o.Interval < 0 {
		return nil, layout.Faultf(layout.ErrRange, "the interval is %v, must be more than 0", o.Interval)
	}
	s := &Series{interval: o.Interval, random: rand.New(rand.NewPCG(o.Seed, 0x736572696573))}
	b, err := m.MarshalBinary()
	if err != nil {
		return nil, err
	}
	first, err := builder.NewModel(m.Kind()) // a copy of m
	if err == nil {
		err = first.UnmarshalBinary(b)
	}
	if err != nil {
		return nil, err
	}
	switch m := first.(type) {
	case *builder.DataBlock:
		s.data = m
		err = s.openObjects(b)
	case *builder.Objects:
		s.data, s.headless = &builder.DataBlock{Objects: *m}, true
		err = s.openObjects(b)
	case *builder.QueryData:
		s.query = m
		err = s.openQuery(b, o)
	default:
		err = layout.Faultf(layout.ErrRange, "a block of kind %v has no values, must be %v, %v or %v", m.Kind(), layout.DataBlockKind, layout.ObjectsKind, layout.QueryDataKind)
	}
	if err == nil {
		err = s.checkInterval()
	}
	if err != nil {
		return nil, err
	}
	for _, t := range s.tables {
		t.setInterval(s.interval)
		for i := range t.counters {
			t.counters[i].peak = peakOf(s.random, t.cells[t.counters[i].cell].mask)
		}
		for _, r := range t.rows {
			t.startRow(s.random, r, false)
		}
	}
	return s, nil
}

// Next returns the model of the next block. The caller owns the model. Next returns an error if a clock would pass its
// largest value. Each later call returns the same error. Next also returns an error for a Series that is not from
// [NewSeries].
func (s *Series) Next() (builder.Model, error) {
	if s == nil || s.random == nil {
		return nil, layout.Faultf(layout.ErrRange, "the Series is nil or zero, must be from NewSeries")
	}
	seconds := 0.0
	if s.made > 0 {
		if s.ended == nil {
			s.ended = s.tick()
		}
		if s.ended != nil {
			return nil, s.ended
		}
		seconds = s.interval.Seconds()
		for _, t := range s.tables {
			t.churn(s.random)
		}
	}
	for _, t := range s.tables {
		t.advance(s.random, seconds)
	}
	s.made++
	switch {
	case s.query != nil:
		return s.queryModel(), nil
	case s.headless:
		return new(builder.Objects(s.dataModel().Objects)), nil
	}
	return s.dataModel(), nil
}

// Values yields the values that a consumer should display, computed from the last two blocks of [Series.Next]. It
// yields them object by object or result by result, then instance by instance, then counter by counter. Base counters
// have no value. An instance that is only in the older block comes after the other instances of its object. Before the
// first block, Values yields nothing.
func (s *Series) Values() iter.Seq[Displayed] {
	return func(yield func(Displayed) bool) {
		if s == nil || s.made == 0 {
			return
		}
		for _, t := range s.tables {
			if !t.displayed(yield) {
				return
			}
		}
	}
}

// tick advances all clocks by the interval.
func (s *Series) tick() (err error) {
	add := func(clock *int64, freq int64, name string) {
		n := ticks(s.interval, freq)
		if *clock > math.MaxInt64-n && err == nil {
			err = layout.Faultf(layout.ErrRange, "%s is %d in block %d of the series, so the next block would exceed the largest value; give the first block an earlier time, or make fewer blocks", name, *clock, s.made)
		}
		*clock += n
	}
	system := func(t *layout.SystemTime) {
		if *t == (layout.SystemTime{}) {
			return // the encoder computes SystemTime from PerfTime100nSec
		}
		at, fault := t.Time()
		if fault == nil {
			*t, fault = layout.SystemTimeOf(at.Add(s.interval))
		}
		if fault != nil {
			*t = layout.SystemTime{}
		}
	}
	if q := s.query; q != nil {
		add(&q.PerfTimeStamp, q.PerfFreq, "PerfTimeStamp")
		add(&q.PerfTime100NSec, units100ns, "PerfTime100NSec")
		system(&q.SystemTime)
		return err
	}
	if d := s.data; !s.headless {
		add(&d.PerfTime, d.PerfFreq, "PerfTime")
		add(&d.PerfTime100nSec, units100ns, "PerfTime100nSec")
		system(&d.SystemTime)
	}
	for i := range s.data.Objects {
		if o := &s.data.Objects[i]; o.PerfFreq > 0 {
			add(&o.PerfTime, o.PerfFreq, fmt.Sprintf("PerfTime of object[%d]", i))
		}
	}
	return err
}

// units100ns is the number of units of PerfTime100nSec in a second.
const units100ns = 10_000_000

// ticks returns the number of ticks of a clock in an interval that checkInterval accepts.
func ticks(interval time.Duration, freq int64) int64 {
	high, low := bits.Mul64(uint64(interval), uint64(freq))
	if high >= uint64(time.Second) {
		return math.MaxInt64
	}
	n, _ := bits.Div64(high, low, uint64(time.Second))
	return int64(min(n, math.MaxInt64))
}

// checkInterval checks that the interval is a whole number of ticks of each clock.
func (s *Series) checkInterval() error {
	step := uint64(1) // in nanoseconds; a second is a multiple of it
	whole := func(freq int64) {
		if freq > 0 {
			one := uint64(time.Second) / gcd(uint64(freq), uint64(time.Second))
			step = step / gcd(step, one) * one
		}
	}
	whole(units100ns)
	switch {
	case s.query != nil:
		whole(s.query.PerfFreq)
	case !s.headless:
		whole(s.data.PerfFreq)
	}
	for _, t := range s.tables {
		whole(t.clocks[objectClock].freq)
	}
	if rest := uint64(s.interval) % step; rest != 0 {
		near := max(s.interval-time.Duration(rest), time.Duration(step))
		return layout.Faultf(layout.ErrRange, "the interval is %v, must be a multiple of %v, so that each clock advances by whole ticks; the nearest is %v", s.interval, time.Duration(step), near)
	}
	return nil
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
