package fuzz

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var tableBreakers = []breaker{
	{"v2-multi-instances-bounds", nil, func(v *victim) {
		v.answers(v.withInstances(1 + v.upTo(v.MaxInstances)))
		total := v.res("instances.dwTotalSize")
		v.set(total, pick(v.Source, int64(v.upTo(8)), v.from(v.rest(total, v.res(""))+1)))
	}},
	{"v2-multi-instances-size-sum", nil, func(v *victim) {
		v.answers(v.withInstances(2 + v.upTo(v.MaxInstances)))
		total := v.res("instances.dwTotalSize")
		v.set(total, v.otherEight(8, v.get(total), v.get(total)))
	}},
	{"v2-multi-instances-size-align", nil, func(v *victim) {
		v.answers(v.withInstances(1 + v.upTo(v.MaxInstances)))
		total := v.res("instances.dwTotalSize")
		v.set(total, v.noEight(8, v.get(total)))
	}},
	{"v2-multi-instances-count", nil, func(v *victim) {
		v.answers(v.withInstances(1 + v.upTo(v.MaxInstances)))
		n := v.res("instances.dwInstances")
		v.set(n, pick(v.Source, v.from(v.get(n)+1), int64(v.upTo(int(v.get(n))))))
	}},
	{"v2-multi-instances-data-count", nil, func(v *victim) {
		v.answers(v.withInstances(1 + v.upTo(v.MaxInstances)))
		counting := []string{"dwTotalSize", v.res("dwSize"), v.res("instances.dwTotalSize")}
		n := v.get(v.res("instances.dwInstances"))
		in := v.upTo(int(n))
		end := v.part(v.res("")).End()
		if in+1 < int(n) {
			end = v.part(v.res(fmt.Sprintf("instance[%d]", in+1))).Off()
		}
		if v.chance(128) { // the last of an instance is missing
			v.excise(end-16, 16, counting...)
			return
		}
		v.splice(end, append([]byte{8, 0, 0, 0, 16, 0, 0, 0}, v.bytes(8)...), counting...)
	}},
	{"v2-multi-instances-empty", nil, func(v *victim) { v.answers(v.withInstances(0)) }},
}

var rawBreakers = []breaker{
	{"v2-counter-data-bounds", nil, func(v *victim) {
		v.answers(v.withData())
		data := v.someValue()
		v.set(data+".dwSize", pick(v.Source, int64(v.upTo(8)), v.from(v.rest(data, v.res(""))+1)))
	}},
	{"v2-counter-data-datasize", nil, func(v *victim) {
		v.answers(v.withData())
		v.set(v.someValue()+".dwDataSize", v.from(9))
	}},
	{"v2-counter-data-align", nil, func(v *victim) {
		v.answers(v.withData())
		data := v.someValue()
		v.set(data+".dwSize", v.noEight(8, v.rest(data, v.res(""))))
	}},
	{"v2-counter-data-slack", nil, func(v *victim) {
		v.answers(v.withData())
		data := v.someValue()
		counting := []string{"dwTotalSize", v.res("dwSize"), data + ".dwSize"}
		if v.get(v.res("dwType"))&int64(layout.PERF_MULTIPLE_INSTANCES) != 0 {
			counting = append(counting, v.res("instances.dwTotalSize"))
		}
		v.splice(v.part(data).End(), make([]byte, 8*(1+v.upTo(4))), counting...)
	}},
	{"v2-counter-data-empty", nil, func(v *victim) {
		v.answers(v.withData())
		data := v.someValue()
		clear(v.block[v.part(data).Off()+8:][:8])
		v.set(data+".dwDataSize", 0)
	}},
	{"v2-counter-data-width", nil, func(v *victim) {
		v.answers(v.withData())
		data := v.someValue()
		clear(v.block[v.part(data).Off()+8:][:8])
		v.set(data+".dwDataSize", pick(v.Source, int64(1), 2, 3, 5, 6, 7))
	}},
}

// someValue returns the path of one of the values of the answer.
func (v *victim) someValue() string {
	counters, in := 1, ""
	switch t := layout.PerfCounterDataType(v.get(v.res("dwType"))); t {
	case layout.PERF_MULTIPLE_COUNTERS, layout.PERF_COUNTERSET:
		counters = int(v.get(v.res("ids.dwCounters")))
	}
	if v.get(v.res("dwType"))&int64(layout.PERF_MULTIPLE_INSTANCES) != 0 {
		in = fmt.Sprintf("instance[%d].", v.upTo(int(v.get(v.res("instances.dwInstances")))))
	}
	return v.res(fmt.Sprintf("%sdata[%d]", in, v.upTo(counters)))
}
