package fuzz_test

import (
	"encoding/binary"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestValidatorAndDecoder decodes damaged blocks. If the validator finds an error, UnmarshalBinary must refuse the
// block. If not, UnmarshalLossy must decode the block, or return an error for which cannotDecode is true.
func TestValidatorAndDecoder(t *testing.T) {
	t.Parallel()
	forEachKind(t, func(t *testing.T, kind layout.Kind) {
		n, clean := 4*sampleSize, 0
		for seed := range uint64(n) {
			if agrees(t, kind, damaged(t, seed, kind)) {
				clean++
			}
		}
		if t.Logf("%d of %d damaged blocks have no error", clean, n); clean < n/32 || n-clean < n/32 {
			t.Error("the damage is one-sided")
		}
	})
}

// TestValidatorAndDecoderOfOddIDs changes or removes the 4 bytes of padding after an odd number of ids.
func TestValidatorAndDecoderOfOddIDs(t *testing.T) {
	t.Parallel()
	header, result, ids := layout.SizeofDataHeader, layout.SizeofCounterHeader, layout.SizeofMultiCounters
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
				at := header + result + ids + 4*n
				binary.LittleEndian.PutUint32(b[at:], padding)
				if !agrees(t, layout.QueryDataKind, b) {
					t.Errorf("%d ids, padding %d and a first value of %d bytes: there is an error", n, padding, len(first))
				}
				without := slices.Delete(b, at, at+4)
				binary.LittleEndian.PutUint32(without[0:], uint32(len(without)))
				binary.LittleEndian.PutUint32(without[header+8:], uint32(len(without)-header))
				agrees(t, layout.QueryDataKind, without)
			}
		}
	}
}

// TestValidatorAndDecoderOfFarValues tests CounterOffsets near 2^32. The object has no counter block that limits them.
func TestValidatorAndDecoderOfFarValues(t *testing.T) {
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
			offset, err := layout.Find(layout.ObjectsKind, b, layout.Path{}.At("object", 0).At("counter", 0).Field("CounterOffset"))
			fatal(t, err)
			last := -1
			for i := range 64 {
				binary.LittleEndian.PutUint32(offset.Bytes(), uint32(i)-160)
				if agrees(t, layout.ObjectsKind, b) {
					last = i
				}
			}
			if last < 0 || last == 63 {
				t.Errorf("%v, NumInstances %d: the last offset without an error is number %d of 64", typ, instances, last)
			}
		}
	}
}

func FuzzValidatorAndDecoder(f *testing.F) {
	addBlocks(f)
	f.Fuzz(func(t *testing.T, kind uint8, b []byte) { agrees(t, kindOf(kind), b) })
}

// agrees checks the property of TestValidatorAndDecoder for one block. It reports whether the block has no error.
func agrees(t *testing.T, kind layout.Kind, b []byte) bool {
	t.Helper()
	result := validate.Bytes(kind, b, validate.Context{})
	checkFindings(t, b, result)
	if result.Counts.Error > 0 {
		if empty(t, kind).UnmarshalBinary(b) == nil {
			t.Fatalf("a %v decodes although it has errors: %v\n% x", kind, result.Err(validate.Error), b)
		}
		return false
	}
	if _, err := empty(t, kind).UnmarshalLossy(b); err != nil && !cannotDecode(err, result) {
		t.Fatalf("a %v without errors does not decode: %v\nfindings: %v\n% x", kind, err, result.Err(validate.Info), b)
	}
	return true
}

// cannotDecode reports whether err is an expected error of the decoder. The decoder refuses some blocks in which the
// validator finds only a warning or an info.
func cannotDecode(err error, r validate.Result) bool {
	found := func(rules ...string) bool {
		return slices.ContainsFunc(r.Findings, func(f validate.Finding) bool { return slices.Contains(rules, f.Rule.Name) })
	}
	switch {
	case errors.Is(err, layout.ErrByteOrder):
		return found("data-big-endian")
	case errors.Is(err, builder.ErrBase): // an undefined type requires a base, and no table says which base
		return found("ctr-type-known", "ctr-type-unassigned-bits")
	case errors.Is(err, builder.ErrConflict): // a model cannot keep all values that share bytes
		return found("ctr-overlap-partial", "ctr-type-obsolete", "ctr-type-known", "ctr-type-unassigned-bits")
	}
	return false
}

// TestPrefixes checks that the validator and the decoder reject truncated blocks, except lists that end after a
// record.
func TestPrefixes(t *testing.T) {
	t.Parallel()
	forEachKind(t, func(t *testing.T, kind layout.Kind) {
		lists := 0
		every := func(b []byte) {
			full := empty(t, kind)
			if full.UnmarshalBinary(b) != nil {
				return
			}
			for n := range b {
				if prefix(t, full, b, n) {
					lists++
				}
			}
		}
		isList := elements(empty(t, kind)) >= 0
		seeds, size := long.Count(4, 20), small
		if !kind.V1() && isList { // these blocks are short
			seeds, size = long.Count(25, 200), fuzz.Config{}
		}
		for seed := range uint64(seeds) {
			b, err := fuzz.Model(kind, fuzz.Seed(seed), size).MarshalBinary()
			fatal(t, err)
			every(b)
		}
		for i, x := range fixtures(t) {
			if x.Kind == kind && (i%32 == 0 || long.Enabled()) { // long blocks have many prefixes
				every(x.Bytes)
			}
		}
		if isList != (lists > 0) {
			t.Errorf("%d prefixes are shorter lists", lists)
		}
	})
}

func FuzzPrefixes(f *testing.F) {
	addBlocks(f, uint16(40))
	f.Fuzz(func(t *testing.T, kind uint8, n uint16, b []byte) {
		if full := empty(t, kindOf(kind)); len(b) > 0 && full.UnmarshalBinary(b) == nil {
			prefix(t, full, b, int(n)%len(b))
		}
	})
}

// prefix checks the first n bytes of b, which decodes to the model `full`. If the n bytes are a list with fewer
// records, prefix checks the records and findings, and returns true. Otherwise, the validator and the decoder must
// reject the n bytes, and prefix returns false.
func prefix(t *testing.T, full builder.Model, b []byte, n int) bool {
	t.Helper()
	kind, cut, got := full.Kind(), b[:n:n], empty(t, full.Kind())
	fatal(t, got.UnmarshalBinary(b))
	err, result := got.UnmarshalBinary(cut), validate.Bytes(kind, cut, validate.Context{})
	for i := range elements(full) {
		shorter := first(full, i)
		if size, err := shorter.EncodedLen(); err != nil || size != n {
			continue
		}
		if diff := unlike(shorter, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Fatalf("%v: %d bytes of %d are %d records and decode to others: %v\n%s", kind, n, len(b), i, err, diff)
		}
		longer := validate.Bytes(kind, b, validate.Context{})
		if diff := unlike(findingsBefore(n, longer), findingsBefore(n, result)); diff != "" {
			t.Fatalf("%v: %d bytes of %d are %d records with other findings (-longer +shorter)\n%s\n% x", kind, n, len(b), i, diff, b)
		}
		return true
	}
	switch {
	case err == nil:
		t.Fatalf("%v: %d bytes of %d decode\n% x", kind, n, len(b), b)
	case result.Counts.Error == 0:
		t.Fatalf("%v: %d bytes of %d have no error but do not decode: %v\nfindings: %v\n% x", kind, n, len(b), err, result.Err(validate.Info), b)
	case !reflect.DeepEqual(full, got):
		t.Fatalf("a failed decoding changed the model:\n%s", cmp.Diff(full, got))
	}
	return false
}

// elements returns the length of a list, -1 for a model that is not a list.
func elements(m builder.Model) int {
	if v := reflect.ValueOf(m).Elem(); v.Kind() == reflect.Slice {
		return v.Len()
	}
	return -1
}

// first returns a list of the same type with the first n elements.
func first(m builder.Model, n int) builder.Model {
	shorter := reflect.New(reflect.TypeOf(m).Elem())
	shorter.Elem().Set(reflect.ValueOf(m).Elem().Slice3(0, n, n))
	return shorter.Interface().(builder.Model)
}

// findingsBefore returns the findings in the first n bytes. It leaves out findings about parents, because a parent may
// be in a later object.
func findingsBefore(n int, r validate.Result) []string {
	var list []string
	for _, f := range r.Findings {
		if f.Off+int64(f.Len) <= int64(n) && !strings.HasPrefix(f.Rule.Name, "inst-parent-") {
			list = append(list, f.String())
		}
	}
	return list
}
