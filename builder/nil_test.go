package builder_test

import (
	"errors"
	"testing"

	"github.com/perfblock/perfblock/builder"
)

// What is nil is refused in words: by an error where one is returned.
func TestNil(t *testing.T) {
	t.Parallel()
	_, object := (*builder.Object)(nil).Compile()
	if want := "no object to compile"; !errors.Is(object, builder.ErrCount) || object.Error() != want {
		t.Errorf("%v, want %s", object, want)
	}
	for want, add := range map[string]func(){
		"builder: a nil Object to be added to a DataBlock": func() { new(builder.DataBlock{}).Add(builder.NewObject(2), nil) },
		"builder: a nil Result to be added to a QueryData": func() { new(builder.QueryData{}).Add(builder.CounterSet(), nil) },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panic %v, want %s", got, want)
				}
			}()
			add()
		}()
	}
}
