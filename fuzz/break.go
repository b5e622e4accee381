package fuzz

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// Broken is a block in which a rule was broken on purpose.
type Broken struct {
	Rule    string // its name
	Kind    layout.Kind
	Block   []byte
	Context validate.Context // what the rule needs beside the bytes
}

// Break returns a block, made up from the source, that breaks a rule, given by ID
// or name, in a place and a way that the source chooses. What follows from the fault
// may break others too. The error wraps [layout.ErrRange] if there is no such rule.
func Break(rule string, s *Source, c Config) (Broken, error) {
	r, err := validate.FindRule(rule)
	if err != nil {
		return Broken{}, err
	}
	i := slices.IndexFunc(breakers, func(b breaker) bool { return b.rule == r.Name })
	if i < 0 {
		return Broken{}, layout.Faultf(layout.ErrRange, "no way is known to break the rule %s", r.Name)
	}
	v := &victim{generator: *newGenerator(s, c)}
	breakers[i].damage(v)
	return Broken{r.Name, v.kind, v.block, v.ctx}, nil
}

// A breaker breaks one rule. It is written from what the rule says, and shares
// neither the table's roles nor the rule's own check.
type breaker struct {
	rule   string
	damage func(*victim)
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
	kind  layout.Kind
	block []byte
	ctx   validate.Context
	at    int // the object or answer that the breaker asked for
}

// with makes a data block of some objects and, last of them, o.
func (v *victim) with(o builder.Object) *victim {
	d := v.header()
	v.makeObjects()
	v.at = len(v.objects)
	d.Objects = append(v.objects, o)
	return v.encode(layout.DataBlockKind, d.MarshalBinary)
}

// objectsWith makes objects as a provider writes them, o the last of them.
func (v *victim) objectsWith(o builder.Object) *victim {
	v.makeObjects()
	v.at = len(v.objects)
	return v.encode(layout.ObjectsKind, builder.Objects(append(v.objects, o)).MarshalBinary)
}

// either makes a block of either kind of some objects and, last of them, o.
func (v *victim) either(o builder.Object) *victim {
	if v.chance(128) {
		return v.objectsWith(o)
	}
	return v.with(o)
}

func (v *victim) encode(kind layout.Kind, marshal func() ([]byte, error)) *victim {
	b, err := marshal()
	if err != nil {
		panic(fmt.Sprintf("a breaker made an object that the builder refuses: %v", err))
	}
	v.kind, v.block = kind, b
	return v
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
	p, err := layout.ParsePath(path)
	if err == nil {
		var part layout.Part
		if part, err = layout.NewIndex(v.kind, v.block).Find(p); err == nil {
			return part
		}
	}
	panic(fmt.Sprintf("a breaker wants a place that the block has not: %v", err))
}

// get returns the number in a field.
func (v *victim) get(path string) int64 {
	n, ok := v.part(path).Int()
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
