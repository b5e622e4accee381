package validate

import (
	"sync"

	"github.com/perfblock/perfblock/layout"
)

// Bytes validates b as a block of that kind under the profile [Strict]. It keeps
// nothing of b.
func Bytes(kind layout.Kind, b []byte, ctx Context) Result {
	var v Validator
	return v.Bytes(kind, b, ctx)
}

// strictly has the rules as the zero Options have them.
var strictly = sync.OnceValue(func() stages {
	v, err := New(Options{})
	if err != nil {
		panic(err) // there is nothing to be wrong in no options
	}
	return v.stages
})

// A Validator validates one block after the other. The zero value works as one made
// from the zero [Options]. It reuses its memory: validating a block without findings
// does not allocate once the largest block has been seen. It is not safe for concurrent
// use.
type Validator struct {
	pass   pass
	stages stages
	max    int // 0 in the zero value alone
}

// New returns a validator. The error wraps [layout.ErrRange]: an override names no
// rule, or a severity or profile is none.
func New(o Options) (*Validator, error) {
	active, err := o.active()
	if err != nil {
		return nil, err
	}
	v := &Validator{max: o.MaxFindings}
	if v.max == 0 {
		v.max = DefaultMaxFindings
	}
	for i := range active {
		v.stages.add(&active[i])
	}
	v.pass.everyRule = o.everyRule
	return v, nil
}

// Bytes validates b as a block of that kind. It keeps nothing of b, and the result is
// the caller's. Of a kind that there is not, and where a buffer of the context cannot be
// read, the result says in Unchecked that b was not looked at.
func (v *Validator) Bytes(kind layout.Kind, b []byte, ctx Context) Result {
	if v.max == 0 {
		v.stages, v.max = strictly(), DefaultMaxFindings
	}
	p := &v.pass
	p.reset(b, kind, ctx, &v.stages, v.max)
	switch kind {
	case layout.DataBlockKind:
		p.checkDataBlock()
	case layout.ObjectsKind:
		p.checkObjectsOnly()
	default:
		if err := p.known.know(ctx); err != nil {
			p.release()
			return unjudged(err)
		}
		if !p.checkPerflib(kind) {
			p.release()
			return unjudged(layout.Faultf(layout.ErrRange, "no rules for the kind %v", kind))
		}
	}
	result := p.found
	result.Findings = p.listed.take()
	order(result.Findings)
	p.release()
	return result
}

// unjudged is the result of a block that was not looked at.
func unjudged(why error) Result { return Result{Counts: Counts{Error: 1}, Unchecked: why} }
