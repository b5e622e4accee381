package validate

import "github.com/perfblock/perfblock/layout"

// counterData is a PERF_COUNTER_DATA and its value.
type counterData struct {
	of         *result
	instance   int // -1 where there is none
	index      int
	off, end   int64
	lim        int64
	said, data int64 // dwSize and dwDataSize
	wrong      bool  // dwSize does not lead to the end
}

var onCounterData = subjectsIn[*counterData](layout.QueryDataKind)

func (v *counterData) path() layout.Path {
	path := v.of.path()
	if v.instance >= 0 {
		path = path.At("instance", v.instance)
	}
	return path.At("data", v.index)
}

func (v *counterData) record() *layout.Record { return &layout.PERF_COUNTER_DATA }

func (v *counterData) start() int64 { return v.off }

var counterDataRules = []*Rule{
	{
		ID: "PERF2501", Name: "v2-counter-data-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "dwSize of a value is at least 8 and does not exceed the bytes left",
		Why:     "dwSize is the distance to the next value. If it is too large a reader reads past the data, and with 0 it does not advance.",
		Fix:     "Write 16 for a value of 4 or 8 bytes: 8 for the structure, and 8 for the value and its padding.",
		Sources: []Source{of(&layout.PERF_COUNTER_DATA, "dwSize"), consuming},
		check:   onCounterData.guard(counterDataBounds),
	},
	{
		ID: "PERF2502", Name: "v2-counter-data-datasize", Severity: Error, Since: "v0.1.0",
		Doc:     "dwDataSize of a value fits into its dwSize",
		Why:     "A reader copies dwDataSize bytes into a variable, and would copy bytes from after the value.",
		Fix:     "Write the 4 or 8 bytes of the value, without padding. dwDataSize comes before dwSize in the structure: check that they are not exchanged.",
		Sources: []Source{of(&layout.PERF_COUNTER_DATA, "dwDataSize"), consuming},
		check:   onCounterData.check(counterDataDataSize),
	},
	{
		ID: "PERF2503", Name: "v2-counter-data-align", Severity: Error, Since: "v0.1.0",
		Doc:     "dwSize of a value is a multiple of 8",
		Why:     "The next value starts dwSize bytes later and must be aligned to 8 to be read as an 8-byte number.",
		Fix:     "Write 16 for a value of 4 or 8 bytes.",
		Sources: []Source{of(&layout.PERF_COUNTER_DATA, "dwSize"), pcqStructures},
		check:   onCounterData.check(counterDataAlign),
	},
	{
		ID: "PERF2504", Name: "v2-counter-data-slack", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwSize of a value is not larger than the value requires",
		Why:     "Bytes after dwDataSize bytes have no meaning and are copied with every sample.",
		Fix:     "Write 8 bytes plus the bytes of the value, rounded up to a multiple of 8.",
		Sources: []Source{of(&layout.PERF_COUNTER_DATA, "dwSize")},
		check:   onCounterData.check(counterDataSlack),
	},
	{
		ID: "PERF2505", Name: "v2-counter-data-empty", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwDataSize of a value is not 0",
		Why:     "A value of 0 bytes is no number. A reader that does not check dwDataSize takes padding for the value.",
		Fix:     "Write the value, 4 or 8 bytes.",
		Sources: []Source{consuming, of(&layout.PERF_COUNTER_DATA, "dwDataSize")},
		check:   onCounterData.check(counterDataEmpty),
	},
	{
		ID: "PERF2506", Name: "v2-counter-data-width", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwDataSize of a value is 4 or 8",
		Why:     "The documentation tells consumers to expect these two sizes. It defines no format for texts or other values.",
		Fix:     "Write a number of 4 or 8 bytes.",
		Sources: []Source{consuming, of(&layout.PERF_COUNTER_DATA, "dwDataSize")},
		check:   onCounterData.check(counterDataWidth),
	},
	{
		ID: "PERF2507", Name: "v2-counter-data-width-type", Severity: Error, Since: "v0.1.0",
		Doc:     "dwDataSize is the width of the counter's registered type, 4 or 8",
		Why:     "A reader takes dwDataSize bytes as the number. Half of an 8-byte number, or a 4-byte number with the bytes after it, is a different number.",
		Fix:     "Write values with the width that bits 8 and 9 of the registered type give.",
		Sources: []Source{of(&layout.PERF_COUNTER_DATA, "dwDataSize"), consuming, headerFile},
		Needs:   needsRegistrations,
		check:   onCounterData.check(widthOfType),
	},
}

// checkValues validates the values that belong together, from an offset on. It returns where
// they end, and whether they all could be read; if not, where the first is that could not.
func (p *pass) checkValues(a *result, instance int, at, lim int64, f follower) (int64, bool) {
	for i := range a.shape.values {
		if at == lim {
			return at, false
		}
		next := counterDataFollows
		if i == a.shape.values-1 {
			next = f
		}
		if !a.shaped && instance >= 0 && looksNext(p.b, at, lim) {
			return at, false
		}
		end, ok := p.checkValue(a, instance, int(i), at, lim, next)
		if !ok {
			return at, false
		}
		at = end
	}
	return at, true
}

func (p *pass) checkValue(a *result, instance, i int, at, lim int64, f follower) (int64, bool) {
	v := &p.counterData
	*v = counterData{of: a, instance: instance, index: i, off: at, lim: lim}
	if lim-at >= counterDataSize {
		v.data, v.said = int64(le.Uint32(p.b[at:])), int64(le.Uint32(p.b[at+4:]))
	}
	s := p.counterDataStep(at, lim, f)
	v.end, v.wrong = at+s.n, s.wrong
	if !onCounterData.holds(p, v) {
		return 0, false
	}
	a.lack(p, instance, s.n)
	if counterDataSize+v.data <= s.n {
		p.padding(v, at+counterDataSize+v.data, v.end)
	}
	return v.end, true
}

// setWidths notes how wide the values are that belong together, as far as that is known.
func (p *pass) setWidths(a *result) {
	a.widths = a.widths[:0]
	t := a.DwType()
	switch {
	case a.set == nil:
	case hasIDs(t):
		for i := range len(p.multiCounters.b) / idSize {
			a.widths = append(a.widths, a.set.width(p.multiCounters.id(i)))
		}
	case a.identifier != nil && a.identifier.CounterId() != layout.PERF_WILDCARD_COUNTER:
		a.widths = append(a.widths, a.set.width(a.identifier.CounterId()))
	}
}

// width returns how many bytes a value of a counter takes, 0 where that is not known.
func (c *counterSet) width(id uint32) int64 {
	t, ok := c.counters[id]
	if !ok {
		return 0
	}
	n, _ := t.Width()
	return int64(n)
}

func widthOfType(p *pass, v *counterData) {
	if v.index < len(v.of.widths) {
		if n := v.of.widths[v.index]; n != 0 && v.data != n {
			p.field(v, "dwDataSize", v.data, "must be %d, as the counter's type says", n)
		}
	}
}

// sizeHolds reports whether dwSize could be that of the value.
func (v *counterData) sizeHolds() bool { return v.said >= counterDataSize && v.said <= v.lim-v.off }

func counterDataBounds(p *pass, v *counterData) bool {
	rest := v.lim - v.off
	switch {
	case v.sizeHolds():
	case rest < counterDataSize:
		p.bytes(v, "", v.off, int(rest), byteCount(rest)+" left", "must be at least 8, the size of PERF_COUNTER_DATA")
	case v.wrong:
		p.field(v, "dwSize", v.said, "must be %d, for a value of %d bytes", v.end-v.off, v.data)
	default:
		p.field(v, "dwSize", v.said, "must be %s, the bytes left", eights(counterDataSize, rest))
	}
	return v.end > v.off
}

func counterDataDataSize(p *pass, v *counterData) {
	if v.sizeHolds() && !v.wrong && v.data > v.said-counterDataSize {
		p.field(v, "dwDataSize", v.data, "must be at most %d, for which dwSize has room", v.said-counterDataSize)
	}
}

func counterDataAlign(p *pass, v *counterData) {
	if v.sizeHolds() && v.said%layout.Align != 0 {
		p.field(v, "dwSize", v.said, "must be %s", multiple(v.wrong, v.end-v.off))
	}
}

// counterDataSlack leaves a value of no bytes to the rule for that.
func counterDataSlack(p *pass, v *counterData) {
	if need := aligned(counterDataSize + v.data); v.data > 0 && !v.wrong && v.said%layout.Align == 0 && v.said > need {
		p.field(v, "dwSize", v.said, "must be %d, for a value of %d bytes", need, v.data)
	}
}

func counterDataEmpty(p *pass, v *counterData) {
	if v.data == 0 {
		p.field(v, "dwDataSize", 0, "must be 4 or 8")
	}
}

// counterDataWidth leaves what is no size to the rule for that.
func counterDataWidth(p *pass, v *counterData) {
	if n := v.data; n != 0 && n != 4 && n != 8 && counterDataSize+n <= v.end-v.off {
		p.field(v, "dwDataSize", n, "must be 4 or 8")
	}
}

// misleads reports a dwSize that does not lead to a valid offset, though it could be one.
func (p *pass) misleads(v *counterData) {
	if v.wrong && v.sizeHolds() && v.said%layout.Align == 0 {
		p.field(v, "dwSize", v.said, "must be %d, for a value of %d bytes", v.end-v.off, v.data)
	}
}
