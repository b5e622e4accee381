package fuzz

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// dataTypes are the types of results that have values. resultTypes are all types of results.
var (
	dataTypes   = []layout.PerfCounterDataType{layout.PERF_SINGLE_COUNTER, layout.PERF_MULTIPLE_COUNTERS, layout.PERF_MULTIPLE_INSTANCES, layout.PERF_COUNTERSET}
	resultTypes = slices.Concat(dataTypes, []layout.PerfCounterDataType{layout.PERF_ERROR_RETURN})
)

// resultBreakers break the rules about PERF_COUNTER_HEADER.
var resultBreakers = []breaker{
	{"v2-counter-header-bounds", also{"v2-counter-count-bounds"}, func(f *faultyBlock) {
		switch f.upTo(3) {
		case 0:
			anyQuery(f)
			f.set("result.dwSize", pick(f.Source, int64(f.upTo(layout.SizeofCounterHeader)), f.atLeast(f.distance("result.dwStatus", "")+1)))
			return
		case 1:
			anyQueryWithData(f)
		case 2: // dwTotalSize is too small for the number of results
			f.encodeValid(new(builder.QueryData).Add(slices.Repeat([]*builder.Result{builder.ErrorReturn(4201)}, 1+f.upTo(4))...))
		}
		f.insertBytes(f.size(), f.bytes(layout.SizeofCounterHeader/2), "dwTotalSize") // half of one more PERF_COUNTER_HEADER
		f.add("dwNumCounters", 1)
	}},
	{"v2-counter-size-align", nil, setField(anyQueryWithData, "result.dwSize", toUnaligned(layout.SizeofCounterHeader, span("result.dwStatus", "")))},
	{"v2-counter-type-known", nil, setField(anyQuery, "result.dwType", toEither(toOneOf(3, 5), toAtLeast(7)))},
	{"v2-counter-reserved-zero", nil, setField(anyQuery, "result.Reserved", toAtLeast(1))},
	{"v2-counter-size-sum", nil, func(f *faultyBlock) {
		switch f.upTo(4) {
		case 0: // dwSize counts bytes after the content of the result
			anyQueryWithData(f)
			f.insertBytes(f.part("result").End(), make([]byte, 8*(1+f.upTo(4))), "dwTotalSize", "result.dwSize")
		case 1: // dwSize of a PERF_COUNTER_DATA is not the distance to the next one or to the end of the result
			f.inQuery(f.resultOf(layout.PERF_SINGLE_COUNTER, layout.PERF_MULTIPLE_COUNTERS))
			f.setOtherSize("result.data.dwSize", layout.SizeofCounterData, "result")
		default:
			anyQueryWithData(f).setOtherSize("result.dwSize", layout.SizeofCounterHeader, "")
		}
	}},
	{"v2-error-return-payload", nil, func(f *faultyBlock) {
		withErrorReturn(f)
		if left := f.distance("result.dwStatus", ""); left > layout.SizeofCounterHeader && f.chance(128) {
			// dwSize includes bytes of the next results.
			f.set("result.dwSize", layout.SizeofCounterHeader+1+int64(f.upTo(int(left-layout.SizeofCounterHeader))))
			return
		}
		f.insertBytes(f.part("result").End(), f.bytes(8*(1+f.upTo(4))), "dwTotalSize", "result.dwSize")
	}},
	{"v2-error-return-status-zero", nil, setField(withErrorReturn, "result.dwStatus", toOneOf(0))},
	{"v2-error-status-known", nil, setField(withErrorReturn, "result.dwStatus", func(f *faultyBlock) int64 {
		status := uint32(f.atLeast(1))
		for layout.StatusName(status) != "" {
			status++
		}
		return int64(status)
	})},
	{"v2-status-with-data", nil, setField(anyQueryWithData, "result.dwStatus", toAtLeast(1))},
}

func withErrorReturn(f *faultyBlock) *faultyBlock {
	return f.inQuery(f.resultOf(layout.PERF_ERROR_RETURN))
}

// resultOf returns a result of one of the given types. If the type has a list of ids or of instances, the list is not
// empty.
func (f *faultyBlock) resultOf(types ...layout.PerfCounterDataType) *builder.Result {
	return f.resultOfSize(pick(f.Source, types...), f.someCounters(), f.someInstances())
}

func (f *faultyBlock) someCounters() int { return 1 + f.upTo(f.MaxCounters) }

func (f *faultyBlock) someInstances() int { return 1 + f.upTo(f.MaxInstances) }

// resultOfSize returns a result of type t. If the type has a list of ids or of instances, `counters` and `instances`
// are the lengths of these lists. A result of a Base can have other lengths.
func (f *faultyBlock) resultOfSize(t layout.PerfCounterDataType, counters, instances int) *builder.Result {
	if f.base != nil {
		return f.resultOfBase(t, counters, instances)
	}
	r := &builder.Result{Type: t}
	if t == layout.PERF_ERROR_RETURN {
		r.Status = 4201
		return r
	}
	if !listsIDs(t) {
		r.Counter(0, pick(f.Source, uint32(8), 4))
	} else {
		first, step := 1+uint32(f.upTo(1<<16)), uint32(1+f.upTo(1<<8)) // an id of 0 could look like padding
		for i := range counters {
			r.Counter(first+step*uint32(i), pick(f.Source, uint32(8), 4))
		}
	}
	if !listsInstances(t) {
		return r.Single(f.valuesOf(r.Counters)...)
	}
	for i := range instances {
		r.Instance(fmt.Sprintf("%s%d", pick(f.Source, "", "C", "disk ", "Größe"), i), f.oddInstanceID(), f.valuesOf(r.Counters)...)
	}
	return r
}

// oddInstanceID returns an odd InstanceId, so that it does not look like the dwSize of a value. A dwSize is a multiple
// of 8.
func (f *faultyBlock) oddInstanceID() uint32 { return 1 + 2*uint32(f.upTo(500)) }

// valuesOf returns a value for each counter. Both halves of a value are odd, so that they do not look like a dwSize. A
// dwSize is a multiple of 8.
func (f *faultyBlock) valuesOf(counters []builder.QueryCounter) []uint64 {
	list := make([]uint64, len(counters))
	for i, c := range counters {
		if list[i] = f.uint64() | 1<<32 | 1; c.Size == 4 {
			list[i] &= 1<<32 - 1
		}
	}
	return list
}

// resultWithIDs returns a result that lists the ids of n counters.
func (f *faultyBlock) resultWithIDs(n int) *builder.Result {
	return f.resultOfSize(pick(f.Source, layout.PERF_MULTIPLE_COUNTERS, layout.PERF_COUNTERSET), n, f.someInstances())
}

// hasInstances reports whether the result has a PERF_MULTI_INSTANCES.
func (f *faultyBlock) hasInstances() bool {
	return listsInstances(layout.PerfCounterDataType(f.get("result.dwType")))
}

// valueSize is the dwSize of a PERF_COUNTER_DATA with a value of 1 to 8 bytes.
const valueSize = layout.SizeofCounterData + 8

// counterDataBreakers break the rules about PERF_COUNTER_DATA.
var counterDataBreakers = []breaker{
	{"v2-counter-data-bounds", nil, func(f *faultyBlock) {
		data := anyQueryWithData(f).valuePath()
		f.set(data+".dwSize", pick(f.Source, int64(f.upTo(layout.SizeofCounterData)), f.atLeast(f.distance(data, "result")+1)))
	}},
	{"v2-counter-data-datasize", nil, func(f *faultyBlock) {
		data := anyQueryWithData(f).valuePath()
		f.set(data+".dwDataSize", f.atLeast(9))
	}},
	{"v2-counter-data-align", nil, func(f *faultyBlock) {
		data := anyQueryWithData(f).valuePath()
		f.set(data+".dwSize", f.unalignedSize(data, "result", layout.SizeofCounterData))
	}},
	{"v2-counter-data-slack", nil, func(f *faultyBlock) {
		data := anyQueryWithData(f).valuePath()
		f.insertBytes(f.part(data).End(), make([]byte, 8*(1+f.upTo(4))), f.sizesAround(data)...)
	}},
	{"v2-counter-data-empty", nil, func(f *faultyBlock) { anyQueryWithData(f).shortenValue(0) }},
	{"v2-counter-data-width", nil, func(f *faultyBlock) {
		data := anyQueryWithData(f).valuePath()
		if f.chance(80) { // a value of more than 8 bytes
			n := 1 + f.upTo(200)
			f.insertBytes(f.part(data).End(), make([]byte, (n+7)&^7), f.sizesAround(data)...)
			f.set(data+".dwDataSize", int64(8+n))
			return
		}
		f.shortenValue(pick[int64](f.Source, 1, 2, 3, 5, 6, 7))
	}},
	{"v2-counter-data-width-type", also{"v2-counter-data-empty", "v2-counter-data-width"}, func(f *faultyBlock) {
		size := f.withRegistration(f.resultOf(dataTypes...)).valuePath() + ".dwDataSize"
		switch n := f.get(size); {
		case n == 4 && f.chance(128):
			f.set(size, 8)
		case n == 4:
			f.shortenValue(pick[int64](f.Source, 0, 1, 2, 3, 5, 6, 7))
		default:
			f.shortenValue(pick[int64](f.Source, 4, 0, 1, 2, 3, 5, 6, 7))
		}
	}},
}

// valuePath returns the path of the PERF_COUNTER_DATA that has the chosen value.
func (f *faultyBlock) valuePath() string {
	if f.hasInstances() {
		return "result.instance.data"
	}
	return "result.data"
}

// sizesAround returns the paths of all size fields that count the bytes of the PERF_COUNTER_DATA at a path.
func (f *faultyBlock) sizesAround(data string) []string {
	all := []string{"dwTotalSize", "result.dwSize", data + ".dwSize"}
	if f.hasInstances() {
		all = append(all, "result.instances.dwTotalSize")
	}
	return all
}

// shortenValue sets the value to zeros and its dwDataSize to n.
func (f *faultyBlock) shortenValue(n int64) {
	data := f.valuePath()
	value := f.part(data).Bytes()[layout.SizeofCounterData:]
	if f.base != nil && len(value) != 8 {
		f.endAttempt("a value of at most 8 bytes")
	}
	clear(value)
	f.set(data+".dwDataSize", n)
}
