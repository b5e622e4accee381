package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// A counterSetInfo is what a provider gives to PerfSetCounterSetInfo.
type counterSetInfo struct {
	layout.CounterSetInfo       // the structure, if it is there
	rows                  int64 // counters that NumCounters counts and that are there
}

var onCounterSetInfo = subjectsIn[*counterSetInfo](layout.TemplateKind)

func (*counterSetInfo) path() layout.Path { return layout.Path{} }

func (*counterSetInfo) record() *layout.Record { return &layout.PERF_COUNTERSET_INFO }

func (*counterSetInfo) start() int64 { return 0 }

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
		check:   onCounterSetInfo.check(counterSetInfoNoCounters),
	},
	{
		ID: "PERF2903", Name: "v2-template-limit", Severity: Warning, Since: "v0.1.0",
		Doc:     "a template has at most 64,000 counters",
		Why:     "The documentation gives the limit as 64,000, and the header as 64K. Numbers between the two may be refused.",
		Fix:     "Divide the counter set.",
		Sources: []Source{of(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check:   onCounterSetInfo.check(func(p *pass, t *counterSetInfo) { p.setCrowded(t, t.NumCounters(), false) }),
	},
	{
		ID: "PERF2904", Name: "v2-template-limit-max", Severity: Error, Since: "v0.1.0",
		Doc:     "a template has at most 65,536 counters",
		Why:     "No document allows more: NumCounters is wrong, or the bytes are not this structure.",
		Fix:     "Write the number of counters that follow, and divide a set that has more.",
		Sources: []Source{of(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check:   onCounterSetInfo.check(func(p *pass, t *counterSetInfo) { p.setCrowded(t, t.NumCounters(), true) }),
	},
	{
		ID: "PERF2905", Name: "v2-template-guid-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterSetGuid and ProviderGuid of a template are not all zeros",
		Why:     "Counter sets and providers are found by their GUIDs, so two with a zero GUID conflict. A zero GUID usually means that the field was not filled in.",
		Fix:     "Write the GUIDs of the manifest.",
		Sources: []Source{of(&layout.PERF_COUNTERSET_INFO, "CounterSetGuid"), of(&layout.PERF_COUNTERSET_INFO, "ProviderGuid")},
		check:   onCounterSetInfo.check(counterSetInfoGUIDs),
	},
	{
		ID: "PERF2906", Name: "v2-template-instance-type", Severity: Error, Since: "v0.1.0",
		Doc:     "InstanceType of a template is 0, 2, 4, 6, 12 or 22",
		Why:     "InstanceType determines whether the set has named instances and how values of several instances are aggregated. Windows defines no other combination of flags.",
		Fix:     "Write the type of the manifest, one of those that perflib.h names.",
		Sources: []Source{of(&layout.PERF_COUNTERSET_INFO, "InstanceType")},
		check:   onCounterSetInfo.check(func(p *pass, t *counterSetInfo) { p.setInstances(t, t.InstanceType()) }),
	},
}

func (p *pass) checkCounterSetInfo() {
	t := &p.counterSetInfo
	*t = counterSetInfo{}
	if n := int64(len(p.b)); n >= counterSetInfoSize {
		t.CounterSetInfo = layout.CounterSetInfo{Span: layout.NewSpan(p.b[:counterSetInfoSize], 0)}
		t.rows = min(int64(t.NumCounters()), (n-counterSetInfoSize)/counterInfoSize)
		if t.rows == int64(t.NumCounters()) {
			p.input.end = counterSetInfoSize + t.rows*counterInfoSize
		}
	}
	if !onCounterSetInfo.holds(p, t) {
		return
	}
	p.identify(counterSetInfoSize, counterInfoSize, t.rows)
	for i := range t.rows {
		p.counterInfo = p.counterInfoAt(i)
		onCounterInfo.holds(p, &p.counterInfo)
	}
	onCounterSetInfo.end(p, t)
}

// counterSetInfoBounds goes on with the counters that are there.
func counterSetInfoBounds(p *pass, t *counterSetInfo) bool {
	n := int64(len(p.b))
	switch {
	case n < counterSetInfoSize:
		p.bytes(t, "", 0, int(n), fmt.Sprintf("the input has %d bytes", n), "must have at least 40")
		return false
	case t.rows < int64(t.NumCounters()):
		p.field(t, "NumCounters", t.NumCounters(), "must be at most %d, for which there is room", t.rows)
	}
	return true
}

func counterSetInfoNoCounters(p *pass, t *counterSetInfo) {
	if t.NumCounters() == 0 {
		p.field(t, "NumCounters", 0, "must be at least 1")
	}
}

func counterSetInfoGUIDs(p *pass, t *counterSetInfo) {
	if t.CounterSetGuid() == (layout.GUID{}) {
		p.field(t, "CounterSetGuid", "all zeros", "must be the GUID of the counter set")
	}
	if t.ProviderGuid() == (layout.GUID{}) {
		p.field(t, "ProviderGuid", "all zeros", "must be the GUID of the provider")
	}
}
