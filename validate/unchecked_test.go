package validate_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// What was not looked at is not called good, whatever its bytes are and however a caller
// asks: a block of no kind, and one whose context cannot be read.
func TestWhatIsNotJudged(t *testing.T) {
	t.Parallel()
	sound := four(t, layout.DataBlockKind)
	v, err := validate.New(validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cut := clockwork().bytes()
	for _, tt := range []struct {
		reason string
		kind   layout.Kind
		ctx    validate.Context
		is     error
		says   string
	}{
		{"no kind", layout.Kind(99), validate.Context{}, layout.ErrRange, "no rules for the kind 99"},
		{"a registration that is cut off", layout.InstanceBlockKind, validate.Context{Registrations: [][]byte{cut, cut[:40]}}, layout.ErrShort, "registration 1 of the context: "},
		{"identifiers that are cut off", layout.QueryDataKind, validate.Context{Identifiers: make([]byte, 39)}, layout.ErrShort, "the identifiers of the context: "},
	} {
		r := v.Bytes(tt.kind, eleven().bytes(), tt.ctx)
		if len(r.Findings) > 0 || r.Counts != (validate.Counts{Error: 1}) || !errors.Is(r.Unchecked, tt.is) {
			t.Errorf("%s: %+v", tt.reason, r)
		}
		for _, at := range []validate.Severity{validate.Off, validate.Info, validate.Error} {
			if err := r.Err(at); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%s, at %v: %v", tt.reason, at, err)
			}
		}
		if r := v.Bytes(layout.DataBlockKind, sound, validate.Context{}); r.Unchecked != nil || len(r.Findings) > 0 {
			t.Errorf("%s: what came before is kept: %+v", tt.reason, r)
		}
	}
}

// TestEveryKindIsJudged has a byte, which is a block of no kind.
func TestEveryKindIsJudged(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		if r := validate.Bytes(kind, []byte{1}, validate.Context{}); r.Unchecked != nil || r.Counts.Error == 0 {
			t.Errorf("a byte as %v: %+v", kind, r)
		}
	}
}
