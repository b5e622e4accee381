package fuzz

import (
	"cmp"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func (g *generator) object() builder.Object {
	o := builder.Object{ObjectNameTitleIndex: g.title()}
	if i, duplicate := g.index(len(g.objects)), g.chance(10); duplicate && len(g.objects) > 0 {
		o.ObjectNameTitleIndex = g.objects[i].ObjectNameTitleIndex
	}
	o.ObjectHelpTitleIndex, o.NoHelp = g.help(o.ObjectNameTitleIndex)
	if o.CodePage = pick(g.Source, uint32(0), 0, 0, 0, 1252, 65001, 932, 437); g.ASCII {
		o.CodePage = 0
	}
	o.NumInstances = pick(g.Source, 0, 0, 0, layout.PERF_NO_INSTANCES, layout.PERF_METADATA_MULTIPLE_INSTANCES, layout.PERF_METADATA_NO_INSTANCES)
	extra, longer := 8*uint32(1+g.upTo(3)), g.gives(30)
	c := g.counters()
	o.Counters = c.list
	g.detailLevel(&o)
	g.clock(&o)
	g.defaultCounter(&o)
	switch o.NumInstances {
	case layout.PERF_NO_INSTANCES:
		o.Values, o.Texts = c.values(g)
	case 0:
		g.instances(&o, c)
	}
	c.widenTexts(&o)
	if longer {
		o.BlockLength = extra
	}
	setBlockLengths(&o)
	return o
}

// title returns a title index. Most are small even numbers, as Windows assigns them.
func (g *generator) title() uint32 {
	if g.chance(20) {
		return g.uint32() &^ absent
	}
	return 2 * uint32(g.upTo(2000))
}

// absent is a bit that no generated object title has. A title with this bit belongs to no object in the block.
const absent = 1 << 31

// help returns the help title index and the NoHelp of an object or a counter with the given title. Both are random. If
// they are 0 and false, the encoder computes the help title index.
func (g *generator) help(title uint32) (index uint32, none bool) {
	computed := uint32(0)
	if title != 0 {
		computed = title + 1
	}
	switch choice := g.upTo(8); {
	case g.Computed:
	case choice == 1:
		return 0, computed != 0
	case choice == 2:
		return avoid(max(g.uint32()>>1, 1), computed), false
	}
	return 0, false
}

// level returns a random detail level or 0. If the result is 0, the encoder writes the level in `computed`.
func (g *generator) level(computed layout.DetailLevel) layout.DetailLevel {
	level := pick(g.Source, 0, layout.PERF_DETAIL_NOVICE, layout.PERF_DETAIL_ADVANCED, layout.PERF_DETAIL_EXPERT, layout.PERF_DETAIL_WIZARD)
	if level == computed || g.Computed {
		return 0
	}
	return level
}

func (g *generator) detailLevel(o *builder.Object) {
	lowest := layout.DetailLevel(0)
	for _, c := range o.Counters {
		level := cmp.Or(c.DetailLevel, layout.PERF_DETAIL_NOVICE)
		if !c.CounterType.IsBase() && (lowest == 0 || level < lowest) {
			lowest = level
		}
	}
	level := g.level(cmp.Or(lowest, layout.PERF_DETAIL_NOVICE))
	if g.chance(60) {
		o.DetailLevel = level
	}
}

// defaultCounter sets o.DefaultCounter to the position or the title of a counter, or to -1 for none, or leaves it nil.
func (g *generator) defaultCounter(o *builder.Object) {
	i, way, given := g.index(len(o.Counters)), g.upTo(3), g.gives(100)
	if !given || len(o.Counters) == 0 {
		return
	}
	choice := int32(-1)
	if c := o.Counters[i]; !c.CounterType.IsBase() {
		choice = [...]int32{-1, int32(i), int32(c.CounterNameTitleIndex)}[way]
	}
	if choice == -1 || choice > 0 {
		o.DefaultCounter = &choice
	}
}

func (g *generator) clock(o *builder.Object) {
	time, freq := int64(0), int64(0)
	if slices.ContainsFunc(o.Counters, func(c builder.Counter) bool { return c.CounterType.UsesObjectTimer() }) {
		time, freq = g.now, 10_000_000
	}
	if g.gives(60) {
		o.PerfTime = avoid(g.positive()>>1+1, time)
	}
	if g.gives(60) {
		o.PerfFreq = avoid(g.positive()>>1+1, freq)
	}
}

// setBlockLengths sets the final BlockLength of an object and of its instances. Before the call, each BlockLength is a
// number of extra bytes to add. In an instance, 32 means no extra bytes, and 0 means as many as in the object. The
// first instance always has as many as the object.
func setBlockLengths(o *builder.Object) {
	if o.NumInstances != layout.PERF_NO_INSTANCES && len(o.Instances) == 0 {
		o.BlockLength = 0
		return
	}
	required, all := requiredBlockLength(o), o.BlockLength
	if all > 0 {
		o.BlockLength = required + all
	}
	for i := range o.Instances {
		in := &o.Instances[i]
		if n := in.BlockLength % 32; i == 0 || in.BlockLength == 0 || n == all {
			in.BlockLength = 0 // the encoder then uses BlockLength of the object
		} else {
			in.BlockLength = required + n
		}
	}
}

// requiredBlockLength returns the ByteLength that the builder computes for the first counter block of the object. It
// ignores each BlockLength.
func requiredBlockLength(o *builder.Object) uint32 {
	plain := *o
	plain.BlockLength, plain.DuplicateNames, plain.Instances = 0, true, slices.Clone(o.Instances)
	for i := range plain.Instances {
		in := &plain.Instances[i]
		in.BlockLength, in.ParentObjectTitleIndex = 0, 0 // the parents may be in other objects
	}
	b, err := plain.MarshalBinary()
	if err != nil {
		panic(err) // generated objects always encode
	}
	for v := range layout.ReadObjects(b) {
		if block, err := v.Block(); v.NumInstances() == layout.PERF_NO_INSTANCES && err == nil {
			return block.ByteLength()
		}
		for in := range v.Instances() {
			if block, err := in.Block(); err == nil {
				return block.ByteLength()
			}
		}
	}
	return 0
}
