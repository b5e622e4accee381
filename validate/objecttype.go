package validate

import "github.com/perfblock/perfblock/layout"

// object is the current PERF_OBJECT_TYPE, and what is known of it so far.
type object struct {
	layout.Object       // from its start to its end, or to that of the input
	index         int   // in the block
	off, end      int64 // in the input; end is that of the input where the length is wrong
	whole         bool  // TotalByteLength can be trusted: end is where it leads
	repaired      bool  // it leads elsewhere, and end is where the content ends
	pushed        bool  // the object before it starts on no multiple of 8

	passed   bool      // the scan had nothing to say of the counters
	counters []counter // as many as could be read, none that were passed over
	defined  int64     // where they end, 0 where they could not all be read
	need     int64     // the bytes of a counter block in which every value has room; more than any where not all counters are known
	unplaced bool      // a counter has a CounterOffset or a CounterSize that none can have, and may need more
	texts    []int     // of the counters, those that are texts, one for each offset
	clock    bool      // a counter is computed with the object's PerfTime and PerfFreq

	content  int64        // where what NumInstances promises ends, 0 where it could not be read
	lone     bool         // NumInstances is 0, and there is a counter block all the same
	blocks   int          // counter blocks read
	shortest counterBlock // of them; the first of its length
	uniform  uint32
	total    total // an instance _Total after which more may come
	firstID  int32 // UniqueID of the first instance
	mixed    bool  // UniqueIDs are set and not set, which has been said
	named    bool  // an instance has a name in a code page, which has been said
}

// total is an instance _Total.
type total struct {
	seen  bool
	inst  instance
	under [2]uint32 // its parent
}

// The definitions of an object are a subject once all of them are read, and again at the
// end where a counter block could be read; its body is one before it is read.
type (
	definitions struct{ *object }
	body        struct{ *object }
)

var (
	onObject      = subjectsIn[*object](v1Kinds...)
	onDefinitions = subjectsIn[definitions](v1Kinds...)
	onBody        = subjectsIn[body](v1Kinds...)
)

func (o *object) path() layout.Path { return layout.Path{}.At("object", o.index) }

func (o *object) record() *layout.Record { return &layout.PERF_OBJECT_TYPE }

func (o *object) start() int64 { return o.off }

// reset makes o the object at the start of rest, which goes to the end of all objects.
func (o *object) reset(rest []byte, off int64, index int) {
	pushed := o.off%layout.Align != 0 // of the object before, 0 for the first
	o.forget()
	*o = object{index: index, off: off, end: off + int64(len(rest)), pushed: pushed, counters: o.counters[:0], texts: o.texts[:0]}
	o.Object = layout.Object{Span: layout.NewSpan(rest, off)}
	if size := int(layout.PERF_OBJECT_TYPE.Size); len(rest) >= size {
		if n := int64(o.TotalByteLength()); n >= int64(size) && n <= int64(len(rest)) {
			o.Object = layout.Object{Span: layout.NewSpan(rest[:n:n], off)}
			o.end, o.whole = off+n, true
		}
	}
}

// release lets go of what is the caller's and keeps the memory.
func (o *object) release() {
	o.forget()
	*o = object{counters: o.counters[:0], texts: o.texts[:0]}
}

// forget clears the definitions that were read, and the one after them that could
// not be, so that one large object does not slow down all that come after it.
func (o *object) forget() {
	clear(o.counters[:min(len(o.counters)+1, cap(o.counters))])
}

// fits reports whether the input has all that the object says it has. Where it has
// not because it was cut short, nothing is wrong with the object.
func (o *object) fits(p *pass, n int64) bool {
	return o.off+n <= max(p.dataBlock.end, p.dataBlock.claimed())
}

// claimed is where a block that was cut short would end.
func (h *dataBlock) claimed() int64 {
	if h.cut {
		return int64(h.TotalByteLength())
	}
	return 0
}

// body returns where the instances or the counter block start.
func (o *object) body() int64 { return o.off + int64(o.DefinitionLength()) }

func (p *pass) checkObject(o *object) {
	if !onObject.guarded(p, o) {
		return
	}
	onObject.checked(p, o)
	if !p.plainCounters(o) {
		if !p.readCounters(o) {
			return
		}
		p.checkCounters(o)
	}
	p.checkBody(o)
	p.define(o)
	if o.blocks > 0 {
		onDefinitions.end(p, definitions{o})
	}
	onObject.end(p, o)
}

// checkBody reads what stands after the definitions.
func (p *pass) checkBody(o *object) {
	rest := o.end - o.body()
	if o.NumInstances() == 0 && rest > 0 {
		o.lone = loneBlock(o.Bytes()[o.DefinitionLength():])
	}
	if !onBody.guarded(p, body{o}) {
		return
	}
	switch n := o.NumInstances(); {
	case n > 0:
		p.checkInstances(o)
	case n == layout.PERF_NO_INSTANCES || o.lone:
		if end, ok := p.checkBlock(o, o.body(), -1); ok {
			o.content = end
		}
	default:
		o.content = o.body()
	}
}

// loneBlock reports whether b is one counter block and nothing else.
func loneBlock(b []byte) bool {
	return len(b) >= layout.Align && len(b)%layout.Align == 0 && int64(le.Uint32(b)) == int64(len(b))
}
