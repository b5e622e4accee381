package definition

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// registrationRules maps a rule about manifests to the rule about registrations that has the same requirement.
var registrationRules = map[string]string{
	"manifest-ref-unknown":           "v2-reginfo-ref-exists",
	"manifest-ref-missing":           "v2-reginfo-ref-missing",
	"manifest-ref-missing-multi":     "v2-reginfo-ref-missing-multi",
	"manifest-ref-type":              "v2-reginfo-ref-type",
	"manifest-scale":                 "v2-reginfo-scale",
	"manifest-attribute-combination": "v2-reginfo-attrib-combination",
	"manifest-aggregate-unused":      "v2-reginfo-aggregate-unused",
	"manifest-id-wildcard":           "v2-reginfo-counter-id-wildcard",
}

// TestRegistrationsAgree checks that rules about manifests and rules about registrations agree on random sets.
func TestRegistrationsAgree(t *testing.T) {
	t.Parallel()
	states := make(map[string]bool)
	for _, name := range registrationRules {
		states[name] = true
	}
	found := make(map[string]int)
	for seed := range uint64(long.Count(1000, 3000)) {
		set := newRandom(seed).references()
		p := &Provider{Name: "P", CounterSets: []CounterSet{*set}}
		file := &File{Form: Manifest, Provider: p, manifest: &manifest{}}
		want, got := make(map[string]int), make(map[string]int)
		for _, f := range file.findings() {
			if name, is := registrationRules[f.Rule.Name]; is {
				want[name+" "+counterOfPath(f)]++
			}
		}
		for _, f := range validate.Bytes(layout.RegSetKind, set.registration(), validate.Context{}).Findings {
			if states[f.Rule.Name] {
				got[f.Rule.Name+" "+counterOfPath(f)]++
			}
		}
		if diff := cmp.Diff(got, want); diff != "" {
			t.Fatalf("seed %d: findings per counter (-registration +manifest):\n%s\n%+v", seed, diff, set.Counters)
		}
		for key := range got {
			rule, _, _ := strings.Cut(key, " ")
			found[rule]++
		}
	}
	for name := range states {
		if found[name] == 0 {
			t.Errorf("no set has a finding of %s: %v", name, maps.Keys(found))
		}
	}
}

// counterOfPath returns the counter in the path of a finding, such as counter[1].
func counterOfPath(f validate.Finding) string {
	for _, step := range f.Path.Elems() {
		if step.Name == "counter" {
			return fmt.Sprint(step)
		}
	}
	return ""
}

// references returns a random set with right and wrong references of each kind.
func (r random) references() *CounterSet {
	var types []layout.CounterType
	for _, w := range typeWords {
		types = append(types, w.value)
	}
	s := &CounterSet{Name: Text{Neutral: "S"}, Instances: instanceWords[r.IntN(len(instanceWords))].value}
	targets := []layout.CounterType{layout.PERF_COUNTER_LARGE_RAWCOUNT, layout.PERF_COUNTER_RAWCOUNT}
	for i := range 2 + r.IntN(5) {
		c := Counter{ID: uint32(i), Type: types[r.IntN(len(types))], Scale: int32(r.IntN(23) - 11), Attributes: layout.Attrib(r.IntN(32)), Aggregate: layout.AggregateFunc(r.IntN(5))}
		if r.sometimes(40) {
			c.ID = wildcard
		}
		if base, is := c.Type.Base(); is {
			targets = append(targets, base)
		}
		s.Counters = append(s.Counters, c)
	}
	for _, target := range targets {
		s.Counters = append(s.Counters, Counter{ID: uint32(len(s.Counters)), Type: target})
	}
	for i := range s.Counters {
		for _, ref := range s.Counters[i].references() {
			if !r.sometimes(3) {
				*ref.to = "#" + decimal(r.Uint32N(uint32(len(s.Counters))+1))
			}
		}
	}
	return s
}

// registration returns the PERF_COUNTERSET_REG_INFO that Windows makes from a set with ids in its references.
func (s *CounterSet) registration() []byte {
	// Package builder refuses wrong references, so package wire writes the bytes.
	b := wire.CounterSetRegInfo{InstanceType: s.Instances, DetailLevel: layout.PERF_DETAIL_NOVICE, NumCounters: uint32(len(s.Counters))}.Append(nil)
	for i := range s.Counters {
		c := &s.Counters[i]
		id := func(ref string) uint32 {
			if id, is := idReference(ref); is {
				return id
			}
			return 0xFFFFFFFF
		}
		b = wire.CounterRegInfo{
			CounterId: c.ID, Type: c.Type, Attrib: c.Attributes, DetailLevel: c.Level(), DefaultScale: c.Scale, AggregateFunc: c.Aggregate,
			BaseCounterId: id(c.Base), PerfTimeId: id(c.PerfTime), PerfFreqId: id(c.PerfFreq), MultiId: id(c.Multi),
		}.Append(b)
	}
	return b
}
