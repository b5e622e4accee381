package fuzz_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// plainQuery returns query data without what a template has no say in: values of bytes,
// and instances that are longer than they need be.
func plainQuery(s *fuzz.Source) builder.QueryData {
	q := fuzz.QueryData(s, fuzz.Config{})
	plainAnswers(&q)
	return q
}

// plainAnswers takes them away.
func plainAnswers(q *builder.QueryData) {
	for i := range q.Results {
		r := &q.Results[i]
		for j := range r.Counters {
			r.Counters[j].Bytes = false
		}
		r.Texts = nil
		for j := range r.Instances {
			r.Instances[j].Size, r.Instances[j].Texts = 0, nil
		}
	}
}

// A queryFilling is query data as templates fill it.
type queryFilling struct {
	clocks    builder.QueryData
	results   []builder.Result
	templates []*builder.QueryTemplate
}

func newQueryFilling(t *testing.T, q *builder.QueryData) *queryFilling {
	t.Helper()
	f := &queryFilling{clocks: *q, results: q.Results}
	f.clocks.Results = nil
	for i := range q.Results {
		template, err := q.Results[i].Compile()
		if err != nil {
			t.Fatalf("answer %d encodes and does not compile: %v", i, err)
		}
		f.templates = append(f.templates, template)
	}
	return f
}

// fill writes everything. set gives each instance its values, by handle or at once.
func (f *queryFilling) fill(to builder.QueryFill, set func(numbers, *builder.QueryTemplate, []builder.QueryCounter, []uint64)) (builder.QueryFill, []byte, error) {
	for i := range f.results {
		r := &f.results[i]
		to.Result(f.templates[i])
		if r.Values != nil {
			set(&to, f.templates[i], r.Counters, r.Values)
		}
		for j := range r.Instances {
			in := &r.Instances[j]
			to.Instance(in.Name, in.InstanceId)
			set(&to, f.templates[i], r.Counters, in.Values)
		}
	}
	b, err := to.Done()
	return to, b, err
}

// equals fills buffers of every kind.
func (f *queryFilling) equals(t *testing.T, r rooms, want []byte) {
	t.Helper()
	maker(func(b []byte, fixed bool) (int, []byte, error) {
		to, set := builder.NewQueryFill(b, f.clocks), numbersAtOnce
		if fixed {
			to, set = builder.NewFixedQueryFill(b, f.clocks), eachNumber
		}
		to, got, err := f.fill(to, set)
		return to.Need(), got, err
	}).in(t, r, want)
	f.refreshed(t, want)
}

// otherClocks returns clocks that are others wherever these are not zero, which says in a
// QueryRefresh that they stay.
func otherClocks(q builder.QueryData) (other builder.QueryData) {
	if q.PerfTimeStamp != 0 {
		other.PerfTimeStamp = q.PerfTimeStamp/2 + 1
	}
	if q.PerfFreq != 0 {
		other.PerfFreq = q.PerfFreq/2 + 1
	}
	if q.PerfTime100NSec != 0 || q.SystemTime != (layout.SystemTime{}) {
		other.PerfTime100NSec = 1
	}
	return other
}

// refreshed fills the data with zeros for values and clocks of its own, and then has both
// set.
func (f *queryFilling) refreshed(t *testing.T, want []byte) {
	t.Helper()
	none := func(numbers, *builder.QueryTemplate, []builder.QueryCounter, []uint64) {}
	_, got, err := f.fill(builder.NewQueryFill(nil, otherClocks(f.clocks)), none)
	if err != nil {
		t.Fatal(err)
	}
	r := builder.NewQueryRefresh(got, f.clocks)
	for i := range f.results {
		a, template := &f.results[i], f.templates[i]
		r.Result(template)
		for j := 0; r.Next(); j++ {
			set, values := numbersAtOnce, a.Values
			if j%2 == 1 {
				set = eachNumber
			}
			if a.Instances != nil {
				if r.InstanceId() != a.Instances[j].InstanceId {
					t.Fatalf("instance %d has the id %d, want %d", j, r.InstanceId(), a.Instances[j].InstanceId)
				}
				values = a.Instances[j].Values
			}
			set(&r, template, a.Counters, values)
		}
	}
	if err := r.Done(); err != nil || !bytes.Equal(got, want) {
		t.Fatalf("refreshed: %v (-model +refreshed):\n%s", err, cmp.Diff(want, got))
	}
}

// A numbers is a Fill or a Refresh, of objects or of query data.
type numbers interface {
	Set32(builder.Handle32, uint32)
	Set64(builder.Handle64, uint64)
	Values(...uint64)
}

func numbersAtOnce(s numbers, _ *builder.QueryTemplate, _ []builder.QueryCounter, values []uint64) {
	s.Values(values...)
}

// eachNumber sets the values from the last to the first.
func eachNumber(s numbers, template *builder.QueryTemplate, counters []builder.QueryCounter, values []uint64) {
	for i := len(counters) - 1; i >= 0; i-- {
		if counters[i].Size == 4 {
			s.Set32(template.Handle32(i), uint32(values[i]))
		} else {
			s.Set64(template.Handle64(i), values[i])
		}
	}
}
