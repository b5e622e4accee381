package validate

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

// TestRules checks that the ID and the name of each rule are unique and have a form from
// CONTRIBUTING.md. Each rule must have all its texts.
func TestRules(t *testing.T) {
	t.Parallel()
	families := regexp.MustCompile(`^(PERF11\d\d data-|PERF12\d\d obj-|PERF13\d\d ctr-|PERF14\d\d (inst|blk)-|PERF2\d{3} v2-)[a-z0-9-]+$`)
	sentences := regexp.MustCompile(`^\S.*[^ .]\.$`)
	seen := make(map[string]bool)
	for _, r := range Rules() {
		if !families.MatchString(r.ID + " " + r.Name) {
			t.Errorf("%s %s: CONTRIBUTING.md lists the IDs and names of each family", r.ID, r.Name)
		}
		if seen[r.ID] || seen[r.Name] {
			t.Errorf("%s %s: another rule has the ID or the name", r.ID, r.Name)
		}
		seen[r.ID], seen[r.Name] = true, true
		if r.Severity < Info || r.Severity > Error {
			t.Errorf("%s has the severity %v under the profile strict", r.ID, r.Severity)
		}
		if r.Doc == "" || strings.HasSuffix(r.Doc, ".") || !sentences.MatchString(r.Why) || !sentences.MatchString(r.Fix) {
			t.Errorf("%s: Doc must be a sentence without a full stop, Why and Fix must be sentences:\n%s\n%s\n%s", r.ID, r.Doc, r.Why, r.Fix)
		}
		if !regexp.MustCompile(`^v\d+\.\d+\.\d+$`).MatchString(r.Since) {
			t.Errorf("%s: Since is %q", r.ID, r.Since)
		}
		if len(r.Sources) == 0 {
			t.Errorf("%s has no source", r.ID)
		}
		for _, s := range r.Sources {
			if s.Clause == "" || !strings.Contains(s.URL, "://") {
				t.Errorf("%s has the source %q, %q", r.ID, s.Clause, s.URL)
			}
		}
		if _, ok := FindEvent(r.Event); r.Event != 0 && !ok {
			t.Errorf("%s: Events has no event %d", r.ID, r.Event)
		}
	}
}

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
		{"ctr-size-domain", v1Kinds, "objects are in both kinds of V1"},
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

// TestFindingsMatchKind validates random bytes as blocks of each kind. Each finding must be of a rule for this kind.
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
