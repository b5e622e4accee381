package validate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// counter is a PERF_COUNTER_DEFINITION.
type counter struct {
	layout.Counter // as long as it can be read
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
		Doc:     "DefinitionLength has room for the 40 bytes of each PERF_COUNTER_DEFINITION",
		Why:     "The values start after DefinitionLength. A reader that goes on takes values for a definition. A reader that checks drops the object.",
		Fix:     "Look for a ByteLength before this counter that is too large, and include all definitions in DefinitionLength.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "DefinitionLength"), netdata},
		check:   onCounter.guard(counterTruncated),
	},
	{
		ID: "PERF1302", Name: "ctr-byte-length-min", Severity: Error, Since: "v0.1.0",
		Doc:     "ByteLength of a PERF_COUNTER_DEFINITION is at least 40 and does not exceed the bytes left up to DefinitionLength",
		Why:     "ByteLength is the distance to the next definition. If it is too small, a reader takes the last fields from the next definition, and with 0 it does not advance. If it is too large, the reader leaves the object.",
		Fix:     "Write 40, the size of the structure. If there is no definition at this offset, correct ByteLength of the preceding definition.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "ByteLength"), dotnet, netdata},
		Misread: []string{".NET before 9.0 reads the same counter repeatedly if ByteLength is 0"},
		check:   onCounter.guard(counterLengthMin),
	},
	{
		ID: "PERF1303", Name: "ctr-byte-length-exact", Severity: Warning, Since: "v0.1.0",
		Doc:     "ByteLength of a PERF_COUNTER_DEFINITION is 40",
		Why:     "40 is the size of the structure. A reader that uses ByteLength accepts a longer one, but some readers step by 40 and misread every following counter.",
		Fix:     "Write 40, and nothing between two definitions.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "ByteLength"), values},
		Misread: []string{"perflib_exporter and Microsoft's sample step by 40"},
		check:   onCounter.check(counterLengthExact),
	},
	{
		ID: "PERF1304", Name: "ctr-type-known", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterType is a type that winperf.h names",
		Why:     "The bits of CounterType describe the computation, but readers compare the whole number. A reader drops a counter whose number it does not know, or cannot compute its value.",
		Fix:     "Choose the named type that has the wanted computation.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterType"), headerFile},
		check:   onCounter.check(counterTypeKnown),
	},
	{
		ID: "PERF1305", Name: "ctr-type-unassigned-bits", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterType has no bit without meaning: 12 to 15, 26, 27, and 0 to 7 except in the three bases that differ in these bits",
		Why:     "winperf.h gives these bits no meaning, so the type equals no type that a reader knows. PERF_DOUBLE_RAW with bit 13 is a type of WMI, not of these blocks.",
		Fix:     "Write the type without these bits.",
		Sources: []Source{headerFile, of(&layout.PERF_COUNTER_DEFINITION, "CounterType")},
		check:   onCounter.check(counterTypeUnassigned),
	},
	{
		ID: "PERF1306", Name: "ctr-type-obsolete", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterType is not PERF_COUNTER_TEXT, PERF_COUNTER_NODATA or PERF_COUNTER_HISTOGRAM_TYPE",
		Why:     "Microsoft's sample and .NET do not read these types: the counter has no value or is dropped.",
		Fix:     "Remove the counter, or give it a numeric type.",
		Sources: []Source{values, dotnetReader},
		check:   onCounter.check(counterTypeObsolete),
	},
}

// end is where the value ends in each counter block.
func (c *counter) end() int64 { return c.at + c.size }

// multi reports whether a second value belongs to the counter.
func (c *counter) multi() bool { return c.typ.Multi() && c.typ.NeedsBase() }

// before returns the definition before c, nil if c is the first.
func (o *object) before(c *counter) *counter {
	if c.index == 0 {
		return nil
	}
	return &o.counters[c.index-1]
}

// after returns the definition after c, nil if c is the last.
func (o *object) after(c *counter) *counter {
	if c.index+1 == len(o.counters) {
		return nil
	}
	return &o.counters[c.index+1]
}

// readCounters reads the definitions and reports whether all could be read.
func (p *pass) readCounters(o *object) bool {
	at, end := o.off+int64(o.HeaderLength()), o.body()
	o.counters = slices.Grow(o.counters, int(o.NumCounters()))
	for i := range int(o.NumCounters()) {
		c := o.readCounter(p.b[at:end], at, i)
		if !onCounter.guarded(p, c) {
			o.counters = o.counters[:i]
			return false
		}
		at += int64(c.ByteLength())
	}
	o.defined = at
	o.measure(p)
	return true
}

// readCounter reads definition i at the start of b, as far as it is there.
func (o *object) readCounter(b []byte, at int64, i int) *counter {
	o.counters = append(o.counters, counter{of: o, index: i, off: at})
	c := &o.counters[i]
	if int64(len(b)) >= counterSize {
		c.Counter = layout.Counter{Span: layout.NewSpan(b[:counterSize:counterSize], at)}
		c.typ, c.at, c.size = c.CounterType(), int64(c.CounterOffset()), int64(c.CounterSize())
	}
	return c
}

// define reads the definitions that were passed over, where there is a block in which
// not all values have room. Else no rule that is still to come has to look at them.
func (p *pass) define(o *object) {
	room := o.longestBlock()
	if o.blocks > 0 {
		room = o.shortest.length
	}
	if !o.passed || o.need <= room {
		return
	}
	b, n := p.b[o.off+objectSize:o.body()], int(o.NumCounters())
	o.counters = slices.Grow(o.counters, n)
	for i := range n {
		at := int64(i) * counterSize
		o.readCounter(b[at:], o.off+objectSize+at, i)
	}
}

// measure notes what is to be known of all counters before one is validated.
func (o *object) measure(p *pass) {
	o.need = int64(layout.PERF_COUNTER_BLOCK.Size)
	for i := range o.counters {
		c := &o.counters[i]
		o.need = max(o.need, c.end())
		o.unplaced = o.unplaced || c.at < firstValue || c.unsized()
		if c.multi() {
			o.need = max(o.need, c.at+multiBytes)
		}
		if c.typ.IsText() {
			o.texts = append(o.texts, i)
		}
		o.clock = o.clock || c.typ.UsesObjectTimer()
		if p.dataBlock.usesFreq == "" && usesFreq(c.typ) {
			p.dataBlock.usesFreq = c.typ.String()
		}
	}
	// Of texts at one offset the first speaks for all: no block has more of them than bytes.
	slices.SortStableFunc(o.texts, func(i, j int) int { return cmp.Compare(o.counters[i].at, o.counters[j].at) })
	o.texts = slices.CompactFunc(o.texts, func(i, j int) bool { return o.counters[i].at == o.counters[j].at })
}

func (p *pass) checkCounters(o *object) {
	p.titles.reset(len(o.counters))
	for i := range o.counters {
		onCounter.checked(p, &o.counters[i])
	}
	onDefinitions.checked(p, definitions{o})
}

const counterSize = int64(layout.SizeofCounterDefinition)

func counterTruncated(p *pass, c *counter) bool {
	left := c.of.body() - c.off
	if left < counterSize {
		p.bytes(c, "", c.off, int(max(left, 0)), fmt.Sprintf("DefinitionLength leaves %d bytes for it", max(left, 0)), "must be at least 40, the size of PERF_COUNTER_DEFINITION")
		return false
	}
	return true
}

func counterLengthMin(p *pass, c *counter) bool {
	n, left := int64(c.ByteLength()), c.of.body()-c.off
	switch {
	case n == counterSize:
		return true
	case int64(c.of.DefinitionLength()) == int64(c.of.HeaderLength())+counterSize*int64(c.of.NumCounters()):
		p.field(c, "ByteLength", n, "must be 40: DefinitionLength has room for no more in each")
	case n < counterSize || n > left:
		p.field(c, "ByteLength", n, "must be %s, the bytes DefinitionLength leaves", between(counterSize, left))
	default:
		return true
	}
	return false
}

func counterLengthExact(p *pass, c *counter) {
	if n := int64(c.ByteLength()); n != counterSize {
		p.field(c, "ByteLength", n, "must be 40")
	}
}

// stray returns the bits of a type that mean nothing, and the type without them.
func stray(t layout.CounterType) (bits, rest layout.CounterType) {
	bits = t.Unassigned()
	if rest = t &^ bits; !rest.Predefined() {
		tag := layout.CounterType(t.Tag())
		bits, rest = bits|tag, rest&^tag
	}
	return bits, rest
}

func counterTypeKnown(p *pass, c *counter) {
	if c.typ.Predefined() {
		return
	}
	if bits, _ := stray(c.typ); bits == 0 {
		p.field(c, "CounterType", c.typ, "must be a type that winperf.h has a name for")
	}
}

func counterTypeUnassigned(p *pass, c *counter) {
	if bits, rest := stray(c.typ); bits != 0 {
		if !rest.Predefined() {
			p.field(c, "CounterType", c.typ, "must be a type without the bits 0x%08x, which mean nothing", uint32(bits))
			return
		}
		p.field(c, "CounterType", c.typ, "must be %v, without the bits 0x%08x", rest, uint32(bits))
	}
}

func counterTypeObsolete(p *pass, c *counter) {
	if obsolete(c.typ) {
		p.field(c, "CounterType", c.typ, "must be a type that is not obsolete")
	}
}

func obsolete(t layout.CounterType) bool {
	switch t {
	case layout.PERF_COUNTER_TEXT, layout.PERF_COUNTER_NODATA, layout.PERF_COUNTER_HISTOGRAM_TYPE:
		return true
	}
	return false
}
