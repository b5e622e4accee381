package validate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

// TestKindsOfRules checks Rule.Kinds: the kinds in which a rule can have findings.
func TestKindsOfRules(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule   string
		want   []layout.Kind
		reason string
	}{
		{"data-version", []layout.Kind{layout.DataBlockKind}, "objects of a provider have no header"},
		{"data-perf-freq", []layout.Kind{layout.DataBlockKind}, "the header is checked again after the objects"},
		{"ctr-size-domain", layout.V1Kinds(), "objects are in both kinds of V1"},
		{"inst-parent-missing", []layout.Kind{layout.DataBlockKind}, "the parent may be in the objects of another provider"},
		{"v2-counter-size-align", []layout.Kind{layout.QueryDataKind}, "only query data has results"},
		{"v2-multi-instances-size-sum", []layout.Kind{layout.QueryDataKind}, "the rule checks the instances of results, not those of a list"},
		{"v2-instance-header-align", []layout.Kind{layout.QueryDataKind, layout.InstancesKind}, "results and lists have instances"},
		{"v2-reginfo-size", []layout.Kind{layout.RegSetKind, layout.RegCounterKind, layout.RegGUIDKind}, "a text has no fixed size"},
		{"v2-reginfo-counter-id-duplicate", []layout.Kind{layout.RegSetKind}, "a single counter cannot have the same id as another counter"},
		{"v2-trailing-bytes", []layout.Kind{layout.QueryDataKind, layout.RegStringKind, layout.StringsKind, layout.TemplateKind, layout.InstanceBlockKind}, "the other kinds use all bytes"},
	} {
		r, err := FindRule(tt.rule)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, r.Kinds()); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", tt.rule, tt.reason, diff)
		}
	}
	if got := new(Rule).Kinds(); got != nil {
		t.Errorf("a zero Rule has kinds %v", got)
	}
	for _, k := range layout.Kinds() {
		if !slices.ContainsFunc(Rules(), func(r *Rule) bool { return slices.Contains(r.Kinds(), k) }) {
			t.Errorf("no rule applies to %v", k)
		}
	}
	for _, r := range Rules() {
		if len(r.Kinds()) == 0 {
			t.Errorf("%s applies to no kind", r.Name)
		}
	}
	kinds := onPadding.in
	rule, _ := FindRule("v2-padding-nonzero")
	rule.Kinds()[0] = layout.ObjectsKind
	if kinds[0] == layout.ObjectsKind {
		t.Error("a caller changed the kinds of a rule")
	}
}

// TestFindingsMatchKind checks that every finding in random bytes is of a rule whose Kinds
// include the kind of the bytes.
func TestFindingsMatchKind(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	types := slices.Collect(layout.CounterTypes())
	for i := range long.Count(4000, 40_000) {
		b := make([]byte, 8*r.IntN(20)+r.IntN(2)*r.IntN(8))
		for at := 0; at+4 <= len(b); at += 4 { // some are valid lengths, offsets and types
			n := []uint32{0, uint32(len(b)), 0xFFFFFFFF, uint32(r.IntN(5)), uint32(types[r.IntN(len(types))]), r.Uint32()}
			le.PutUint32(b[at:], n[r.IntN(len(n))])
		}
		kind := layout.Kinds()[i%len(layout.Kinds())]
		ctx := Context{Role: Role(r.IntN(3)), Counters: uint32(r.IntN(3))}
		for _, f := range Bytes(kind, b, ctx).Findings {
			if !slices.Contains(f.Rule.Kinds(), kind) {
				t.Fatalf("%s applies to %v, but has a finding in %v: %x", f.Rule.Name, f.Rule.Kinds(), kind, b)
			}
		}
	}
}
