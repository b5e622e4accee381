package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// counterBlock is a PERF_COUNTER_BLOCK.
type counterBlock struct {
	layout.CounterBlock // as long as it can be read
	of                  *object
	instance            int // -1 in an object that has none
	off, end            int64
	length              int64 // ByteLength
	wanted              int64 // the ByteLength that leads to what follows, 0 where its own may
	said                int64 // what its ByteLength is then
}

var onCounterBlock = subjectsIn[*counterBlock](v1Kinds...)

func (b *counterBlock) path() layout.Path {
	path := layout.Path{}.At("object", b.of.index)
	if b.instance >= 0 {
		path = path.At("instance", b.instance)
	}
	return path.Field("block")
}

func (b *counterBlock) record() *layout.Record { return &layout.PERF_COUNTER_BLOCK }

func (b *counterBlock) start() int64 { return b.off }

var counterBlockRules = []*Rule{
	{
		ID: "PERF1428", Name: "blk-truncated", Severity: Error, Since: "v0.1.0",
		Doc:     "the counter block of an object without instances has room for its 4-byte ByteLength",
		Why:     "An object with PERF_NO_INSTANCES has one counter block after its definitions. A reader that expects it finds the next object, or leaves the buffer.",
		Fix:     "Write the counter block, or 0 as NumInstances if there is nothing to show.",
		Sources: []Source{dataFormat, dotnet},
		Misread: []string{".NET before 9.0 reads past the buffer"},
		check:   onCounterBlock.guard(blockTruncated),
	},
	{
		ID: "PERF1429", Name: "blk-length-min", Severity: Error, Since: "v0.1.0",
		Doc:     "ByteLength of a counter block is at least 4",
		Why:     "ByteLength is the distance to the next instance. With 0 a reader does not advance.",
		Fix:     "Write the 4 bytes of the field plus those of the values, rounded up to a multiple of 8.",
		Sources: []Source{of(&layout.PERF_COUNTER_BLOCK, "ByteLength"), dotnet},
		Misread: []string{"perflib_exporter allocates without limit if it is 0"},
		check:   onCounterBlock.guard(blockLengthMin),
	},
	{
		ID: "PERF1430", Name: "blk-length-bound", Severity: Error, Since: "v0.1.0",
		Doc:     "the counter block of an instance ends inside the object",
		Why:     "The bytes after the object belong to another object or are outside the buffer.",
		Fix:     "Write the length of the block, and include the block in TotalByteLength.",
		Sources: []Source{of(&layout.PERF_COUNTER_BLOCK, "ByteLength"), collect, dotnet},
		Misread: []string{".NET before 9.0 reads past the buffer"},
		check:   onCounterBlock.guard(blockLengthBound),
	},
	{
		ID: "PERF1431", Name: "blk-length-align", Severity: Error, NT4: Off, Since: "v0.1.0",
		Doc:     "ByteLength of a counter block is a multiple of 8",
		Why:     "ByteLength determines the alignment of everything after the block. Otherwise the 8-byte values of the next instances and objects are misaligned.",
		Fix:     "Round the length up to a multiple of 8, with padding after the last value.",
		Sources: []Source{of(&layout.PERF_COUNTER_BLOCK, "ByteLength"), alignment},
		check:   onCounterBlock.check(blockLengthAlign),
	},
	{
		ID: "PERF1432", Name: "blk-length-uniform", Severity: Warning, Since: "v0.1.0",
		Doc:     "all counter blocks of an object have the same length",
		Why:     "All blocks hold the same values at the same offsets. A block of another length was written with other definitions, or its length is computed wrongly.",
		Fix:     "Compute the length once, from the counter definitions, and use it for every instance.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterOffset"), dataFormat},
		check:   onCounterBlock.check(blockLengthUniform),
	},
	{
		ID: "PERF1433", Name: "blk-slack", Severity: Info, NT4: Off, Since: "v0.1.0",
		Doc:     "a counter block is not longer than its values require, rounded up to a multiple of 8",
		Why:     "No counter refers to the remaining bytes. They cost space in every instance, or are the values of a missing definition.",
		Fix:     "Remove the remaining bytes, or define the counters that are stored there.",
		Sources: []Source{of(&layout.PERF_COUNTER_BLOCK, "ByteLength")},
		check:   onCounterBlock.check(blockSlack),
	},
}

// checkBlock validates the counter block at offset at and returns where it ends, and
// whether it does so inside the object.
func (p *pass) checkBlock(o *object, at int64, instance int) (end int64, ok bool) {
	b := &p.counterBlock
	*b = counterBlock{of: o, instance: instance, off: at, end: o.end}
	if rest := p.b[at:o.end]; len(rest) >= int(layout.PERF_COUNTER_BLOCK.Size) {
		b.length = int64(le.Uint32(rest))
		b.end = min(o.end, at+b.length)
		b.CounterBlock = layout.CounterBlock{Span: layout.NewSpan(p.b[at:b.end:b.end], at)}
	}
	b.wanted = o.requiredBlockLength(b)
	if !onCounterBlock.guarded(p, b) {
		return 0, false
	}
	if b.wanted != 0 {
		b.said, b.length, b.end = b.length, b.wanted, at+b.wanted
		b.CounterBlock = layout.CounterBlock{Span: layout.NewSpan(p.b[at:b.end:b.end], at)}
	}
	o.blocks++
	if o.blocks == 1 || b.length < o.shortest.length {
		o.shortest = *b
	}
	if o.blocks == 1 {
		o.uniform = uint32(b.length)
	}
	onCounterBlock.checked(p, b)
	return b.end, true
}

func blockTruncated(p *pass, b *counterBlock) bool {
	if left := b.of.end - b.off; left < 4 {
		p.bytes(b, "", b.off, int(left), fmt.Sprintf("TotalByteLength leaves %d bytes for it", left), "must be at least 4, the size of PERF_COUNTER_BLOCK")
		return false
	}
	return true
}

func blockLengthMin(p *pass, b *counterBlock) bool {
	switch {
	case b.length < 4 && b.wanted != 0:
		p.field(b, "ByteLength", b.length, "must be %d, after which the next instance or the end of the object follows", b.wanted)
		return true
	case b.length < 4:
		p.field(b, "ByteLength", b.length, "must be at least 4")
		return false
	}
	return true
}

func blockLengthBound(p *pass, b *counterBlock) bool {
	left := b.of.end - b.off
	switch {
	case b.wanted != 0 && (b.length < 4 || b.length%layout.Align != 0 && b.length <= left && p.rules.aligned):
		// which is too little, or no multiple of 8
	case b.wanted != 0:
		p.field(b, "ByteLength", b.length, "must be %d, after which the next instance or the end of the object follows", b.wanted)
	case b.instance >= 0 && b.length > left:
		p.field(b, "ByteLength", b.length, "must be at most %d, the bytes TotalByteLength leaves", left)
		return false
	}
	return true
}

func blockLengthAlign(p *pass, b *counterBlock) {
	switch {
	case b.said >= 4 && b.said%layout.Align != 0 && b.said <= b.of.end-b.off:
		p.field(b, "ByteLength", b.said, "must be %d, a multiple of 8 after which the next instance or the end of the object follows", b.wanted)
	case b.length%layout.Align != 0:
		p.field(b, "ByteLength", b.length, "must be a multiple of 8")
	}
}

func blockLengthUniform(p *pass, b *counterBlock) {
	if b.length != int64(b.of.uniform) {
		p.field(b, "ByteLength", b.length, "must be %d, as the first block has", b.of.uniform)
	}
}

// blockSlack does not report a block that is too short, or is not aligned, nor
// where it is not known which bytes a counter is meant to have.
func blockSlack(p *pass, b *counterBlock) {
	if need := aligned(b.of.need); !b.of.unplaced && b.length > need && b.length%layout.Align == 0 {
		p.field(b, "ByteLength", b.length, "must be %d, which the values need", need)
	}
}
