package validate

import (
	"fmt"
	"math"

	"github.com/perfblock/perfblock/layout"
)

// multiInstances is a PERF_MULTI_INSTANCES and its instances.
type multiInstances struct {
	extent       // its size is dwTotalSize
	result       *result
	dwInstances  int64 // 0 if the bytes left are too few for the structure
	found        int64 // number of instances found
	reached      int64 // end of the last instance found, -1 if not known
	missing      int64 // number of padding bytes that the sizes of instances and values do not include
	valueMissing bool  // an instance has too few values
	extraValue   bool  // a value is where an instance must be
}

var onMultiInstances = subjectsIn[*multiInstances](layout.QueryDataKind)

func (t *multiInstances) path() layout.Path { return t.result.path().Field("instances") }

func (t *multiInstances) record() *layout.Record { return &layout.PERF_MULTI_INSTANCES }

var multiInstancesRules = []*Rule{
	{
		ID: "PERF2401", Name: "v2-multi-instances-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "dwTotalSize of a PERF_MULTI_INSTANCES is at least 8 and at most the number of bytes left in the result",
		Why:     "The instances end at dwTotalSize. If it is too large, a reader reads bytes outside the result.",
		Fix:     "Set dwTotalSize to 8 bytes plus the bytes of the instances and their values.",
		Sources: []Source{sourceOf(&layout.PERF_MULTI_INSTANCES, "dwTotalSize"), consuming},
		check:   onMultiInstances.guard(multiInstancesBounds),
	},
	{
		ID: "PERF2402", Name: "v2-multi-instances-size-sum", Severity: Error, Since: "v0.1.0",
		Doc:     "the structure, the instances and their values add up to dwTotalSize",
		Why:     "Some readers stop at dwTotalSize, others after dwInstances instances. If these two ends differ, some readers miss instances, or read other bytes as an instance. The Size of an instance does not include its values.",
		Fix:     "Set dwTotalSize to 8, the size of the structure, plus the Size of each instance, plus the dwSize of each value.",
		Sources: []Source{sourceOf(&layout.PERF_MULTI_INSTANCES, "dwTotalSize"), sourceOf(&layout.PERF_INSTANCE_HEADER, "Size"), sourceOf(&layout.PERF_COUNTER_DATA, "dwSize")},
		check: checkList(
			onMultiInstances.atEnd(func(p *pass, t *multiInstances) {
				if n := t.reached - t.off; t.reached >= 0 && t.sizeInRange() && n != t.size && t.size%layout.Align == 0 {
					p.field(t, "dwTotalSize", t.size, "must be %s", requiredSizeText(t.size, n, t.missing, "where the last instance ends"))
				}
			}),
			onInstanceHeader.check(func(p *pass, in *instanceHeader) {
				if in.result != nil {
					in.reportWrongSize(p)
				}
			}),
			onCounterData.check(func(p *pass, v *counterData) {
				if v.instance >= 0 {
					v.reportWrongSize(p)
				}
			}),
		),
	},
	{
		ID: "PERF2403", Name: "v2-multi-instances-size-align", Severity: Error, Since: "v0.1.0",
		Doc:     "dwTotalSize is a multiple of 8",
		Why:     "The sizes of instances and values are multiples of 8, so their sum is a multiple of 8.",
		Fix:     "Set dwTotalSize to 8, the size of the structure, plus the Size of each instance, plus the dwSize of each value.",
		Sources: []Source{pcqStructures, sourceOf(&layout.PERF_MULTI_INSTANCES, "dwTotalSize")},
		check:   onMultiInstances.check(func(p *pass, t *multiInstances) { p.requireAligned(t, "dwTotalSize", &t.extent) }),
	},
	{
		ID: "PERF2404", Name: "v2-multi-instances-count", Severity: Error, Since: "v0.1.0",
		Doc:     "the result has as many instances as dwInstances declares",
		Why:     "A reader that counts to dwInstances reads past the last instance, or misses some.",
		Fix:     "Set dwInstances to the number of instances that follow.",
		Sources: []Source{sourceOf(&layout.PERF_MULTI_INSTANCES, "dwInstances")},
		check: onMultiInstances.atEnd(func(p *pass, t *multiInstances) {
			if t.reached >= 0 && t.found != t.dwInstances {
				p.field(t, "dwInstances", t.dwInstances, "must be %d, the number of instances", t.found)
			}
		}),
	},
	{
		ID: "PERF2405", Name: "v2-multi-instances-data-count", Severity: Error, Since: "v0.1.0",
		Doc:     "each instance has one value for each counter of the result",
		Why:     "No field marks the end of an instance's values, so a reader counts them. If a value is missing, the reader reads the next instance as a value. If there is one value too many, the reader reads a value as an instance.",
		Fix:     "Write one PERF_COUNTER_DATA for every id, in the order of the ids, after each instance.",
		Sources: []Source{sourceOf(&layout.PERF_MULTI_INSTANCES, "dwInstances"), sourceOf(&layout.PERF_MULTI_COUNTERS, "dwCounters")},
		check:   onMultiInstances.atEnd(multiInstancesValues),
	},
	{
		ID: "PERF2406", Name: "v2-multi-instances-empty", Severity: Info, Since: "v0.1.0",
		Doc:     "dwInstances is at least 1",
		Why:     "If a counter set has no instances at the moment, its result has dwInstances 0 or is a PERF_ERROR_RETURN with dwStatus 4201. Readers should accept both.",
		Fix:     "If the counter set had no instances when it was queried, no change is needed.",
		Sources: []Source{sourceOf(&layout.PERF_MULTI_INSTANCES, "dwInstances"), sourceOf(&layout.PERF_COUNTER_HEADER, "dwStatus")},
		check: onMultiInstances.check(func(p *pass, t *multiInstances) {
			if t.dwInstances == 0 && (!t.result.shaped || t.result.shape.instances == 0) {
				p.field(t, "dwInstances", 0, "must be at least 1")
			}
		}),
	},
}

// checkMultiInstances checks the PERF_MULTI_INSTANCES at an offset.
func (p *pass) checkMultiInstances(r *result, at int64) {
	t := &p.multiInstances
	*t = multiInstances{extent: extent{off: at, end: r.end, lim: r.end, least: multiInstancesSize}, result: r, reached: -1}
	if r.end-at >= multiInstancesSize {
		header := multiInstancesAt(p.b, at)
		t.size, t.dwInstances = int64(header.DwTotalSize()), int64(header.DwInstances())
	}
	if r.shaped {
		t.end = r.shape.end
		t.wrong = t.size != t.length()
	} else if t.sizeInRange() {
		t.end = at + t.size
	}
	if !onMultiInstances.run(p, t) {
		return
	}
	p.checkInstancesOf(r, t)
	if t.reached >= 0 {
		r.content = t.end
		r.missing += aligned(t.length()) - t.length()
	}
	onMultiInstances.runEnds(p, t)
}

// checkInstancesOf checks the instances between the PERF_MULTI_INSTANCES and t.end. It skips the first
// r.scanned instances, which plainShape has already checked.
func (p *pass) checkInstancesOf(r *result, t *multiInstances) {
	values := r.shape.values
	next := follower{&instanceHeaderRecord, t.end}
	follows := next
	if values > 0 {
		follows = valueFollows
	}
	at := t.off + multiInstancesSize
	if r.scanned == 0 {
		p.beginNames(t.dwInstances, t.length())
	} else {
		at, t.found = r.scannedEnd, r.scanned
		p.ids.reset(0) // p.ids still has the counter ids from the checks of multiCounters
	}
	most := int64(math.MaxInt64) // if the shape is known, the instances fill the bytes up to t.end
	if !r.shaped {
		most = t.dwInstances
	}
	for ; ; t.found++ {
		at, t.found = p.plainInstanceHeaders(r, at, t.end, t.found, most)
		if t.extraValue = !r.shaped && isExtraValue(p.b, at, t.end, follows); t.extraValue {
			return
		}
		if at == t.end || t.found == most {
			t.reached = at
			return
		}
		end, ok := p.checkInstanceHeader(r, int(t.found), at, t.end, follows)
		if !ok {
			return
		}
		if at, ok = p.checkValues(r, int(t.found), end, t.end, next); !ok {
			t.valueMissing = at == t.end || isInstanceOnly(p.b, at, t.end)
			return
		}
	}
}

func multiInstancesBounds(p *pass, t *multiInstances) bool {
	rest := t.result.end - t.off
	switch {
	case !p.requireSize(t, rest, "%s left in the result", "be"):
		return false
	case t.sizeInRange():
	case t.result.shaped:
		p.reportLength(t, "dwTotalSize", t.size, t.length(), rest, "where the last instance ends")
	default:
		p.field(t, "dwTotalSize", t.size, "must be %s", upTo(multiInstancesSize, rest, layout.Align, bytesLeft+" in the result"))
	}
	return t.sizeInRange() || t.result.shaped
}

// multiInstancesValues reports a wrong dwCounters, or instances with too few or too many values.
func multiInstancesValues(p *pass, t *multiInstances) {
	r := t.result
	switch {
	case r.DwType() == layout.PERF_COUNTERSET && p.multiCounters.countWrong() && idsFit(p.multiCounters.dwCounters, p.multiCounters.dwSize):
		p.field(&p.multiCounters, "dwCounters", p.multiCounters.dwCounters, "must be %d, the number of values of each instance", r.shape.values)
	case r.DwType() == layout.PERF_MULTIPLE_INSTANCES && r.shape.values != 1:
		p.reportBytes(t, "", t.off, int(t.length()), fmt.Sprintf("each instance has %d values", r.shape.values), "must have 1")
	case t.valueMissing:
		p.reportBytes(t, "", t.off, int(t.length()), fmt.Sprintf("instance %d has too few values", t.found), r.valuesForEach())
	case t.extraValue && t.found > 0:
		p.reportBytes(t, "", t.off, int(t.length()), fmt.Sprintf("instance %d has too many values", t.found-1), r.valuesForEach())
	case t.extraValue:
		p.reportBytes(t, "", t.off, int(t.length()), "a value is where instance 0 must be", r.valuesForEach())
	}
}

// valuesForEach returns a requirement such as "each instance must have 2 values".
func (r *result) valuesForEach() string {
	return "each instance must have " + plural(r.shape.values, "value")
}
