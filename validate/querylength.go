package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var queryLengthRules = []*Rule{
	{
		ID: "PERF2101", Name: "v2-buffer-too-short", Severity: Error, Since: "v0.1.0",
		Doc:     "query data is at least the 48 bytes of a PERF_DATA_HEADER",
		Why:     "How much there is, and of how many answers, stands in those bytes. What is shorter was cut off, or is the buffer of a call that failed.",
		Fix:     "Look at what PerfQueryCounterData returned, and use as many bytes as it says there are.",
		Sources: []Source{{layout.PERF_DATA_HEADER.C, layout.PERF_DATA_HEADER.Source}, function("PerfQueryCounterData")},
		check:   onQueryData.guard(queryTooShort),
	},
	{
		ID: "PERF2102", Name: "v2-total-size-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "dwTotalSize is at least 48 and no more than the bytes there are",
		Why:     "A reader takes it for the end of the data. One past the end of the buffer leads it into other memory.",
		Fix:     "Write the 48 bytes of the header and the dwSize of every answer.",
		Sources: []Source{of(&layout.PERF_DATA_HEADER, "dwTotalSize"), consuming},
		check:   onQueryData.check(queryTotalBounds),
	},
	{
		ID: "PERF2103", Name: "v2-total-size-align", Severity: Error, Since: "v0.1.0",
		Doc:     "dwTotalSize is a multiple of 8",
		Why:     "The header is 48 bytes and every answer a multiple of 8, so their sum is one too. Another number counts something that is not there, or leaves padding out.",
		Fix:     "Count the padding of every answer into its dwSize, and add those up.",
		Sources: []Source{of(&layout.PERF_DATA_HEADER, "dwTotalSize"), pcqStructures},
		check:   onQueryData.check(queryTotalAlign),
	},
	{
		ID: "PERF2104", Name: "v2-total-size-sum", Severity: Error, Since: "v0.1.0",
		Doc:     "the header and the dwSize of the answers add up to dwTotalSize",
		Why:     "Some readers stop at dwTotalSize and some after dwNumCounters answers. Where the two differ, some miss answers and others read bytes that are none.",
		Fix:     "Write the 48 bytes of the header and the dwSize of every answer.",
		Sources: []Source{of(&layout.PERF_DATA_HEADER, "dwTotalSize"), pcqData},
		check:   onQueryData.check(queryTotalSum),
	},
	{
		ID: "PERF2105", Name: "v2-counter-count-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "dwNumCounters is no more than there is room for, 16 bytes an answer",
		Why:     "A reader that makes room for as many answers before it reads the first may ask for all the memory there is.",
		Fix:     "Write the number of answers that follow the header.",
		Sources: []Source{of(&layout.PERF_DATA_HEADER, "dwNumCounters"), consuming},
		check:   onQueryData.check(queryCountBounds),
	},
	{
		ID: "PERF2106", Name: "v2-counter-count-match", Severity: Error, Since: "v0.1.0",
		Doc:     "there are as many answers as dwNumCounters says",
		Why:     "The Index of an identifier leads to an answer by its position. A reader that counts to dwNumCounters runs past the last one, or misses some.",
		Fix:     "Write the number of answers that follow the header.",
		Sources: []Source{of(&layout.PERF_DATA_HEADER, "dwNumCounters"), pcqData},
		check:   onQueryData.check(queryCount),
	},
	{
		ID: "PERF2107", Name: "v2-no-counters", Severity: Info, Since: "v0.1.0",
		Doc:     "there is an answer",
		Why:     "A query of which nothing could be added has an answer of 48 bytes and no more. What PerfAddCounters wrote into the Status of each identifier says why.",
		Fix:     "Look at the Status of the identifiers: 4200 is a counter set that no provider has.",
		Sources: []Source{wineTest, function("PerfAddCounters")},
		check:   onQueryData.check(queryEmpty),
	},
}

func queryTooShort(p *pass, q *queryData) bool {
	n := len(p.b)
	if n < dataHeaderSize {
		p.bytes(q, "", 0, n, fmt.Sprintf("the input is of %d bytes", n), "48 at least")
	}
	return n >= dataHeaderSize
}

func queryTotalBounds(p *pass, q *queryData) {
	switch {
	case q.totalHolds(p):
	case q.whole:
		p.field(q, "dwTotalSize", q.DwTotalSize(), "%s, where the last of the answers ends", eight(q.end))
	default:
		p.field(q, "dwTotalSize", q.DwTotalSize(), "%s, the bytes there are", eights(dataHeaderSize, int64(len(p.b))))
	}
}

func queryTotalAlign(p *pass, q *queryData) {
	if q.totalHolds(p) && q.DwTotalSize()%layout.Align != 0 {
		p.field(q, "dwTotalSize", q.DwTotalSize(), "%s", multiple(q.whole, q.end))
	}
}

// multiple says that a multiple of 8 is required, and which where that is known.
func multiple(known bool, n int64) string {
	if known && n%layout.Align == 0 {
		return fmt.Sprintf("%d, a multiple of 8", n)
	}
	return "a multiple of 8"
}

// queryTotalSum is silent of answers that are more or fewer than there should be, which
// have their rule, and of a number that can be no size at all.
func queryTotalSum(p *pass, q *queryData) {
	if total := int64(q.DwTotalSize()); q.totalHolds(p) && q.whole && q.end != total && q.n == int64(q.DwNumCounters()) && total%layout.Align == 0 {
		p.field(q, "dwTotalSize", total, "%s, where the last of the answers ends", eight(q.end))
	}
}

// room returns how many answers there can be at the most.
func (q *queryData) room(p *pass) int64 {
	return (int64(max(len(p.b), int(min(q.DwTotalSize(), 1<<31-1)))) - dataHeaderSize) / answerSize
}

func queryCountBounds(p *pass, q *queryData) {
	switch n, most := int64(q.DwNumCounters()), q.room(p); {
	case n <= most:
	case q.whole:
		p.field(q, "dwNumCounters", n, "%d, the answers that there are", q.n)
	default:
		p.field(q, "dwNumCounters", n, "%d at most, for which there is room", most)
	}
}

func queryCount(p *pass, q *queryData) {
	if n := int64(q.DwNumCounters()); q.whole && n != q.n && n <= q.room(p) {
		p.field(q, "dwNumCounters", n, "%d, the answers that there are", q.n)
	}
}

func queryEmpty(p *pass, q *queryData) {
	if q.whole && q.n == 0 && q.DwNumCounters() == 0 {
		p.field(q, "dwNumCounters", 0, "an answer")
	}
}
