package fuzz_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/validate"
)

// What has no rule is silent, and that is seen.
func TestSilentDamageIsSeen(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, rule, fixture, field string }{
		{"a length that alone leads to the next record", "inst-length-bound", "peer.yaml", "PERF_INSTANCE_DEFINITION.ByteLength"},
		{"a length within another", "obj-definition-bound", "none.yaml", "PERF_OBJECT_TYPE.DefinitionLength"},
		{"a length that two rules hold, of which one has gone", "data-total-length", "none.yaml", "PERF_DATA_BLOCK.TotalByteLength"},
		{"an offset into a name", "data-system-name-terminator", "header.yaml", "PERF_DATA_BLOCK.SystemNameOffset"},
		{"an offset out of the block", "ctr-offset-range", "transfer.yaml", "PERF_COUNTER_DEFINITION.CounterOffset"},
		{"a place that overlaps another", "ctr-overlap-partial", "system.yaml", "PERF_COUNTER_DEFINITION.CounterOffset"},
		{"a count", "v2-counter-count-match", "answers.yaml", "PERF_DATA_HEADER.dwNumCounters"},
		{"an enumeration", "v2-counter-type-known", "answers.yaml", "PERF_COUNTER_HEADER.dwType"},
		{"a size that is told from others", "v2-multi-instances-size-sum", "names.yaml", "PERF_INSTANCE_HEADER.Size"},
		{"a size of which only the alignment is wrong", "v2-identifier-align", "identifiers.yaml", "PERF_COUNTER_IDENTIFIER.Size"},
		{"a role that the caller knows", "v2-identifier-status", "identifiers.yaml", "PERF_COUNTER_IDENTIFIER.Status"},
		{"an offset to a text", "v2-strings-offset-range", "strings.yaml", "PERF_STRING_COUNTER_HEADER.dwOffset"},
		{"flags that do not go together", "v2-template-attrib-combination", "template.yaml", "PERF_COUNTER_INFO.Attrib"},
		{"a type that fits no reference", "v2-reginfo-ref-type", "reg-set-references.yaml", "PERF_COUNTER_REG_INFO.Type"},
		{"a length that is the sum of two others", "v2-instance-block-name-offset", "instance-block.yaml", "PERF_COUNTERSET_INSTANCE.InstanceNameSize"},
	} {
		v, err := validate.New(validate.Options{Overrides: []validate.Override{{Rule: tt.rule, Severity: validate.Off}}})
		fatal(t, err)
		seen := 0
		for _, s := range fixtureSubjects(t, v, tt.fixture) {
			for _, part := range s.structural() {
				for bit := range 8 * part.Len() {
					if fieldOf(part) != tt.field {
						break
					}
					if _, silent := come(t, v, s, part, bit); silent != "" {
						seen++
					}
				}
			}
		}
		if seen == 0 {
			t.Errorf("%s: without %s no damage of %s in %s is silent", tt.reason, tt.rule, tt.field, tt.fixture)
		}
	}
}

// The classes of legal changes are of fields that there are, each told from the others, and
// each such field says what its change carries with it.
func TestLegalChangesAreSensible(t *testing.T) {
	t.Parallel()
	fields := map[string]bool{}
	for _, r := range allRecords() {
		for i := range r.Fields {
			if f := &r.Fields[i]; structural[f.Role.Kind] {
				fields[r.C+"."+f.Name] = true
			}
		}
	}
	var names []string
	for _, c := range legalChanges {
		if c.reason == "" || slices.Contains(names, c.name) {
			t.Errorf("%q has no reason, or is there twice", c.name)
		}
		names = append(names, c.name)
		for f := range strings.FieldsSeq(c.fields) {
			if carried[f] == "" {
				t.Errorf("%q is a change of %s, which is not said to carry anything", c.name, f)
			}
		}
	}
	for f, models := range carried {
		if !fields[f] || models == "" {
			t.Errorf("%s is no structural field, or carries nothing", f)
		}
	}
}
