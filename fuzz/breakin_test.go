package fuzz_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
)

// wideFaults has the rules whose fault may change many bytes. The values are the reasons.
var wideFaults = map[string]string{
	"blk-slack":               "all counter blocks of the object are longer",
	"inst-length-align":       "another instance is longer too, so that the object ends at a multiple of 8",
	"inst-name-codepage":      "all names of the object are in a code page",
	"obj-codepage-unicode":    "all names of the object are in a code page",
	"obj-no-counters":         "all counter blocks of the object are without values",
	"v2-data-counter-unknown": "all instances have one value more or less",
	"v2-data-identifier-type": "a result of another type is in place of the result",
	"v2-multi-counters-empty": "all instances are without values",
	"v2-strings-unterminated": "there is no NUL after the start of the string",
}

// breaksIn breaks a rule in the block of m. It returns false if there is no breaker or no place for the fault.
func breaksIn(t *testing.T, r *validate.Rule, m builder.Model, s *fuzz.Source) bool {
	t.Helper()
	want := bytesOf(t, m)
	base, err := fuzz.NewBase(m)
	fatal(t, err)
	broken, err := base.Break(r.Name, s, fuzz.Config{})
	if errors.Is(err, fuzz.ErrNoPlace) || errors.Is(err, fuzz.ErrNoBreaker) {
		if !strings.Contains(err.Error(), r.Name) {
			t.Errorf("the error does not name the rule: %v", err)
		}
		return false
	}
	fatal(t, err)
	if !bytes.Equal(bytesOf(t, m), want) {
		t.Fatalf("%s: Break has changed the model", r.Name)
	}
	if !bytes.Equal(broken.Before, want) || broken.Kind != m.Kind() {
		t.Fatalf("%s: Before is not the base", r.Name)
	}
	if n := edits(want, broken.Block); n > 96 && wideFaults[r.Name] == "" {
		t.Errorf("%s changes %d bytes of the base\n%x\n%x", r.Name, n, want, broken.Block)
	}
	return true
}

// edits counts the bytes that differ between two blocks. If the lengths differ, edits assumes that bytes were inserted
// at one place, and does not count the inserted bytes.
func edits(a, b []byte) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	more := len(b) - len(a)
	differ := 0 // the count if the insertion is at the start of b
	for i := range a {
		if a[i] != b[i+more] {
			differ++
		}
	}
	least := differ
	for i := range a { // the insertion follows byte i
		if a[i] != b[i+more] {
			differ--
		}
		if a[i] != b[i] {
			differ++
		}
		least = min(least, differ)
	}
	return least
}

// TestBaseBreak breaks rules in generated blocks of each kind.
func TestBaseBreak(t *testing.T) {
	t.Parallel()
	made := map[string]int{}
	for seed := range uint64(long.Seeds(1, 20)) {
		for _, kind := range layout.Kinds() {
			base := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{})
			for _, r := range validate.Rules() {
				if slices.Contains(r.Kinds(), kind) && (!bigRules[r.Name] || made[r.Name] == 0) && breaksIn(t, r, base, fuzz.Seed(seed)) {
					made[r.Name]++
				}
			}
		}
	}
	text, err := os.ReadFile("../testdata/specs/perflib/reg-set-references.yaml") // few generated sets have these references
	fatal(t, err)
	parsed, err := spec.Parse("set.yaml", text)
	fatal(t, err)
	inverse := builder.NewCounterSetRegInfo(layout.GUID{Data1: 1}, layout.PERF_COUNTERSET_MULTI_INSTANCES).
		Counter(1, layout.PERF_COUNTER_RAWCOUNT).Counter(2, layout.PERF_COUNTER_MULTI_BASE).
		Define(builder.CounterRegInfo{CounterId: 3, Type: layout.PERF_COUNTER_MULTI_TIMER_INV, BaseCounterId: new(uint32(2)), MultiId: new(uint32(1))})
	for _, r := range validate.Rules() {
		for _, set := range []builder.Model{parsed.Model, inverse} {
			if slices.Contains(r.Kinds(), layout.RegSetKind) && breaksIn(t, r, set, fuzz.Seed(1)) {
				made[r.Name]++
			}
		}
		if _, err := fuzz.Break(r.Name, fuzz.Seed(1), fuzz.Config{}); err == nil && made[r.Name] == 0 && long.Enabled() {
			t.Errorf("no base was broken for %s", r.Name)
		}
	}
}

func FuzzBaseBreak(f *testing.F) {
	for i := range validate.Rules() {
		f.Add(uint8(i), uint64(i), []byte{1, 200, 3, 254, 5, 160, 7, 80, 9, 255, 11, 90})
	}
	f.Fuzz(func(t *testing.T, rule uint8, seed uint64, data []byte) {
		r := validate.Rules()[int(rule)%len(validate.Rules())]
		if bigRules[r.Name] || len(r.Kinds()) == 0 {
			return
		}
		base := fuzz.Model(r.Kinds()[seed%uint64(len(r.Kinds()))], fuzz.FromBytes(data), fuzz.Config{})
		breaksIn(t, r, base, fuzz.Seed(seed))
	})
}

// TestBaseBreakWorkloads breaks all rules in some workloads. A golden file lists the rules that cannot be broken, and
// the reasons.
func TestBaseBreakWorkloads(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, name := range []string{"tiny", "cpu", "v2-gpu"} {
		w, err := fuzz.FindWorkload(name)
		fatal(t, err)
		base, err := fuzz.NewBase(w.Block())
		fatal(t, err)
		broken, without := 0, 0
		fmt.Fprintf(&text, "%s\n", name)
		for _, r := range validate.Rules() {
			if !slices.Contains(r.Kinds(), w.Kind) {
				continue
			}
			_, err := base.Break(r.Name, fuzz.Seed(1), fuzz.Config{})
			switch {
			case err == nil:
				broken++
			case errors.Is(err, fuzz.ErrNoBreaker):
				without++
			case errors.Is(err, fuzz.ErrNoPlace):
				fmt.Fprintf(&text, "  %s\n", strings.TrimPrefix(err.Error(), fuzz.ErrNoPlace.Error()+" "))
			default:
				t.Error(err)
			}
		}
		fmt.Fprintf(&text, "  %d rules are broken, %d have no breaker\n", broken, without)
	}
	golden.File(t, "testdata/noplace.txt", text.String())
}

// TestBaseBreakRefuses checks the errors that NewBase and Base.Break return.
func TestBaseBreakRefuses(t *testing.T) {
	t.Parallel()
	// The type requires a base counter, but the object has none.
	unencodable := (&builder.DataBlock{}).Add(builder.NewObject(2).Counter(4, layout.PERF_RAW_FRACTION).Single(1))
	empty := new(builder.DataBlock)
	for _, row := range []struct {
		reason string
		rule   string
		base   builder.Model
		kind   error
		want   string
	}{
		{"unknown", "no-rule", empty, layout.ErrRange, "no-rule"},
		{"another kind", "v2-counter-type-known", empty, layout.ErrRange, "does not check blocks of kind data-block"},
		{"does not encode", "data-version", unencodable, builder.ErrBase, "counter[0]"},
		{"no place", "inst-total-last", empty, fuzz.ErrNoPlace, "inst-total-last: the block lacks an object with two instances"},
	} {
		base, err := fuzz.NewBase(row.base)
		if err == nil {
			_, err = base.Break(row.rule, fuzz.Seed(1), fuzz.Config{})
		}
		if !errors.Is(err, row.kind) || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: the error is %v, want %q", row.reason, err, row.want)
		}
	}
}
