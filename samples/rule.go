package samples

import (
	"slices"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// These commands update the pages, the examples and the schema of the rules. The examples come first, because the page
// of a rule embeds them.
//go:generate go test ../internal/rulepage -run Examples -update
//go:generate go test ../internal/rulepage ../validate/config -update

const learn = "https://learn.microsoft.com/en-us/windows/win32/"

var (
	calculating = validate.Source{Clause: "Calculating Counter Values", URL: learn + "perfctrs/calculating-counter-values"}
	design      = validate.Source{Clause: "Object and Counter Design", URL: learn + "perfctrs/object-and-counter-design"}
	consuming   = validate.Source{Clause: "Using the PerfLib Functions to Consume Counter Data", URL: learn + "perfctrs/using-the-perflib-functions-to-consume-counter-data"}
)

// The function of returns the page of a structure, as the source of a rule for one of its fields.
func of(r *layout.Record, field string) validate.Source {
	return validate.Source{Clause: r.C + ", " + field, URL: r.Source}
}

// The rules about two samples. [Compare] has their checks.
var (
	layoutRule = &validate.Rule{
		ID: "PERF5001", Name: "pair-layout", Severity: validate.Warning,
		Doc:     "an object or a result has the same counters as in the older sample: their order, types, sizes and offsets",
		Why:     "Consumers look up a counter once and keep its place and its type. They read the value of another counter, or no value.",
		Fix:     "Return all counters in each sample, in one order. A counter without a value at present has the value 0.",
		Sources: []validate.Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterOffset"), of(&layout.PERF_MULTI_COUNTERS, "dwCounters")},
	}
	monotonicRule = &validate.Rule{
		ID: "PERF5002", Name: "pair-monotonic", Severity: validate.Warning, Windows: validate.Info,
		Doc:     "the value of a counter that is computed from its change is at least the value in the older sample, or has wrapped once",
		Why:     "Consumers display the change, and a change below 0 is no value. A value that falls by more than half of its range has wrapped, which consumers can correct. If several values of an instance fall and none grows, there is one finding: another instance probably has the name.",
		Fix:     "Only add to the counter, and never clear it. Give a new instance another name, or another UniqueID. For a value that goes up and down, use PERF_COUNTER_RAWCOUNT or PERF_COUNTER_LARGE_RAWCOUNT.",
		Sources: []validate.Source{design, calculating},
		Misread: []string{"PDH reports PDH_CALC_NEGATIVE_VALUE", "Microsoft's sample drops the older block"},
	}
	baseRule = &validate.Rule{
		ID: "PERF5003", Name: "pair-base-monotonic", Severity: validate.Warning, Windows: validate.Info,
		Doc:     "the base of a sampled, average or precision counter is at least the base in the older sample, or has wrapped once",
		Why:     "The formula divides by the change of the base. If the base falls, the displayed value is negative or missing.",
		Fix:     "Add to the base whenever its counter counts, and never clear one of them alone.",
		Sources: []validate.Source{calculating, design},
	}
	unchangedRule = &validate.Rule{
		ID: "PERF5004", Name: "pair-base-unchanged", Severity: validate.Info, Windows: validate.Off,
		Doc:     "the base of a sampled, average or precision counter is not the base in the older sample",
		Why:     "The formula divides by the change of the base, so there is no value to display. That is normal if nothing was counted between the samples. Only the first instance of an object or a result is reported.",
		Fix:     "Nothing, if there were no operations between the samples. Otherwise add to the base for each operation.",
		Sources: []validate.Source{calculating},
	}
	timeRule = &validate.Rule{
		ID: "PERF5005", Name: "pair-time", Severity: validate.Warning,
		Doc:     "each clock of the newer sample is later than in the older sample",
		Why:     "Rates and percentages are divided by the time between the samples. Without time between them there are no values. If PerfTime is earlier, the samples are in the wrong order or the computer has restarted, so the counters are not compared.",
		Fix:     "Read the clock for each sample. If the samples are in the wrong order, exchange them.",
		Sources: []validate.Source{calculating, of(&layout.PERF_DATA_BLOCK, "PerfTime"), of(&layout.PERF_DATA_HEADER, "PerfTimeStamp")},
	}
	frequencyRule = &validate.Rule{
		ID: "PERF5006", Name: "pair-frequency", Severity: validate.Warning,
		Doc:     "the frequency of a clock is the same in both samples",
		Why:     "The time between the samples is their ticks, divided by one frequency. If the frequency of the block changes, the samples are from different computers, and the counters are not compared.",
		Fix:     "Write the result of QueryPerformanceFrequency, which does not change while the computer runs. For the clock of an object, use one frequency.",
		Sources: []validate.Source{calculating, of(&layout.PERF_DATA_BLOCK, "PerfFreq"), of(&layout.PERF_DATA_HEADER, "PerfFreq")},
	}
	instancesRule = &validate.Rule{
		ID: "PERF5007", Name: "pair-parent-kind", Severity: validate.Error,
		Doc:     "an object or a result has instances in both samples, or in none",
		Why:     "A counter path names an instance if, and only if, the object has instances. Consumers no longer find the counters, and the parents of other instances are lost.",
		Fix:     "Set NumInstances to PERF_NO_INSTANCES always or never. An object with instances that has none at present has NumInstances 0.",
		Sources: []validate.Source{of(&layout.PERF_OBJECT_TYPE, "NumInstances"), of(&layout.PERF_COUNTER_HEADER, "dwType")},
	}
	idRule = &validate.Rule{
		ID: "PERF5008", Name: "pair-instance-id", Severity: validate.Warning, Windows: validate.Info,
		Doc:     "the only instance with a name and a parent has the UniqueID or InstanceId that it has in the older sample",
		Why:     "The instance was replaced, or its id changes each time. Consumers that follow the id start again, and those that follow the name mix the values of two instances.",
		Fix:     "Keep the id as long as the instance exists. If instances are replaced, make the id a part of the name.",
		Sources: []validate.Source{of(&layout.PERF_INSTANCE_DEFINITION, "UniqueID"), of(&layout.PERF_INSTANCE_HEADER, "InstanceId")},
	}
	totalRule = &validate.Rule{
		ID: "PERF5009", Name: "pair-total", Severity: validate.Warning,
		Doc:     "the instance _Total of a counter set with the instance type PERF_COUNTERSET_MULTI_AGGREGATE is the aggregate of all other instances that its registration declares",
		Why:     "Most people look at _Total only, and it disagrees with the instances.",
		Fix:     "Let Windows compute _Total, or correct the aggregate of the counter in the manifest: sum, avg, min or max.",
		Sources: []validate.Source{of(&layout.PERF_COUNTER_REG_INFO, "AggregateFunc"), of(&layout.PERF_COUNTERSET_REG_INFO, "InstanceType"), consuming},
	}
	computerRule = &validate.Rule{
		ID: "PERF5010", Name: "pair-computer", Severity: validate.Warning,
		Doc:     "both samples have the name of one computer",
		Why:     "Each computer has clocks and counters of its own. Their differences have no meaning, so nothing else is compared.",
		Fix:     "Compare two blocks of one computer.",
		Sources: []validate.Source{of(&layout.PERF_DATA_BLOCK, "SystemNameOffset"), calculating},
	}
	rules = []*validate.Rule{layoutRule, monotonicRule, baseRule, unchangedRule, timeRule, frequencyRule, instancesRule, idRule, totalRule, computerRule}
)

func init() {
	kinds := map[*validate.Rule][]layout.Kind{
		unchangedRule: {layout.DataBlockKind, layout.ObjectsKind, layout.QueryDataKind},
		totalRule:     {layout.QueryDataKind},
		computerRule:  {layout.DataBlockKind},
	}
	for _, r := range rules {
		r.Since, r.Needs = "v0.2.0", "an older sample: lint --pair, or a bundle of perfblock capture"
		if kinds[r] == nil {
			kinds[r] = kinds[unchangedRule]
		}
		for _, k := range kinds[r] {
			r.Forms = append(r.Forms, k.String())
		}
	}
	validate.Register(rules...)
}

// Rules returns the rules about two samples, sorted by ID. Importing this package adds them to the rules of package
// validate.
func Rules() []*validate.Rule { return slices.Clone(rules) }
