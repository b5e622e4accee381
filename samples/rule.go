package samples

import (
	"slices"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

const learn = "https://learn.microsoft.com/en-us/windows/win32/"

var (
	calculating = validate.Source{Clause: "Calculating Counter Values", URL: learn + "perfctrs/calculating-counter-values"}
	design      = validate.Source{Clause: "Object and Counter Design", URL: learn + "perfctrs/object-and-counter-design"}
	consuming   = validate.Source{Clause: "Using the PerfLib Functions to Consume Counter Data", URL: learn + "perfctrs/using-the-perflib-functions-to-consume-counter-data"}
)

// sourceOf returns the source of a rule about a field: the documentation page of the structure that has the field.
func sourceOf(r *layout.Record, field string) validate.Source {
	return validate.Source{Clause: r.C + ", " + field, URL: r.Source}
}

// The rules that [Compare] checks. Each rule is about two samples.
var (
	layoutRule = &validate.Rule{
		ID: "PERF5001", Name: "pair-layout", Severity: validate.Warning,
		Doc:     "an object or a result has the same counters as in the older sample, with the same order, types, sizes and offsets",
		Why:     "Consumers look up a counter once and keep its position and type. After a change of the counters, consumers read the value of another counter, or no value.",
		Fix:     "Return all counters in each sample, in one order. If a counter has no value at present, write 0.",
		Sources: []validate.Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterOffset"), sourceOf(&layout.PERF_MULTI_COUNTERS, "dwCounters")},
	}
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
	timeRule = &validate.Rule{
		ID: "PERF5005", Name: "pair-time", Severity: validate.Warning,
		Doc:     "each clock of the newer sample is later than in the older sample",
		Why:     "Rates and percentages are divided by the time between the samples. If no time has passed, there is no value to display. If PerfTime is earlier, the samples are in the wrong order or the computer has restarted, so the counters are not compared.",
		Fix:     "Read the clock for each sample. If the samples are in the wrong order, exchange them.",
		Sources: []validate.Source{calculating, sourceOf(&layout.PERF_DATA_BLOCK, "PerfTime"), sourceOf(&layout.PERF_DATA_HEADER, "PerfTimeStamp")},
	}
	frequencyRule = &validate.Rule{
		ID: "PERF5006", Name: "pair-frequency", Severity: validate.Warning,
		Doc:     "the frequency of a clock is the same in both samples",
		Why:     "Consumers divide the ticks between the samples by one frequency. If the frequency in the header changes, the samples are from different computers, so the counters are not compared.",
		Fix:     "Write the result of QueryPerformanceFrequency, which does not change while the computer runs. For the clock of an object, use one frequency.",
		Sources: []validate.Source{calculating, sourceOf(&layout.PERF_DATA_BLOCK, "PerfFreq"), sourceOf(&layout.PERF_DATA_HEADER, "PerfFreq")},
	}
	instancesRule = &validate.Rule{
		ID: "PERF5007", Name: "pair-parent-kind", Severity: validate.Error,
		Doc:     "an object or a result has instances in both samples, or in none",
		Why:     "A counter path contains the name of an instance only if the object has instances. If NumInstances changes to or from PERF_NO_INSTANCES, consumers do not find the counters of the object, and instances of other objects lose their parents.",
		Fix:     "Use PERF_NO_INSTANCES in all samples, or in none. If an object has no instances at present, set NumInstances to 0.",
		Sources: []validate.Source{sourceOf(&layout.PERF_OBJECT_TYPE, "NumInstances"), sourceOf(&layout.PERF_COUNTER_HEADER, "dwType")},
	}
	idRule = &validate.Rule{
		ID: "PERF5008", Name: "pair-instance-id", Severity: validate.Warning, Windows: validate.Info,
		Doc:     "the UniqueID or InstanceId of an instance is the same in both samples if no other instance has its name and parent",
		Why:     "A different id means that the instance was replaced, or that the id changes in each sample. Consumers that follow the id start again. Consumers that follow the name can mix the values of two instances.",
		Fix:     "Keep the id as long as the instance exists. If instances are replaced, make the id a part of the name.",
		Sources: []validate.Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "UniqueID"), sourceOf(&layout.PERF_INSTANCE_HEADER, "InstanceId")},
	}
	totalRule = &validate.Rule{
		ID: "PERF5009", Name: "pair-total", Severity: validate.Warning,
		Doc:     "in a counter set of the instance type PERF_COUNTERSET_MULTI_AGGREGATE, the values of _Total are the aggregates of all other instances, as the registrations of the counters declare",
		Why:     "Most people look only at _Total, and see a value that disagrees with the instances.",
		Fix:     "Let Windows compute _Total, or correct the aggregate of the counter in the manifest: sum, avg, min or max.",
		Sources: []validate.Source{sourceOf(&layout.PERF_COUNTER_REG_INFO, "AggregateFunc"), sourceOf(&layout.PERF_COUNTERSET_REG_INFO, "InstanceType"), consuming},
	}
	computerRule = &validate.Rule{
		ID: "PERF5010", Name: "pair-computer", Severity: validate.Warning,
		Doc:     "both samples have the same system name",
		Why:     "Each computer has its own clocks and counters. Differences between two computers have no meaning, so nothing else is compared.",
		Fix:     "Compare two blocks of one computer.",
		Sources: []validate.Source{sourceOf(&layout.PERF_DATA_BLOCK, "SystemNameOffset"), calculating},
	}
	rules = []*validate.Rule{layoutRule, monotonicRule, baseRule, unchangedRule, timeRule, frequencyRule, instancesRule, idRule, totalRule, computerRule}
)

func init() {
	for _, r := range rules {
		r.Since, r.Needs = "v0.1.0", "an older sample, from lint --pair or from a bundle of perfblock capture"
		kinds := []layout.Kind{layout.DataBlockKind, layout.ObjectsKind, layout.QueryDataKind}
		switch r {
		case totalRule:
			kinds = []layout.Kind{layout.QueryDataKind}
		case computerRule:
			kinds = []layout.Kind{layout.DataBlockKind}
		}
		for _, k := range kinds {
			r.Forms = append(r.Forms, k.String())
		}
	}
	validate.Register(rules...)
}

// Rules returns the rules about two samples, sorted by ID. Importing this package adds them to the rules of package
// validate.
func Rules() []*validate.Rule { return slices.Clone(rules) }
