package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// counterBlock is a PERF_COUNTER_BLOCK.
type counterBlock struct {
	layout.CounterBlock // the bytes inside the object
	of                  *object
	instance            int // index of the instance, -1 in an object without instances
	off, end            int64
	length              int64 // ByteLength; after the guards, checkBlock replaces a wrong ByteLength by required
	required            int64 // the correct ByteLength, 0 if ByteLength is not known to be wrong
	declared            int64 // the wrong ByteLength, 0 if required is 0
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
		Doc:     "the counter block of an object without instances has at least 4 bytes, the size of ByteLength",
		Why:     "An object with PERF_NO_INSTANCES has one counter block after its definitions. If the block is missing, a reader reads the next object as if it were the block, or reads past the buffer.",
		Fix:     "Write the counter block, or write 0 into NumInstances if there are no values.",
		Sources: []Source{dataFormat, dotnet},
		Misread: []string{".NET before 9.0 reads past the buffer"},
		check: onCounterBlock.guard(func(p *pass, b *counterBlock) bool {
			return p.requireSize(b, b.of.end-b.off, "TotalByteLength leaves %s for the counter block", "leave")
		}),
	},
	{
		ID: "PERF1429", Name: "blk-length-min", Severity: Error, Since: "v0.1.0",
		Doc:     "ByteLength of a counter block is at least 4",
		Why:     "ByteLength is the distance to the next instance. If it is 0, a reader does not advance.",
		Fix:     "Set ByteLength to 4 plus the length of the values in bytes. Round the sum up to a multiple of 8.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_BLOCK, "ByteLength"), dotnet},
		Misread: []string{"perflib_exporter allocates without limit if ByteLength is 0"},
		check: onCounterBlock.guard(func(p *pass, b *counterBlock) bool {
			switch {
			case b.length < counterBlockSize && b.required != 0:
				p.field(b, "ByteLength", b.length, "must be %d, the distance to the next instance or the end of the object", b.required)
				return true
			case b.length < counterBlockSize:
				b.reportLength(p)
				return false
			}
			return true
		}),
	},
	{
		ID: "PERF1430", Name: "blk-length-bound", Severity: Error, Since: "v0.1.0",
		Doc:     "the counter block of an instance ends inside the object",
		Why:     "The bytes after the object belong to another object or are outside the buffer.",
		Fix:     "Write the length of the block into ByteLength, and include the block in TotalByteLength.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_BLOCK, "ByteLength"), collect, dotnet},
		Misread: []string{".NET before 9.0 reads past the buffer"},
		check:   onCounterBlock.guard(blockLengthBound),
	},
	{
		ID: "PERF1431", Name: "blk-length-align", Severity: Error, NT4: Off, Since: "v0.1.0",
		Doc:     "ByteLength of a counter block is a multiple of 8",
		Why:     "ByteLength is the distance to the next instance. If it is not a multiple of 8, the 8-byte values of all following instances and objects are misaligned.",
		Fix:     "Round the length up to a multiple of 8, with padding after the last value.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_BLOCK, "ByteLength"), alignment},
		aligns:  true,
		check: onCounterBlock.check(func(p *pass, b *counterBlock) {
			switch {
			case b.required == 0 && b.length%layout.Align == 0:
			case b.required == 0:
				p.field(b, "ByteLength", b.length, "must be a multiple of 8")
			case b.declared < counterBlockSize || b.declared%layout.Align == 0 || b.declared > b.of.end-b.off:
				// the rule blk-length-min or blk-length-bound reports ByteLength
			case b.required%layout.Align != 0:
				p.field(b, "ByteLength", b.declared, "must be a multiple of 8")
			default:
				p.field(b, "ByteLength", b.declared, "must be %d, the distance to the next instance or the end of the object", b.required)
			}
		}),
	},
	{
		ID: "PERF1432", Name: "blk-length-uniform", Severity: Warning, Since: "v0.1.0",
		Doc:     "all counter blocks of an object have the same length",
		Why:     "All blocks have the same values at the same offsets. If a block has another length, the length is computed wrongly, or the block was written with other definitions.",
		Fix:     "Compute the length once, from the counter definitions, and use it for every instance.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterOffset"), dataFormat},
		check: onCounterBlock.check(func(p *pass, b *counterBlock) {
			first, left := int64(b.of.firstLength), b.of.end-b.off
			switch {
			case b.required != 0 || b.length == first:
			case first > left:
				p.field(b, "ByteLength", b.length, "must be the ByteLength of the first counter block, %d, but TotalByteLength leaves only %s", first, plural(left, "byte"))
			default:
				p.field(b, "ByteLength", b.length, "must be %d, the ByteLength of the first counter block", first)
			}
		}),
	},
	{
		ID: "PERF1433", Name: "blk-slack", Severity: Info, NT4: Off, Since: "v0.1.0",
		Doc:     "a counter block has at most 7 bytes after its last value",
		Why:     "No counter refers to the bytes after the last value. They waste space in every instance, or they are values whose definition is missing.",
		Fix:     "Remove the bytes after the last value, or define the counters that are stored there.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_BLOCK, "ByteLength")},
		check: onCounterBlock.check(func(p *pass, b *counterBlock) {
			// Other rules report a wrong or misaligned ByteLength, and an invalid CounterOffset or
			// CounterSize.
			if need := aligned(b.of.need); !b.of.needUncertain && b.required == 0 && b.length > need && b.length%layout.Align == 0 {
				p.field(b, "ByteLength", b.length, "must be %d, the number of bytes that the values require", need)
			}
		}),
	},
}

// checkBlock checks the counter block at an offset. It returns the end of the block, and
// whether the block is inside the object.
func (p *pass) checkBlock(o *object, at int64, instance int) (end int64, ok bool) {
	b := &p.counterBlock
	*b = counterBlock{of: o, instance: instance, off: at, end: o.end}
	if rest := p.b[at:o.end]; int64(len(rest)) >= counterBlockSize {
		b.length = int64(le.Uint32(rest))
		b.end = min(o.end, at+b.length)
		b.CounterBlock = layout.CounterBlock{Span: span(p.b, at, b.end)}
	}
	if instance >= 0 {
		if next := p.distance(&counterBlockRecord, at, o.end, o.followerOf(instance)); next.wrong {
			b.required = next.n
		}
	}
	if !onCounterBlock.runGuards(p, b) {
		return 0, false
	}
	if b.required != 0 {
		b.declared, b.length, b.end = b.length, b.required, at+b.required
		b.CounterBlock = layout.CounterBlock{Span: span(p.b, at, b.end)}
	}
	o.blocks++
	if o.blocks == 1 || b.length < o.shortest.length {
		o.shortest = *b
	}
	if o.blocks == 1 {
		o.firstLength = uint32(b.length)
	}
	onCounterBlock.runChecks(p, b)
	return b.end, true
}

func blockLengthBound(p *pass, b *counterBlock) bool {
	left := b.of.end - b.off
	switch {
	case b.required != 0 && (b.length < counterBlockSize || b.length%layout.Align != 0 && b.length <= left && p.rules.aligned):
		// the rule blk-length-min or blk-length-align reports ByteLength
	case b.required != 0:
		p.field(b, "ByteLength", b.length, "must be %d, the distance to the next instance or the end of the object", b.required)
	case b.instance >= 0 && b.length > left:
		b.reportLength(p)
		return false
	}
	return true
}

// reportLength reports a ByteLength that is out of range.
func (b *counterBlock) reportLength(p *pass) {
	unit, left := p.rules.unit(), b.of.end-b.off
	least := roundUp(b.of.need, unit)
	if least > left { // the values do not fit: CounterOffset or CounterSize of a counter, or TotalByteLength, is wrong
		least = roundUp(counterBlockSize, unit)
	}
	switch {
	case least <= left:
	case b.length >= counterBlockSize:
		p.reportBytes(b, "", b.off, int(left), fmt.Sprintf("TotalByteLength leaves %s for the counter block", plural(left, "byte")), fmt.Sprintf("must leave at least %d", least))
		return
	default:
		p.field(b, "ByteLength", b.length, "must be at least %d, but TotalByteLength leaves only %s for the counter block", least, plural(left, "byte"))
		return
	}
	p.field(b, "ByteLength", b.length, "must be %s", upTo(least, left, unit, "the number of bytes up to TotalByteLength"))
}

var counterBlockRecord = recordType{
	field: layout.PERF_COUNTER_BLOCK.Field("ByteLength").At, least: counterBlockSize,
	// Most small numbers could be a ByteLength. Therefore plausible also requires that an instance
	// or the end of the object follows the block.
	plausible: func(b []byte, at, lim int64) bool {
		if lim-at < counterBlockSize {
			return false
		}
		n := int64(le.Uint32(b[at:]))
		return n >= counterBlockSize && n <= lim-at && (at+n == lim || plausibleInstance(b, at+n, lim))
	},
	required: func(p *pass, _, _ int64) (int64, int64) { return p.object.blockLength(), 0 },
}

// blockLength returns the length that all counter blocks of the object should have, or 0 if the
// length is not known.
func (o *object) blockLength() int64 {
	if o.blocks > 0 {
		return int64(o.firstLength)
	}
	if o.need >= unknownNeed {
		return 0
	}
	return aligned(o.need)
}
