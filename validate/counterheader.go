package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// result is a PERF_COUNTER_HEADER and its content.
type result struct {
	layout.Result // the structure, empty if the input ends inside it
	extent        // its end is the end of the input if the end of the result is not known
	index         int
	shape         shape
	shaped        bool                      // shape matches the content; otherwise shape has the declared numbers
	scanned       int64                     // number of instances that the scan accepted
	scannedEnd    int64                     // end of the last of these instances
	content       int64                     // end of the content, -1 if not known
	missing       int64                     // padding bytes that the sizes in the content do not include
	short         bool                      // the result ends before its last value
	identifier    *layout.CounterIdentifier // the identifier that requested the result, nil if not known
	set           *counterSet               // registration of the counter set, nil if not known
	widths        []int64                   // width of each value according to the type of its counter, 0 if not known
}

var onResult = subjectsIn[*result](layout.QueryDataKind)

func (r *result) path() layout.Path { return layout.Path{}.At("result", r.index) }

func (r *result) record() *layout.Record { return &layout.PERF_COUNTER_HEADER }

var counterHeaderRules = []*Rule{
	{
		ID: "PERF2201", Name: "v2-counter-header-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "a result has at least 16 bytes, and its dwSize is at least 16 and at most the number of bytes left in the input",
		Why:     "dwSize is the distance to the next result. If it is too large, a reader reads past the buffer. If it is 0, the reader does not advance.",
		Fix:     "Write the number of bytes from the start of this result to the start of the next result. For the last result, write the number of bytes to the end of the data.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_HEADER, "dwSize"), pcqHeader, consuming},
		check:   onResult.guard(resultBounds),
	},
	{
		ID: "PERF2202", Name: "v2-counter-size-align", Severity: Error, Since: "v0.1.0",
		Doc:     "dwSize of a result is a multiple of 8",
		Why:     "The next result starts dwSize bytes after the start of this result. The next result must be aligned to 8, because readers read its values as 8-byte numbers.",
		Fix:     "Include the padding after ids, names and values in dwSize.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_HEADER, "dwSize"), pcqStructures},
		check: onResult.check(func(p *pass, r *result) {
			// The rule v2-error-return-payload checks dwSize of a PERF_ERROR_RETURN.
			if r.DwType() != layout.PERF_ERROR_RETURN {
				p.requireAligned(r, "dwSize", &r.extent)
			}
		}),
	},
	{
		ID: "PERF2203", Name: "v2-counter-type-known", Severity: Error, Since: "v0.1.0",
		Doc:     "dwType is 0, 1, 2, 4 or 6",
		Why:     "dwType selects the payload format. Other values are undefined.",
		Fix:     "Write PERF_ERROR_RETURN, PERF_SINGLE_COUNTER, PERF_MULTIPLE_COUNTERS, PERF_MULTIPLE_INSTANCES or PERF_COUNTERSET.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_HEADER, "dwType"), pcqHeader},
		check: onResult.guard(func(p *pass, r *result) bool {
			if !r.DwType().Valid() {
				p.field(r, "dwType", r.DwType(), "must be 0, 1, 2, 4 or 6")
				return false
			}
			return true
		}),
	},
	{
		ID: "PERF2204", Name: "v2-counter-reserved-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "Reserved of a result is 0",
		Why:     "No reader uses the field today. A later version of Windows may define it, and readers would then interpret the value.",
		Fix:     "Write 0.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_HEADER, "Reserved"), pcqHeader},
		check:   onResult.check(func(p *pass, r *result) { p.requireZero(r, "Reserved", r.Reserved()) }),
	},
	{
		ID: "PERF2205", Name: "v2-counter-size-sum", Severity: Error, Since: "v0.1.0",
		Doc:     "dwSize of a result is the length of its header and its payload",
		Why:     "Some readers find the next result with dwSize and others at the end of the payload. If the two offsets differ, some readers read wrong bytes as the next result.",
		Fix:     "Set dwSize to the sum of three sizes: 16 for the header, dwSize of the PERF_MULTI_COUNTERS if the result has one, and the size of the data. The size of the data is dwTotalSize if the result has instances, otherwise the sum of the dwSize of all values.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_HEADER, "dwSize"), pcqHeader},
		check: checkList(
			onResult.atEnd(resultSum),
			onResult.atEnd(func(p *pass, r *result) {
				if l := &p.multiCounters; r.DwType() == layout.PERF_MULTIPLE_COUNTERS && r.content >= 0 && l.countWrong() && idsFit(l.dwCounters, l.dwSize) {
					p.field(l, "dwCounters", l.dwCounters, "must be %d, the number of values that fill the result", r.shape.values)
				}
			}),
			onCounterData.check(func(p *pass, v *counterData) {
				if v.instance < 0 {
					v.reportWrongSize(p)
				}
			}),
		),
	},
	{
		ID: "PERF2206", Name: "v2-error-return-payload", Severity: Error, Since: "v0.1.0",
		Doc:     "a PERF_ERROR_RETURN has only its 16 bytes",
		Why:     "An error has no payload. A reader that continues after the 16 bytes reads the following bytes as the next result.",
		Fix:     "Write a dwSize of 16.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_HEADER, "dwType"), pcqHeader},
		check: onResult.atEnd(func(p *pass, r *result) {
			if r.DwType() == layout.PERF_ERROR_RETURN && r.sizeInRange() && r.size != counterHeaderSize {
				p.field(r, "dwSize", r.size, "must be %d: nothing follows the header of an error", counterHeaderSize)
			}
		}),
	},
	{
		ID: "PERF2207", Name: "v2-error-return-status-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwStatus of a PERF_ERROR_RETURN is an error code, not 0",
		Why:     "A reader that checks only dwStatus interprets 0 as success, and then finds no data.",
		Fix:     "Write the Win32 error code, such as 4201 if there are no instances.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_HEADER, "dwStatus")},
		check: onResult.check(func(p *pass, r *result) {
			require(p, r, "dwStatus", r.DwStatus(), r.DwType() != layout.PERF_ERROR_RETURN || r.DwStatus() != 0, "must be an error code")
		}),
	},
	{
		ID: "PERF2208", Name: "v2-error-status-known", Severity: Info, Since: "v0.1.0",
		Doc:     "dwStatus of a PERF_ERROR_RETURN is an error code that the documentation of perflib.h names",
		Why:     "A provider may return any Win32 error code. A number that the documentation does not name may be an error code of another system, or no error code.",
		Fix:     "Look up the number in the list of Win32 error codes. If it is not there, fix the provider so that it returns a Win32 error code.",
		Sources: []Source{pcqHeader, function("PerfQueryCounterData")},
		check: onResult.check(func(p *pass, r *result) {
			if s := r.DwStatus(); r.DwType() == layout.PERF_ERROR_RETURN && s != 0 && layout.StatusName(s) == "" {
				p.field(r, "dwStatus", s, "must be an error code that the documentation names, such as 4201")
			}
		}),
	},
	{
		ID: "PERF2209", Name: "v2-status-with-data", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwStatus of a result with data is 0",
		Why:     "A reader that checks dwStatus ignores the values, and a reader that checks dwType uses them.",
		Fix:     "Set dwStatus to 0. If there was an error, return a PERF_ERROR_RETURN without data instead.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_HEADER, "dwStatus"), informer},
		Misread: []string{"System Informer stops at a result whose dwStatus is not 0, and does not read the results after it"},
		check: onResult.check(func(p *pass, r *result) {
			if r.DwType() != layout.PERF_ERROR_RETURN {
				p.requireZero(r, "dwStatus", r.DwStatus())
			}
		}),
	},
	{
		ID: "PERF2211", Name: "v2-data-identifier-type", Severity: Error, Since: "v0.1.0",
		Doc:     "dwType of a result is the type that its identifier requests, or PERF_ERROR_RETURN",
		Why:     "The identifier selects one counter or all counters, and one instance or a pattern of names. This selection determines the format of the result. A result of another type belongs to another identifier.",
		Fix:     "If the identifier has an exact instance name or no name, return PERF_SINGLE_COUNTER for one counter and PERF_MULTIPLE_COUNTERS for all. If it has a pattern, return PERF_MULTIPLE_INSTANCES for one counter and PERF_COUNTERSET for all.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_HEADER, "dwType"), pcqHeader},
		Needs:   needsIdentifiers,
		check: onResult.check(func(p *pass, r *result) {
			// The rule v2-counter-type-known reports an unknown type.
			if r.identifier == nil || !r.DwType().Valid() || r.DwType() == layout.PERF_ERROR_RETURN {
				return
			}
			if t := requestedType(r.identifier); r.DwType() != t {
				p.field(r, "dwType", r.DwType(), "must be %v, the type that its identifier requests", t)
			}
		}),
	},
}

// newResult sets p.result to result i, which is p.b[at:end], and returns it.
func (p *pass) newResult(i int, at, end int64) *result {
	r := &p.result
	*r = result{extent: extent{off: at, end: end, lim: int64(len(p.b)), least: counterHeaderSize}, index: i, content: -1, widths: r.widths[:0]}
	if end-at >= counterHeaderSize {
		r.Result = counterHeaderAt(p.b, at)
		r.size = int64(r.DwSize())
	}
	return r
}

func (p *pass) checkResult(i int, at, end int64) {
	r := p.newResult(i, at, end)
	r.wrong = r.size != r.length()
	p.relate(r)
	if !onResult.run(p, r) {
		return
	}
	p.checkContent(r)
	onResult.runEnds(p, r)
}

// checkContent checks the bytes of a result after its header.
func (p *pass) checkContent(r *result) {
	t, at := r.DwType(), r.off+counterHeaderSize
	p.acceptDeclared = false
	if !p.plainShape(r, t, at) {
		r.scanned = 0
		r.shape, r.shaped = p.declaredShape(t, at, r.end)
	}
	if !r.shaped || hasIDs(t) && r.shape.end != r.end {
		// The declared sizes and counts do not match the bytes of the result. For example, dwCounters
		// is 2, but the result has 3 values.
		if s, ok := p.findShape(r, t, at); ok {
			r.shape, r.shaped = s, true
		}
	}
	if hasIDs(t) {
		next, ok := p.checkMultiCounters(r, at)
		if !ok {
			return
		}
		at = next
	} else if !r.shaped {
		r.shape.values = 1
	}
	r.missing = aligned(r.shape.ids) - r.shape.ids
	p.setWidths(r)
	switch {
	case t == layout.PERF_ERROR_RETURN:
		r.content = at
	case hasInstances(t):
		p.checkMultiInstances(r, at)
	default:
		end, ok := p.checkValues(r, -1, at, r.end, endFollows(r.end))
		if r.short = end == r.end && !ok; ok {
			r.content = end
		}
	}
}

// addMissing counts the padding bytes that are missing after a record of n bytes. If instance is -1,
// the record belongs to no instance, and addMissing adds the number to r.missing. Otherwise it adds
// the number to p.multiInstances.missing.
func (r *result) addMissing(p *pass, instance int, n int64) {
	if instance < 0 {
		r.missing += aligned(n) - n
	} else {
		p.multiInstances.missing += aligned(n) - n
	}
}

// resultBounds reports a dwSize that is out of range. It returns true if the right size of the
// result is known.
func resultBounds(p *pass, r *result) bool {
	rest := r.lim - r.off
	if !p.requireSize(r, rest, "%s left in the input", "be") {
		return false
	}
	switch {
	case r.sizeInRange():
		return true
	case r.wrong:
		p.reportLength(r, "dwSize", r.size, r.length(), rest, "the size of the header and the content")
		return true
	default:
		p.field(r, "dwSize", r.size, "must be %s", upTo(counterHeaderSize, rest, layout.Align, bytesLeft+" in the input"))
		return false
	}
}

// resultSum reports a dwSize that does not match the end of the content, or that is too small for
// the number of values. If dwSize is not too small, but the end of the content is not known, another
// rule has reported the reason.
func resultSum(p *pass, r *result) {
	switch {
	case r.DwType() == layout.PERF_ERROR_RETURN || !r.sizeInRange() || r.size%layout.Align != 0:
	case r.short && r.shape.values == 1:
		p.field(r, "dwSize", r.size, "must be larger, because the result must have a value")
	case r.short:
		p.field(r, "dwSize", r.size, "must be larger, because the result must have %d values", r.shape.values)
	case r.content >= 0 && r.content-r.off != r.size:
		p.field(r, "dwSize", r.size, "must be %s", requiredSizeText(r.size, r.content-r.off, r.missing, "the size of the header and the content"))
	}
}

// requiredSizeText returns the required size and the reason, for example "40, the size of the header
// and the content". The required size is sum plus missing:
//   - sum is the size of the header plus the declared sizes of the records after it
//   - missing is the number of padding bytes that these declared sizes do not include
//
// declared is the value of the reported field, such as dwSize.
func requiredSizeText(declared, sum, missing int64, reason string) string {
	if sum+missing == declared {
		// The declared size is right, but a record after the header declares a size that does not
		// include its padding.
		return fmt.Sprintf("the size of the header plus the sizes of the records after it: this sum is %d, because at least one of the sizes is not a multiple of 8", sum)
	}
	return fmt.Sprintf("%d, %s", sum+missing, reason)
}

func requestedType(id *layout.CounterIdentifier) layout.PerfCounterDataType {
	all, several := id.CounterId() == layout.PERF_WILDCARD_COUNTER, wildcard(id.Name().Bytes()) >= 0
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

var resultRecord = recordType{
	field: layout.PERF_COUNTER_HEADER.Field("dwSize").At, least: counterHeaderSize, aligned: true, proven: true,
	plausible: plausibleResult,
	required: func(p *pass, at, lim int64) (int64, int64) {
		t := counterHeaderAt(p.b, at).DwType()
		if p.searchable <= 0 || !t.Valid() {
			return 0, 0
		}
		p.walked = counterHeaderSize
		s, ok := p.declaredShape(t, at+counterHeaderSize, lim)
		p.acceptDeclared = false
		p.searchable -= p.walked
		if !ok {
			return 0, 0
		}
		return s.end - at, 0
	},
}

func plausibleResult(b []byte, at, lim int64) bool {
	if lim-at < counterHeaderSize {
		return false
	}
	header := counterHeaderAt(b, at)
	size := int64(header.DwSize())
	return header.DwType().Valid() && header.Reserved() == 0 &&
		size >= counterHeaderSize && size <= lim-at && size%layout.Align == 0
}
