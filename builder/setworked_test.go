package builder_test

import (
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// What is registered of counter sets and what providers make, worked out by hand from the
// pages of perflib.h and MS-PCQ.

var (
	processors = layout.GUID{Data1: 0xb4fc721a, Data2: 0x0378, Data3: 0x476f, Data4: [8]byte{0x89, 0xba, 0xa5, 0xa7, 0x9f, 0x81, 0x0b, 0x36}}
	provider   = layout.GUID{Data1: 0xf596d30a, Data2: 0xb109, Data3: 0x4248, Data4: [8]byte{0xa6, 0x2f, 0xde, 0xa4, 0x7a, 0x46, 0xe5, 0x05}}
)

const (
	processorsBytes = "1a 72 fc b4 78 03 6f 47 89 ba a5 a7 9f 81 0b 36\n"
	providerBytes   = "0a d3 96 f5 09 b1 48 42 a6 2f de a4 7a 46 e5 05\n"
)

var averageTimer = builder.CounterRegInfo{
	CounterId: 2, Type: layout.PERF_AVERAGE_TIMER, Attrib: layout.PERF_ATTRIB_DISPLAY_AS_REAL,
	DetailLevel: layout.PERF_DETAIL_ADVANCED, BaseCounterId: new(uint32(3)),
}

const averageTimerBytes = `
02 00 00 00  00 04 02 30  08 00 00 00 00 00 00 00   id 2, PERF_AVERAGE_TIMER, DISPLAY_AS_REAL
c8 00 00 00  00 00 00 00  03 00 00 00  ff ff ff ff   advanced, scale 0, base 3, no clock
ff ff ff ff  ff ff ff ff  00 00 00 00  00 00 00 00   nothing of a clock, nor of items; no function, reserved
`

var averageBase = builder.CounterRegInfo{
	CounterId: 3, Type: layout.PERF_AVERAGE_BASE, Attrib: layout.PERF_ATTRIB_NO_DISPLAYABLE,
	DefaultScale: -3, AggregateFunc: layout.PERF_AGGREGATE_TOTAL,
}

const averageBaseBytes = `
03 00 00 00  02 04 03 40  02 00 00 00 00 00 00 00   id 3, PERF_AVERAGE_BASE, NO_DISPLAYABLE
64 00 00 00  fd ff ff ff  ff ff ff ff  ff ff ff ff   novice, scale -3, no base, no clock
ff ff ff ff  ff ff ff ff  01 00 00 00  00 00 00 00   TOTAL, reserved
`

func TestWorkedRegistrations(t *testing.T) {
	t.Parallel()
	set := builder.CounterSetRegInfo{CounterSetGuid: processors, InstanceType: layout.PERF_COUNTERSET_MULTI_INSTANCES, Counters: []builder.CounterRegInfo{averageTimer, averageBase}}
	b := typed(t, processorsBytes+`
00 00 00 00  64 00 00 00  02 00 00 00  02 00 00 00   reserved, novice, 2 counters, MULTI_INSTANCES
`+averageTimerBytes+averageBaseBytes)
	if len(b) != 32+2*48 {
		t.Fatalf("%d bytes typed in", len(b))
	}
	holds(t, set, b, new(builder.CounterSetRegInfo))
	holds(t, averageTimer, typed(t, averageTimerBytes), new(builder.CounterRegInfo))
	holds(t, builder.RegString("Ab"), typed(t, "41 00 62 00 00 00\n"), new(builder.RegString))
	holds(t, builder.RegString(""), typed(t, "00 00\n"), new(builder.RegString))
	holds(t, builder.RegGUID(processors), typed(t, processorsBytes), new(builder.RegGUID))
	holds(t, builder.GUIDs{processors, provider}, typed(t, processorsBytes+providerBytes), new(builder.GUIDs))
	holds(t, builder.GUIDs(nil), nil, new(builder.GUIDs))
}

func TestWorkedStrings(t *testing.T) {
	t.Parallel()
	entries := []builder.StringCounter{{CounterId: 1, Text: "Ab"}, {CounterId: 2, Text: "Cde"}, {CounterId: 3, None: true}}
	const texts = `
41 00 62 00 00 00  43 00 64 00 65 00 00 00  00 00   A b NUL, C d e NUL, padding to 48
`
	holds(t, builder.StringBuffer{Entries: entries}, typed(t, `
30 00 00 00  03 00 00 00                             dwSize 8 + 3 * 8 + 6 + 8 and padding = 48, 3 entries
01 00 00 00  20 00 00 00                             8 + 3 * 8 = 32
02 00 00 00  26 00 00 00                             32 + 6
03 00 00 00  ff ff ff ff                             none
`+texts), new(builder.StringBuffer))
	holds(t, builder.StringBuffer{Entries: entries, FromEntries: true}, typed(t, `
30 00 00 00  03 00 00 00
01 00 00 00  00 00 00 00
02 00 00 00  06 00 00 00
03 00 00 00  ff ff ff ff
`+texts), new(builder.StringBuffer))
	holds(t, builder.StringBuffer{Entries: []builder.StringCounter{{CounterId: 7}, {CounterId: 8}}}, typed(t, `
20 00 00 00  02 00 00 00                             dwSize 8 + 2 * 8 + 2 + 2 and padding = 32
07 00 00 00  18 00 00 00
08 00 00 00  1a 00 00 00
00 00  00 00  00 00 00 00                            two texts of no characters
`), new(builder.StringBuffer))
	holds(t, builder.StringBuffer{}, typed(t, "08 00 00 00  00 00 00 00\n"), new(builder.StringBuffer))
}

func TestWorkedTemplate(t *testing.T) {
	t.Parallel()
	holds(t, builder.CounterSetInfo{
		CounterSetGuid: processors, ProviderGuid: provider, InstanceType: layout.PERF_COUNTERSET_MULTI_AGGREGATE,
		Counters: []builder.CounterInfo{
			{CounterId: 1, Type: layout.PERF_COUNTER_COUNTER},
			{
				CounterId: 2, Type: layout.PERF_COUNTER_LARGE_RAWCOUNT, Attrib: layout.PERF_ATTRIB_BY_REFERENCE | layout.PERF_ATTRIB_DISPLAY_AS_HEX,
				DetailLevel: layout.PERF_DETAIL_ADVANCED, Scale: -3, Offset: 8,
			},
			{CounterId: 0, Type: layout.PERF_COUNTER_RAWCOUNT, Size: 8},
		},
	}, typed(t, processorsBytes+providerBytes+`
03 00 00 00  06 00 00 00                             3 counters, MULTI_AGGREGATE
01 00 00 00  00 04 41 10  00 00 00 00 00 00 00 00   id 1, PERF_COUNTER_COUNTER
04 00 00 00  64 00 00 00  00 00 00 00  00 00 00 00   4 bytes, novice
02 00 00 00  00 01 01 00  11 00 00 00 00 00 00 00   id 2, PERF_COUNTER_LARGE_RAWCOUNT, by reference, hex
08 00 00 00  c8 00 00 00  fd ff ff ff  08 00 00 00   8 bytes, advanced, scale -3, an offset that does not count
00 00 00 00  00 00 01 00  00 00 00 00 00 00 00 00   id 0, PERF_COUNTER_RAWCOUNT
08 00 00 00  64 00 00 00  00 00 00 00  00 00 00 00   the 8 bytes of a pointer
`), new(builder.CounterSetInfo))
}

func TestWorkedSetInstance(t *testing.T) {
	t.Parallel()
	holds(t, builder.CounterSetInstance{CounterSetGuid: processors, InstanceId: 11, Name: "11", Values: []uint64{42, 0x1122334455667788}}, typed(t, processorsBytes+`
38 00 00 00  0b 00 00 00                             dwSize 32 + 2 * 8 + 6 and padding = 56, id 11
30 00 00 00  06 00 00 00                             the name at 32 + 2 * 8, of 6 bytes
2a 00 00 00 00 00 00 00  88 77 66 55 44 33 22 11
31 00 31 00 00 00  00 00                             1 1 NUL
`), new(builder.CounterSetInstance))
	holds(t, builder.CounterSetInstance{}, typed(t, `
00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00
28 00 00 00  00 00 00 00  20 00 00 00  02 00 00 00   dwSize 40, the name at 32, of 2 bytes
00 00  00 00 00 00 00 00
`), new(builder.CounterSetInstance))
}

// What is put together call by call is what is written as a literal.
func TestSetAssembly(t *testing.T) {
	t.Parallel()
	same(t, builder.NewCounterSetRegInfo(processors, layout.PERF_COUNTERSET_MULTI_INSTANCES).
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
	same(t, builder.NewCounterSetInfo(processors, provider, layout.PERF_COUNTERSET_SINGLE_AGGREGATE).
		Counter(1, layout.PERF_COUNTER_COUNTER).
		Define(builder.CounterInfo{CounterId: 2, Size: 8}),
		&builder.CounterSetInfo{CounterSetGuid: processors, ProviderGuid: provider, InstanceType: 4, Counters: []builder.CounterInfo{
			{CounterId: 1, Type: layout.PERF_COUNTER_COUNTER}, {CounterId: 2, Size: 8},
		}})
	same(t, new(builder.StringBuffer{}).Counter(1, "Ab").Define(builder.StringCounter{CounterId: 2, None: true}),
		&builder.StringBuffer{Entries: []builder.StringCounter{{CounterId: 1, Text: "Ab"}, {CounterId: 2, None: true}}})
}
