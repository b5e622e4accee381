package fuzz

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var queryDataBreakers = []breaker{
	{"v2-buffer-too-short", nil, func(v *victim) {
		v.query(v.anyResult())
		v.block = v.block[:1+v.upTo(layout.SizeofDataHeader-1)]
	}},
	{"v2-total-size-bounds", nil, func(v *victim) {
		v.query(v.anyResult())
		v.set("dwTotalSize", pick(v.Source, int64(v.upTo(layout.SizeofDataHeader)), v.from(v.size()+1)))
	}},
	{"v2-total-size-align", nil, func(v *victim) {
		v.query(v.anyResult())
		v.set("dwTotalSize", v.noEight(layout.SizeofDataHeader, v.size()))
	}},
	{"v2-total-size-sum", also{"v2-trailing-bytes"}, func(v *victim) {
		v.query(v.anyResult())
		switch size, more := v.size(), 1+v.upTo(8); v.upTo(3) {
		case 0: // dwTotalSize counts bytes after the last result
			v.splice(size, make([]byte, 8*more), "dwTotalSize")
		case 1: // dwTotalSize counts a part of them
			v.block = append(v.block, make([]byte, 8*(1+more))...)
			v.set("dwTotalSize", size+8*int64(1+v.upTo(more)))
		case 2:
			v.set("dwTotalSize", v.otherEight(layout.SizeofDataHeader, size, size))
		}
	}},
	{"v2-counter-count-bounds", nil, func(v *victim) {
		v.query(v.anyResult())
		v.set("dwNumCounters", v.from((v.size()-layout.SizeofDataHeader)/layout.SizeofCounterHeader+1))
	}},
	{"v2-counter-count-match", nil, func(v *victim) {
		v.query(v.anyResult())
		n, room := v.get("dwNumCounters"), (v.size()-layout.SizeofDataHeader)/layout.SizeofCounterHeader
		v.set("dwNumCounters", v.other(0, room, n))
	}},
	{"v2-no-counters", nil, func(v *victim) {
		v.query(v.anyResult())
		v.block = v.block[:layout.SizeofDataHeader]
		v.set("dwTotalSize", layout.SizeofDataHeader)
		v.set("dwNumCounters", 0)
	}},
	{"v2-perf-freq-positive", nil, func(v *victim) {
		v.query(v.anyResult()).set("PerfFreq", v.notPositive())
	}},
	{"v2-timestamp-negative", nil, func(v *victim) {
		v.query(v.anyResult()).set(pick(v.Source, "PerfTimeStamp", "PerfTime100NSec"), pick(v.Source, -v.positive(), math.MinInt64))
	}},
	{"v2-systemtime-range", nil, func(v *victim) {
		v.query(v.anyResult())
		if v.chance(60) { // a day that the month does not have
			short := pick[int64](v.Source, 2, 4, 6, 9, 11)
			v.set("SystemTime.wMonth", short)
			v.set("SystemTime.wDay", 31-int64(v.upTo(2))*(2/short))
			return
		}
		v.outOfRange()
	}},
	{"v2-systemtime-weekday", nil, func(v *victim) {
		v.query(v.anyResult())
		v.set("SystemTime.wDayOfWeek", v.other(0, 6, v.get("SystemTime.wDayOfWeek")))
	}},
	{"v2-systemtime-mismatch", nil, func(v *victim) {
		v.query(v.anyResult())
		if v.chance(80) {
			f := pick(v.Source, "wHour", "wMinute")
			v.set("SystemTime."+f, v.other(0, map[string]int64{"wHour": 23, "wMinute": 59}[f], v.get("SystemTime."+f)))
			return
		}
		now := v.get("PerfTime100NSec")
		now -= now % int64(time.Millisecond/100) // the precision of SystemTime
		apart := int64(2*time.Second/100) + 2
		if most := now - apart; most >= 0 && v.chance(128) {
			v.set("PerfTime100NSec", most-v.positive()%(most+1))
			return
		}
		least := now + apart
		v.set("PerfTime100NSec", least+v.positive()%(math.MaxInt64-least+1))
	}},

	{"v2-data-identifier-count", nil, func(v *victim) {
		if v.chance(128) { // all results are alike and any of them is missing
			q, t := new(builder.QueryData), pick(v.Source, dataTypes...)
			for range 2 + v.upTo(v.MaxObjects) {
				q.Add(v.resultOf(t))
			}
			v.model(q)
			v.identify(v.guid(), 0)
			i := v.upTo(len(q.Results))
			q.Results = slices.Delete(q.Results, i, i+1)
			v.remodel(q)
			return
		}
		v.query(v.anyResult())
		v.identify(v.guid(), 0)
		q := v.made.(*builder.QueryData)
		if n := len(q.Results); n > 1 && v.chance(128) {
			q.Results = q.Results[:1+v.upTo(n-1)]
		} else {
			for range 1 + v.upTo(4) {
				q.Add(v.anyResult())
			}
		}
		v.remodel(q)
	}},
	{"v2-data-identifier-type", nil, func(v *victim) {
		r := v.anyResult()
		v.query(r)
		v.identify(v.guid(), 0)
		wrong := slices.DeleteFunc(slices.Clone(dataTypes), func(t layout.PerfCounterDataType) bool { return t == requested(r.Type) })
		v.reencode(func(r *builder.Result) { *r = *v.resultOf(pick(v.Source, wrong...)) })
	}},
	{"v2-data-counter-unknown", nil, func(v *victim) {
		r := v.withIDs(2 + v.upTo(v.MaxCounters))
		v.joined(r)
		switch i := v.upTo(len(r.Counters)); v.upTo(3) {
		case 0:
			v.add(v.res(fmt.Sprintf("ids.id[%d]", i)), 1_000_000_000)
		case 1:
			v.reencode(func(r *builder.Result) {
				r.Counters = slices.Delete(r.Counters, i, i+1)
				everyRow(r, func(row []uint64) []uint64 { return slices.Delete(row, i, i+1) })
			})
		case 2:
			v.reencode(func(r *builder.Result) {
				r.Counters = slices.Insert(r.Counters, i, builder.QueryCounter{CounterId: 1_000_000_000})
				everyRow(r, func(row []uint64) []uint64 { return slices.Insert(row, i, 0) })
			})
		}
	}},
}

// everyRow changes the values of each row.
func everyRow(r *builder.Result, f func([]uint64) []uint64) {
	if r.Type == layout.PERF_MULTIPLE_COUNTERS {
		r.Values = f(r.Values)
	}
	for i := range r.Instances {
		r.Instances[i].Values = f(r.Instances[i].Values)
	}
}

// query makes valid query data with several results, one of them r.
func (v *victim) query(r *builder.Result) *victim {
	q := &builder.QueryData{PerfTimeStamp: int64(v.uint64() >> 1), PerfFreq: v.positive(), PerfTime100NSec: v.positive() >> 3}
	v.at = v.upTo(3)
	for range v.at {
		q.Add(v.anyResult())
	}
	q.Add(r)
	for range v.upTo(3) {
		q.Add(v.anyResult())
	}
	return v.model(q)
}

// reencode encodes the query data again after f has changed the result.
func (v *victim) reencode(f func(*builder.Result)) {
	q := v.made.(*builder.QueryData)
	f(&q.Results[v.at])
	v.remodel(q)
}

// res returns a path in the result, or the path of the result.
func (v *victim) res(path string) string {
	if path == "" {
		return fmt.Sprintf("result[%d]", v.at)
	}
	return fmt.Sprintf("result[%d].%s", v.at, path)
}

// rest returns the number of bytes from a path to the end of another, or of the block.
func (v *victim) rest(from, to string) int64 {
	end := v.size()
	if to != "" {
		end = v.part(to).End()
	}
	return end - v.part(from).Off()
}

// requested returns the type of result that was requested if the type of the result is t. An error may replace any type.
func requested(t layout.PerfCounterDataType) layout.PerfCounterDataType {
	return max(t, layout.PERF_SINGLE_COUNTER)
}

// identify gives the context identifiers that request the results. The identifier of the result belongs to set and, if
// it requests one counter, to counter; the other identifiers belong to another set.
func (v *victim) identify(set layout.GUID, counter uint32) {
	other := set
	other.Data1++
	query, err := layout.ReadQueryData(v.block)
	if err != nil {
		panic(err)
	}
	var list builder.Identifiers
	for r, err := range query.Results() {
		if err != nil {
			panic(err)
		}
		i, t := r.Index(), requested(r.DwType())
		id := builder.CounterIdentifier{CounterSetGuid: other, CounterId: uint32(v.upTo(100)), InstanceId: noID, Index: uint32(i)}
		if i == v.at {
			id.CounterSetGuid, id.CounterId = set, counter
		}
		if t&layout.PERF_MULTIPLE_COUNTERS != 0 {
			id.CounterId = layout.PERF_WILDCARD_COUNTER
		}
		id.Name = pick(v.Source, "", "C:", "_Total")
		if t&layout.PERF_MULTIPLE_INSTANCES != 0 {
			id.Name = pick(v.Source, "*", "disk*", "?")
		}
		list = append(list, id)
	}
	for i := range list { // their order is arbitrary
		j := i + v.upTo(len(list)-i)
		list[i], list[j] = list[j], list[i]
	}
	v.ctx.Identifiers = bytesOf(&list)
}

// joined makes query data with the result and the registration of its set: the result alone, or results that the
// identifiers distinguish.
func (v *victim) joined(r *builder.Result) {
	set := builder.CounterSetRegInfo{CounterSetGuid: v.guid()}
	for _, c := range r.Counters {
		t := layout.PERF_COUNTER_LARGE_RAWCOUNT
		if c.Size == 4 {
			t = layout.PERF_COUNTER_RAWCOUNT
		}
		set.Define(builder.CounterRegInfo{CounterId: c.CounterId, Type: t, DetailLevel: layout.PERF_DETAIL_NOVICE})
	}
	v.ctx.Registrations = [][]byte{bytesOf(&set)}
	if r.Type&layout.PERF_MULTIPLE_COUNTERS != 0 && v.chance(128) {
		v.model(new(builder.QueryData).Add(r))
		return
	}
	v.query(r)
	v.identify(set.CounterSetGuid, r.Counters[0].CounterId)
}
