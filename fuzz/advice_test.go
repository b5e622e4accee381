package fuzz_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestFollowAdvice writes each number that a finding names into its field, and validates the block again: the number
// that must be there, or the smallest and the largest number that may be there. The number must not break another rule
// of the same or a higher severity, unless that rule was broken before. If a finding allows more than one number, the
// next finding may allow fewer of them.
func TestFollowAdvice(t *testing.T) {
	if raceEnabled {
		t.Skip("takes minutes under the race detector and has one goroutine")
	}
	t.Parallel()
	forEachKind(t, func(t *testing.T, kind layout.Kind) {
		v := strict(t)
		for seed := range uint64(long.Seeds(6, 100)) {
			for _, s := range generatedSubjects(t, v, kind, fuzz.Seed(seed)) {
				for i, part := range s.fields {
					if !part.Field.Role.Structural() {
						continue
					}
					for _, n := range s.wrongNumbers(i) {
						b := bytes.Clone(s.block)
						putNumber(b[part.Off():][:part.Len()], n)
						s.follow(t, v, b)
					}
				}
				r := rand.New(rand.NewPCG(seed, 0))
				for range 20 {
					s.follow(t, v, s.severalWrong(r, 3, s.wrongNumber))
				}
			}
		}
	})
}

// follow writes the numbers that each finding in b names into the field, one at a time.
func (s *subject) follow(t *testing.T, v *validate.Validator, b []byte) {
	t.Helper()
	before := v.Bytes(s.kind, b, s.ctx).Findings
	for _, f := range before {
		allowed, ok := parseRequirement(f.Want)
		if !ok || !isNumber.MatchString(f.Got) || moves[f.Rule.Name] {
			continue
		}
		for _, n := range allowed.ends() {
			repaired := bytes.Clone(b)
			putNumber(repaired[f.Off:][:f.Len], n)
			for _, g := range v.Bytes(s.kind, repaired, s.ctx).Findings {
				if g.Off != f.Off || g.Len != f.Len || g.Severity < f.Severity || contradictions[[2]string{f.Rule.Name, g.Rule.Name}] != "" {
					continue
				}
				known := slices.ContainsFunc(before, func(h validate.Finding) bool { return h.Rule == g.Rule && h.Path == g.Path })
				next, ok := parseRequirement(g.Want)
				if ok && (g.Rule == f.Rule || !known) && !next.narrows(allowed) {
					t.Errorf("%v\nand with %d: %v\nblock: %x", f, n, g, b)
				}
			}
		}
	}
}

// moves has rules that require a shorter or a longer record. The records after it must then move, which follow does not
// do.
var moves = map[string]bool{
	// They require another counter or instance.
	"obj-no-counters": true, "v2-no-counters": true, "v2-multi-counters-empty": true, "v2-multi-instances-empty": true,
	"v2-reginfo-no-counters": true, "v2-template-no-counters": true,
	// They require that bytes are removed.
	"blk-slack": true, "blk-length-uniform": true, "obj-metadata-single-body": true, "v2-instance-header-slack": true,
	"v2-identifier-name-superfluous": true,
}

// contradictions has pairs of rules about a field, and the field that is wrong instead. The second rule can refuse the
// number that the first one requires.
var contradictions = map[[2]string]string{
	{"obj-total-length-bound", "obj-multi-length"}:             "a ByteLength in the object",
	{"obj-total-length-min", "obj-multi-length"}:               "a ByteLength in the object",
	{"obj-multi-length", "obj-total-length-bound"}:             "ByteLength of the last block, whose padding is missing at the end of the input",
	{"obj-instance-count-bound", "obj-multi-length"}:           "ByteLength of a counter block, which includes the instances after it",
	{"obj-num-counters", "obj-all-base"}:                       "HeaderLength, which leaves out the first counter",
	{"blk-length-uniform", "blk-slack"}:                        "ByteLength of the first counter block",
	{"ctr-multi-base-place", "ctr-offset-range"}:               "CounterOffset of the counter before the base, which leaves no space for the base",
	{"ctr-overlap-partial", "ctr-offset-range"}:                "CounterSize, which is too large for the block",
	{"ctr-overlap-partial", "ctr-multi-adjacent"}:              "ByteLength of the block, which ends before the second value of the counter",
	{"v2-counter-count-match", "v2-data-identifier-count"}:     "the number of identifiers of the query",
	{"v2-data-identifier-count", "v2-counter-count-match"}:     "the number of identifiers of the query",
	{"v2-counter-count-bounds", "v2-data-identifier-count"}:    "the number of identifiers of the query",
	{"v2-data-identifier-count", "v2-counter-count-bounds"}:    "the number of identifiers of the query",
	{"v2-counter-data-width-type", "v2-counter-data-datasize"}: "dwSize, which is too small for the value",
	{"v2-counter-data-datasize", "v2-counter-data-width-type"}: "dwSize, which is too small for the value",
	{"v2-strings-bounds", "v2-strings-gap"}:                    "dwSize, which ends before the entries",
	{"v2-counter-size-align", "v2-counter-size-sum"}:           "the size of a record in the result",
	{"v2-instance-header-align", "v2-instance-list-cover"}:     "Size of another instance of the list",
}

// putNumber writes n into a field in little-endian byte order. If the field is too short for n, it gets the low bytes.
func putNumber(field []byte, n int64) {
	for i := range field {
		field[i] = byte(n >> (8 * i))
	}
}
