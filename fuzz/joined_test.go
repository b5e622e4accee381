package fuzz_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// What belongs together is judged together as it is meant: what fits gives no finding that
// it would not give alone; where one part is changed so that they no longer fit, the rule
// about that says so, and no other.

func TestJoined(t *testing.T) {
	t.Parallel()
	tried := map[string]int{}
	for seed := range uint64(rounds) {
		j := newJoint(fuzz.Seed(seed))
		for p := range parts {
			j.fits(t, p)
		}
		for _, m := range misfits {
			if m.found(t, fuzz.Seed(seed), seed) {
				tried[m.reason]++
			}
		}
	}
	for _, m := range misfits {
		if n := tried[m.reason]; n < rounds/20 {
			t.Errorf("%s: tried %d times in %d", m.reason, n, rounds)
		}
	}
}

// A Joined that is not held in a variable has its context too.
func TestJoinContext(t *testing.T) {
	t.Parallel()
	ctx, err := fuzz.Join(fuzz.FromBytes(nil), fuzz.Config{}).Context()
	fatal(t, err)
	if ctx.Identifiers == nil || len(ctx.Identifiers) > 0 || len(ctx.Registrations) > 0 {
		t.Errorf("of no answers: %+v", ctx)
	}
}

func FuzzJoined(f *testing.F) {
	for seed := range uint64(32) {
		f.Add(seed, fuzz.Input(layout.QueryDataKind, seed, fuzz.Config{}))
	}
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		newJoint(fuzz.FromBytes(data)).fits(t, part(seed%uint64(parts)))
		misfits[seed%uint64(len(misfits))].found(t, fuzz.FromBytes(data), seed)
	})
}

// A joint is a block with what is known beside it.
type joint struct {
	fuzz.Joined
	strings  builder.StringBuffer       // of the first set
	instance builder.CounterSetInstance // of the first set
}

// newJoint returns parts that fit. There may be no set.
func newJoint(s *fuzz.Source) *joint {
	j := &joint{Joined: fuzz.Join(s, fuzz.Config{})}
	if len(j.Sets) == 0 {
		return j
	}
	set := &j.Sets[0]
	for _, c := range set.Counters {
		j.strings.Entries = append(j.strings.Entries, builder.StringCounter{CounterId: c.CounterId, Text: "a"})
	}
	j.instance = builder.CounterSetInstance{CounterSetGuid: set.CounterSetGuid, Name: "C:", Values: make([]uint64, len(set.Counters))}
	return j
}

// A part is one of the blocks of a joint, as it is judged with the others beside it.
type part int

const (
	theData part = iota
	theIdentifiers
	theStrings
	theInstance
	parts
)

// judged returns what is said of a part, with the others beside it.
func (j *joint) judged(t *testing.T, p part, alone bool) (list []said) {
	t.Helper()
	ctx, err := j.Context()
	fatal(t, err)
	m := [...]builder.Model{&j.Data, &j.Identifiers, &j.strings, &j.instance}[p]
	switch p {
	case theIdentifiers:
		ctx = validate.Context{Registrations: ctx.Registrations}
	case theStrings, theInstance:
		ctx = validate.Context{Registrations: ctx.Registrations[:min(1, len(ctx.Registrations))]}
	}
	if alone {
		ctx = validate.Context{}
	}
	b, err := m.MarshalBinary()
	fatal(t, err)
	result := validate.Bytes(m.Kind(), b, ctx)
	fatal(t, result.Unchecked)
	for _, f := range result.Findings {
		list = append(list, said{f.Rule.Name, f.Path.String()})
	}
	return list
}

// fits holds a part to be judged with the others as it is judged alone, and as is meant.
func (j *joint) fits(t *testing.T, p part) {
	t.Helper()
	if alone, joined := j.judged(t, p, true), j.judged(t, p, false); !slices.Equal(alone, joined) {
		t.Fatalf("what fits is judged otherwise (-alone +joined):\n%s", cmp.Diff(alone, joined, cmp.AllowUnexported(said{})))
	}
	if p != theData {
		return
	}
	b, err := j.Data.MarshalBinary()
	fatal(t, err)
	ctx, err := j.Context()
	fatal(t, err)
	judgedAs(t, layout.QueryDataKind, b, ctx, predict(t, &j.Data, b))
	for i := range j.Sets {
		if err := validate.Bytes(layout.RegSetKind, ctx.Registrations[i], validate.Context{}).Err(validate.Error); err != nil {
			t.Fatalf("what is registered has errors: %v", err)
		}
	}
}

// A misfit is a change of one part by which it no longer fits another.
type misfit struct {
	reason, rule string
	of           part
	change       func(*joint, *rand.Rand) bool // whether there is something to change
}

// found changes what the source makes and holds the rule to say so. It reports whether
// there was something to change.
func (m misfit) found(t *testing.T, s *fuzz.Source, seed uint64) bool {
	t.Helper()
	j := newJoint(s)
	if !m.change(j, rand.New(rand.NewPCG(seed, 3))) {
		return false
	}
	alone, n := j.judged(t, m.of, true), 0
	for _, s := range j.judged(t, m.of, false) {
		if s.rule == m.rule {
			n++
		} else if !slices.Contains(alone, s) {
			t.Fatalf("%s: %v is found", m.reason, s)
		}
	}
	if n == 0 {
		t.Fatalf("%s: it is not found to be a fault of %s", m.reason, m.rule)
	}
	return true
}
