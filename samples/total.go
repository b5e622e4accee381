package samples

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

var totalRule = &validate.Rule{
	ID: "PERF5009", Name: "pair-total", Severity: validate.Warning,
	Doc:     "in a counter set of the instance type PERF_COUNTERSET_MULTI_AGGREGATE, the values of _Total are the aggregates of all other instances, as the registrations of the counters declare",
	Why:     "Most people look only at _Total, and see a value that disagrees with the instances.",
	Fix:     "Let Windows compute _Total, or correct the aggregate of the counter in the manifest: sum, avg, min or max.",
	Sources: []validate.Source{sourceOf(&layout.PERF_COUNTER_REG_INFO, "AggregateFunc"), sourceOf(&layout.PERF_COUNTERSET_REG_INFO, "InstanceType"), consuming},
	Forms:   []string{layout.QueryDataKind.String()},
}

// A total is the row _Total of a result, with the aggregates of the other rows.
type total struct {
	row, others int // the position of the row, and the number of other rows
	columns     []aggregate
}

// An aggregate has the sum, the minimum and the maximum of one counter over all rows except _Total.
type aggregate struct {
	at        int // the position of the value in a row
	function  layout.AggregateFunc
	size      int    // the length of the value in each row
	mixed     bool   // the lengths differ, or a value is not a number
	low, high uint64 // the sum, a number of 128 bits
	min, max  uint64
}

// total reads the rows of an open group and computes the aggregates that its row _Total must have. It returns nil in
// three cases:
//   - It cannot read all rows.
//   - No counter can be checked.
//   - It is not certain that exactly one row is _Total and aggregates all other rows.
func (c *comparison) total(g *group) *total {
	// The set must declare that _Total aggregates all other instances, and the query must ask for all instances.
	if g.id == nil || g.set.instances != layout.PERF_COUNTERSET_MULTI_AGGREGATE || !g.result.HasInstances() || g.id.InstanceId() != anyInstance {
		return nil
	}
	if name, err := g.id.Name().Text(); err != nil || name != layout.PERF_WILDCARD_INSTANCE {
		return nil
	}
	t := &total{row: -1}
	for i := range c.now.columns {
		n := &c.now.columns[i]
		info := g.set.counters[n.ID]
		if f := n.Formula(); !n.untyped && f != nil && (f == raw || f.uses&change != 0) && info.AggregateFunc() != layout.PERF_AGGREGATE_UNDEFINED {
			t.columns = append(t.columns, aggregate{at: n.at, function: info.AggregateFunc(), min: 1<<64 - 1})
		}
	}
	if len(t.columns) == 0 {
		return nil
	}
	certain := t.read(&c.now.rows)
	if c.now.open(c.newer, g) != nil || !certain { // open the group again, to read from the first row
		return nil
	}
	return t
}

// anyInstance is the InstanceId of a query for instances with any id.
const anyInstance = 1<<32 - 1

// read reads the rows. It returns true only if it can read all rows, exactly one row is _Total, there are other rows,
// and no other name contains _Total, such as 0,_Total.
func (t *total) read(rows *layout.Rows) bool {
	var name []byte
	var values []uint64
	for i := 0; rows.Next(); i++ {
		name, _ = rows.Name().AppendText(name[:0])
		isTotal := string(name) == layout.PERF_AGGREGATE_INSTANCE
		if isTotal && t.row >= 0 || !isTotal && strings.Contains(string(name), layout.PERF_AGGREGATE_INSTANCE) {
			return false
		}
		if isTotal {
			t.row = i
		} else {
			t.others++
		}
		values = rows.AppendValues(values[:0])
		for k := range t.columns {
			t.columns[k].add(values[t.columns[k].at], len(rows.Bytes(t.columns[k].at)), isTotal)
		}
	}
	return rows.Err() == nil && t.row >= 0 && t.others > 0
}

func (a *aggregate) add(n uint64, size int, isTotal bool) {
	a.mixed = a.mixed || a.size != 0 && size != a.size || !isNumber(uint32(size))
	a.size = size
	if isTotal {
		return
	}
	carry := uint64(0)
	a.low, carry = bits.Add64(a.low, n, 0)
	a.high += carry
	a.min, a.max = min(a.min, n), max(a.max, n)
}

// values returns the values that _Total may have, with their meaning. It returns no values for a sum that does not fit
// into the value of _Total.
func (a *aggregate) values(others int) (list []uint64, meaning string) {
	switch a.function {
	case layout.PERF_AGGREGATE_TOTAL:
		if a.high == 0 && (a.size == 8 || a.low < 1<<32) {
			return []uint64{a.low}, "the sum"
		}
	case layout.PERF_AGGREGATE_AVG:
		average, rest := bits.Div64(a.high, a.low, uint64(others))
		if list = []uint64{average}; rest > 0 {
			list = append(list, average+1) // rounded up
		}
		return list, "the average"
	case layout.PERF_AGGREGATE_MIN:
		return []uint64{a.min}, "the smallest value"
	case layout.PERF_AGGREGATE_MAX:
		return []uint64{a.max}, "the largest value"
	}
	return nil, ""
}

// checkTotal adds the faults of the current row, which is _Total.
func (c *comparison) checkTotal(t *total) {
	s := &c.checks
	for k := range t.columns {
		a := &t.columns[k]
		list, meaning := a.values(t.others)
		if a.mixed || len(list) == 0 || slices.Contains(list, s.values[a.at]) {
			continue
		}
		s.faults = append(s.faults, fault{rule: totalRule, is: a.at, want: fmt.Sprintf("must be %d, %s of %s", list[0], meaning, quote.Count(t.others, "other instance"))})
	}
}
