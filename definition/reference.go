package definition

import (
	"github.com/perfblock/perfblock/layout"
)

// A reference is a reference from a counter to another counter of the set.
type reference struct {
	key      string             // in YAML
	to       string             // as in [CounterSet.Find]; "" for none
	required bool               // by the type of the counter
	of       layout.CounterType // the type of the counter that refers
}

// refs returns the references of a counter, given or not.
func (c *Counter) refs() [4]*string { return [...]*string{&c.Base, &c.PerfTime, &c.PerfFreq, &c.Multi} }

// references returns the references that the counter gives or its type requires.
func (c *Counter) references() []reference {
	time := c.Type.UsesObjectTimer()
	_, fraction := c.Type.Base()
	all := [...]reference{
		// In winperf.h, multi timers and timers of the provider's clock have a base. In manifests they have none.
		{"base", c.Base, fraction && !c.Type.Multi() && !time, c.Type},
		{"perfTime", c.PerfTime, time, c.Type},
		{"perfFreq", c.PerfFreq, time, c.Type},
		{"multi", c.Multi, c.Type.Multi() && !c.Type.IsBase(), c.Type},
	}
	var list []reference
	for _, r := range all {
		if r.required || r.to != "" {
			list = append(list, r)
		}
	}
	return list
}

// takes reports whether the reference may name a counter of type t.
func (r reference) takes(t layout.CounterType) bool {
	switch r.key {
	case "base":
		return !r.required && r.of != layout.PERF_COUNTER_MULTI_TIMER_INV || r.of.TakesBase(t)
	case "multi":
		return t == layout.PERF_COUNTER_RAWCOUNT
	}
	return t == layout.PERF_COUNTER_LARGE_RAWCOUNT
}

// wants returns what the reference must name, with an article.
func (r reference) wants() string {
	switch r.key {
	case "base":
		base, _ := r.of.Base()
		return "a " + base.String()
	case "multi":
		return "a " + layout.PERF_COUNTER_RAWCOUNT.String()
	}
	return "a " + layout.PERF_COUNTER_LARGE_RAWCOUNT.String()
}

// isSelf reports whether a reference of the counter refers to the counter itself.
func (c counterOf) isSelf(r reference) bool {
	target := c.set.target(r.to)
	return target != nil && target.ID == c.ID
}
