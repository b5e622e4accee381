package validate

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// multiCounters is a PERF_MULTI_COUNTERS and its ids.
type multiCounters struct {
	of      *result
	off     int64
	n, size int64  // dwCounters and dwSize
	b       []byte // the bytes of the ids, nil if they do not fit
}

var onMultiCounters = subjectsIn[*multiCounters](layout.QueryDataKind)

func (l *multiCounters) path() layout.Path { return l.of.path().Field("ids") }

func (l *multiCounters) record() *layout.Record { return &layout.PERF_MULTI_COUNTERS }

func (l *multiCounters) start() int64 { return l.off }

var multiCountersRules = []*Rule{
	{
		ID: "PERF2301", Name: "v2-multi-counters-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "dwSize of a PERF_MULTI_COUNTERS is at least the size of the structure with dwCounters ids, and does not exceed the bytes left in the result",
		Why:     "A reader finds the ids with dwCounters and the bytes after them with dwSize. Past the end of the result it reads other memory.",
		Fix:     "Write 8 bytes plus 4 for each id, rounded up to a multiple of 8.",
		Sources: []Source{of(&layout.PERF_MULTI_COUNTERS, "dwSize"), pcqIDs, consuming},
		check:   onMultiCounters.guard(idsBounds),
	},
	{
		ID: "PERF2302", Name: "v2-multi-counters-size", Severity: Error, Since: "v0.1.0",
		Doc:     "dwSize of a PERF_MULTI_COUNTERS is the size of the structure with its ids, with or without padding to a multiple of 8",
		Why:     "The payload continues after dwSize bytes. With another size a reader takes ids for values, or values for ids.",
		Fix:     "Write 8 bytes plus 4 for each id, rounded up to a multiple of 8.",
		Sources: []Source{of(&layout.PERF_MULTI_COUNTERS, "dwSize"), pcqIDs},
		check:   onMultiCounters.check(idsLength),
	},
	{
		ID: "PERF2303", Name: "v2-multi-counters-unaligned", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwSize of a PERF_MULTI_COUNTERS is a multiple of 8",
		Why:     "One reading of the documentation does not include the padding after an odd number of ids. The following record is aligned to 8 in any case, and a reader that uses dwSize alone does not find it.",
		Fix:     "Round dwSize up to a multiple of 8, and fill the padding with zeros.",
		Sources: []Source{pcqStructures, of(&layout.PERF_MULTI_COUNTERS, "dwSize"), consuming},
		Misread: []string{"Microsoft's sample consumer steps by dwSize"},
		check:   onMultiCounters.check(idsUnaligned),
	},
	{
		ID: "PERF2304", Name: "v2-multi-counters-empty", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwCounters is at least 1",
		Why:     "A counter set has at least one counter, so a result for all counters has one. Instances without values are useless.",
		Fix:     "Write the id of every counter whose value follows.",
		Sources: []Source{of(&layout.PERF_MULTI_COUNTERS, "dwCounters")},
		check:   onMultiCounters.check(idsEmpty),
	},
	{
		ID: "PERF2305", Name: "v2-multi-counters-limit", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwCounters is at most 64,000",
		Why:     "The documentation of PERF_COUNTER_REG_INFO limits a counter set to 64,000 counters. The comments in perflib.h say 64K, which is more.",
		Fix:     "Divide the counter set.",
		Sources: []Source{of(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check:   onMultiCounters.check(idsMany),
	},
	{
		ID: "PERF2306", Name: "v2-multi-counters-limit-max", Severity: Error, Since: "v0.1.0",
		Doc:     "dwCounters is at most 65,536",
		Why:     "No reading of the documentation allows more counters in a set.",
		Fix:     "Find the code that overwrites dwCounters, or divide the counter set.",
		Sources: []Source{of(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check:   onMultiCounters.check(idsTooMany),
	},
	{
		ID: "PERF2307", Name: "v2-multi-counters-duplicate-id", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two ids are the same",
		Why:     "An id names one counter, which has one value. A reader that looks up the position of an id finds the first or the last.",
		Fix:     "Write each id once.",
		Sources: []Source{of(&layout.PERF_MULTI_COUNTERS, "dwCounters"), counterXML},
		check:   onMultiCounters.check(idsTwice),
	},
	{
		ID: "PERF2308", Name: "v2-data-counter-unknown", Severity: Warning, Since: "v0.1.0",
		Doc:     "the ids of a result are registered in the counter set, and a result for all counters has all of them",
		Why:     "A reader looks up the type of a counter by its id. A counter that is not registered has no type, so its value cannot be computed. A missing counter has no value.",
		Fix:     "Register every counter of the set, and return all of them if all are requested.",
		Sources: []Source{consuming, of(&layout.PERF_MULTI_COUNTERS, "dwCounters")},
		Needs:   needsRegistrations,
		check:   onMultiCounters.check(counterUnknown),
	},
	{
		ID: "PERF2309", Name: "v2-multi-counters-wildcard-id", Severity: Error, Since: "v0.1.0",
		Doc:     "no id is 0xFFFFFFFF",
		Why:     "0xFFFFFFFF is PERF_WILDCARD_COUNTER, which requests all counters and names none.",
		Fix:     "Write the ids of the counters whose values follow.",
		Sources: []Source{of(&layout.PERF_COUNTER_IDENTIFIER, "CounterId")},
		check:   onMultiCounters.check(idsWildcard),
	},
}

// id returns an id of the list.
func (l *multiCounters) id(i int) uint32 { return le.Uint32(l.b[idSize*i:]) }

// checkIDs checks the ids at an offset and returns the end of the structure, and whether
// it is known.
func (p *pass) checkIDs(a *result, at int64) (int64, bool) {
	l := &p.multiCounters
	*l = multiCounters{of: a, off: at}
	if a.end-at >= multiCountersSize {
		l.size, l.n = int64(le.Uint32(p.b[at:])), int64(le.Uint32(p.b[at+4:]))
	}
	if n := multiCountersSize + idSize*a.shape.values; n <= a.shape.ids && a.shape.ids <= a.end-at {
		l.b = p.b[at+multiCountersSize : at+n]
	}
	if !onMultiCounters.holds(p, l) {
		return 0, false
	}
	end := at + a.shape.ids
	p.padding(l, at+multiCountersSize+int64(len(l.b)), end)
	return end, true
}

// id reports an id of the list. The caller must call [pass.count] first, so that it does
// not format texts of findings that are not listed.
func (p *pass) id(l *multiCounters, i int, got, want string) {
	p.list(l.path().At("id", i), l.off+multiCountersSize+int64(idSize*i), idSize, got, want)
}

// need returns the dwSize of the ids found, with their padding.
func (l *multiCounters) need() int64 { return aligned(multiCountersSize + idSize*l.of.shape.values) }

// counted reports whether dwCounters differs from the number of ids found.
func (l *multiCounters) counted() bool { return l.of.shaped && l.n != l.of.shape.values }

// sized reports whether dwCounters is right and dwSize is wrong.
func (l *multiCounters) sized() bool { return l.of.shaped && !l.counted() && !idsFit(l.n, l.size) }

func idsBounds(p *pass, l *multiCounters) bool {
	rest := l.of.end - l.off
	inside := l.size >= multiCountersSize+idSize*l.n && l.size <= rest
	switch {
	case rest < multiCountersSize:
		p.bytes(l, "", l.off, int(rest), byteCount(rest)+" left in the result", "must be at least 8, the size of PERF_MULTI_COUNTERS")
		return false
	case inside:
	case l.counted():
		p.field(l, "dwCounters", l.n, "must be %d, the ids that dwSize has room for", l.of.shape.values)
	case l.sized():
		p.field(l, "dwSize", l.size, "must be %d, for %d ids", l.need(), l.n)
	case l.size > rest:
		p.field(l, "dwSize", l.size, "must be at most %d, the bytes left in the result", rest/layout.Align*layout.Align)
	case l.size < multiCountersSize:
		p.field(l, "dwSize", l.size, "must be at least 8")
	default:
		p.field(l, "dwCounters", l.n, "must be at most %d, for which dwSize has room", (l.size-multiCountersSize)/idSize)
	}
	return inside || l.of.shaped
}

// idsLength checks only a dwSize that idsBounds accepts.
func idsLength(p *pass, l *multiCounters) {
	if l.size < multiCountersSize+idSize*l.n || l.size > l.of.end-l.off || idsFit(l.n, l.size) {
		return
	}
	if l.counted() {
		p.field(l, "dwCounters", l.n, "must be %d, the ids that dwSize has room for", l.of.shape.values)
		return
	}
	p.field(l, "dwSize", l.size, "must be %d, for %d ids", aligned(multiCountersSize+idSize*l.n), l.n)
}

func idsUnaligned(p *pass, l *multiCounters) {
	if least := multiCountersSize + idSize*l.n; l.size == least && least%layout.Align != 0 && !l.counted() {
		p.field(l, "dwSize", l.size, "must be %d, a multiple of 8", aligned(least))
	}
}

func idsEmpty(p *pass, l *multiCounters) {
	if l.n == 0 && !l.counted() {
		p.field(l, "dwCounters", 0, "must be at least 1")
	}
}

func idsMany(p *pass, l *multiCounters) {
	if l.n > fewerCounters && l.n <= mostCounters {
		p.field(l, "dwCounters", l.n, "must be at most 64000")
	}
}

func idsTooMany(p *pass, l *multiCounters) {
	if l.n > mostCounters {
		p.field(l, "dwCounters", l.n, "must be at most 65536")
	}
}

func idsTwice(p *pass, l *multiCounters) {
	n := len(l.b) / idSize
	p.ids.reset(n)
	for i := range n {
		id := l.id(i)
		if first := p.ids.addNumber(id, uint32(i)+1, func(ref uint32) uint32 { return l.id(int(ref) - 1) }); first != 0 && p.count() {
			p.id(l, i, fmt.Sprintf("counter %d is at id[%d] too", id, first-1), "must be there once")
		}
	}
}

func idsWildcard(p *pass, l *multiCounters) {
	for i := range len(l.b) / idSize {
		if l.id(i) == layout.PERF_WILDCARD_COUNTER && p.count() {
			p.id(l, i, "the id is 0xffffffff, PERF_WILDCARD_COUNTER", "must be that of a counter")
		}
	}
}

// counterUnknown reports each id that is not registered, and all missing ids together.
func counterUnknown(p *pass, l *multiCounters) {
	set := l.of.set
	if set == nil {
		return
	}
	present := 0
	p.ids.reset(len(l.b) / idSize)
	number := func(ref uint32) uint32 { return l.id(int(ref) - 1) }
	for i := range len(l.b) / idSize {
		id := l.id(i)
		first := p.ids.addNumber(id, uint32(i)+1, number) == 0
		if _, ok := set.counters[id]; ok && first {
			present++
		} else if !ok && id != layout.PERF_WILDCARD_COUNTER && p.count() {
			p.id(l, i, fmt.Sprintf("the set has no counter %d", id), "must be a registered counter")
		}
	}
	if missing := len(set.ids) - present; missing > 0 {
		i := slices.IndexFunc(set.ids, func(id uint32) bool { return p.ids.findNumber(id, number) == 0 })
		if missing == 1 {
			p.field(l, "dwCounters", l.n, "must count each counter of the set: counter %d is missing", set.ids[i])
			return
		}
		p.field(l, "dwCounters", l.n, "must count each counter of the set: %d are missing, counter %d the first", missing, set.ids[i])
	}
}

// idsAt returns dwCounters and dwSize of the PERF_MULTI_COUNTERS at an offset, and whether
// its ids fit into dwSize and dwSize fits into the bytes up to lim.
func idsAt(b []byte, at, lim int64) (n, size int64, ok bool) {
	if lim-at < multiCountersSize {
		return 0, 0, false
	}
	size, n = int64(le.Uint32(b[at:])), int64(le.Uint32(b[at+4:]))
	return n, size, size >= multiCountersSize+idSize*n && size <= lim-at
}

// idsFit reports whether size is the size of n ids, with or without padding.
func idsFit(n, size int64) bool {
	least := multiCountersSize + idSize*n
	return size == least || size == aligned(least)
}

// isPadded reports whether padding follows n ids whose dwSize does not include it. The next
// record is then at the offset padded, otherwise at next. It is at the offset from which n
// values end at lim. If both offsets or neither satisfy this, it is at the first that looks
// like the start of a record. If neither does, zeros are padding.
func isPadded(b []byte, t layout.PerfCounterDataType, next, padded, lim, n int64) bool {
	if !hasInstances(t) {
		if fills := valuesFill(b, padded, lim, n); fills != valuesFill(b, next, lim, n) {
			return fills
		}
	}
	switch {
	case looksAfterIDs(b, t, next, lim):
		return false
	case looksAfterIDs(b, t, padded, lim):
		return true
	}
	return padded <= lim && le.Uint32(b[next:]) == 0
}

// valuesFill reports whether n values, with the sizes that they declare, fill the bytes
// from an offset to lim.
func valuesFill(b []byte, at, lim, n int64) bool {
	for range n {
		size := counterDataLen(b, at, lim)
		if size == 0 {
			return false
		}
		at += size
	}
	return at == lim
}

// looksAfterIDs reports whether the bytes at an offset look like the record that follows
// the ids.
func looksAfterIDs(b []byte, t layout.PerfCounterDataType, at, lim int64) bool {
	if !hasInstances(t) {
		return looksCounterData(b, at, lim) && le.Uint32(b[at:]) > 0 // padding looks like an empty value
	}
	if lim-at < multiInstancesSize {
		return false
	}
	total, n := int64(le.Uint32(b[at:])), int64(le.Uint32(b[at+4:]))
	return total >= multiInstancesSize && total <= lim-at && n <= (total-multiInstancesSize)/shortestInstance
}
