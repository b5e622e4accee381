package validate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

var counterValueRules = []*Rule{
	{
		ID: "PERF1307", Name: "ctr-size-domain", Severity: Error, Since: "v0.1.0",
		Doc:     "CounterSize of a numeric type is 4 or 8",
		Why:     "Numbers have 4 or 8 bytes. With another CounterSize each reader assumes a different width, or drops the counter.",
		Fix:     "Write 8 if the type has PERF_SIZE_LARGE, and 4 if the type has PERF_SIZE_DWORD.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterSize")},
		Misread: []string{"perflib_exporter reads 4 bytes for any size except 8"},
		check: onCounter.check(func(p *pass, c *counter) {
			if c.invalidSize() {
				p.field(c, "CounterSize", c.size, "must be %d, the width of %v", c.width(), c.typ)
			}
		}),
	},
	{
		ID: "PERF1308", Name: "ctr-size-type-mismatch", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterSize of a numeric type is the width of its CounterType",
		Why:     "Some readers use CounterSize and others the width of the type, so they show different values. Some providers store an 8-byte value with a 4-byte type such as PERF_COUNTER_RAWCOUNT.",
		Fix:     "Write the width of the type into CounterSize, or choose a type with the width of the value. For example, use PERF_COUNTER_LARGE_RAWCOUNT instead of PERF_COUNTER_RAWCOUNT for a value of 8 bytes.",
		Sources: []Source{headerFile, netdata},
		Misread: []string{"perflib_exporter uses CounterSize", "netdata uses the type"},
		check: onCounter.check(func(p *pass, c *counter) {
			if c.validSize() && c.size != c.width() && c.typ != layout.PERF_AVERAGE_TIMER {
				p.field(c, "CounterSize", c.size, "must be %d, the width of %v", c.width(), c.typ)
			}
		}),
	},
	{
		ID: "PERF1309", Name: "ctr-size-average-timer", Severity: Info, Since: "v0.1.0",
		Doc:     "CounterSize of a PERF_AVERAGE_TIMER is 4, the width of the type",
		Why:     "Both 4 and 8 are in use: the bits of the type mean 4 bytes, but the disk counters of Windows appear to have 8, and Microsoft's sample reads 8.",
		Fix:     "If the value has 8 bytes, ignore the finding. Otherwise set CounterSize to 4, and fill the 4 bytes after the value with zeros, because some readers read 8 bytes.",
		Sources: []Source{headerFile, values, netdata},
		check: onCounter.check(func(p *pass, c *counter) {
			if c.typ == layout.PERF_AVERAGE_TIMER && c.size == 8 {
				p.field(c, "CounterSize", c.size, "must be 4, the width of %v", c.typ)
			}
		}),
	},
	{
		ID: "PERF1310", Name: "ctr-size-nodata", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterSize is 0 if CounterType has PERF_SIZE_ZERO, which means no value",
		Why:     "A counter with PERF_SIZE_ZERO has no value. A reader that uses CounterSize shows bytes without meaning.",
		Fix:     "Write 0, or choose a type that has a value.",
		Sources: []Source{headerFile},
		Misread: []string{"perflib_exporter reads a value for every type"},
		check: onCounter.check(func(p *pass, c *counter) {
			if c.typ.Size() == layout.PERF_SIZE_ZERO && c.size != 0 {
				p.field(c, "CounterSize", c.size, "must be 0, because %v has no value", c.typ)
			}
		}),
	},
	{
		ID: "PERF1311", Name: "ctr-text-length", Severity: Error, Since: "v0.1.0",
		Doc:     "a text and the DWORD before it are inside the counter block",
		Why:     "The DWORD contains the length of the text in bytes. If the length is too large, a reader also reads bytes after the block, or after the end of the data, as text.",
		Fix:     "In the DWORD before the text, write the length of the text without the 4 bytes of the DWORD. Make every block long enough for its text.",
		Sources: []Source{textType},
		check:   onCounterBlock.check(counterTextLength),
	},
	{
		ID: "PERF1312", Name: "ctr-offset-min", Severity: Error, Since: "v0.1.0",
		Doc:     "CounterOffset is at least 4",
		Why:     "CounterOffset counts from the start of the PERF_COUNTER_BLOCK, whose first 4 bytes are its ByteLength. With a smaller offset a reader reads bytes of ByteLength as the value.",
		Fix:     "Add 4, the size of ByteLength, to each CounterOffset.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterOffset"), sourceOf(&layout.PERF_COUNTER_BLOCK, "ByteLength")},
		check: onCounter.check(func(p *pass, c *counter) {
			least := roundUp(firstValue, c.unit(p))
			switch {
			case c.at >= firstValue:
			case least == firstValue:
				p.field(c, "CounterOffset", c.at, "must be at least %d, the offset after ByteLength of the counter block", least)
			default:
				p.field(c, "CounterOffset", c.at, "must be at least %d, the first multiple of CounterSize after ByteLength of the counter block", least)
			}
		}),
	},
	{
		ID: "PERF1313", Name: "ctr-offset-range", Severity: Error, Since: "v0.1.0",
		Doc:     "the CounterSize bytes at CounterOffset are inside every counter block of the object",
		Why:     "A value that is not inside its block is in the next instance, in the next object, or outside the buffer. Readers drop the counter, show other bytes, or crash.",
		Fix:     "Correct the offset, or make every block of the object long enough for all its counters.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterOffset"), netdata},
		Misread: []string{"perflib_exporter shows bytes of the next instance, or panics at the end of the data", "netdata drops the counter"},
		check: onObject.atEnd(func(p *pass, o *object) {
			// The rule ctr-size-domain reports an invalid CounterSize.
			for i := range o.counters {
				c := &o.counters[i]
				if c.at >= firstValue && !c.invalidSize() && c.end() > o.leastSpace() {
					p.reportNoRoom(o, c, c.size)
				}
			}
		}),
	},
	{
		ID: "PERF1314", Name: "ctr-offset-align", Severity: Warning, NT4: Off, Since: "v0.1.0",
		Doc:     "CounterOffset of a numeric type is a multiple of its CounterSize",
		Why:     "The documentation does not require alignment, and careful readers copy the bytes. A reader that dereferences a pointer to the value faults on some processors and is slower on others.",
		Fix:     "Store the 8-byte values first, from offset 8, and the 4-byte values after them.",
		Sources: []Source{values, dotnetReader},
		check: onCounter.check(func(p *pass, c *counter) {
			if c.validSize() && c.at >= firstValue && c.at%c.size != 0 {
				p.field(c, "CounterOffset", c.at, "must be a multiple of %d, the CounterSize", c.size)
			}
		}),
	},
	{
		ID: "PERF1315", Name: "ctr-overlap-partial", Severity: Warning, Since: "v0.1.0",
		Doc:     "the values of two counters with different CounterOffsets do not overlap",
		Why:     "Counters that share a value have the same CounterOffset. If a value starts inside another value, one of the two counters has a wrong CounterSize or CounterOffset.",
		Fix:     "Find the counter with the wrong CounterSize or CounterOffset: usually an 8-byte value that has only 4 bytes of space.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterOffset")},
		check:   onDefinitions.check(counterOverlap),
	},
}

// counterOverlap reports each counter whose value starts inside the value of another counter.
func counterOverlap(p *pass, o definedObject) {
	// In most objects the values are in order, so that no sorting is necessary.
	if o.valuesInOrder() {
		return
	}
	p.byOffset = p.byOffset[:0]
	for i := range o.counters {
		if o.counters[i].validPlace() {
			p.byOffset = append(p.byOffset, i)
		}
	}
	slices.SortFunc(p.byOffset, func(i, j int) int {
		return cmp.Or(cmp.Compare(o.counters[i].at, o.counters[j].at), cmp.Compare(i, j))
	})
	type visited struct {
		*counter
		overlaps bool // the value starts inside another value
	}
	var (
		latest visited // the visited counter whose value ends last
		outer  visited // the same, but only among the counters with a smaller CounterOffset than c
	)
	for _, i := range p.byOffset {
		c := visited{counter: &o.counters[i]}
		if latest.counter != nil && c.at > latest.at {
			outer = latest
		}
		c.overlaps = outer.counter != nil && c.at < outer.end()
		if latest.counter == nil || c.end() > latest.end() {
			latest = c
		}
		if !c.overlaps {
			continue
		}
		after := roundUp(outer.end(), c.unit(p))
		switch canShare := outer.at%c.unit(p) == 0 && !outer.overlaps; {
		case c.isMultiBase() || !canShare && after > math.MaxUint32:
			// The rule ctr-multi-base-place requires the right offset of a base, or no offset is large enough.
			p.field(c, "CounterOffset", c.at, "must not be inside the value of counter[%d]", outer.index)
		case !canShare:
			p.field(c, "CounterOffset", c.at, "must be at least %d to start after the value of counter[%d]", after, outer.index)
		case after > math.MaxUint32:
			p.field(c, "CounterOffset", c.at, "must be %d to share the value of counter[%d]", outer.at, outer.index)
		default:
			p.field(c, "CounterOffset", c.at, "must be %d to share the value of counter[%d], or at least %d to start after this value", outer.at, outer.index, after)
		}
	}
}

// valuesInOrder reports whether the values are in the order of the counters and do not overlap.
func (o *object) valuesInOrder() bool {
	end := int64(0)
	for i := range o.counters {
		c := &o.counters[i]
		if !c.validPlace() {
			continue
		}
		if c.at < end {
			return false
		}
		end = c.end()
	}
	return true
}

// validPlace reports whether the counter has a value with a valid CounterSize and CounterOffset.
func (c *counter) validPlace() bool {
	return c.size > 0 && c.at >= firstValue && (c.validSize() || c.typ.Size() == layout.PERF_SIZE_VARIABLE_LEN)
}

// Sizes and offsets in a counter block.
const (
	firstValue  = layout.SizeofCounterBlock // smallest CounterOffset, after ByteLength of the block
	secondValue = 8                         // distance from the value of a multi counter to the number of components
	multiBytes  = secondValue + 4           // bytes of both values of a multi counter
	lengthBytes = 4                         // bytes of the length before a text
)

// width returns the width in bytes that the counter's type defines, or 0 if the type is not numeric.
func (c *counter) width() int64 {
	width, _ := c.typ.Width()
	return int64(width)
}

func (c *counter) validSize() bool { return c.width() > 0 && (c.size == 4 || c.size == 8) }

// unit returns CounterSize if CounterOffset must be a multiple of CounterSize, and otherwise 1.
func (c *counter) unit(p *pass) int64 {
	if p.rules.aligned && c.validSize() {
		return c.size
	}
	return 1
}

func (c *counter) invalidSize() bool { return c.width() > 0 && !c.validSize() }

// counterTextLength reports a text, or the 4-byte length before a text, that does not end inside
// the block.
func counterTextLength(p *pass, b *counterBlock) {
	for _, i := range b.of.texts {
		c := &b.of.counters[i]
		left := b.length - c.at
		switch {
		case left < 0:
			return // the texts are sorted by CounterOffset, so the remaining texts are also outside the block
		case c.at < firstValue:
		case left >= lengthBytes:
			if n, most := int64(le.Uint32(b.Bytes()[c.at:])), left-lengthBytes; n > most {
				p.text(b, c, lengthBytes, fmt.Sprintf("the length of the text is %d", n), "must be at most %d, the number of bytes up to the end of the block", most)
			}
		case c.size <= left: // if c.size > left, the rule ctr-offset-range reports the counter
			p.text(b, c, int(left), fmt.Sprintf("the value has %s up to the end of the block", plural(left, "byte")), "must start with a length of %d bytes", lengthBytes)
		}
	}
}

// text reports the first n bytes of the value of a text counter.
func (p *pass) text(b *counterBlock, c *counter, n int, got, want string, args ...any) {
	if p.count() {
		p.list(b.path().At("value", c.index), b.off+c.at, n, got, fmt.Sprintf(want, args...))
	}
}

// leastSpace returns the length of the shortest counter block. If no block was read, it returns the
// length of the longest possible block.
func (o *object) leastSpace() int64 {
	if o.blocks > 0 {
		return o.shortest.length
	}
	// The longest block ends at the largest TotalByteLength, which has 32 bits and is a multiple of 8.
	return math.MaxUint32/layout.Align*layout.Align - int64(o.DefinitionLength())
}

// reportNoRoom reports a CounterOffset at which n bytes do not fit into a counter block of
// o.leastSpace() bytes.
func (p *pass) reportNoRoom(o *object, c *counter, n int64) {
	length, block := o.leastSpace(), "the longest possible counter block"
	if o.blocks > 0 {
		block = o.shortest.path().String()
	}
	if unit := c.unit(p); length-n >= roundUp(firstValue, unit) {
		most := (length - n) / unit * unit
		p.field(c, "CounterOffset", c.at, "must be at most %d, so that the %d bytes at this offset are inside %s, which has %s", most, n, block, plural(length, "byte"))
		return
	}
	p.field(c, "CounterOffset", c.at, "must leave space for %d bytes, but %s has only %s", n, block, plural(length, "byte"))
}
