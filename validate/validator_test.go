package validate_test

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestZeroValidator checks that the zero Validator has the same findings as New(Options{}). Each
// block has one inverted byte.
func TestZeroValidator(t *testing.T) {
	t.Parallel()
	made, err := validate.New(validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for kind, b := range map[layout.Kind][]byte{layout.DataBlockKind: twoObjects(), layout.QueryDataKind: everyResultType()} {
		findings := 0
		for i := range b {
			damaged := append([]byte(nil), b...)
			damaged[i] ^= 0xFF
			var zero validate.Validator
			got, want := zero.Bytes(kind, damaged, validate.Context{}), made.Bytes(kind, damaged, validate.Context{})
			if diff := cmp.Diff(lines(want), lines(got)); diff != "" {
				t.Fatalf("%v, byte %d inverted (-New +zero):\n%s", kind, i, diff)
			}
			findings += len(want.Findings)
		}
		if findings == 0 {
			t.Errorf("%v: no findings to compare", kind)
		}
	}
}

// TestUnchecked checks that Result.Unchecked and Result.Err report a block that was not checked,
// because its kind is unknown or its context cannot be read.
func TestUnchecked(t *testing.T) {
	t.Parallel()
	sound := fourObjects(t, layout.DataBlockKind)
	v, err := validate.New(validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cut := validRegistration().bytes()
	for _, tt := range []struct {
		reason string
		kind   layout.Kind
		ctx    validate.Context
		is     error
		says   string
	}{
		{"the kind is unknown", layout.Kind(99), validate.Context{}, layout.ErrRange, "no rules for the kind 99"},
		{"a registration of the context is truncated", layout.InstanceBlockKind, validate.Context{Registrations: [][]byte{cut, cut[:40]}}, layout.ErrShort, "registration 1 of the context: "},
		{"the identifiers of the context are truncated", layout.QueryDataKind, validate.Context{Identifiers: make([]byte, 39)}, layout.ErrShort, "the identifiers of the context: "},
	} {
		r := v.Bytes(tt.kind, validSetInstance().bytes(), tt.ctx)
		if len(r.Findings) > 0 || r.Counts != (validate.Counts{Error: 1}) || !errors.Is(r.Unchecked, tt.is) {
			t.Errorf("%s: %+v", tt.reason, r)
		}
		for _, at := range []validate.Severity{validate.Off, validate.Info, validate.Error} {
			if err := r.Err(at); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%s, at %v: %v", tt.reason, at, err)
			}
		}
		if r := v.Bytes(layout.DataBlockKind, sound, validate.Context{}); r.Unchecked != nil || len(r.Findings) > 0 {
			t.Errorf("%s: the error of the call before is kept: %+v", tt.reason, r)
		}
	}
}

// TestPatterns checks that an override applies to all rules that its pattern matches.
func TestPatterns(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pattern string
		n       int
		fault   string
	}{
		{"data-version", 1, ""}, {"PERF1105", 1, ""}, {"data-perf-freq*", 2, ""}, {"PERF110?", 9, ""}, {"[b]lk-*", 6, ""},
		{"perf11*", 0, `no rule has an ID or name that "perf11*" matches`}, {"data-[", 0, `"data-[" is not a pattern`},
	} {
		list, err := validate.MatchRules(tt.pattern)
		if len(list) != tt.n || (err != nil) != (tt.fault != "") || err != nil && (!strings.HasPrefix(err.Error(), tt.fault) || !errors.Is(err, layout.ErrRange)) {
			t.Errorf("%s matches %d rules, %v, want %d", tt.pattern, len(list), err, tt.n)
		}
		if _, other := validate.New(validate.Options{Overrides: []validate.Override{{Rule: tt.pattern}}}); (other != nil) != (err != nil) {
			t.Errorf("%s: New returns %v, MatchRules %v", tt.pattern, other, err)
		}
	}
	v, err := validate.New(validate.Options{Overrides: []validate.Override{{Rule: "*", Severity: validate.Off}, {Rule: "data-trunc*", Severity: validate.Info, Reason: "x"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Bytes(layout.DataBlockKind, []byte{1}, validate.Context{}).Findings; len(got) != 1 || got[0].Severity != validate.Info || got[0].Reason != "x" {
		t.Errorf("findings %v", got)
	}
}

// TestEveryKindIsChecked checks that a buffer of one byte has an error in every kind.
func TestEveryKindIsChecked(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		if r := validate.Bytes(kind, []byte{1}, validate.Context{}); r.Unchecked != nil || r.Counts.Error == 0 {
			t.Errorf("a byte as %v: %+v", kind, r)
		}
	}
}

// TestReusedValidator validates a longer block and then a short block. The short block must have
// the same findings as with a new Validator.
func TestReusedValidator(t *testing.T) {
	t.Parallel()
	for kind, b := range validBuffers {
		again, err := validate.New(validate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for n := range min(len(b), 100) {
			fresh, err := validate.New(validate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			again.Bytes(kind, b, validate.Context{})
			got, want := again.Bytes(kind, b[:n:n], validate.Context{}), fresh.Bytes(kind, b[:n:n], validate.Context{})
			if diff := cmp.Diff(lines(want), lines(got)); diff != "" {
				t.Errorf("%v, its first %d bytes (-new validator +reused):\n%s", kind, n, diff)
			}
		}
	}
}

// TestValidatorReleasesBlock checks that a Validator keeps no reference to a block that it
// validated.
func TestValidatorReleasesBlock(t *testing.T) {
	t.Parallel()
	one, three := oneCounter, slices.Repeat(oneCounter, 3)
	unread := appendObject(nil, objectOfTitle(20), three, nil)
	clear(unread[64+40:]) // the ByteLength of the second counter is 0
	for name, b := range map[string][]byte{
		"an object without instances":                             appendObject(nil, object4000, one, nil),
		"an object with fewer counters than the object before it": appendObject(appendObject(nil, objectOfTitle(10), three, nil), object4000, one, nil),
		"a counter that cannot be read":                           unread,
		"an instance _Total that is not the last":                 appendObject(nil, object4000, one, []testInstance{withParent("_Total", 0, 0), withParent("a", 4000, 0)}),
		"a data block":                  dataBlockBytes(appendObject(nil, object4000, one, nil), 1, 0),
		"7 bytes":                       make([]byte, 7),
		"an object and half of another": appendObject(appendObject(nil, objectOfTitle(10), three, nil), object4000, one, nil)[:300],
	} {
		for _, kind := range []layout.Kind{layout.DataBlockKind, layout.ObjectsKind} {
			checkKeepsNothing(t, name, kind, b)
		}
	}
	for _, b := range [][]byte{everyResultType(), everyResultType()[:300], queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(2, validInstanceHeader(), validInstanceHeader())))} {
		checkKeepsNothing(t, "a result", layout.QueryDataKind, b)
	}
	checkKeepsNothing(t, "duplicate names", layout.InstancesKind, slices.Concat(validInstanceHeader(), validInstanceHeader(), []byte{1}))
	for kind, b := range validBuffers {
		checkKeepsNothing(t, "a valid buffer", kind, b)
		checkKeepsNothing(t, "half of a valid buffer", kind, b[:len(b)/2])
	}
}

// checkKeepsNothing requires that a validator keeps no reference to a block after the validation.
func checkKeepsNothing(t *testing.T, name string, kind layout.Kind, b []byte) {
	t.Helper()
	v, err := validate.New(validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	own := make([]byte, 1<<16) // an allocation that holds no other object
	own = own[:copy(own, b)]
	kept := weak.Make(&own[0])
	v.Bytes(kind, own, validate.Context{})
	own = nil
	for tries := 0; kept.Value() != nil; tries++ { // one garbage collection may mistake a number for an address
		if tries == 10 {
			t.Errorf("%s, checked as %v: the validator keeps a reference to the block", name, kind)
			break
		}
		runtime.GC()
	}
	runtime.KeepAlive(v)
}
