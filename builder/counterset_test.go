package builder_test

import (
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestSetsBroken checks that UnmarshalBinary and UnmarshalLossy refuse input on which readers
// disagree or crash.
func TestSetsBroken(t *testing.T) {
	t.Parallel()
	set, two, in := registration(), template(), builder.CounterSetInstance{Name: "ab", Values: []uint64{1, 2}}
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
		{"NumCounters is larger than the number of counters", &set, putDWORD(24, 10), "counter[9]", regSetLen, layout.ErrShort},
		{"more counters than a set can have", &set, putDWORD(24, 1<<16+1), "NumCounters", 24, builder.ErrTooLarge},
		{"an undefined instance type", &set, putDWORD(28, 3), "InstanceType", 28, layout.ErrRange},
		{"two counters with the same id", &set, putDWORD(regField(clock, "CounterId"), 1), "counter[4].CounterId", int64(regField(clock, "CounterId")), builder.ErrDuplicateID},
		{"the wildcard id", &set, putDWORD(regField(clock, "CounterId"), 0xFFFFFFFF), "counter[4].CounterId", int64(regField(clock, "CounterId")), layout.ErrRange},
		{"no base", &set, putDWORD(regField(averages, "BaseCounterId"), 0xFFFFFFFF), "counter[1].BaseCounterId", int64(regField(averages, "BaseCounterId")), builder.ErrReference},
		{"a base that is not in the set", &set, putDWORD(regField(averages, "BaseCounterId"), 77), "counter[1].BaseCounterId", int64(regField(averages, "BaseCounterId")), builder.ErrReference},
		{"a base whose type is not a base", &set, putDWORD(regField(averageBases, "Type"), 0), "counter[1].BaseCounterId", int64(regField(averages, "BaseCounterId")), builder.ErrReference},
		{"a single counter that is cut off", &averageBase, func(b []byte) []byte { return b[:47] }, "counter[0]", 0, layout.ErrShort},
		{"a single counter without BaseCounterId", &averageTimer, putDWORD(24, 0xFFFFFFFF), "counter[0].BaseCounterId", 24, builder.ErrReference},
		{"a template without counters", &two, func(b []byte) []byte { return putDWORD(32, 0)(b[:40]) }, "NumCounters", 32, builder.ErrCount},
		{"a template with fewer counters than NumCounters", &two, putDWORD(32, 3), "counter[2]", 40 + 64, layout.ErrShort},
		{"a template with more counters than a set can have", &two, putDWORD(32, 1<<16+1), "NumCounters", 32, builder.ErrTooLarge},
		{"a template with two counters of the same id", &two, putDWORD(templateField(1, "CounterId"), 1), "counter[1].CounterId", 72, builder.ErrDuplicateID},
		{"an undefined instance type of a template", &two, putDWORD(36, 1), "InstanceType", 36, layout.ErrRange},
		{"dwSize is larger than the input", &in, putDWORD(16, 64), "dwSize", 16, layout.ErrBounds},
		{"a name in the structure", &in, putDWORD(24, 24), "InstanceNameOffset", 24, layout.ErrBounds},
		{"a name without bytes whose offset is in the structure", &in, inOrder(putDWORD(24, 24), putDWORD(28, 0)), "InstanceNameOffset", 24, layout.ErrBounds},
		{"a name that ends after the instance", &in, putDWORD(24, 57), "InstanceNameOffset", 24, layout.ErrBounds},
		{"a name longer than the instance", &in, putDWORD(28, 10), "InstanceNameSize", 28, layout.ErrBounds},
		{"a name without NUL", &in, putDWORD(28, 4), "Name", 50, layout.ErrUnterminated},
		{"a name that ends in half a character", &in, putDWORD(28, 5), "Name", 51, layout.ErrUnterminated},
		{"an empty buffer in place of a text", new(builder.RegString("a")), func(b []byte) []byte { return b[:0] }, "Text", 0, layout.ErrUnterminated},
		{"a text without NUL", new(builder.RegString("a")), func(b []byte) []byte { return b[:2] }, "Text", 0, layout.ErrUnterminated},
		{"half a NUL", new(builder.RegString("a")), func(b []byte) []byte { return b[:3] }, "Text", 1, layout.ErrUnterminated},
		{"no GUID", new(builder.RegGUID(processors)), func(b []byte) []byte { return b[:0] }, "guid[0]", 0, layout.ErrShort},
		{"half a GUID", new(builder.RegGUID(processors)), func(b []byte) []byte { return b[:8] }, "guid[0]", 0, layout.ErrShort},
		{"a list that ends in half a GUID", &builder.GUIDs{processors, provider}, func(b []byte) []byte { return b[:24] }, "guid[1]", 16, layout.ErrShort},
	} {
		b, err := test.model.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		checkBroken(t, test.reason, test.model.Kind(), test.damage(b), test.path, test.off, test.kind)
	}
}

// TestSetAssembly checks that a model built with method calls is equal to a literal.
func TestSetAssembly(t *testing.T) {
	t.Parallel()
	checkEqual(t, builder.NewCounterSetRegInfo(processors, layout.PERF_COUNTERSET_MULTI_INSTANCES).
		Counter(1, layout.PERF_COUNTER_COUNTER).
		WithBase(2, layout.PERF_AVERAGE_TIMER, 3).
		WithBase(4, layout.PERF_COUNTER_COUNTER, 5).
		Define(averageTimer),
		&builder.CounterSetRegInfo{CounterSetGuid: processors, InstanceType: 2, Counters: []builder.CounterRegInfo{
			{CounterId: 1, Type: layout.PERF_COUNTER_COUNTER},
			{CounterId: 2, Type: layout.PERF_AVERAGE_TIMER, BaseCounterId: new(uint32(3))},
			{CounterId: 3, Type: layout.PERF_AVERAGE_BASE, Attrib: layout.PERF_ATTRIB_NO_DISPLAYABLE},
			{CounterId: 4, Type: layout.PERF_COUNTER_COUNTER},
			averageTimer,
		}})
	checkEqual(t, builder.NewCounterSetInfo(processors, provider, layout.PERF_COUNTERSET_SINGLE_AGGREGATE).
		Counter(1, layout.PERF_COUNTER_COUNTER).
		Define(builder.CounterInfo{CounterId: 2, Size: 8}),
		&builder.CounterSetInfo{CounterSetGuid: processors, ProviderGuid: provider, InstanceType: 4, Counters: []builder.CounterInfo{
			{CounterId: 1, Type: layout.PERF_COUNTER_COUNTER}, {CounterId: 2, Size: 8},
		}})
	checkEqual(t, new(builder.StringBuffer{}).Counter(1, "Ab").Define(builder.StringCounter{CounterId: 2, None: true}),
		&builder.StringBuffer{Entries: []builder.StringCounter{{CounterId: 1, Text: "Ab"}, {CounterId: 2, None: true}}})
}
