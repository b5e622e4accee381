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
		Doc:     "each counter of a template has its own CounterId, which is not 0xffffffff",
		Why:     "Providers set values and consumers query them by CounterId. Of two counters with the same id one is never found. 0xffffffff is PERF_WILDCARD_COUNTER, which requests all counters.",
		Fix:     "Write the ids of the manifest, each for one counter.",
		Sources: []Source{of(&layout.PERF_COUNTER_INFO, "CounterId"), of(&layout.PERF_COUNTER_IDENTIFIER, "CounterId")},
		check:   onCounterInfo.check(counterInfoID),
	},
	{
		ID: "PERF2908", Name: "v2-template-type", Severity: Warning, Since: "v0.1.0",
		Doc:     "Type of a counter of a template is one that a manifest can declare",
		Why:     "Consumers compute values of the documented types. For other types they show the raw value or nothing.",
		Fix:     "Choose the documented type that has the wanted computation.",
		Sources: []Source{counterXML, of(&layout.PERF_COUNTER_INFO, "Type")},
		check:   onCounterInfo.check(func(p *pass, c *counterInfo) { p.setType(c, c.Type()) }),
	},
	{
		ID: "PERF2909", Name: "v2-template-attrib-bits", Severity: Error, Since: "v0.1.0",
		Doc:     "Attrib of a counter of a template has no bits except the five flags",
		Why:     "Only the bits of 0x1f are defined. Other bits mean that the 64-bit field was written as two fields or at another offset.",
		Fix:     "Write the wanted flags, and 0 into the upper half.",
		Sources: []Source{of(&layout.PERF_COUNTER_INFO, "Attrib")},
		check:   onCounterInfo.check(func(p *pass, c *counterInfo) { p.setAttrib(c, c.Attrib()) }),
	},
	{
		ID: "PERF2910", Name: "v2-template-attrib-combination", Severity: Warning, Since: "v0.1.0",
		Doc:     "in a template PERF_ATTRIB_NO_DISPLAYABLE is not combined with display flags, and PERF_ATTRIB_DISPLAY_AS_HEX not with flags for decimal numbers",
		Why:     "The documents differ on which of two such flags has priority, so consumers show the value differently.",
		Fix:     "Keep only the flag that you want.",
		Sources: []Source{of(&layout.PERF_COUNTER_INFO, "Attrib"), pcqRegCounter},
		check:   onCounterInfo.check(func(p *pass, c *counterInfo) { p.setShown(c, c.Attrib()) }),
	},
	{
		ID: "PERF2911", Name: "v2-template-detail-level", Severity: Warning, Since: "v0.1.0",
		Doc:     "DetailLevel of a counter of a template is PERF_DETAIL_NOVICE or PERF_DETAIL_ADVANCED",
		Why:     "Tools show novice counters to all users and advanced ones on request. The other levels belong to winperf.h; manifests cannot declare them.",
		Fix:     "Write 100 or 200.",
		Sources: []Source{of(&layout.PERF_COUNTER_INFO, "DetailLevel"), counterXML},
		check:   onCounterInfo.check(func(p *pass, c *counterInfo) { p.setLevel(c, c.DetailLevel()) }),
	},
	{
		ID: "PERF2912", Name: "v2-template-scale", Severity: Error, Since: "v0.1.0",
		Doc:     "Scale of a counter of a template is -10 to 10",
		Why:     "Scale is the power of ten by which a graph scales the value. A manifest with another value is refused.",
		Fix:     "Write the exponent, not the factor: 0 for the value as it is. Generated code writes -3 as 4294967293, which is the same.",
		Sources: []Source{of(&layout.PERF_COUNTER_INFO, "Scale"), counterXML},
		check:   onCounterInfo.check(func(p *pass, c *counterInfo) { p.setScale(c, "Scale", c.Scale()) }),
	},
	{
		ID: "PERF2913", Name: "v2-template-counter-size", Severity: Warning, Since: "v0.1.0",
		Doc:     "Size of a counter of a template is the width of its Type, 4 or 8; 0, 4 or 8 if the Type has no width; 8 if the value is kept by reference; or 32, the size of the structure",
		Why:     "Windows gives each counter 8 bytes and ignores Size, and the documentation describes Size as the size of the structure. If Size is the width of a value and differs from the Type, one of the two is wrong.",
		Fix:     "Write the width of the value, 4 or 8.",
		Sources: []Source{of(&layout.PERF_COUNTER_INFO, "Size"), wineTest},
		check:   onCounterInfo.check(counterInfoSizeField),
	},
	{
		ID: "PERF2914", Name: "v2-template-offset", Severity: Info, Since: "v0.1.0",
		Doc:     "the Offset fields of a template's counters are all the same, or different multiples of 8",
		Why:     "Windows ignores Offset. Other values describe overlapping values, so the layout they come from does not have 8 bytes for each counter.",
		Fix:     "Write 0 into all of them, as generated code does.",
		Sources: []Source{of(&layout.PERF_COUNTER_INFO, "Offset"), wineTest},
		check:   onCounterSetInfo.atEnd(counterInfoOffsets),
	},
}

func (p *pass) counterInfoAt(i int64) counterInfo {
	off := counterSetInfoSize + i*counterInfoSize
	return counterInfo{layout.CounterInfo{Span: layout.NewSpan(p.rows.row(i), off)}, i, off}
}

func counterInfoID(p *pass, c *counterInfo) {
	id := c.CounterId()
	if id == layout.PERF_WILDCARD_COUNTER {
		p.field(c, "CounterId", "0xffffffff", "must be another id: this one asks for all counters")
		return
	}
	if first := p.rowOf(id); first != c.index {
		p.field(c, "CounterId", id, "must be unique: counter[%d] has this id", first)
	}
}

func counterInfoSizeField(p *pass, c *counterInfo) {
	width, _ := c.Type().Width()
	switch size, byReference := c.Size(), c.Attrib()&layout.PERF_ATTRIB_BY_REFERENCE != 0; {
	case size == width, size == uint32(counterInfoSize):
	case (byReference || width == 0) && size == 8, width == 0 && size == 4:
	case width == 0:
		p.field(c, "Size", size, "must be 0, 4, 8 or %d", counterInfoSize)
	default:
		p.field(c, "Size", size, "must be %d, the bytes of a %v", width, c.Type())
	}
}

// counterInfoOffsets reports the first Offset that fits neither with those before it.
func counterInfoOffsets(p *pass, t *counterSetInfo) {
	offset := func(number uint32) uint32 {
		c := p.counterInfoAt(int64(number) - 1)
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
		c := p.counterInfoAt(int64(i))
		if first == 0 {
			p.field(&c, "Offset", n, "must be a multiple of 8, or be the same in all counters")
		} else {
			p.field(&c, "Offset", n, "must differ from that of counter[%d], or be the same in all counters", first-1)
		}
		return
	}
}
