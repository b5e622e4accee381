package fuzz_test

import (
	"bytes"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
)

// A perflibForm is a buffer of perflib.h that there is a model of.
type perflibForm struct {
	name    string
	make    func(*fuzz.Source) ([]byte, error)
	decodes func(*testing.T, []byte) (whole, lossy int)
}

var perflibForms = []perflibForm{
	{"query data", func(s *fuzz.Source) ([]byte, error) { return fuzz.QueryData(s, fuzz.Config{}).MarshalBinary() }, func(t *testing.T, b []byte) (int, int) {
		t.Helper()
		return decodes(t, b, &builder.QueryData{PerfTimeStamp: 4711})
	}},
	{"instances", func(s *fuzz.Source) ([]byte, error) { return fuzz.InstanceList(s, fuzz.Config{}).MarshalBinary() }, func(t *testing.T, b []byte) (int, int) {
		t.Helper()
		return decodes(t, b, &builder.InstanceList{{InstanceId: 4711}})
	}},
	{"identifiers", func(s *fuzz.Source) ([]byte, error) { return fuzz.Identifiers(s, fuzz.Config{}).MarshalBinary() }, func(t *testing.T, b []byte) (int, int) {
		t.Helper()
		return decodes(t, b, &builder.Identifiers{{Index: 4711}})
	}},
}

func TestAnyPerflibBytes(t *testing.T) {
	t.Parallel()
	for _, form := range perflibForms {
		var decoded, lossy int
		for seed := range uint64(2 * seeds) {
			valid, err := form.make(fuzz.Seed(seed))
			fatal(t, err)
			a, b := anyPerflibBytes(t, form, damage(seed, valid))
			decoded, lossy = decoded+a, lossy+b
		}
		t.Logf("%s: of %d damaged buffers %d decode whole and %d more with losses", form.name, 2*seeds, decoded, lossy)
		if decoded < seeds/16 || lossy < seeds/16 || decoded+lossy > 15*seeds/8 {
			t.Errorf("%s: the damage is one-sided", form.name)
		}
	}
}

func FuzzAnyPerflibBytes(f *testing.F) {
	for seed := range uint64(64) {
		for i, form := range perflibForms {
			b, err := form.make(fuzz.Seed(seed))
			if err != nil {
				f.Fatal(err)
			}
			f.Add(uint8(i), b)
		}
	}
	f.Fuzz(func(t *testing.T, i uint8, b []byte) {
		anyPerflibBytes(t, perflibForms[int(i)%len(perflibForms)], b)
	})
}

func anyPerflibBytes(t *testing.T, form perflibForm, b []byte) (whole, lossy int) {
	t.Helper()
	before := bytes.Clone(b)
	defer func() {
		if !bytes.Equal(before, b) {
			t.Fatal("reading changed the input")
		}
	}()
	return form.decodes(t, b)
}
