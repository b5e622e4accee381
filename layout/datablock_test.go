package layout_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/walktest"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A seenObject has the parts of an object that the tests compare. The object is in testdata/small.txt.
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
	b := append(smallBytes(t), "trailing bytes"...)
	d, err := layout.ReadDataBlock(b)
	if err != nil {
		t.Fatal(err)
	}
	if d.Len() != 504 || d.Off() != 0 || d.End() != 504 || cap(d.Bytes()) != 504 {
		t.Errorf("%d bytes, a capacity of %d: bytes after TotalByteLength are not part of the view", d.Len(), cap(d.Bytes()))
	}
	name, err := d.SystemName()
	if text, textErr := name.Text(); err != nil || textErr != nil || text != "PC" || name.Off() != 88 || name.Len() != 6 {
		t.Errorf("system name %q at %d, %v, %v", text, name.Off(), err, textErr)
	}
	for range 2 { // Objects can be called more than once
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

// TestCursorsStopEarly stops iteration with break. If an iterator calls yield again after the break, the loop
// panics.
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
	for _, kind := range []layout.Kind{layout.DataBlockKind, layout.ObjectsKind} {
		for n := range 130 {
			for range layout.Walk(kind, b[int(kind)*smallObjects:]) {
				if n--; n < 0 {
					break
				}
			}
		}
	}
}

func TestSpansOfAnObject(t *testing.T) {
	t.Parallel()
	for o, err := range layout.ReadObjects(smallBytes(t)[smallObjects:]) {
		if err != nil {
			t.Fatal(err)
		}
		defs, err1 := o.Definitions()
		body, err2 := o.Body()
		if err1 != nil || err2 != nil || defs.Off() != o.Off()+64 || defs.Len() != 80 || body.Off() != o.Off()+144 || body.End() != o.End() {
			t.Errorf("%v: definitions %d to %d, body %d to %d, %v, %v", o.Path(), defs.Off(), defs.End(), body.Off(), body.End(), err1, err2)
		}
	}
}

// TestViewsShareTheInput checks that views do not copy the input, and that the capacity of a view equals its
// length.
func TestViewsShareTheInput(t *testing.T) {
	t.Parallel()
	b := smallBytes(t)
	for o, err := range layout.ReadObjects(b) {
		if err == nil {
			t.Fatalf("%v was read from a header", o.Path())
		}
	}
	for o := range layout.ReadObjects(b[smallObjects:]) {
		for _, s := range []layout.Span{o.Span} {
			if cap(s.Bytes()) != s.Len() || &s.Bytes()[0] != &b[smallObjects+s.Off()] {
				t.Errorf("%v: %d bytes with room for %d", o.Path(), s.Len(), cap(s.Bytes()))
			}
		}
		for c := range o.Counters() {
			if c.Len() != 40 || cap(c.Bytes()) != 40 {
				t.Errorf("%v: a counter of %d bytes with room for %d", o.Path(), c.Len(), cap(c.Bytes()))
			}
		}
	}
}

// TestPathsOfViews checks that [layout.Find] finds the path of every view.
func TestPathsOfViews(t *testing.T) {
	t.Parallel()
	b := smallBytes(t)[smallObjects:]
	check := func(path layout.Path, s layout.Span) {
		t.Helper()
		if p, err := layout.Find(layout.ObjectsKind, b, path); err != nil || p.Off() != s.Off() || p.Len() != s.Len() {
			t.Errorf("%v: %d bytes at %d, %v; the view has %d at %d", path, p.Len(), p.Off(), err, s.Len(), s.Off())
		}
	}
	for o := range layout.ReadObjects(b) {
		check(o.Path(), o.Span)
		for c := range o.Counters() {
			check(c.Path(), c.Span)
		}
		for in := range o.Instances() {
			check(in.Path(), in.Span)
			if block, err := in.Block(); err != nil {
				t.Error(err)
			} else {
				check(block.Path(), block.Span)
			}
		}
		if block, err := o.Block(); o.Index() == 0 && err == nil {
			check(block.Path(), block.Span)
		}
	}
}

// TestHeaderAlone reads the smallest block: a header without a name and without objects.
func TestHeaderAlone(t *testing.T) {
	t.Parallel()
	b := patched(t, patch{0x14, 88}, patch{0x18, 88}, patch{0x1C, 0}, patch{0x50, 0})[:88]
	if err := readAll(layout.DataBlockKind, b); err != nil {
		t.Error(err)
	}
	if got := unread(layout.DataBlockKind, b); got != nil {
		t.Errorf("unread: %q", got)
	}
	walktest.Check(t, layout.DataBlockKind, b)
}

// TestNegativeNumInstances checks that Instances yields no instance and no error if NumInstances
// is 0 or negative. The DefinitionLength of the object is not valid, so any attempt to read an
// instance would yield an error.
func TestNegativeNumInstances(t *testing.T) {
	t.Parallel()
	for _, n := range []uint32{0, most, most - 1, 0x80000000} {
		b := patched(t, patch{0x88, n}, patch{0x64, 161})
		d, err := layout.ReadDataBlock(b)
		if err != nil {
			t.Fatal(err)
		}
		for o := range d.Objects() {
			for in, err := range o.Instances() {
				if o.Index() == 0 {
					t.Errorf("NumInstances %d: %v, %v", int32(n), in.Path(), err)
				}
			}
		}
	}
}

// TestPathOfFaultyBlock checks the view that Instances yields with the error of a counter block. The view must have the
// path of the instance.
func TestPathOfFaultyBlock(t *testing.T) {
	t.Parallel()
	d, err := layout.ReadDataBlock(patched(t, patch{0x1e8, most})) // ByteLength of the block of object[1].instance[1]
	if err != nil {
		t.Fatal(err)
	}
	var last string
	for o := range d.Objects() {
		for in, err := range o.Instances() {
			if err != nil {
				last = in.Path().String()
			}
		}
	}
	if want := "object[1].instance[1]"; last != want {
		t.Errorf("the path is %q, must be %q", last, want)
	}
}

// TestViewsWithFaults ignores the errors of iterators. The views of faulty records must read as
// zeros and must not panic.
func TestViewsWithFaults(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	faults, times := 0, long.Count(700, 20_000)
	for range times {
		b := smallBytes(t)
		for range 1 + r.IntN(3) {
			b[r.IntN(len(b))] = byte(r.Uint32())
		}
		d, err := layout.ReadDataBlock(b)
		if err != nil {
			faults++
		}
		_, _, _ = decoded[wire.DataBlock](d.Bytes()), d.SystemTime(), d.PerfTime100nSec()
		_, _ = d.SystemName()
		for o, err := range d.Objects() {
			faults += readEverything(o)
			if err != nil && decoded[wire.Object](o.Bytes()) != (wire.Object{}) {
				t.Fatalf("the view that comes with %v reads %+v", err, decoded[wire.Object](o.Bytes()))
			}
		}
	}
	if faults < times/20 {
		t.Errorf("only %d faults", faults)
	}
}

// decoded decodes the record at the start of b. It panics if b is shorter than the record. The bytes of a view are
// never shorter.
func decoded[T any](b []byte) (record T) {
	if _, err := binary.Decode(b, binary.LittleEndian, &record); err != nil {
		panic(err)
	}
	return record
}

// readEverything reads all of an object, continues after errors, and returns the number of errors.
func readEverything(o layout.Object) (faults int) {
	_, _ = decoded[wire.Object](o.Bytes()), o.Path()
	_, _ = o.Body()
	block, err := o.Block()
	if err != nil {
		faults++
	}
	_, _ = decoded[wire.CounterBlock](block.Bytes()), block.Path()
	for c, err := range o.Counters() {
		if _, _ = c.CounterOffset(), c.Path(); err != nil {
			faults++
		}
		_, _ = block.Value(c)
	}
	for in, err := range o.Instances() {
		if _, _ = decoded[wire.Instance](in.Bytes()), in.Path(); err != nil {
			faults++
		}
		name, _ := in.Name()
		_, _ = name.Text()
		_, _, _ = name.Terminated(), name.IndexNUL(), name.Unit()
		block, _ := in.Block()
		_ = decoded[wire.CounterBlock](block.Bytes())
		for c := range o.Counters() {
			_, _ = block.Value(c)
		}
	}
	return faults
}
