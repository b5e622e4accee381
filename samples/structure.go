package samples

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

var (
	layoutRule = &validate.Rule{
		ID: "PERF5001", Name: "pair-layout", Severity: validate.Warning,
		Doc:     "an object or a result has the same counters as in the older sample, with the same order, types, sizes and offsets",
		Why:     "Consumers look up a counter once and keep its position and type. After a change of the counters, consumers read the value of another counter, or no value.",
		Fix:     "Return all counters in each sample, in one order. If a counter has no value at present, write 0.",
		Sources: []validate.Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterOffset"), sourceOf(&layout.PERF_MULTI_COUNTERS, "dwCounters")},
	}
	instancesRule = &validate.Rule{
		ID: "PERF5007", Name: "pair-parent-kind", Severity: validate.Error,
		Doc:     "an object or a result has instances in both samples, or in none",
		Why:     "A counter path contains the name of an instance only if the object has instances. If NumInstances changes to or from PERF_NO_INSTANCES, consumers do not find the counters of the object, and instances of other objects lose their parents.",
		Fix:     "Use PERF_NO_INSTANCES in all samples, or in none. If an object has no instances at present, set NumInstances to 0.",
		Sources: []validate.Source{sourceOf(&layout.PERF_OBJECT_TYPE, "NumInstances"), sourceOf(&layout.PERF_COUNTER_HEADER, "dwType")},
	}
)

// compareObjects compares the objects that both samples have, and their values if withValues is true.
func (c *comparison) compareObjects(withValues bool) {
	// more has, for each title, the number of older objects minus the number of newer objects.
	older, more := c.older.byKey(), make(map[uint32]int)
	for i := range c.older.groups {
		more[c.older.groups[i].object.ObjectNameTitleIndex()]++
	}
	for i := range c.newer.groups {
		more[c.newer.groups[i].object.ObjectNameTitleIndex()]--
	}
	for i := range c.newer.groups {
		g := &c.newer.groups[i]
		// Objects of one title are compared only if both samples have the same number of them.
		if was := older[g.key]; was != nil && more[g.object.ObjectNameTitleIndex()] == 0 {
			c.compareObject(was, g, withValues)
		}
	}
}

// compareObject compares two objects. The findings are in the order of the fields.
func (c *comparison) compareObject(was, is *group, withValues bool) {
	a, b := was.object, is.object
	read := c.before.open(c.older, was) == nil && c.now.open(c.newer, is) == nil
	old, new := c.before.rows.Counters(), c.now.rows.Counters()
	at, field := -1, -1
	if read {
		at, field = counterDifference(old, new)
	}
	if at >= 0 && field < 0 {
		c.reportDifference(layoutRule, &layout.PERF_OBJECT_TYPE, a.Off(), b, "NumCounters", a.NumCounters(), b.NumCounters())
	}
	switched := shape(a) != 0 && shape(b) != 0 && shape(a) != shape(b)
	if switched {
		c.reportField(instancesRule, &layout.PERF_OBJECT_TYPE, b, "NumInstances", b.NumInstances(), func() string {
			want := "0 or more"
			if shape(a) == single {
				want = "-1"
			}
			return fmt.Sprintf("must be %s, because the value at %s is %d", want, c.fieldIn(&layout.PERF_OBJECT_TYPE, a.Off(), "NumInstances"), a.NumInstances())
		})
	}
	if read && slices.ContainsFunc(c.now.columns, usesObjectClock) {
		c.reportClock(&layout.PERF_OBJECT_TYPE, a, b, clock{"PerfTime", false, a.PerfTime(), b.PerfTime()})
		c.reportClock(&layout.PERF_OBJECT_TYPE, a, b, clock{"PerfFreq", true, a.PerfFreq(), b.PerfFreq()})
		withValues = withValues && a.PerfTime() <= b.PerfTime()
	}
	if field >= 0 {
		f := counterFields[field]
		c.reportDifference(layoutRule, &layout.PERF_COUNTER_DEFINITION, old[at].Off(), new[at], f.name, f.value(old[at]), f.value(new[at]))
	}
	if read && withValues && !switched {
		c.rows(is)
	}
}

const (
	single = 1 // a shape: the object has no instances
	multi  = 2 // a shape: the object has instances
)

// shape returns single or multi, or 0 if NumInstances is not valid.
func shape(o layout.Object) int {
	switch n := o.NumInstances(); {
	case n == layout.PERF_NO_INSTANCES, n == layout.PERF_METADATA_NO_INSTANCES:
		return single
	case n >= 0, n == layout.PERF_METADATA_MULTIPLE_INSTANCES:
		return multi
	}
	return 0
}

// counterFields are the fields of a counter that must not change.
var counterFields = [...]struct {
	name  string
	value func(layout.Counter) any
}{
	{"CounterNameTitleIndex", func(c layout.Counter) any { return c.CounterNameTitleIndex() }},
	{"CounterType", func(c layout.Counter) any { return c.CounterType() }},
	{"CounterSize", func(c layout.Counter) any { return c.CounterSize() }},
	{"CounterOffset", func(c layout.Counter) any { return c.CounterOffset() }},
}

// counterDifference returns the position of the first counter that differs, and the index in counterFields of its first
// different field. If only the number of counters differs, field is -1. If nothing differs, both results are -1.
func counterDifference(old, new []layout.Counter) (at, field int) {
	for i := range min(len(old), len(new)) {
		for k, f := range counterFields {
			if f.value(old[i]) != f.value(new[i]) {
				return i, k
			}
		}
	}
	if len(old) != len(new) {
		return min(len(old), len(new)), -1
	}
	return -1, -1
}

// usesObjectClock reports whether the clock of the object is an input of the formula.
func usesObjectClock(c column) bool {
	f := c.Formula()
	return f != nil && f.uses&(timeChange|clockTime) != 0 && c.Type.TimeBase() == layout.PERF_OBJECT_TIMER
}

// compareResults compares the results of two samples, and their values if withValues is true.
func (c *comparison) compareResults(withValues bool) {
	older := c.older.byKey()
	for i := range c.newer.groups {
		g := &c.newer.groups[i]
		if was := older[g.key]; was != nil {
			// Without identifiers, different numbers of results can mean different queries.
			c.compareResult(was, g, withValues && (g.id != nil || len(c.older.groups) == len(c.newer.groups)))
		}
	}
}

func (c *comparison) compareResult(was, is *group, withValues bool) {
	a, b := was.result, is.result
	if a.DwType() == layout.PERF_ERROR_RETURN || b.DwType() == layout.PERF_ERROR_RETURN || !a.DwType().Valid() || !b.DwType().Valid() {
		return // a result can be an error, for example while no instance exists
	}
	if a.DwType() != b.DwType() {
		if is.id == nil {
			return
		}
		rule := layoutRule
		if a.HasInstances() != b.HasInstances() {
			rule = instancesRule
		}
		c.reportDifference(rule, &layout.PERF_COUNTER_HEADER, a.Off(), b, "dwType", a.DwType(), b.DwType())
		return
	}
	if c.before.open(c.older, was) != nil || c.now.open(c.newer, is) != nil {
		return
	}
	if a.HasIDs() && !c.compareIDs(a, b, is.id != nil) {
		return
	}
	if withValues {
		c.rows(is)
	}
}

// compareIDs compares the ids of two results and reports the first difference. known is true if the identifiers of the
// query are known. If known is false and the ids differ, the queries are probably different: compareIDs then reports
// nothing and returns false. Otherwise, it returns true.
func (c *comparison) compareIDs(a, b layout.Result, known bool) bool {
	older, _ := a.IDs() // the caller has read them
	newer, _ := b.IDs()
	old, new := slices.Collect(older.All()), slices.Collect(newer.All())
	i := 0 // the position of the first difference
	for i < len(old) && i < len(new) && old[i] == new[i] {
		i++
	}
	switch {
	case i == len(old) && i == len(new):
		return true
	case !known:
		return false // without identifiers, different ids mean different queries
	case i == len(old) || i == len(new):
		c.reportDifference(layoutRule, &layout.PERF_MULTI_COUNTERS, older.Off(), newer, "dwCounters", len(old), len(new))
	default:
		const size = 4
		at := func(ids layout.MultiCounters) int64 { return ids.Off() + layout.SizeofMultiCounters + size*int64(i) }
		c.report(layoutRule, func() validate.Finding {
			return validate.Finding{
				Path: newer.Path().At("id", i), Off: at(newer), Len: size,
				Got:  fmt.Sprintf("the id is %d", new[i]),
				Want: fmt.Sprintf("must be %d, as at %s", old[i], c.olderPlace(at(older))),
			}
		})
	}
	return true
}
