package fuzz_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/samples"
	"github.com/perfblock/perfblock/validate"
)

// tolerance is the largest relative difference between a value of a series and the same value of package samples. Both
// computations round several times.
const tolerance = 1e-12

// A seriesRun makes the blocks of a series, and compares them with package samples and package validate.
type seriesRun struct {
	older, newer samples.Sample
	context      validate.Context
	values       int
	missing      map[string]int
	kinds        map[layout.CounterType]int // the number of compared values, by counter type
	states       map[string]int
	refused      []string
}

func newSeriesRun() *seriesRun {
	return &seriesRun{missing: map[string]int{}, kinds: map[layout.CounterType]int{}, states: map[string]int{}}
}

// check makes n blocks of a series, and checks each block and its displayed values. It returns the first error.
func (run *seriesRun) check(s *fuzz.Series, n int) error {
	run.older, run.newer = samples.Sample{}, samples.Sample{}
	for i := range n {
		m, err := s.Next()
		if err != nil {
			return err
		}
		b, err := m.MarshalBinary()
		if err != nil {
			return fmt.Errorf("block %d: %w", i, err)
		}
		if err := validate.Bytes(m.Kind(), b, run.context).Err(validate.Error); err != nil {
			return fmt.Errorf("block %d: %w", i, err)
		}
		run.older, run.newer = run.newer, samples.Sample{Kind: m.Kind(), Bytes: b, Context: run.context}
		if run.older.Bytes != nil {
			for _, f := range samples.Compare(new(validate.Validator), run.older, run.newer).Findings {
				if f.Rule.Name != "pair-base-unchanged" {
					return fmt.Errorf("block %d and the one before: %v", i, f)
				}
			}
		}
		if err := run.compare(s); err != nil {
			return fmt.Errorf("block %d: %w", i, err)
		}
	}
	return nil
}

// compare compares the values of the last block of a series with the values that package samples computes.
func (run *seriesRun) compare(s *fuzz.Series) error {
	var want []fuzz.Displayed
	for d := range s.Values() {
		want = append(want, d)
	}
	i := 0
	for v, err := range samples.Values(run.older, run.newer) {
		if err != nil {
			return err
		}
		if i == len(want) {
			return fmt.Errorf("package samples has more than the %d values of the series", i)
		}
		d := &want[i]
		i++
		if problem := differs(&v, d, run.older.Bytes == nil); problem != "" {
			return fmt.Errorf("value %d, %+v, of %+v: %s", i-1, v, *d, problem)
		}
		run.missing[d.Missing]++
		run.states[d.State]++
		if d.Missing == "" {
			run.kinds[d.Type]++
		}
		run.values++
	}
	if i < len(want) {
		return fmt.Errorf("package samples has %d values, the series has %d; the next is %+v", i, len(want), want[i])
	}
	return nil
}

// differs describes the difference between a value of package samples and a value of a series. It returns "" if they are
// equal.
func differs(v *samples.Value, d *fuzz.Displayed, one bool) string {
	in := v.Instance
	state := map[samples.State]string{samples.New: "new", samples.Gone: "gone"}[in.State]
	if one {
		state = ""
	}
	switch {
	case in.Object != d.Object || in.Set != d.Set || in.Single != d.Single || in.Name != d.Name || in.Parent != d.Parent || in.ID != d.ID:
		return fmt.Sprintf("another instance: %+v", *in)
	case state != d.State:
		return fmt.Sprintf("the state is %q", state)
	case v.Missing.String() != d.Missing:
		return fmt.Sprintf("missing is %q", v.Missing)
	case v.Counter == nil:
		return ""
	case v.Counter.ID != d.Counter || v.Counter.Type != d.Type || v.Counter.Scale != d.Scale:
		return fmt.Sprintf("another counter: %+v", *v.Counter)
	case d.Missing != "":
		return ""
	case v.Counter.Unit() != d.Unit:
		return fmt.Sprintf("the unit is %q", v.Counter.Unit())
	}
	n, exact := v.Integer()
	switch {
	case exact != (d.Integer != nil) || exact && n != *d.Integer:
		return fmt.Sprintf("the integer is %d, %v", n, exact)
	case math.Abs(v.Number-d.Value) > tolerance*math.Abs(d.Value):
		return fmt.Sprintf("the number is %v", v.Number)
	case d.Unit == "%" && (d.Value < 0 || d.Value > 100) && d.Type != layout.PERF_COUNTER_MULTI_TIMER_INV && d.Type != layout.PERF_100NSEC_MULTI_TIMER_INV:
		return "the percentage is not from 0 to 100"
	}
	return ""
}

// plausible makes the clocks of a generated block small, so that a series does not reach their largest values.
func plausible(d *builder.DataBlock, seed uint64) {
	d.PerfTime >>= 10
	d.PerfFreq = []int64{10_000_000, 3_579_545, 2_441_406, 1000, 14_318_180}[seed%5]
	d.PerfTime100nSec >>= 2
	for i := range d.Objects {
		o := &d.Objects[i]
		o.PerfTime >>= 10
		o.PerfFreq >>= 40
	}
}

// A seriesInput has the arguments of NewSeries, and the context for the validation of the blocks that the series makes.
type seriesInput struct {
	model   builder.Model
	options fuzz.SeriesOptions
	context validate.Context
}

// seriesInputs returns a data block, a list of the same objects, and query data. The counters have random types.
func seriesInputs(source func() *fuzz.Source, seed uint64) (list []seriesInput) {
	o := fuzz.SeriesOptions{Seed: seed, Interval: []time.Duration{time.Second, 15 * time.Second, time.Hour}[seed%3]}
	d := fuzz.New[builder.DataBlock](source(), fuzz.Config{})
	plausible(d, seed)
	list = append(list, seriesInput{d, o, validate.Context{}}, seriesInput{new(builder.Objects(d.Objects)), o, validate.Context{}})
	set := fuzz.New[builder.CounterSetRegInfo](source(), fuzz.Config{})
	if len(set.Counters) == 0 {
		return list
	}
	query := fuzz.Query(*set)
	query.Data.PerfTimeStamp, query.Data.PerfFreq, query.Data.PerfTime100NSec = d.PerfTime, d.PerfFreq, d.PerfTime100nSec
	o.Identifiers, o.Sets = query.Identifiers, query.Sets
	context, err := query.Context()
	if err != nil {
		panic(err)
	}
	return append(list, seriesInput{&query.Data, o, context})
}

// run checks the series of an input. It returns false if NewSeries returns an error, for example because generated
// counters use the same bytes.
func (run *seriesRun) run(t *testing.T, in seriesInput, blocks int) bool {
	t.Helper()
	s, err := fuzz.NewSeries(in.model, in.options)
	if err != nil {
		if !errors.Is(err, layout.ErrRange) {
			t.Fatal(err)
		}
		run.refused = append(run.refused, err.Error())
		return false
	}
	run.context = in.context
	if err := run.check(s, blocks); err != nil {
		t.Fatalf("seed %d, %v, %v: %v", in.options.Seed, in.model.Kind(), in.options.Interval, err)
	}
	return true
}

// TestSeries compares the displayed values of a series with those of package samples, for generated blocks with
// counters of all types.
func TestSeries(t *testing.T) {
	t.Parallel()
	run, made := newSeriesRun(), 0
	for seed := range uint64(long.Seeds(200, 1000)) {
		for _, in := range seriesInputs(func() *fuzz.Source { return fuzz.Seed(seed) }, seed) {
			if run.run(t, in, 10) {
				made++
			}
		}
	}
	for typ := range layout.CounterTypes() {
		if samples.FormulaOf(typ) != nil && run.kinds[typ] == 0 {
			t.Errorf("no value of a %v was compared", typ)
		}
	}
	for _, missing := range []string{"no-older-sample", "fell-or-wrapped", "base-unchanged", "zero-denominator", "no-formula", "no-clock", "gone"} {
		if run.missing[missing] == 0 {
			t.Errorf("no value is missing because of %s: %v", missing, run.missing)
		}
	}
	if len(run.refused) > made/3 {
		t.Errorf("%d series, but %d generated blocks have none; the last one because: %s", made, len(run.refused), run.refused[len(run.refused)-1])
	}
}

func FuzzSeries(f *testing.F) {
	for seed := range uint64(12) {
		f.Add(seed, fuzz.Input(layout.DataBlockKind, seed, fuzz.Config{}))
		f.Add(seed, fuzz.Input(layout.RegSetKind, seed, fuzz.Config{}))
	}
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		for _, in := range seriesInputs(func() *fuzz.Source { return fuzz.FromBytes(data) }, seed) {
			newSeriesRun().run(t, in, 4)
		}
	})
}
