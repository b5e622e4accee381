package builder

import "github.com/perfblock/perfblock/layout"

// Checks and decoding that PERF_COUNTERSET_REG_INFO and PERF_COUNTERSET_INFO share.

// The limits of a counter's scale. They are wider than those in winperf.h.
const (
	minSetScale = -10
	maxSetScale = 10
)

func checkSet(t layout.InstanceType, counters int) error {
	here := layout.Path{}
	switch {
	case !t.Valid():
		return fault(here, "InstanceType", layout.ErrRange, "is %v, must be one of the six types", t)
	case counters > maxCounters:
		return fault(here, "Counters", ErrTooLarge, "has %d counters, must have at most %d", counters, maxCounters)
	}
	return nil
}

// checkSetCounter checks a counter. field is the name of the field with the scale.
func checkSetCounter(id uint32, attrib layout.Attrib, field string, scale int32) error {
	here := layout.Path{}
	switch {
	case id == layout.PERF_WILDCARD_COUNTER:
		return fault(here, "CounterId", layout.ErrRange, wildcardID, id)
	case !attrib.Valid():
		return fault(here, "Attrib", layout.ErrRange, "is %v, which has undefined flags", attrib)
	case scale < minSetScale || scale > maxSetScale:
		return fault(here, field, layout.ErrRange, "is %d, must be %d to %d", scale, minSetScale, maxSetScale)
	}
	return nil
}

// counterIDs maps the id of each counter of a set to its position.
type counterIDs map[uint32]int

func (x counterIDs) add(id uint32, i int) error {
	if first, found := x[id]; found {
		return fault(layout.Path{}, "CounterId", ErrDuplicateID, "is %d, which is the id of %v too", id, counterPath(first))
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

// rowCount returns NumCounters of the header that v starts with, or less if the bytes cannot
// hold that many, which the iteration over them reports.
func rowCount(r, row *layout.Record, v layout.Span, n uint32) (int, error) {
	if n > maxCounters {
		return 0, broken(layout.Path{}, r, v, "NumCounters", ErrTooLarge, "is %d, must be at most %d", n, maxCounters)
	}
	return min(int(n), (v.Len()-int(r.Size))/int(row.Size)), nil
}

// setLevel returns the level in the form of the model, where 0 is the default.
func (d *decoder) setLevel(path layout.Path, r *layout.Record, s layout.Span, got layout.DetailLevel) layout.DetailLevel {
	switch got {
	case layout.PERF_DETAIL_NOVICE:
		return 0
	case 0:
		d.loseField(path, r, s, "DetailLevel", "is %v, must be %v", got, layout.PERF_DETAIL_NOVICE)
	}
	return got
}

// attrib drops undefined flags.
func (d *decoder) attrib(path layout.Path, r *layout.Record, s layout.Span, got layout.Attrib) layout.Attrib {
	if got.Valid() {
		return got
	}
	d.loseField(path, r, s, "Attrib", "is %v, which has undefined flags", got)
	return got & (layout.PERF_ATTRIB_BY_REFERENCE | layout.PERF_ATTRIB_NO_DISPLAYABLE | layout.PERF_ATTRIB_NO_GROUP_SEPARATOR |
		layout.PERF_ATTRIB_DISPLAY_AS_REAL | layout.PERF_ATTRIB_DISPLAY_AS_HEX)
}

// setScale drops a scale that is out of range.
func (d *decoder) setScale(path layout.Path, r *layout.Record, s layout.Span, field string, got int32) int32 {
	if got < minSetScale || got > maxSetScale {
		d.loseField(path, r, s, field, "is %d, must be %d to %d", got, minSetScale, maxSetScale)
		return 0
	}
	return got
}
