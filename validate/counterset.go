package validate

import "github.com/perfblock/perfblock/layout"

// Registrations and templates both describe a counter set, and have a record for each counter. The
// functions in this file check both.

// A counterList is the place of the counter records of a registration or a template. All records have
// the same size and start with CounterId.
type counterList struct {
	from, size int64 // offset of the first record, and the size of a record
}

// indexCounters sets p.counters, and p.ids to the CounterIds of n counters. All records must be inside
// the input.
func (p *pass) indexCounters(list counterList, n int64) {
	p.counters = list
	p.ids.reset(int(n))
	for i := range uint32(n) {
		p.ids.addNumber(p.counterID(i+1), i+1, p.counterID)
	}
}

// counterID returns the CounterId of counter[ref-1]. In a [set], the reference to a counter is its index plus 1.
func (p *pass) counterID(ref uint32) uint32 {
	return le.Uint32(p.b[p.counters.from+int64(ref-1)*p.counters.size:])
}

// firstCounter returns the index of the first counter with the given id, or -1 if no counter has
// the id.
func (p *pass) firstCounter(id uint32) int64 {
	return int64(p.ids.findNumber(id, p.counterID)) - 1
}

// requireUniqueID reports CounterId of counter i if an earlier counter has the same id.
func (p *pass) requireUniqueID(s subject, id uint32, i int64) {
	if first := p.firstCounter(id); first != i {
		p.field(s, "CounterId", id, "must be unique: counter[%d] has this id", first)
	}
}

func (p *pass) requireNoWildcard(s subject, id uint32) {
	require(p, s, "CounterId", "0xffffffff", id != layout.PERF_WILDCARD_COUNTER, "must be another id: 0xffffffff requests all counters")
}

// usableType reports whether the documentation of perflib.h describes the counter type.
func usableType(t layout.CounterType) bool {
	return t.Predefined() && t != layout.PERF_COUNTER_NODATA && t != layout.PERF_COUNTER_HISTOGRAM_TYPE
}

func (p *pass) requireType(s subject, t layout.CounterType) {
	require(p, s, "Type", t, usableType(t), "must be a type that the documentation of perflib.h describes")
}

func (p *pass) requireInstanceType(s subject, t layout.InstanceType) {
	require(p, s, "InstanceType", t, t.Valid(), "must be 0, 2, 4, 6, 12 or 22")
}

func (p *pass) requireAttribBits(s subject, a layout.Attrib) {
	const all = layout.PERF_ATTRIB_BY_REFERENCE | layout.PERF_ATTRIB_NO_DISPLAYABLE | layout.PERF_ATTRIB_NO_GROUP_SEPARATOR |
		layout.PERF_ATTRIB_DISPLAY_AS_REAL | layout.PERF_ATTRIB_DISPLAY_AS_HEX
	if bits := a &^ all; bits != 0 {
		p.field(s, "Attrib", a, "must not have the undefined bits 0x%x", uint64(bits))
	}
}

// requireAttribCombination reports display flags that contradict each other.
func (p *pass) requireAttribCombination(s subject, a layout.Attrib) {
	const decimal = layout.PERF_ATTRIB_NO_GROUP_SEPARATOR | layout.PERF_ATTRIB_DISPLAY_AS_REAL
	switch {
	case a&layout.PERF_ATTRIB_NO_DISPLAYABLE != 0 && a&(decimal|layout.PERF_ATTRIB_DISPLAY_AS_HEX) != 0:
		p.field(s, "Attrib", a, "must have no display flag, because PERF_ATTRIB_NO_DISPLAYABLE hides the value")
	case a&layout.PERF_ATTRIB_DISPLAY_AS_HEX != 0 && a&decimal != 0:
		p.field(s, "Attrib", a, "must have PERF_ATTRIB_DISPLAY_AS_HEX or the flags for decimal numbers, not both")
	}
}

// requireScale checks that a scale is in the range that manifests allow. The range in winperf.h is
// narrower.
func (p *pass) requireScale(s subject, field string, n int32) {
	require(p, s, field, n, n >= -10 && n <= 10, "must be -10 to 10")
}

func (p *pass) requireDetailLevel(s subject, level layout.DetailLevel) {
	valid := level == layout.PERF_DETAIL_NOVICE || level == layout.PERF_DETAIL_ADVANCED
	require(p, s, "DetailLevel", level, valid, "must be 100 (PERF_DETAIL_NOVICE) or 200 (PERF_DETAIL_ADVANCED)")
}

// The largest number of counters in a set.
const (
	safeCounters = 64_000 // according to the documentation
	mostCounters = 65_536 // according to perflib.h
)

// warnManyCounters reports a number of counters that is above the limit of the documentation, but not
// above the limit of perflib.h.
func (p *pass) warnManyCounters(s subject, field string, n int64) {
	if n > safeCounters && n <= mostCounters {
		p.field(s, field, n, "must be at most %d", safeCounters)
	}
}

// requireMostCounters reports a number of counters that is above the limit of perflib.h.
func (p *pass) requireMostCounters(s subject, field string, n int64) {
	if n > mostCounters {
		p.field(s, field, n, "must be at most %d", mostCounters)
	}
}
