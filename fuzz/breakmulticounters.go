package fuzz

import (
	"encoding/binary"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var multiCountersBreakers = []breaker{
	{"v2-multi-counters-bounds", also{"v2-multi-counters-limit", "v2-multi-counters-limit-max"}, func(v *victim) {
		v.query(v.withIDs(1 + v.upTo(v.MaxCounters)))
		size, n := v.res("ids.dwSize"), v.res("ids.dwCounters")
		switch v.upTo(3) {
		case 0:
			v.set(size, v.from(v.rest(size, v.res(""))+1))
		case 1:
			v.set(size, int64(v.upTo(int(layout.SizeofMultiCounters+4*v.get(n)))))
		default: // more ids than the list has bytes for
			v.set(n, pick(v.Source, v.from((v.get(size)-layout.SizeofMultiCounters)/4+1), 64_001+int64(v.upTo(1536))))
		}
	}},
	{"v2-multi-counters-size", nil, func(v *victim) {
		v.query(v.withIDs(1 + v.upTo(v.MaxCounters)))
		n, size := v.get(v.res("ids.dwCounters")), v.res("ids.dwSize")
		if n > 1 && v.chance(80) { // two ids less, because dwSize may include one id of padding
			v.set(v.res("ids.dwCounters"), int64(v.upTo(int(n-1))))
			return
		}
		v.set(size, v.other(layout.SizeofMultiCounters+4*n+1, v.rest(size, v.res("")), v.get(size)))
	}},
	{"v2-multi-counters-unaligned", nil, func(v *victim) {
		v.query(v.withIDs(1 + 2*v.upTo(4)))
		v.reencode(func(r *builder.Result) { r.ShortIDs = true })
	}},
	{"v2-multi-counters-empty", nil, func(v *victim) {
		v.query(v.withIDs(1 + v.upTo(v.MaxCounters)))
		v.reencode(func(r *builder.Result) {
			r.Counters, r.Values = nil, nil
			for i := range r.Instances {
				r.Instances[i].Values = nil
			}
		})
	}},
	{"v2-multi-counters-limit", also{"v2-multi-counters-bounds"}, func(v *victim) {
		n := 64_001 + v.upTo(1536)
		if v.chance(128) {
			v.manyIDs(n)
		} else {
			v.query(v.withIDs(1+v.upTo(v.MaxCounters))).set(v.res("ids.dwCounters"), int64(n))
		}
	}},
	{"v2-multi-counters-limit-max", also{"v2-multi-counters-bounds"}, func(v *victim) {
		if v.chance(128) {
			v.query(v.withIDs(1+v.upTo(v.MaxCounters))).set(v.res("ids.dwCounters"), v.from(65_537))
			return
		}
		v.manyIDs(65_536)
		end := v.part(v.res("ids.dwSize")).Off() + v.get(v.res("ids.dwSize"))
		n := 1 + v.upTo(2000)
		more := make([]byte, (4*n+7)&^7)
		for i := range n {
			binary.LittleEndian.PutUint32(more[4*i:], 1<<31+uint32(i))
		}
		v.splice(end, more, "dwTotalSize", v.res("dwSize"), v.res("ids.dwSize"))
		v.add(v.res("ids.dwCounters"), int64(n))
	}},
	{"v2-multi-counters-duplicate-id", nil, func(v *victim) {
		v.query(v.withIDs(2 + v.upTo(v.MaxCounters)))
		ids := v.ids()
		first, second := v.two(len(ids) / 4)
		if v.chance(128) {
			first, second = second, first
		}
		copy(ids[4*first:], ids[4*second:][:4])
	}},
	{"v2-multi-counters-wildcard-id", nil, func(v *victim) {
		v.query(v.withIDs(1 + v.upTo(v.MaxCounters)))
		ids := v.ids()
		binary.LittleEndian.PutUint32(ids[4*v.upTo(len(ids)/4):], layout.PERF_WILDCARD_COUNTER)
	}},
}

// ids returns the bytes of the ids of the result.
func (v *victim) ids() []byte {
	at := v.part(v.res("ids.id[0]")).Off()
	return v.block[at:][:4*v.get(v.res("ids.dwCounters"))]
}

// manyIDs makes a result that lists n ids and has no instances.
func (v *victim) manyIDs(n int) {
	v.query(v.sizedResult(layout.PERF_COUNTERSET, 1+v.upTo(v.MaxCounters), 0))
	v.reencode(func(r *builder.Result) {
		for id := uint32(1 << 30); len(r.Counters) < n; id++ {
			r.Counter(id, 0)
		}
	})
}
