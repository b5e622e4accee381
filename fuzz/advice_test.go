package fuzz_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestAdvice checks the findings in blocks with wrong fields. The number in a field must not already meet the
// requirement of the finding.
func TestAdvice(t *testing.T) {
	t.Parallel()
	forEachKind(t, func(t *testing.T, kind layout.Kind) {
		var validators []*validate.Validator
		for _, p := range validate.Profiles() {
			v, err := validate.New(validate.Options{Profile: p})
			fatal(t, err)
			validators = append(validators, v)
		}
		for seed := range uint64(long.Seeds(100, 1000)) {
			for _, s := range generatedSubjects(t, validators[0], kind, fuzz.Seed(seed)) {
				r := rand.New(rand.NewPCG(seed, 0))
				for range 20 {
					b := s.severalWrong(r)
					for _, v := range validators {
						for _, f := range v.Bytes(kind, b, s.ctx).Findings {
							if met(f) {
								t.Errorf("seed %d: %v\nblock: %x", seed, f, b)
							}
						}
					}
				}
			}
		}
	})
}

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
					s.follow(t, v, s.severalWrong(r))
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
}

// contradictions has pairs of rules about a field, and the field that is wrong instead. The second rule can refuse the
// number that the first one requires.
var contradictions = map[[2]string]string{
	{"obj-total-length-bound", "obj-multi-length"}:             "a ByteLength in the object",
	{"obj-total-length-min", "obj-multi-length"}:               "a ByteLength in the object",
	{"obj-instance-count-bound", "obj-multi-length"}:           "ByteLength of a counter block, which includes the instances after it",
	{"obj-num-counters", "obj-all-base"}:                       "HeaderLength, which leaves out the first counter",
	{"ctr-multi-base-place", "ctr-offset-range"}:               "CounterOffset of the counter before the base, which leaves no space for the base",
	{"ctr-overlap-partial", "ctr-offset-range"}:                "CounterSize, which is too large for the block",
	{"ctr-overlap-partial", "ctr-multi-adjacent"}:              "ByteLength of the block, which ends before the second value of the counter",
	{"v2-counter-count-match", "v2-data-identifier-count"}:     "the number of identifiers of the query",
	{"v2-data-identifier-count", "v2-counter-count-match"}:     "the number of identifiers of the query",
	{"v2-counter-count-bounds", "v2-data-identifier-count"}:    "the number of identifiers of the query",
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

// severalWrong returns a copy of the block in which it overwrites up to three fields, mostly with wrong numbers. Some
// copies are also damaged or truncated.
func (s *subject) severalWrong(r *rand.Rand) []byte {
	b := append([]byte(nil), s.block...)
	if r.IntN(4) == 0 {
		b = fuzz.Damage(fuzz.Seed(r.Uint64()), s.block)
	}
	for range 1 + r.IntN(3) {
		if len(s.fields) == 0 {
			break
		}
		i := r.IntN(len(s.fields))
		part := s.fields[i]
		if !structural[part.Field.Role.Kind] || part.End() > int64(len(b)) {
			continue
		}
		numbers := append(s.wrongNumbers(i), int64(r.IntN(2000)))
		n := numbers[r.IntN(len(numbers))]
		putNumber(b[part.Off():][:part.Len()], n)
	}
	if r.IntN(5) == 0 {
		b = b[:len(b)-r.IntN(min(len(b), 40)+1)]
	}
	return b
}

// met reports whether the number in the Got of a finding meets the requirement in its Want. If Got or Want has no
// number, met returns false.
func met(f validate.Finding) bool {
	got := isNumber.FindStringSubmatch(f.Got)
	r, ok := parseRequirement(f.Want)
	if got == nil || !ok {
		return false
	}
	n, err := strconv.ParseInt(got[1], 10, 64)
	return err == nil && r.allows(n)
}

// TestMet checks that met reads each form of a requirement.
func TestMet(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		got, want string
		met       bool
	}{
		{"Size is 16", "must be 16, the size that the name requires", true},
		{"Size is 16", "must be 24, the size that the name requires", false},
		{"Size is 16", "must be 16, because the number of bytes left is 20", true},
		{"Size is 16", "must be at least 16, and only 12 bytes are left", true},
		{"Size is 8", "must be at least 16", false},
		{"Size is 16", "must be at most 16", true},
		{"Size is 17", "must be at most 16", false},
		{"Size is 16", "must be 16 to 24, the number of bytes left", true},
		{"Size is 24", "must be 16 to 24, the number of bytes left", true},
		{"Size is 25", "must be 16 to 24, the number of bytes left", false},
		{"Size is 15", "must be 16 to 24, the number of bytes left", false},
		{"Size is 24", "must be a multiple of 8", true},
		{"Size is 12", "must be a multiple of 8", false},
		{"Size is 24", "must be a multiple of 8 from 16 to 24, the number of bytes left", true},
		{"Size is 20", "must be a multiple of 8 from 16 to 24, the number of bytes left", false},
		{"Size is 32", "must be a multiple of 8 from 16 to 24, the number of bytes left", false},
		{"Scale is -8", "must be -7 to 7", false},
		{"Scale is -7", "must be -7 to 7", true},
		{"the name is empty", "must be 16", false},
		{"Size is 16", "must be another size", false},
	} {
		if got := met(validate.Finding{Got: tt.got, Want: tt.want}); got != tt.met {
			t.Errorf("%s, %s: %v, want %v", tt.got, tt.want, got, tt.met)
		}
	}
}
