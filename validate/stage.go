package validate

import "github.com/perfblock/perfblock/layout"

// A check is the code of a rule. The methods guard, check and atEnd of subjectType return a check of
// one type of subject.
type check struct {
	kinds []layout.Kind              // the kinds of block that the check applies to
	add   func(*stages, *activeRule) // adds the code to the stage of its type of subject; nil if there is no code
}

// A subjectType describes one type of subject. For example, the variable onCounter describes the Go
// type counter.
type subjectType[S any] struct {
	index int           // position in stages.list of the stage for this type
	in    []layout.Kind // the kinds of block that contain subjects of this type
}

// v1Kinds are the kinds of block that have objects.
var v1Kinds = []layout.Kind{layout.DataBlockKind, layout.ObjectsKind}

// newStages has, for each type of subject, a function that returns an empty stage.
var newStages []func() any

// subjectsIn returns a new type of subject. kinds are the kinds of block that contain such subjects.
func subjectsIn[S any](kinds ...layout.Kind) *subjectType[S] {
	newStages = append(newStages, func() any { return new(stage[S]) })
	return &subjectType[S]{len(newStages) - 1, kinds}
}

// A stage has the functions of the active rules for one type of subject, in the order of the rule
// IDs.
type stage[S any] struct {
	guards []ruleCheck[func(*pass, S) bool] // run first
	checks []ruleCheck[func(*pass, S)]      // run after the guards, before the content of the subject is validated
	ends   []ruleCheck[func(*pass, S)]      // run after the content of the subject is validated
}

// A ruleCheck is the function of a check with its active rule.
type ruleCheck[F any] struct {
	run  F
	rule *activeRule
}

// stages has one stage for each type of subject.
type stages struct {
	list    []any // a *stage for each type of subject
	aligned bool  // a rule that requires lengths of V1 to be multiples of 8 is active
}

// unit returns 8 if lengths of V1 must be multiples of 8, and otherwise 1.
func (s *stages) unit() int64 {
	if s.aligned {
		return layout.Align
	}
	return 1
}

func (s *stages) add(r *activeRule) {
	if s.list == nil {
		for _, make := range newStages {
			s.list = append(s.list, make())
		}
	}
	s.aligned = s.aligned || r.severity != Off && r.rule.aligns
	r.rule.check.add(s, r)
}

func (t *subjectType[S]) stageIn(s *stages) *stage[S] { return s.list[t.index].(*stage[S]) }

// guard returns a check that runs before the checks that the methods check and atEnd return. A guard
// runs even if its own rule is Off, because the other checks depend on it. If f returns false, the
// remaining checks of the subject do not run.
func (t *subjectType[S]) guard(f func(*pass, S) bool) check {
	return check{t.in, func(s *stages, r *activeRule) {
		at := t.stageIn(s)
		at.guards = append(at.guards, ruleCheck[func(*pass, S) bool]{f, r})
	}}
}

// check returns a check that runs before the content of the subject is validated.
func (t *subjectType[S]) check(f func(*pass, S)) check {
	return check{t.in, func(s *stages, r *activeRule) {
		if r.severity != Off {
			at := t.stageIn(s)
			at.checks = append(at.checks, ruleCheck[func(*pass, S)]{f, r})
		}
	}}
}

// atEnd returns a check that runs after the content of the subject is validated.
func (t *subjectType[S]) atEnd(f func(*pass, S)) check {
	return check{t.in, func(s *stages, r *activeRule) {
		if r.severity != Off {
			at := t.stageIn(s)
			at.ends = append(at.ends, ruleCheck[func(*pass, S)]{f, r})
		}
	}}
}

// checkList returns the checks of a rule with more than one check. The kinds of the rule are the
// kinds of the first check.
func checkList(list ...check) check {
	return check{list[0].kinds, func(s *stages, r *activeRule) {
		for _, c := range list {
			c.add(s, r)
		}
	}}
}

// forKinds returns a copy of t for a rule about the given kinds of block. The checks still run for
// all kinds of t, so their functions must ignore the other kinds.
func (t *subjectType[S]) forKinds(kinds ...layout.Kind) *subjectType[S] {
	return &subjectType[S]{t.index, kinds}
}

// run runs the guards of a subject and, if all return true, its checks. It reports whether
// all guards returned true.
func (t *subjectType[S]) run(p *pass, s S) bool {
	if !t.runGuards(p, s) {
		return false
	}
	t.runChecks(p, s)
	return true
}

// runGuards runs the guards up to the first guard that returns false. It reports whether all guards
// returned true.
func (t *subjectType[S]) runGuards(p *pass, s S) bool {
	for _, c := range t.stageIn(p.rules).guards {
		if p.rule = c.rule; !c.run(p, s) {
			return false
		}
	}
	return true
}

// runChecks runs the checks of a subject. The caller then validates the content of the subject.
func (t *subjectType[S]) runChecks(p *pass, s S) {
	for _, c := range t.stageIn(p.rules).checks {
		p.rule = c.rule
		c.run(p, s)
	}
}

// runEnds runs the remaining checks of a subject. The caller has validated the content of the subject.
func (t *subjectType[S]) runEnds(p *pass, s S) {
	for _, c := range t.stageIn(p.rules).ends {
		p.rule = c.rule
		c.run(p, s)
	}
}
