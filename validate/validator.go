// Package validate checks blocks of Windows performance counters against the rules of
// the documentation.
//
// A [Rule] describes one requirement: its severity, its reason, its fix and its sources.
// A [Finding] is a place in a block that breaks a rule. It has the rule, the path, the
// offset, what the block contains there and what is required.
//
//	result := validate.Bytes(layout.DataBlockKind, block, validate.Context{})
//	for _, finding := range result.Findings {
//		fmt.Println(finding)
//	}
//
// The findings are sorted by offset. The same bytes always give the same findings.
// A wrong length, count or offset is one finding. Its consequences are not reported: the
// validator skips the rest of the object and continues at the next offset that is known
// to be right.
//
// The input can be any bytes. The validator does not panic, and its time and memory are
// linear in the size of the input.
//
// This package and package builder share only package layout, so that each can be
// tested with the other.
package validate

import (
	"iter"
	"sync"

	"github.com/perfblock/perfblock/layout"
)

// These commands update all files that depend on rules, including the files of other packages. The
// examples come first, because the page of a rule embeds them.
//go:generate go test ../internal/rulepage -run Examples -update
//go:generate go test ../internal/identity -run Fixtures -update
//go:generate go test ../internal/rulepage ./config -update
//go:generate go test -short . -update
//go:generate go test ../fuzz -run TestCoverage|TestNoSilentDamage|TestWrongLengths|TestBaseBreakWorkloads -update

// Bytes checks b as a block of the given kind under the profile [Strict]. It does not
// retain b.
func Bytes(kind layout.Kind, b []byte, ctx Context) Result {
	var v Validator
	return v.Bytes(kind, b, ctx)
}

// A Validator checks blocks, one at a time. The zero value uses the zero [Options]. A Validator
// reuses its memory: if it has already checked a block of the same kind with at least as many
// records, it usually allocates nothing for a block without findings. A Validator is not safe for
// concurrent use.
type Validator struct {
	pass   pass
	stages stages
	others map[*Rule]activeRule // the rules of [Register]
	max    int                  // MaxFindings; 0 only in the zero value
}

// New returns a validator with the given options. The error wraps [layout.ErrRange] if the
// profile, a severity or the rule of an override does not exist.
func New(o Options) (*Validator, error) {
	active, err := o.active()
	if err != nil {
		return nil, err
	}
	v := &Validator{max: o.MaxFindings, others: make(map[*Rule]activeRule)}
	if v.max == 0 {
		v.max = DefaultMaxFindings
	}
	for i := range active {
		if a := &active[i]; a.rule.check.add != nil {
			v.stages.add(a)
		} else {
			v.others[a.rule] = *a
		}
	}
	v.pass.noScan, v.pass.collectNames = o.noScan, o.collectNames
	return v, nil
}

// Bytes checks b as a block of the given kind. It does not retain b, and the caller owns
// the result. If the kind is unknown or a buffer of the context cannot be read, Bytes does
// not check b and sets Unchecked in the result.
func (v *Validator) Bytes(kind layout.Kind, b []byte, ctx Context) Result {
	v.setDefaults()
	p := &v.pass
	p.reset(b, kind, ctx, &v.stages, v.max)
	if err := p.checkInput(); err != nil {
		p.release()
		return Result{Counts: Counts{Error: 1}, Unchecked: err}
	}
	result := p.found
	result.Findings = p.listed.take()
	order(result.Findings)
	p.release()
	return result
}

// Collect returns the result for findings of rules that another package has added with [Register].
// Each finding must have its rule, its place, Got and Want. Collect sets the severity and the
// reason of each finding, and leaves out findings of rules that are off. It sorts the given slice.
func (v *Validator) Collect(findings []Finding) Result {
	order(findings)
	return v.CollectSeq(func(yield func(*Rule, func() Finding) bool) {
		for _, f := range findings {
			if !yield(f.Rule, func() Finding { return f }) {
				return
			}
		}
	})
}

// CollectSeq is like [Validator.Collect], for a caller that cannot hold all findings in memory. It
// counts all findings, and calls the function of a finding only if the result lists the finding.
// The result lists the findings that come first in the sequence. If the sequence is sorted by
// place, these are the same findings as with Collect.
func (v *Validator) CollectSeq(findings iter.Seq2[*Rule, func() Finding]) Result {
	v.setDefaults()
	var result Result
	for r, describe := range findings {
		rule := v.others[r]
		if !result.count(rule.severity, v.max) { // the severity of a rule that is not registered is 0
			continue
		}
		f := describe()
		f.Severity, f.Reason = rule.severity, rule.reason
		result.Findings = append(result.Findings, f)
	}
	order(result.Findings)
	return result
}

// setDefaults sets the rules of the zero Options in a zero Validator.
func (v *Validator) setDefaults() {
	if v.max == 0 {
		all := defaults()
		v.stages, v.others, v.max = all.stages, all.others, all.max
	}
}

// defaults returns the validator with the zero Options.
var defaults = sync.OnceValue(func() *Validator {
	v, err := New(Options{})
	if err != nil {
		panic(err) // the zero Options are valid
	}
	return v
})

// Options choose the findings to report and their severities. The zero value is the default.
type Options struct {
	Profile   Profile
	Overrides []Override // the last override of a rule applies

	// MaxFindings is the largest number of findings of each severity to list. All
	// findings are counted. 0 means [DefaultMaxFindings], a negative number means no limit.
	MaxFindings int

	noScan       bool // disables the scan, for tests that compare its findings with those of the rules
	collectNames bool // collects the names of each object, even of an object with few instances; for tests
}

// DefaultMaxFindings is the default of [Options.MaxFindings].
const DefaultMaxFindings = 1000

// An Override changes the severity of a rule.
type Override struct {
	Rule     string // ID or name, or a pattern for [MatchRules]
	Severity Severity
	Reason   string // copied to the findings
}

// An activeRule is a rule with its severity. The severity can be Off.
type activeRule struct {
	rule     *Rule
	severity Severity
	reason   string
}

// active returns all rules with their severities, sorted by ID.
func (o Options) active() ([]activeRule, error) {
	if int(o.Profile) >= len(profiles) {
		return nil, layout.Faultf(layout.ErrRange, "no profile %d", o.Profile)
	}
	list := make([]activeRule, len(rules))
	index := make(map[*Rule]int, len(rules))
	for i, r := range rules {
		list[i] = activeRule{rule: r, severity: r.In(o.Profile)}
		index[r] = i
	}
	for _, over := range o.Overrides {
		if over.Severity > Error {
			return nil, layout.Faultf(layout.ErrRange, "rule %s: no severity %d", over.Rule, over.Severity)
		}
		matched, err := MatchRules(over.Rule)
		if err != nil {
			return nil, err
		}
		for _, r := range matched {
			active := &list[index[r]]
			active.severity, active.reason = over.Severity, over.Reason
			if over.Severity == AsRule {
				active.severity = r.In(o.Profile)
			}
		}
	}
	return list, nil
}
