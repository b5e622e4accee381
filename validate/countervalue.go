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
		Why:     "Numbers have 4 or 8 bytes. With another CounterSize readers assume a width of their own, or drop the counter.",
		Fix:     "Write 8 for the types with PERF_SIZE_LARGE, and 4 for those with PERF_SIZE_DWORD.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterSize")},
		Misread: []string{"perflib_exporter reads 4 bytes for any size except 8"},
		check:   onCounter.check(counterSizeDomain),
	},
	{
		ID: "PERF1308", Name: "ctr-size-type-mismatch", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterSize of a numeric type is the width of its CounterType",
		Why:     "Some readers use the width in CounterSize and others the width of the type, so they show different values. Some providers ship raw counts of a 4-byte type with 8 bytes.",
		Fix:     "Choose the type with the right width, such as PERF_COUNTER_LARGE_RAWCOUNT instead of PERF_COUNTER_RAWCOUNT, or write the width of the type.",
		Sources: []Source{headerFile, netdata},
		Misread: []string{"perflib_exporter uses CounterSize", "netdata uses the type"},
		check:   onCounter.check(counterSizeMismatch),
	},
	{
		ID: "PERF1309", Name: "ctr-size-average-timer", Severity: Info, Since: "v0.1.0",
		Doc:     "CounterSize of a PERF_AVERAGE_TIMER is 4, the width of the type",
		Why:     "Both widths are in use: the type bits mean 4 bytes, the disk counters of Windows appear to have 8, and Microsoft's sample reads 8.",
		Fix:     "Ignore the finding if the value has 8 bytes. Otherwise write 4, and keep the 4 bytes after the value zero for readers that read 8.",
		Sources: []Source{headerFile, values, netdata},
		check:   onCounter.check(counterSizeAverageTimer),
	},
	{
		ID: "PERF1310", Name: "ctr-size-nodata", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterSize is 0 if the CounterType has no value, PERF_SIZE_ZERO",
		Why:     "The type means that there is no value, and the size means that there is one. A reader that uses the size shows bytes without meaning.",
		Fix:     "Write 0, or choose a type that has a value.",
		Sources: []Source{headerFile},
		Misread: []string{"perflib_exporter reads a value for every type"},
		check:   onCounter.check(counterSizeNoData),
	},
	{
		ID: "PERF1311", Name: "ctr-text-length", Severity: Error, Since: "v0.1.0",
		Doc:     "a text, and the DWORD before it that holds its length in bytes, are inside the counter block",
		Why:     "A reader that trusts the length reads the bytes after the block, or after the end of the data.",
		Fix:     "Write the length of the text without the DWORD, and make every block long enough for its text.",
		Sources: []Source{textType},
		check:   onCounterBlock.check(counterTextLength),
	},
	{
		ID: "PERF1312", Name: "ctr-offset-min", Severity: Error, Since: "v0.1.0",
		Doc:     "CounterOffset is at least 4",
		Why:     "CounterOffset counts from the start of the PERF_COUNTER_BLOCK, whose first 4 bytes are its ByteLength. A smaller offset reads this length as part of the value.",
		Fix:     "Add the 4 bytes of ByteLength to each offset.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterOffset"), of(&layout.PERF_COUNTER_BLOCK, "ByteLength")},
		check:   onCounter.check(counterOffsetMin),
	},
	{
		ID: "PERF1313", Name: "ctr-offset-range", Severity: Error, Since: "v0.1.0",
		Doc:     "the CounterSize bytes at CounterOffset are inside every counter block of the object",
		Why:     "The value would be in the next instance, in the next object, or outside the buffer. Readers drop the counter, show other bytes, or crash.",
		Fix:     "Correct the offset, or make every block of the object long enough for all its counters.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterOffset"), netdata},
		Misread: []string{"perflib_exporter shows bytes of the next instance, or panics at the end of the data", "netdata drops the counter"},
		check:   onObject.atEnd(counterOffsetRange),
	},
	{
		ID: "PERF1314", Name: "ctr-offset-align", Severity: Warning, NT4: Off, Since: "v0.1.0",
		Doc:     "CounterOffset of a numeric type is a multiple of its CounterSize",
		Why:     "The documentation does not require it, and careful readers copy the bytes. A reader that dereferences a pointer to the value faults on some processors and is slower on others.",
		Fix:     "Store the 8-byte values first, from offset 8, and the 4-byte values after them.",
		Sources: []Source{values, dotnetReader},
		check:   onCounter.check(counterOffsetAlign),
	},
	{
		ID: "PERF1315", Name: "ctr-overlap-partial", Severity: Warning, Since: "v0.1.0",
		Doc:     "the values of two counters have the same CounterOffset or share no bytes",
		Why:     "Several counters may show one value and then have the same CounterOffset. A value that starts inside another one has a wrong size or offset, so one of the two is wrong.",
		Fix:     "Find the counter with the wrong CounterSize or CounterOffset: usually an 8-byte value that has only 4 bytes of space.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterOffset")},
		check:   onDefinitions.check(counterOverlap),
	},
}

// counterOverlap speaks of each counter whose value starts in the middle of another,
// and of those that it starts in names the one that reaches farthest.
func counterOverlap(p *pass, o definitions) {
	if o.apart() {
		return
	}
	p.byOffset = p.byOffset[:0]
	for i := range o.counters {
		if o.counters[i].placed() {
			p.byOffset = append(p.byOffset, i)
		}
	}
	slices.SortFunc(p.byOffset, func(i, j int) int {
		return cmp.Or(cmp.Compare(o.counters[i].at, o.counters[j].at), cmp.Compare(i, j))
	})
	var over, far *counter // those that reach farthest: of all that start before, and of all so far
	for _, i := range p.byOffset {
		c := &o.counters[i]
		if far != nil && c.at > far.at {
			over = far
		}
		if far == nil || c.end() > far.end() {
			far = c
		}
		if over != nil && c.at < over.end() {
			p.field(c, "CounterOffset", c.at, "must be %d, as counter[%d] has, or %d at least, where that ends", over.at, over.index, over.end())
		}
	}
}

// apart reports whether the values stand one after the other in the order of the
// counters, as they do in most objects: there is nothing to sort then.
func (o *object) apart() bool {
	end := int64(0)
	for i := range o.counters {
		c := &o.counters[i]
		if !c.placed() {
			continue
		}
		if c.at < end {
			return false
		}
		end = c.end()
	}
	return true
}

// placed reports whether the counter has a value, and nothing is wrong with its size or
// offset that another rule speaks of.
func (c *counter) placed() bool {
	return c.size > 0 && c.at >= firstValue && (c.sized() || c.typ.Size() == layout.PERF_SIZE_VARIABLE_LEN)
}

// multiBytes is what a PERF_MULTI_COUNTER takes from its CounterOffset on: its own
// value and the DWORD with the number of components that readers look for after it.
const multiBytes = 12

// firstValue is the first offset that a value can have, after the block's ByteLength.
const firstValue = 4

// lengthBytes is what a text has before it: a DWORD that counts its bytes.
const lengthBytes = 4

// number returns the width that a counter's type gives its value, 0 where that is no
// number.
func (c *counter) number() int64 {
	width, _ := c.typ.Width()
	return int64(width)
}

// sized reports whether the counter is a number of a size that numbers can have.
func (c *counter) sized() bool { return c.number() > 0 && (c.size == 4 || c.size == 8) }

// unsized reports whether it is one of a size that none can have.
func (c *counter) unsized() bool { return c.number() > 0 && !c.sized() }

func counterSizeDomain(p *pass, c *counter) {
	if c.unsized() {
		p.field(c, "CounterSize", c.size, "must be %d, the width of %v", c.number(), c.typ)
	}
}

func counterSizeMismatch(p *pass, c *counter) {
	if c.sized() && c.size != c.number() && c.typ != layout.PERF_AVERAGE_TIMER {
		p.field(c, "CounterSize", c.size, "must be %d, the width of %v", c.number(), c.typ)
	}
}

func counterSizeAverageTimer(p *pass, c *counter) {
	if c.typ == layout.PERF_AVERAGE_TIMER && c.size == 8 {
		p.field(c, "CounterSize", c.size, "must be 4, the width of %v", c.typ)
	}
}

func counterSizeNoData(p *pass, c *counter) {
	if c.typ.Size() == layout.PERF_SIZE_ZERO && c.size != 0 {
		p.field(c, "CounterSize", c.size, "must be 0, as %v has no value", c.typ)
	}
}

// counterTextLength leaves a text whose CounterSize alone leads out of the block to
// the rule for that. A CounterSize too small for the length can still lie in it.
func counterTextLength(p *pass, b *counterBlock) {
	for _, i := range b.of.texts {
		c := &b.of.counters[i]
		room := b.length - c.at
		switch {
		case room < 0:
			return // and so do the rest
		case c.at < firstValue:
		case room >= lengthBytes:
			if n, most := int64(le.Uint32(b.Bytes()[c.at:])), room-lengthBytes; n > most {
				p.text(b, c, lengthBytes, fmt.Sprintf("the length of the text is %d", n), "must be at most %d, for which the block has room", most)
			}
		case c.size <= room:
			p.text(b, c, int(room), fmt.Sprintf("the block has %d bytes for the length of the text", room), "must be 4")
		}
	}
}

// text reports n bytes where the text of a counter starts.
func (p *pass) text(b *counterBlock, c *counter, n int, got, want string, args ...any) {
	if p.count() {
		p.list(b.path().At("value", c.index), b.off+c.at, n, got, fmt.Sprintf(want, args...))
	}
}

func counterOffsetMin(p *pass, c *counter) {
	if c.at < firstValue {
		p.field(c, "CounterOffset", c.at, "must be at least 4, after the block's ByteLength")
	}
}

// longestBlock is what a counter block can have at most: TotalByteLength, which counts
// the definitions too, is a DWORD and a multiple of 8.
func (o *object) longestBlock() int64 {
	return math.MaxUint32/layout.Align*layout.Align - int64(o.DefinitionLength())
}

// inside reports whether the value lies in every block that was read, or where there are
// none, could lie in one.
func (c *counter) inside(o *object) bool {
	if o.blocks == 0 {
		return c.end() <= o.longestBlock()
	}
	return c.end() <= o.shortest.length
}

// counterOffsetRange does not report a number whose size no number has: that is what is wrong.
func counterOffsetRange(p *pass, o *object) {
	for i := range o.counters {
		c := &o.counters[i]
		if c.at >= firstValue && !c.unsized() && !c.inside(o) {
			p.noRoom(o, c, c.size)
		}
	}
}

// noRoom reports a CounterOffset after which the shortest counter block has less than n bytes.
func (p *pass) noRoom(o *object, c *counter, n int64) {
	length, where := o.longestBlock(), "that a counter block can have"
	if o.blocks > 0 {
		length, where = o.shortest.length, "of "+o.shortest.path().String()
	}
	if most := length - n; most >= firstValue {
		p.field(c, "CounterOffset", c.at, "must be at most %d, so that %d bytes fit into the %d %s", most, n, length, where)
		return
	}
	p.field(c, "CounterOffset", c.at, "must have %d bytes after it: the %d %s are too few", n, length, where)
}

func counterOffsetAlign(p *pass, c *counter) {
	if c.sized() && c.at >= firstValue && c.at%c.size != 0 {
		p.field(c, "CounterOffset", c.at, "must be a multiple of %d, the CounterSize", c.size)
	}
}
