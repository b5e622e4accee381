package fuzz

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var joinedBreakers = []breaker{
	{"v2-data-identifier-count", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		v.identify(v.guid(), 0)
		q := v.made.(*builder.QueryData)
		if n := len(q.Results); n > 1 && v.chance(128) {
			q.Results = q.Results[:1+v.upTo(n-1)]
		} else {
			for range 1 + v.upTo(4) {
				q.Add(v.anyAnswer())
			}
		}
		v.remodel(q)
	}},
	{"v2-data-identifier-count", nil, func(v *victim) { // of answers that are all alike one may be missing anywhere
		q, t := new(builder.QueryData), pick(v.Source, dataTypes...)
		for range 2 + v.upTo(v.MaxObjects) {
			q.Add(v.answer(t))
		}
		v.model(q)
		v.identify(v.guid(), 0)
		i := v.upTo(len(q.Results))
		q.Results = slices.Delete(q.Results, i, i+1)
		v.remodel(q)
	}},
	{"v2-data-identifier-type", nil, func(v *victim) {
		r := v.anyAnswer()
		v.answers(r)
		v.identify(v.guid(), 0)
		wrong := slices.DeleteFunc(slices.Clone(dataTypes), func(t layout.PerfCounterDataType) bool { return t == askedFor(r.Type) })
		v.again(func(r *builder.Result) { *r = *v.answer(pick(v.Source, wrong...)) })
	}},
	{"v2-data-counter-unknown", nil, func(v *victim) {
		r := v.withIDs(2 + v.upTo(v.MaxCounters))
		v.joined(r)
		switch i := v.upTo(len(r.Counters)); v.upTo(3) {
		case 0: // another in its place
			v.add(v.res(fmt.Sprintf("ids.id[%d]", i)), 1_000_000_000)
		case 1:
			v.again(func(r *builder.Result) { without(r, i) })
		case 2:
			v.again(func(r *builder.Result) { withOneMore(r, i) })
		}
	}},
	{"v2-counter-data-width-type", nil, func(v *victim) {
		data := v.registeredValue()
		if n := v.get(data + ".dwDataSize"); n == 4 {
			v.set(data+".dwDataSize", 8)
		} else {
			v.cutValue(data, 4)
		}
	}},
	{"v2-counter-data-width-type", also{"v2-counter-data-empty"}, func(v *victim) {
		v.cutValue(v.registeredValue(), 0)
	}},
	{"v2-counter-data-width-type", also{"v2-counter-data-width"}, func(v *victim) {
		v.cutValue(v.registeredValue(), pick[int64](v.Source, 1, 2, 3, 5, 6, 7))
	}},
}

// dataTypes are those of answers with data.
var dataTypes = []layout.PerfCounterDataType{layout.PERF_SINGLE_COUNTER, layout.PERF_MULTIPLE_COUNTERS, layout.PERF_MULTIPLE_INSTANCES, layout.PERF_COUNTERSET}

// askedFor returns the type of answer that was asked for where there is one of type t: in
// the place of an error could be a single value.
func askedFor(t layout.PerfCounterDataType) layout.PerfCounterDataType {
	return max(t, layout.PERF_SINGLE_COUNTER)
}

// identify gives the context identifiers that ask for what the answers are. That of the
// answer the breaker asked for is of a set and, if it asks for one, of a counter; the
// others are of another set.
func (v *victim) identify(set layout.GUID, counter uint32) {
	other := set
	other.Data1++
	index := layout.NewIndex(v.kind, v.block) // one for all of them: there may be many
	var list builder.Identifiers
	for i := range int(v.get("dwNumCounters")) {
		path := fmt.Sprintf("result[%d].dwType", i)
		t := askedFor(layout.PerfCounterDataType(numberOf(partOf(index, path), path)))
		id := builder.CounterIdentifier{CounterSetGuid: other, CounterId: uint32(v.upTo(100)), InstanceId: 0xFFFFFFFF, Index: uint32(i)}
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
	for i := range list { // as they are told in any order
		j := i + v.upTo(len(list)-i)
		list[i], list[j] = list[j], list[i]
	}
	v.ctx.Identifiers = bytesOf(&list)
}

// joined makes query data of the answer, with what is registered of its set: alone, or
// among others that identifiers tell from it.
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
	v.answers(r)
	v.identify(set.CounterSetGuid, r.Counters[0].CounterId)
}

// registeredValue makes an answer of which it is known how wide the values are, and returns
// the path of one of them.
func (v *victim) registeredValue() string {
	v.joined(v.withData())
	return v.someValue()
}

// cutValue leaves n bytes of a value, all of them zeros.
func (v *victim) cutValue(data string, n int64) {
	clear(v.block[v.part(data).Off()+8:][:8])
	v.set(data+".dwDataSize", n)
}

// bytesOf returns the bytes of a model with which nothing is wrong.
func bytesOf(m builder.Model) []byte {
	b, err := m.MarshalBinary()
	if err != nil {
		panic(fmt.Sprintf("a breaker made a model that the builder refuses: %v", err))
	}
	return b
}

// without takes a counter away, and its values.
func without(r *builder.Result, i int) {
	r.Counters = slices.Delete(r.Counters, i, i+1)
	everyRow(r, func(row []uint64) []uint64 { return slices.Delete(row, i, i+1) })
}

// withOneMore puts another counter before one, whose id none of them has.
func withOneMore(r *builder.Result, i int) {
	r.Counters = slices.Insert(r.Counters, i, builder.QueryCounter{CounterId: 1_000_000_000})
	everyRow(r, func(row []uint64) []uint64 { return slices.Insert(row, i, 0) })
}

// everyRow changes the values that belong together.
func everyRow(r *builder.Result, f func([]uint64) []uint64) {
	if r.Type == layout.PERF_MULTIPLE_COUNTERS {
		r.Values = f(r.Values)
	}
	for i := range r.Instances {
		r.Instances[i].Values = f(r.Instances[i].Values)
	}
}
