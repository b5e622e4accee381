package fuzz_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// What ends too early both judges refuse, wherever it ends. A list has no length of its
// own: cut behind an element it is the shorter list, and both take it for that.

func TestPrefixes(t *testing.T) {
	t.Parallel()
	forEachKind(t, func(t *testing.T, kind layout.Kind) {
		lists := 0
		every := func(b []byte) {
			whole := empty(t, kind)
			if whole.UnmarshalBinary(b) != nil {
				return
			}
			for n := range b {
				if prefix(t, whole, b, n) {
					lists++
				}
			}
		}
		seeds, size := uint64(rounds/50), small
		if !kind.V1() && elements(empty(t, kind)) >= 0 { // short, and what repeats in them is rare
			seeds, size = rounds/5, fuzz.Config{}
		}
		for seed := range seeds {
			b, err := fuzz.Model(kind, fuzz.Seed(seed), size).MarshalBinary()
			fatal(t, err)
			every(b)
		}
		for i, x := range fixtures(t) {
			if x.Kind == kind && (i%8 == 0 || !testing.Short()) { // a long block has many prefixes
				every(x.Bytes)
			}
		}
		if list := empty(t, kind); (elements(list) >= 0) != (lists > 0) {
			t.Errorf("%d prefixes are shorter lists", lists)
		}
	})
}

func FuzzPrefixes(f *testing.F) {
	addBlocks(f, uint16(40))
	f.Fuzz(func(t *testing.T, kind uint8, n uint16, b []byte) {
		if whole := empty(t, kindOf(kind)); len(b) > 0 && whole.UnmarshalBinary(b) == nil {
			prefix(t, whole, b, int(n)%len(b))
		}
	})
}

// prefix cuts b, which is of that model, to n bytes and reports whether they are a shorter
// list.
func prefix(t *testing.T, whole builder.Model, b []byte, n int) bool {
	t.Helper()
	kind, cut, got := whole.Kind(), b[:n:n], empty(t, whole.Kind())
	fatal(t, got.UnmarshalBinary(b))
	err, result := got.UnmarshalBinary(cut), validate.Bytes(kind, cut, validate.Context{})
	for i := range elements(whole) {
		shorter := first(whole, i)
		if size, err := shorter.EncodedLen(); err != nil || size != n {
			continue
		}
		if diff := unlike(shorter, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Fatalf("%v: %d bytes of %d are %d elements, and decode to others: %v\n%s", kind, n, len(b), i, err, diff)
		}
		longer := validate.Bytes(kind, b, validate.Context{})
		if diff := unlike(before(n, longer), before(n, result)); diff != "" {
			t.Fatalf("%v: %d bytes of %d are %d elements, and judged as others are (-longer +shorter)\n%s\n% x", kind, n, len(b), i, diff, b)
		}
		return true
	}
	switch {
	case err == nil:
		t.Fatalf("%v: %d bytes of %d decode\n% x", kind, n, len(b), b)
	case result.Counts.Error == 0:
		t.Fatalf("%v: no error is found in %d bytes of %d, which do not decode: %v\nfound: %v\n% x", kind, n, len(b), err, result.Err(validate.Info), b)
	case !reflect.DeepEqual(whole, got):
		t.Fatalf("a failed decoding changed the model:\n%s", cmp.Diff(whole, got))
	}
	return false
}

// elements returns how many a list has, -1 for what is none.
func elements(m builder.Model) int {
	switch m := m.(type) {
	case *builder.Objects:
		return len(*m)
	case *builder.InstanceList:
		return len(*m)
	case *builder.Identifiers:
		return len(*m)
	case *builder.GUIDs:
		return len(*m)
	}
	return -1
}

// first returns the first elements of a list.
func first(m builder.Model, n int) builder.Model {
	switch m := m.(type) {
	case *builder.Objects:
		return new((*m)[:n:n])
	case *builder.InstanceList:
		return new((*m)[:n:n])
	case *builder.Identifiers:
		return new((*m)[:n:n])
	case *builder.GUIDs:
		return new((*m)[:n:n])
	}
	return nil
}

// before returns what is said of the first n bytes, but for parents: whether they are there
// depends on all the objects.
func before(n int, r validate.Result) []string {
	var list []string
	for _, f := range r.Findings {
		if f.Off+int64(f.Len) <= int64(n) && !strings.HasPrefix(f.Rule.Name, "inst-parent-") {
			list = append(list, f.String())
		}
	}
	return list
}
