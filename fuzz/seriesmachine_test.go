package fuzz_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

// seriesOf returns the first n blocks of a series of a workload.
func seriesOf(t *testing.T, workload string, n int, o fuzz.SeriesOptions) (s *fuzz.Series, blocks []builder.Model) {
	t.Helper()
	w, err := fuzz.FindWorkload(workload)
	fatal(t, err)
	o.Identifiers, o.Sets = w.Sets()
	s, err = fuzz.NewSeries(w.Block(), o)
	fatal(t, err)
	for range n {
		m, err := s.Next()
		fatal(t, err)
		blocks = append(blocks, m)
	}
	return s, blocks
}

// TestSeriesWorkloads compares the series of workloads with package samples. The instances of workloads have parents and
// repeated names.
func TestSeriesWorkloads(t *testing.T) {
	t.Parallel()
	names := []string{"tiny", "cpu", "distinct-300"}
	if long.Enabled() {
		names = append(names, "process-300", "distinct-3000", "server")
	}
	for _, name := range names {
		w, err := fuzz.FindWorkload(name)
		fatal(t, err)
		s, err := fuzz.NewSeries(w.Block(), fuzz.SeriesOptions{Seed: 5})
		fatal(t, err)
		run := newSeriesRun()
		if err := run.check(s, 25); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name != "tiny" && (run.states["new"] == 0 || run.states["gone"] == 0) {
			t.Errorf("%s: no instance has come, or none has gone: %v", name, run.states)
		}
	}
}

// TestSeriesClocks checks that each clock advances by exactly the interval.
func TestSeriesClocks(t *testing.T) {
	t.Parallel()
	const blocks, interval = 4, 2500 * time.Millisecond
	taken := time.Date(2024, 2, 28, 23, 59, 58, 0, time.UTC)
	d := builder.DataBlock{PerfTime: 1000, PerfFreq: 3_579_546}
	d.At(taken)
	o := builder.NewObject(2).Counter(4, layout.PERF_ELAPSED_TIME).Counter(6, layout.PERF_COUNTER_RAWCOUNT).Single(1, 1)
	o.PerfTime, o.PerfFreq = 77, 1000
	s, err := fuzz.NewSeries(d.Add(o), fuzz.SeriesOptions{Interval: interval})
	fatal(t, err)
	for i := range int64(blocks) {
		m, err := s.Next()
		fatal(t, err)
		b, err := m.MarshalBinary()
		fatal(t, err)
		v, err := layout.ReadDataBlock(b)
		fatal(t, err)
		if v.PerfTime() != 1000+i*8_948_865 {
			t.Errorf("block %d: PerfTime is %d", i, v.PerfTime())
		}
		if want := layout.FileTime(taken) + i*25_000_000; v.PerfTime100nSec() != want {
			t.Errorf("block %d: PerfTime100nSec is %d, want %d", i, v.PerfTime100nSec(), want)
		}
		if at, err := v.SystemTime().Time(); err != nil || !at.Equal(taken.Add(time.Duration(i)*interval)) {
			t.Errorf("block %d: SystemTime is %v, %v", i, at, err)
		}
		for v, err := range v.Objects() {
			if fatal(t, err); v.PerfTime() != 77+i*2500 {
				t.Errorf("block %d: PerfTime of the object is %d", i, v.PerfTime())
			}
		}
	}
}

// TestSeriesSeed checks that the same seed makes the same blocks, that another seed makes other blocks, and that Next does
// not change earlier blocks.
func TestSeriesSeed(t *testing.T) {
	t.Parallel()
	for _, workload := range []string{"cpu", "v2-gpu"} {
		var bytes [3][]byte
		for i, seed := range []uint64{1, 1, 2} {
			_, blocks := seriesOf(t, workload, 3, fuzz.SeriesOptions{Seed: seed})
			for _, m := range blocks {
				bytes[i] = append(bytes[i], bytesOf(t, m)...)
			}
		}
		if !slices.Equal(bytes[0], bytes[1]) {
			t.Errorf("%s: the same seed made other blocks", workload)
		}
		if slices.Equal(bytes[0], bytes[2]) {
			t.Errorf("%s: another seed made the same blocks", workload)
		}
	}
	s, blocks := seriesOf(t, "cpu", 1, fuzz.SeriesOptions{})
	first := bytesOf(t, blocks[0])
	for range 5 {
		_, err := s.Next()
		fatal(t, err)
	}
	if !slices.Equal(first, bytesOf(t, blocks[0])) {
		t.Error("a later block has changed an earlier one")
	}
}

func bytesOf(t *testing.T, m builder.Model) []byte {
	t.Helper()
	b, err := m.MarshalBinary()
	fatal(t, err)
	return b
}

// TestSeriesTotal checks that each value of _Total is the sum of the other instances or, for a percentage, the
// average.
func TestSeriesTotal(t *testing.T) {
	t.Parallel()
	s, _ := seriesOf(t, "cpu", 1, fuzz.SeriesOptions{Seed: 3})
	for block := range 30 {
		_, err := s.Next()
		fatal(t, err)
		sums, totals, instances := map[uint32]float64{}, map[uint32]fuzz.Displayed{}, map[string]bool{}
		fresh := false
		for d := range s.Values() {
			if fresh = fresh || d.State == "new"; d.State == "gone" {
				continue
			}
			if d.Name == "_Total" {
				totals[d.Counter] = d
				continue
			}
			instances[d.Name] = true
			sums[d.Counter] += d.Value
		}
		if len(totals) != 15 {
			t.Fatalf("block %d: _Total has %d values", block, len(totals))
		}
		if fresh {
			continue // the total counts new instances, which have no value yet
		}
		for id, d := range totals {
			want := sums[id]
			if d.Unit == "%" {
				want /= float64(len(instances))
			}
			if math.Abs(d.Value-want) > 1e-4*(1+want) {
				t.Errorf("block %d: counter %d of _Total is %v, want %v", block, id, d.Value, want)
			}
		}
	}
}

// TestSeriesParents checks that a thread of the first block has the same parent process in each later block that has
// the thread. It also checks that _Total is always the last process, and that the number of threads changes.
func TestSeriesParents(t *testing.T) {
	t.Parallel()
	_, blocks := seriesOf(t, "distinct-300", 40, fuzz.SeriesOptions{Seed: 9})
	parents := func(m builder.Model) map[string]string {
		of := map[string]string{}
		d := m.(*builder.DataBlock)
		for _, in := range d.Objects[1].Instances {
			of[in.Name] = d.Objects[0].Instances[in.ParentObjectInstance].Name
		}
		return of
	}
	first, changed := parents(blocks[0]), false
	for i, m := range blocks {
		if last := m.(*builder.DataBlock).Objects[0].Instances; last[len(last)-1].Name != "_Total" {
			t.Errorf("block %d: _Total is not the last process", i)
		}
		now := parents(m)
		for name, parent := range now {
			if first[name] != "" && first[name] != parent {
				t.Errorf("block %d: the parent of thread %s is %s, was %s", i, name, parent, first[name])
			}
		}
		changed = changed || len(now) != len(first)
	}
	if !changed {
		t.Error("no thread has come or gone")
	}
}

// TestSeriesRefuses checks the errors for models and options from which no series can be made.
func TestSeriesRefuses(t *testing.T) {
	t.Parallel()
	one := func(freq int64) *builder.DataBlock {
		return (&builder.DataBlock{PerfFreq: freq}).Add(builder.NewObject(2).Counter(4, layout.PERF_COUNTER_COUNTER).Single(1))
	}
	shared := builder.NewObject(2).
		Define(builder.Counter{CounterNameTitleIndex: 4, CounterType: layout.PERF_COUNTER_TIMER, CounterOffset: 8}).
		Define(builder.Counter{CounterNameTitleIndex: 6, CounterType: layout.PERF_100NSEC_TIMER, CounterOffset: 8}).Single(1, 1)
	multi := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_BULK_COUNT).Single(1)
	set := builder.NewCounterSetRegInfo(layout.GUID{Data1: 1}, layout.PERF_COUNTERSET_MULTI_AGGREGATE)
	set.Counter(1, layout.PERF_COUNTER_RAWCOUNT)
	aggregated := fuzz.Query(*set)
	aggregated.Data.Results[0].Instance("_Total", 9, 0)
	for _, row := range []struct {
		reason string
		model  builder.Model
		option fuzz.SeriesOptions
		want   string
	}{
		{"a kind without values", new(builder.GUIDs), fuzz.SeriesOptions{}, "a block of kind guids has no values, must be data-block, objects or query-data"},
		{"a negative interval", one(10), fuzz.SeriesOptions{Interval: -1}, "the interval is -1ns, must be more than 0"},
		{"an interval that is not a whole number of ticks", one(8), fuzz.SeriesOptions{Interval: 200 * time.Millisecond}, "must be a multiple of 125ms, so that each clock advances by whole ticks; the nearest is 125ms"},
		{"an interval shorter than a tick", one(3), fuzz.SeriesOptions{Interval: time.Millisecond}, "must be a multiple of 1s, so that each clock advances by whole ticks; the nearest is 1s"},
		{"a negative frequency", one(-1), fuzz.SeriesOptions{}, "PerfFreq: is -1, must not be negative"},
		{"two counters with different clocks and the same value", new(builder.DataBlock).Add(shared), fuzz.SeriesOptions{}, "counter[1], which is a PERF_100NSEC_TIMER, uses the same bytes as counter[0], which is a PERF_COUNTER_TIMER"},
		{"a total that Windows computes", &aggregated.Data, fuzz.SeriesOptions{Identifiers: aggregated.Identifiers, Sets: aggregated.Sets}, "result[0]: has an instance _Total, must have none"},
		{"query data without identifiers", new(builder.QueryData).Add(builder.CounterSet().Counter(1, 8)), fuzz.SeriesOptions{}, "result[0]: SeriesOptions.Identifiers has no identifier with the Index 0"},
	} {
		if _, err := fuzz.NewSeries(row.model, row.option); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: the error is %v, want %q", row.reason, err, row.want)
		}
	}
	late := (&builder.DataBlock{PerfTime: math.MaxInt64 - 15_000_000}).Add(multi)
	s, err := fuzz.NewSeries(late, fuzz.SeriesOptions{})
	fatal(t, err)
	for i := range 3 {
		if _, err = s.Next(); i < 2 {
			fatal(t, err)
		}
	}
	if err == nil || !strings.Contains(err.Error(), "PerfTime is 9223372036849775807 in block 2 of the series") {
		t.Errorf("the error for a clock at its end is %v", err)
	}
	if _, again := s.Next(); again != err {
		t.Errorf("the error of the next call is %v, want the same error", again)
	}
}
