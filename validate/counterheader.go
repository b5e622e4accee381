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
		Doc:     "an answer has the 16 bytes of a PERF_COUNTER_HEADER, and its dwSize is at least those and no more than the bytes left",
		Why:     "dwSize leads to the next answer. A reader that trusts it reads past the end of the buffer, and one of 0 keeps it where it is.",
		Fix:     "Write the 16 bytes of the header and all that follows it up to the next answer.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "dwSize"), pcqHeader, consuming},
		check:   onResult.guard(answerBounds),
	},
	{
		ID: "PERF2202", Name: "v2-counter-size-align", Severity: Error, Since: "v0.1.0",
		Doc:     "the dwSize of an answer is a multiple of 8",
		Why:     "The next answer starts behind it, and has to stand on a multiple of 8: the values in it are read as numbers of 8 bytes.",
		Fix:     "Count the padding behind ids, names and values into dwSize.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "dwSize"), pcqStructures},
		check:   onResult.check(answerAlign),
	},
	{
		ID: "PERF2203", Name: "v2-counter-type-known", Severity: Error, Since: "v0.1.0",
		Doc:     "dwType is one of the five: 0, 1, 2, 4 or 6",
		Why:     "It says what is in the answer. Of another, nobody knows.",
		Fix:     "Write PERF_ERROR_RETURN, PERF_SINGLE_COUNTER, PERF_MULTIPLE_COUNTERS, PERF_MULTIPLE_INSTANCES or PERF_COUNTERSET.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "dwType"), pcqHeader},
		check:   onResult.guard(answerType),
	},
	{
		ID: "PERF2204", Name: "v2-counter-reserved-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "the Reserved of an answer is 0",
		Why:     "A later version may give it a meaning. Until then what stands there was not written on purpose.",
		Fix:     "Write 0.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "Reserved"), pcqHeader},
		check:   onResult.check(answerReserved),
	},
	{
		ID: "PERF2205", Name: "v2-counter-size-sum", Severity: Error, Since: "v0.1.0",
		Doc:     "the header and what is in an answer add up to its dwSize",
		Why:     "Some readers go to the next answer by dwSize and some by what they have read. Where the two differ, one of them ends up in the middle of something.",
		Fix:     "Add up 16 bytes for the header, the dwSize of the ids, and the dwSize of the values or the dwTotalSize of the instances.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "dwSize"), pcqHeader},
		check:   several{onResult.atEnd(answerSum), onResult.atEnd(answerSumOfIDs), onCounterData.check(rawAnswerSum)},
	},
	{
		ID: "PERF2206", Name: "v2-error-return-payload", Severity: Error, Since: "v0.1.0",
		Doc:     "a PERF_ERROR_RETURN is its 16 bytes and nothing else",
		Why:     "There is nothing to say of a counter that could not be answered but the error. A reader that goes on behind the header takes what is there for the next answer.",
		Fix:     "Write a dwSize of 16.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "dwType"), pcqHeader},
		check:   onResult.atEnd(errorPayload),
	},
	{
		ID: "PERF2207", Name: "v2-error-return-status-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "the dwStatus of a PERF_ERROR_RETURN is an error",
		Why:     "A reader that looks at dwStatus first takes 0 for success, and then finds no data.",
		Fix:     "Write the Win32 error, 4201 where there are no instances.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "dwStatus")},
		check:   onResult.check(errorZero),
	},
	{
		ID: "PERF2208", Name: "v2-error-status-known", Severity: Info, Since: "v0.1.0",
		Doc:     "the dwStatus of a PERF_ERROR_RETURN is one that the documentation of perflib.h speaks of",
		Why:     "A provider may return any error, but one that is not among those was meant for something else, or is no Win32 error at all.",
		Fix:     "Look up the number among the Win32 errors, and what the provider does when it collects.",
		Sources: []Source{pcqHeader, function("PerfQueryCounterData")},
		check:   onResult.check(errorKnown),
	},
	{
		ID: "PERF2209", Name: "v2-status-with-data", Severity: Warning, Since: "v0.1.0",
		Doc:     "the dwStatus of an answer with data is 0",
		Why:     "A reader that looks at dwStatus takes no values of the answer, and one that looks at dwType does.",
		Fix:     "Write 0 beside data, or a PERF_ERROR_RETURN without any.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "dwStatus"), informer},
		Misread: []string{"System Informer gets no further than an answer whose dwStatus is not 0, and loses those behind it too"},
		check:   onResult.check(statusWithData),
	},
	{
		ID: "PERF2211", Name: "v2-data-identifier-type", Severity: Error, Since: "v0.1.0",
		Doc:     "the dwType of an answer is the one that its identifier asks for, or PERF_ERROR_RETURN",
		Why:     "One counter or all of them, one instance or a pattern: that decides how the answer is laid out. An answer of another type belongs to another identifier.",
		Fix:     "Answer an exact name or none with PERF_SINGLE_COUNTER or PERF_MULTIPLE_COUNTERS, a pattern with PERF_MULTIPLE_INSTANCES or PERF_COUNTERSET; the second of each for all counters.",
		Sources: []Source{of(&layout.PERF_COUNTER_HEADER, "dwType"), pcqHeader},
		Needs:   needsIdentifiers,
		check:   onResult.check(identifierType),
	},
}

// lostAnswer judges what stands where an answer should, and is none.
func (p *pass) lostAnswer(i int, at int64) {
	a := &p.res
	*a = result{index: i, off: at, end: int64(len(p.b)), content: -1, widths: a.widths[:0]}
	if rest := p.b[at:]; len(rest) >= answerSize {
		a.Span = layout.NewSpan(rest[:answerSize], at)
	}
	onResult.holds(p, a)
}

// checkAnswer judges the answer from an offset to its end.
func (p *pass) checkAnswer(i int, at, end int64) {
	a := &p.res
	*a = result{index: i, off: at, end: end, content: -1, widths: a.widths[:0]}
	a.Span = layout.NewSpan(p.b[at:at+answerSize], at)
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

// checkContent judges what is in an answer by its shape: the one it says it has, or one
// that fits better.
func (p *pass) checkContent(a *result) {
	t, at := a.DwType(), a.off+answerSize
	p.literal = false
	if !p.plainShape(a, t, at) {
		a.plain = 0
		a.shape, a.shaped = p.saidShape(t, at, a.end)
	}
	if !a.shaped || hasIDs(t) && a.shape.end != a.end { // a number of ids that is too small leaves values behind
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
		p.checkTable(a, at)
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

// answerBounds goes on where the content tells the right size, which has its rule.
func answerBounds(p *pass, a *result) bool {
	rest := int64(len(p.b)) - a.off
	if rest < answerSize {
		p.bytes(a, "", a.off, int(rest), fmt.Sprintf("%d bytes are left", rest), "the 16 of an answer")
		return false
	}
	switch size := int64(a.DwSize()); {
	case a.sizeHolds(p):
		return true
	case a.wanted != 0:
		p.field(a, "dwSize", size, "%s, for what is in the answer", eight(a.wanted))
		return true
	default:
		p.field(a, "dwSize", size, "%s, the bytes left", eights(answerSize, rest))
		return false
	}
}

// sizeHolds reports whether dwSize could be the size of the answer.
func (a *result) sizeHolds(p *pass) bool {
	size := int64(a.DwSize())
	return size >= answerSize && size <= int64(len(p.b))-a.off
}

// answerAlign leaves an error, which has a size of its own, to the rule for that.
func answerAlign(p *pass, a *result) {
	if a.DwType() != layout.PERF_ERROR_RETURN && a.sizeHolds(p) && a.DwSize()%layout.Align != 0 {
		p.field(a, "dwSize", a.DwSize(), "%s", multiple(a.wanted != 0, a.wanted))
	}
}

func answerType(p *pass, a *result) bool {
	if !a.DwType().Valid() {
		p.field(a, "dwType", a.DwType(), "0, 1, 2, 4 or 6")
		return false
	}
	return true
}

func answerReserved(p *pass, a *result) {
	if a.Reserved() != 0 {
		p.field(a, "Reserved", a.Reserved(), "0")
	}
}

// answerSum is silent where it is not known where the content ends: what is wrong in it
// has been said.
func answerSum(p *pass, a *result) {
	size := int64(a.DwSize())
	switch {
	case a.DwType() == layout.PERF_ERROR_RETURN || !a.sizeHolds(p) || size%layout.Align != 0:
	case a.short && a.shape.values == 1:
		p.field(a, "dwSize", size, "more, as it ends before the value")
	case a.short:
		p.field(a, "dwSize", size, "more, as the values end before there are %d", a.shape.values)
	case a.content >= 0 && a.content-a.off != size:
		p.field(a, "dwSize", size, "%s", sum(size, a.content-a.off, a.lacking, "for what is in the answer"))
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

// answerSumOfIDs blames the number of ids, where there are as many values as ids without it.
func answerSumOfIDs(p *pass, a *result) {
	if a.DwType() != layout.PERF_MULTIPLE_COUNTERS || a.content < 0 {
		return
	}
	if l := &p.multiCounters; l.counted() && idsFit(l.n, l.size) {
		p.field(l, "dwCounters", l.n, "%d, the values that fill the answer", a.shape.values)
	}
}

// rawAnswerSum blames the size of a value, where the others fill the answer without it.
func rawAnswerSum(p *pass, v *counterData) {
	if v.instance < 0 {
		p.misleads(v)
	}
}

func errorPayload(p *pass, a *result) {
	if a.DwType() == layout.PERF_ERROR_RETURN && a.sizeHolds(p) && a.DwSize() != answerSize {
		p.field(a, "dwSize", a.DwSize(), "16, as nothing follows an error")
	}
}

func errorZero(p *pass, a *result) {
	if a.DwType() == layout.PERF_ERROR_RETURN && a.DwStatus() == 0 {
		p.field(a, "dwStatus", 0, "an error")
	}
}

func errorKnown(p *pass, a *result) {
	if s := a.DwStatus(); a.DwType() == layout.PERF_ERROR_RETURN && s != 0 && layout.StatusName(s) == "" {
		p.field(a, "dwStatus", s, "an error that the documentation names, such as 4201")
	}
}

func statusWithData(p *pass, a *result) {
	if a.DwType() != layout.PERF_ERROR_RETURN && a.DwStatus() != 0 {
		p.field(a, "dwStatus", a.DwStatus(), "0")
	}
}

// identifierType has nothing to say of a type that there is not, which has its rule.
func identifierType(p *pass, a *result) {
	if a.identifier == nil || !a.DwType().Valid() || a.DwType() == layout.PERF_ERROR_RETURN {
		return
	}
	if t := asksFor(a.identifier); a.DwType() != t {
		p.field(a, "dwType", a.DwType(), "%v, for which its identifier asks", t)
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
