package builder_test

import (
	"encoding/binary"
	"errors"
	"runtime"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// texts returns strings of 48 bytes: the first text stands at 32, the second at 38, and
// from 46 on there is padding.
func texts() builder.StringBuffer {
	return *new(builder.StringBuffer{}).Counter(1, "Ab").Counter(2, "Cde").Define(builder.StringCounter{CounterId: 3, None: true})
}

func TestStringsLosses(t *testing.T) {
	t.Parallel()
	change := func(i int, text string) func(s *builder.StringBuffer) {
		return func(s *builder.StringBuffer) { s.Entries[i].Text = text }
	}
	for _, test := range []struct {
		reason string
		damage func([]byte) []byte
		path   string
		left   func(s *builder.StringBuffer)
	}{
		{"bytes behind the strings", longer, "rest", nil},
		{"padding", func(b []byte) []byte { b[47] = 1; return b }, "padding", nil},
		{"no padding", insert(46, -2, 0), "dwSize", nil},
		{"more padding", insert(48, 8, 0), "dwSize", nil},
		{"a length that is no multiple of 8", insert(48, 2, 0), "dwSize", nil},
		{"a text behind a gap", insert(38, 2, 0, 20), "entry[1].dwOffset dwSize", nil},
		{"the first text behind a gap", insert(32, 8, 0, 12, 20), "entry[0].dwOffset", nil},
		{"texts in another order", all(put(12, 38), put(20, 32)), "entry[0].dwOffset entry[1].dwOffset", func(s *builder.StringBuffer) {
			s.Entries[0].Text, s.Entries[1].Text = "Cde", "Ab"
		}},
		{"one text for two", put(20, 32), "entry[1].dwOffset padding dwSize", change(1, "Ab")},
		{"a text in another", put(20, 34), "entry[1].dwOffset padding dwSize", change(1, "b")},
		{"a text from the midst of another's", put(12, 34), "entry[0].dwOffset", change(0, "b")},
		{"a text at an odd place", put(20, 41), "entry[1].dwOffset", change(1, "\u6500")},
		{"an unpaired surrogate", put(32, 'b'<<16|0xd800), "entry[0].Text", change(0, "\uFFFDb")},
		{"from the entries, behind a gap", all(put(12, 2), put(20, 6)), "entry[0].dwOffset", func(s *builder.StringBuffer) {
			s.FromEntries = true
			s.Entries[0].Text = "b"
		}},
	} {
		s := texts()
		b, err := s.MarshalBinary()
		if err != nil || len(b) != 48 {
			t.Fatalf("%d bytes, %v", len(b), err)
		}
		if test.left != nil {
			test.left(&s)
		}
		lost(t, test.reason, test.damage(b), test.path, s, builder.StringBuffer{FromEntries: true})
	}
}

func TestStringsBroken(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		damage func([]byte) []byte
		path   string
		off    int64
		kind   error
	}{
		{"no header", func(b []byte) []byte { return b[:7] }, "", 0, layout.ErrShort},
		{"longer than its bytes", put(0, 56), "dwSize", 0, layout.ErrBounds},
		{"shorter than its header", put(0, 7), "dwSize", 0, layout.ErrBounds},
		{"more entries than fit", put(4, 6), "dwCounters", 4, layout.ErrBounds},
		{"a text behind the end", put(20, 48), "entry[1].dwOffset", 20, layout.ErrBounds},
		{"a text in the entries, and one that is not from there", put(12, 31), "entry[0].dwOffset", 12, layout.ErrBounds},
		{"a text without NUL", all(put(40, 0x640064), put(44, 0x640064)), "entry[1].Text", 46, layout.ErrUnterminated},
		{"half a NUL at the end", put(20, 47), "entry[1].Text", 47, layout.ErrUnterminated},
	} {
		b, err := texts().MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		broken(t, test.reason, layout.StringsKind, test.damage(b), test.path, test.off, test.kind)
	}
}

// Entries may all lead to one text, or each into the midst of one. What real buffers share
// is kept; of what is far more than their bytes no one makes a model.
func TestStringsThatShare(t *testing.T) {
	shared := func(entries, letters, step int) []byte {
		first := 8 + 8*entries
		b := wire.StringBufferHeader{DwSize: uint32(first + 2*letters + 2), DwCounters: uint32(entries)}.Append(nil)
		for i := range entries {
			b = wire.StringCounterHeader{DwCounterId: uint32(i), DwOffset: uint32(first + step*i)}.Append(b)
		}
		for range letters {
			b = append(b, 'x', 0)
		}
		return append(b, 0, 0)
	}
	for _, test := range []struct {
		reason                 string
		entries, letters, step int
		kind                   error
	}{
		{"some of one name", 100, 300, 0, nil},
		{"all of none", 50_000, 0, 0, nil},
		{"as many bytes together as may be", 18, 1931, 0, nil}, // 18 * 3864 = 1<<16 + 4016
		{"a letter more", 18, 1932, 0, builder.ErrTooLarge},
		{"all of one text", 50_000, 50_000, 0, builder.ErrTooLarge},
		{"each in the one before it", 50_000, 50_000, 2, builder.ErrTooLarge},
	} {
		b := shared(test.entries, test.letters, test.step)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var s builder.StringBuffer
		_, err := s.UnmarshalLossy(b)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, test.kind) || test.kind == nil && len(s.Entries) != test.entries {
			t.Errorf("%s: %d entries, %v, want %v", test.reason, len(s.Entries), err, test.kind)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20+14*uint64(len(b)) {
			t.Errorf("%s: %d bytes allocated for %d", test.reason, used, len(b))
		}
	}
}

// Memory stays within a small multiple of the input, whatever it claims.
func TestSetMemoryIsLinear(t *testing.T) {
	full := builder.CounterSetRegInfo{Counters: make([]builder.CounterRegInfo, 1<<16)}
	wide := builder.CounterSetInfo{Counters: make([]builder.CounterInfo, 1<<16)}
	for i := range full.Counters {
		id := uint32(i)
		full.Counters[i].CounterId, wide.Counters[i].CounterId = id, id
		full.Counters[i].BaseCounterId = new((id + 1) % (1 << 16))
	}
	claim := func(m builder.Model, at int, n uint32) []byte {
		b, err := m.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			binary.LittleEndian.PutUint32(b[at:], n)
		}
		return b
	}
	for _, test := range []struct {
		reason string
		kind   layout.Kind
		bytes  []byte
	}{
		{"a full set", layout.RegSetKind, claim(&full, 0, 0)},
		{"a full template", layout.TemplateKind, claim(&wide, 0, 0)},
		{"four billion counters", layout.RegSetKind, claim(&full, 24, 0xFFFFFFFF)},
		{"four billion of a template", layout.TemplateKind, claim(&wide, 32, 0xFFFFFFFF)},
		{"values alone", layout.InstanceBlockKind, claim(&builder.CounterSetInstance{Values: make([]uint64, 1<<16)}, 0, 0)},
		{"GUIDs", layout.GUIDsKind, claim(new(make(builder.GUIDs, 60_000)), 0, 0)},
		{"entries alone", layout.StringsKind, claim(&builder.StringBuffer{Entries: make([]builder.StringCounter, 60_000)}, 0, 0)},
	} {
		m, err := builder.NewModel(test.kind)
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = m.UnmarshalLossy(test.bytes)
		runtime.ReadMemStats(&after)
		const factor = 14 // as with the blocks of V1
		if used := after.TotalAlloc - before.TotalAlloc; used > factor*uint64(len(test.bytes)) {
			t.Errorf("%s: %d bytes allocated for %d", test.reason, used, len(test.bytes))
		}
	}
}
