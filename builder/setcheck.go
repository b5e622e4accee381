package builder

import "github.com/perfblock/perfblock/layout"

// What the registration of a counter set and the template of a provider have in common.

// Bounds of a counter's scale. They are wider than those of winperf.h.
const (
	minSetScale = -10
	maxSetScale = 10
)

func checkSet(t layout.InstanceType, counters int) error {
	here := layout.Path{}
	switch {
	case !t.Valid():
		return fault(here, "InstanceType", layout.ErrRange, "%v is not one of the six types", t)
	case counters > maxCounters:
		return fault(here, "Counters", ErrTooLarge, "%d counters are more than the %d that a set can have", counters, maxCounters)
	}
	return nil
}

// checkSetCounter checks a counter; scale is the field of that name.
func checkSetCounter(id uint32, attrib layout.Attrib, field string, scale int32) error {
	here := layout.Path{}
	switch {
	case id == layout.PERF_WILDCARD_COUNTER:
		return fault(here, "CounterId", layout.ErrRange, "%d is no counter's: it asks for all", id)
	case !attrib.Valid():
		return fault(here, "Attrib", layout.ErrRange, "%v has bits that are no flags", attrib)
	case !scales(scale):
		return fault(here, field, layout.ErrRange, "%d is not %d to %d", scale, minSetScale, maxSetScale)
	}
	return nil
}

func scales(scale int32) bool { return minSetScale <= scale && scale <= maxSetScale }

// counterIDs holds the position of each counter of a set by its id.
type counterIDs map[uint32]int

func (x counterIDs) add(id uint32, i int) error {
	if first, found := x[id]; found {
		return fault(layout.Path{}, "CounterId", ErrDuplicateID, "%d is the id of %v too", id, counterPath(first))
	}
	x[id] = i
	return nil
}

// novice returns the level to write.
func novice(level layout.DetailLevel) layout.DetailLevel {
	if level == 0 {
		return layout.PERF_DETAIL_NOVICE
	}
	return level
}
