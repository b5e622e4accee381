package validate

import (
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// A check is what a rule does: it looks at the subjects of one type, and reports what is
// wrong with them. The methods guard, check and atEnd of a subjects make one of a function.
type check interface {
	kinds() []layout.Kind // in which there are such subjects
	add(*stages, *activeRule)
}

// A subjects is a type of subject: a record, or a part of one, that checks look at. Each is
// declared once, beside the type.
type subjects[S any] struct {
	index int // in the stages
	in    []layout.Kind
}

// v1Kinds are the kinds of block that have objects.
var v1Kinds = []layout.Kind{layout.DataBlockKind, layout.ObjectsKind}

// newStages has a function for each type of subject that makes its stage.
var newStages []func() any

// subjectsIn declares a type of subject, and the kinds of block in which they are.
func subjectsIn[S any](kinds ...layout.Kind) *subjects[S] {
	newStages = append(newStages, func() any { return new(stage[S]) })
	return &subjects[S]{len(newStages) - 1, kinds}
}

// A stage is the active rules of one type of subject, by when they run, and within that in
// the order of their IDs.
type stage[S any] struct {
	guards []ruleCheck[func(*pass, S) bool]
	checks []ruleCheck[func(*pass, S)]
	ends   []ruleCheck[func(*pass, S)]
}

// A ruleCheck is a function that an active rule runs. The activeRule has its severity.
type ruleCheck[F any] struct {
	run  F
	rule *activeRule
}

// stages has the rules by when they run. Rules that are off are left out, but for their
// guards.
type stages struct {
	list    []any // a *stage for each type of subject
	aligned bool  // lengths of V1 must be multiples of 8
}

// add makes a rule active.
func (s *stages) add(r *activeRule) {
	if s.list == nil {
		for _, make := range newStages {
			s.list = append(s.list, make())
		}
	}
	s.aligned = s.aligned || r.severity != Off && r.rule.Name == "blk-length-align"
	r.rule.check.add(s, r)
}

// of returns the stage of the subjects.
func (t *subjects[S]) of(s *stages) *stage[S] { return s.list[t.index].(*stage[S]) }

// guard returns a check that runs before all others, also where the rule is off. It returns
// false where what is left of the subject cannot be read: no other check runs on it then.
func (t *subjects[S]) guard(f func(*pass, S) bool) check { return guard[S]{t, f} }

// check returns a check that runs before the content of the subject is validated.
func (t *subjects[S]) check(f func(*pass, S)) check { return plainCheck[S]{t, f} }

// atEnd returns a check that runs once the content of the subject is validated.
func (t *subjects[S]) atEnd(f func(*pass, S)) check { return endCheck[S]{t, f} }

func (t *subjects[S]) kinds() []layout.Kind { return slices.Clone(t.in) }

type (
	guard[S any] struct {
		*subjects[S]
		f func(*pass, S) bool
	}
	plainCheck[S any] struct {
		*subjects[S]
		f func(*pass, S)
	}
	endCheck[S any] struct {
		*subjects[S]
		f func(*pass, S)
	}
)

func (c guard[S]) add(s *stages, r *activeRule) {
	at := c.of(s)
	at.guards = append(at.guards, ruleCheck[func(*pass, S) bool]{c.f, r})
}

func (c plainCheck[S]) add(s *stages, r *activeRule) {
	if at := c.of(s); r.severity != Off {
		at.checks = append(at.checks, ruleCheck[func(*pass, S)]{c.f, r})
	}
}

func (c endCheck[S]) add(s *stages, r *activeRule) {
	if at := c.of(s); r.severity != Off {
		at.ends = append(at.ends, ruleCheck[func(*pass, S)]{c.f, r})
	}
}

// several is a check of more than one type of subject.
type several []check

func (list several) add(s *stages, r *activeRule) {
	for _, c := range list {
		c.add(s, r)
	}
}

// kinds returns those in which all of the subjects are.
func (list several) kinds() []layout.Kind {
	kinds := list[0].kinds()
	for _, c := range list[1:] {
		in := c.kinds()
		kinds = slices.DeleteFunc(kinds, func(k layout.Kind) bool { return !slices.Contains(in, k) })
	}
	return kinds
}

// limited is a check that reports nothing in some of the kinds that have its subjects.
type limited struct {
	check
	in []layout.Kind
}

// about limits a check, which must see to it itself, to some kinds.
func about(c check, kinds ...layout.Kind) check { return limited{c, kinds} }

func (c limited) kinds() []layout.Kind { return slices.Clone(c.in) }

// holds runs the guards of a subject and, if they hold, its checks. It reports whether the
// guards hold.
func (t *subjects[S]) holds(p *pass, s S) bool {
	if !t.guarded(p, s) {
		return false
	}
	t.checked(p, s)
	return true
}

// guarded runs the guards up to the first that does not hold, and reports whether all do.
func (t *subjects[S]) guarded(p *pass, s S) bool {
	for _, c := range t.of(p.rules).guards {
		if p.rule = c.rule; !c.run(p, s) {
			return false
		}
	}
	return true
}

// checked runs the checks.
func (t *subjects[S]) checked(p *pass, s S) {
	for _, c := range t.of(p.rules).checks {
		p.rule = c.rule
		c.run(p, s)
	}
}

// end runs the checks at the end.
func (t *subjects[S]) end(p *pass, s S) {
	for _, c := range t.of(p.rules).ends {
		p.rule = c.rule
		c.run(p, s)
	}
}
