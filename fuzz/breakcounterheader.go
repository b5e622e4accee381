package fuzz

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// dataTypes are the types of results with data.
var dataTypes = []layout.PerfCounterDataType{layout.PERF_SINGLE_COUNTER, layout.PERF_MULTIPLE_COUNTERS, layout.PERF_MULTIPLE_INSTANCES, layout.PERF_COUNTERSET}

var resultBreakers = []breaker{
	{"v2-counter-header-bounds", also{"v2-counter-count-bounds"}, func(v *victim) {
		switch v.upTo(3) {
		case 0:
			v.query(v.anyResult())
			v.set(v.res("dwSize"), pick(v.Source, int64(v.upTo(layout.SizeofCounterHeader)), v.from(v.rest(v.res("dwStatus"), "")+1)))
			return
		case 1:
			v.query(v.withData())
		case 2: // dwTotalSize is too small for the results
			v.model(new(builder.QueryData).Add(slices.Repeat([]*builder.Result{builder.ErrorReturn(4201)}, 1+v.upTo(4))...))
		}
		v.splice(v.size(), v.bytes(layout.SizeofCounterHeader/2), "dwTotalSize") // half of one more result
		v.add("dwNumCounters", 1)
	}},
	{"v2-counter-size-align", nil, func(v *victim) {
		v.query(v.withData())
		v.set(v.res("dwSize"), v.noEight(layout.SizeofCounterHeader, v.rest(v.res("dwStatus"), "")))
	}},
	{"v2-counter-type-known", nil, func(v *victim) {
		v.query(v.anyResult())
		v.set(v.res("dwType"), pick(v.Source, 3, 5, v.from(7)))
	}},
	{"v2-counter-reserved-zero", nil, func(v *victim) {
		v.query(v.anyResult()).set(v.res("Reserved"), v.from(1))
	}},
	{"v2-counter-size-sum", nil, func(v *victim) {
		switch v.upTo(4) {
		case 0: // bytes after the content
			v.query(v.withData())
			v.splice(v.part(v.res("")).End(), make([]byte, 8*(1+v.upTo(4))), "dwTotalSize", v.res("dwSize"))
		case 1: // a value whose size is not the distance to the next value or to the end
			v.query(v.resultOf(pick(v.Source, layout.PERF_SINGLE_COUNTER, layout.PERF_MULTIPLE_COUNTERS)))
			data := v.someValue()
			v.set(data+".dwSize", v.otherEight(8, v.rest(data, v.res("")), 16))
		default:
			v.query(v.withData())
			v.set(v.res("dwSize"), v.otherEight(layout.SizeofCounterHeader, v.rest(v.res("dwStatus"), ""), v.get(v.res("dwSize"))))
		}
	}},
	{"v2-error-return-payload", nil, func(v *victim) {
		v.query(v.resultOf(layout.PERF_ERROR_RETURN))
		if rest := v.rest(v.res("dwStatus"), ""); rest > layout.SizeofCounterHeader && v.chance(128) { // the payload is the other results
			v.set(v.res("dwSize"), layout.SizeofCounterHeader+1+int64(v.upTo(int(rest-layout.SizeofCounterHeader))))
			return
		}
		v.splice(v.part(v.res("")).End(), v.bytes(8*(1+v.upTo(4))), "dwTotalSize", v.res("dwSize"))
	}},
	{"v2-error-return-status-zero", nil, func(v *victim) {
		v.query(v.resultOf(layout.PERF_ERROR_RETURN)).set(v.res("dwStatus"), 0)
	}},
	{"v2-error-status-known", nil, func(v *victim) {
		status := uint32(v.from(1))
		for layout.StatusName(status) != "" {
			status++
		}
		v.query(v.resultOf(layout.PERF_ERROR_RETURN)).set(v.res("dwStatus"), int64(status))
	}},
	{"v2-status-with-data", nil, func(v *victim) {
		v.query(v.withData()).set(v.res("dwStatus"), v.from(1))
	}},
}

// resultOf returns a result of a type with at least one counter and one instance, if the type has them. The ids of the
// counters differ and are not 0, which padding is. The names of the instances differ.
func (v *victim) resultOf(t layout.PerfCounterDataType) *builder.Result {
	return v.sizedResult(t, 1+v.upTo(v.MaxCounters), 1+v.upTo(v.MaxInstances))
}

func (v *victim) sizedResult(t layout.PerfCounterDataType, counters, instances int) *builder.Result {
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

// anyResult returns a result of any type.
func (v *victim) anyResult() *builder.Result {
	return v.resultOf(pick(v.Source, append(slices.Clone(dataTypes), layout.PERF_ERROR_RETURN)...))
}

// withData returns a result of any type except PERF_ERROR_RETURN.
func (v *victim) withData() *builder.Result {
	return v.resultOf(pick(v.Source, dataTypes...))
}

// withIDs returns a result that lists ids of n counters.
func (v *victim) withIDs(n int) *builder.Result {
	return v.sizedResult(pick(v.Source, layout.PERF_MULTIPLE_COUNTERS, layout.PERF_COUNTERSET), n, 1+v.upTo(v.MaxInstances))
}

// withInstances returns a result with n instances.
func (v *victim) withInstances(n int) *builder.Result {
	return v.sizedResult(pick(v.Source, layout.PERF_MULTIPLE_INSTANCES, layout.PERF_COUNTERSET), 1+v.upTo(v.MaxCounters), n)
}

// hasInstances reports whether the result has a PERF_MULTI_INSTANCES.
func (v *victim) hasInstances() bool {
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
	if v.hasInstances() {
		in = v.someInstance()
	}
	return fmt.Sprintf("%s.data[%d]", in, v.upTo(counters))
}

var counterDataBreakers = []breaker{
	{"v2-counter-data-bounds", nil, func(v *victim) {
		v.query(v.withData())
		data := v.someValue()
		v.set(data+".dwSize", pick(v.Source, int64(v.upTo(8)), v.from(v.rest(data, v.res(""))+1)))
	}},
	{"v2-counter-data-datasize", nil, func(v *victim) {
		v.query(v.withData())
		v.set(v.someValue()+".dwDataSize", v.from(9))
	}},
	{"v2-counter-data-align", nil, func(v *victim) {
		v.query(v.withData())
		data := v.someValue()
		v.set(data+".dwSize", v.unalignedSize(data, v.res(""), 8))
	}},
	{"v2-counter-data-slack", nil, func(v *victim) {
		v.query(v.withData())
		data := v.someValue()
		v.splice(v.part(data).End(), make([]byte, 8*(1+v.upTo(4))), v.sizesOver(data)...)
	}},
	{"v2-counter-data-empty", nil, func(v *victim) {
		v.query(v.withData())
		v.cutValue(v.someValue(), 0)
	}},
	{"v2-counter-data-width", nil, func(v *victim) {
		v.query(v.withData())
		data := v.someValue()
		if v.chance(80) { // a longer value
			n := 1 + v.upTo(200)
			v.splice(v.part(data).End(), make([]byte, (n+7)&^7), v.sizesOver(data)...)
			v.set(data+".dwDataSize", int64(8+n))
			return
		}
		v.cutValue(data, pick[int64](v.Source, 1, 2, 3, 5, 6, 7))
	}},
	{"v2-counter-data-width-type", also{"v2-counter-data-empty", "v2-counter-data-width"}, func(v *victim) {
		v.joined(v.withData())
		data := v.someValue()
		if n := v.get(data + ".dwDataSize"); n == 4 && v.chance(128) {
			v.set(data+".dwDataSize", 8)
			return
		} else if n == 4 {
			v.cutValue(data, pick[int64](v.Source, 0, 1, 2, 3, 5, 6, 7))
			return
		}
		v.cutValue(data, pick[int64](v.Source, 4, 0, 1, 2, 3, 5, 6, 7))
	}},
}

// sizesOver returns the paths of the sizes that include a value.
func (v *victim) sizesOver(data string) []string {
	all := []string{"dwTotalSize", v.res("dwSize"), data + ".dwSize"}
	if v.hasInstances() {
		all = append(all, v.res("instances.dwTotalSize"))
	}
	return all
}

// cutValue replaces a value by n zeros.
func (v *victim) cutValue(data string, n int64) {
	clear(v.block[v.part(data).Off()+8:][:8])
	v.set(data+".dwDataSize", n)
}
