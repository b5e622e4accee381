package fuzz_test

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/dump"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestWrongFields writes wrong numbers into several fields of a block at once, and passes the block to each reader: the
// validator, layout.Walk, the decoder and dump. The blocks are generated blocks of each kind, and the fixtures.
func TestWrongFields(t *testing.T) {
	v := strict(t)
	list := wrongSubjects(t, v)
	if !raceEnabled { // the race detector allocates memory
		for _, s := range list { // before t.Parallel, because other tests allocate memory too
			s.measureMemory(t)
		}
	}
	t.Parallel()
	forEachKind(t, func(t *testing.T, kind layout.Kind) {
		c := newFieldChecker(t)
		cases := long.Seeds(2, 20)
		for i, s := range list {
			if s.kind == kind {
				c.check(t, s, uint64(i), 5*cases)
			}
		}
		for seed := range uint64(50 * cases) {
			for _, s := range generatedSubjects(t, c.strict, kind, fuzz.Seed(seed)) {
				c.check(t, s, seed, 10)
			}
		}
		t.Logf("%d blocks with %d findings", c.blocks, c.findings)
		if c.findings < c.blocks && kind != layout.GUIDsKind && kind != layout.RegGUIDKind && kind != layout.RegStringKind { // they have no structural fields
			t.Error("most blocks have no finding")
		}
	})
}

// wrongSubjects returns the fixtures in testdata: the valid specs, and the broken and the valid block of each rule. It
// leaves out fixtures of more than 4096 bytes, which have many equal records.
func wrongSubjects(t *testing.T, v *validate.Validator) []*subject {
	t.Helper()
	list := fixtureSubjects(t, v)
	cases, err := fixture.RuleCases("../testdata/rules")
	fatal(t, err)
	for _, c := range cases {
		list = append(list, plainSubject(c.Rule, c.Kind, c.Broken, c.Context), plainSubject(c.Rule, c.Kind, c.Near, c.Context))
	}
	return slices.DeleteFunc(list, func(s *subject) bool { return len(s.block) > 4096 })
}

// A fieldChecker passes blocks with wrong fields to the readers.
type fieldChecker struct {
	strict   *validate.Validator
	others   []*validate.Validator // with the other profiles
	blocks   int
	findings int
}

func newFieldChecker(t *testing.T) *fieldChecker {
	t.Helper()
	c := &fieldChecker{strict: strict(t)}
	for _, p := range validate.Profiles() {
		if p != validate.Strict {
			v, err := validate.New(validate.Options{Profile: p})
			fatal(t, err)
			c.others = append(c.others, v)
		}
	}
	return c
}

// check reads n blocks with wrong fields.
func (c *fieldChecker) check(t *testing.T, s *subject, seed uint64, n int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, uint64(s.kind)))
	if len(s.structural()) == 0 {
		n = 1 + n/20 // the block is only damaged or truncated
	}
	for range n {
		c.checkBlock(t, s, s.severalWrong(r, 4, s.nearNumber))
	}
}

// checkBlock passes one block to the readers. On a failure, it reports the block.
func (c *fieldChecker) checkBlock(t *testing.T, s *subject, b []byte) {
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("panic: %v\n%s", p, debug.Stack())
			t.Fatalf("%s, %v: %x", s.name, s.kind, b)
		}
		if t.Failed() {
			t.Fatalf("%s, %v: %x", s.name, s.kind, b)
		}
	}()
	result := c.strict.Bytes(s.kind, b, s.ctx)
	checkFindings(t, b, result)
	var zero validate.Validator
	sameResult(t, zero.Bytes(s.kind, b, s.ctx), result)
	checkFindings(t, b, c.others[c.blocks%len(c.others)].Bytes(s.kind, b, s.ctx))
	agrees(t, s.kind, b)
	if c.blocks%16 == 0 { // they take much longer
		anyBytes(t, s.kind, b)
		for _, f := range dump.Formats() {
			_, err := f.Write(io.Discard, s.kind, b, dump.Options{Findings: result.Findings})
			fatal(t, err)
		}
	}
	c.blocks++
	c.findings += result.Counts.AtLeast(validate.Info)
}

// checkFindings checks the places of the findings in b and their number. A number that a finding reports must be in the
// field, and must not meet the requirement of the finding. Two findings must not require different numbers.
func checkFindings(t *testing.T, b []byte, r validate.Result) {
	fatal(t, r.Unchecked)
	if n := r.Counts.AtLeast(validate.Info); n > mostFindings(len(b)) {
		t.Fatalf("%d findings in %d bytes, must be at most %d", n, len(b), mostFindings(len(b)))
	}
	for i, f := range r.Findings {
		switch {
		case f.Off < 0 || f.Len < 0 || f.Off+int64(f.Len) > int64(len(b)):
			t.Fatalf("%v has %d bytes, outside the input of %d bytes", f, f.Len, len(b))
		case f.Got == "" || f.Want == "":
			t.Fatalf("%v lacks Got or Want", f)
		case met(f):
			t.Errorf("%v: the number meets the requirement", f)
		case !inField(f, b):
			t.Errorf("%v: the field has another number", f)
		}
		for k := i - 1; k >= 0 && r.Findings[k].Off == f.Off; k-- {
			if g := r.Findings[k]; contradict(g, f) && contradictions[[2]string{g.Rule.Name, f.Rule.Name}] == "" {
				t.Errorf("the findings require two numbers:\n%v\n%v", g, f)
			}
		}
	}
}

// contradict reports whether each of two findings requires one number for the same field, and the numbers differ.
func contradict(f, g validate.Finding) bool {
	if f.Path != g.Path || !isNumber.MatchString(f.Got) || !isNumber.MatchString(g.Got) {
		return false
	}
	one, ok := parseRequirement(f.Want)
	other, known := parseRequirement(g.Want)
	return ok && known && one.least == one.most && other.least == other.most && one != other
}

// inField reports whether the number that a finding reports is in the field of the finding. If the finding reports no
// number in a field, inField returns true.
func inField(f validate.Finding, b []byte) bool {
	got, steps := isNumber.FindStringSubmatch(f.Got), f.Path.Elems()
	if got == nil || len(steps) == 0 || !strings.HasPrefix(f.Got, steps[len(steps)-1].Name+got[0]) {
		return true
	}
	n, err := strconv.ParseInt(got[1], 10, 64)
	field := make([]byte, f.Len)
	putNumber(field, n)
	return err != nil || bytes.Equal(field, b[f.Off:][:f.Len])
}

// mostFindings returns the largest number of findings in a block of n bytes.
func mostFindings(n int) int { return 2 + n/4 }

// measureMemory reads blocks with wrong fields. It checks that the length of a block bounds the memory that each reader
// allocates, whatever the numbers in the fields are.
func (s *subject) measureMemory(t *testing.T) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(len(s.block)), 0))
	v := strict(t)
	for range long.Count(4, 20) {
		b := s.severalWrong(r, 4, s.nearNumber)
		for _, reader := range []struct {
			name           string
			perByte, fixed uint64
			read           func()
		}{
			{"validate", 16, 16 << 10, func() { v.Bytes(s.kind, b, s.ctx) }},
			{"UnmarshalLossy", 64, 8 << 10, func() { _, _ = empty(t, s.kind).UnmarshalLossy(b) }},
			{"Walk", 16, 4 << 10, func() {
				for range layout.Walk(s.kind, b) {
				}
			}},
			{"dump", 128, 3<<16 + 16<<10, // each format has a buffer of 65536 bytes
				func() {
					for _, f := range dump.Formats() {
						_, _ = f.Write(io.Discard, s.kind, b, dump.Options{})
					}
				}},
		} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			reader.read()
			runtime.ReadMemStats(&after)
			n := after.TotalAlloc - before.TotalAlloc
			if most := reader.fixed + reader.perByte*uint64(len(b)); n > most {
				t.Errorf("%s allocates %d bytes, must allocate at most %d, for %v of %d bytes: %x", reader.name, n, most, s.kind, len(b), b)
			}
		}
	}
}

// severalWrong returns a copy of the block in which it overwrites one to `most` lengths, offsets and counts. In one case
// of eight, it overwrites any fields with a structural role. Most fields are close to another of them. number returns a
// number for a field. Some copies are also damaged or truncated.
func (s *subject) severalWrong(r *rand.Rand, most int, number func(r *rand.Rand, part layout.Part) int64) []byte {
	b := bytes.Clone(s.block)
	if r.IntN(4) == 0 {
		b = fuzz.Damage(fuzz.Seed(r.Uint64()), s.block)
	}
	if s.places == nil {
		s.places = slices.DeleteFunc(s.structural(), func(part layout.Part) bool { return !part.Field.Role.Structural() })
	}
	fields := s.places
	if r.IntN(8) == 0 {
		fields = s.structural()
	}
	if len(fields) > 0 {
		at := r.IntN(len(fields))
		for range 1 + r.IntN(most) {
			if part := fields[at]; part.End() <= int64(len(b)) {
				putNumber(b[part.Off():][:part.Len()], number(r, part))
			}
			if r.IntN(4) == 0 {
				at = r.IntN(len(fields))
			} else {
				at = max(0, min(at+r.IntN(5)-2, len(fields)-1))
			}
		}
	}
	if r.IntN(6) == 0 {
		b = b[:len(b)-r.IntN(min(len(b), 40)+1)]
	}
	return b
}

// wrongNumber returns one of the wrongNumbers of a field, or a small number.
func (s *subject) wrongNumber(r *rand.Rand, part layout.Part) int64 {
	numbers := append(s.wrongNumbers(s.byPath[part.Path]), int64(r.IntN(2000)))
	return numbers[r.IntN(len(numbers))]
}

// nearNumber returns a number for a field. Most numbers are close to one that the field may have: the old number, the
// number in another field, or the distance to another record or to the end of the block.
func (s *subject) nearNumber(r *rand.Rand, part layout.Part) int64 {
	another := s.fields[r.IntN(len(s.fields))]
	number, _ := part.Int()
	switch r.IntN(7) {
	case 0:
		special := []int64{0, 1, -1, -2, -3, math.MaxInt32, math.MinInt32, math.MaxUint32/int64(part.Record.Size) + 1}
		return special[r.IntN(len(special))]
	case 1:
		number, _ = another.Int()
	case 2:
		number = another.Base() - part.Base()
	case 3:
		number = int64(len(s.block)) - part.Base()
	}
	steps := []int64{0, 1, -1, 4, -4, 8, -8}
	return number + steps[r.IntN(len(steps))]
}
