package fuzz

import (
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// QueryData returns what PerfQueryCounterData would.
func QueryData(s *Source, c Config) builder.QueryData {
	g := generator{Source: s, Config: c.withDefaults()}
	q := builder.QueryData{PerfTimeStamp: int64(g.uint64() >> 1)}
	if g.chance(128) {
		q.PerfFreq = not(g.positive(), 10_000_000)
	}
	q.SystemTime, q.PerfTime100NSec = g.times()
	for len(q.Results) < g.MaxObjects && g.chance(180) {
		q.Results = append(q.Results, g.result())
	}
	return q
}

func (g *generator) result() builder.Result {
	r := builder.Result{Type: pick(g.Source, layout.PERF_COUNTERSET, layout.PERF_COUNTERSET, layout.PERF_MULTIPLE_INSTANCES,
		layout.PERF_MULTIPLE_COUNTERS, layout.PERF_SINGLE_COUNTER, layout.PERF_ERROR_RETURN)}
	if r.Type == layout.PERF_ERROR_RETURN {
		r.Status = pick(g.Source, 4201, 4200, 4202, 0, g.uint32())
		return r
	}
	if g.chance(20) {
		r.Status = g.uint32()
	}
	ids := r.Type == layout.PERF_MULTIPLE_COUNTERS || r.Type == layout.PERF_COUNTERSET
	if r.Type == layout.PERF_MULTIPLE_INSTANCES || r.Type == layout.PERF_COUNTERSET {
		for len(r.Instances) < g.MaxInstances && g.chance(200) {
			in := g.queryInstance()
			if n := len(r.Instances); n > 0 && g.chance(12) {
				in = g.namesake(r.Instances[n-1])
			}
			r.Instances = append(r.Instances, in)
		}
		g.queryCounters(&r, ids, len(r.Instances) > 0)
		for i := range r.Instances {
			r.Instances[i].Values, r.Instances[i].Texts = g.row(r.Counters)
		}
	} else {
		g.queryCounters(&r, ids, true)
		r.Values, r.Texts = g.row(r.Counters)
	}
	mixed(&r)
	empty := r.Instances == nil && len(r.Texts) > 0 && r.Counters[0].Bytes && r.Texts[0] == "" // is not told from padding
	r.ShortIDs = ids && len(r.Counters)%2 == 1 && (r.Type == layout.PERF_COUNTERSET || !empty) && g.chance(60)
	return r
}

// queryCounters makes the counters of an answer. What shows in values alone they have
// only where there are some.
func (g *generator) queryCounters(r *builder.Result, ids, values bool) {
	n := 1
	if ids {
		n = g.upTo(g.MaxCounters + 1)
	}
	for range n {
		var c builder.QueryCounter
		if ids {
			c.CounterId = g.uint32()
			c.CounterId -= c.CounterId / layout.PERF_WILDCARD_COUNTER // which is no counter's
		}
		switch {
		case !values:
		case g.chance(24):
			c.Bytes = true
		default:
			c.Size = pick(g.Source, uint32(0), 4)
		}
		r.Counters = append(r.Counters, c)
	}
}

func (g *generator) queryInstance() builder.QueryInstance {
	in := builder.QueryInstance{Name: g.text(), InstanceId: g.uint32()}
	in.Size = g.longer(layout.PERF_INSTANCE_HEADER.Size + uint32(layout.UTF16Len(in.Name)) + 2)
	return in
}

// namesake returns an instance of the same name, now and then in capitals, and of the same
// id or another.
func (g *generator) namesake(of builder.QueryInstance) builder.QueryInstance {
	in := builder.QueryInstance{Name: of.Name, InstanceId: of.InstanceId, Size: of.Size}
	if g.chance(128) {
		in.Name, in.Size = strings.ToUpper(in.Name), 0
	}
	if g.chance(128) {
		in.InstanceId = g.uint32()
	}
	return in
}

// longer returns 0, or now and then a length beyond what is needed.
func (g *generator) longer(need uint32) uint32 {
	if !g.chance(24) {
		return 0
	}
	return (need+7)/8*8 + 8*uint32(1+g.upTo(3))
}

// row returns a value for each counter.
func (g *generator) row(counters []builder.QueryCounter) (numbers []uint64, texts []string) {
	for _, c := range counters {
		n := g.uint64()
		switch {
		case c.Bytes:
			b := make([]byte, pick(g.Source, 0, 4, 8, g.upTo(20)))
			for i := range b {
				b[i] = g.byte()
			}
			texts, n = append(texts, string(b)), 0
		case c.Size == 4:
			n = uint64(uint32(n))
		}
		numbers = append(numbers, n)
	}
	return numbers, texts
}

// mixed makes the first value of each counter of Bytes longer where all would be numbers
// of one size.
func mixed(r *builder.Result) {
	rows := [][]string{r.Texts}
	if r.Instances != nil {
		rows = nil
		for i := range r.Instances {
			rows = append(rows, r.Instances[i].Texts)
		}
	}
	for i := range rows[0] {
		n := len(rows[0][i])
		if (n == 4 || n == 8) && !slices.ContainsFunc(rows, func(row []string) bool { return len(row[i]) != n }) {
			rows[0][i] += "+"
		}
	}
}
