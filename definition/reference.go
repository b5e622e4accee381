package definition

import "github.com/perfblock/perfblock/layout"

// A reference is a reference from a counter to another counter of the set.
type reference struct {
	key      string             // in YAML
	to       *string            // the reference as [CounterSet.Find] takes it; "" for none
	inline   **Counter          // the other counter if YAML defines it in the reference; only while YAML is read or written
	required bool               // the type of the counter requires the reference
	wanted   layout.CounterType // the type of the other counter
}

// references returns the references of a counter, in the order in which expand adds their counters to the set.
func (c *Counter) references() [4]reference {
	time := c.Type.UsesObjectTimer()
	base, fraction := c.Type.Base()
	if c.Type == layout.PERF_SAMPLE_COUNTER {
		base = layout.PERF_SAMPLE_BASE
	}
	return [...]reference{
		// In winperf.h, multi timers and timers of the provider's clock have a base. In manifests they have none.
		{"base", &c.Base, &c.inline[0], fraction && !c.Type.Multi() && !time, base},
		{"perfTime", &c.PerfTime, &c.inline[1], time, layout.PERF_COUNTER_LARGE_RAWCOUNT},
		{"perfFreq", &c.PerfFreq, &c.inline[2], time, layout.PERF_COUNTER_LARGE_RAWCOUNT},
		{"multi", &c.Multi, &c.inline[3], c.Type.Multi() && !c.Type.IsBase(), layout.PERF_COUNTER_RAWCOUNT},
	}
}

// takes reports whether the reference, which is one of a counter of type from, may refer to a counter of type to.
func (r reference) takes(from, to layout.CounterType) bool {
	if r.key == "base" {
		return !r.required && from != layout.PERF_COUNTER_MULTI_TIMER_INV || from.TakesBase(to)
	}
	return to == r.wanted
}
