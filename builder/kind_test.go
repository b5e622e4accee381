package builder_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func TestEveryKindHasAModel(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		m, err := builder.NewModel(kind)
		if err != nil || m.Kind() != kind {
			t.Errorf("%v: the model is of %v, %v", kind, m, err)
		}
	}
	none := layout.Kind(len(layout.Kinds()))
	if m, err := builder.NewModel(none); m != nil || !errors.Is(err, layout.ErrRange) {
		t.Errorf("a model of no kind: %v, %v", m, err)
	}
}

func same[T any](t *testing.T, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		t.Errorf("(-want +got)\n%s", cmp.Diff(want, got))
	}
}
