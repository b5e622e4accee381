package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// result is a PERF_COUNTER_HEADER and what is in it.
type result struct {
	layout.Result // its header
	index         int
	off, end      int64
	wanted        int64 // the dwSize that leads to the next answer, 0 where its own may
	shape         shape
	plain         int64 // how many instances have been passed over when the shape was found
	plainEnd      int64 // where they end
	shaped        bool  // the shape is how things are
	content       int64 // where the content ends, -1 where that is not known
	lacking       int64 // bytes by which the sizes in it are less than multiples of 8
	short         bool  // bytes ended where a value was due
	identifier    *layout.CounterIdentifier
	set           *counterSet // of which the answer is, nil where that is not known
	widths        []int64     // of the values that belong together, 0 where that is not known
}

var onResult = subjectsIn[*result](layout.QueryDataKind)

func (a *result) path() layout.Path { return layout.Path{}.At("result", a.index) }

func (a *result) record() *layout.Record { return &layout.PERF_COUNTER_HEADER }

func (a *result) start() int64 { return a.off }

var counterHeaderRules = []*Rule{
	{
		ID: "PERF2201", Name: "v2-counter-header-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "a result has the 16 bytes of a PERF_COUNTER_HEADER, and its dwSize is at least 16 and does not exceed the bytes left",
		Why:     "dwSize is the distance to the next result. If it is too large a reader reads past the buffer, and with 0 it does not advance.",
		Fix:     "Write the 16 bytes of the header plus all bytes up to the next result.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "dwSize"), pcqHeader, consuming},
		check:   onResult.guard(resultBounds),
	},
	{
		ID: "PERF2202", Name: "v2-counter-size-align", Severity: Error, Since: "v0.1.0",
		Doc:     "dwSize of a result is a multiple of 8",
		Why:     "The next result starts dwSize bytes later and must be aligned to 8, because its values are read as 8-byte numbers.",
		Fix:     "Include the padding after ids, names and values in dwSize.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "dwSize"), pcqStructures},
		check:   onResult.check(resultAlign),
	},
	{
		ID: "PERF2203", Name: "v2-counter-type-known", Severity: Error, Since: "v0.1.0",
		Doc:     "dwType is 0, 1, 2, 4 or 6",
		Why:     "dwType selects the payload format. Other values are undefined.",
		Fix:     "Write PERF_ERROR_RETURN, PERF_SINGLE_COUNTER, PERF_MULTIPLE_COUNTERS, PERF_MULTIPLE_INSTANCES or PERF_COUNTERSET.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "dwType"), pcqHeader},
		check:   onResult.guard(resultType),
	},
	{
		ID: "PERF2204", Name: "v2-counter-reserved-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "Reserved of a result is 0",
		Why:     "A later version of Windows may define the field. Until then another value was written by mistake.",
		Fix:     "Write 0.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "Reserved"), pcqHeader},
		check:   onResult.check(resultReserved),
	},
	{
		ID: "PERF2205", Name: "v2-counter-size-sum", Severity: Error, Since: "v0.1.0",
		Doc:     "the header plus the payload of a result is its dwSize",
		Why:     "Some readers find the next result with dwSize and others at the end of the payload. If the two differ, some of them read wrong bytes as the next result.",
		Fix:     "Add 16 bytes for the header, the dwSize of the ids, and the dwSize of the values or the dwTotalSize of the instances.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "dwSize"), pcqHeader},
		check:   several{onResult.atEnd(resultSum), onResult.atEnd(resultSumOfIDs), onCounterData.check(counterDataResultSum)},
	},
	{
		ID: "PERF2206", Name: "v2-error-return-payload", Severity: Error, Since: "v0.1.0",
		Doc:     "a PERF_ERROR_RETURN has only its 16 bytes",
		Why:     "An error has no payload. A reader that continues after the header takes the bytes for the next result.",
		Fix:     "Write a dwSize of 16.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "dwType"), pcqHeader},
		check:   onResult.atEnd(errorPayload),
	},
	{
		ID: "PERF2207", Name: "v2-error-return-status-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwStatus of a PERF_ERROR_RETURN is an error",
		Why:     "A reader that checks only dwStatus takes 0 for success and then finds no data.",
		Fix:     "Write the Win32 error, 4201 if there are no instances.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "dwStatus")},
		check:   onResult.check(errorZero),
	},
	{
		ID: "PERF2208", Name: "v2-error-status-known", Severity: Info, Since: "v0.1.0",
		Doc:     "dwStatus of a PERF_ERROR_RETURN is one that the perflib.h documentation names",
		Why:     "A provider may return any error, but another number may have a different purpose or be no Win32 error.",
		Fix:     "Look up the number in the list of Win32 errors, and check the provider's collection code.",
		Sources: []Source{pcqHeader, function("PerfQueryCounterData")},
		check:   onResult.check(errorKnown),
	},
	{
		ID: "PERF2209", Name: "v2-status-with-data", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwStatus of a result with data is 0",
		Why:     "A reader that checks dwStatus ignores the values, and a reader that checks dwType uses them.",
		Fix:     "Write 0 if the result has data, or a PERF_ERROR_RETURN without data.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "dwStatus"), informer},
		Misread: []string{"System Informer stops at a result whose dwStatus is not 0, and loses the results after it too"},
		check:   onResult.check(statusWithData),
	},
	{
		ID: "PERF2211", Name: "v2-data-identifier-type", Severity: Error, Since: "v0.1.0",
		Doc:     "dwType of a result is the one that its identifier requests, or PERF_ERROR_RETURN",
		Why:     "The identifier selects one counter or all, and one instance or a pattern. This determines the format of the result. A result of another type belongs to another identifier.",
		Fix:     "For an exact instance name or none, return PERF_SINGLE_COUNTER, or PERF_MULTIPLE_COUNTERS for all counters. For a pattern, return PERF_MULTIPLE_INSTANCES, or PERF_COUNTERSET for all counters.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "dwType"), pcqHeader},
		Needs:   needsIdentifiers,
		check:   onResult.check(identifierType),
	},
}

// checkLostResult validates what stands where an answer should, and is none.
func (p *pass) checkLostResult(i int, at int64) {
	a := &p.res
	*a = result{index: i, off: at, end: int64(len(p.b)), content: -1, widths: a.widths[:0]}
	if rest := p.b[at:]; len(rest) >= counterHeaderSize {
		a.Span = layout.NewSpan(rest[:counterHeaderSize], at)
	}
	onResult.holds(p, a)
}

// checkResult validates the answer from an offset to its end.
func (p *pass) checkResult(i int, at, end int64) {
	a := &p.res
	*a = result{index: i, off: at, end: end, content: -1, widths: a.widths[:0]}
	a.Span = layout.NewSpan(p.b[at:at+counterHeaderSize], at)
	if size := int64(a.DwSize()); size != end-at {
		a.wanted = end - at
	}
	p.relate(a)
	if !onResult.holds(p, a) {
		return
	}
	p.checkContent(a)
	onResult.end(p, a)
}

// checkContent validates what is in an answer by its shape: the one it says it has, or one
// that fits better.
func (p *pass) checkContent(a *result) {
	t, at := a.DwType(), a.off+counterHeaderSize
	p.literal = false
	if !p.plainShape(a, t, at) {
		a.plain = 0
		a.shape, a.shaped = p.saidShape(t, at, a.end)
	}
	if !a.shaped || hasIDs(t) && a.shape.end != a.end { // a number of ids that is too small leaves values after
		if s, ok := p.foundShape(a, t, at); ok {
			a.shape, a.shaped = s, true
		}
	}
	if hasIDs(t) {
		next, ok := p.checkIDs(a, at)
		if !ok {
			return
		}
		at = next
	} else if !a.shaped {
		a.shape.values = 1
	}
	a.lacking = aligned(a.shape.ids) - a.shape.ids
	p.setWidths(a)
	switch {
	case t == layout.PERF_ERROR_RETURN:
		a.content = at
	case hasInstances(t):
		p.checkMultiInstances(a, at)
	default:
		end, ok := p.checkValues(a, -1, at, a.end, endFollows)
		if a.short = end == a.end && !ok; ok {
			a.content = end
		}
	}
}

// lack notes by how much the n bytes of a value, or of an instance, are less than a
// multiple of 8.
func (a *result) lack(p *pass, instance int, n int64) {
	if instance < 0 {
		a.lacking += aligned(n) - n
	} else {
		p.multiInstances.lacking += aligned(n) - n
	}
}

// resultBounds goes on where the content tells the right size, which has its rule.
func resultBounds(p *pass, a *result) bool {
	rest := int64(len(p.b)) - a.off
	if rest < counterHeaderSize {
		p.bytes(a, "", a.off, int(rest), byteCount(rest)+" left", "must be at least 16, the size of PERF_COUNTER_HEADER")
		return false
	}
	switch size := int64(a.DwSize()); {
	case a.sizeHolds(p):
		return true
	case a.wanted != 0:
		p.field(a, "dwSize", size, "must be %s, for what is in the result", eight(a.wanted))
		return true
	default:
		p.field(a, "dwSize", size, "must be %s, the bytes left", eights(counterHeaderSize, rest))
		return false
	}
}

// sizeHolds reports whether dwSize could be the size of the answer.
func (a *result) sizeHolds(p *pass) bool {
	size := int64(a.DwSize())
	return size >= counterHeaderSize && size <= int64(len(p.b))-a.off
}

// resultAlign leaves an error, which has a size of its own, to the rule for that.
func resultAlign(p *pass, a *result) {
	if a.DwType() != layout.PERF_ERROR_RETURN && a.sizeHolds(p) && a.DwSize()%layout.Align != 0 {
		p.field(a, "dwSize", a.DwSize(), "must be %s", multiple(a.wanted != 0, a.wanted))
	}
}

func resultType(p *pass, a *result) bool {
	if !a.DwType().Valid() {
		p.field(a, "dwType", a.DwType(), "must be 0, 1, 2, 4 or 6")
		return false
	}
	return true
}

func resultReserved(p *pass, a *result) {
	if a.Reserved() != 0 {
		p.field(a, "Reserved", a.Reserved(), "must be 0")
	}
}

// resultSum is silent where it is not known where the content ends: what is wrong in it
// has been said.
func resultSum(p *pass, a *result) {
	size := int64(a.DwSize())
	switch {
	case a.DwType() == layout.PERF_ERROR_RETURN || !a.sizeHolds(p) || size%layout.Align != 0:
	case a.short && a.shape.values == 1:
		p.field(a, "dwSize", size, "must be larger: it ends before the value")
	case a.short:
		p.field(a, "dwSize", size, "must be larger: the values end before there are %d", a.shape.values)
	case a.content >= 0 && a.content-a.off != size:
		p.field(a, "dwSize", size, "must be %s", sum(size, a.content-a.off, a.lacking, "for what is in the result"))
	}
}

// sum says which size is required where the sizes of the content add up to n, which is
// not the size that is there. The content lacks bytes to make its sizes multiples of 8.
func sum(size, n, lacking int64, reason string) string {
	if n+lacking == size {
		return fmt.Sprintf("the sum of the sizes in it: they are not all multiples of 8, and add up to %d", n)
	}
	return fmt.Sprintf("%d, %s", n+lacking, reason)
}

// resultSumOfIDs blames the number of ids, where there are as many values as ids without it.
func resultSumOfIDs(p *pass, a *result) {
	if a.DwType() != layout.PERF_MULTIPLE_COUNTERS || a.content < 0 {
		return
	}
	if l := &p.multiCounters; l.counted() && idsFit(l.n, l.size) {
		p.field(l, "dwCounters", l.n, "must be %d, the values that fill the result", a.shape.values)
	}
}

// counterDataResultSum blames the size of a value, where the others fill the answer without it.
func counterDataResultSum(p *pass, v *counterData) {
	if v.instance < 0 {
		p.misleads(v)
	}
}

func errorPayload(p *pass, a *result) {
	if a.DwType() == layout.PERF_ERROR_RETURN && a.sizeHolds(p) && a.DwSize() != counterHeaderSize {
		p.field(a, "dwSize", a.DwSize(), "must be 16, as nothing follows an error")
	}
}

func errorZero(p *pass, a *result) {
	if a.DwType() == layout.PERF_ERROR_RETURN && a.DwStatus() == 0 {
		p.field(a, "dwStatus", 0, "must be an error")
	}
}

func errorKnown(p *pass, a *result) {
	if s := a.DwStatus(); a.DwType() == layout.PERF_ERROR_RETURN && s != 0 && layout.StatusName(s) == "" {
		p.field(a, "dwStatus", s, "must be an error that the documentation names, such as 4201")
	}
}

func statusWithData(p *pass, a *result) {
	if a.DwType() != layout.PERF_ERROR_RETURN && a.DwStatus() != 0 {
		p.field(a, "dwStatus", a.DwStatus(), "must be 0")
	}
}

// identifierType does not report a type that there is not, which has its rule.
func identifierType(p *pass, a *result) {
	if a.identifier == nil || !a.DwType().Valid() || a.DwType() == layout.PERF_ERROR_RETURN {
		return
	}
	if t := asksFor(a.identifier); a.DwType() != t {
		p.field(a, "dwType", a.DwType(), "must be %v, for which its identifier asks", t)
	}
}

// asksFor returns the type of answer to an identifier.
func asksFor(id *layout.CounterIdentifier) layout.PerfCounterDataType {
	all, several := id.CounterId() == layout.PERF_WILDCARD_COUNTER, pattern(nameOf(id)) >= 0
	switch {
	case all && several:
		return layout.PERF_COUNTERSET
	case several:
		return layout.PERF_MULTIPLE_INSTANCES
	case all:
		return layout.PERF_MULTIPLE_COUNTERS
	}
	return layout.PERF_SINGLE_COUNTER
}
