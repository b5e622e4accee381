package builder_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"sync"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestCopiesAreReported checks that types that must not be copied start with a field that go vet
// (copylocks) treats as a lock.
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

func TestHandleErr(t *testing.T) {
	t.Parallel()
	template := compile(t, site())
	if err := errors.Join(template.Handle64(0).Err(), template.Handle32(3).Err()); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{template.Handle32(0).Err(), "value[0]: PERF_COUNTER_BULK_COUNT has a value of 8 bytes, use Template.Handle64"},
		{template.Handle64(4).Err(), "value[4]: the template has 4 counters, the handle must be of value[0] to value[3]"},
		{template.Handle64(math.MaxInt).Err(), fmt.Sprintf("value[%d]: the template has 4 counters, the handle must be of value[0] to value[3]", math.MaxInt)},
		{template.Handle64(1).Err(), "value[1]: PERF_COUNTER_COUNTER has a value of 4 bytes, use Template.Handle32"},
		{template.HandleText(1).Err(), "value[1]: PERF_COUNTER_COUNTER has a value of 4 bytes, use Template.Handle32"},
		{compile(t, builder.NewObject(2).Counter(4, layout.PERF_COUNTER_NODATA)).Handle32(0).Err(), "value[0]: PERF_COUNTER_NODATA has no value"},
		{compile(t, builder.NewObject(2)).Handle32(0).Err(), "value[0]: the template has no counters"},
		{new(builder.Template).Handle32(0).Err(), "the handle is zero, or from a zero template: Template.Handle32, Handle64 and HandleText return valid ones"},
		{builder.Handle64{}.Err(), "the handle is zero, or from a zero template: Template.Handle32, Handle64 and HandleText return valid ones"},
	} {
		if !errors.Is(c.err, builder.ErrForeign) || c.err.Error() != c.want {
			t.Errorf("%v, want %s", c.err, c.want)
		}
	}
}
