package fuzz

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// queryDataBreakers break the rules about PERF_DATA_HEADER and the rules that compare query data with its context.
var queryDataBreakers = []breaker{
	{"v2-buffer-too-short", nil, func(f *faultyBlock) { anyQuery(f).truncate(layout.SizeofDataHeader) }},
	{"v2-total-size-bounds", nil, setField(anyQuery, "dwTotalSize", toOutside(layout.SizeofDataHeader, blockSize))},
	{"v2-total-size-align", nil, setField(anyQuery, "dwTotalSize", toUnaligned(layout.SizeofDataHeader, blockSize))},
	{"v2-total-size-sum", also{"v2-trailing-bytes"}, func(f *faultyBlock) {
		anyQuery(f)
		switch size, more := f.size(), 1+f.upTo(8); f.upTo(3) {
		case 0: // dwTotalSize counts bytes after the last result
			f.insertBytes(size, make([]byte, 8*more), "dwTotalSize")
		case 1: // dwTotalSize counts some of the bytes after the last result
			f.block = append(f.block, make([]byte, 8*(1+more))...)
			f.set("dwTotalSize", size+8*int64(1+f.upTo(more)))
		case 2:
			f.set("dwTotalSize", f.otherMultipleOf8(layout.SizeofDataHeader, size, size))
		}
	}},
	{"v2-counter-count-bounds", nil, setField(anyQuery, "dwNumCounters", toMoreThan(resultsThatFit))},
	{"v2-counter-count-match", nil, setField(anyQuery, "dwNumCounters", toOther(0, resultsThatFit, field("dwNumCounters")))},
	{"v2-no-counters", nil, func(f *faultyBlock) {
		anyQuery(f)
		f.block = f.block[:layout.SizeofDataHeader]
		f.set("dwTotalSize", layout.SizeofDataHeader)
		f.set("dwNumCounters", 0)
	}},
	{"v2-perf-freq-positive", nil, setField(anyQuery, "PerfFreq", toNotPositive)},
	{"v2-timestamp-negative", nil, func(f *faultyBlock) {
		anyQuery(f).set(pick(f.Source, "PerfTimeStamp", "PerfTime100NSec"), pick(f.Source, -f.positive(), math.MinInt64))
	}},
	{"v2-systemtime-range", nil, func(f *faultyBlock) {
		anyQuery(f)
		if f.chance(60) { // wDay is a day that the month does not have
			short := pick[int64](f.Source, 2, 4, 6, 9, 11)
			f.set("SystemTime.wMonth", short)
			f.set("SystemTime.wDay", 31-int64(f.upTo(2))*(2/short))
			return
		}
		f.breakSystemTime()
	}},
	{"v2-systemtime-weekday", nil, setField(anyQuery, "SystemTime.wDayOfWeek", toOther(0, toOneOf(6), field("SystemTime.wDayOfWeek")))},
	{"v2-systemtime-mismatch", nil, func(f *faultyBlock) {
		anyQuery(f)
		if f.chance(80) {
			name, most := "SystemTime.wHour", int64(23)
			if f.chance(128) {
				name, most = "SystemTime.wMinute", 59
			}
			f.set(name, f.other(0, most, f.get(name)))
			return
		}
		// PerfTime100NSec and SystemTime may differ by at most 2 seconds. SystemTime is rounded to milliseconds, so the
		// difference here is at least 2 seconds and 1 ms.
		difference := int64((2*time.Second+time.Millisecond)/100) + f.positive()>>8
		if f.get("PerfTime100NSec") >= difference && f.chance(128) {
			difference = -difference
		}
		f.add("PerfTime100NSec", difference)
	}},

	{"v2-data-identifier-count", nil, func(f *faultyBlock) {
		q, t := new(builder.QueryData), pick(f.Source, dataTypes...)
		if f.base == nil && f.chance(128) { // one of several results of the same type is missing
			for range 2 + f.upTo(f.MaxObjects) {
				q.Add(f.resultOf(t))
			}
			f.encodeValid(q).identify()
			i := f.upTo(len(q.Results))
			q.Results = slices.Delete(q.Results, i, i+1)
			f.encodeFaulty(q)
			return
		}
		anyQuery(f).identify()
		q = f.made.(*builder.QueryData)
		if n := len(q.Results); n > 1 && f.chance(128) {
			q.Results = q.Results[:1+f.upTo(n-1)]
		} else {
			for range 1 + f.upTo(4) {
				q.Add(f.resultOf(resultTypes...))
			}
		}
		f.encodeFaulty(q)
	}},
	{"v2-data-identifier-type", nil, func(f *faultyBlock) {
		anyQueryWithData(f).identify()
		f.changeResult(func(r *builder.Result) {
			wrong := slices.DeleteFunc(slices.Clone(dataTypes), func(t layout.PerfCounterDataType) bool { return t == r.Type })
			*r = *f.resultOf(pick(f.Source, wrong...))
		})
	}},
	{"v2-data-counter-unknown", nil, func(f *faultyBlock) {
		r := f.resultWithIDs(2 + f.upTo(f.MaxCounters))
		f.withRegistration(r)
		switch i := f.upTo(len(r.Counters)); f.upTo(3) {
		case 0:
			f.add(fmt.Sprintf("result.ids.id[%d]", i), 1_000_000_000)
		case 1:
			f.changeResult(func(r *builder.Result) {
				r.Counters = slices.Delete(r.Counters, i, i+1)
				changeValues(r, func(values []uint64) []uint64 { return slices.Delete(values, i, i+1) })
			})
		case 2:
			f.changeResult(func(r *builder.Result) {
				r.Counters = slices.Insert(r.Counters, i, builder.QueryCounter{CounterId: 1_000_000_000})
				changeValues(r, func(values []uint64) []uint64 { return slices.Insert(values, i, 0) })
			})
		}
	}},
}

// changeValues calls `change` with each list of values of a result with ids, and stores the returned list in its place.
// A PERF_MULTIPLE_COUNTERS has one list. A PERF_COUNTERSET has a list for each instance.
func changeValues(r *builder.Result, change func([]uint64) []uint64) {
	if r.Type == layout.PERF_MULTIPLE_COUNTERS {
		r.Values = change(r.Values)
	}
	for i := range r.Instances {
		r.Instances[i].Values = change(r.Instances[i].Values)
	}
}

// anyQuery makes query data with a result of any type.
func anyQuery(f *faultyBlock) *faultyBlock { return f.inQuery(f.resultOf(resultTypes...)) }

// anyQueryWithData makes query data that has a result of any type except PERF_ERROR_RETURN.
func anyQueryWithData(f *faultyBlock) *faultyBlock { return f.inQuery(f.resultOf(dataTypes...)) }

// resultsThatFit returns the largest number of results that the block can hold.
func resultsThatFit(f *faultyBlock) int64 {
	return (f.size() - layout.SizeofDataHeader) / layout.SizeofCounterHeader
}

// inQuery makes valid query data that has the result r among other results. It chooses r, an instance of r and a value.
func (f *faultyBlock) inQuery(r *builder.Result) *faultyBlock {
	if f.base != nil {
		return f.useResult()
	}
	q := &builder.QueryData{PerfTimeStamp: int64(f.uint64() >> 1), PerfFreq: f.positive(), PerfTime100NSec: f.positive() >> 3}
	before := f.upTo(3)
	for range before {
		q.Add(f.resultOf(resultTypes...))
	}
	q.Add(r)
	for range f.upTo(3) {
		q.Add(f.resultOf(resultTypes...))
	}
	f.chooseIn(r, before)
	return f.encodeValid(q)
}

// chooseIn chooses the records to damage: a result at a position, and an instance and a value of this result.
func (f *faultyBlock) chooseIn(r *builder.Result, position int) {
	f.chosen["result"] = position
	f.chosen["instance"] = f.upTo(max(len(r.Instances), 1))
	f.chosen["data"] = f.upTo(max(len(r.Counters), 1))
}

// changeResult calls a function that changes the model of the chosen result. Then it encodes the query data again.
func (f *faultyBlock) changeResult(change func(*builder.Result)) {
	q := f.made.(*builder.QueryData)
	change(&q.Results[f.chosen["result"]])
	f.encodeFaulty(q)
}

// identify adds the identifiers of the results to the context.
func (f *faultyBlock) identify() { f.ctx.Identifiers = f.queryContext().Identifiers }

// queryContext returns a context for the query data: identifiers that request the results, and registrations.
func (f *faultyBlock) queryContext() validate.Context {
	ctx, err := join(f.Source, f.Config, *f.made.(*builder.QueryData)).Context()
	if err != nil {
		panic(err) // the identifiers and registrations always encode
	}
	return ctx
}

// withRegistration makes query data with the result r, and a context with the registration of the counter set of r.
func (f *faultyBlock) withRegistration(r *builder.Result) *faultyBlock {
	if f.base != nil || !listsIDs(r.Type) || f.chance(128) {
		f.inQuery(r)
		f.ctx = f.queryContext() // with several results, identifiers are needed to find their counter sets
		return f
	}
	f.chooseIn(r, 0)
	f.encodeValid(new(builder.QueryData).Add(r))
	f.ctx.Registrations = f.queryContext().Registrations
	return f
}
