package fuzz

import (
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var tableBreakers = []breaker{
	{"v2-multi-instances-bounds", nil, func(v *victim) {
		v.answers(v.withInstances(1 + v.upTo(v.MaxInstances)))
		total := v.res("instances.dwTotalSize")
		v.set(total, pick(v.Source, int64(v.upTo(8)), v.from(v.rest(total, v.res(""))+1)))
	}},
	{"v2-multi-instances-size-sum", nil, func(v *victim) {
		v.answers(v.withInstances(1 + v.upTo(v.MaxInstances)))
		total := v.res("instances.dwTotalSize")
		v.set(total, v.otherEight(8, v.get(total), v.get(total)))
	}},
	{"v2-multi-instances-size-sum", nil, func(v *victim) { // an instance that does not lead to its values
		v.answers(v.withInstances(1 + v.upTo(v.MaxInstances)))
		in := v.someInstance()
		size := in + ".Size"
		v.set(size, v.otherEight(16, v.rest(in, v.res("")), v.get(size)))
	}},
	{"v2-multi-instances-size-sum", nil, func(v *victim) { // a value that does not lead to the next one
		v.answers(v.withInstances(1 + v.upTo(v.MaxInstances)))
		data := v.someValue()
		v.set(data+".dwSize", v.otherEight(8, v.rest(data, v.res("")), 16))
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
		at := v.part(v.someValue()).Off()
		if v.chance(128) { // one of an instance is missing
			v.excise(at, 16, counting...)
			return
		}
		v.splice(at, append([]byte{8, 0, 0, 0, 16, 0, 0, 0}, v.bytes(8)...), counting...)
	}},
	{"v2-multi-instances-data-count", nil, func(v *victim) { // each has one more than there are ids
		v.answers(v.answerOf(layout.PERF_COUNTERSET, 2+2*v.upTo(4), 1+v.upTo(v.MaxInstances)))
		v.add(v.res("ids.dwCounters"), -1) // as if the last were padding
	}},
	{"v2-multi-instances-empty", nil, func(v *victim) {
		v.answers(v.withInstances(1 + v.upTo(v.MaxInstances)))
		v.again(func(r *builder.Result) { r.Instances = nil })
	}},
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
		v.set(data+".dwSize", v.astray(data, v.res(""), 8))
	}},
	{"v2-counter-data-slack", nil, func(v *victim) {
		v.answers(v.withData())
		data := v.someValue()
		v.splice(v.part(data).End(), make([]byte, 8*(1+v.upTo(4))), v.sizesOver(data)...)
	}},
	{"v2-counter-data-empty", nil, func(v *victim) {
		v.answers(v.withData())
		v.cutValue(v.someValue(), 0)
	}},
	{"v2-counter-data-width", nil, func(v *victim) {
		v.answers(v.withData())
		data := v.someValue()
		if v.chance(80) { // longer ones
			n := 1 + v.upTo(200)
			v.splice(v.part(data).End(), make([]byte, (n+7)&^7), v.sizesOver(data)...)
			v.set(data+".dwDataSize", int64(8+n))
			return
		}
		v.cutValue(data, pick[int64](v.Source, 1, 2, 3, 5, 6, 7))
	}},
}

// sizesOver returns the sizes in which the bytes of a value are counted.
func (v *victim) sizesOver(data string) []string {
	all := []string{"dwTotalSize", v.res("dwSize"), data + ".dwSize"}
	if v.inhabits() {
		all = append(all, v.res("instances.dwTotalSize"))
	}
	return all
}

// inhabits reports whether the answer has a PERF_MULTI_INSTANCES.
func (v *victim) inhabits() bool {
	return v.get(v.res("dwType"))&int64(layout.PERF_MULTIPLE_INSTANCES) != 0
}

// someInstance returns the path of one of the instances of the answer.
func (v *victim) someInstance() string {
	return v.res(fmt.Sprintf("instance[%d]", v.upTo(int(v.get(v.res("instances.dwInstances"))))))
}

// someValue returns the path of one of the values of the answer.
func (v *victim) someValue() string {
	counters, in := 1, v.res("")
	if v.get(v.res("dwType"))&int64(layout.PERF_MULTIPLE_COUNTERS) != 0 {
		counters = int(v.get(v.res("ids.dwCounters")))
	}
	if v.inhabits() {
		in = v.someInstance()
	}
	return fmt.Sprintf("%s.data[%d]", in, v.upTo(counters))
}
