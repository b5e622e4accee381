package layout_test

import (
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// Offsets count from the start of the buffer, unless all strings lie in it only when they
// count from the end of the entries.
func TestBaseOfStrings(t *testing.T) {
	t.Parallel()
	const first = 8 + 8*3
	for _, tt := range []struct {
		offsets [3]uint32
		base    int64
		reason  string
	}{
		{[3]uint32{32, 38, 44}, 0, "from the start"},
		{[3]uint32{44, 38, 32}, 0, "in any order"},
		{[3]uint32{0, 6, 12}, first, "from the entries"},
		{[3]uint32{most, most, 0}, first, "one is enough"},
		{[3]uint32{0, 34, 36}, first, "two would do either way, but not the first"},
		{[3]uint32{32, 34, 36}, 0, "all would do either way"},
		{[3]uint32{0, 34, 38}, 0, "one way leaves out the first, the other the last"},
		{[3]uint32{38, 0, 0}, 0, "one way leaves out two, the other the first"},
		{[3]uint32{0, 37, most}, first, "the last byte"},
		{[3]uint32{most, most, most}, 0, "no strings"},
		{[3]uint32{31, most, most}, first, "one less than the strings"},
		{[3]uint32{most - 1, most, most}, 0, "four billion"},
	} {
		b := stringBuffer(3, 0)
		b = append(b, make([]byte, 20)...)
		le.PutUint32(b, uint32(len(b))) // 70
		for i, offset := range tt.offsets {
			le.PutUint32(b[12+8*i:], offset)
		}
		s, err := layout.ReadStringBuffer(b)
		if err != nil || s.Base() != tt.base {
			t.Errorf("%v: base %d, %v, want %d: %s", tt.offsets, s.Base(), err, tt.base, tt.reason)
		}
		for e := range s.Entries() {
			text, err := e.Text()
			at := tt.base + int64(e.DwOffset())
			if want := at >= first && at < 70; e.DwOffset() != layout.NoString && (err == nil) != want || err == nil && text.Len() > 0 && text.Off() != at {
				t.Errorf("%v: %v at %d, %v: %s", tt.offsets, e.Path(), text.Off(), err, tt.reason)
			}
			if e.DwOffset() == layout.NoString && (err != nil || text.Len() != 0) {
				t.Errorf("%v: %v has %d bytes, %v: %s", tt.offsets, e.Path(), text.Len(), err, tt.reason)
			}
		}
	}
}

// A string that is empty has a NUL, one that there is not has no bytes.
func TestEmptyIsNotNone(t *testing.T) {
	t.Parallel()
	b := stringBuffer(1, 8+8+4)
	s, err := layout.ReadStringBuffer(b)
	if err != nil {
		t.Fatal(err)
	}
	for e := range s.Entries() {
		if text, err := e.Text(); err != nil || text.Len() != 2 {
			t.Errorf("%d bytes, %v", text.Len(), err)
		}
	}
	b = wire.CounterIdentifier{Size: 48}.Append(nil)
	b = wire.CounterIdentifier{Size: 40}.Append(append(b, make([]byte, 8)...))
	var lens []int
	for id := range layout.ReadCounterIdentifiers(b) {
		lens = append(lens, id.Name().Len())
	}
	if len(lens) != 2 || lens[0] != 2 || lens[1] != 0 {
		t.Errorf("names of %v bytes", lens)
	}
}

// The values of an instance stand between the structure and the name.
func TestSlots(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		offset uint32
		slots  int
		reason string
	}{
		{48, 2, "as it was"},
		{47, 1, "one short"},
		{40, 1, "the name in place of a value"},
		{32, 0, "no counters"},
		{31, 0, "in the structure"},
		{0, 0, "at the structure"},
		{56, 3, "at the end"},
		{57, 0, "behind the end"},
		{most, 0, "four billion"},
	} {
		b := perflibBytes(t, "set instance")
		le.PutUint32(b[0x18:], tt.offset)
		in, err := layout.ReadCounterSetInstance(b)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for slot := range in.Slots() {
			if slot.Off() != int64(32+8*n) || slot.Len() != 8 {
				t.Errorf("slot %d: %d bytes at %d", n, slot.Len(), slot.Off())
			}
			n++
		}
		if n != tt.slots {
			t.Errorf("name at %d: %d slots, want %d: %s", tt.offset, n, tt.slots, tt.reason)
		}
	}
}

// A name of no bytes may be said to stand anywhere.
func TestSetInstanceWithoutName(t *testing.T) {
	t.Parallel()
	b := perflibBytes(t, "set instance")
	le.PutUint32(b[0x18:], 0)
	le.PutUint32(b[0x1C:], 0)
	in, err := layout.ReadCounterSetInstance(b)
	if err != nil {
		t.Fatal(err)
	}
	if name, err := in.Name(); err != nil || name.Len() != 0 || name.Off() != 32 {
		t.Errorf("%d bytes at %d, %v", name.Len(), name.Off(), err)
	}
}

// An instance comes before the fault in its values, and what it has of them can be read.
func TestNamedBeforeItsBrokenValues(t *testing.T) {
	t.Parallel()
	b := perflibBytes(t, "query")
	le.PutUint32(b[0x16C:], 7)
	var got []string
	q, err := layout.ReadQueryData(b)
	if err != nil {
		t.Fatal(err)
	}
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
	fault := "result[4].instance[0].data[1].dwSize at 0x16c: 7 is less than the 8 of a PERF_COUNTER_DATA"
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

// A consumer may stop anywhere; a cursor that called it again would panic.
func TestPerflibCursorsStopEarly(t *testing.T) {
	t.Parallel()
	q, err := layout.ReadQueryData(perflibBytes(t, "query"))
	if err != nil {
		t.Fatal(err)
	}
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

// A view ends with what it holds, however much is given.
func TestPerflibViewsEnd(t *testing.T) {
	t.Parallel()
	behind := make([]byte, 200)
	set, _ := layout.ReadCounterSetRegInfo(append(perflibBytes(t, "registered set"), behind...))
	counter, _ := layout.ReadCounterRegInfo(append(perflibBytes(t, "registered counter"), behind...))
	template, _ := layout.ReadCounterSetInfo(append(perflibBytes(t, "template"), behind...))
	for _, tt := range []struct {
		view layout.Span
		len  int
	}{{set.Span, 32 + 2*48}, {counter.Span, 48}, {template.Span, 40 + 2*32}} {
		if tt.view.Len() != tt.len || cap(tt.view.Bytes()) != tt.len {
			t.Errorf("%d bytes with room for %d, want %d", tt.view.Len(), cap(tt.view.Bytes()), tt.len)
		}
	}
	// Where counters are missing, the view is all there is.
	b := perflibBytes(t, "template")
	short, err := layout.ReadCounterSetInfo(b[:len(b)-1])
	if err != nil || short.Len() != len(b)-1 {
		t.Errorf("%d bytes, %v", short.Len(), err)
	}
}
