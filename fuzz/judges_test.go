package fuzz_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// The two judges meet: what is judged to have no error decodes, and what has one does
// not decode whole. Every finding lies in the bytes and says what is and what should be.

// TestJudgeAndDecoder damages blocks and asks both.
func TestJudgeAndDecoder(t *testing.T) {
	t.Parallel()
	forEachKind(t, func(t *testing.T, kind layout.Kind) {
		var sound, broken int
		for seed := range uint64(2 * rounds) {
			if judgesAgree(t, kind, damaged(t, seed, kind)) {
				sound++
			} else {
				broken++
			}
		}
		if t.Logf("%d blocks without error, %d with", sound, broken); sound < rounds/16 || broken < rounds/16 {
			t.Error("the damage is one-sided")
		}
	})
}

// Both have to find where an odd number of ids ends that says nothing of its padding.
func TestJudgeAndDecoderOfOddIDs(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"", "abcd", "abcdefgh", "abcdefghijklmnop", strings.Repeat("\x10\x00\x00\x00", 8)} {
		for _, padding := range []uint32{0, 1, 4, 8, 16, 24, 0x2000} {
			for _, n := range []int{1, 3, 5} {
				r := builder.MultipleCounters()
				for id := range n {
					r.Define(builder.QueryCounter{CounterId: uint32(id), Bytes: true})
					r.Values, r.Texts = append(r.Values, 0), append(r.Texts, "1234")
				}
				r.Texts[0], r.ShortIDs = first, true
				b, err := builder.QueryData{Results: []builder.Result{*r}}.MarshalBinary()
				fatal(t, err)
				at := 48 + 16 + 8 + 4*n
				binary.LittleEndian.PutUint32(b[at:], padding)
				if !judgesAgree(t, layout.QueryDataKind, b) {
					t.Errorf("%d ids, the padding %d and a first value of %d bytes: there is an error", n, padding, len(first))
				}
				without := slices.Delete(b, at, at+4)
				binary.LittleEndian.PutUint32(without[0:], uint32(len(without)))
				binary.LittleEndian.PutUint32(without[48+8:], uint32(len(without)-48))
				judgesAgree(t, layout.QueryDataKind, without)
			}
		}
	}
}

// Where no block is that a value could lie in, both have to know how long one can be.
func TestJudgeAndDecoderOfFarValues(t *testing.T) {
	t.Parallel()
	for _, typ := range []layout.CounterType{layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_LARGE_RAWCOUNT, layout.PERF_AVERAGE_TIMER, layout.PERF_COUNTER_MULTI_TIMER, layout.PERF_COUNTER_TEXT} {
		for _, instances := range []int32{0, -2} {
			o := builder.NewObject(2).Counter(4, typ)
			if base, ok := typ.Base(); ok {
				o.WithBase(6, base)
			}
			o.NumInstances = instances
			b, err := builder.Objects{*o}.MarshalBinary()
			fatal(t, err)
			last := -1
			for i := range 64 {
				binary.LittleEndian.PutUint32(b[64+36:], uint32(i)-160)
				if judgesAgree(t, layout.ObjectsKind, b) {
					last = i
				}
			}
			if last < 0 || last == 63 {
				t.Errorf("%v, NumInstances %d: the last that fits is %d", typ, instances, last)
			}
		}
	}
}

func FuzzJudgeAndDecoder(f *testing.F) {
	addBlocks(f)
	f.Fuzz(func(t *testing.T, kind uint8, b []byte) { judgesAgree(t, kindOf(kind), b) })
}

// judgesAgree fails the test where the two judges disagree, or a finding lies outside. It
// reports whether there was no error.
func judgesAgree(t *testing.T, kind layout.Kind, b []byte) bool {
	t.Helper()
	result := validate.Bytes(kind, b, validate.Context{})
	for _, f := range result.Findings {
		if f.Off < 0 || f.Len < 0 || f.Off+int64(f.Len) > int64(len(b)) {
			t.Fatalf("%v is of %d bytes, outside the input of %d", f, f.Len, len(b))
		}
		if f.Got == "" || f.Want == "" {
			t.Fatalf("%v lacks what is or what should be", f)
		}
	}
	if result.Counts.Error > 0 {
		if empty(t, kind).UnmarshalBinary(b) == nil {
			t.Fatalf("%v: there are errors in what decodes: %v\n% x", kind, result.Err(validate.Error), b)
		}
		return false
	}
	if _, err := empty(t, kind).UnmarshalLossy(b); err != nil && !known(err, result) {
		t.Fatalf("%v: no error is found in what does not decode: %v\nfound: %v\n% x", kind, err, result.Err(validate.Info), b)
	}
	return true
}

// known reports whether a block is one of the few that cannot be decoded though the
// documentation only advises against it: there is no model of it.
func known(err error, r validate.Result) bool {
	found := func(rules ...string) bool {
		return slices.ContainsFunc(r.Findings, func(f validate.Finding) bool { return slices.Contains(rules, f.Rule.Name) })
	}
	switch {
	case errors.Is(err, layout.ErrByteOrder):
		return found("data-big-endian")
	case errors.Is(err, builder.ErrBase): // of a type nobody knows it is not known which base it takes
		return found("ctr-type-known", "ctr-type-unassigned-bits")
	case errors.Is(err, builder.ErrConflict): // of values that share bytes not all can be kept, and a text shares with none
		return found("ctr-overlap-partial", "ctr-type-obsolete", "ctr-type-known", "ctr-type-unassigned-bits")
	}
	return false
}
