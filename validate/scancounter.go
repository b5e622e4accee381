package validate

import (
	"math"

	"github.com/perfblock/perfblock/layout"
)

// plainCounters reports whether the counter definitions of an object, alone and together,
// are certain to break no rule. They are then not decoded, unless a value turns out not to
// fit into a counter block: see define. If it returns false, the rules run.
func (p *pass) plainCounters(o *object) bool {
	n := int64(o.NumCounters())
	if p.everyRule || n == 0 || int64(o.HeaderLength()) != objectSize || int64(o.DefinitionLength()) != objectSize+n*counterSize {
		return false
	}
	d := plainDefinitions{last: math.MaxUint32, lowest: math.MaxUint32, standard: int64(o.DefaultCounter()), need: uint64(layout.PERF_COUNTER_BLOCK.Size)}
	if p.ctx.LastCounter != 0 && p.ctx.LastCounter >= p.ctx.FirstCounter {
		d.first, d.last = p.ctx.FirstCounter, p.ctx.LastCounter
	}
	for b := p.b[o.off+objectSize : o.body()]; len(b) >= int(counterSize); b = b[counterSize:] {
		if !d.next((*[counterSize]byte)(b)) {
			return false
		}
	}
	if d.base != 0 || !d.chosen && d.standard != 0 && d.standard != -1 || uint32(o.DetailLevel()) != d.lowest || d.clock && (o.PerfTime() <= 0 || o.PerfFreq() <= 0) {
		return false
	}
	o.defined, o.need, o.clock, o.passed = o.body(), int64(d.need), d.clock, true
	if p.dataBlock.usesFreq == "" && d.freq != 0 {
		p.dataBlock.usesFreq = d.freq.String()
	}
	return true
}

// plainDefinitions is the state of the scan after some definitions.
type plainDefinitions struct {
	first, last uint32             // range of valid titles
	index       int64              // of the next definition
	titles      [titleWords]uint64 // a bit for each title; several titles share a bit
	highest     uint32             // of the titles
	lowest      uint32             // of the levels
	standard    int64              // DefaultCounter
	chosen      bool               // DefaultCounter is one of these definitions
	clock       bool               // a counter is computed with the object's PerfTime
	freq        layout.CounterType // first type that is computed with the header's PerfFreq, 0 for none
	need, end   uint64             // end of the furthest value, and of the last one

	base       layout.CounterType // type that the next definition must have, 0 for any
	multi      bool               // its value must be 8 bytes after at
	at         uint64             // CounterOffset of its counter
	name, help uint32             // titles of its counter
}

const titleWords = 16

// next reports whether one more definition is certain to break no rule.
func (d *plainDefinitions) next(b *[counterSize]byte) bool {
	name, help := le.Uint32(b[4:]), le.Uint32(b[12:])
	scale, level := le.Uint32(b[20:]), le.Uint32(b[24:])
	size, at := uint64(le.Uint32(b[32:])), uint64(le.Uint32(b[36:]))
	t := findPlainType(layout.CounterType(le.Uint32(b[28:])))
	if uint64(le.Uint32(b[0:])) != uint64(counterSize) || le.Uint32(b[8:])|le.Uint32(b[16:]) != 0 || scale+uint32(-layout.MinScale) > uint32(layout.MaxScale-layout.MinScale) ||
		uint64(t.width) != size || size == 0 || at&(size-1) != 0 || at < max(d.end, firstValue) {
		return false
	}
	if t.isBase {
		if t.typ != d.base || d.multi && at != d.at+secondValue || (name != d.name || help != d.help) && name|help != 0 {
			return false
		}
	} else if d.base != 0 || !d.titled(name, help) || !plainLevel(level) {
		return false
	} else {
		d.lowest = min(d.lowest, level)
		d.chosen = d.chosen || d.index == d.standard || int64(name) == d.standard
	}
	d.end = at + size
	d.need = max(d.need, d.end)
	if t.multi {
		d.need = max(d.need, at+multiBytes)
	}
	d.clock = d.clock || t.clock
	if t.freq && d.freq == 0 {
		d.freq = t.typ
	}
	d.base, d.multi, d.at, d.name, d.help = t.base, t.multi, at, name, help
	d.index++
	return true
}

// titled reports whether the titles of a counter break no rule, and no other counter has
// the same name.
func (d *plainDefinitions) titled(name, help uint32) bool {
	if name == 0 || name%2 != 0 || help != name+1 || name < d.first || name > d.last {
		return false
	}
	bit := name / 2 % (64 * titleWords)
	word := &d.titles[bit/64]
	if name <= d.highest && *word>>(bit%64)&1 != 0 {
		return false // an earlier counter can have it
	}
	*word |= 1 << (bit % 64)
	d.highest = max(d.highest, name)
	return true
}

// plainLevel reports whether a DetailLevel is valid.
func plainLevel(level uint32) bool {
	switch layout.DetailLevel(level) {
	case layout.PERF_DETAIL_NOVICE, layout.PERF_DETAIL_ADVANCED, layout.PERF_DETAIL_EXPERT, layout.PERF_DETAIL_WIZARD:
		return true
	}
	return false
}

// A plainType has the properties of a predefined numeric type that the scan uses.
type plainType struct {
	typ, base layout.CounterType // base is the type of the definition that must follow, 0 for none
	width     uint32             // 4 or 8; 0 for no type
	isBase    bool
	multi     bool // its base must be at a fixed distance
	clock     bool // is computed with the object's PerfTime
	freq      bool // is computed with the header's PerfFreq
}

// plainTypes is a hash table of the types. A search of the list of types would take longer
// than all other steps for a counter.
var plainTypes = func() (list [1 << typeBits]plainType) {
	for t := range layout.CounterTypes() {
		width, fixed := t.Width()
		base, _ := t.Base()
		if !fixed || width == 0 || obsolete(t) || t.Unassigned() != 0 || t.NeedsBase() != (base != 0) {
			continue
		}
		i := typeAt(t)
		for list[i].width != 0 {
			i = (i + 1) % len(list)
		}
		list[i] = plainType{t, base, width, t.IsBase(), t.Multi() && t.NeedsBase(), t.UsesObjectTimer(), usesFreq(t)}
	}
	return list
}()

const typeBits = 8

func typeAt(t layout.CounterType) int { return int(uint32(t) * (golden >> 32) >> (32 - typeBits)) }

// findPlainType returns the entry of a type, or an entry with width 0 if there is none.
func findPlainType(t layout.CounterType) *plainType {
	i := typeAt(t)
	for plainTypes[i].width != 0 && plainTypes[i].typ != t {
		i = (i + 1) % len(plainTypes)
	}
	return &plainTypes[i]
}
