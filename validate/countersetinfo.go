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
	templateSize        = int64(40)
	templateCounterSize = int64(32)
)

var counterSetInfoRules = []*Rule{
	{
		ID: "PERF2901", Name: "v2-template-size", Severity: Error, Since: "v0.1.0",
		Doc:     "a template is of 40 bytes and 32 for each of its NumCounters at least",
		Why:     "PerfSetCounterSetInfo refuses what is shorter. It takes what is longer, and does not look at the rest.",
		Fix:     "Give the function the whole template, and write the number of counters that are in it into NumCounters.",
		Sources: []Source{wineTest, of(&layout.PERF_COUNTERSET_INFO, "NumCounters")},
		check:   onCounterSetInfo.guard(templateBounds),
	},
	{
		ID: "PERF2902", Name: "v2-template-no-counters", Severity: Error, Since: "v0.1.0",
		Doc:     "a template has a counter",
		Why:     "PerfSetCounterSetInfo refuses a set without any: error 87, ERROR_INVALID_PARAMETER.",
		Fix:     "Write the number of counters that follow the structure.",
		Sources: []Source{wineTest, of(&layout.PERF_COUNTERSET_INFO, "NumCounters")},
		check:   onCounterSetInfo.check(templateNoCounters),
	},
	{
		ID: "PERF2903", Name: "v2-template-limit", Severity: Warning, Since: "v0.1.0",
		Doc:     "a template has no more than 64,000 counters",
		Why:     "The documentation sets the limit at 64,000 and the header at 64K. What lies between may be refused.",
		Fix:     "Split the set.",
		Sources: []Source{of(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check:   onCounterSetInfo.check(func(p *pass, t *counterSetInfo) { p.setCrowded(t, t.NumCounters(), false) }),
	},
	{
		ID: "PERF2904", Name: "v2-template-limit-max", Severity: Error, Since: "v0.1.0",
		Doc:     "a template has no more than 65,536 counters",
		Why:     "No documentation allows more: NumCounters counts something else, or is no number of this structure.",
		Fix:     "Write the number of counters that follow, and split a set that has more.",
		Sources: []Source{of(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check:   onCounterSetInfo.check(func(p *pass, t *counterSetInfo) { p.setCrowded(t, t.NumCounters(), true) }),
	},
	{
		ID: "PERF2905", Name: "v2-template-guid-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "neither CounterSetGuid nor ProviderGuid of a template is all zeros",
		Why:     "Sets and providers are found by them, and two that nobody gave a GUID are one. It is what a template has in which they were not filled in.",
		Fix:     "Write the GUIDs of the manifest.",
		Sources: []Source{of(&layout.PERF_COUNTERSET_INFO, "CounterSetGuid"), of(&layout.PERF_COUNTERSET_INFO, "ProviderGuid")},
		check:   onCounterSetInfo.check(templateGUIDs),
	},
	{
		ID: "PERF2906", Name: "v2-template-instance-type", Severity: Error, Since: "v0.1.0",
		Doc:     "the InstanceType of a template is 0, 2, 4, 6, 12 or 22",
		Why:     "It says whether the set has instances with names and what becomes of the values of several. Flags in another combination say nothing that Windows does.",
		Fix:     "Write one of the types that perflib.h has a name for, the one of the manifest.",
		Sources: []Source{of(&layout.PERF_COUNTERSET_INFO, "InstanceType")},
		check:   onCounterSetInfo.check(func(p *pass, t *counterSetInfo) { p.setInstances(t, t.InstanceType()) }),
	},
}

func (p *pass) checkTemplate() {
	t := &p.counterSetInfo
	*t = counterSetInfo{}
	if n := int64(len(p.b)); n >= templateSize {
		t.CounterSetInfo = layout.CounterSetInfo{Span: layout.NewSpan(p.b[:templateSize], 0)}
		t.rows = min(int64(t.NumCounters()), (n-templateSize)/templateCounterSize)
		if t.rows == int64(t.NumCounters()) {
			p.input.end = templateSize + t.rows*templateCounterSize
		}
	}
	if !onCounterSetInfo.holds(p, t) {
		return
	}
	p.identify(templateSize, templateCounterSize, t.rows)
	for i := range t.rows {
		p.counterInfo = p.templateCounterAt(i)
		onCounterInfo.holds(p, &p.counterInfo)
	}
	onCounterSetInfo.end(p, t)
}

// templateBounds goes on with the counters that are there.
func templateBounds(p *pass, t *counterSetInfo) bool {
	n := int64(len(p.b))
	switch {
	case n < templateSize:
		p.bytes(t, "", 0, int(n), fmt.Sprintf("the input is of %d bytes", n), "40 at least")
		return false
	case t.rows < int64(t.NumCounters()):
		p.field(t, "NumCounters", t.NumCounters(), "%d at most, for which there is room", t.rows)
	}
	return true
}

func templateNoCounters(p *pass, t *counterSetInfo) {
	if t.NumCounters() == 0 {
		p.field(t, "NumCounters", 0, "1 at least")
	}
}

func templateGUIDs(p *pass, t *counterSetInfo) {
	if t.CounterSetGuid() == (layout.GUID{}) {
		p.field(t, "CounterSetGuid", "all zeros", "the GUID of the counter set")
	}
	if t.ProviderGuid() == (layout.GUID{}) {
		p.field(t, "ProviderGuid", "all zeros", "the GUID of the provider")
	}
}
