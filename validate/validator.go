package validate

import (
	"sync"

	"github.com/perfblock/perfblock/layout"
)

// Bytes judges b as a block of that kind under the profile [Strict]. It keeps
// nothing of b.
func Bytes(kind layout.Kind, b []byte, ctx Context) Result {
	v := Validator{staged: strictly(), max: DefaultMaxFindings}
	return v.Bytes(kind, b, ctx)
}

// strictly has the rules as the zero Options have them.
var strictly = sync.OnceValue(func() staged {
	v, err := New(Options{})
	if err != nil {
		panic(err) // there is nothing to be wrong in no options
	}
	return v.staged
})

// A Validator judges one block after the other. It keeps its memory, so that
// judging a block without findings allocates nothing once the largest has been
// seen. It is not safe for concurrent use.
type Validator struct {
	pass   pass
	staged staged
	max    int
}

// New returns a validator. The error wraps [layout.ErrRange]: an override names no
// rule, or a severity or profile is none.
func New(o Options) (*Validator, error) {
	grades, err := o.grades()
	if err != nil {
		return nil, err
	}
	v := &Validator{max: o.MaxFindings}
	if v.max == 0 {
		v.max = DefaultMaxFindings
	}
	for i := range grades {
		v.staged.add(&grades[i])
	}
	v.pass.everyRule = o.everyRule
	return v, nil
}

// Bytes judges b as a block of that kind. It keeps nothing of b, and the result is
// the caller's. The kind is one of [layout.V1Kinds]; for any other there are no rules,
// and the result says in Unjudged that b was not looked at.
func (v *Validator) Bytes(kind layout.Kind, b []byte, ctx Context) Result {
	if !kind.V1() {
		return unjudged(kind)
	}
	p := &v.pass
	p.reset(b, kind, ctx, &v.staged, v.max)
	if kind == layout.ObjectsKind {
		p.objectsOnly()
	} else {
		p.dataBlock()
	}
	result := p.result
	result.Findings = p.listed.take()
	order(result.Findings)
	p.release()
	return result
}

// unjudged is the result for a kind without rules.
func unjudged(kind layout.Kind) Result {
	return Result{
		Counts:   Counts{Error: 1},
		Unjudged: layout.Faultf(layout.ErrRange, "no rules for the kind %v: they are for %v and %v", kind, layout.DataBlockKind, layout.ObjectsKind),
	}
}

// staged has the rules by when they run. Rules that are off are left out, but for
// those that guard the bounds.
type staged struct {
	aligned        bool // lengths are to be multiples of 8
	dataBounds     []bound[dataBounds]
	data           []bound[dataCheck]
	dataEnd        []bound[dataEnd]
	objectBounds   []bound[objectBounds]
	object         []bound[objectCheck]
	counterBounds  []bound[counterBounds]
	counter        []bound[counterCheck]
	defined        []bound[definedCheck]
	bodyBounds     []bound[bodyBounds]
	instanceBounds []bound[instanceBounds]
	nameBounds     []bound[nameBounds]
	instance       []bound[instanceCheck]
	twin           []bound[twinCheck]
	blockBounds    []bound[blockBounds]
	block          []bound[blockCheck]
	value          []bound[valueCheck]
	objectEnd      []bound[objectEnd]
}

// A bound is a check with the grade under which it reports.
type bound[C check] struct {
	check C
	grade *grade
}

func (s *staged) add(g *grade) {
	on := g.severity != Off
	s.aligned = s.aligned || on && g.rule.Name == "blk-length-align"
	switch c := g.rule.check.(type) {
	case dataBounds:
		s.dataBounds = append(s.dataBounds, bound[dataBounds]{c, g})
	case objectBounds:
		s.objectBounds = append(s.objectBounds, bound[objectBounds]{c, g})
	case counterBounds:
		s.counterBounds = append(s.counterBounds, bound[counterBounds]{c, g})
	case bodyBounds:
		s.bodyBounds = append(s.bodyBounds, bound[bodyBounds]{c, g})
	case instanceBounds:
		s.instanceBounds = append(s.instanceBounds, bound[instanceBounds]{c, g})
	case nameBounds:
		s.nameBounds = append(s.nameBounds, bound[nameBounds]{c, g})
	case blockBounds:
		s.blockBounds = append(s.blockBounds, bound[blockBounds]{c, g})
	case dataCheck:
		s.data = stage(s.data, c, g, on)
	case dataEnd:
		s.dataEnd = stage(s.dataEnd, c, g, on)
	case objectCheck:
		s.object = stage(s.object, c, g, on)
	case counterCheck:
		s.counter = stage(s.counter, c, g, on)
	case definedCheck:
		s.defined = stage(s.defined, c, g, on)
	case instanceCheck:
		s.instance = stage(s.instance, c, g, on)
	case twinCheck:
		s.twin = stage(s.twin, c, g, on)
	case blockCheck:
		s.block = stage(s.block, c, g, on)
	case valueCheck:
		s.value = stage(s.value, c, g, on)
	case objectEnd:
		s.objectEnd = stage(s.objectEnd, c, g, on)
	}
}

func stage[C check](list []bound[C], c C, g *grade, on bool) []bound[C] {
	if !on {
		return list
	}
	return append(list, bound[C]{c, g})
}
