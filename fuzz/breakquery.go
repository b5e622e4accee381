package fuzz

import (
	"math"
	"slices"
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var queryBreakers = []breaker{
	{"v2-buffer-too-short", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		v.block = v.block[:1+v.upTo(47)]
	}},
	{"v2-total-size-bounds", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		v.set("dwTotalSize", pick(v.Source, int64(v.upTo(48)), v.from(v.size()+1)))
	}},
	{"v2-total-size-align", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		v.set("dwTotalSize", v.noEight(48, v.size()))
	}},
	{"v2-total-size-sum", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		if v.chance(80) { // bytes that are no answer, which are counted
			v.splice(v.size(), make([]byte, 8*(1+v.upTo(8))), "dwTotalSize")
			return
		}
		v.set("dwTotalSize", v.otherEight(48, v.size(), v.size()))
	}},
	{"v2-total-size-sum", also{"v2-trailing-bytes"}, func(v *victim) { // bytes that are no answer, of which some are counted
		v.answers(v.anyAnswer())
		size, more := v.size(), 1+v.upTo(8)
		v.block = append(v.block, make([]byte, 8*(1+more))...)
		v.set("dwTotalSize", size+8*int64(1+v.upTo(more)))
	}},
	{"v2-counter-count-bounds", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		v.set("dwNumCounters", v.from((v.size()-48)/16+1))
	}},
	{"v2-counter-count-match", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		n, room := v.get("dwNumCounters"), (v.size()-48)/16
		v.set("dwNumCounters", v.other(0, room, n))
	}},
	{"v2-no-counters", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		v.block = v.block[:48]
		v.set("dwTotalSize", 48)
		v.set("dwNumCounters", 0)
	}},
	{"v2-perf-freq-positive", nil, func(v *victim) {
		v.answers(v.anyAnswer()).set("PerfFreq", v.notPositive())
	}},
	{"v2-timestamp-negative", nil, func(v *victim) {
		v.answers(v.anyAnswer()).set(pick(v.Source, "PerfTimeStamp", "PerfTime100NSec"), pick(v.Source, -v.positive(), math.MinInt64))
	}},
	{"v2-systemtime-range", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		if v.chance(60) { // a day that the month has not
			short := pick[int64](v.Source, 2, 4, 6, 9, 11)
			v.set("SystemTime.wMonth", short)
			v.set("SystemTime.wDay", 31-int64(v.upTo(2))*(2/short))
			return
		}
		f := pick(v.Source, systemTimeRanges...)
		if f.least > 0 && v.chance(128) {
			v.set("SystemTime."+f.name, int64(v.upTo(f.least)))
			return
		}
		v.set("SystemTime."+f.name, int64(f.most+1+v.upTo(1<<16-1-f.most)))
	}},
	{"v2-systemtime-weekday", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		v.set("SystemTime.wDayOfWeek", v.other(0, 6, v.get("SystemTime.wDayOfWeek")))
	}},
	{"v2-systemtime-mismatch", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		if v.chance(80) {
			f := pick(v.Source, "wHour", "wMinute")
			v.set("SystemTime."+f, v.other(0, map[string]int64{"wHour": 23, "wMinute": 59}[f], v.get("SystemTime."+f)))
			return
		}
		now := v.get("PerfTime100NSec")
		now -= now % int64(time.Millisecond/100) // to which SystemTime is told
		apart := int64(2*time.Second/100) + 2
		if most := now - apart; most >= 0 && v.chance(128) {
			v.set("PerfTime100NSec", most-v.positive()%(most+1))
			return
		}
		least := now + apart
		v.set("PerfTime100NSec", least+v.positive()%(math.MaxInt64-least+1))
	}},
}

var answerBreakers = []breaker{
	{"v2-counter-header-bounds", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		v.set(v.res("dwSize"), pick(v.Source, int64(v.upTo(16)), v.from(v.rest(v.res("dwStatus"), "")+1)))
	}},
	{"v2-counter-header-bounds", nil, func(v *victim) { // one more is to come, and a part of it does
		v.answers(v.withData())
		v.part8()
	}},
	{"v2-counter-header-bounds", also{"v2-counter-count-bounds"}, func(v *victim) { // for which there is no room
		v.model(new(builder.QueryData).Add(slices.Repeat([]*builder.Result{builder.ErrorReturn(4201)}, 1+v.upTo(4))...))
		v.part8()
	}},
	{"v2-counter-size-align", nil, func(v *victim) {
		v.answers(v.withData())
		v.set(v.res("dwSize"), v.noEight(16, v.rest(v.res("dwStatus"), "")))
	}},
	{"v2-counter-type-known", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		v.set(v.res("dwType"), pick(v.Source, 3, 5, v.from(7)))
	}},
	{"v2-counter-reserved-zero", nil, func(v *victim) {
		v.answers(v.anyAnswer()).set(v.res("Reserved"), v.from(1))
	}},
	{"v2-counter-size-sum", nil, func(v *victim) {
		v.answers(v.withData())
		if v.chance(64) { // bytes that nothing leads to
			v.splice(v.part(v.res("")).End(), make([]byte, 8*(1+v.upTo(4))), "dwTotalSize", v.res("dwSize"))
			return
		}
		v.set(v.res("dwSize"), v.otherEight(16, v.rest(v.res("dwStatus"), ""), v.get(v.res("dwSize"))))
	}},
	{"v2-counter-size-sum", nil, func(v *victim) { // a value that does not lead to the next one, or to the end
		v.answers(v.answer(pick(v.Source, layout.PERF_SINGLE_COUNTER, layout.PERF_MULTIPLE_COUNTERS)))
		data := v.someValue()
		v.set(data+".dwSize", v.otherEight(8, v.rest(data, v.res("")), 16))
	}},
	{"v2-error-return-payload", nil, func(v *victim) {
		v.answers(v.answer(layout.PERF_ERROR_RETURN))
		if rest := v.rest(v.res("dwStatus"), ""); rest > 16 && v.chance(128) { // which are other answers
			v.set(v.res("dwSize"), 17+int64(v.upTo(int(rest-16))))
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

// part8 puts 8 bytes behind the answers, as many as are half of one, and counts one more.
func (v *victim) part8() {
	v.splice(v.size(), v.bytes(8), "dwTotalSize")
	v.add("dwNumCounters", 1)
}
