package validate

import "github.com/perfblock/perfblock/layout"

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

var onCounterBlock = subjectsIn[*counterBlock](layout.V1Kinds()...)

func (b *counterBlock) path() layout.Path {
	path := layout.Path{}.At("object", b.of.index)
	if b.instance >= 0 {
		path = path.At("instance", b.instance)
	}
	return path.Field("block")
}
func (b *counterBlock) record() *layout.Record { return &layout.PERF_COUNTER_BLOCK }
func (b *counterBlock) start() int64           { return b.off }

// checkBlock judges the counter block at offset at and returns where it ends, and
// whether it does so inside the object.
func (p *pass) checkBlock(o *object, at int64, instance int) (end int64, ok bool) {
	b := &p.counterBlock
	*b = counterBlock{of: o, instance: instance, off: at, end: o.end}
	if rest := p.b[at:o.end]; len(rest) >= int(layout.PERF_COUNTER_BLOCK.Size) {
		b.length = int64(le.Uint32(rest))
		b.end = min(o.end, at+b.length)
		b.CounterBlock = layout.CounterBlock{Span: layout.NewSpan(p.b[at:b.end:b.end], at)}
	}
	b.wanted = o.wantedBlock(b)
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
