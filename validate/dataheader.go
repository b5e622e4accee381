package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// queryData is the PERF_DATA_HEADER and the results after it.
type queryData struct {
	atStart
	layout.QueryData       // the structure, empty if the input ends inside it
	end              int64 // end of the last result found
	results          series
}

var onQueryData = subjectsIn[*queryData](layout.QueryDataKind)

func (q *queryData) record() *layout.Record { return &layout.PERF_DATA_HEADER }

var dataHeaderRules = []*Rule{
	{
		ID: "PERF2101", Name: "v2-buffer-too-short", Severity: Error, Since: "v0.1.0",
		Doc:     "query data has at least the 48 bytes of a PERF_DATA_HEADER",
		Why:     "These bytes contain the size of the data and the number of results. A shorter input was cut off, or is the buffer of a failed call.",
		Fix:     "Check the return value of PerfQueryCounterData, and use as many bytes as it returned.",
		Sources: []Source{{layout.PERF_DATA_HEADER.C, layout.PERF_DATA_HEADER.Source}, function("PerfQueryCounterData")},
		check: onQueryData.guard(func(p *pass, q *queryData) bool {
			return p.requireSize(q, int64(len(p.b)), "the input has %s", "have")
		}),
	},
	{
		ID: "PERF2102", Name: "v2-total-size-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "dwTotalSize is at least 48 and does not exceed the length of the input",
		Why:     "The data ends at dwTotalSize. If dwTotalSize is past the end of the buffer, a reader that trusts dwTotalSize reads other memory.",
		Fix:     "Set dwTotalSize to 48, the size of the header, plus the dwSize of each result.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_HEADER, "dwTotalSize"), consuming},
		check: onQueryData.check(func(p *pass, q *queryData) {
			switch {
			case q.totalInRange(p):
			case q.results.whole:
				p.reportLength(q, "dwTotalSize", int64(q.DwTotalSize()), q.end, int64(len(p.b)), "where the last result ends")
			default:
				p.field(q, "dwTotalSize", q.DwTotalSize(), "must be %s", upTo(dataHeaderSize, int64(len(p.b)), layout.Align, inputLength))
			}
		}),
	},
	{
		ID: "PERF2103", Name: "v2-total-size-align", Severity: Error, Since: "v0.1.0",
		Doc:     "dwTotalSize is a multiple of 8",
		Why:     "The size of the header is 48 and the size of every result is a multiple of 8, so the sum is a multiple of 8. Another number includes bytes that do not exist, or omits padding.",
		Fix:     "Include the padding of every result in its dwSize, and add these sizes up.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_HEADER, "dwTotalSize"), pcqStructures},
		check: onQueryData.check(func(p *pass, q *queryData) {
			if q.totalInRange(p) && q.DwTotalSize()%layout.Align != 0 {
				p.field(q, "dwTotalSize", q.DwTotalSize(), "must be %s", multiple(q.results.whole, q.end))
			}
		}),
	},
	{
		ID: "PERF2104", Name: "v2-total-size-sum", Severity: Error, Since: "v0.1.0",
		Doc:     "the header plus the dwSize of all results is dwTotalSize",
		Why:     "Some readers stop at dwTotalSize and others after dwNumCounters results. If these two ends differ, some readers miss results, and others read bytes that are not a result.",
		Fix:     "Set dwTotalSize to 48, the size of the header, plus the dwSize of each result.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_HEADER, "dwTotalSize"), pcqData},
		check: onQueryData.check(func(p *pass, q *queryData) {
			// Other rules report a wrong dwNumCounters, and a dwTotalSize that is out of range or not a
			// multiple of 8. If q.end, where the last result ends, is not a multiple of 8, the right
			// dwTotalSize is not known, and another rule reports a wrong size in the results.
			if total := int64(q.DwTotalSize()); q.totalInRange(p) && q.results.whole && q.end != total && q.results.count() == int64(q.DwNumCounters()) && total%layout.Align == 0 && q.end%layout.Align == 0 {
				p.field(q, "dwTotalSize", total, "must be %d, where the last result ends", q.end)
			}
		}),
	},
	{
		ID: "PERF2105", Name: "v2-counter-count-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "the data has space for dwNumCounters results of at least 16 bytes",
		Why:     "A reader that first allocates dwNumCounters results may run out of memory.",
		Fix:     "Write the number of results that follow the header.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_HEADER, "dwNumCounters"), consuming},
		check: onQueryData.check(func(p *pass, q *queryData) {
			switch n, most := int64(q.DwNumCounters()), q.mostResults(p); {
			case n <= most:
			case q.results.whole:
				p.field(q, "dwNumCounters", n, "must be %d, the number of results", q.results.count())
			default:
				p.field(q, "dwNumCounters", n, "must be at most %d, the number of results that fit into the data", most)
			}
		}),
	},
	{
		ID: "PERF2106", Name: "v2-counter-count-match", Severity: Error, Since: "v0.1.0",
		Doc:     "the data has as many results as dwNumCounters declares",
		Why:     "If dwNumCounters is too large, a reader that counts the results reads past the last result. If dwNumCounters is too small, the reader misses the last results.",
		Fix:     "Write the number of results that follow the header.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_HEADER, "dwNumCounters"), pcqData},
		check: onQueryData.check(func(p *pass, q *queryData) {
			if n := int64(q.DwNumCounters()); q.results.whole && n != q.results.count() && n <= q.mostResults(p) {
				p.field(q, "dwNumCounters", n, "must be %d, the number of results", q.results.count())
			}
		}),
	},
	{
		ID: "PERF2107", Name: "v2-no-counters", Severity: Info, Since: "v0.1.0",
		Doc:     "query data has at least one result",
		Why:     "A query without counters returns the 48 bytes of the header and nothing else. If PerfAddCounters cannot add a counter, it writes the reason into Status of the identifier.",
		Fix:     "Check the Status of the identifiers: 4200 means that no provider has the counter set.",
		Sources: []Source{wineTest, function("PerfAddCounters")},
		check: onQueryData.check(func(p *pass, q *queryData) {
			if q.results.whole && q.results.count() == 0 && q.DwNumCounters() == 0 {
				p.field(q, "dwNumCounters", 0, "must be at least 1")
			}
		}),
	},
	{
		ID: "PERF2114", Name: "v2-data-identifier-count", Severity: Error, Since: "v0.1.0",
		Doc:     "query data has one result for each identifier of the query",
		Why:     "Results have no name: the Index of an identifier is the position of its result. If a result is missing or extra, values are assigned to the wrong counter.",
		Fix:     "Take the identifiers and the data from the same query. Do not add or remove counters between the calls of PerfQueryCounterInfo and PerfQueryCounterData.",
		Sources: []Source{function("PerfQueryCounterInfo"), sourceOf(&layout.PERF_DATA_HEADER, "dwNumCounters")},
		Needs:   needsIdentifiers,
		check: onQueryData.check(func(p *pass, q *queryData) {
			if all := p.known.identifiers; all != nil && int64(q.DwNumCounters()) != int64(len(all)) {
				p.field(q, "dwNumCounters", q.DwNumCounters(), "must be %d, the number of identifiers of the query", len(all))
			}
		}),
	},
}

func (p *pass) checkQueryData() {
	q := &p.queryData
	*q = queryData{end: int64(len(p.b)), results: q.results}
	if q.end >= dataHeaderSize {
		q.QueryData = layout.QueryData{Span: span(p.b, 0, dataHeaderSize)}
		p.findResults(q)
	}
	if !onQueryData.run(p, q) {
		return
	}
	at := int64(dataHeaderSize)
	for i, next := range q.results.steps {
		p.checkResult(i, at, at+next.n)
		at += next.n
	}
	if !q.results.whole { // the end of the next result is not known, so only its header is checked
		onResult.run(p, p.newResult(len(q.results.steps), at, int64(len(p.b))))
	}
	switch p.input.end = q.end; {
	case q.totalInRange(p):
		p.input.end = max(q.end, int64(q.DwTotalSize()))
	case !q.results.whole: // the remaining bytes belong to a result
		p.input.end = int64(len(p.b))
	}
	onQueryData.runEnds(p, q)
}

func (q *queryData) totalInRange(p *pass) bool {
	t := int64(q.DwTotalSize())
	return t >= dataHeaderSize && t <= int64(len(p.b))
}

// findResults finds the results and their end.
func (p *pass) findResults(q *queryData) {
	s := &q.results
	*s = series{record: &resultRecord, from: dataHeaderSize, n: int64(q.DwNumCounters()), total: -1, steps: s.steps[:0]}
	if q.totalInRange(p) {
		s.total = int64(q.DwTotalSize())
	}
	p.findRecords(s)
	q.end = s.end
}

// multiple returns the text "a multiple of 8". If n is the right number (known is true) and is a
// multiple of 8, the text starts with n, for example "40, a multiple of 8".
func multiple(known bool, n int64) string {
	if known && n%layout.Align == 0 {
		return fmt.Sprintf("%d, a multiple of 8", n)
	}
	return "a multiple of 8"
}

// mostResults returns the largest number of results that fit into the data.
func (q *queryData) mostResults(p *pass) int64 {
	return (int64(max(len(p.b), int(min(q.DwTotalSize(), 1<<31-1)))) - dataHeaderSize) / counterHeaderSize
}
