package definition

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// An object is a counter set in V1: each base directly follows the counter that uses it.
type object struct {
	set *CounterSet
	element
	title  uint32
	values []value // empty if V1 cannot hold one of the counters
	clock  bool    // some values are computed with PerfTime and PerfFreq of the object

	misplaced []finding // findings about wrong offsets in the definition
}

// A value is a counter of an object. The generated struct has a field for each value.
type value struct {
	element
	counter *Counter // nil for a base that only V1 has
	of      *Counter // the counter that is computed with this base; nil for a value that is not a base
	name    string   // the name that identifiers are made from
	typ     layout.CounterType
	level   layout.DetailLevel
	scale   int32
	title   uint32  // 0 for a base, even if the definition gives its title, because V1 does not show bases
	offset  uint32  // in the counter block
	placed  *uint32 // the offset that the definition gives, or nil
	note    string  // a sentence about a base, for a comment
}

// isWide reports whether the value occupies 8 bytes of the counter block. Some types have a value of 4 bytes that
// occupies 8 bytes, because readers read 8 bytes.
func (v *value) isWide() bool {
	width, _ := v.typ.Width()
	return width == 8 || v.typ == layout.PERF_AVERAGE_TIMER || v.typ.Multi() && v.typ.NeedsBase()
}

// objects returns an object for each counter set, and the losses: the values that V1 cannot hold. outputName is the
// name of the output in the texts of the losses, for example "V1 struct".
func (p *Provider) objects(outputName string) ([]object, []Loss) {
	var list []object
	var losses []Loss
	titles := make(map[*Counter]uint32)
	for _, t := range p.Titles() {
		if t.Counter != nil {
			titles[t.Counter] = t.Number
			continue
		}
		list = append(list, object{set: t.Set, element: t.element, title: t.Number})
	}
	for i := range list {
		o := &list[i]
		w := objectWriter{object: o, outputName: outputName, titles: titles, index: o.set.index(), used: make(map[*Counter]bool), seen: make(map[uint32]*Counter)}
		w.write()
		losses = append(losses, w.losses...)
	}
	return list, losses
}

// An objectWriter converts the counters of a set to the values of an object of V1. Its losses name the counters that V1
// cannot hold.
type objectWriter struct {
	*object
	outputName string // see [Provider.objects]
	titles     map[*Counter]uint32
	index      index
	used       map[*Counter]bool   // bases that follow a counter
	seen       map[uint32]*Counter // counters by their titles
	losses     []Loss
}

// lose reports the loss of one value.
func (w *objectWriter) lose(e element, key, format string, args ...any) {
	w.losses = append(w.losses, e.loss(key, fmt.Sprintf(format, args...)))
}

// loseSet reports the loss of the whole object. key is the key of the value that causes the loss.
func (w *objectWriter) loseSet(e element, key, format string, args ...any) {
	w.lose(e, key, "the %s of the set %s: %s", w.outputName, quoted(w.set.Name.String()), fmt.Sprintf(format, args...))
}

// write sets the values of the object, and reports the counters that V1 cannot hold.
func (w *objectWriter) write() {
	whole := true
	for e, c := range w.set.counters(w.path) {
		if c.Type.IsBase() {
			continue
		}
		if fault := w.fault(c); fault != "" {
			w.loseSet(e, "type", "%s", fault)
			whole = false
			continue
		}
		v := value{counter: c, element: e, name: c.label(), typ: c.Type, level: c.Level(), title: w.titles[c]}
		if v.scale = min(max(c.Scale, layout.MinScale), layout.MaxScale); v.scale != c.Scale {
			w.lose(e, "scale", "the scale %d of %s: V1 has %d to %d, so %d is written", c.Scale, called(c.Name), layout.MinScale, layout.MaxScale, v.scale)
		}
		w.values = append(w.values, v)
		if c.Type.NeedsBase() {
			w.values = append(w.values, w.base(e, c))
		}
		w.clock = w.clock || c.Type.UsesObjectTimer()
	}
	for e, c := range w.set.counters(w.path) {
		if c.Type.IsBase() && !w.used[c] && whole {
			w.lose(e, "type", "the base %s: no counter is computed with it; in V1, a base must follow a counter that is computed with this base", calledOrID(c))
		}
	}
	if whole && len(w.values) == 0 {
		w.loseSet(w.element, "counters", "the set has no counters, or only bases")
	}
	if !whole || !w.place() {
		w.values, w.clock = nil, false
	}
}

// mostOffset is the largest offset of a value. It bounds the size of generated blocks.
const mostOffset = 1 << 20

// room returns the number of bytes that the value occupies, which is also the alignment of the value.
func (v *value) room() uint32 {
	if v.isWide() {
		return 8
	}
	return 4
}

// place sets the offset of each value by the rules of builder.Define. It returns false if the definition gives a wrong
// offset.
func (w *objectWriter) place() bool {
	fits := true
	wrong := func(v *value, also, want string) {
		f := v.finding("offset", fmt.Sprintf("the offset of %s is %d%s", quoted(v.name), v.offset, also), want)
		w.misplaced = append(w.misplaced, f)
		w.loseSet(v.element, "offset", "%s, %s", f.got, f.want)
		fits = false
	}
	next := uint32(layout.SizeofCounterBlock + 4) // 8, so that the first value is aligned
	repeated := make(map[*Counter]bool)
	for i := range w.values {
		v := &w.values[i]
		room := v.room()
		v.offset = (next + room - 1) / room * room
		// If V1 repeats a base, only the first of the equal bases has the offset that the definition gives.
		if c := v.counter; c != nil && c.Offset != nil && !repeated[c] {
			repeated[c], v.placed, v.offset = true, c.Offset, *c.Offset
			if v.offset < layout.SizeofCounterBlock+4 || v.offset%room != 0 || v.offset > mostOffset {
				wrong(v, "", fmt.Sprintf("must be a multiple of %d from 8 to %d", room, mostOffset))
				return false
			}
		}
		next = v.offset + room
	}
	byOffset := make([]*value, len(w.values))
	for i := range w.values {
		byOffset[i] = &w.values[i]
	}
	slices.SortStableFunc(byOffset, func(a, b *value) int { return cmp.Compare(a.offset, b.offset) })
	for i := 1; i < len(byOffset); i++ {
		before, v := byOffset[i-1], byOffset[i]
		if end := before.offset + before.room(); v.offset < end {
			if v.placed == nil {
				v, before = before, v
			}
			wrong(v, fmt.Sprintf(", and the value overlaps the value of %s at %d", quoted(before.name), before.offset), "must not overlap another value")
		}
	}
	return fits
}

// fault returns the reason why V1 cannot hold a counter, or "".
func (w *objectWriter) fault(c *Counter) string {
	width, number := c.Type.Width()
	title := w.titles[c]
	first := w.seen[title]
	w.seen[title] = c
	switch {
	case !number || width == 0 || c.Type.IsText():
		return fmt.Sprintf("%s is a %v, whose value is not a number", called(c.Name), c.Type)
	case title == 0:
		return fmt.Sprintf("the title of %s is 0, which means no title", called(c.Name))
	case first != nil:
		return fmt.Sprintf("the title of %s is %d, which is also the title of %s", called(c.Name), title, called(first.Name))
	case c.Type.NeedsBase():
		if base := w.index.counter(c.Base); base != nil && !c.Type.TakesBase(base.Type) {
			return fmt.Sprintf("the base of %s is a %v, which is not a valid base of a %v", called(c.Name), base.Type, c.Type)
		} else if _, known := c.Type.Base(); base == nil && (!known || c.otherBase() == "") {
			return called(c.Name) + " has no base"
		}
	}
	return ""
}

// otherBase returns the reference that replaces Base in V1 if c has no Base: Multi for a multi timer, and PerfTime for
// other types. The reference can be empty.
func (c *Counter) otherBase() string {
	if c.Type.Multi() {
		return c.Multi
	}
	return c.PerfTime
}

// base returns the base that follows c in V1. e is the element of c.
func (w *objectWriter) base(e element, c *Counter) value {
	i := w.index.find(c.Base)
	if i < 0 {
		typ, _ := c.Type.Base()
		return value{
			element: e, of: c, name: c.label() + " Base", typ: typ, level: c.baseLevel(),
			note: fmt.Sprintf("The base of %s, for V1 only. Set it to the value of %s.", quoted(c.label()), quoted(c.otherBase())),
		}
	}
	b := &w.set.Counters[i]
	v := value{
		element: w.set.counter(w.path, i), counter: b, of: c, name: b.label(), typ: b.Type, level: b.baseLevel(),
		note: fmt.Sprintf("The base of %s.", quoted(c.label())),
	}
	if w.used[b] {
		v.name = c.label() + " " + b.label()
		v.note += fmt.Sprintf(" In V1, each counter has its own base. Set this base and %s to the same value.", quoted(b.label()))
	}
	w.used[b] = true
	return v
}

// names has the identifiers that are in use.
type names map[string]int

// unique returns an identifier that is not in use, and adds it to n. The identifier is name, or name followed by a
// number.
func (n names) unique(name string) string {
	free := name
	for n[free] > 0 {
		n[name]++
		free = fmt.Sprint(name, n[name])
	}
	n[free] = 1
	return free
}

// uniqueExcept returns an identifier that is not in use and is not one of the macros.
func (n names) uniqueExcept(macros map[string]bool, name string) string {
	free := n.unique(name)
	for macros[free] {
		free = n.unique(name)
	}
	return free
}

// V1 returns an object for each counter set that the V1 format can hold. Objects have the names of the definition.
// Title indexes are title numbers plus firstCounter, the First Counter of the service. The object of a set with
// instances is a template: the caller adds the instances. In the object of a set without instances, all values are 0.
// The losses name the sets and values that the format cannot hold.
func (p *Provider) V1(firstCounter uint32) ([]builder.Object, []Loss) {
	objects, losses := p.objects("V1 object")
	var list []builder.Object
	for _, o := range objects {
		if len(o.values) == 0 {
			continue
		}
		placed := slices.ContainsFunc(o.values, func(v value) bool { return v.placed != nil })
		made := builder.Object{Name: o.set.Name.String(), ObjectNameTitleIndex: firstCounter + o.title}
		for _, v := range o.values {
			c := builder.Counter{CounterType: v.typ, DefaultScale: v.scale, DetailLevel: v.level}
			if v.title != 0 {
				c.Name, c.CounterNameTitleIndex = v.counter.Name.String(), firstCounter+v.title
			}
			if placed { // else the builder chooses offsets
				c.CounterOffset = v.offset
			}
			made.Define(c)
		}
		if !o.set.hasInstances() {
			made.Single(make([]uint64, len(o.values))...)
		}
		list = append(list, made)
	}
	return list, losses
}
