package validate

import (
	"sync"

	"github.com/perfblock/perfblock/layout"
)

// Bytes checks b as a block of that kind under the profile [Strict]. It does not retain b.
func Bytes(kind layout.Kind, b []byte, ctx Context) Result {
	var v Validator
	return v.Bytes(kind, b, ctx)
}

// strictly returns the active rules of the zero Options.
var strictly = sync.OnceValue(func() stages {
	v, err := New(Options{})
	if err != nil {
		panic(err) // the zero Options are valid
	}
	return v.stages
})

// A Validator checks blocks, one at a time. The zero value uses the zero [Options]. A
// Validator reuses its memory: after the largest block, a block without findings needs
// no allocation. It is not safe for concurrent use.
type Validator struct {
	pass   pass
	stages stages
	max    int // MaxFindings; 0 only in the zero value
}

// New returns a validator with these options. The error wraps [layout.ErrRange] if the
// profile, a severity or the rule of an override does not exist.
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

// Bytes checks b as a block of that kind. It does not retain b, and the caller owns the
// result. If the kind is unknown or a buffer of the context cannot be read, Bytes does not
// check b and sets Unchecked in the result.
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
			return unchecked(err)
		}
		if !p.checkPerflib(kind) {
			p.release()
			return unchecked(layout.Faultf(layout.ErrRange, "no rules for the kind %v", kind))
		}
	}
	result := p.found
	result.Findings = p.listed.take()
	order(result.Findings)
	p.release()
	return result
}

// unchecked returns the result of a block that was not checked.
func unchecked(why error) Result { return Result{Counts: Counts{Error: 1}, Unchecked: why} }
