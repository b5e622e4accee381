package layout_test

import (
	"testing"

	"github.com/perfblock/perfblock/layout"
)

// TestInstanceBeforeItsBrokenValues checks that All yields an instance with a broken value before the fault.
func TestInstanceBeforeItsBrokenValues(t *testing.T) {
	t.Parallel()
	b := perflibBytes(t, "query")
	le.PutUint32(b[0x16C:], 7)
	var got []string
	q := readQuery(t, b)
	for r := range q.Results() {
		in, err := r.Instances()
		if err != nil {
			t.Fatal(err)
		}
		for one, err := range in.All() {
			if err != nil {
				got = append(got, "fault "+err.Error())
				continue
			}
			for v, err := range one.Values() {
				if err != nil {
					got = append(got, err.Error())
					continue
				}
				got = append(got, v.Path().String())
			}
		}
	}
	fault := "result[4].instance[0].data[1].dwSize at 0x16c: 7 is less than the 8 bytes of a PERF_COUNTER_DATA"
	want := []string{"result[3].instance[0].data[0]", "result[3].instance[1].data[0]", "result[4].instance[0].data[0]", fault, "fault " + fault}
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
}

// TestPerflibCursorsStopEarly stops iteration with break. If an iterator calls yield again after the break, the
// loop panics.
func TestPerflibCursorsStopEarly(t *testing.T) {
	t.Parallel()
	q := readQuery(t, perflibBytes(t, "query"))
	for r := range q.Results() {
		ids, _ := r.IDs()
		for range ids.All() {
			break
		}
		for range r.Values() {
			break
		}
		in, _ := r.Instances()
		for one := range in.All() {
			for range one.Values() {
				break
			}
			break
		}
	}
	for range q.Results() {
		break
	}
	for range layout.ReadInstanceHeaders(instances100) {
		break
	}
	for range layout.ReadCounterIdentifiers(identifiers100) {
		break
	}
	for range layout.ReadGUIDs(instances100) {
		break
	}
	s, _ := layout.ReadStringBuffer(strings100)
	for range s.Entries() {
		break
	}
	set, _ := layout.ReadCounterSetRegInfo(regSet100)
	for range set.Counters() {
		break
	}
	template, _ := layout.ReadCounterSetInfo(template100)
	for range template.Counters() {
		break
	}
	in, _ := layout.ReadCounterSetInstance(setInstance100)
	for range in.Slots() {
		break
	}
}

// TestPerflibViewsEnd checks that a view ends with its last part, even if the input has more
// bytes.
func TestPerflibViewsEnd(t *testing.T) {
	t.Parallel()
	trailing := make([]byte, 200)
	set, _ := layout.ReadCounterSetRegInfo(append(perflibBytes(t, "registered set"), trailing...))
	counter, _ := layout.ReadCounterRegInfo(append(perflibBytes(t, "registered counter"), trailing...))
	template, _ := layout.ReadCounterSetInfo(append(perflibBytes(t, "template"), trailing...))
	for _, tt := range []struct {
		view layout.Span
		len  int
	}{{set.Span, 32 + 2*48}, {counter.Span, 48}, {template.Span, 40 + 2*32}} {
		if tt.view.Len() != tt.len || cap(tt.view.Bytes()) != tt.len {
			t.Errorf("%d bytes with room for %d, want %d", tt.view.Len(), cap(tt.view.Bytes()), tt.len)
		}
	}
	// If the input ends inside a counter, the view is the whole input.
	b := perflibBytes(t, "template")
	short, err := layout.ReadCounterSetInfo(b[:len(b)-1])
	if err != nil || short.Len() != len(b)-1 {
		t.Errorf("%d bytes, %v", short.Len(), err)
	}
}
