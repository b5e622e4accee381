package validate

import "github.com/perfblock/perfblock/layout"

// A counterSetInfo is a template: a counter set that a provider passes to PerfSetCounterSetInfo.
type counterSetInfo struct {
	atStart
	layout.CounterSetInfo       // the structure, empty if the input ends inside it
	counters              int64 // NumCounters, or the number of counters in the input if that is less
}

var onCounterSetInfo = subjectsIn[*counterSetInfo](layout.TemplateKind)

func (*counterSetInfo) record() *layout.Record { return &layout.PERF_COUNTERSET_INFO }

const (
	counterSetInfoSize = int64(layout.SizeofCounterSetInfo)
	counterInfoSize    = int64(layout.SizeofCounterInfo)
)

var counterSetInfoRules = []*Rule{
	{
		ID: "PERF2901", Name: "v2-template-size", Severity: Error, Since: "v0.1.0",
		Doc:     "a template has at least 40 bytes plus 32 for each of its NumCounters counters",
		Why:     "PerfSetCounterSetInfo refuses a shorter template. It accepts a longer one and ignores the remaining bytes.",
		Fix:     "Pass the whole template, and write the number of its counters into NumCounters.",
		Sources: []Source{wineTest, of(&layout.PERF_COUNTERSET_INFO, "NumCounters")},
		check:   onCounterSetInfo.guard(counterSetInfoBounds),
	},
	{
		ID: "PERF2902", Name: "v2-template-no-counters", Severity: Error, Since: "v0.1.0",
		Doc:     "a template has at least one counter",
		Why:     "PerfSetCounterSetInfo refuses a counter set without counters: error 87, ERROR_INVALID_PARAMETER.",
		Fix:     "Write the number of counters that follow the structure.",
		Sources: []Source{wineTest, of(&layout.PERF_COUNTERSET_INFO, "NumCounters")},
		check: onCounterSetInfo.check(func(p *pass, t *counterSetInfo) {
			if t.NumCounters() == 0 {
				p.field(t, "NumCounters", 0, "must be at least 1")
			}
		}),
	},
	{
		ID: "PERF2903", Name: "v2-template-limit", Severity: Warning, Since: "v0.1.0",
		Doc:     "a template has at most 64,000 counters",
		Why:     "The limit is 64,000 in the documentation and 64K (65,536) in perflib.h. Windows may refuse numbers between the two.",
		Fix:     "Divide the counters into several sets.",
		Sources: []Source{of(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check:   onCounterSetInfo.check(func(p *pass, t *counterSetInfo) { p.warnManyCounters(t, "NumCounters", int64(t.NumCounters())) }),
	},
	{
		ID: "PERF2904", Name: "v2-template-limit-max", Severity: Error, Since: "v0.1.0",
		Doc:     "a template has at most 65,536 counters",
		Why:     "No document allows more: NumCounters is wrong, or the bytes are not a template.",
		Fix:     "Write the number of counters that follow. If there are more than 65,536, divide them into several sets.",
		Sources: []Source{of(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check:   onCounterSetInfo.check(func(p *pass, t *counterSetInfo) { p.requireMostCounters(t, "NumCounters", int64(t.NumCounters())) }),
	},
	{
		ID: "PERF2905", Name: "v2-template-guid-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterSetGuid and ProviderGuid of a template are not all zeros",
		Why:     "Counter sets and providers are found by their GUIDs, so two with a zero GUID conflict. A zero GUID usually means that the field was not filled in.",
		Fix:     "Write the GUIDs of the manifest.",
		Sources: []Source{of(&layout.PERF_COUNTERSET_INFO, "CounterSetGuid"), of(&layout.PERF_COUNTERSET_INFO, "ProviderGuid")},
		check: onCounterSetInfo.check(func(p *pass, t *counterSetInfo) {
			if t.CounterSetGuid() == (layout.GUID{}) {
				p.field(t, "CounterSetGuid", "all zeros", "must be the GUID of the counter set")
			}
			if t.ProviderGuid() == (layout.GUID{}) {
				p.field(t, "ProviderGuid", "all zeros", "must be the GUID of the provider")
			}
		}),
	},
	{
		ID: "PERF2906", Name: "v2-template-instance-type", Severity: Error, Since: "v0.1.0",
		Doc:     "InstanceType of a template is 0, 2, 4, 6, 12 or 22",
		Why:     "InstanceType determines whether the set has named instances and how values of several instances are aggregated. Windows defines no other combination of flags.",
		Fix:     "Write the type of the manifest, one of those that perflib.h names.",
		Sources: []Source{of(&layout.PERF_COUNTERSET_INFO, "InstanceType")},
		check:   onCounterSetInfo.check(func(p *pass, t *counterSetInfo) { p.requireInstanceType(t, t.InstanceType()) }),
	},
}

func (p *pass) checkCounterSetInfo() {
	t := &p.counterSetInfo
	*t = counterSetInfo{}
	if n := int64(len(p.b)); n >= counterSetInfoSize {
		t.CounterSetInfo = layout.CounterSetInfo{Span: layout.NewSpan(p.b[:counterSetInfoSize], 0)}
		t.counters = min(int64(t.NumCounters()), (n-counterSetInfoSize)/counterInfoSize)
		if t.counters == int64(t.NumCounters()) {
			p.input.end = counterSetInfoSize + t.counters*counterInfoSize
		}
	}
	if !onCounterSetInfo.run(p, t) {
		return
	}
	p.indexCounters(counterSetInfoSize, counterInfoSize, t.counters)
	for i := range t.counters {
		p.counterInfo = p.counterInfoAt(i)
		onCounterInfo.run(p, &p.counterInfo)
	}
	onCounterSetInfo.runEnds(p, t)
}

// counterSetInfoBounds reports an input that is too short for the structure and NumCounters
// counters. It returns false only if the structure is incomplete: the counters in the input are
// checked even if others are missing.
func counterSetInfoBounds(p *pass, t *counterSetInfo) bool {
	if !p.requireSize(t, int64(len(p.b)), "the input has %s", "have") {
		return false
	}
	if t.counters < int64(t.NumCounters()) {
		p.field(t, "NumCounters", t.NumCounters(), "must be at most %d, the number of counters in the input", t.counters)
	}
	return true
}
