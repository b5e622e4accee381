package fuzz

import (
	"encoding/binary"
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
		v.answers(v.withData())
		size := v.size()
		if v.chance(80) {
			v.block = append(v.block, make([]byte, 8*(1+v.upTo(8)))...)
		}
		v.set("dwTotalSize", v.otherEight(48, v.size(), size))
	}},
	{"v2-counter-count-bounds", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		v.set("dwNumCounters", v.from((v.size()-48)/16+1))
	}},
	{"v2-counter-count-match", nil, func(v *victim) {
		v.answers(v.withData())
		most := (v.size() - 48) / 16
		if n := int64(v.upTo(int(most))); n != v.get("dwNumCounters") {
			v.set("dwNumCounters", n)
			return
		}
		v.add("dwNumCounters", -1)
	}},
	{"v2-no-counters", nil, func(v *victim) {
		v.model(&builder.QueryData{PerfTimeStamp: int64(v.uint64() >> 1)})
	}},
	{"v2-perf-freq-positive", nil, func(v *victim) {
		v.answers(v.anyAnswer()).set("PerfFreq", v.notPositive())
	}},
	{"v2-timestamp-negative", nil, func(v *victim) {
		v.answers(v.anyAnswer()).set(pick(v.Source, "PerfTimeStamp", "PerfTime100NSec"), -v.positive())
	}},
	{"v2-systemtime-range", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		f := pick(v.Source, systemTimeRanges...)
		if f.least > 0 && v.chance(128) {
			v.set("SystemTime."+f.name, int64(v.upTo(f.least)))
			return
		}
		v.set("SystemTime."+f.name, int64(f.most+1+v.upTo(1<<16-1-f.most)))
	}},
	{"v2-systemtime-weekday", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		v.set("SystemTime.wDayOfWeek", (v.get("SystemTime.wDayOfWeek")+1+int64(v.upTo(6)))%7)
	}},
	{"v2-systemtime-mismatch", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		apart := int64(3*time.Second/100) + v.positive()>>4
		if now := v.get("PerfTime100NSec"); now > apart && v.chance(128) {
			apart = -apart
		}
		v.add("PerfTime100NSec", apart)
	}},
}

var answerBreakers = []breaker{
	{"v2-counter-header-bounds", nil, func(v *victim) {
		if v.chance(64) { // one more is to come, and a part of it does
			v.answers(v.anyAnswer())
			v.splice(v.size(), make([]byte, 8), "dwTotalSize")
			v.add("dwNumCounters", 1)
			return
		}
		v.answers(v.anyAnswer())
		v.set(v.res("dwSize"), pick(v.Source, int64(v.upTo(16)), v.from(v.rest(v.res("dwStatus"), "")+1)))
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
		if v.chance(64) { // bytes that nothing leads to
			v.answers(v.withData())
			v.splice(v.part(v.res("")).End(), make([]byte, 8*(1+v.upTo(4))), "dwTotalSize", v.res("dwSize"))
			return
		}
		v.answers(v.withData())
		v.set(v.res("dwSize"), v.otherEight(16, v.rest(v.res("dwStatus"), ""), v.get(v.res("dwSize"))))
	}},
	{"v2-error-return-payload", nil, func(v *victim) {
		v.answers(v.answer(layout.PERF_ERROR_RETURN))
		v.splice(v.part(v.res("")).End(), v.bytes(8*(1+v.upTo(4))), "dwTotalSize", v.res("dwSize"))
	}},
	{"v2-error-return-status-zero", nil, func(v *victim) {
		v.answers(builder.ErrorReturn(0))
	}},
	{"v2-error-status-known", nil, func(v *victim) {
		v.answers(builder.ErrorReturn(uint32(v.from(12_000))))
	}},
	{"v2-status-with-data", nil, func(v *victim) {
		v.answers(v.withData()).set(v.res("dwStatus"), v.from(1))
	}},
}

var idBreakers = []breaker{
	{"v2-multi-counters-bounds", nil, func(v *victim) {
		v.answers(v.withIDs(1 + v.upTo(v.MaxCounters)))
		n := v.get(v.res("ids.dwCounters"))
		switch v.upTo(3) {
		case 0:
			v.set(v.res("ids.dwSize"), v.from(v.rest(v.res("ids.dwSize"), v.res(""))+1))
		case 1:
			v.set(v.res("ids.dwSize"), int64(v.upTo(int(8+4*n))))
		default:
			v.set(v.res("ids.dwCounters"), v.from((v.get(v.res("ids.dwSize"))-8)/4+1))
		}
	}},
	{"v2-multi-counters-size", nil, func(v *victim) {
		v.answers(v.withIDs(1 + v.upTo(v.MaxCounters)))
		right := v.get(v.res("ids.dwSize"))
		v.set(v.res("ids.dwSize"), right+1+int64(v.upTo(int(v.rest(v.res("ids.dwSize"), v.res(""))-right))))
	}},
	{"v2-multi-counters-unaligned", nil, func(v *victim) {
		r := v.withIDs(1 + 2*v.upTo(4))
		r.ShortIDs = true
		v.answers(r)
	}},
	{"v2-multi-counters-empty", nil, func(v *victim) { v.answers(v.withIDs(0)) }},
	{"v2-multi-counters-limit", nil, func(v *victim) {
		if v.chance(16) {
			v.answers(v.answerOf(layout.PERF_COUNTERSET, 64_001+v.upTo(1536), 0))
			return
		}
		v.answers(v.withIDs(1+v.upTo(v.MaxCounters))).set(v.res("ids.dwCounters"), 64_001+int64(v.upTo(1536)))
	}},
	{"v2-multi-counters-limit-max", nil, func(v *victim) {
		v.answers(v.withIDs(1+v.upTo(v.MaxCounters))).set(v.res("ids.dwCounters"), v.from(65_537))
	}},
	{"v2-multi-counters-duplicate-id", nil, func(v *victim) {
		v.answers(v.withIDs(2 + v.upTo(v.MaxCounters)))
		ids := v.idsThere()
		i := v.upTo(len(ids)/4 - 1)
		copy(ids[4*i:], ids[4*(i+1+v.upTo(len(ids)/4-1-i)):][:4])
	}},
	{"v2-multi-counters-wildcard-id", nil, func(v *victim) {
		v.answers(v.withIDs(1 + v.upTo(v.MaxCounters)))
		ids := v.idsThere()
		binary.LittleEndian.PutUint32(ids[4*v.upTo(len(ids)/4):], layout.PERF_WILDCARD_COUNTER)
	}},
}

// idsThere returns the bytes of the ids of the answer.
func (v *victim) idsThere() []byte {
	at := v.part(v.res("ids.id[0]")).Off()
	return v.block[at:][:4*v.get(v.res("ids.dwCounters"))]
}
