package fuzz_test

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestSameResult checks that the result of a validation depends only on the bytes of the block and on its context.
func TestSameResult(t *testing.T) {
	t.Parallel()
	forEachKind(t, func(t *testing.T, kind layout.Kind) {
		used := newValidators(t)
		for seed := range uint64(long.Seeds(20, 100)) {
			used.same(t, kind, damaged(t, seed, kind), validate.Context{})
		}
	})
	t.Run("with a context", func(t *testing.T) {
		t.Parallel()
		used := newValidators(t)
		for _, r := range validate.Rules() {
			if bigRules[r.Name] && !long.Enabled() {
				continue
			}
			if broken, err := fuzz.Break(r.ID, fuzz.Seed(1), fuzz.Config{}); err == nil {
				used.same(t, broken.Kind, broken.Block, broken.Context)
			}
		}
	})
}

func FuzzSameResult(f *testing.F) {
	addBlocks(f, []byte{}, []byte{})
	cases, err := fixture.RuleCases("../testdata/rules")
	fatal(f, err)
	for _, c := range cases {
		for _, registration := range append(c.Context.Registrations, nil) {
			f.Add(uint8(c.Kind), c.Context.Identifiers, registration, c.Broken)
		}
	}
	used := newValidators(f)
	f.Fuzz(func(t *testing.T, kind uint8, identifiers, registration, b []byte) {
		var ctx validate.Context
		if len(identifiers) > 0 {
			ctx.Identifiers = identifiers
		}
		if len(registration) > 0 { // with two registrations, identifiers are needed to match results to sets
			ctx.Registrations = [][]byte{registration, valid(t, fuzz.Seed(1), layout.RegSetKind)}
		}
		used.same(t, kindOf(kind), b, ctx)
	})
}

// validators are reused for several blocks. The second validator lists at most two findings of each severity.
type validators [2]*validate.Validator

func newValidators(t testing.TB) validators {
	t.Helper()
	return validators{newValidator(t, 0), newValidator(t, 1)}
}

// newValidator returns a validator with the same options as element i of a `validators`.
func newValidator(t testing.TB, i int) *validate.Validator {
	t.Helper()
	v, err := validate.New(validate.Options{MaxFindings: 2 * i})
	fatal(t, err)
	return v
}

// same compares the results of reused and of new validators for a block.
func (used validators) same(t *testing.T, kind layout.Kind, b []byte, ctx validate.Context) {
	t.Helper()
	for i := range used {
		want := newValidator(t, i).Bytes(kind, b, ctx)
		used[i].Bytes(kind, b[:len(b)/4*3], ctx)
		for _, shift := range []int{0, 1 + len(b)%7} {
			moved, around := moved(shift, b, ctx)
			before := bytes.Clone(moved[:cap(moved)])
			sameResult(t, used[i].Bytes(kind, moved, around), want)
			if !bytes.Equal(before, moved[:cap(moved)]) {
				t.Fatal("the validation changed the block or the bytes after it")
			}
		}
		var both sync.WaitGroup
		results := make([]validate.Result, 2)
		for k := range results {
			v := newValidator(t, i)
			both.Go(func() { results[k] = v.Bytes(kind, b, ctx) })
		}
		both.Wait()
		sameResult(t, results[0], want)
		sameResult(t, results[1], want)
	}
}

// moved returns copies of the block and its context at other addresses. Other bytes follow the copies.
func moved(shift int, b []byte, ctx validate.Context) ([]byte, validate.Context) {
	move := func(b []byte) []byte {
		if b == nil {
			return nil
		}
		all := append(bytes.Repeat([]byte{0xA5}, shift), b...)
		return append(all, bytes.Repeat([]byte{byte(37 * shift)}, 3*shift)...)[shift:][:len(b)]
	}
	ctx.Identifiers, ctx.Registrations = move(ctx.Identifiers), slices.Clone(ctx.Registrations)
	for i, r := range ctx.Registrations {
		ctx.Registrations[i] = move(r)
	}
	return move(b), ctx
}

func sameResult(t *testing.T, got, want validate.Result) {
	t.Helper()
	if !slices.Equal(got.Findings, want.Findings) || got.Counts != want.Counts || got.Truncated != want.Truncated || fmt.Sprint(got.Unchecked) != fmt.Sprint(want.Unchecked) {
		t.Fatalf("two results of one block:\n%+v\n%+v", want, got)
	}
}
