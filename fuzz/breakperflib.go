package fuzz

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// answers makes query data of some answers, with which nothing is wrong, and r among them.
func (v *victim) answers(r *builder.Result) *victim {
	q := &builder.QueryData{PerfTimeStamp: int64(v.uint64() >> 1), PerfFreq: v.positive(), PerfTime100NSec: v.positive() >> 3}
	v.at = v.upTo(3)
	for range v.at {
		q.Add(v.anyAnswer())
	}
	q.Add(r)
	for range v.upTo(3) {
		q.Add(v.anyAnswer())
	}
	return v.model(q)
}

// again makes the query data again with what f does to the answer that the breaker asked for.
func (v *victim) again(f func(*builder.Result)) {
	q := v.made.(*builder.QueryData)
	f(&q.Results[v.at])
	v.remodel(q)
}

// res returns a path in the answer that the breaker asked for.
func (v *victim) res(path string) string {
	if path == "" {
		return fmt.Sprintf("result[%d]", v.at)
	}
	return fmt.Sprintf("result[%d].%s", v.at, path)
}

// rest returns how many bytes there are from a path to the end of another, or of all.
func (v *victim) rest(from, to string) int64 {
	end := v.size()
	if to != "" {
		end = v.part(to).End()
	}
	return end - v.part(from).Off()
}

// answer returns an answer of that type, of counters with ids that differ and are not 0, as
// padding is, and of instances with names that differ, one of each at least.
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

// oddID returns an InstanceId. It is odd, as one that is a multiple of 8 makes a value of
// an instance, whose dwSize stands in its place.
func (v *victim) oddID() uint32 { return 1 + 2*uint32(v.upTo(500)) }

// valuesOf returns a value for each counter. Its halves are odd, as numbers that could be
// sizes make a value or an instance where a length leads into it.
func (v *victim) valuesOf(counters []builder.QueryCounter) []uint64 {
	list := make([]uint64, len(counters))
	for i, c := range counters {
		if list[i] = v.uint64() | 1<<32 | 1; c.Size == 4 {
			list[i] &= 1<<32 - 1
		}
	}
	return list
}

// anyAnswer returns an answer of any type.
func (v *victim) anyAnswer() *builder.Result {
	return v.answer(pick(v.Source, append(slices.Clone(dataTypes), layout.PERF_ERROR_RETURN)...))
}

// withData returns an answer of any type but PERF_ERROR_RETURN.
func (v *victim) withData() *builder.Result {
	return v.answer(pick(v.Source, dataTypes...))
}

// withIDs returns an answer of that many counters with ids.
func (v *victim) withIDs(counters int) *builder.Result {
	return v.answerOf(pick(v.Source, layout.PERF_MULTIPLE_COUNTERS, layout.PERF_COUNTERSET), counters, 1+v.upTo(v.MaxInstances))
}

// withInstances returns an answer of that many instances.
func (v *victim) withInstances(instances int) *builder.Result {
	return v.answerOf(pick(v.Source, layout.PERF_MULTIPLE_INSTANCES, layout.PERF_COUNTERSET), 1+v.upTo(v.MaxCounters), instances)
}

// other returns a number from least to most, of which there are two at least, other than is.
func (v *victim) other(least, most, is int64) int64 {
	n := least + int64(v.upTo(int(most-least)))
	if n >= is {
		n++
	}
	return n
}

// Of lengths: a multiple of 8 from least, which is one, to most other than is, and a number
// that is no multiple of 8.

func (v *victim) otherEight(least, most, is int64) int64 {
	return 8 * v.other(least/8, most/8, is/8)
}

func (v *victim) noEight(least, most int64) int64 {
	n := least + int64(v.upTo(int(most-least+1)))
	switch {
	case n%8 != 0:
		return n
	case n < most:
		return n + 1
	}
	return n - 1
}

// astray returns a length that is no multiple of 8, from least to the end of another place,
// and that leads to no number which could be a length: that might lead to the end.
func (v *victim) astray(from, to string, least int64) int64 {
	most := v.rest(from, to)
	n, b := v.noEight(least, most), v.block[v.part(from).Off():][:most]
	for n%8 == 0 || leadsOn(b[n:]) {
		if n++; n > most {
			n = least
		}
	}
	return n
}

// leadsOn reports whether one of two numbers could be the length of what starts there.
func leadsOn(b []byte) bool {
	for i := 0; i < 8 && len(b) >= 8; i += 4 {
		if n := binary.LittleEndian.Uint32(b[i:]); n >= 8 && uint64(n) <= uint64(len(b)) {
			return true
		}
	}
	return false
}

// splice puts bytes at an offset, and adds as many to the fields that count them.
func (v *victim) splice(off int64, b []byte, counting ...string) {
	v.count(int64(len(b)), counting)
	v.block = slices.Insert(v.block, int(off), b...)
}

// excise is the reverse of splice.
func (v *victim) excise(off, n int64, counting ...string) {
	v.count(-n, counting)
	v.block = slices.Delete(v.block, int(off), int(off+n))
}

// count adds to fields of 4 bytes, all of which are looked up before the first changes.
func (v *victim) count(n int64, paths []string) {
	var fields [][]byte
	for _, path := range paths {
		fields = append(fields, v.part(path).Bytes())
	}
	for _, f := range fields {
		binary.LittleEndian.PutUint32(f, binary.LittleEndian.Uint32(f)+uint32(n))
	}
}
