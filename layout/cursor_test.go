package layout_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
)

// What the cursors see of the small block, in words.
type (
	seenValue  struct{ Offset, Number uint64 }
	seenObject struct {
		Path      string
		Title     uint32
		Counters  []string
		Instances map[string][]seenValue // by path and name
	}
)

func values(t *testing.T, block layout.CounterBlock, counters []layout.Counter) (seen []seenValue) {
	t.Helper()
	for _, c := range counters {
		v, err := block.Value(c)
		if err != nil {
			t.Fatal(err)
		}
		n, ok := v.Number()
		if !ok {
			t.Fatalf("%d bytes are no number", v.Len())
		}
		seen = append(seen, seenValue{uint64(v.Off()), n})
	}
	return seen
}

func see(t *testing.T, o layout.Object) seenObject {
	t.Helper()
	seen := seenObject{Path: o.Path().String(), Title: o.ObjectNameTitleIndex(), Instances: map[string][]seenValue{}}
	var counters []layout.Counter
	for c, err := range o.Counters() {
		if err != nil {
			t.Fatal(err)
		}
		counters = append(counters, c)
		seen.Counters = append(seen.Counters, c.CounterType().String())
	}
	if o.NumInstances() == layout.PERF_NO_INSTANCES {
		block, err := o.Block()
		if err != nil {
			t.Fatal(err)
		}
		seen.Instances[""] = values(t, block, counters)
	}
	for in, err := range o.Instances() {
		if err != nil {
			t.Fatal(err)
		}
		name, err := in.Name()
		if err != nil {
			t.Fatal(err)
		}
		text, err := name.Text()
		if err != nil {
			t.Fatal(err)
		}
		block, err := in.Block()
		if err != nil {
			t.Fatal(err)
		}
		seen.Instances[in.Path().String()+" "+text] = values(t, block, counters)
	}
	return seen
}

func wantSeen(origin uint64) []seenObject {
	return []seenObject{
		{"object[0]", 10, []string{"PERF_COUNTER_RAWCOUNT", "PERF_COUNTER_BULK_COUNT"}, map[string][]seenValue{
			"": {{0xF4 - origin, 42}, {0xF8 - origin, 6_000_000_000}},
		}},
		{"object[1]", 20, []string{"PERF_RAW_FRACTION", "PERF_RAW_BASE"}, map[string][]seenValue{
			"object[1].instance[0] A":      {{0x1B4 - origin, 3}, {0x1B8 - origin, 4}},
			"object[1].instance[1] _Total": {{0x1EC - origin, 30}, {0x1F0 - origin, 40}},
		}},
	}
}

func TestReadData(t *testing.T) {
	t.Parallel()
	b := append(smallBytes(t), "what lies behind"...)
	d, err := layout.ReadDataBlock(b)
	if err != nil {
		t.Fatal(err)
	}
	if d.Len() != 504 || d.Off() != 0 || d.End() != 504 || cap(d.Bytes()) != 504 {
		t.Errorf("%d bytes, room for %d: what lies behind TotalByteLength is not part of the view", d.Len(), cap(d.Bytes()))
	}
	name, err := d.SystemName()
	if text, textErr := name.Text(); err != nil || textErr != nil || text != "PC" || name.Off() != 88 || name.Len() != 6 {
		t.Errorf("system name %q at %d, %v, %v", text, name.Off(), err, textErr)
	}
	for range 2 { // a cursor can be used again
		var got []seenObject
		for o, err := range d.Objects() {
			if err != nil {
				t.Fatal(err)
			}
			if o.Index() != len(got) {
				t.Errorf("%v has index %d", o.Path(), o.Index())
			}
			got = append(got, see(t, o))
		}
		if diff := cmp.Diff(wantSeen(0), got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestReadObjects(t *testing.T) {
	t.Parallel()
	var got []seenObject
	for o, err := range layout.ReadObjects(smallBytes(t)[smallObjects:]) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, see(t, o))
	}
	if diff := cmp.Diff(wantSeen(smallObjects), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for o, err := range layout.ReadObjects(nil) {
		t.Errorf("no bytes hold %v, %v", o.Path(), err)
	}
}

func TestUnnamed(t *testing.T) {
	t.Parallel()
	b := patched(t, patch{0x50, 0}, patch{0x54, 0}, patch{0x1A0, 0}, patch{0x1A4, 0}, patch{0x12C, 1252})
	d, err := layout.ReadDataBlock(b)
	if err != nil {
		t.Fatal(err)
	}
	name, err := d.SystemName()
	if err != nil || name.Len() != 0 || name.Off() != 88 {
		t.Errorf("a length of 0 makes any offset right: %d bytes at %d, %v", name.Len(), name.Off(), err)
	}
	for o := range d.Objects() {
		for in := range o.Instances() {
			name, err := in.Name()
			if err != nil || name.CodePage != 1252 || in.Path().String() == "object[1].instance[0]" && (name.Len() != 0 || name.Off() != 0x1A8) {
				t.Errorf("%v: %d bytes at %d in page %d, %v", in.Path(), name.Len(), name.Off(), name.CodePage, err)
			}
		}
	}
}

// A consumer may stop anywhere; a cursor that called it again would panic.
func TestCursorsStopEarly(t *testing.T) {
	t.Parallel()
	b := smallBytes(t)
	d, err := layout.ReadDataBlock(b)
	if err != nil {
		t.Fatal(err)
	}
	for range d.Objects() {
		break
	}
	for o := range layout.ReadObjects(b[smallObjects:]) {
		for range o.Counters() {
			break
		}
		for range o.Instances() {
			break
		}
		if o.Index() == 1 {
			break
		}
	}
	for _, kind := range layout.V1Kinds() {
		for n := range 130 {
			for range layout.Walk(kind, b[int(kind)*smallObjects:]) {
				if n--; n < 0 {
					break
				}
			}
		}
	}
}
