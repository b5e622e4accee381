package validate

import (
	"fmt"
	"math"

	"github.com/perfblock/perfblock/layout"
)

// multiInstances is a PERF_MULTI_INSTANCES and its instances.
type multiInstances struct {
	of       *result
	off, end int64
	n, total int64 // dwInstances and dwTotalSize
	reached  int64 // end of the last instance, -1 if not known
	lacking  int64 // bytes that the sizes in it lack to be multiples of 8
	count    int64 // number of instances found
	short    bool  // an instance has too few values: the bytes end or an instance starts
	next     bool  // with short: an instance starts
	extra    bool  // there is a value where an instance must be
}

var onMultiInstances = subjectsIn[*multiInstances](layout.QueryDataKind)

func (t *multiInstances) path() layout.Path { return t.of.path().Field("instances") }

func (t *multiInstances) record() *layout.Record { return &layout.PERF_MULTI_INSTANCES }

func (t *multiInstances) start() int64 { return t.off }

var multiInstancesRules = []*Rule{
	{
		ID: "PERF2401", Name: "v2-multi-instances-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "dwTotalSize of a PERF_MULTI_INSTANCES is at least 8 and does not exceed the bytes left in the result",
		Why:     "dwTotalSize is the end of the instances. Past the end of the result a reader reads other memory.",
		Fix:     "Write 8 bytes plus the bytes of the instances and their values.",
		Sources: []Source{of(&layout.PERF_MULTI_INSTANCES, "dwTotalSize"), consuming},
		check:   onMultiInstances.guard(multiInstancesBounds),
	},
	{
		ID: "PERF2402", Name: "v2-multi-instances-size-sum", Severity: Error, Since: "v0.1.0",
		Doc:     "the structure, the instances and their values add up to dwTotalSize",
		Why:     "Some readers stop at dwTotalSize and others after dwInstances instances. If the two differ, some readers miss instances and others read bytes that are no instance. A common mistake: Size of an instance does not include its values.",
		Fix:     "Add 8 bytes, the Size of each instance, and the dwSize of each value.",
		Sources: []Source{of(&layout.PERF_MULTI_INSTANCES, "dwTotalSize"), of(&layout.PERF_INSTANCE_HEADER, "Size"), of(&layout.PERF_COUNTER_DATA, "dwSize")},
		check:   several{onMultiInstances.atEnd(multiInstancesSum), onInstanceHeader.check(instanceHeaderSum), onCounterData.check(counterDataSum)},
	},
	{
		ID: "PERF2403", Name: "v2-multi-instances-size-align", Severity: Error, Since: "v0.1.0",
		Doc:     "dwTotalSize is a multiple of 8",
		Why:     "Instances and values are multiples of 8, so their sum is too.",
		Fix:     "Add 8 bytes, the Size of each instance, and the dwSize of each value.",
		Sources: []Source{pcqStructures, of(&layout.PERF_MULTI_INSTANCES, "dwTotalSize")},
		check:   onMultiInstances.check(multiInstancesAlign),
	},
	{
		ID: "PERF2404", Name: "v2-multi-instances-count", Severity: Error, Since: "v0.1.0",
		Doc:     "the result has as many instances as dwInstances declares",
		Why:     "A reader that counts to dwInstances reads past the last instance, or misses some.",
		Fix:     "Write the number of instances that follow.",
		Sources: []Source{of(&layout.PERF_MULTI_INSTANCES, "dwInstances")},
		check:   onMultiInstances.atEnd(multiInstancesCount),
	},
	{
		ID: "PERF2405", Name: "v2-multi-instances-data-count", Severity: Error, Since: "v0.1.0",
		Doc:     "each instance has one value for each counter of the result",
		Why:     "No field marks the end of an instance's values, so a reader counts them. If a value is missing or extra, the reader takes a value for an instance.",
		Fix:     "Write one PERF_COUNTER_DATA for every id, in the order of the ids, after each instance.",
		Sources: []Source{of(&layout.PERF_MULTI_INSTANCES, "dwInstances"), of(&layout.PERF_MULTI_COUNTERS, "dwCounters")},
		check:   onMultiInstances.atEnd(multiInstancesValues),
	},
	{
		ID: "PERF2406", Name: "v2-multi-instances-empty", Severity: Info, Since: "v0.1.0",
		Doc:     "dwInstances is at least 1",
		Why:     "A counter set without instances at the moment returns this, or a PERF_ERROR_RETURN of 4201. Readers should accept both.",
		Fix:     "No change is needed if there was no instance.",
		Sources: []Source{of(&layout.PERF_MULTI_INSTANCES, "dwInstances"), of(&layout.PERF_COUNTER_HEADER, "dwStatus")},
		check:   onMultiInstances.check(multiInstancesEmpty),
	},
}

// checkMultiInstances checks the PERF_MULTI_INSTANCES at an offset.
func (p *pass) checkMultiInstances(a *result, at int64) {
	t := &p.multiInstances
	*t = multiInstances{of: a, off: at, end: a.end, reached: -1}
	if a.end-at >= multiInstancesSize {
		t.total, t.n = int64(le.Uint32(p.b[at:])), int64(le.Uint32(p.b[at+4:]))
	}
	if a.shaped {
		t.end = a.shape.end
	} else if t.totalHolds() {
		t.end = at + t.total
	}
	if !onMultiInstances.holds(p, t) {
		return
	}
	p.checkInstancesOf(a, t)
	if t.reached >= 0 {
		a.content = t.end
		a.lacking += aligned(t.end-t.off) - (t.end - t.off)
	}
	onMultiInstances.end(p, t)
}

// checkInstancesOf checks the instances of a result, from the end of the structure to t.end.
func (p *pass) checkInstancesOf(a *result, t *multiInstances) {
	values := a.shape.values
	follows := instanceFollows
	if values > 0 {
		follows = counterDataFollows
	}
	at := t.off + multiInstancesSize
	if a.plain == 0 {
		p.beginNames(t.n, t.end-t.off)
	} else {
		at, t.count = a.plainEnd, a.plain
		p.ids.reset(0) // the rules for multiCounters used it
	}
	most := int64(math.MaxInt64) // the instances fill the bytes
	if !a.shaped {
		most = t.n
	}
	for ; at < t.end && t.count < most; t.count++ {
		if at, t.count = p.plainInstanceHeaders(a, at, t.end, t.count, most); at == t.end || t.count == most {
			break
		}
		if t.extra = !a.shaped && looksExtra(p.b, at, t.end, follows); t.extra {
			return
		}
		end, ok := p.checkInstanceHeader(a, int(t.count), at, t.end, follows)
		if !ok {
			return
		}
		if at, ok = p.checkValues(a, int(t.count), end, t.end, instanceFollows); !ok {
			t.next = looksNext(p.b, at, t.end)
			t.short = at == t.end || t.next
			return
		}
	}
	if t.extra = !a.shaped && looksExtra(p.b, at, t.end, follows); t.extra {
		return
	}
	t.reached = at
}

// totalHolds reports whether dwTotalSize is in range.
func (t *multiInstances) totalHolds() bool {
	return t.total >= multiInstancesSize && t.total <= t.of.end-t.off
}

func multiInstancesBounds(p *pass, t *multiInstances) bool {
	rest := t.of.end - t.off
	switch {
	case rest < multiInstancesSize:
		p.bytes(t, "", t.off, int(max(rest, 0)), byteCount(max(rest, 0))+" left in the result", "must be at least 8, the size of PERF_MULTI_INSTANCES")
		return false
	case t.totalHolds():
	case t.of.shaped:
		p.field(t, "dwTotalSize", t.total, "must be %s, where the last instance ends", eight(t.end-t.off))
	default:
		p.field(t, "dwTotalSize", t.total, "must be %s, the bytes left in the result", eights(multiInstancesSize, rest))
	}
	return t.totalHolds() || t.of.shaped
}

func multiInstancesSum(p *pass, t *multiInstances) {
	if n := t.reached - t.off; t.reached >= 0 && t.totalHolds() && n != t.total && t.total%layout.Align == 0 {
		p.field(t, "dwTotalSize", t.total, "must be %s", sum(t.total, n, t.lacking, "where the last instance ends"))
	}
}

// instanceHeaderSum reports the Size of an instance if it alone makes the sum wrong.
func instanceHeaderSum(p *pass, in *instanceHeader) {
	if in.of != nil {
		p.sizeMisleads(in)
	}
}

// counterDataSum reports the dwSize of a value if it alone makes the sum wrong.
func counterDataSum(p *pass, v *counterData) {
	if v.instance >= 0 {
		p.misleads(v)
	}
}

func multiInstancesAlign(p *pass, t *multiInstances) {
	if t.totalHolds() && t.total%layout.Align != 0 {
		p.field(t, "dwTotalSize", t.total, "must be %s", multiple(t.of.shaped, t.end-t.off))
	}
}

func multiInstancesCount(p *pass, t *multiInstances) {
	if t.reached >= 0 && t.count != t.n {
		p.field(t, "dwInstances", t.n, "must be %d, the number of instances", t.count)
	}
}

// multiInstancesValues reports dwCounters if the instances have another number of values, and
// otherwise an instance with too few or too many values.
func multiInstancesValues(p *pass, t *multiInstances) {
	a := t.of
	switch {
	case a.DwType() == layout.PERF_COUNTERSET && p.multiCounters.counted() && idsFit(p.multiCounters.n, p.multiCounters.size):
		p.field(&p.multiCounters, "dwCounters", p.multiCounters.n, "must be %d, the values that each instance has", a.shape.values)
	case a.DwType() == layout.PERF_MULTIPLE_INSTANCES && a.shape.values != 1:
		p.bytes(t, "", t.off, int(t.end-t.off), fmt.Sprintf("each instance has %d values", a.shape.values), "must have 1")
	case t.short:
		found := "the instances end"
		if t.next {
			found = "an instance starts"
		}
		p.bytes(t, "", t.off, int(t.end-t.off), fmt.Sprintf("%s where instance %d must have a value", found, t.count), a.valuesForEach())
	case t.extra && t.count > 0:
		p.bytes(t, "", t.off, int(t.end-t.off), fmt.Sprintf("one more value follows those of instance %d", t.count-1), a.valuesForEach())
	case t.extra:
		p.bytes(t, "", t.off, int(t.end-t.off), "a value is where instance 0 must be", a.valuesForEach())
	}
}

func multiInstancesEmpty(p *pass, t *multiInstances) {
	if t.n == 0 && (!t.of.shaped || t.of.shape.instances == 0) {
		p.field(t, "dwInstances", 0, "must be at least 1")
	}
}

func (a *result) valuesForEach() string {
	if a.shape.values == 1 {
		return "each instance must have 1"
	}
	return fmt.Sprintf("each instance must have %d", a.shape.values)
}
