package builder_test

import (
	"reflect"
	"sync"
	"testing"

	"github.com/perfblock/perfblock/builder"
)

// TestCopiesAreReported holds what must not be copied to a first field that go vet
// (copylocks) takes for a lock.
func TestCopiesAreReported(t *testing.T) {
	t.Parallel()
	for _, typ := range []reflect.Type{reflect.TypeFor[builder.Fill](), reflect.TypeFor[builder.Refresh](), reflect.TypeFor[builder.CounterBlock]()} {
		first := typ.Field(0).Type
		if first.Size() != 0 || first.Implements(reflect.TypeFor[sync.Locker]()) || !reflect.PointerTo(first).Implements(reflect.TypeFor[sync.Locker]()) {
			t.Errorf("go vet does not report a copy of a %v: its first field is a %v", typ, first)
		}
		if _, exported := reflect.PointerTo(typ).MethodByName("Lock"); exported {
			t.Errorf("%v has a method Lock", typ)
		}
	}
}
