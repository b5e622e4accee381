package validate

import (
	"cmp"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// counter is a PERF_COUNTER_DEFINITION.
type counter struct {
	layout.Counter // the bytes of the structure; empty if the structure ends after DefinitionLength
	of             *object
	index          int
	off            int64
	typ            layout.CounterType
	at, size       int64 // CounterOffset and CounterSize
}

var onCounter = subjectsIn[*counter](v1Kinds...)

func (c *counter) path() layout.Path {
	return layout.Path{}.At("object", c.of.index).At("counter", c.index)
}

func (c *counter) record() *layout.Record { return &layout.PERF_COUNTER_DEFINITION }

func (c *counter) start() int64 { return c.off }

var counterDefinitionRules = []*Rule{
	{
		ID: "PERF1301", Name: "ctr-truncated", Severity: Error, Since: "v0.1.0",
		Doc:     "the 40 bytes of each PERF_COUNTER_DEFINITION end at or before DefinitionLength",
		Why:     "The definitions end at DefinitionLength. A reader that does not check DefinitionLength reads the bytes after it as a definition. A reader that checks DefinitionLength drops the object.",
		Fix:     "If ByteLength of a preceding counter is too large, correct it. Otherwise include all definitions in DefinitionLength.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "DefinitionLength"), netdata},
		check: onCounter.guard(func(p *pass, c *counter) bool {
			return p.requireSize(c, c.of.body()-c.off, "DefinitionLength leaves %s for the definition", "leave")
		}),
	},
	{
		ID: "PERF1302", Name: "ctr-byte-length-min", Severity: Error, Since: "v0.1.0",
		Doc:     "ByteLength of a PERF_COUNTER_DEFINITION is at least 40, and the definition ends at or before DefinitionLength",
		Why:     "ByteLength is the distance to the next definition. If it is too small, a reader looks for the next definition inside the current definition. If it is 0, the reader does not advance. If it is too large, the reader reads past the definitions.",
		Fix:     "Write 40, the size of the structure. If there is no definition at this offset, correct ByteLength of the preceding definition.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "ByteLength"), dotnet, netdata},
		Misread: []string{".NET before 9.0 reads the same counter repeatedly if ByteLength is 0"},
		check:   onCounter.guard(counterLengthMin),
	},
	{
		ID: "PERF1303", Name: "ctr-byte-length-exact", Severity: Warning, Since: "v0.1.0",
		Doc:     "ByteLength of a PERF_COUNTER_DEFINITION is 40",
		Why:     "40 is the size of the structure. A reader that uses ByteLength accepts a longer definition, but a reader that assumes 40 misreads every following counter.",
		Fix:     "Write 40, and store the definitions without bytes between them.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "ByteLength"), values},
		Misread: []string{"perflib_exporter and Microsoft's sample assume 40"},
		check: onCounter.check(func(p *pass, c *counter) {
			if n := c.ByteLength(); int64(n) != counterDefinitionSize {
				p.field(c, "ByteLength", n, "must be %d", counterDefinitionSize)
			}
		}),
	},
	{
		ID: "PERF1304", Name: "ctr-type-known", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterType is a type with a name in winperf.h",
		Why:     "The bits of CounterType describe a computation, but readers compare CounterType with the types they know. A reader drops a counter of an unknown type, or cannot compute its value.",
		Fix:     "Choose the type in winperf.h with the computation that you need.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterType"), headerFile},
		check: onCounter.check(func(p *pass, c *counter) {
			if c.typ.Predefined() {
				return
			}
			if bits, _ := unassignedBits(c.typ); bits == 0 {
				p.field(c, "CounterType", c.typ, "must be a type with a name in winperf.h")
			}
		}),
	},
	{
		ID: "PERF1305", Name: "ctr-type-unassigned-bits", Severity: Warning, Since: "v0.1.0",
		Doc:     "bits 12 to 15, 26 and 27 of CounterType are 0, and bits 0 to 7 are 0 except in PERF_SAMPLE_BASE, PERF_AVERAGE_BASE and PERF_RAW_BASE",
		Why:     "winperf.h assigns no meaning to these bits, so no reader knows the type. PERF_DOUBLE_RAW has bit 13, but it is a type of WMI and is not valid in a counter definition.",
		Fix:     "Write the type without these bits.",
		Sources: []Source{headerFile, sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterType")},
		check: onCounter.check(func(p *pass, c *counter) {
			if bits, without := unassignedBits(c.typ); bits != 0 {
				if !without.Predefined() {
					p.field(c, "CounterType", c.typ, "must be a type without the bits 0x%08x, which have no meaning", uint32(bits))
					return
				}
				p.field(c, "CounterType", c.typ, "must be %v, without the bits 0x%08x", without, uint32(bits))
			}
		}),
	},
	{
		ID: "PERF1306", Name: "ctr-type-obsolete", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterType is not PERF_COUNTER_TEXT, PERF_COUNTER_NODATA or PERF_COUNTER_HISTOGRAM_TYPE",
		Why:     "Microsoft's sample and .NET do not read these types: the counter has no value or is dropped.",
		Fix:     "Remove the counter, or give it a numeric type.",
		Sources: []Source{values, dotnetReader},
		check: onCounter.check(func(p *pass, c *counter) {
			require(p, c, "CounterType", c.typ, !obsolete(c.typ), "must be a type that is not obsolete")
		}),
	},
	{
		ID: "PERF1331", Name: "ctr-default-scale", Severity: Error, Windows: Warning, Since: "v0.1.0",
		Doc:     "DefaultScale is -7 to 7",
		Why:     "DefaultScale is the exponent of a power of ten, and the documentation allows -7 to 7. No reader is known to fail if DefaultScale has another value, but the graph of the counter is useless.",
		Fix:     "Write 0. If the values are too large or too small for a graph of 0 to 100, write another exponent from -7 to 7.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "DefaultScale")},
		check: onCounter.check(func(p *pass, c *counter) {
			if n := c.DefaultScale(); n < layout.MinScale || n > layout.MaxScale {
				p.field(c, "DefaultScale", n, "must be %d to %d", layout.MinScale, layout.MaxScale)
			}
		}),
	},
	{
		ID: "PERF1332", Name: "ctr-detail-level", Severity: Warning, Since: "v0.1.0",
		Doc:     "DetailLevel of a counter that is not a base is 100, 200, 300 or 400",
		Why:     "Tools show counters up to the level that the user chose. Tools differ in how they treat a level that is not defined.",
		Fix:     "Write 100, PERF_DETAIL_NOVICE. If the counter is only for experts, write 300, PERF_DETAIL_EXPERT.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "DetailLevel")},
		check: onCounter.check(func(p *pass, c *counter) {
			require(p, c, "DetailLevel", c.DetailLevel(), c.typ.IsBase() || c.DetailLevel().Valid(), "must be 100, 200, 300 or 400")
		}),
	},
}

// end returns the offset after the value in a counter block.
func (c *counter) end() int64 { return c.at + c.size }

// multi reports whether a second number, the number of components, follows the value of the
// counter.
func (c *counter) multi() bool { return c.typ.Multi() && c.typ.NeedsBase() }

// readCounters reads the counter definitions, and reports whether all of them could be read.
func (p *pass) readCounters(o *object) bool {
	at, end := o.off+int64(o.HeaderLength()), o.body()
	o.counters = slices.Grow(o.counters, int(o.NumCounters()))
	for i := range int(o.NumCounters()) {
		c := o.readCounter(p.b[at:end], at, i)
		if !onCounter.runGuards(p, c) {
			o.counters = o.counters[:i]
			return false
		}
		at += int64(c.ByteLength())
	}
	o.definitionsEnd = at
	o.measureCounters(p)
	return true
}

// readCounter appends counter i to o.counters. The definition of the counter is at the start of b. If
// b is too short for a definition, readCounter sets only the fields `of`, `index` and `off`.
func (o *object) readCounter(b []byte, at int64, i int) *counter {
	o.counters = append(o.counters, counter{of: o, index: i, off: at})
	c := &o.counters[i]
	if int64(len(b)) >= counterDefinitionSize {
		c.Counter = layout.Counter{Span: layout.NewSpan(b[:counterDefinitionSize:counterDefinitionSize], at)}
		c.typ, c.at, c.size = c.CounterType(), int64(c.CounterOffset()), int64(c.CounterSize())
	}
	return c
}

// readSkippedCounters reads the definitions that the scan skipped.
func (p *pass) readSkippedCounters(o *object) {
	// If all values fit into the counter blocks, the remaining rules do not need the definitions.
	if !o.skipped || o.need <= o.leastSpace() {
		return
	}
	b, n := p.b[o.off+objectTypeSize:o.body()], int(o.NumCounters())
	o.counters = slices.Grow(o.counters, n)
	for i := range n {
		at := int64(i) * counterDefinitionSize
		o.readCounter(b[at:], o.off+objectTypeSize+at, i)
	}
}

// measureCounters sets the fields of the object that depend on all of its counters.
func (o *object) measureCounters(p *pass) {
	o.need = counterBlockSize
	for i := range o.counters {
		c := &o.counters[i]
		o.need = max(o.need, c.end())
		o.needUncertain = o.needUncertain || c.at < firstValue || c.invalidSize()
		if c.multi() {
			o.need = max(o.need, c.at+multiBytes)
		}
		if c.typ.IsText() {
			o.texts = append(o.texts, i)
		}
		o.objectClock = o.objectClock || c.typ.UsesObjectTimer()
		if p.dataBlock.usesFreq == "" && usesFreq(c.typ) {
			p.dataBlock.usesFreq = c.typ.String()
		}
	}
	// Only the first text at each CounterOffset is checked. A block then has at most one text for each
	// of its bytes, which bounds the time.
	slices.SortStableFunc(o.texts, func(i, j int) int { return cmp.Compare(o.counters[i].at, o.counters[j].at) })
	o.texts = slices.CompactFunc(o.texts, func(i, j int) bool { return o.counters[i].at == o.counters[j].at })
}

func (p *pass) checkCounters(o *object) {
	p.ids.reset(len(o.counters))
	for i := range o.counters {
		onCounter.runChecks(p, &o.counters[i])
	}
	onDefinitions.runChecks(p, definedObject{o})
}

func counterLengthMin(p *pass, c *counter) bool {
	n, left := int64(c.ByteLength()), c.of.body()-c.off
	switch {
	case n == counterDefinitionSize:
		return true
	case int64(c.of.DefinitionLength()) == int64(c.of.HeaderLength())+counterDefinitionSize*int64(c.of.NumCounters()):
		p.field(c, "ByteLength", n, "must be %d: DefinitionLength is HeaderLength plus %[1]d for each counter", counterDefinitionSize)
	case n < counterDefinitionSize || n > left:
		p.field(c, "ByteLength", n, "must be %s, the number of bytes up to DefinitionLength", between(counterDefinitionSize, left))
	default:
		return true
	}
	return false
}

// unassignedBits returns two parts of t: the bits that have no meaning, and the other bits.
func unassignedBits(t layout.CounterType) (bits, others layout.CounterType) {
	bits = t.Unassigned()
	if others = t &^ bits; !others.Predefined() {
		tag := layout.CounterType(t.Tag())
		bits, others = bits|tag, others&^tag
	}
	return bits, others
}

func obsolete(t layout.CounterType) bool {
	switch t {
	case layout.PERF_COUNTER_TEXT, layout.PERF_COUNTER_NODATA, layout.PERF_COUNTER_HISTOGRAM_TYPE:
		return true
	}
	return false
}
