package builder_test

import (
	"errors"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// regField returns where a field of counter i of a registration stands.
func regField(i int, field string) int {
	return 32 + 48*i + int(layout.PERF_COUNTER_REG_INFO.Field(field).At)
}

// templateField is regField for a template.
func templateField(i int, field string) int {
	return 40 + 32*i + int(layout.PERF_COUNTER_INFO.Field(field).At)
}

// longer appends bytes that belong to nothing.
func longer(b []byte) []byte { return append(b, 0, 0, 0) }

// What a model cannot hold is refused by name, or dropped and listed.
func TestRegSetLosses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		damage func([]byte) []byte
		path   string
		left   func(c []builder.CounterRegInfo)
	}{
		{"a reserved field", put(16, 1), "CounterSetType", nil},
		{"a level of 0, which is the default's", put(20, 0), "DetailLevel", nil},
		{"bytes behind the last counter", longer, "rest", nil},
		{"a level of 0 of a counter", put(regField(clock, "DetailLevel"), 0), "counter[4].DetailLevel", nil},
		{"a scale too large", put(regField(clock, "DefaultScale"), 11), "counter[4].DefaultScale", nil},
		{"attributes that there are not", put(regField(clock, "Attrib"), 0x28), "counter[4].Attrib", func(c []builder.CounterRegInfo) {
			c[clock].Attrib = layout.PERF_ATTRIB_DISPLAY_AS_REAL
		}},
		{"a function that there is not", put(regField(clock, "AggregateFunc"), 5), "counter[4].AggregateFunc", nil},
		{"a reserved field of a counter", put(regField(clock, "Reserved"), 9), "counter[4].Reserved", nil},
		{"a base that is of no use, and nowhere", put(regField(counts, "BaseCounterId"), 77), "counter[0].BaseCounterId", nil},
		{"a clock that is of no use, and of 4 bytes", put(regField(counts, "PerfTimeId"), 0), "counter[0].PerfTimeId", nil},
		{"items that are of no use, and itself", put(regField(items, "MultiId"), 0), "counter[7].MultiId", nil},
		{"a base of a multi timer that is another's", put(regField(multi, "BaseCounterId"), 3), "counter[6].BaseCounterId", func(c []builder.CounterRegInfo) {
			c[multi].BaseCounterId = nil
		}},
		{"one loss after the other", all(put(16, 1), put(regField(frequency, "Reserved"), 9), put(regField(counts, "PerfTimeId"), 77), put(regField(counts, "PerfFreqId"), 77), longer),
			"CounterSetType counter[5].Reserved counter[0].PerfTimeId counter[0].PerfFreqId rest", nil},
	} {
		set := registered()
		b, err := set.MarshalBinary()
		if err != nil || len(b) != regSetLen {
			t.Fatalf("%d bytes, %v", len(b), err)
		}
		if test.left != nil {
			test.left(set.Counters)
		}
		lost(t, test.reason, test.damage(b), test.path, set, builder.CounterSetRegInfo{DetailLevel: 4711})
	}
	set := registered()
	b, err := set.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	// The last is the base of a timer that may do without.
	set.Counters[multi].BaseCounterId, set.Counters = nil, set.Counters[:multiBases]
	lost(t, "a counter beyond their number", put(24, multiBases)(b), "counter[6].BaseCounterId rest", set, builder.CounterSetRegInfo{DetailLevel: 4711})
	b, err = averageBase.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	other := builder.CounterRegInfo{CounterId: 4711}
	lost(t, "bytes behind a counter alone", longer(b), "rest", averageBase, other)
	lost(t, "a reserved field of a counter alone", put(44, 1)(b[:48:48]), "counter[0].Reserved", averageBase, other)
	put(44, 0)(b)
	lost(t, "a counter alone that is its own base, of no use", put(24, 3)(b[:48:48]), "counter[0].BaseCounterId", averageBase, other)
}

func TestCounterSetInfoLosses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		damage func([]byte) []byte
		path   string
		left   func(c []builder.CounterInfo)
	}{
		{"bytes behind the last counter, which Windows takes", longer, "rest", nil},
		{"a size of 0, which is that of the type", put(templateField(1, "Size"), 0), "counter[1].Size", nil},
		{"a level of 0", put(templateField(1, "DetailLevel"), 0), "counter[1].DetailLevel", nil},
		{"a scale too small", put(templateField(1, "Scale"), 0xFFFFFFF5), "counter[1].Scale", nil},
		{"attributes that there are not", put(templateField(1, "Attrib"), 0x101), "counter[1].Attrib", func(c []builder.CounterInfo) {
			c[1].Attrib = layout.PERF_ATTRIB_BY_REFERENCE
		}},
	} {
		set := template()
		b, err := set.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if test.left != nil {
			test.left(set.Counters)
		}
		lost(t, test.reason, test.damage(b), test.path, set, builder.CounterSetInfo{InstanceType: 22})
	}
}

func TestSetInstanceLosses(t *testing.T) {
	t.Parallel()
	plain := builder.CounterSetInstance{CounterSetGuid: processors, InstanceId: 7, Name: "ab", Values: []uint64{1, 2}} // 32 + 16 + 6 + 2
	for _, test := range []struct {
		reason string
		damage func([]byte) []byte
		path   string
		left   func(in *builder.CounterSetInstance)
	}{
		{"bytes behind the instance", longer, "rest", nil},
		{"padding", func(b []byte) []byte { b[55] = 1; return b }, "padding", nil},
		{"no padding", insert(54, -2, 16), "dwSize", nil},
		{"more padding", insert(56, 8, 16), "dwSize", nil},
		{"bytes between the values and the name", insert(48, 4, 16, 24), "InstanceNameOffset dwSize", nil},
		{"a name of no bytes", all(put(28, 0), put(48, 0), put(52, 0)), "InstanceNameSize dwSize", func(in *builder.CounterSetInstance) { in.Name = "" }},
		{"a name of no bytes at the end of the instance", all(put(24, 56), put(28, 0)), "InstanceNameSize", func(in *builder.CounterSetInstance) {
			in.Name, in.Values = "", []uint64{1, 2, 'b'<<16 | 'a'}
		}},
		{"a text behind a NUL", put(48, 'a'), "Name", func(in *builder.CounterSetInstance) { in.Name = "a" }},
		{"an unpaired surrogate", put(48, 'b'<<16|0xd800), "Name", func(in *builder.CounterSetInstance) { in.Name = "\uFFFDb" }},
	} {
		in := plain
		b, err := in.MarshalBinary()
		if err != nil || len(b) != 56 {
			t.Fatalf("%d bytes, %v", len(b), err)
		}
		if test.left != nil {
			test.left(&in)
		}
		lost(t, test.reason, test.damage(b), test.path, in, builder.CounterSetInstance{InstanceId: 4711})
	}
}

func TestTextLosses(t *testing.T) {
	t.Parallel()
	lost(t, "a text behind a NUL", []byte("a\x00\x00\x00b\x00\x00\x00"), "Text", builder.RegString("a"), builder.RegString("untouched"))
	lost(t, "an unpaired surrogate", []byte("\x00\xdc\x00\x00"), "Text", builder.RegString("\uFFFD"), builder.RegString("untouched"))
	lost(t, "bytes behind a GUID", longer(wire.GUID(processors).Append(nil)), "rest", builder.RegGUID(processors), builder.RegGUID(provider))
}

// What readers would disagree on or crash over is an error, also where losses are allowed.
func TestSetsBroken(t *testing.T) {
	t.Parallel()
	set, two, in := registered(), template(), builder.CounterSetInstance{Name: "ab", Values: []uint64{1, 2}}
	for _, test := range []struct {
		reason string
		model  builder.Model
		damage func([]byte) []byte
		path   string
		off    int64
		kind   error
	}{
		{"no header", &set, func(b []byte) []byte { return b[:31] }, "", 0, layout.ErrShort},
		{"a counter that is cut off", &set, func(b []byte) []byte { return b[:regSetLen-1] }, "counter[8]", 32 + 8*48, layout.ErrShort},
		{"more counters than there are", &set, put(24, 10), "counter[9]", regSetLen, layout.ErrShort},
		{"more counters than a set can have", &set, put(24, 1<<16+1), "NumCounters", 24, builder.ErrTooLarge},
		{"an instance type that is none", &set, put(28, 3), "InstanceType", 28, layout.ErrRange},
		{"two counters of one id", &set, put(regField(clock, "CounterId"), 1), "counter[4].CounterId", int64(regField(clock, "CounterId")), builder.ErrDuplicateID},
		{"the id that asks for all", &set, put(regField(clock, "CounterId"), 0xFFFFFFFF), "counter[4].CounterId", int64(regField(clock, "CounterId")), layout.ErrRange},
		{"no base", &set, put(regField(averages, "BaseCounterId"), 0xFFFFFFFF), "counter[1].BaseCounterId", int64(regField(averages, "BaseCounterId")), builder.ErrReference},
		{"a base that is not in the set", &set, put(regField(averages, "BaseCounterId"), 77), "counter[1].BaseCounterId", int64(regField(averages, "BaseCounterId")), builder.ErrReference},
		{"a base that is none", &set, put(regField(averageBases, "Type"), 0), "counter[1].BaseCounterId", int64(regField(averages, "BaseCounterId")), builder.ErrReference},
		{"a counter alone that is cut off", &averageBase, func(b []byte) []byte { return b[:47] }, "counter[0]", 0, layout.ErrShort},
		{"a counter alone without its base", &averageTimer, put(24, 0xFFFFFFFF), "counter[0].BaseCounterId", 24, builder.ErrReference},
		{"a template without counters", &two, func(b []byte) []byte { return put(32, 0)(b[:40]) }, "NumCounters", 32, builder.ErrCount},
		{"a template of more counters than there are", &two, put(32, 3), "counter[2]", 40 + 64, layout.ErrShort},
		{"a template of more than a set can have", &two, put(32, 1<<16+1), "NumCounters", 32, builder.ErrTooLarge},
		{"a template of two counters of one id", &two, put(templateField(1, "CounterId"), 1), "counter[1].CounterId", 72, builder.ErrDuplicateID},
		{"an instance type of a template that is none", &two, put(36, 1), "InstanceType", 36, layout.ErrRange},
		{"an instance longer than its bytes", &in, put(16, 64), "dwSize", 16, layout.ErrBounds},
		{"a name in the structure", &in, put(24, 24), "InstanceNameOffset", 24, layout.ErrBounds},
		{"no name, in the structure", &in, all(put(24, 24), put(28, 0)), "InstanceNameOffset", 24, layout.ErrBounds},
		{"a name behind the instance", &in, put(24, 57), "InstanceNameOffset", 24, layout.ErrBounds},
		{"a name longer than the instance", &in, put(28, 10), "InstanceNameSize", 28, layout.ErrBounds},
		{"a name without NUL", &in, put(28, 4), "Name", 50, layout.ErrUnterminated},
		{"a name of half a character", &in, put(28, 5), "Name", 51, layout.ErrUnterminated},
		{"a text of no bytes", new(builder.RegString("a")), func(b []byte) []byte { return b[:0] }, "Text", 0, layout.ErrUnterminated},
		{"a text without NUL", new(builder.RegString("a")), func(b []byte) []byte { return b[:2] }, "Text", 0, layout.ErrUnterminated},
		{"half a NUL", new(builder.RegString("a")), func(b []byte) []byte { return b[:3] }, "Text", 1, layout.ErrUnterminated},
		{"no GUID", new(builder.RegGUID(processors)), func(b []byte) []byte { return b[:0] }, "guid[0]", 0, layout.ErrShort},
		{"half a GUID", new(builder.RegGUID(processors)), func(b []byte) []byte { return b[:8] }, "guid[0]", 0, layout.ErrShort},
		{"half a GUID of several", &builder.GUIDs{processors, provider}, func(b []byte) []byte { return b[:24] }, "guid[1]", 16, layout.ErrShort},
	} {
		b, err := test.model.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		broken(t, test.reason, test.model.Kind(), test.damage(b), test.path, test.off, test.kind)
	}
}

// broken holds both ways of decoding to an error at a place, and the model to what it was.
func broken(t *testing.T, reason string, kind layout.Kind, b []byte, path string, off int64, want error) {
	t.Helper()
	m, err := builder.NewModel(kind)
	if err != nil {
		t.Fatal(err)
	}
	empty, _ := builder.NewModel(kind)
	for _, decode := range []func([]byte) error{
		m.UnmarshalBinary,
		func(b []byte) error { _, err := m.UnmarshalLossy(b); return err },
	} {
		err := decode(b)
		e, ok := errors.AsType[*layout.Error](err)
		if !ok || e.Path.String() != path || e.Off != off || !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v of %q at 0x%x", reason, err, want, path, off)
		}
		same(t, m, empty)
	}
}
