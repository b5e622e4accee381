package fuzz

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

const counterHeaderSize = 16

// dataTypes are the types of results with data.
var dataTypes = []layout.PerfCounterDataType{layout.PERF_SINGLE_COUNTER, layout.PERF_MULTIPLE_COUNTERS, layout.PERF_MULTIPLE_INSTANCES, layout.PERF_COUNTERSET}

var resultBreakers = []breaker{
	{"v2-counter-header-bounds", also{"v2-counter-count-bounds"}, func(v *victim) {
		switch v.upTo(3) {
		case 0:
			v.answers(v.anyAnswer())
			v.set(v.res("dwSize"), pick(v.Source, int64(v.upTo(counterHeaderSize)), v.from(v.rest(v.res("dwStatus"), "")+1)))
			return
		case 1:
			v.answers(v.withData())
		case 2: // dwTotalSize is too small for the results
			v.model(new(builder.QueryData).Add(slices.Repeat([]*builder.Result{builder.ErrorReturn(4201)}, 1+v.upTo(4))...))
		}
		v.splice(v.size(), v.bytes(counterHeaderSize/2), "dwTotalSize") // half of one more result
		v.add("dwNumCounters", 1)
	}},
	{"v2-counter-size-align", nil, func(v *victim) {
		v.answers(v.withData())
		v.set(v.res("dwSize"), v.noEight(counterHeaderSize, v.rest(v.res("dwStatus"), "")))
	}},
	{"v2-counter-type-known", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		v.set(v.res("dwType"), pick(v.Source, 3, 5, v.from(7)))
	}},
	{"v2-counter-reserved-zero", nil, func(v *victim) {
		v.answers(v.anyAnswer()).set(v.res("Reserved"), v.from(1))
	}},
	{"v2-counter-size-sum", nil, func(v *victim) {
		switch v.upTo(4) {
		case 0: // bytes after the content
			v.answers(v.withData())
			v.splice(v.part(v.res("")).End(), make([]byte, 8*(1+v.upTo(4))), "dwTotalSize", v.res("dwSize"))
		case 1: // a value whose size is not the distance to the next value or to the end
			v.answers(v.answer(pick(v.Source, layout.PERF_SINGLE_COUNTER, layout.PERF_MULTIPLE_COUNTERS)))
			data := v.someValue()
			v.set(data+".dwSize", v.otherEight(8, v.rest(data, v.res("")), 16))
		default:
			v.answers(v.withData())
			v.set(v.res("dwSize"), v.otherEight(counterHeaderSize, v.rest(v.res("dwStatus"), ""), v.get(v.res("dwSize"))))
		}
	}},
	{"v2-error-return-payload", nil, func(v *victim) {
		v.answers(v.answer(layout.PERF_ERROR_RETURN))
		if rest := v.rest(v.res("dwStatus"), ""); rest > counterHeaderSize && v.chance(128) { // the payload is the other results
			v.set(v.res("dwSize"), counterHeaderSize+1+int64(v.upTo(int(rest-counterHeaderSize))))
			return
		}
		v.splice(v.part(v.res("")).End(), v.bytes(8*(1+v.upTo(4))), "dwTotalSize", v.res("dwSize"))
	}},
	{"v2-error-return-status-zero", nil, func(v *victim) {
		v.answers(v.answer(layout.PERF_ERROR_RETURN)).set(v.res("dwStatus"), 0)
	}},
	{"v2-error-status-known", nil, func(v *victim) {
		status := uint32(v.from(1))
		for layout.StatusName(status) != "" {
			status++
		}
		v.answers(v.answer(layout.PERF_ERROR_RETURN)).set(v.res("dwStatus"), int64(status))
	}},
	{"v2-status-with-data", nil, func(v *victim) {
		v.answers(v.withData()).set(v.res("dwStatus"), v.from(1))
	}},
}

// answer returns a result of a type with at least one counter and one instance, if the type has them. The ids of the
// counters differ and are not 0, which padding is. The names of the instances differ.
func (v *victim) answer(t layout.PerfCounterDataType) *builder.Result {
	return v.answerOf(t, 1+v.upTo(v.MaxCounters), 1+v.upTo(v.MaxInstances))
}

func (v *victim) answerOf(t layout.PerfCounterDataType, counters, instances int) *builder.Result {
	r := &builder.Result{Type: t}
	if t == layout.PERF_ERROR_RETURN {
		r.Status = 4201
		return r
	}
	if t == layout.PERF_SINGLE_COUNTER || t == layout.PERF_MULTIPLE_INSTANCES {
		r.Counter(0, pick(v.Source, uint32(8), 4))
	} else {
		first, step := 1+uint32(v.upTo(1<<16)), uint32(1+v.upTo(1<<8))
		for i := range counters {
			r.Counter(first+step*uint32(i), pick(v.Source, uint32(8), 4))
		}
	}
	if t == layout.PERF_SINGLE_COUNTER || t == layout.PERF_MULTIPLE_COUNTERS {
		return r.Single(v.valuesOf(r.Counters)...)
	}
	for i := range instances {
		r.Instance(fmt.Sprintf("%s%d", v.word("", "C", "disk ", "Größe"), i), v.oddID(), v.valuesOf(r.Counters)...)
	}
	return r
}

// oddID returns an InstanceId. It is odd, because a multiple of 8 could be the dwSize of a value.
func (v *victim) oddID() uint32 { return 1 + 2*uint32(v.upTo(500)) }

// valuesOf returns a value for each counter. Both halves are odd, because a multiple of 8 could be a size.
func (v *victim) valuesOf(counters []builder.QueryCounter) []uint64 {
	list := make([]uint64, len(counters))
	for i, c := range counters {
		if list[i] = v.uint64() | 1<<32 | 1; c.Size == 4 {
			list[i] &= 1<<32 - 1
		}
	}
	return list
}

// anyAnswer returns a result of any type.
func (v *victim) anyAnswer() *builder.Result {
	return v.answer(pick(v.Source, append(slices.Clone(dataTypes), layout.PERF_ERROR_RETURN)...))
}

// withData returns a result of any type except PERF_ERROR_RETURN.
func (v *victim) withData() *builder.Result {
	return v.answer(pick(v.Source, dataTypes...))
}

// withIDs returns a result that lists ids of n counters.
func (v *victim) withIDs(n int) *builder.Result {
	return v.answerOf(pick(v.Source, layout.PERF_MULTIPLE_COUNTERS, layout.PERF_COUNTERSET), n, 1+v.upTo(v.MaxInstances))
}

// withInstances returns a result with n instances.
func (v *victim) withInstances(n int) *builder.Result {
	return v.answerOf(pick(v.Source, layout.PERF_MULTIPLE_INSTANCES, layout.PERF_COUNTERSET), 1+v.upTo(v.MaxCounters), n)
}

// inhabits reports whether the result has a PERF_MULTI_INSTANCES.
func (v *victim) inhabits() bool {
	return v.get(v.res("dwType"))&int64(layout.PERF_MULTIPLE_INSTANCES) != 0
}

// someInstance returns the path of an instance of the result.
func (v *victim) someInstance() string {
	return v.res(fmt.Sprintf("instance[%d]", v.upTo(int(v.get(v.res("instances.dwInstances"))))))
}

// someValue returns the path of a value of the result.
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
