package fuzz

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// ErrNoPlace is returned by [Base.Break] if the block does not have the records that a fault of the rule requires. The
// error lists the missing records.
var ErrNoPlace = errors.New("no place for a fault that breaks the rule")

// A Base is a block into which [Base.Break] writes faults.
type Base struct {
	model    builder.Model
	objects  []builder.Object // the objects of the model; nil for kinds of perflib.h
	block    []byte
	findings map[finding]bool // of a validation without a context
}

// NewBase returns a Base with the block of m. The caller must not change m afterwards. NewBase returns an error if m
// is nil or cannot be encoded.
func NewBase(m builder.Model) (*Base, error) {
	if err := checkNotNil(m); err != nil {
		return nil, err
	}
	b, err := m.MarshalBinary()
	if err != nil {
		return nil, err
	}
	from := &Base{model: m, block: b, findings: findingsOf(m.Kind(), b, validate.Context{})}
	switch m := m.(type) {
	case *builder.DataBlock:
		from.objects = m.Objects
	case *builder.Objects:
		from.objects = *m
	}
	return from, nil
}

// Break returns a copy of the Base's block with a fault that breaks a rule. The rule is given by id or name. The bytes
// of the source choose the place and the kind of the fault. The field Before of the result has the unchanged block. The
// two blocks differ only in the fault and in lengths that the fault changes. All findings that the fault adds belong to
// the rules in the fields Rule and Also.
//
// An error wraps [layout.ErrRange] if the rule is unknown or does not check blocks of this kind. An error wraps
// [ErrNoBreaker] if package fuzz cannot break the rule, and [ErrNoPlace] if the block has no place for the fault.
func (from *Base) Break(rule string, s *Source, c Config) (Broken, error) {
	if from == nil || from.model == nil {
		return Broken{}, layout.Faultf(layout.ErrRange, "the Base is nil or zero, must be from NewBase")
	}
	r, b, err := findBreaker(rule)
	if err != nil {
		return Broken{}, err
	}
	if kind := from.model.Kind(); !slices.Contains(r.Kinds(), kind) {
		return Broken{}, layout.Faultf(layout.ErrRange, "the rule %s does not check blocks of kind %v", r.Name, kind)
	}
	return from.breakRule(b, s.orEmpty(), c)
}

// breakRule ends without a result after mostAttempts attempts to make a fault, or after mostFaults unsuitable faults. A
// fault is unsuitable if it does not break the rule, or if it breaks another rule that is not in b.may.
const mostAttempts, mostFaults = 400, 30

// breakRule runs a breaker until a fault breaks the rule of the breaker and no other rule. The fault may also break the
// rules in b.may.
func (from *Base) breakRule(b *breaker, s *Source, c Config) (Broken, error) {
	var list missingList
	for attempts, faults := 0, 0; attempts < mostAttempts && faults < mostFaults && (attempts == 0 || !s.exhausted()); attempts++ {
		f := newFaultyBlock(s, c)
		f.base = from
		if missing := f.attempt(b); missing != (missingRecord{}) {
			list.add(missing)
			continue
		}
		faults++
		before := from.findings
		if !f.withoutContext() {
			before = findingsOf(f.kind, f.before, f.ctx)
		}
		broken := f.newFindings(before)
		others := slices.DeleteFunc(slices.Clone(broken), func(rule string) bool { return rule == b.rule })
		other := slices.IndexFunc(others, func(rule string) bool { return !slices.Contains(b.may, rule) })
		switch {
		case other >= 0:
			list.add(missingRecord{"a place where a fault does not also break the rule", others[other]})
		case len(others) == len(broken):
			list.add(missingRecord{what: "a place where a fault breaks the given rule"})
		default:
			return Broken{b.rule, others, f.kind, f.block, slices.Clone(f.before), f.ctx}, nil
		}
	}
	return Broken{}, fmt.Errorf("%w %s: the block lacks %v", ErrNoPlace, b.rule, list)
}

// A missingRecord describes a record that the Base lacks. For example, `what` is "a result of type" and `detail` is
// "PERF_COUNTERSET".
type missingRecord struct{ what, detail string }

// endAttempt ends the attempt to break a rule in the Base. The arguments describe the record that the Base does not
// have.
func (f *faultyBlock) endAttempt(format string, args ...any) {
	panic(missingRecord{what: fmt.Sprintf(format, args...)})
}

// upTo returns a number from 0 to n-1. Without a Base, n must be at least 1. With a Base, a smaller n means that a
// record has no room for the change, and upTo calls endAttempt.
func (f *faultyBlock) upTo(n int) int {
	if n < 1 && f.base != nil {
		f.endAttempt("a record with room for the change")
	}
	return f.Source.upTo(n)
}

// oneOf chooses one of the numbers i from 0 to n-1 for which fits(i) is true. If fits(i) is false for all numbers,
// oneOf panics with `missing`.
func (f *faultyBlock) oneOf(n int, fits func(i int) bool, missing missingRecord) int {
	var list []int
	for i := range n {
		if fits(i) {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		panic(missing)
	}
	return list[f.upTo(len(list))]
}

// A missingList is a list of missing records without duplicates.
type missingList []missingRecord

func (all *missingList) add(l missingRecord) {
	if !slices.Contains(*all, l) {
		*all = append(*all, l)
	}
}

// String describes the missing records for an error, such as "two objects, or a counter of type A or B". Records with
// the same `what`, such as "a counter of type", share one description. The text has at most three descriptions, and a
// description has at most three details.
func (all missingList) String() string {
	const most = 3
	var things []string
	details := map[string][]string{}
	for _, l := range all {
		if _, known := details[l.what]; !known {
			things = append(things, l.what)
		}
		details[l.what] = append(details[l.what], l.detail)
	}
	for i, what := range things {
		if list := details[what]; list[0] != "" {
			if len(list) > most {
				list = append(list[:most], "others")
			}
			things[i] += " " + strings.Join(list, " or ")
		}
	}
	if len(things) > most {
		things = append(things[:most], "another place")
	}
	return strings.Join(things, ", or ")
}

// attempt runs a breaker. It returns the record that the Base lacks, or missingRecord{} if the breaker has made a
// fault.
func (f *faultyBlock) attempt(b *breaker) (missing missingRecord) {
	defer func() {
		switch what := recover().(type) {
		case nil:
		case missingRecord:
			missing = what
		default:
			panic(what)
		}
	}()
	b.damage(f)
	return missingRecord{}
}

// withoutContext reports whether f.ctx is empty.
func (f *faultyBlock) withoutContext() bool {
	c := &f.ctx
	return c.Query == nil && c.LastCounter == 0 && c.Identifiers == nil && c.Registrations == nil && c.Role == 0 && c.Counters == 0
}

// take copies the block of f.base into the current block. m must be a copy of the model of f.base.
func (f *faultyBlock) take(m builder.Model) {
	f.kind, f.made, f.block = m.Kind(), m, slices.Clone(f.base.block)
	f.before = f.base.block
}
