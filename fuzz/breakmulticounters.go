package fuzz

import (
	"encoding/binary"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// multiCountersBreakers break the rules about PERF_MULTI_COUNTERS.
var multiCountersBreakers = []breaker{
	{"v2-multi-counters-bounds", also{"v2-multi-counters-limit", "v2-multi-counters-limit-max"}, func(f *faultyBlock) {
		anyQueryWithIDs(f)
		const size, n = "result.ids.dwSize", "result.ids.dwCounters"
		switch f.upTo(3) {
		case 0:
			f.set(size, f.atLeast(f.distance(size, "result")+1))
		case 1:
			f.set(size, int64(f.upTo(int(layout.SizeofMultiCounters+4*f.get(n)))))
		default: // the list has no bytes for some of the ids
			f.set(n, pick(f.Source, f.atLeast((f.get(size)-layout.SizeofMultiCounters)/4+1), f.undocumentedCount()))
		}
	}},
	{"v2-multi-counters-size", nil, func(f *faultyBlock) {
		anyQueryWithIDs(f)
		const size = "result.ids.dwSize"
		n := f.get("result.ids.dwCounters")
		if n > 1 && f.chance(80) { // lower dwCounters by at least 2: dwSize may include padding in place of one id
			f.set("result.ids.dwCounters", int64(f.upTo(int(n-1))))
			return
		}
		f.set(size, f.other(layout.SizeofMultiCounters+4*n+1, f.distance(size, "result"), f.get(size)))
	}},
	{"v2-multi-counters-unaligned", nil, func(f *faultyBlock) {
		f.inQuery(f.resultWithIDs(1 + 2*f.upTo(4))).changeResult(func(r *builder.Result) { r.ShortIDs = true })
	}},
	{"v2-multi-counters-empty", nil, func(f *faultyBlock) {
		anyQueryWithIDs(f).changeResult(func(r *builder.Result) {
			r.Counters = nil
			changeValues(r, func([]uint64) []uint64 { return nil })
		})
	}},
	{"v2-multi-counters-limit", also{"v2-multi-counters-bounds"}, func(f *faultyBlock) {
		if n := f.undocumentedCount(); f.chance(128) {
			f.withManyIDs(int(n))
		} else {
			anyQueryWithIDs(f).set("result.ids.dwCounters", n)
		}
	}},
	{"v2-multi-counters-limit-max", also{"v2-multi-counters-bounds"}, func(f *faultyBlock) {
		if f.chance(128) {
			anyQueryWithIDs(f).set("result.ids.dwCounters", f.atLeast(maxCounters+1))
			return
		}
		f.withManyIDs(maxCounters)
		end := f.part("result.ids.dwSize").Off() + f.get("result.ids.dwSize")
		n := 1 + f.upTo(2000)
		more := make([]byte, (4*n+7)&^7)
		for i := range n {
			binary.LittleEndian.PutUint32(more[4*i:], 1<<31+uint32(i))
		}
		f.insertBytes(end, more, "dwTotalSize", "result.dwSize", "result.ids.dwSize")
		f.add("result.ids.dwCounters", int64(n))
	}},
	{"v2-multi-counters-duplicate-id", nil, func(f *faultyBlock) {
		f.inQuery(f.resultWithIDs(2 + f.upTo(f.MaxCounters)))
		ids := f.idBytes()
		i, j := f.twoInAnyOrder(len(ids) / 4)
		copy(ids[4*i:], ids[4*j:][:4])
	}},
	{"v2-multi-counters-wildcard-id", nil, func(f *faultyBlock) {
		ids := anyQueryWithIDs(f).idBytes()
		binary.LittleEndian.PutUint32(ids[4*f.upTo(len(ids)/4):], layout.PERF_WILDCARD_COUNTER)
	}},
}

// Two limits for the number of counters in a set: the limit of the documentation, and the limit of perflib.h.
const documentedCounters, maxCounters = 64_000, 65_536

// undocumentedCount returns a value for dwCounters above the limit of the documentation, but not above the limit of
// perflib.h.
func (f *faultyBlock) undocumentedCount() int64 {
	return documentedCounters + 1 + int64(f.upTo(maxCounters-documentedCounters))
}

// anyQueryWithIDs makes query data that has a result with at least one id.
func anyQueryWithIDs(f *faultyBlock) *faultyBlock {
	return f.inQuery(f.resultOf(layout.PERF_MULTIPLE_COUNTERS, layout.PERF_COUNTERSET))
}

// idBytes returns the bytes of the ids of the result, 4 for each id.
func (f *faultyBlock) idBytes() []byte {
	at := f.part("result.ids.id[0]").Off()
	return f.block[at:][:4*f.get("result.ids.dwCounters")]
}

// withManyIDs makes query data that has a result with n ids and no instances.
func (f *faultyBlock) withManyIDs(n int) {
	f.inQuery(f.resultOfSize(layout.PERF_COUNTERSET, f.someCounters(), 0))
	f.changeResult(func(r *builder.Result) {
		for id := uint32(1 << 30); len(r.Counters) < n; id++ {
			r.Counter(id, 0)
		}
	})
}
