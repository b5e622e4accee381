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

var counterSetInfoRules = []*Rule{
	{
		ID: "PERF2901", Name: "v2-template-size", Severity: Error, Since: "v0.1.0",
		Doc:     "a template has at least 40 bytes plus 32 for each of its NumCounters counters",
		Why:     "PerfSetCounterSetInfo refuses a shorter template. It accepts a longer template and ignores the remaining bytes.",
		Fix:     "Pass the whole template, and write the number of its counters into NumCounters.",
		Sources: []Source{wineTest, sourceOf(&layout.PERF_COUNTERSET_INFO, "NumCounters")},
		check: onCounterSetInfo.guard(func(p *pass, t *counterSetInfo) bool {
			if !p.requireSize(t, int64(len(p.b)), "the input has %s", "have") {
				return false
			}
			switch n := t.NumCounters(); {
			case t.counters >= int64(n):
			case t.counters == 0:
				rest := int64(len(p.b)) - counterSetInfoSize
				p.field(t, "NumCounters", n, "must be followed by a counter of %d bytes, but only %s follow the structure", counterInfoSize, plural(rest, "byte"))
			default:
				p.field(t, "NumCounters", t.NumCounters(), "must be at most %d, the number of counters in the input", t.counters)
			}
			return true // the counters in the input are checked, even if NumCounters is too large
		}),
	},
	{
		ID: "PERF2902", Name: "v2-template-no-counters", Severity: Error, Since: "v0.1.0",
		Doc:     "a template has at least one counter",
		Why:     "PerfSetCounterSetInfo refuses a counter set without counters: error 87, ERROR_INVALID_PARAMETER.",
		Fix:     "Write the number of counters that follow the structure.",
		Sources: []Source{wineTest, sourceOf(&layout.PERF_COUNTERSET_INFO, "NumCounters")},
		check: onCounterSetInfo.check(func(p *pass, t *counterSetInfo) {
			require(p, t, "NumCounters", t.NumCounters(), t.NumCounters() != 0, "must be at least 1")
		}),
	},
	{
		ID: "PERF2903", Name: "v2-template-limit", Severity: Warning, Since: "v0.1.0",
		Doc:     "a template has at most 64,000 counters",
		Why:     "The limit is 64,000 in the documentation and 64K (65,536) in perflib.h. Windows may refuse a number between the two limits.",
		Fix:     "Divide the counters into several sets.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check:   onCounterSetInfo.check(func(p *pass, t *counterSetInfo) { p.warnManyCounters(t, "NumCounters", int64(t.NumCounters())) }),
	},
	{
		ID: "PERF2904", Name: "v2-template-limit-max", Severity: Error, Since: "v0.1.0",
		Doc:     "a template has at most 65,536 counters",
		Why:     "perflib.h allows at most 64K (65,536) counters in a set. If NumCounters is larger, either NumCounters is wrong, or the bytes are not a template.",
		Fix:     "Write the number of counters that follow. If there are more than 65,536, divide them into several sets.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check:   onCounterSetInfo.check(func(p *pass, t *counterSetInfo) { p.requireMostCounters(t, "NumCounters", int64(t.NumCounters())) }),
	},
	{
		ID: "PERF2905", Name: "v2-template-guid-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "neither CounterSetGuid nor ProviderGuid of a template is all zeros",
		Why:     "Counter sets and providers are found by their GUIDs, so two counter sets with a GUID of zeros conflict. A GUID of zeros usually means that the field was not filled in.",
		Fix:     "Write the GUIDs of the manifest.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTERSET_INFO, "CounterSetGuid"), sourceOf(&layout.PERF_COUNTERSET_INFO, "ProviderGuid")},
		check: onCounterSetInfo.check(func(p *pass, t *counterSetInfo) {
			require(p, t, "CounterSetGuid", "all zeros", t.CounterSetGuid() != layout.GUID{}, "must be the GUID of the counter set")
			require(p, t, "ProviderGuid", "all zeros", t.ProviderGuid() != layout.GUID{}, "must be the GUID of the provider")
		}),
	},
	{
		ID: "PERF2906", Name: "v2-template-instance-type", Severity: Error, Since: "v0.1.0",
		Doc:     "InstanceType of a template is 0, 2, 4, 6, 12 or 22",
		Why:     "InstanceType determines whether the set has named instances and how values of several instances are aggregated. Windows defines only the values 0, 2, 4, 6, 12 and 22.",
		Fix:     "Write the InstanceType of the manifest. It is one of the types that perflib.h names.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTERSET_INFO, "InstanceType")},
		check:   onCounterSetInfo.check(func(p *pass, t *counterSetInfo) { p.requireInstanceType(t, t.InstanceType()) }),
	},
}

func (p *pass) checkCounterSetInfo() {
	t := &p.counterSetInfo
	*t = counterSetInfo{}
	if n := int64(len(p.b)); n >= counterSetInfoSize {
		t.CounterSetInfo = layout.CounterSetInfo{Span: span(p.b, 0, counterSetInfoSize)}
		t.counters = min(int64(t.NumCounters()), (n-counterSetInfoSize)/counterInfoSize)
		if t.counters == int64(t.NumCounters()) {
			p.input.end = counterSetInfoSize + t.counters*counterInfoSize
		}
	}
	if !onCounterSetInfo.run(p, t) {
		return
	}
	p.indexCounters(counterList{counterSetInfoSize, counterInfoSize}, t.counters)
	for i := range t.counters {
		p.counterInfo = p.counterInfoAt(i)
		onCounterInfo.run(p, &p.counterInfo)
	}
	onCounterSetInfo.runEnds(p, t)
}

// A counterInfo is a counter of a template.
type counterInfo struct {
	layout.CounterInfo
	index int64
}

var onCounterInfo = subjectsIn[*counterInfo](layout.TemplateKind)

func (c *counterInfo) path() layout.Path { return layout.Path{}.At("counter", int(c.index)) }

func (*counterInfo) record() *layout.Record { return &layout.PERF_COUNTER_INFO }

func (c *counterInfo) start() int64 { return c.Off() }

var counterInfoRules = []*Rule{
	{
		ID: "PERF2907", Name: "v2-template-duplicate-id", Severity: Error, Since: "v0.1.0",
		Doc:     "each counter of a template has its own CounterId, which is not 0xffffffff",
		Why:     "Providers and consumers find a counter by its CounterId. If two counters have the same CounterId, the second counter is never found. 0xffffffff is PERF_WILDCARD_COUNTER, which requests all counters.",
		Fix:     "Write the ids of the manifest. Each counter needs its own id.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_INFO, "CounterId"), sourceOf(&layout.PERF_COUNTER_IDENTIFIER, "CounterId")},
		check: onCounterInfo.check(func(p *pass, c *counterInfo) {
			id := c.CounterId()
			if id == layout.PERF_WILDCARD_COUNTER {
				p.requireNoWildcard(c, id)
				return
			}
			p.requireUniqueID(c, id, c.index)
		}),
	},
	{
		ID: "PERF2908", Name: "v2-template-type", Severity: Warning, Since: "v0.1.0",
		Doc:     "Type of a template's counter is a type that a manifest can declare",
		Why:     "Consumers compute values of the documented types. For other types they show the raw value or nothing.",
		Fix:     "Choose the documented type with the computation that you need.",
		Sources: []Source{counterXML, sourceOf(&layout.PERF_COUNTER_INFO, "Type")},
		check:   onCounterInfo.check(func(p *pass, c *counterInfo) { p.requireType(c, c.Type()) }),
	},
	{
		ID: "PERF2909", Name: "v2-template-attrib-bits", Severity: Error, Since: "v0.1.0",
		Doc:     "Attrib of a template's counter has no bits except the five flags",
		Why:     "Only the bits of 0x1f are defined. If other bits are set, the 64-bit field was probably written as two fields, or at another offset.",
		Fix:     "Write the required flags, and 0 into all other bits.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_INFO, "Attrib")},
		check:   onCounterInfo.check(func(p *pass, c *counterInfo) { p.requireAttribBits(c, c.Attrib()) }),
	},
	{
		ID: "PERF2910", Name: "v2-template-attrib-combination", Severity: Warning, Since: "v0.1.0",
		Doc:     "in a template PERF_ATTRIB_NO_DISPLAYABLE is not combined with display flags, and PERF_ATTRIB_DISPLAY_AS_HEX is not combined with flags for decimal numbers",
		Why:     "The documents do not agree on which of two conflicting flags has priority, so consumers show the value in different ways.",
		Fix:     "Keep only the flag that you want.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_INFO, "Attrib"), pcqRegCounter},
		check:   onCounterInfo.check(func(p *pass, c *counterInfo) { p.requireAttribCombination(c, c.Attrib()) }),
	},
	{
		ID: "PERF2911", Name: "v2-template-detail-level", Severity: Warning, Since: "v0.1.0",
		Doc:     "DetailLevel of a template's counter is PERF_DETAIL_NOVICE or PERF_DETAIL_ADVANCED",
		Why:     "Tools show novice counters to all users, and advanced counters on request. The other levels belong to winperf.h; manifests cannot declare them.",
		Fix:     "Write 100 or 200.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_INFO, "DetailLevel"), counterXML},
		check:   onCounterInfo.check(func(p *pass, c *counterInfo) { p.requireDetailLevel(c, c.DetailLevel()) }),
	},
	{
		ID: "PERF2912", Name: "v2-template-scale", Severity: Error, Since: "v0.1.0",
		Doc:     "Scale of a template's counter is -10 to 10",
		Why:     "A graph multiplies the value by 10 to the power of Scale. A manifest with a scale below -10 or above 10 is refused.",
		Fix:     "Write the exponent, not the factor: 0 shows the value unchanged. Generated code writes -3 as 4294967293, which has the same 32 bits.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_INFO, "Scale"), counterXML},
		check:   onCounterInfo.check(func(p *pass, c *counterInfo) { p.requireScale(c, "Scale", c.Scale()) }),
	},
	{
		ID: "PERF2913", Name: "v2-template-counter-size", Severity: Warning, Since: "v0.1.0",
		Doc:     "Size of a template's counter is the width of the value in bytes, or 32, the size of PERF_COUNTER_INFO",
		Why:     "Windows ignores Size, and allocates 8 bytes for each counter. The rule always accepts 32, which is the size of the structure and the documented value, and the width that Type defines. It also accepts 8 if Attrib has PERF_ATTRIB_BY_REFERENCE, and 0, 4 and 8 if Type defines no width. With any other Size, either Size or Type is wrong.",
		Fix:     "Write the width of the value, 4 or 8.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_INFO, "Size"), wineTest},
		check: onCounterInfo.check(func(p *pass, c *counterInfo) {
			width, _ := c.Type().Width()
			switch size, byReference := c.Size(), c.Attrib()&layout.PERF_ATTRIB_BY_REFERENCE != 0; {
			case size == width, size == uint32(counterInfoSize):
			case (byReference || width == 0) && size == 8, width == 0 && size == 4:
			case width == 0:
				p.field(c, "Size", size, "must be 0, 4, 8 or %d", counterInfoSize)
			default:
				p.field(c, "Size", size, "must be %d, the width of %v", width, c.Type())
			}
		}),
	},
	{
		ID: "PERF2914", Name: "v2-template-offset", Severity: Info, Since: "v0.1.0",
		Doc:     "the Offset fields of a template's counters are all the same, or all different and multiples of 8",
		Why:     "Windows ignores Offset, and allocates 8 bytes for each counter. A writer that stores other offsets assumes another layout of the values.",
		Fix:     "Write 0 into Offset of every counter, as generated code does.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_INFO, "Offset"), wineTest},
		check:   onCounterSetInfo.atEnd(counterInfoOffsets),
	},
}

// counterInfoAt returns counter i of a template.
func (p *pass) counterInfoAt(i int64) counterInfo {
	off := counterSetInfoSize + i*counterInfoSize
	return counterInfo{layout.CounterInfo{Span: span(p.b, off, off+counterInfoSize)}, i}
}

// counterInfoOffsets reports the first Offset that is not a multiple of 8 or is a duplicate. A
// template whose Offsets are all the same is valid.
func counterInfoOffsets(p *pass, t *counterSetInfo) {
	offset := func(number uint32) uint32 {
		c := p.counterInfoAt(int64(number) - 1)
		return c.Offset()
	}
	same := true
	for i := uint32(1); i < uint32(t.counters) && same; i++ {
		same = offset(i+1) == offset(1)
	}
	if same {
		return
	}
	p.ids.reset(int(t.counters))
	for i := range uint32(t.counters) {
		n := offset(i + 1)
		first := p.ids.addNumber(n, i+1, offset)
		if n%layout.Align == 0 && first == 0 {
			continue
		}
		c := p.counterInfoAt(int64(i))
		if first == 0 {
			p.field(&c, "Offset", n, "must be a multiple of 8, or be the same in all counters")
		} else {
			p.field(&c, "Offset", n, "must differ from Offset of counter[%d], or be the same in all counters", first-1)
		}
		return
	}
}
