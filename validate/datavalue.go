package validate

import "github.com/perfblock/perfblock/layout"

var dataValueRules = []*Rule{
	{
		ID: "PERF1116", Name: "data-systemtime", Severity: Warning, Since: "v0.1.0",
		Doc:     "each field of SystemTime is one that a SYSTEMTIME can have",
		Why:     "It is the moment of the sample. SystemTimeToFileTime and its like refuse a month 13 or an hour 24, and a reader that does not ask has no time at all, or a wrong one.",
		Fix:     "Fill it with GetSystemTime, or from PerfTime100nSec with FileTimeToSystemTime.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "SystemTime"), {"SYSTEMTIME", layout.SYSTEMTIME.Source}},
		check:   onDataBlock.check(dataSystemTime),
	},
	{
		ID: "PERF1117", Name: "data-perf-freq", Severity: Error, Since: "v0.1.0",
		Doc:     "PerfFreq is above 0 where a counter is computed with it",
		Why:     "A rate divides by seconds, which are PerfTime divided by PerfFreq. With 0 the reader divides by zero, and with less the rate is negative.",
		Fix:     "Write what QueryPerformanceFrequency gives.",
		Sources: []Source{calculating, of(&layout.PERF_DATA_BLOCK, "PerfFreq")},
		check:   onDataBlock.atEnd(dataPerfFreq),
	},
	{
		ID: "PERF1118", Name: "data-perf-freq-unused", Severity: Warning, Since: "v0.1.0",
		Doc:     "PerfFreq is above 0 even where no counter is computed with it",
		Why:     "It belongs to the computer and not to the counters, so there always is one. A reader may divide by it before it looks at a counter.",
		Fix:     "Write what QueryPerformanceFrequency gives.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "PerfFreq")},
		check:   onDataBlock.atEnd(dataPerfFreqUnused),
	},
	{
		ID: "PERF1119", Name: "data-perf-time", Severity: Warning, Since: "v0.1.0",
		Doc:     "PerfTime is not below 0, and PerfTime100nSec is above 0",
		Why:     "Rates are computed from how far these clocks went on between two samples. A clock that was never read stands still, and the reader divides by zero.",
		Fix:     "Write what QueryPerformanceCounter and GetSystemTimeAsFileTime give.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "PerfTime"), of(&layout.PERF_DATA_BLOCK, "PerfTime100nSec")},
		check:   onDataBlock.check(dataPerfTime),
	},
	{
		ID: "PERF1120", Name: "data-padding-zero", Severity: Info, Since: "v0.1.0",
		Doc:     "the 4 bytes between SystemTime and PerfTime are 0",
		Why:     "They are no member of the structure and only align PerfTime. Other bytes there are left over from what the memory was used for before, which need not concern the reader.",
		Fix:     "Clear the structure before you fill it.",
		Sources: []Source{headerFile},
		check:   onDataBlock.check(dataPadding),
	},
	{
		ID: "PERF1121", Name: "data-object-duplicate", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two objects have one ObjectNameTitleIndex",
		Why:     "A reader that looks for an object takes the first that has its title. It never sees the others, and may look up the parents of instances in the wrong one.",
		Fix:     "Give every object a title of its own, and write each once: with all its instances.",
		Sources: []Source{values, dotnetReader, netdata},
		Misread: []string{".NET and netdata find the first of them alone"},
		check:   onObject.check(objectDuplicate),
	},
}

// dataSystemTime speaks of the first field alone: one that was not filled in has
// several that are wrong.
func dataSystemTime(p *pass, h *dataBlock) { p.systemTime(systemTimeField{36}, h.SystemTime()) }

func dataPerfFreq(p *pass, h *dataBlock) {
	if f := h.PerfFreq(); f <= 0 && h.usesFreq != "" {
		p.field(h, "PerfFreq", f, "more than 0, as a %s is computed with it", h.usesFreq)
	}
}

func dataPerfFreqUnused(p *pass, h *dataBlock) {
	if f := h.PerfFreq(); f <= 0 && h.usesFreq == "" {
		p.field(h, "PerfFreq", f, "more than 0")
	}
}

// usesFreq reports whether a counter of the type is computed with the PerfFreq of
// the data block.
func usesFreq(t layout.CounterType) bool {
	switch t {
	case layout.PERF_COUNTER_COUNTER, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_SAMPLE_COUNTER, layout.PERF_AVERAGE_TIMER:
		return true
	}
	return false
}

func dataPerfTime(p *pass, h *dataBlock) {
	if t := h.PerfTime(); t < 0 {
		p.field(h, "PerfTime", t, "0 or more")
	}
	if t := h.PerfTime100nSec(); t <= 0 {
		p.field(h, "PerfTime100nSec", t, "more than 0")
	}
}

func dataPadding(p *pass, h *dataBlock) {
	if v := le.Uint32(h.Bytes()[52:]); v != 0 {
		p.field(h, "Padding", v, "0")
	}
}

// objectDuplicate leaves objects without a title, which all have 0, to the rule for that.
func objectDuplicate(p *pass, o *object) {
	title := o.ObjectNameTitleIndex()
	if first, known := p.byTitle[title]; known && title != 0 && first < o.index {
		p.field(o, "ObjectNameTitleIndex", title, "a title of its own: object[%d] has this", first)
	}
}
