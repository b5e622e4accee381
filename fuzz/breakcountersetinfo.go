package fuzz

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// setInfoBreakers break the rules about PERF_COUNTERSET_INFO and PERF_COUNTER_INFO.
var setInfoBreakers = []breaker{
	{"v2-template-size", also{"v2-template-limit", "v2-template-limit-max"}, func(f *faultyBlock) {
		anyTemplate(f)
		if f.chance(128) {
			f.set("NumCounters", pick(f.Source, f.atLeast(f.get("NumCounters")+1), f.undocumentedCount()))
			return
		}
		f.truncate(f.size())
	}},
	{"v2-template-no-counters", also{"v2-trailing-bytes"}, func(f *faultyBlock) {
		anyTemplate(f)
		if f.chance(128) { // otherwise the counters remain
			f.block = f.block[:f.part("counter[0]").Off()]
		}
		f.set("NumCounters", 0)
	}},
	{"v2-template-limit", also{"v2-template-size"}, func(f *faultyBlock) { f.manyCounters(f.undocumentedCount()) }},
	{"v2-template-limit-max", also{"v2-template-size"}, func(f *faultyBlock) {
		f.manyCounters(maxCounters + 1 + int64(f.upTo(1000)))
	}},
	{"v2-template-guid-zero", nil, func(f *faultyBlock) {
		clear(anyTemplate(f).part(pick(f.Source, "CounterSetGuid", "ProviderGuid")).Bytes())
	}},
	{"v2-template-instance-type", nil, setField(anyTemplate, "InstanceType", toUndefinedInstanceType)},
	{"v2-template-duplicate-id", nil, func(f *faultyBlock) {
		f.template(2)
		i, j := f.twoInAnyOrder(f.counters())
		id := f.get(counterOfSet(j, "CounterId"))
		if f.chance(128) {
			id = noID
		}
		f.set(counterOfSet(i, "CounterId"), id)
	}},
	{"v2-template-type", nil, func(f *faultyBlock) {
		t := layout.CounterType(toIllegalType(f))
		width, _ := t.Width()
		anyTemplate(f).set("counter.Type", int64(t))
		f.set("counter.Size", int64(pick(f.Source, width, layout.SizeofCounterInfo)))
	}},
	{"v2-template-attrib-bits", nil, setField(anyTemplate, "counter.Attrib", toUndefinedAttrib)},
	{"v2-template-attrib-combination", nil, setField(anyTemplate, "counter.Attrib", toContradictoryAttrib)},
	{"v2-template-detail-level", nil, setField(anyTemplate, "counter.DetailLevel", toIllegalLevel)},
	{"v2-template-scale", nil, setField(anyTemplate, "counter.Scale", toIllegalScale)},
	{"v2-template-counter-size", nil, setField(anyTemplate, "counter.Size", func(f *faultyBlock) int64 {
		// 12-Size: 4 becomes 8, and 8 becomes 4.
		return pick(f.Source, 12-f.get("counter.Size"), int64(f.upTo(4)), 16, f.atLeast(layout.SizeofCounterInfo+1))
	})},
	{"v2-template-offset", nil, func(f *faultyBlock) {
		f.template(3)
		if f.base == nil {
			t, first := f.made.(*builder.CounterSetInfo), 8*f.uint32()
			for i := range t.Counters {
				t.Counters[i].Offset = first + 8*uint32(i)
			}
			f.encodeValid(t)
		}
		i, j := f.twoBelow(f.counters())
		if f.chance(128) {
			f.set(counterOfSet(j, "Offset"), f.get(counterOfSet(i, "Offset")))
			return
		}
		f.add(counterOfSet(j, "Offset"), 1+int64(f.upTo(7)))
	}},
}

// manyCounters makes a template and sets its NumCounters to n. In half of the cases, the template has n counters. In
// the other cases, it has fewer.
func (f *faultyBlock) manyCounters(n int64) {
	anyTemplate(f)
	if f.chance(128) {
		c := f.part("counter").Bytes()
		missing := int(n) - f.counters()
		more := bytes.Repeat(c, missing)
		for i := range missing {
			binary.LittleEndian.PutUint32(more[len(c)*i:], 1<<31+uint32(i)) // the CounterId
		}
		f.block = append(f.block, more...)
	}
	f.set("NumCounters", n)
}

// anyTemplate makes a template with counters, and chooses one of the counters.
func anyTemplate(f *faultyBlock) *faultyBlock { return f.template(1) }

// template makes a template with at least n counters. It stores the position of the first of n consecutive counters
// in f.chosen.
func (f *faultyBlock) template(n int) *faultyBlock {
	if f.base != nil {
		t := f.takeCopy(layout.TemplateKind).(*builder.CounterSetInfo)
		if len(t.Counters) < n {
			f.endAttempt("a template with %d counters", n)
		}
		f.chosen["counter"] = f.upTo(len(t.Counters) + 1 - n)
		return f
	}
	t := builder.CounterSetInfo{CounterSetGuid: f.guid(), ProviderGuid: f.guid(), InstanceType: f.instanceType()}
	t.CounterSetGuid.Data1 |= 1 // not the zero GUID
	t.ProviderGuid.Data1 |= 1
	others := func() {
		for range f.upTo(3) {
			t.Counter(1000+uint32(len(t.Counters)), layout.PERF_COUNTER_DELTA)
		}
	}
	others()
	f.chosen["counter"] = len(t.Counters)
	for i := range n {
		t.Counter(uint32(i), pick(f.Source, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_ELAPSED_TIME))
	}
	others()
	return f.encodeValid(&t)
}

// counters returns the NumCounters of a template or registration.
func (f *faultyBlock) counters() int { return int(f.get("NumCounters")) }

// counterOfSet returns the path of a field in counter i of a template or registration.
func counterOfSet(i int, field string) string { return fmt.Sprintf("counter[%d].%s", i, field) }

// setInstanceBreakers break the rules about PERF_COUNTERSET_INSTANCE.
var setInstanceBreakers = []breaker{
	{"v2-instance-block-size", nil, func(f *faultyBlock) {
		f.namedInstance()
		switch f.upTo(3) {
		case 0:
			f.set("dwSize", avoid(int64(f.uint32()), f.get("dwSize")))
		case 1:
			f.add("dwSize", pick[int64](f.Source, 1, -1, 8, -8, 4))
		case 2:
			f.truncate(f.size())
		}
	}},
	{"v2-instance-block-name-offset", nil, func(f *faultyBlock) {
		in := f.namedInstance()
		if n := len(in.Values); f.chance(128) { // the context has the number of counters
			if f.ctx.Counters = uint32(n); f.chance(128) {
				in.Values = make([]uint64, f.other(1, 100, int64(n)))
				f.encodeFaulty(in)
				return
			}
		}
		if f.chance(128) {
			f.set("InstanceNameOffset", avoid(int64(f.uint32()), f.get("InstanceNameOffset")))
			return
		}
		f.add("InstanceNameOffset", pick[int64](f.Source, 2, -2, 1, -1, 8, -8))
	}},
	{"v2-instance-block-name-size", nil, func(f *faultyBlock) {
		f.namedInstance()
		name := f.part("Name").Bytes()
		switch f.upTo(4) {
		case 0: // an odd difference, because a multiple of 8 could also be a fault of InstanceNameOffset
			n := int64(f.uint32())
			f.set("InstanceNameSize", n+(n-int64(len(name))+1)%2)
		case 1:
			f.add("InstanceNameSize", pick[int64](f.Source, 2, -2, 1, -1))
		case 2: // the name does not end in a NUL
			binary.LittleEndian.PutUint16(name[len(name)-2:], 'a'+uint16(f.upTo(26)))
		case 3: // a NUL is inside the name
			clear(name[2*f.upTo(len(name)/2-1):][:2])
		}
	}},
}

// namedInstance makes a PERF_COUNTERSET_INSTANCE with a name. The values contain no zero bytes, because zero bytes
// could look like the end of a name.
func (f *faultyBlock) namedInstance() *builder.CounterSetInstance {
	if f.base != nil {
		in := f.takeCopy(layout.InstanceBlockKind).(*builder.CounterSetInstance)
		if in.Name == "" || len(in.Values) == 0 {
			f.endAttempt("an instance with a name and values")
		}
		return in
	}
	in := builder.CounterSetInstance{CounterSetGuid: f.guid(), InstanceId: f.uint32(), Name: strings.Repeat("n", 1+f.nameLength())}
	for range 1 + f.upTo(4) {
		in.Values = append(in.Values, f.uint64()|0x0101010101010101)
	}
	f.encodeValid(&in)
	return &in
}
