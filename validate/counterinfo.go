package validate

import "github.com/perfblock/perfblock/layout"

// A counterInfo is a counter of a template.
type counterInfo struct {
	layout.CounterInfo
	index int64
	off   int64
}

var onCounterInfo = subjectsIn[*counterInfo](layout.TemplateKind)

func (c *counterInfo) path() layout.Path { return layout.Path{}.At("counter", int(c.index)) }

func (*counterInfo) record() *layout.Record { return &layout.PERF_COUNTER_INFO }

func (c *counterInfo) start() int64 { return c.off }

var counterInfoRules = []*Rule{
	{
		ID: "PERF2907", Name: "v2-template-duplicate-id", Severity: Error, Since: "v0.1.0",
		Doc:     "each counter of a template has a CounterId that no other has, and not 0xffffffff",
		Why:     "Values are set and asked for by that id. Of two counters with one, one is never reached; 0xffffffff is PERF_WILDCARD_COUNTER, which asks for all.",
		Fix:     "Write the ids of the manifest, which are of one counter each.",
		Sources: []Source{of(&layout.PERF_COUNTER_INFO, "CounterId"), of(&layout.PERF_COUNTER_IDENTIFIER, "CounterId")},
		check:   onCounterInfo.check(templateID),
	},
	{
		ID: "PERF2908", Name: "v2-template-type", Severity: Warning, Since: "v0.1.0",
		Doc:     "the Type of a counter of a template is one that a manifest has a name for",
		Why:     "Consumers compute values of the types that are documented. Of another they show the raw value, or nothing.",
		Fix:     "Choose the documented type that is computed as the counter is to be.",
		Sources: []Source{counterXML, of(&layout.PERF_COUNTER_INFO, "Type")},
		check:   onCounterInfo.check(func(p *pass, c *counterInfo) { p.setType(c, c.Type()) }),
	},
	{
		ID: "PERF2909", Name: "v2-template-attrib-bits", Severity: Error, Since: "v0.1.0",
		Doc:     "Attrib of a counter of a template has no bit but those of the five flags",
		Why:     "Only 0x1f is assigned. Other bits are a sign that the 64-bit field was written as two, or in another place.",
		Fix:     "Write the flags that are meant, and 0 into the upper half.",
		Sources: []Source{of(&layout.PERF_COUNTER_INFO, "Attrib")},
		check:   onCounterInfo.check(func(p *pass, c *counterInfo) { p.setAttrib(c, c.Attrib()) }),
	},
	{
		ID: "PERF2910", Name: "v2-template-attrib-combination", Severity: Warning, Since: "v0.1.0",
		Doc:     "in a template PERF_ATTRIB_NO_DISPLAYABLE stands without flags of how a value is shown, and PERF_ATTRIB_DISPLAY_AS_HEX without those of decimal numbers",
		Why:     "The documents differ in which of two such flags counts: consumers show the value differently.",
		Fix:     "Keep the one that is meant.",
		Sources: []Source{of(&layout.PERF_COUNTER_INFO, "Attrib"), pcqRegCounter},
		check:   onCounterInfo.check(func(p *pass, c *counterInfo) { p.setShown(c, c.Attrib()) }),
	},
	{
		ID: "PERF2911", Name: "v2-template-detail-level", Severity: Warning, Since: "v0.1.0",
		Doc:     "the DetailLevel of a counter of a template is PERF_DETAIL_NOVICE or PERF_DETAIL_ADVANCED",
		Why:     "Tools show the one to everybody and the other on demand. The further levels are of winperf.h; a manifest has no words for them.",
		Fix:     "Write 100 or 200.",
		Sources: []Source{of(&layout.PERF_COUNTER_INFO, "DetailLevel"), counterXML},
		check:   onCounterInfo.check(func(p *pass, c *counterInfo) { p.setLevel(c, c.DetailLevel()) }),
	},
	{
		ID: "PERF2912", Name: "v2-template-scale", Severity: Error, Since: "v0.1.0",
		Doc:     "Scale of a counter of a template is -10 to 10",
		Why:     "It is the power of ten by which a graph scales the value. A manifest takes no other.",
		Fix:     "Write a power of ten, 0 for the value as it is: not the factor itself. Generated code writes -3 as 4294967293, which is the same.",
		Sources: []Source{of(&layout.PERF_COUNTER_INFO, "Scale"), counterXML},
		check:   onCounterInfo.check(func(p *pass, c *counterInfo) { p.setScale(c, "Scale", c.Scale()) }),
	},
	{
		ID: "PERF2913", Name: "v2-template-counter-size", Severity: Warning, Since: "v0.1.0",
		Doc:     "Size of a counter of a template is the 4 or 8 bytes that its Type says, 0, 4 or 8 where that says nothing, 8 where the value is kept by reference, or the 32 of the structure",
		Why:     "Windows gives each counter 8 bytes, whatever Size says, and the page of the structure calls it that of the structure. Where it is that of the value, and another than that of the Type, one of the two was not meant.",
		Fix:     "Write the bytes of the value, 4 or 8.",
		Sources: []Source{of(&layout.PERF_COUNTER_INFO, "Size"), wineTest},
		check:   onCounterInfo.check(templateValueSize),
	},
	{
		ID: "PERF2914", Name: "v2-template-offset", Severity: Info, Since: "v0.1.0",
		Doc:     "the Offsets of a template's counters are all the same, or multiples of 8 of which no two are the same",
		Why:     "Windows does not look at them. Who does, or who wrote them, goes by places of 8 bytes: values that overlap were laid out by something else.",
		Fix:     "Write 0 into all, as the generated code does.",
		Sources: []Source{of(&layout.PERF_COUNTER_INFO, "Offset"), wineTest},
		check:   onCounterSetInfo.atEnd(templateOffsets),
	},
}

func (p *pass) templateCounterAt(i int64) counterInfo {
	off := templateSize + i*templateCounterSize
	return counterInfo{layout.CounterInfo{Span: layout.NewSpan(p.rows.row(i), off)}, i, off}
}

func templateID(p *pass, c *counterInfo) {
	id := c.CounterId()
	if id == layout.PERF_WILDCARD_COUNTER {
		p.field(c, "CounterId", "0xffffffff", "another, as this asks for all counters")
		return
	}
	if first := p.rowOf(id); first != c.index {
		p.field(c, "CounterId", id, "an id of its own: counter[%d] has this", first)
	}
}

func templateValueSize(p *pass, c *counterInfo) {
	width, _ := c.Type().Width()
	switch size, byReference := c.Size(), c.Attrib()&layout.PERF_ATTRIB_BY_REFERENCE != 0; {
	case size == width, size == uint32(templateCounterSize):
	case (byReference || width == 0) && size == 8, width == 0 && size == 4:
	case width == 0:
		p.field(c, "Size", size, "0, 4, 8 or %d", templateCounterSize)
	default:
		p.field(c, "Size", size, "%d, the bytes of a %v", width, c.Type())
	}
}

// templateOffsets reports the first Offset that fits neither with those before it.
func templateOffsets(p *pass, t *counterSetInfo) {
	offset := func(number uint32) uint32 {
		c := p.templateCounterAt(int64(number) - 1)
		return c.Offset()
	}
	one := true
	for i := uint32(1); i < uint32(t.rows) && one; i++ {
		one = offset(i+1) == offset(1)
	}
	if one {
		return
	}
	p.ids.reset(int(t.rows))
	for i := range uint32(t.rows) {
		n := offset(i + 1)
		first := p.ids.addNumber(n, i+1, offset)
		if n%layout.Align == 0 && first == 0 {
			continue
		}
		c := p.templateCounterAt(int64(i))
		if first == 0 {
			p.field(&c, "Offset", n, "a multiple of 8, or the same in all counters")
		} else {
			p.field(&c, "Offset", n, "another than that of counter[%d], or the same in all counters", first-1)
		}
		return
	}
}
