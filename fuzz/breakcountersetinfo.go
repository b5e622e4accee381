package fuzz

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var setInfoBreakers = []breaker{
	{"v2-template-size", also{"v2-template-limit", "v2-template-limit-max"}, func(v *victim) {
		v.template(1)
		if v.chance(128) {
			v.set("NumCounters", pick(v.Source, v.from(v.get("NumCounters")+1), 64_001+int64(v.upTo(1536))))
			return
		}
		v.block = v.block[:1+v.upTo(len(v.block)-1)]
	}},
	{"v2-template-no-counters", also{"v2-trailing-bytes"}, func(v *victim) {
		v.template(1)
		if v.chance(128) { // otherwise the counters remain
			v.block = v.block[:v.part("counter[0]").Off()]
		}
		v.set("NumCounters", 0)
	}},
	{"v2-template-limit", also{"v2-template-size"}, func(v *victim) {
		v.template(1)
		v.manyCounters(64_001 + v.upTo(1536))
	}},
	{"v2-template-limit-max", also{"v2-template-size"}, func(v *victim) {
		v.template(1)
		v.manyCounters(65_537 + v.upTo(1000))
	}},
	{"v2-template-guid-zero", nil, func(v *victim) {
		v.template(1)
		clear(v.part(pick(v.Source, "CounterSetGuid", "ProviderGuid")).Bytes())
	}},
	{"v2-template-instance-type", nil, func(v *victim) {
		v.template(1)
		v.set("InstanceType", v.noInstanceType())
	}},
	{"v2-template-duplicate-id", nil, func(v *victim) {
		v.template(2)
		i := v.upTo(v.counters())
		id := int64(noID)
		if v.chance(128) {
			j := (i + 1 + v.upTo(v.counters()-1)) % v.counters()
			id = v.get(fmt.Sprintf("counter[%d].CounterId", j))
		}
		v.set(fmt.Sprintf("counter[%d].CounterId", i), id)
	}},
	{"v2-template-type", nil, func(v *victim) {
		v.template(1)
		t := layout.CounterType(v.noSetType())
		v.set(v.setRow(0, "Type"), int64(t))
		width, _ := t.Width()
		v.set(v.setRow(0, "Size"), int64(pick(v.Source, width, 32)))
	}},
	{"v2-template-attrib-bits", nil, func(v *victim) {
		v.template(1)
		v.set(v.setRow(0, "Attrib"), v.undefinedAttrib())
	}},
	{"v2-template-attrib-combination", nil, func(v *victim) {
		v.template(1)
		v.set(v.setRow(0, "Attrib"), v.noEffectAttrib())
	}},
	{"v2-template-detail-level", nil, func(v *victim) {
		v.template(1)
		v.set(v.setRow(0, "DetailLevel"), v.noSetLevel())
	}},
	{"v2-template-scale", nil, func(v *victim) {
		v.template(1)
		v.set(v.setRow(0, "Scale"), v.noSetScale())
	}},
	{"v2-template-counter-size", nil, func(v *victim) {
		v.template(1)
		size := v.setRow(0, "Size")
		n := pick(v.Source, 12-v.get(size), 0, 16, int64(v.uint32())) // 8 for 4, and 4 for 8
		if n == v.get(size) || n == 32 {
			n++
		}
		v.set(size, n)
	}},
	{"v2-template-offset", nil, func(v *victim) {
		v.template(3)
		t, first := v.made.(*builder.CounterSetInfo), 8*v.uint32()
		for i := range t.Counters {
			t.Counters[i].Offset = first + 8*uint32(i)
		}
		v.model(t)
		i, j := v.two(v.counters())
		at := fmt.Sprintf("counter[%d].Offset", j)
		if v.chance(128) {
			v.set(at, v.get(fmt.Sprintf("counter[%d].Offset", i)))
			return
		}
		v.add(at, 1+int64(v.upTo(7)))
	}},
}

// manyCounters sets NumCounters to n, with n counters or without.
func (v *victim) manyCounters(n int) {
	if v.chance(128) {
		c := v.part(fmt.Sprintf("counter[%d]", v.at)).Bytes()
		more := bytes.Repeat(c, n-v.counters())
		for i := range n - v.counters() {
			binary.LittleEndian.PutUint32(more[len(c)*i:], 1<<31+uint32(i)) // its CounterId
		}
		v.block = append(v.block, more...)
	}
	v.set("NumCounters", int64(n))
}

// template makes a template with n counters of 4 or 8 bytes with the ids 0, 1 and so on, between counters with larger
// ids.
func (v *victim) template(n int) {
	t := builder.CounterSetInfo{CounterSetGuid: v.guid(), ProviderGuid: v.guid(), InstanceType: v.instanceType()}
	t.CounterSetGuid.Data1 |= 1 // not the zero GUID
	t.ProviderGuid.Data1 |= 1
	others := func() {
		for range v.upTo(3) {
			t.Counter(1000+uint32(len(t.Counters)), layout.PERF_COUNTER_DELTA)
		}
	}
	others()
	v.at = len(t.Counters)
	for i := range n {
		t.Counter(uint32(i), pick(v.Source, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_ELAPSED_TIME))
	}
	others()
	v.model(&t)
}

var setInstanceBreakers = []breaker{
	{"v2-instance-block-size", nil, func(v *victim) {
		v.instanceBlock()
		switch v.upTo(3) {
		case 0:
			v.set("dwSize", not(int64(v.uint32()), v.get("dwSize")))
		case 1:
			v.add("dwSize", pick[int64](v.Source, 1, -1, 8, -8, 4))
		case 2:
			v.block = v.block[:1+v.upTo(len(v.block)-1)]
		}
	}},
	{"v2-instance-block-name-offset", nil, func(v *victim) {
		in := v.instanceBlock()
		if n := len(in.Values); v.chance(128) { // the number of values is known
			if v.ctx.Counters = uint32(n); v.chance(128) {
				in.Values = make([]uint64, v.other(1, 100, int64(n)))
				v.remodel(in)
				return
			}
		}
		if v.chance(128) {
			v.set("InstanceNameOffset", not(int64(v.uint32()), v.get("InstanceNameOffset")))
			return
		}
		v.add("InstanceNameOffset", pick[int64](v.Source, 2, -2, 1, -1, 8, -8))
	}},
	{"v2-instance-block-name-size", nil, func(v *victim) {
		v.instanceBlock()
		name := v.part("Name").Bytes()
		switch v.upTo(4) {
		case 0: // even differences of 8 could be an error of the offset
			n := int64(v.uint32())
			v.set("InstanceNameSize", n+(n-int64(len(name))+1)%2)
		case 1:
			v.add("InstanceNameSize", pick[int64](v.Source, 2, -2, 1, -1))
		case 2:
			binary.LittleEndian.PutUint16(name[len(name)-2:], 'a'+uint16(v.upTo(26)))
		case 3:
			clear(name[2*v.upTo(len(name)/2-1):][:2])
		}
	}},
}

// instanceBlock makes an instance with a name and with values that contain no NUL, which could end a name.
func (v *victim) instanceBlock() *builder.CounterSetInstance {
	in := builder.CounterSetInstance{CounterSetGuid: v.guid(), InstanceId: v.uint32(), Name: strings.Repeat("n", 1+v.characters())}
	for range 1 + v.upTo(4) {
		in.Values = append(in.Values, v.uint64()|0x0101010101010101)
	}
	v.model(&in)
	return &in
}
