package validate_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A kind without rules is no way to have a block called good, whatever its bytes are
// and however a caller asks.
func TestKindsWithoutRules(t *testing.T) {
	t.Parallel()
	sound := four(t, layout.DataBlockKind)
	v, err := validate.New(validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range append(layout.Kinds(), layout.Kind(99)) {
		r := v.Bytes(kind, sound, validate.Context{})
		if kind == layout.DataBlockKind && (r.Unjudged != nil || r.Err(validate.Info) != nil) {
			t.Errorf("%v: %v", kind, r)
		}
		if kind.V1() {
			continue
		}
		if len(r.Findings) > 0 || r.Counts != (validate.Counts{Error: 1}) || !errors.Is(r.Unjudged, layout.ErrRange) {
			t.Errorf("%v: %+v", kind, r)
		}
		for _, at := range []validate.Severity{validate.Off, validate.Info, validate.Error} {
			err := r.Err(at)
			if err == nil || !strings.Contains(err.Error(), "kind "+kind.String()+":") || !strings.Contains(err.Error(), "data-block and objects") {
				t.Errorf("%v, at %v: %v", kind, at, err)
			}
		}
	}
	if r := v.Bytes(layout.DataBlockKind, sound, validate.Context{}); r.Unjudged != nil || len(r.Findings) > 0 {
		t.Errorf("what came before is kept: %+v", r)
	}
}
