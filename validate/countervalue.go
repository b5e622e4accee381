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
		Doc:     "CounterSize of a number is 4 or 8",
		Why:     "Numbers are of 4 or of 8 bytes and of nothing else. Readers make up a width of their own where CounterSize is neither, or give up on the counter.",
		Fix:     "Write 8 for the types of PERF_SIZE_LARGE, and 4 for those of PERF_SIZE_DWORD.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterSize")},
		Misread: []string{"perflib_exporter reads 4 bytes for any size but 8"},
		check:   onCounter.check(counterSizeDomain),
	},
	{
		ID: "PERF1308", Name: "ctr-size-type-mismatch", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterSize of a number is the width that its CounterType has",
		Why:     "Some readers take as many bytes as CounterSize says and others as many as the type has, so they show different values. There are providers that ship with raw counts of a 4-byte type and 8 bytes.",
		Fix:     "Choose the type of that width, such as PERF_COUNTER_LARGE_RAWCOUNT in place of PERF_COUNTER_RAWCOUNT, or write the width of the type.",
		Sources: []Source{headerFile, netdata},
		Misread: []string{"perflib_exporter goes by CounterSize", "netdata goes by the type"},
		check:   onCounter.check(counterSizeMismatch),
	},
	{
		ID: "PERF1309", Name: "ctr-size-average-timer", Severity: Info, Since: "v0.1.0",
		Doc:     "CounterSize of a PERF_AVERAGE_TIMER is 4, the width of the type",
		Why:     "Both widths are in use: the bits of the type say 4 bytes, the disk counters of Windows seem to have 8, and Microsoft's own sample reads 8.",
		Fix:     "Leave it if the value has 8 bytes. Else write 4, and keep the 4 bytes behind the value zero for those who read 8.",
		Sources: []Source{headerFile, values, netdata},
		check:   onCounter.check(counterSizeAverageTimer),
	},
	{
		ID: "PERF1310", Name: "ctr-size-nodata", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterSize is 0 where the CounterType has no value, by PERF_SIZE_ZERO",
		Why:     "The type says that there is nothing to read and the size that there is. A reader that goes by the size shows bytes that mean nothing.",
		Fix:     "Write 0, or choose a type that has a value.",
		Sources: []Source{headerFile},
		Misread: []string{"perflib_exporter reads a value whatever the type is"},
		check:   onCounter.check(counterSizeNoData),
	},
	{
		ID: "PERF1311", Name: "ctr-text-length", Severity: Error, Since: "v0.1.0",
		Doc:     "a text, with the DWORD before it that counts its bytes, lies in the counter block",
		Why:     "A reader that trusts the length reads what stands behind the block, and at the end of the data what stands behind that.",
		Fix:     "Count the bytes of the text alone, and make every block long enough for its text.",
		Sources: []Source{textType},
		check:   onCounterBlock.check(counterTextLength),
	},
	{
		ID: "PERF1312", Name: "ctr-offset-min", Severity: Error, Since: "v0.1.0",
		Doc:     "CounterOffset is at least 4",
		Why:     "It counts from the start of the PERF_COUNTER_BLOCK, whose first 4 bytes are its ByteLength. What is read there is the length of the block and not a value.",
		Fix:     "Add the 4 bytes of the ByteLength to each offset.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterOffset"), of(&layout.PERF_COUNTER_BLOCK, "ByteLength")},
		check:   onCounter.check(counterOffsetMin),
	},
	{
		ID: "PERF1313", Name: "ctr-offset-range", Severity: Error, Since: "v0.1.0",
		Doc:     "CounterOffset and CounterSize lead to a place in every counter block of the object",
		Why:     "The value would lie behind the block: in the next instance, the next object, or outside the buffer. Readers drop the counter, show what stands there, or crash.",
		Fix:     "Correct the offset, or make every block of the object long enough for all its counters.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterOffset"), netdata},
		Misread: []string{"perflib_exporter shows bytes of the next instance, or panics at the end of the data", "netdata drops the counter"},
		check:   onObject.atEnd(counterOffsetRange),
	},
	{
		ID: "PERF1314", Name: "ctr-offset-align", Severity: Warning, NT4: Off, Since: "v0.1.0",
		Doc:     "CounterOffset of a number is a multiple of its CounterSize",
		Why:     "No page asks for it, and readers that are careful copy the bytes. One that goes through a pointer to the value faults on processors that mind, and is slow on others.",
		Fix:     "Put the 8-byte values first, from offset 8 on, and the 4-byte values behind them.",
		Sources: []Source{values, dotnetReader},
		check:   onCounter.check(counterOffsetAlign),
	},
	{
		ID: "PERF1315", Name: "ctr-overlap-partial", Severity: Warning, Since: "v0.1.0",
		Doc:     "the values of two counters start at one CounterOffset, or share no bytes",
		Why:     "Several counters may show one value, and then have one CounterOffset. A value that starts in the middle of another comes of a wrong size or offset, and one of the two is garbage.",
		Fix:     "Look for the counter with the wrong CounterSize or CounterOffset: usually one of 8 bytes that was given the room of 4.",
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
			p.field(c, "CounterOffset", c.at, "%d, as counter[%d] has, or %d at least, where that ends", over.at, over.index, over.end())
		}
	}
}

// apart reports whether the values stand one behind the other in the order of the
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
// value and the DWORD with the number of components that readers look for behind it.
const multiBytes = 12

// firstValue is the first offset that a value can have, behind the block's ByteLength.
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
		p.field(c, "CounterSize", c.size, "%d, the width of %v", c.number(), c.typ)
	}
}

func counterSizeMismatch(p *pass, c *counter) {
	if c.sized() && c.size != c.number() && c.typ != layout.PERF_AVERAGE_TIMER {
		p.field(c, "CounterSize", c.size, "%d, the width of %v", c.number(), c.typ)
	}
}

func counterSizeAverageTimer(p *pass, c *counter) {
	if c.typ == layout.PERF_AVERAGE_TIMER && c.size == 8 {
		p.field(c, "CounterSize", c.size, "4, the width of %v", c.typ)
	}
}

func counterSizeNoData(p *pass, c *counter) {
	if c.typ.Size() == layout.PERF_SIZE_ZERO && c.size != 0 {
		p.field(c, "CounterSize", c.size, "0, as %v has no value", c.typ)
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
				p.text(b, c, lengthBytes, fmt.Sprintf("the length of the text is %d", n), "%d at most, for which the block has room", most)
			}
		case c.size <= room:
			p.text(b, c, int(room), fmt.Sprintf("the block has %d bytes for the length of the text", room), "4")
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
		p.field(c, "CounterOffset", c.at, "4 at least, behind the block's ByteLength")
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

// counterOffsetRange is silent of a number whose size no number has: that is what is wrong.
func counterOffsetRange(p *pass, o *object) {
	for i := range o.counters {
		c := &o.counters[i]
		if c.at >= firstValue && !c.unsized() && !c.inside(o) {
			p.noRoom(o, c, c.size)
		}
	}
}

// noRoom reports a CounterOffset behind which the shortest counterBlock has less than n bytes.
func (p *pass) noRoom(o *object, c *counter, n int64) {
	length, where := o.longestBlock(), "that a counter block can have"
	if o.blocks > 0 {
		length, where = o.shortest.length, "of "+o.shortest.path().String()
	}
	if most := length - n; most >= firstValue {
		p.field(c, "CounterOffset", c.at, "%d at most, so that %d bytes fit into the %d %s", most, n, length, where)
		return
	}
	p.field(c, "CounterOffset", c.at, "a place for %d bytes, for which the %d %s are too few", n, length, where)
}

func counterOffsetAlign(p *pass, c *counter) {
	if c.sized() && c.at >= firstValue && c.at%c.size != 0 {
		p.field(c, "CounterOffset", c.at, "a multiple of %d, the CounterSize", c.size)
	}
}
