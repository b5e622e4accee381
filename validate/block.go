package validate

import "github.com/perfblock/perfblock/layout"

// block is a PERF_COUNTER_BLOCK.
type block struct {
	layout.CounterBlock     // as long as it can be read
	object, instance    int // instance is -1 in an object that has none
	off, end            int64
	length              int64 // ByteLength
	wanted              int64 // the ByteLength that leads to what follows, 0 where its own may
	said                int64 // what its ByteLength is then
}

func (b *block) path() layout.Path {
	path := layout.Path{}.At("object", b.object)
	if b.instance >= 0 {
		path = path.At("instance", b.instance)
	}
	return path.Field("block")
}
func (b *block) record() *layout.Record { return &layout.PERF_COUNTER_BLOCK }
func (b *block) start() int64           { return b.off }

// judgeBlock judges the counter block at offset at and returns where it ends, and
// whether it does so inside the object.
func (p *pass) judgeBlock(o *object, at int64, instance int) (end int64, ok bool) {
	b := &p.blk
	*b = block{object: o.index, instance: instance, off: at, end: o.end}
	if rest := p.b[at:o.end]; len(rest) >= int(layout.PERF_COUNTER_BLOCK.Size) {
		b.length = int64(le.Uint32(rest))
		b.end = min(o.end, at+b.length)
		b.CounterBlock = layout.CounterBlock{Span: layout.NewSpan(p.b[at:b.end:b.end], at)}
	}
	b.wanted = o.wantedBlock(b)
	for _, r := range p.rules.blockBounds {
		if p.grade = r.grade; !r.check(p, o, b) {
			return 0, false
		}
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
	for _, r := range p.rules.block {
		p.grade = r.grade
		r.check(p, o, b)
	}
	return b.end, true
}
