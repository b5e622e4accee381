package samples

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

var (
	monotonicRule = &validate.Rule{
		ID: "PERF5002", Name: "pair-monotonic", Severity: validate.Warning, Windows: validate.Info,
		Doc:     "between the samples, a counter whose formula uses the change of the value does not fall, but may wrap once",
		Why:     "Consumers cannot display a negative change. A value that falls by at least half of its range has probably wrapped, and is not reported. If several values of an instance fall and none grows, there is only one finding, because the instance has probably started again.",
		Fix:     "Only add to the counter, and never clear it. Give a new instance another name, or another UniqueID. For a value that goes up and down, use PERF_COUNTER_RAWCOUNT or PERF_COUNTER_LARGE_RAWCOUNT.",
		Sources: []validate.Source{design, calculating},
		Misread: []string{"PDH reports PDH_CALC_NEGATIVE_VALUE", "Microsoft's sample reader drops the older block"},
	}
	baseRule = &validate.Rule{
		ID: "PERF5003", Name: "pair-base-monotonic", Severity: validate.Warning, Windows: validate.Info,
		Doc:     "between the samples, the base of a sampled, average or precision counter does not fall, but may wrap once",
		Why:     "The formula divides by the change of the base. If the base falls, the displayed value is negative or missing.",
		Fix:     "Add to the base whenever you add to the counter, and never clear the base.",
		Sources: []validate.Source{calculating, design},
	}
	unchangedRule = &validate.Rule{
		ID: "PERF5004", Name: "pair-base-unchanged", Severity: validate.Info, Windows: validate.Off,
		Doc:     "the base of a sampled, average or precision counter differs from the base in the older sample",
		Why:     "The formula divides by the change of the base. If the base does not change, there is no value to display. This is normal if there were no operations between the samples. Only the first instance of an object or a result is reported.",
		Fix:     "Add to the base for each operation. If there were no operations between the samples, there is nothing to fix.",
		Sources: []validate.Source{calculating},
	}
	idRule = &validate.Rule{
		ID: "PERF5008", Name: "pair-instance-id", Severity: validate.Warning, Windows: validate.Info,
		Doc:     "the UniqueID or InstanceId of an instance is the same in both samples if no other instance has its name and parent",
		Why:     "A different id means that the instance was replaced, or that the id changes in each sample. Consumers that follow the id start again. Consumers that follow the name can mix the values of two instances.",
		Fix:     "Keep the id as long as the instance exists. If instances are replaced, make the id a part of the name.",
		Sources: []validate.Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "UniqueID"), sourceOf(&layout.PERF_INSTANCE_HEADER, "InstanceId")},
	}
)

// A check compares a number in a newer row with the number in the older row.
type check struct {
	rule    *validate.Rule // monotonicRule, baseRule, timeRule or frequencyRule
	is, was int            // the positions of the number in a newer and in an older row

	unchanged bool // unchangedRule was reported
}

// A fault records that a value of the current row breaks a rule.
type fault struct {
	rule    *validate.Rule
	is, was int
	want    string // the requirement, only for totalRule
}

// rowChecks compares the rows of two groups. It reuses its memory for the next groups.
type rowChecks struct {
	rowMatch
	list   []check // in the order of the places
	faults []fault // of the current row
	values []uint64
}

// rows compares the rows of two groups. The caller has opened both groups.
func (c *comparison) rows(is *group) {
	total := c.total(is)
	if c.before.read(true) != nil || c.now.read(false) != nil {
		return
	}
	s := &c.checks
	s.match(&c.before, &c.now)
	c.selectChecks()
	sizes := c.newer.kind == layout.QueryDataKind
	more := len(s.list) > 0 || len(s.replaced) > 0 || total != nil
	if !more && !sizes || c.now.open(c.newer, is) != nil { // open the group again, to read from the first row
		return
	}
	for j := 0; (more || sizes) && !c.stopped && c.now.rows.Next(); j++ {
		if i, replaced := s.replaced[int32(j)]; replaced {
			c.reportReplaced(int(i), j)
		}
		s.faults = s.faults[:0]
		s.values = c.now.rows.AppendValues(s.values[:0])
		was, others := int(s.was[j]), 0
		if was >= 0 {
			if sizes {
				c.sizes(was)
				sizes = false // check only one row of each result
			}
			others = c.checkRow(was)
		}
		if total != nil && total.row == j {
			c.checkTotal(total)
		}
		slices.SortStableFunc(s.faults, func(a, b fault) int { return cmp.Compare(c.place(a.is), c.place(b.is)) })
		for _, f := range s.faults {
			c.fault(f, others, was)
		}
	}
}

func (c *comparison) selectChecks() {
	type key struct {
		rule *validate.Rule
		is   int
	}
	list, seen := c.checks.list[:0], make(map[key]bool) // seen prevents repeats, because counters can share a base
	old, new := c.before.rows.Counters(), c.now.rows.Counters()
	query := c.newer.kind == layout.QueryDataKind
	add := func(r *validate.Rule, is, was int) {
		if is < 0 || was < 0 || seen[key{r, is}] || !query && (new[is].CounterSize() != old[was].CounterSize() || !isNumber(new[is].CounterSize())) {
			return
		}
		seen[key{r, is}] = true
		list = append(list, check{rule: r, is: is, was: was})
	}
	for i, before := range matchColumns(c.before.columns, c.now.columns) {
		now := &c.now.columns[i]
		if before == nil || now.Formula() == nil {
			continue
		}
		uses := now.Formula().uses
		if uses&change != 0 {
			add(monotonicRule, now.at, before.at)
		}
		if uses&baseChange != 0 {
			add(baseRule, now.base, before.base)
		}
		if query && usesObjectClock(*now) {
			add(timeRule, now.time, before.time)
			add(frequencyRule, now.frequency, before.frequency)
		}
	}
	slices.SortStableFunc(list, func(a, b check) int { return cmp.Compare(c.place(a.is), c.place(b.is)) })
	c.checks.list = list
}

// place returns a number by which the values of a newer row are sorted: the CounterOffset of the value, or its position
// in query data.
func (c *comparison) place(is int) int {
	if c.newer.kind == layout.QueryDataKind {
		return is
	}
	return int(c.now.rows.Counters()[is].CounterOffset())
}

func isNumber(size uint32) bool { return size == 4 || size == 8 }

// checkRow compares the numbers of the current row with the numbers of an older row, and adds the faults. If several
// values and bases fell and none grew, it adds a fault only for the first of them, and returns the number of the
// others. Otherwise, it returns 0.
func (c *comparison) checkRow(was int) (others int) {
	s, before := &c.checks, c.before.row(was)
	fell, grew := 0, false
	for k := range s.list {
		one := &s.list[k]
		n1, n0 := s.values[one.is], before[one.was]
		rule := one.rule
		switch {
		case rule == timeRule && int64(n1) > int64(n0), rule == frequencyRule && n1 == n0:
			continue
		case rule == timeRule, rule == frequencyRule:
		case n1 > n0:
			grew = true
			continue
		case n1 == n0 && (rule != baseRule || one.unchanged):
			continue
		case n1 < n0 && c.wraps(n0-n1, was, one):
			grew = true
			continue
		}
		if c.newer.kind == layout.QueryDataKind && !c.sameSize(was, one) {
			continue
		}
		switch {
		case rule == baseRule && n1 == n0:
			rule, one.unchanged = unchangedRule, true
		case rule == baseRule, rule == monotonicRule:
			fell++
		}
		s.faults = append(s.faults, fault{rule: rule, is: one.is, was: one.was})
	}
	// Each number that fell is a fault. If several numbers fell and no number grew, the instance has probably started again,
	// and only the first fault is kept.
	if fell < 2 || grew {
		return 0
	}
	isFall := func(f fault) bool { return f.rule == baseRule || f.rule == monotonicRule }
	next := slices.IndexFunc(s.faults, isFall) + 1
	s.faults = append(s.faults[:next], slices.DeleteFunc(s.faults[next:], isFall)...)
	return fell - 1
}

// wraps reports whether a number that fell has probably wrapped: it fell by at least half of its range.
func (c *comparison) wraps(fall uint64, was int, k *check) bool {
	_, size := c.before.locate(was, k.was)
	if size == 4 {
		return fall >= 1<<31
	}
	return fall >= 1<<63
}

// sameSize reports whether a value of a result has the same size in the current row and in an older row. The size must
// be 4 or 8 bytes.
func (c *comparison) sameSize(was int, k *check) bool {
	_, size := c.before.locate(was, k.was)
	return isNumber(size) && int(size) == len(c.now.rows.Bytes(k.is))
}

// sizes compares the sizes of all values of the current row of a result with the sizes in an older row.
func (c *comparison) sizes(was int) {
	for i, before := range matchColumns(c.before.columns, c.now.columns) {
		if before == nil {
			continue
		}
		is := c.now.columns[i].at
		if _, size := c.before.locate(was, before.at); c.now.rows.Data(is).DwDataSize() != size {
			c.checks.faults = append(c.checks.faults, fault{rule: layoutRule, is: is, was: before.at})
		}
	}
}

// reportReplaced reports an instance whose id differs from the id of the older row with the same name.
func (c *comparison) reportReplaced(was, is int) {
	field, of := "UniqueID", &layout.PERF_INSTANCE_DEFINITION
	var at record = c.now.rows.Instance()
	id := func(of identity) any { return int32(of.id) }
	if c.newer.kind == layout.QueryDataKind {
		field, of, at = "InstanceId", &layout.PERF_INSTANCE_HEADER, c.now.rows.InstanceHeader()
		id = func(of identity) any { return of.id }
	}
	older := c.before.list[was]
	c.reportField(idRule, of, at, field, id(c.now.list[is]), func() string {
		return fmt.Sprintf("must be %v, as at %s, because the name is the same", id(older), c.fieldIn(of, older.at, field))
	})
}

// fault reports a fault of the current row. others is the number of other values that fell, or 0.
func (c *comparison) fault(f fault, others, was int) {
	if f.rule == layoutRule {
		off, size := c.before.locate(was, f.was)
		v := c.now.rows.Data(f.is)
		c.reportDifference(layoutRule, &layout.PERF_COUNTER_DATA, off-layout.SizeofCounterData, v, "dwDataSize", size, v.DwDataSize())
		return
	}
	c.report(f.rule, func() validate.Finding {
		n := c.checks.values[f.is]
		finding := validate.Finding{Len: len(c.now.rows.Bytes(f.is)), Got: fmt.Sprintf("the value is %d", n), Want: f.want}
		if c.newer.kind == layout.QueryDataKind {
			v := c.now.rows.Data(f.is)
			finding.Path, finding.Off = v.Path().Field("value"), v.Off()+layout.SizeofCounterData
		} else {
			b := c.now.rows.Block()
			finding.Path, finding.Off = b.Path().At("value", f.is), b.Off()+int64(c.now.rows.Counters()[f.is].CounterOffset())
		}
		if f.rule == totalRule {
			return finding
		}
		before := c.before.row(was)[f.was]
		at, _ := c.before.locate(was, f.was)
		switch f.rule {
		case monotonicRule, baseRule:
			if others > 0 {
				finding.Got += fmt.Sprintf(", and %s of the instance fell too", quote.Count(others, "other value"))
			}
			finding.Want = fmt.Sprintf("must be at least %d", before)
		case unchangedRule:
			finding.Want = fmt.Sprintf("must be more than %d", before)
		case timeRule:
			finding.Got, finding.Want = fmt.Sprintf("the time is %d", int64(n)), fmt.Sprintf("must be more than %d", int64(before))
		case frequencyRule:
			finding.Got, finding.Want = fmt.Sprintf("the frequency is %d", n), fmt.Sprintf("must be %d", before)
		}
		finding.Want += ", the value at " + c.olderPlace(at)
		return finding
	})
}
