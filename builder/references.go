package builder

import "github.com/perfblock/perfblock/layout"

// A reference is a field of a [CounterRegInfo] that names another counter of the set.
type reference struct {
	field string
	at    **uint32
	// needed says that the counter cannot be computed without.
	needed bool
	// want is the type of what it leads to, 0 for any; no reference leads to the type
	// whose number that is.
	want layout.CounterType
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

// baseOf returns the type of the base, 0 where the documentation gives none, and whether
// the counter cannot do without. Of two types alone winperf.h asks for more:
// PERF_PRECISION_OBJECT_TIMER has no base here, and of the multi timers one, which the
// schema of manifests wants and MS-PCQ does not.
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

// checkReference looks at what the counter shows alone.
func (c *CounterRegInfo) checkReference(r reference) error {
	here, id := layout.Path{}, *r.at
	switch {
	case id == nil && r.needed:
		return fault(here, r.field, ErrReference, "there is none, and %v cannot be computed without", c.Type)
	case id == nil:
		return nil
	case *id == noCounter:
		return fault(here, r.field, layout.ErrRange, "%d is no counter's: where there is none, the field is nil", *id)
	case *id == c.CounterId:
		return fault(here, r.field, ErrReference, "%d is the counter itself", *id)
	}
	return nil
}

// checkReference looks for what the reference leads to.
func (s *CounterSetRegInfo) checkReference(r reference, ids counterIDs) error {
	here, id := layout.Path{}, *r.at
	if id == nil {
		return nil
	}
	i, found := ids[*id]
	switch {
	case !found:
		return fault(here, r.field, ErrReference, "the set has no counter of the id %d", *id)
	case r.want != 0 && s.Counters[i].Type != r.want:
		return fault(here, r.field, ErrReference, "%v is a %v and not a %v", counterPath(i), s.Counters[i].Type, r.want)
	}
	return nil
}
