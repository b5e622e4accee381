package fuzz_test

import (
	"fmt"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// No damage is silent: whichever bit of a structural field is wrong, there is a finding
// that there was not before, or what is read is the same, or the new value is as good as
// the old one, which then is one of the few ways there are for that.

// structural are the roles of the fields that are damaged. Of a plain value any number is
// as good as another for all that a block can tell, and what is reserved or padding means
// nothing.
var structural = map[layout.RoleKind]bool{
	layout.Length: true, layout.Offset: true, layout.Count: true, layout.TitleIndex: true,
	layout.Enum: true, layout.Flags: true, layout.Constant: true,
}

func strict(t testing.TB) *validate.Validator {
	t.Helper()
	v, err := validate.New(validate.Options{})
	fatal(t, err)
	return v
}

func FuzzNoSilentDamage(f *testing.F) {
	for i := range layout.Kinds() {
		f.Add(uint8(i), uint16(1), uint8(3), []byte{})
		f.Add(uint8(i), uint16(17), uint8(0), []byte{1, 200, 3, 254, 5, 160, 7, 80, 9, 255, 11, 90, 200, 201, 202, 203, 255, 254})
	}
	v := strict(f)
	f.Fuzz(func(t *testing.T, i uint8, field uint16, bit uint8, data []byte) {
		generatedFlips(t, v, i, field, bit, data)
	})
}

// generatedFlips flips a bit of a field of what the bytes make, in each way that it is judged.
func generatedFlips(t *testing.T, v *validate.Validator, i uint8, field uint16, bit uint8, data []byte) (all []outcome) {
	t.Helper()
	for _, s := range generatedSubjects(t, v, kindOf(i), fuzz.FromBytes(data)) {
		if parts := s.structural(); len(parts) > 0 {
			part := parts[int(field)%len(parts)]
			all = append(all, heldFlip(t, v, s, part, int(bit)%(8*part.Len())))
		}
	}
	return all
}

// heldFlip is come, and fails the test where nobody is told.
func heldFlip(t *testing.T, v *validate.Validator, s *subject, part layout.Part, bit int) outcome {
	t.Helper()
	o, silent := come(t, v, s, part, bit)
	if silent != "" {
		t.Errorf("%s: bit %d of %v: %s", s.name, bit, part.Path, silent)
	}
	return o
}

// come flips a bit and returns what comes of it. Where nobody is told, silent says what is
// another then.
func come(t *testing.T, v *validate.Validator, s *subject, part layout.Part, bit int) (o outcome, silent string) {
	t.Helper()
	f := flip{subject: s, part: part}
	at := part.Off() + int64(bit/8)
	s.scratch[at] ^= 1 << (bit % 8)
	defer func() { s.scratch[at] ^= 1 << (bit % 8) }()
	result := v.Bytes(s.kind, s.scratch, s.ctx)
	fatal(t, result.Unchecked)
	if severity, told := s.worst(part, result); told {
		return outcome{severity: severity}, ""
	}
	f.read(t, result)
	for i := range legalChanges {
		if c := &legalChanges[i]; c.of(fieldOf(part)) && c.is(&f) {
			return outcome{legal: c}, f.strays(c)
		}
	}
	if f.same() {
		return outcome{same: true}, ""
	}
	return outcome{}, fmt.Sprintf("0x%x in place of 0x%x is no legal change, nobody is told, and what is read is not the same: %s", f.is, f.was, f.story())
}

// An outcome is what comes of a flipped bit.
type outcome struct {
	severity validate.Severity // of the worst finding that is new
	legal    *legalChange      // where there is none
	same     bool              // where there is none, and what is read is the same
}

// theSame is what an outcome is called if what is read is the same.
const theSame = "read the same"

// String returns the severity, or what there is in place of a finding.
func (o outcome) String() string {
	switch {
	case o.legal != nil:
		return o.legal.name
	case o.same:
		return theSame
	}
	return o.severity.String()
}
