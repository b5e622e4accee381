package fuzz

import (
	"encoding/binary"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

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
			room := (v.get(v.res("ids.dwSize")) - 8) / 4
			v.set(v.res("ids.dwCounters"), min(v.from(room+1), 64_000))
		}
	}},
	{"v2-multi-counters-bounds", also{"v2-multi-counters-limit"}, (*victim).manyIDs},
	{"v2-multi-counters-bounds", also{"v2-multi-counters-limit-max"}, (*victim).tooManyIDs},
	{"v2-multi-counters-size", nil, func(v *victim) {
		v.answers(v.withIDs(1 + v.upTo(v.MaxCounters)))
		n, size := v.get(v.res("ids.dwCounters")), v.res("ids.dwSize")
		if n > 1 && v.chance(80) { // the size could be that of one id less
			v.set(v.res("ids.dwCounters"), int64(v.upTo(int(n-1))))
			return
		}
		v.set(size, v.other(8+4*n+1, v.rest(size, v.res("")), v.get(size)))
	}},
	{"v2-multi-counters-unaligned", nil, func(v *victim) {
		v.answers(v.withIDs(1 + 2*v.upTo(4)))
		v.again(func(r *builder.Result) { r.ShortIDs = true })
	}},
	{"v2-multi-counters-empty", nil, func(v *victim) {
		v.answers(v.withIDs(1 + v.upTo(v.MaxCounters)))
		v.again(func(r *builder.Result) {
			r.Counters, r.Values = nil, nil
			for i := range r.Instances {
				r.Instances[i].Values = nil
			}
		})
	}},
	{"v2-multi-counters-limit", nil, func(v *victim) { v.crowd(64_001 + v.upTo(1536)) }},
	{"v2-multi-counters-limit", also{"v2-multi-counters-bounds"}, (*victim).manyIDs},
	{"v2-multi-counters-limit-max", nil, func(v *victim) {
		v.crowd(65_536)
		end := v.part(v.res("ids.dwSize")).Off() + v.get(v.res("ids.dwSize"))
		n := 1 + v.upTo(2000)
		more := make([]byte, (4*n+7)&^7)
		for i := range n {
			binary.LittleEndian.PutUint32(more[4*i:], uint32(1<<31+i))
		}
		v.splice(end, more, "dwTotalSize", v.res("dwSize"), v.res("ids.dwSize"))
		v.add(v.res("ids.dwCounters"), int64(n))
	}},
	{"v2-multi-counters-limit-max", also{"v2-multi-counters-bounds"}, (*victim).tooManyIDs},
	{"v2-multi-counters-duplicate-id", nil, func(v *victim) {
		v.answers(v.withIDs(2 + v.upTo(v.MaxCounters)))
		ids := v.idsThere()
		first, second := v.two(len(ids) / 4)
		if v.chance(128) {
			first, second = second, first
		}
		copy(ids[4*first:], ids[4*second:][:4])
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

// manyIDs counts more ids than are sure to be taken, where there are fewer.
func (v *victim) manyIDs() {
	v.answers(v.withIDs(1+v.upTo(v.MaxCounters))).set(v.res("ids.dwCounters"), 64_001+int64(v.upTo(1536)))
}

// tooManyIDs counts more than there can be.
func (v *victim) tooManyIDs() {
	v.answers(v.withIDs(1+v.upTo(v.MaxCounters))).set(v.res("ids.dwCounters"), v.from(65_537))
}

// crowd makes an answer of n ids, which are all there, and of no instances.
func (v *victim) crowd(n int) {
	v.answers(v.answerOf(layout.PERF_COUNTERSET, 1+v.upTo(v.MaxCounters), 0))
	v.again(func(r *builder.Result) {
		for id := uint32(1 << 30); len(r.Counters) < n; id++ {
			r.Counter(id, 0)
		}
	})
}
