package builder

import "github.com/perfblock/perfblock/layout"

// The functions in this file are for both PERF_COUNTERSET_REG_INFO and PERF_COUNTERSET_INFO.

// The scale of a counter in a counter set must be from minSetScale to maxSetScale. For a counter of winperf.h, other
// limits apply: -7 and 7.
const (
	minSetScale = -10
	maxSetScale = 10
)

func checkSet(t layout.InstanceType, counters int) error {
	var all faults
	if !t.Valid() {
		all.add(fault("InstanceType", layout.ErrRange, "is %v, must be %s", t, instanceTypes))
	}
	if counters > maxCounters {
		all.add(fault("Counters", ErrTooLarge, "has %d counters, must have at most %d", counters, maxCounters))
	}
	return all.err()
}

// checkSetCounter checks a counter of a counter set. field is the name of the field with the
// scale.
func checkSetCounter(id uint32, attrib layout.Attrib, field string, scale int32) error {
	var all faults
	if id == layout.PERF_WILDCARD_COUNTER {
		all.add(fault("CounterId", layout.ErrRange, wildcardID, id))
	}
	if !attrib.Valid() {
		all.add(fault("Attrib", layout.ErrRange, "is %v, may have only the flags %v", attrib, allAttribs))
	}
	if scale < minSetScale || scale > maxSetScale {
		all.add(fault(field, layout.ErrRange, "is %d, must be %d to %d", scale, minSetScale, maxSetScale))
	}
	return all.err()
}

// counterIDs maps the id of each counter of a set to the position of the first counter with this id.
type counterIDs map[uint32]int

func (x counterIDs) add(id uint32, i int) {
	if _, found := x[id]; !found {
		x[id] = i
	}
}

// check returns an error if a counter before counter i also has this id. x must have the ids of the counters 0 to i.
func (x counterIDs) check(id uint32, i int) error {
	if first := x[id]; first != i && id != layout.PERF_WILDCARD_COUNTER { // checkSetCounter reports this id
		return fault("CounterId", ErrDuplicateID, "is %d, must differ from the CounterId of %v", id, counterPath(first))
	}
	return nil
}

// counterCapacity returns the number of counters to allocate memory for: NumCounters, or fewer if v is too short.
func counterCapacity(r, counter *layout.Record, v layout.Span, n uint32) (int, error) {
	if n > maxCounters {
		return 0, broken(here, r, v, "NumCounters", ErrTooLarge, "is %d, must be at most %d", n, maxCounters)
	}
	return min(int(n), (v.Len()-int(r.Size))/int(counter.Size)), nil
}

// setLevel decodes a DetailLevel. PERF_DETAIL_NOVICE becomes 0, the default of the model.
func (d *decoder) setLevel(path layout.Path, r *layout.Record, s layout.Span, got layout.DetailLevel) layout.DetailLevel {
	switch got {
	case layout.PERF_DETAIL_NOVICE:
		return 0
	case 0:
		d.loseField(path, r, s, "DetailLevel", "is %v, must be %v", got, layout.PERF_DETAIL_NOVICE)
	}
	return got
}

// allAttribs has all defined flags.
const allAttribs = layout.PERF_ATTRIB_BY_REFERENCE | layout.PERF_ATTRIB_NO_DISPLAYABLE | layout.PERF_ATTRIB_NO_GROUP_SEPARATOR |
	layout.PERF_ATTRIB_DISPLAY_AS_REAL | layout.PERF_ATTRIB_DISPLAY_AS_HEX

// attrib decodes Attrib and drops undefined flags.
func (d *decoder) attrib(path layout.Path, r *layout.Record, s layout.Span, got layout.Attrib) layout.Attrib {
	if got.Valid() {
		return got
	}
	d.loseField(path, r, s, "Attrib", "is %v, may have only the flags %v", got, allAttribs)
	return got & allAttribs
}

// setScale decodes a scale, and returns 0 for a scale that is out of range.
func (d *decoder) setScale(path layout.Path, r *layout.Record, s layout.Span, field string, got int32) int32 {
	if got < minSetScale || got > maxSetScale {
		d.loseField(path, r, s, field, "is %d, must be %d to %d", got, minSetScale, maxSetScale)
		return 0
	}
	return got
}
