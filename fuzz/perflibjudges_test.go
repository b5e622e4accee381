package fuzz_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// The two judges meet for the kinds of perflib.h too.

// TestPerflibJudgeAndDecoder damages buffers and asks both.
func TestPerflibJudgeAndDecoder(t *testing.T) {
	t.Parallel()
	for _, kind := range perflibKinds {
		v := strict(t)
		var sound, broken int
		for seed := range uint64(2 * seeds) {
			if perflibJudgesAgree(t, v, kind, damaged(t, seed, kind)) {
				sound++
			} else {
				broken++
			}
		}
		if t.Logf("%v: %d buffers without error, %d with", kind, sound, broken); sound < seeds/16 || broken < seeds/16 {
			t.Errorf("%v: the damage is one-sided", kind)
		}
	}
}

func FuzzPerflibJudgeAndDecoder(f *testing.F) {
	for seed := range uint64(64) {
		for i, kind := range perflibKinds {
			b, err := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{}).MarshalBinary()
			if err != nil {
				f.Fatal(err)
			}
			f.Add(uint8(i), b)
		}
	}
	f.Fuzz(func(t *testing.T, i uint8, b []byte) {
		perflibJudgesAgree(t, strict(t), perflibKinds[int(i)%len(perflibKinds)], b)
	})
}

func strict(t *testing.T) *validate.Validator {
	t.Helper()
	v, err := validate.New(validate.Options{})
	fatal(t, err)
	return v
}

// perflibJudgesAgree is judgesAgree for kinds of perflib.h, of which there is a model of
// all that has no error. The validator may have judged others before.
func perflibJudgesAgree(t *testing.T, v *validate.Validator, kind layout.Kind, b []byte) bool {
	t.Helper()
	result := validate.Bytes(kind, b, validate.Context{})
	for _, f := range result.Findings {
		if f.Off < 0 || f.Len < 0 || f.Off+int64(f.Len) > int64(len(b)) {
			t.Fatalf("%v is of %d bytes, outside the input of %d", f, f.Len, len(b))
		}
		if f.Got == "" || f.Want == "" {
			t.Fatalf("%v lacks what is or what should be", f)
		}
	}
	for range 2 {
		again := v.Bytes(kind, b, validate.Context{})
		if !slices.Equal(again.Findings, result.Findings) || again.Counts != result.Counts {
			t.Fatalf("%v: a validator that has judged others says\n%v\nand a new one\n%v\n% x", kind, again.Err(validate.Info), result.Err(validate.Info), b)
		}
	}
	if result.Counts.Error > 0 {
		if untouched(t, kind).UnmarshalBinary(b) == nil {
			t.Fatalf("%v: there are errors in what decodes: %v\n% x", kind, result.Err(validate.Error), b)
		}
		return false
	}
	if _, err := untouched(t, kind).UnmarshalLossy(b); err != nil {
		t.Fatalf("%v: no error is found in what does not decode: %v\nfound: %v\n% x", kind, err, result.Err(validate.Info), b)
	}
	return true
}

// TestSetIsJudgedAsMeant holds what is said of what is built against what the models predict.
func TestSetIsJudgedAsMeant(t *testing.T) {
	t.Parallel()
	rules := map[string]int{}
	for seed := range uint64(seeds) {
		for kind := range setPredictions {
			for _, s := range setAsMeant(t, kind, fuzz.Seed(seed)) {
				rules[s.rule]++
			}
		}
	}
	if t.Logf("%d rules have something to say: %v", len(rules), rules); len(rules) < 34 {
		t.Errorf("only %d rules have something to say of what is generated", len(rules))
	}
}

func FuzzSetIsJudgedAsMeant(f *testing.F) {
	addBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for kind := range setPredictions {
			setAsMeant(t, kind, fuzz.FromBytes(data))
		}
	})
}

func setAsMeant(t *testing.T, kind layout.Kind, s *fuzz.Source) (got []said) {
	t.Helper()
	m := fuzz.Model(kind, s, fuzz.Config{})
	b, err := m.MarshalBinary()
	fatal(t, err)
	result := validate.Bytes(kind, b, validate.Context{})
	if err := result.Err(validate.Error); err != nil {
		t.Fatalf("what was built has errors: %v\n% x", err, b)
	}
	for _, f := range result.Findings {
		got = append(got, said{f.Rule.Name, f.Path.String()})
	}
	var p prediction
	setPredictions[kind](&p, m)
	sortSaid(got)
	sortSaid(p.list)
	if diff := cmp.Diff(p.list, got, cmp.AllowUnexported(said{}), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("what is said of a %v (-predicted +said):\n%s\n% x", kind, diff, b)
	}
	return got
}

// setPredictions has what predicts the findings of each kind.
var setPredictions = map[layout.Kind]func(*prediction, builder.Model){
	layout.QueryDataKind:     func(p *prediction, m builder.Model) { p.queryData(m.(*builder.QueryData)) },
	layout.InstancesKind:     func(p *prediction, m builder.Model) { p.named(layout.Path{}, *m.(*builder.InstanceList)) },
	layout.IdentifiersKind:   func(p *prediction, m builder.Model) { p.identifiers(*m.(*builder.Identifiers)) },
	layout.StringsKind:       func(p *prediction, m builder.Model) { p.strings(m.(*builder.Strings)) },
	layout.GUIDsKind:         func(p *prediction, m builder.Model) { p.guids(*m.(*builder.GUIDs)) },
	layout.RegSetKind:        func(p *prediction, m builder.Model) { p.regSet(m.(*builder.RegSet)) },
	layout.RegCounterKind:    func(p *prediction, m builder.Model) { p.regCounter(0, m.(*builder.RegCounter), nil) },
	layout.RegStringKind:     func(*prediction, builder.Model) {},
	layout.RegGUIDKind:       func(*prediction, builder.Model) {},
	layout.TemplateKind:      func(p *prediction, m builder.Model) { p.template(m.(*builder.SetTemplate)) },
	layout.InstanceBlockKind: func(*prediction, builder.Model) {},
}
