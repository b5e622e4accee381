package validate

import "github.com/perfblock/perfblock/layout"

var objectClockRules = []*Rule{
	{
		ID: "PERF1234", Name: "obj-timer-perffreq", Severity: Error, Since: "v0.1.0",
		Doc:     "an object with a PERF_ELAPSED_TIME has a PerfFreq above 0",
		Why:     "The time that has passed is divided by the object's PerfFreq to give seconds. There is no value without it, and a reader that does not look divides by 0.",
		Fix:     "Write the ticks that the object's PerfTime makes in a second, 10000000 where it is a FILETIME.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "PerfFreq"), calculating},
		check:   onDefinitions.check(objectTimerFreq),
	},
	{
		ID: "PERF1235", Name: "obj-timer-perftime", Severity: Error, Since: "v0.1.0",
		Doc:     "an object with a counter of PERF_OBJECT_TIMER has a PerfTime above 0",
		Why:     "Such counters are computed with the object's PerfTime in place of the header's. Where it stays 0 no time passes between two samples, and elapsed times are negative.",
		Fix:     "Write the time of the sample in the ticks in which the counters count.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "PerfTime"), calculating},
		check:   onDefinitions.check(objectTimerTime),
	},
	{
		ID: "PERF1236", Name: "obj-timer-perffreq-rate", Severity: Warning, Since: "v0.1.0",
		Doc:     "an object with a counter of PERF_OBJECT_TIMER has a PerfFreq above 0, though none is a PERF_ELAPSED_TIME",
		Why:     "The page asks for it wherever such a counter is. Known formulas divide two times and do without, so that only readers are hurt which turn PerfTime into seconds.",
		Fix:     "Write the ticks that the object's PerfTime makes in a second, 10000000 where it is a FILETIME.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "PerfFreq")},
		check:   onDefinitions.check(objectTimerFreqRate),
	},
}

// elapsed reports whether a counter of the object is a PERF_ELAPSED_TIME.
func (o *object) elapsed() bool {
	for i := range o.counters {
		if o.counters[i].typ == layout.PERF_ELAPSED_TIME {
			return true
		}
	}
	return false
}

func objectTimerFreq(p *pass, o definitions) {
	if f := o.PerfFreq(); f <= 0 && o.clock && o.elapsed() {
		p.field(o, "PerfFreq", f, "above 0, for PERF_ELAPSED_TIME")
	}
}

func objectTimerTime(p *pass, o definitions) {
	if t := o.PerfTime(); t <= 0 && o.clock {
		p.field(o, "PerfTime", t, "above 0, for counters of PERF_OBJECT_TIMER")
	}
}

func objectTimerFreqRate(p *pass, o definitions) {
	if f := o.PerfFreq(); f <= 0 && o.clock && !o.elapsed() {
		p.field(o, "PerfFreq", f, "above 0, for counters of PERF_OBJECT_TIMER")
	}
}
