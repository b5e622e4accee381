package validate

import "github.com/perfblock/perfblock/layout"

// What the counters of a registration and of a template have in common.

// rows are those counters: records of one size that start with a CounterId.
type rows struct {
	b    []byte
	size int64
}

// row returns the bytes of a counter.
func (r rows) row(i int64) []byte { return r.b[i*r.size:][:r.size] }

// identify notes the ids of n counters that are all there, size bytes each from an offset on.
func (p *pass) identify(from, size, n int64) {
	p.rows = rows{p.b[from:], size}
	p.ids.reset(int(n))
	for i := range uint32(n) {
		p.ids.addNumber(p.idOf(i+1), i+1, p.idOf)
	}
}

// idOf returns the id of a counter by its number, which is 1 for the first.
func (p *pass) idOf(number uint32) uint32 { return le.Uint32(p.rows.row(int64(number) - 1)) }

// rowOf returns which counter is the first of an id, -1 if there is none.
func (p *pass) rowOf(id uint32) int64 {
	return int64(p.ids.findNumber(id, p.idOf)) - 1
}

// Bounds of a scale. They are wider than those of winperf.h.
const (
	minSetScale = -10
	maxSetScale = 10
)

// fewerCounters and mostCounters are how many a set may have: one page of the
// documentation says the one, and the header the other.
const (
	fewerCounters = 64_000
	mostCounters  = 65_536
)

// usableType reports whether a counter of V2 may have that type.
func usableType(t layout.CounterType) bool {
	return t.Predefined() && t != layout.PERF_COUNTER_NODATA && t != layout.PERF_COUNTER_HISTOGRAM_TYPE
}

func (p *pass) setType(s subject, t layout.CounterType) {
	if !usableType(t) {
		p.field(s, "Type", t, "must be a type that the documentation of perflib.h describes")
	}
}

func (p *pass) setInstances(s subject, t layout.InstanceType) {
	if !t.Valid() {
		p.field(s, "InstanceType", t, "must be 0, 2, 4, 6, 12 or 22")
	}
}

func (p *pass) setAttrib(s subject, a layout.Attrib) {
	const all = layout.PERF_ATTRIB_BY_REFERENCE | layout.PERF_ATTRIB_NO_DISPLAYABLE | layout.PERF_ATTRIB_NO_GROUP_SEPARATOR |
		layout.PERF_ATTRIB_DISPLAY_AS_REAL | layout.PERF_ATTRIB_DISPLAY_AS_HEX
	if bits := a &^ all; bits != 0 {
		p.field(s, "Attrib", a, "must not have the bits 0x%x, which mean nothing", uint64(bits))
	}
}

// setShown tells of flags of which one makes the other idle.
func (p *pass) setShown(s subject, a layout.Attrib) {
	const decimal = layout.PERF_ATTRIB_NO_GROUP_SEPARATOR | layout.PERF_ATTRIB_DISPLAY_AS_REAL
	switch {
	case a&layout.PERF_ATTRIB_NO_DISPLAYABLE != 0 && a&(decimal|layout.PERF_ATTRIB_DISPLAY_AS_HEX) != 0:
		p.field(s, "Attrib", a, "must have no flag that says how the value is shown: with PERF_ATTRIB_NO_DISPLAYABLE it is not")
	case a&layout.PERF_ATTRIB_DISPLAY_AS_HEX != 0 && a&decimal != 0:
		p.field(s, "Attrib", a, "must have PERF_ATTRIB_DISPLAY_AS_HEX or the flags of decimal numbers, not both")
	}
}

func (p *pass) setScale(s subject, field string, n int32) {
	if n < minSetScale || n > maxSetScale {
		p.field(s, field, n, "must be -10 to 10")
	}
}

func (p *pass) setLevel(s subject, level layout.DetailLevel) {
	if level != layout.PERF_DETAIL_NOVICE && level != layout.PERF_DETAIL_ADVANCED {
		p.field(s, "DetailLevel", level, "must be PERF_DETAIL_NOVICE, which is 100, or PERF_DETAIL_ADVANCED, which is 200")
	}
}

// setCrowded tells of more counters than are sure to be taken, or than there can be.
func (p *pass) setCrowded(s subject, n uint32, over bool) {
	switch {
	case over && n > mostCounters:
		p.field(s, "NumCounters", n, "must be at most 65536")
	case !over && n > fewerCounters && n <= mostCounters:
		p.field(s, "NumCounters", n, "must be at most 64000")
	}
}
