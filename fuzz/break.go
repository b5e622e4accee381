package fuzz

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// Broken is a block in which a rule was broken on purpose. Below errors there may be findings
// in Before, of Rule too, of another place than the fault.
type Broken struct {
	Rule    string   // its name
	Also    []string // the rules that the same fault breaks, always and beside Rule no others
	Kind    layout.Kind
	Block   []byte
	Before  []byte           // the block without the fault, which has no error
	Context validate.Context // what the rule needs beside the bytes, of Before too
}

// Break returns a block, made up from the source, that breaks a rule, given by ID
// or name, in a place and a way that the source chooses. What is found in it and not in
// Before is of that rule and of those in Also. The error wraps [layout.ErrRange] if there
// is no such rule.
func Break(rule string, s *Source, c Config) (Broken, error) {
	r, err := validate.FindRule(rule)
	if err != nil {
		return Broken{}, err
	}
	ways := slices.Collect(waysToBreak(r.Name))
	if len(ways) == 0 {
		return Broken{}, layout.Faultf(layout.ErrRange, "no way is known to break the rule %s", r.Name)
	}
	v, i := choose(s, c, len(ways))
	way := ways[i]
	way.damage(v)
	return Broken{r.Name, slices.Clone(way.also), v.kind, v.block, v.before, v.ctx}, nil
}

// choose returns what is to be damaged, and in which of so many ways.
func choose(s *Source, c Config, ways int) (v *victim, way int) {
	v = &victim{generator: *newGenerator(s, c.atMost(100))}
	return v, s.upTo(ways)
}

// A breaker is a way to break a rule. It is written from what the rule says, and shares
// neither the table's roles nor the rule's own check. A rule has at least one for each set of
// other rules that fall with it.
type breaker struct {
	rule   string
	also   also
	damage func(*victim)
}

// also are the rules that what a breaker does breaks beside its own.
type also []string

// waysToBreak returns the breakers of a rule.
func waysToBreak(rule string) iter.Seq[breaker] {
	return func(yield func(breaker) bool) {
		for _, b := range breakers {
			if b.rule == rule && !yield(b) {
				return
			}
		}
	}
}

var breakers = slices.Concat(anyKindBreakers,
	dataBreakers, objectBreakers, counterBreakers, instanceBreakers,
	queryBreakers, answerBreakers, idBreakers, tableBreakers, namedBreakers, rawBreakers, joinedBreakers,
	identifierBreakers, listBreakers,
	regBreakers, templateBreakers, instanceBlockBreakers,
)

// A victim is a block being damaged. A breaker makes a valid one with the object it
// needs, and changes it.
type victim struct {
	generator
	kind   layout.Kind
	block  []byte
	before []byte        // the block as it was made
	made   builder.Model // what it was made of
	ctx    validate.Context
	at     int // the object or answer that the breaker asked for
	stands standing

	noMetadata bool // none of the objects around is of metadata alone
}

// model makes a block of a model of any kind, in which nothing is wrong yet.
func (v *victim) model(m builder.Model) *victim {
	v.remodel(m)
	v.before = slices.Clone(v.block)
	return v
}

// remodel makes the block again, of a model with the fault in it.
func (v *victim) remodel(m builder.Model) *victim {
	v.kind, v.made, v.block = m.Kind(), m, bytesOf(m)
	return v
}

// with makes a data block of some objects, o one of them.
func (v *victim) with(o builder.Object) *victim { return v.under(v.header(), o) }

// under makes a data block with that header of some objects, o one of them.
func (v *victim) under(d builder.DataBlock, o builder.Object) *victim {
	v.among(o)
	d.Objects = v.objects
	return v.model(&d)
}

// objectsWith makes objects as a provider writes them, o one of them.
func (v *victim) objectsWith(o builder.Object) *victim {
	v.among(o)
	return v.model(new(builder.Objects(v.objects)))
}

// either makes a block of either kind of some objects, o one of them.
func (v *victim) either(o builder.Object) *victim {
	if v.chance(128) {
		return v.objectsWith(o)
	}
	return v.with(o)
}

// A standing is where among others the object that a breaker asks for is to stand.
type standing int

const (
	anywhere standing = iota
	last              // nothing is behind it
	followed          // something is
)

// last makes a block of either kind, o the last of its objects.
func (v *victim) last(o builder.Object) *victim {
	v.stands = last
	return v.either(o)
}

// followed makes a block of either kind in which another object is behind o.
func (v *victim) followed(o builder.Object) *victim {
	v.stands = followed
	return v.either(o)
}

// among makes objects, puts o among them, under a title that means no other to any of
// them, and remembers where.
func (v *victim) among(o builder.Object) {
	v.makeObjects()
	if v.noMetadata {
		withoutMetadata(v.objects)
	}
	title := v.unknown(o.ObjectNameTitleIndex)
	for i := range o.Instances {
		if in := &o.Instances[i]; in.ParentObjectTitleIndex == o.ObjectNameTitleIndex {
			in.ParentObjectTitleIndex = title
		}
	}
	o.ObjectNameTitleIndex = title
	if v.stands == followed && len(v.objects) == 0 {
		v.objects = append(v.objects, v.some())
	}
	switch n := len(v.objects); v.stands {
	case anywhere:
		v.at = v.upTo(n + 1)
	case last:
		v.at = n
	case followed:
		v.at = v.upTo(n)
	}
	v.objects = slices.Insert(v.objects, v.at, o)
}

// settle takes the block as it is for the one without the fault.
func (v *victim) settle() { v.before = slices.Clone(v.block) }

// change makes the block again with what f does to the object that the breaker asked for.
func (v *victim) change(f func(*builder.Object)) {
	f(&v.objects[v.at])
	v.remodel(v.made)
}

// in returns a path in the object that the breaker asked for.
func (v *victim) in(path string) string {
	if path == "" {
		return fmt.Sprintf("object[%d]", v.at)
	}
	return fmt.Sprintf("object[%d].%s", v.at, path)
}

// part returns what stands at a path of the block as it is now.
func (v *victim) part(path string) layout.Part {
	return partOf(layout.NewIndex(v.kind, v.block), path)
}

// partOf returns what stands at a path of an indexed block.
func partOf(x *layout.Index, path string) layout.Part {
	p, err := layout.ParsePath(path)
	if err == nil {
		var part layout.Part
		if part, err = x.Find(p); err == nil {
			return part
		}
	}
	panic(fmt.Sprintf("a breaker wants a place that the block has not: %v", err))
}

// get returns the number in a field.
func (v *victim) get(path string) int64 { return numberOf(v.part(path), path) }

// numberOf returns the number in a part, which is at that path.
func numberOf(p layout.Part, path string) int64 {
	n, ok := p.Int()
	if !ok {
		panic(path + " is no number")
	}
	return n
}

// set writes a number into a field of 2, 4 or 8 bytes, as much of it as fits.
func (v *victim) set(path string, n int64) {
	b := v.part(path).Bytes()
	switch len(b) {
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(n))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(n))
	case 8:
		binary.LittleEndian.PutUint64(b, uint64(n))
	default:
		panic(path + " is no number")
	}
}

// add adds to the number in a field.
func (v *victim) add(path string, n int64) { v.set(path, v.get(path)+n) }

// insert puts bytes at an offset and lets the lengths of the object and of the block
// count them. No other length or offset is changed.
func (v *victim) insert(off int64, b ...byte) {
	v.add(v.in("TotalByteLength"), int64(len(b)))
	if v.kind == layout.DataBlockKind {
		v.add("TotalByteLength", int64(len(b)))
	}
	v.block = slices.Insert(v.block, int(off), b...)
}

// named returns an object with counters of those types and named instances, one at
// least. A base is to follow its counter in the list.
func (v *victim) named(types ...layout.CounterType) builder.Object {
	o := v.bare(types...)
	for i := range 1 + v.upTo(v.MaxInstances) {
		o.Instance(fmt.Sprintf("n%d", i), make([]uint64, len(types))...)
	}
	return o
}

// single returns an object without instances, with counters of those types.
func (v *victim) single(types ...layout.CounterType) builder.Object {
	o := v.bare(types...)
	o.Single(make([]uint64, len(types))...)
	return o
}

// bare returns an object with counters of those types and nothing else.
func (v *victim) bare(types ...layout.CounterType) builder.Object {
	o := builder.Object{ObjectNameTitleIndex: 2*uint32(v.upTo(2000)) + 10_000}
	for i, t := range types {
		c := builder.Counter{CounterType: t}
		if !t.IsBase() {
			c.CounterNameTitleIndex = o.ObjectNameTitleIndex + 2 + 2*uint32(i)
		}
		o.Define(c)
	}
	return o
}
