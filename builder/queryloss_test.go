package builder_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// Where things stand in what answers makes.
const (
	single   = 48 + 16             // result[1]
	multiple = single + 32         // result[2]: 16 + ids of 24 + 3 * 16
	fifth    = multiple + 88 + 96  // result[4]: 16 + ids of 16 + 8 + 2 * (16 + 32)
	first    = fifth + 16 + 16 + 8 // its first instance
	end      = first + 2*48
)

// put writes a number of 4 bytes.
func put(at int, v uint32) func([]byte) []byte {
	return func(b []byte) []byte {
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
}

// insert puts n zero bytes at an offset and adds n to the numbers at those places, which
// stand before it.
func insert(at, n int, lengths ...int) func([]byte) []byte {
	return func(b []byte) []byte {
		for _, l := range lengths {
			binary.LittleEndian.PutUint32(b[l:], uint32(int(binary.LittleEndian.Uint32(b[l:]))+n))
		}
		if n < 0 {
			return slices.Delete(b, at, at-n)
		}
		return slices.Insert(b, at, make([]byte, n)...)
	}
}

func all(changes ...func([]byte) []byte) func([]byte) []byte {
	return func(b []byte) []byte {
		for _, c := range changes {
			b = c(b)
		}
		return b
	}
}

// What a model cannot hold is refused by name, or dropped and listed.
func TestQueryLosses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		damage func([]byte) []byte
		path   string                                         // of each loss, with spaces between
		left   func(q *builder.QueryData, r []builder.Result) // nil: the model as it was
	}{
		{"a clock below 0", put(12, 1<<31), "PerfTimeStamp", nil},
		{"no frequency", put(24, 0), "PerfFreq", nil},
		{"no moment", all(put(16, 0), put(20, 0)), "PerfTime100NSec", nil},
		{"no moment beside a date of another", all(put(16, 0), put(20, 0), put(32, 1<<16|1601), put(36, 1<<16|1), put(40, 0), put(44, 621<<16)), "PerfTime100NSec", func(q *builder.QueryData, _ []builder.Result) {
			q.PerfTime100NSec = 6_210_000
		}},
		{"no moment beside a date that gives none", all(put(16, 0), put(20, 0), put(36, 1<<16|2)), "PerfTime100NSec SystemTime", nil},
		{"month 13", put(32, 13<<16|2000), "SystemTime", nil},
		{"bytes behind the data", func(b []byte) []byte { return append(b, 0, 0, 0) }, "rest", nil},
		{"a reserved field", put(single+12, 1), "result[1].Reserved", nil},
		{"bytes of an error", insert(single, 8, 0, 48+8), "result[0].rest", nil},
		{"bytes behind a value", insert(multiple, 8, 0, single+8), "result[1].rest", nil},
		{"bytes behind the instances", insert(end, 8, 0, fifth+8), "result[4].rest", nil},
		{"padding of a value", put(single+28, 5), "result[1].data[0].padding", nil},
		{"a value without padding", insert(single+28, -4, 0, single+8, single+16+4), "result[1].data[0].dwSize", nil},
		{"a value with more of it", insert(multiple, 8, 0, single+8, single+16+4), "result[1].data[0].dwSize", nil},
		{"padding of ids", put(multiple+16+8+12, 0xFF00), "result[2].ids.padding", nil},
		{"ids without padding", all(insert(multiple+16+8+12, -4, 0, multiple+8), put(multiple+16, 20)), "result[2].ids.dwSize", nil},
		{"padding behind a name", put(first+12, 1<<16), "result[4].instance[0].padding", nil},
		{"text behind a NUL", all(put(first+8, 'C'), put(first+12, ':')), "result[4].instance[0].padding", func(_ *builder.QueryData, r []builder.Result) {
			r[4].Instances[0].Name = "C"
		}},
		{"a length that is no multiple of 8", insert(first+16, 4, 0, fifth+8, fifth+32, first), "result[4].instance[0].Size", nil},
		{"an unpaired surrogate", put(first+8, 0x3a<<16|0xd800), "result[4].instance[0].Name", func(_ *builder.QueryData, r []builder.Result) {
			r[4].Instances[0].Name = "\uFFFD:"
		}},
	} {
		original := answers()
		b, err := original.MarshalBinary()
		if err != nil || len(b) != end {
			t.Fatalf("%d bytes, want %d, %v", len(b), end, err)
		}
		b = test.damage(b)
		left := normal(original)
		if test.left != nil {
			test.left(&left, left.Results)
		}
		lost(t, test.reason, b, test.path, left, builder.QueryData{PerfTimeStamp: 4711})
	}
}

// Instances of no counters have no values, also behind others that have some.
func TestQueryOfNoCounters(t *testing.T) {
	t.Parallel()
	want := *new(builder.QueryData{PerfTimeStamp: 1}).Add(
		builder.CounterSet().Counter(1, 0).Instance("a", 1, 2).Instance("b", 3, 4),
		builder.CounterSet().Instance("a", 1).Instance("b", 3))
	b, err := want.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var got builder.QueryData
	if err := got.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Results, got.Results); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// normal returns the model as decoding has it, where 8 is the default.
func normal(q builder.QueryData) builder.QueryData {
	for _, r := range q.Results {
		for i := range r.Counters {
			if r.Counters[i].Size == 8 {
				r.Counters[i].Size = 0
			}
		}
	}
	return q
}

// lost holds decoding to the losses at those paths, and to the model that is left.
func lost[T any, P interface {
	*T
	UnmarshalBinary([]byte) error
	UnmarshalLossy([]byte) ([]*layout.Error, error)
	MarshalBinary() ([]byte, error)
}](t *testing.T, reason string, b []byte, paths string, left, untouched T) {
	t.Helper()
	got := untouched
	err := P(&got).UnmarshalBinary(b)
	e, ok := errors.AsType[*layout.Error](err)
	if first, _, _ := strings.Cut(paths, " "); !ok || e.Path.String() != first || !errors.Is(err, builder.ErrUnkept) {
		t.Errorf("%s: %v, want a loss at %s", reason, err, paths)
		return
	}
	if diff := cmp.Diff(untouched, got); diff != "" {
		t.Errorf("%s: the failed call changed the model:\n%s", reason, diff)
	}
	losses, err := P(&got).UnmarshalLossy(b)
	var at []string
	for _, l := range losses {
		at = append(at, l.Path.String())
	}
	if err != nil || strings.Join(at, " ") != paths {
		t.Errorf("%s: lost %v, %v; want %s", reason, losses, err, paths)
		return
	}
	if diff := cmp.Diff(left, got); diff != "" {
		t.Errorf("%s: kept (-want +got)\n%s", reason, diff)
	}
	var again T
	if b, err = P(&got).MarshalBinary(); err == nil {
		err = P(&again).UnmarshalBinary(b)
	}
	if diff := cmp.Diff(got, again); diff != "" || err != nil {
		t.Errorf("%s: %v, decoded again (-kept +again)\n%s", reason, err, diff)
	}
}

// What readers would disagree on or crash over is an error, also where losses are allowed.
func TestQueryBroken(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		damage func([]byte) []byte
		path   string
		off    int64
		kind   error
	}{
		{"a total beyond the bytes", put(0, end+8), "dwTotalSize", 0, layout.ErrBounds},
		{"an answer less than the total", put(4, 4), "dwTotalSize", 0, layout.ErrBounds},
		{"an answer more than the total", put(4, 6), "result[5]", end, layout.ErrShort},
		{"a type that is none", put(48+4, 3), "result[0].dwType", 52, layout.ErrRange},
		{"an answer beyond the total", put(fifth+8, 4000), "result[4].dwSize", fifth + 8, layout.ErrBounds},
		{"the id that asks for all", put(multiple+16+8+4, 0xFFFFFFFF), "result[2].ids", multiple + 28, layout.ErrRange},
		{"ids of more than they take", insert(multiple+40, 8, 0, multiple+8, multiple+16), "result[2].ids.dwSize", multiple + 16, layout.ErrBounds},
		{"more ids than there are bytes", put(multiple+16+4, 5), "result[2].ids.dwCounters", multiple + 20, layout.ErrBounds},
		{"a value of more than its length", put(single+16, 9), "result[1].data[0].dwDataSize", single + 16, layout.ErrBounds},
		{"a value shorter than its structure", put(single+16+4, 7), "result[1].data[0].dwSize", single + 20, layout.ErrBounds},
		{"an instance less than the total", put(fifth+32+4, 1), "result[4].instances.dwTotalSize", fifth + 32, layout.ErrBounds},
		{"an instance more than the total", put(fifth+32+4, 3), "result[4].instance[2]", end, layout.ErrShort},
		{"a name without NUL", all(put(first+8, 0x430043), put(first+12, 0x430043)), "result[4].instance[0].Name", first + 14, layout.ErrUnterminated},
		{"no room for a name", insert(first+8, -8, 0, fifth+8, fifth+32, first), "result[4].instance[0].Size", first, layout.ErrBounds},
		{"no room for a NUL", insert(first+9, -7, 0, fifth+8, fifth+32, first), "result[4].instance[0].Name", first + 8, layout.ErrUnterminated},
	} {
		b, err := answers().MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		b = test.damage(b)
		for _, lossy := range []bool{false, true} {
			var q builder.QueryData
			if lossy {
				_, err = q.UnmarshalLossy(b)
			} else {
				err = q.UnmarshalBinary(b)
			}
			e, ok := errors.AsType[*layout.Error](err)
			if !ok || e.Path.String() != test.path || e.Off != test.off || !errors.Is(err, test.kind) {
				t.Errorf("%s: %v, want %v of %s at 0x%x", test.reason, err, test.kind, test.path, test.off)
			}
			if q.Results != nil {
				t.Errorf("%s: the failed call changed the model", test.reason)
			}
		}
	}
}

// A set has 65,536 counters at the most, also where there are bytes for more.
func TestQueryOfTooManyIDs(t *testing.T) {
	t.Parallel()
	b, err := new(builder.QueryData{}).Add(builder.CounterSet().Define(make([]builder.QueryCounter, 1<<16)...)).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	b = all(insert(len(b)-8, 8, 0, 48+8, 48+16), put(48+16+4, 1<<16+1))(b)
	_, err = new(builder.QueryData{}).UnmarshalLossy(b)
	e, ok := errors.AsType[*layout.Error](err)
	if !ok || e.Path.String() != "result[0].ids.dwCounters" || e.Off != 48+16+4 || !errors.Is(err, builder.ErrTooLarge) {
		t.Errorf("%v", err)
	}
}

// The length of a value stands with it, so any is kept: as a number where all of a
// counter are of 4 bytes or all of 8, as bytes where they are not.
func TestValuesOfAnyLength(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason  string
		lengths []int // of the values of one counter
		size    uint32
		bytes   bool
	}{
		{"all of 4", []int{4, 4, 4}, 4, false},
		{"all of 8", []int{8, 8}, 0, false},
		{"one of 4", []int{4}, 4, false},
		{"4 and 8", []int{4, 8, 4}, 0, true},
		{"8 and 4", []int{8, 4}, 0, true},
		{"none", []int{0, 0}, 0, true},
		{"2, as PERF_SIZE_VARIABLE_LEN may have", []int{2}, 0, true},
		{"4 and none", []int{4, 4, 0}, 0, true},
		{"more than 8", []int{9, 16, 1000}, 0, true},
	} {
		r, want := builder.CounterSet().Define(builder.QueryCounter{CounterId: 7, Bytes: true}).Counter(8, 4), builder.CounterSet()
		for i, n := range test.lengths {
			text := strings.Repeat("\x01", n)
			r.Add(builder.QueryInstance{InstanceId: uint32(i), Values: []uint64{0, 3}, Texts: []string{text}})
			switch {
			case test.bytes:
				want.Add(builder.QueryInstance{InstanceId: uint32(i), Values: []uint64{0, 3}, Texts: []string{text}})
			case n == 4:
				want.Instance("", uint32(i), 0x01010101, 3)
			default:
				want.Instance("", uint32(i), 0x0101010101010101, 3)
			}
		}
		want.Define(builder.QueryCounter{CounterId: 7, Size: test.size, Bytes: test.bytes}).Counter(8, 4)
		b, err := new(builder.QueryData{}).Add(r).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		holds(t, *new(builder.QueryData{}).Add(want), b, new(builder.QueryData))
		if t.Failed() {
			t.Fatal(test.reason)
		}
	}
}
