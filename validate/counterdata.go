package validate

import "github.com/perfblock/perfblock/layout"

// counterData is a PERF_COUNTER_DATA and its value.
type counterData struct {
	extent
	result     *result
	instance   int   // index of the instance, -1 in a result without instances
	index      int   // index among the values of the result or of the instance
	dwDataSize int64 // 0 if the bytes left are too few for the structure
}

var onCounterData = subjectsIn[*counterData](layout.QueryDataKind)

func (v *counterData) path() layout.Path {
	path := v.result.path()
	if v.instance >= 0 {
		path = path.At("instance", v.instance)
	}
	return path.At("data", v.index)
}

func (v *counterData) record() *layout.Record { return &layout.PERF_COUNTER_DATA }

var counterDataRules = []*Rule{
	{
		ID: "PERF2501", Name: "v2-counter-data-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "dwSize of a value is at least 8 and at most the number of bytes left in the result, or in the PERF_MULTI_INSTANCES of a result with instances",
		Why:     "dwSize is the distance to the next value. If it is too large, a reader reads past the data. If it is 0, the reader does not advance.",
		Fix:     "Write 16 for a value of 4 or 8 bytes: 8 for the structure, and 8 for the value and its padding.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DATA, "dwSize"), consuming},
		check:   onCounterData.guard(counterDataBounds),
	},
	{
		ID: "PERF2502", Name: "v2-counter-data-datasize", Severity: Error, Since: "v0.1.0",
		Doc:     "dwDataSize of a value fits into its dwSize",
		Why:     "If dwDataSize is too large, a reader that copies dwDataSize bytes also copies bytes after the value.",
		Fix:     "Set dwDataSize to the length of the value in bytes, 4 or 8, without its padding. dwDataSize comes before dwSize in the structure: check that the two numbers are not exchanged.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DATA, "dwDataSize"), consuming},
		check: onCounterData.check(func(p *pass, v *counterData) {
			size, name := aligned(v.size), "dwSize"
			if size != v.size { // v2-counter-data-align reports dwSize
				name = "dwSize, rounded up to a multiple of 8,"
			}
			if v.sizeInRange() && !v.wrong && v.dwDataSize > size-counterDataSize {
				p.field(v, "dwDataSize", v.dwDataSize, "must be at most %d, because %s is %d", size-counterDataSize, name, size)
			}
		}),
	},
	{
		ID: "PERF2503", Name: "v2-counter-data-align", Severity: Error, Since: "v0.1.0",
		Doc:     "dwSize of a value is a multiple of 8",
		Why:     "The next value starts dwSize bytes after the start of this value. The next value must be aligned to 8, because readers read 8-byte numbers.",
		Fix:     "Write 16 for a value of 4 or 8 bytes.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DATA, "dwSize"), pcqStructures},
		check:   onCounterData.check(func(p *pass, v *counterData) { p.requireAligned(v, "dwSize", &v.extent) }),
	},
	{
		ID: "PERF2504", Name: "v2-counter-data-slack", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwSize of a value is not larger than the value requires",
		Why:     "The bytes after the value and its padding have no meaning, and are copied with every sample.",
		Fix:     "Set dwSize to 8 plus the length of the value in bytes. Round the sum up to a multiple of 8.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DATA, "dwSize")},
		check: onCounterData.check(func(p *pass, v *counterData) {
			// Other rules report a dwDataSize of 0, and a dwSize that is out of range or not a
			// multiple of 8.
			if need := aligned(counterDataSize + v.dwDataSize); v.dwDataSize > 0 && !v.wrong && v.size%layout.Align == 0 && v.size > need {
				p.field(v, "dwSize", v.size, "must be %d, for a value of %s", need, plural(v.dwDataSize, "byte"))
			}
		}),
	},
	{
		ID: "PERF2505", Name: "v2-counter-data-empty", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwDataSize of a value is not 0",
		Why:     "A value of 0 bytes is not a number. A reader that does not check dwDataSize reads other bytes as the value.",
		Fix:     "Write the value, 4 or 8 bytes.",
		Sources: []Source{consuming, sourceOf(&layout.PERF_COUNTER_DATA, "dwDataSize")},
		check: onCounterData.check(func(p *pass, v *counterData) {
			require(p, v, "dwDataSize", v.dwDataSize, v.dwDataSize != 0, "must be 4 or 8")
		}),
	},
	{
		ID: "PERF2506", Name: "v2-counter-data-width", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwDataSize of a value is 4 or 8",
		Why:     "The documentation tells consumers to expect values of 4 or 8 bytes. It defines no format for texts or other values.",
		Fix:     "Write a number of 4 or 8 bytes.",
		Sources: []Source{consuming, sourceOf(&layout.PERF_COUNTER_DATA, "dwDataSize")},
		check: onCounterData.check(func(p *pass, v *counterData) {
			// Other rules report a dwDataSize of 0, and a dwDataSize that is too large for dwSize.
			if n := v.dwDataSize; n != 0 && n != 4 && n != 8 && counterDataSize+n <= aligned(v.length()) {
				p.field(v, "dwDataSize", n, "must be 4 or 8")
			}
		}),
	},
	{
		ID: "PERF2507", Name: "v2-counter-data-width-type", Severity: Error, Since: "v0.1.0",
		Doc:     "dwDataSize is the width of the counter's registered type, 4 or 8",
		Why:     "A reader reads dwDataSize bytes as the number. If dwDataSize is wrong, the reader reads half of an 8-byte number, or a 4-byte number together with the bytes after it.",
		Fix:     "Bits 8 and 9 of the registered type give the width. Write values of this width.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DATA, "dwDataSize"), consuming, headerFile},
		Needs:   needsRegistrations,
		check: onCounterData.check(func(p *pass, v *counterData) {
			if v.index < len(v.result.widths) {
				if n := v.result.widths[v.index]; n != 0 && v.dwDataSize != n {
					p.field(v, "dwDataSize", v.dwDataSize, "must be %d, the width of the counter's type", n)
				}
			}
		}),
	},
}

// checkValues checks the values of an instance, or of the result if instance is -1. It returns the
// end of the last value and true. If a value is missing or cannot be read, checkValues returns the
// offset of this value and false.
func (p *pass) checkValues(r *result, instance int, at, lim int64, f follower) (int64, bool) {
	for i := range r.shape.values {
		if at == lim {
			return at, false
		}
		next := valueFollows
		if i == r.shape.values-1 {
			next = f
		}
		if !r.shaped && instance >= 0 && isInstanceOnly(p.b, at, lim) {
			return at, false
		}
		end, ok := p.checkValue(r, instance, int(i), at, lim, next)
		if !ok {
			return at, false
		}
		at = end
	}
	return at, true
}

func (p *pass) checkValue(r *result, instance, i int, at, lim int64, f follower) (int64, bool) {
	v := &p.counterData
	*v = counterData{extent: p.extentOf(&counterDataRecord, at, lim, f), result: r, instance: instance, index: i}
	if lim-at >= counterDataSize {
		v.dwDataSize = int64(counterDataAt(p.b, at).DwDataSize())
	}
	if !onCounterData.run(p, v) {
		return 0, false
	}
	r.addMissing(p, instance, v.length())
	if counterDataSize+v.dwDataSize <= v.length() {
		p.padding(v, at+counterDataSize+v.dwDataSize, v.end)
	}
	return v.end, true
}

// setWidths sets r.widths to the widths of the counters' registered types. If the registration or
// the counters of the result are not known, r.widths is empty.
func (p *pass) setWidths(r *result) {
	r.widths = r.widths[:0]
	t := r.DwType()
	switch {
	case r.set == nil:
	case hasIDs(t):
		for i := range len(p.multiCounters.b) / idSize {
			r.widths = append(r.widths, r.set.width(p.multiCounters.id(i)))
		}
	case r.identifier != nil && r.identifier.CounterId() != layout.PERF_WILDCARD_COUNTER:
		r.widths = append(r.widths, r.set.width(r.identifier.CounterId()))
	}
}

// width returns the width of a counter's value in bytes. It returns 0 if the set does not register
// the counter, or if the counter type has no width.
func (c *counterSet) width(id uint32) int64 {
	t, ok := c.counters[id]
	if !ok {
		return 0
	}
	n, _ := t.Width()
	return int64(n)
}

func counterDataBounds(p *pass, v *counterData) bool {
	rest, where := v.lim-v.off, " in the result"
	if v.instance >= 0 {
		where = " in the PERF_MULTI_INSTANCES"
	}
	switch {
	case v.sizeInRange():
	case rest < counterDataSize:
		p.requireSize(v, rest, "%s left"+where, "be")
	case v.wrong:
		p.field(v, "dwSize", v.size, "must be %d, for a value of %s", v.length(), plural(v.dwDataSize, "byte"))
	default:
		p.field(v, "dwSize", v.size, "must be %s", upTo(counterDataSize, rest, layout.Align, bytesLeft+where))
	}
	return v.end > v.off
}

// reportWrongSize reports a dwSize that is not the distance to the next record.
func (v *counterData) reportWrongSize(p *pass) {
	// Other rules report a dwSize that is out of range or not a multiple of 8.
	if v.wrong && v.sizeInRange() && v.size%layout.Align == 0 {
		p.field(v, "dwSize", v.size, "must be %d, for a value of %s", v.length(), plural(v.dwDataSize, "byte"))
	}
}

var counterDataRecord = recordType{
	field: layout.PERF_COUNTER_DATA.Field("dwSize").At, least: counterDataSize, aligned: true,
	plausible: plausibleValue,
	required: func(p *pass, at, _ int64) (int64, int64) {
		return aligned(counterDataSize + int64(counterDataAt(p.b, at).DwDataSize())), 0
	},
}

func plausibleValue(b []byte, at, lim int64) bool {
	n := counterDataLen(b, at, lim)
	return n > 0 && n%layout.Align == 0
}

// counterDataLen returns dwSize of the PERF_COUNTER_DATA at an offset, or 0 if dwSize is too small
// or too large.
func counterDataLen(b []byte, at, lim int64) int64 {
	if lim-at < counterDataSize {
		return 0
	}
	value := counterDataAt(b, at)
	data, size := int64(value.DwDataSize()), int64(value.DwSize())
	if size > lim-at || size-counterDataSize < data {
		return 0
	}
	return size
}
