package validate

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// multiCounters is a PERF_MULTI_COUNTERS and its ids.
type multiCounters struct {
	result             *result
	off                int64
	dwSize, dwCounters int64  // 0 if the bytes left are too few for the structure
	b                  []byte // the bytes of the ids, nil if result.shape.ids is too small for them or exceeds the result
}

var onMultiCounters = subjectsIn[*multiCounters](layout.QueryDataKind)

func (l *multiCounters) path() layout.Path { return l.result.path().Field("ids") }

func (l *multiCounters) record() *layout.Record { return &layout.PERF_MULTI_COUNTERS }

func (l *multiCounters) start() int64 { return l.off }

var multiCountersRules = []*Rule{
	{
		ID: "PERF2301", Name: "v2-multi-counters-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "dwSize of a PERF_MULTI_COUNTERS is large enough for dwCounters ids, and at most the number of bytes left in the result",
		Why:     "A reader reads dwCounters ids, and continues dwSize bytes after the start of the structure. If one of the two fields is too large, the reader reads bytes outside the result.",
		Fix:     "Set dwSize to 8 bytes, plus 4 for each id, rounded up to a multiple of 8.",
		Sources: []Source{sourceOf(&layout.PERF_MULTI_COUNTERS, "dwSize"), pcqIDs, consuming},
		check:   onMultiCounters.guard(idsBounds),
	},
	{
		ID: "PERF2302", Name: "v2-multi-counters-size", Severity: Error, Since: "v0.1.0",
		Doc:     "dwSize of a PERF_MULTI_COUNTERS is the size of the structure with its ids, with or without padding to a multiple of 8",
		Why:     "The instances or values start after dwSize bytes. If dwSize is wrong, a reader reads ids as values, or values as ids.",
		Fix:     "Set dwSize to 8 bytes, plus 4 for each id, rounded up to a multiple of 8.",
		Sources: []Source{sourceOf(&layout.PERF_MULTI_COUNTERS, "dwSize"), pcqIDs},
		check: onMultiCounters.check(func(p *pass, l *multiCounters) {
			// The rule v2-multi-counters-bounds reports a dwSize that is out of range.
			if l.dwSize < idsSize(l.dwCounters) || l.dwSize > l.result.end-l.off || idsFit(l.dwCounters, l.dwSize) {
				return
			}
			if l.countWrong() {
				p.field(l, "dwCounters", l.dwCounters, "must be %d, the number of ids that fill dwSize", l.result.shape.values)
				return
			}
			p.field(l, "dwSize", l.dwSize, "must be %d, for %s", aligned(idsSize(l.dwCounters)), plural(l.dwCounters, "id"))
		}),
	},
	{
		ID: "PERF2303", Name: "v2-multi-counters-unaligned", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwSize of a PERF_MULTI_COUNTERS is a multiple of 8",
		Why:     "The documentation does not say whether dwSize includes the padding after an odd number of ids. The next record is always aligned to 8. If dwSize excludes the padding, a reader that only adds dwSize does not find the next record.",
		Fix:     "Round dwSize up to a multiple of 8, and fill the padding with zeros.",
		Sources: []Source{pcqStructures, sourceOf(&layout.PERF_MULTI_COUNTERS, "dwSize"), consuming},
		Misread: []string{"Microsoft's sample consumer adds dwSize without rounding it up"},
		check: onMultiCounters.check(func(p *pass, l *multiCounters) {
			if least := idsSize(l.dwCounters); l.dwSize == least && least%layout.Align != 0 && !l.countWrong() {
				p.field(l, "dwSize", l.dwSize, "must be %d, a multiple of 8", aligned(least))
			}
		}),
	},
	{
		ID: "PERF2304", Name: "v2-multi-counters-empty", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwCounters is at least 1",
		Why:     "A counter set has at least one counter, so a result for all its counters has at least one id. Instances without values have no use.",
		Fix:     "Write the id of every counter whose value follows.",
		Sources: []Source{sourceOf(&layout.PERF_MULTI_COUNTERS, "dwCounters")},
		check: onMultiCounters.check(func(p *pass, l *multiCounters) {
			require(p, l, "dwCounters", l.dwCounters, l.dwCounters != 0 || l.countWrong(), "must be at least 1")
		}),
	},
	{
		ID: "PERF2305", Name: "v2-multi-counters-limit", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwCounters is at most 64,000",
		Why:     "The documentation of PERF_COUNTER_REG_INFO limits a counter set to 64,000 counters. The comments in perflib.h allow 64K (65,536).",
		Fix:     "Divide the counters into several sets.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check:   onMultiCounters.check(func(p *pass, l *multiCounters) { p.warnManyCounters(l, "dwCounters", l.dwCounters) }),
	},
	{
		ID: "PERF2306", Name: "v2-multi-counters-limit-max", Severity: Error, Since: "v0.1.0",
		Doc:     "dwCounters is at most 65,536",
		Why:     "perflib.h allows at most 64K (65,536) counters in a set.",
		Fix:     "Write the number of ids into dwCounters. If there are more than 65,536, divide the counters into several sets.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check:   onMultiCounters.check(func(p *pass, l *multiCounters) { p.requireMostCounters(l, "dwCounters", l.dwCounters) }),
	},
	{
		ID: "PERF2307", Name: "v2-multi-counters-duplicate-id", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two ids of a result are the same",
		Why:     "An id identifies one counter, and a counter has one value. If an id occurs twice, a reader finds only one of its two values.",
		Fix:     "Write each id once.",
		Sources: []Source{sourceOf(&layout.PERF_MULTI_COUNTERS, "dwCounters"), counterXML},
		check: onMultiCounters.check(func(p *pass, l *multiCounters) {
			n := len(l.b) / idSize
			p.ids.reset(n)
			for i := range n {
				id := l.id(i)
				if first := p.ids.addNumber(id, uint32(i)+1, func(ref uint32) uint32 { return l.id(int(ref) - 1) }); first != 0 && p.count() {
					p.reportID(l, i, fmt.Sprintf("the id is %d", id), fmt.Sprintf("must differ from id[%d]", first-1))
				}
			}
		}),
	},
	{
		ID: "PERF2308", Name: "v2-data-counter-unknown", Severity: Warning, Since: "v0.1.0",
		Doc:     "each id of a result is registered in the counter set, and a result for all counters has all registered ids",
		Why:     "A reader looks up the type of a counter by its id. If the result has an id that is not registered, the counter has no type, and its value cannot be computed. If the result lacks a registered counter, this counter has no value.",
		Fix:     "Register every counter of the set, and return all of them if all are requested.",
		Sources: []Source{consuming, sourceOf(&layout.PERF_MULTI_COUNTERS, "dwCounters")},
		Needs:   needsRegistrations,
		check:   onMultiCounters.check(counterUnknown),
	},
	{
		ID: "PERF2309", Name: "v2-multi-counters-wildcard-id", Severity: Error, Since: "v0.1.0",
		Doc:     "no id is 0xFFFFFFFF",
		Why:     "0xFFFFFFFF is PERF_WILDCARD_COUNTER. It requests all counters, and identifies none.",
		Fix:     "Write the ids of the counters whose values follow.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_IDENTIFIER, "CounterId")},
		check: onMultiCounters.check(func(p *pass, l *multiCounters) {
			for i := range len(l.b) / idSize {
				if l.id(i) == layout.PERF_WILDCARD_COUNTER && p.count() {
					p.reportID(l, i, "the id is 0xffffffff, PERF_WILDCARD_COUNTER", "must be the id of a counter")
				}
			}
		}),
	},
}

func (l *multiCounters) id(i int) uint32 { return le.Uint32(l.b[idSize*i:]) }

// checkMultiCounters checks the PERF_MULTI_COUNTERS at an offset. It returns the end of the ids with
// their padding, and whether the end is known.
func (p *pass) checkMultiCounters(r *result, at int64) (int64, bool) {
	l := &p.multiCounters
	*l = multiCounters{result: r, off: at}
	if r.end-at >= multiCountersSize {
		ids := multiCountersAt(p.b, at)
		l.dwSize, l.dwCounters = int64(ids.DwSize()), int64(ids.DwCounters())
	}
	if n := idsSize(r.shape.values); n <= r.shape.ids && r.shape.ids <= r.end-at {
		l.b = p.b[at+multiCountersSize : at+n]
	}
	if !onMultiCounters.run(p, l) {
		return 0, false
	}
	end := at + r.shape.ids
	p.padding(l, at+multiCountersSize+int64(len(l.b)), end)
	return end, true
}

// reportID reports id i of the list. The caller must call [pass.count] first, and call reportID
// only if count returns true.
func (p *pass) reportID(l *multiCounters, i int, got, want string) {
	p.list(l.path().At("id", i), l.off+multiCountersSize+int64(idSize*i), idSize, got, want)
}

// countWrong reports whether dwCounters is wrong. It returns false if the number of ids is not
// known.
func (l *multiCounters) countWrong() bool {
	return l.result.shaped && l.dwCounters != l.result.shape.values
}

func idsBounds(p *pass, l *multiCounters) bool {
	rest := l.result.end - l.off
	inside := l.dwSize >= idsSize(l.dwCounters) && l.dwSize <= rest
	switch {
	case !p.requireSize(l, rest, "%s left in the result", "be"):
		return false
	case inside:
	case l.countWrong():
		p.field(l, "dwCounters", l.dwCounters, "must be %d, the number of ids that fill dwSize", l.result.shape.values)
	case l.result.shaped && !idsFit(l.dwCounters, l.dwSize): // dwCounters is right
		p.field(l, "dwSize", l.dwSize, "must be %d, for %s", aligned(idsSize(l.dwCounters)), plural(l.dwCounters, "id"))
	case l.dwSize > rest:
		p.field(l, "dwSize", l.dwSize, "must be %s", atMost(rest, layout.Align, bytesLeft+" in the result"))
	case l.dwSize < multiCountersSize:
		p.field(l, "dwSize", l.dwSize, "must be at least %d", multiCountersSize)
	default:
		p.field(l, "dwCounters", l.dwCounters, "must be at most %d, the number of ids that fit into dwSize", (l.dwSize-multiCountersSize)/idSize)
	}
	return inside || l.result.shaped
}

// counterUnknown reports each unregistered id of the result, except PERF_WILDCARD_COUNTER. If the
// result lacks registered ids, one finding has the number of missing ids and the first of them.
func counterUnknown(p *pass, l *multiCounters) {
	set := l.result.set
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
			p.reportID(l, i, fmt.Sprintf("the id is %d", id), "must be the id of a counter that the set registers")
		}
	}
	if missing := len(set.ids) - present; missing > 0 {
		i := slices.IndexFunc(set.ids, func(id uint32) bool { return p.ids.findNumber(id, number) == 0 })
		if missing == 1 {
			p.field(l, "dwCounters", l.dwCounters, "must count all counters of the set: counter %d is missing", set.ids[i])
			return
		}
		p.field(l, "dwCounters", l.dwCounters, "must count all counters of the set: %d are missing, the first is counter %d", missing, set.ids[i])
	}
}

// idsAt returns dwCounters and dwSize of the PERF_MULTI_COUNTERS at an offset. ok is true if the
// ids fit into dwSize, and dwSize is at most the number of bytes up to lim.
func idsAt(b []byte, at, lim int64) (n, size int64, ok bool) {
	if lim-at < multiCountersSize {
		return 0, 0, false
	}
	ids := multiCountersAt(b, at)
	size, n = int64(ids.DwSize()), int64(ids.DwCounters())
	return n, size, size >= idsSize(n) && size <= lim-at
}

// idsSize returns the size of a PERF_MULTI_COUNTERS with n ids, without padding.
func idsSize(n int64) int64 { return multiCountersSize + idSize*n }

// idsFit reports whether size is the size of n ids, with or without padding.
func idsFit(n, size int64) bool {
	least := idsSize(n)
	return size == least || size == aligned(least)
}

// isPadded reports whether padding follows the n ids of a PERF_MULTI_COUNTERS whose dwSize does not
// include padding. The next record starts at the offset `padded` if there is padding, and
// otherwise at the offset `next`.
func (p *pass) isPadded(t layout.PerfCounterDataType, next, padded, lim, n int64) bool {
	if !hasInstances(t) {
		if fills := p.valuesFill(padded, lim, n); fills != p.valuesFill(next, lim, n) {
			return fills
		}
	}
	switch {
	case looksAfterIDs(p.b, t, next, lim):
		return false
	case looksAfterIDs(p.b, t, padded, lim):
		return true
	}
	return padded <= lim && le.Uint32(p.b[next:]) == 0
}

// valuesFill reports whether n values, with the sizes that they declare, fill the bytes
// from an offset to lim.
func (p *pass) valuesFill(at, lim, n int64) bool {
	for range n {
		size := counterDataLen(p.b, at, lim)
		if size == 0 {
			return false
		}
		p.walked += size
		at += size
	}
	return at == lim
}

// looksAfterIDs reports whether the bytes at an offset look like the record that follows
// the ids.
func looksAfterIDs(b []byte, t layout.PerfCounterDataType, at, lim int64) bool {
	if !hasInstances(t) {
		return plausibleValue(b, at, lim) && counterDataAt(b, at).DwDataSize() > 0 // padding looks like an empty value
	}
	if lim-at < multiInstancesSize {
		return false
	}
	header := multiInstancesAt(b, at)
	total, n := int64(header.DwTotalSize()), int64(header.DwInstances())
	return total >= multiInstancesSize && total <= lim-at && n <= (total-multiInstancesSize)/shortestInstance
}
