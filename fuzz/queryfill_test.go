package fuzz_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// What templates of answers write is what the model of query data encodes to, byte for
// byte, into any buffer, and what is refreshed is the same.

func TestQueryFillEqualsModel(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seeds) {
		queryFillEqualsModel(t, fuzz.Seed(seed))
	}
}

func FuzzQueryFillEqualsModel(f *testing.F) {
	f.Add([]byte{})
	for seed := range uint64(32) {
		r := rand.NewChaCha8([32]byte{byte(seed)})
		data := make([]byte, 16<<(seed%6))
		_, _ = r.Read(data)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { queryFillEqualsModel(t, fuzz.FromBytes(data)) })
}

func queryFillEqualsModel(t *testing.T, s *fuzz.Source) {
	t.Helper()
	q := plainQuery(s)
	want, err := q.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	newQueryFilling(t, &q).equals(t, want)
}

// plainQuery returns query data without what a template has no say in: values of bytes,
// and instances that are longer than they need be.
func plainQuery(s *fuzz.Source) builder.QueryData {
	q := fuzz.QueryData(s, fuzz.Config{})
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
	return q
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
func (f *queryFilling) equals(t *testing.T, want []byte) {
	t.Helper()
	maker(func(b []byte, fixed bool) (int, []byte, error) {
		to, set := builder.NewQueryFill(b, f.clocks), numbersAtOnce
		if fixed {
			to, set = builder.NewFixedQueryFill(b, f.clocks), eachNumber
		}
		to, got, err := f.fill(to, set)
		return to.Need(), got, err
	}).anyRoom(t, want)
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

// A QueryRefresh of bytes that were changed stays inside them, ends, and either refuses
// them or writes nothing but values that have the lengths they should.

func TestQueryRefreshOfAnyBytes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seeds) {
		q := plainQuery(fuzz.Seed(seed))
		b, err := q.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		refreshAnyQuery(t, &q, damage(seed, b))
	}
}

func FuzzQueryRefresh(f *testing.F) {
	for seed := range uint64(64) {
		q := plainQuery(fuzz.Seed(seed))
		b, err := q.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed, b)
	}
	f.Fuzz(func(t *testing.T, seed uint64, b []byte) {
		q := plainQuery(fuzz.Seed(seed))
		refreshAnyQuery(t, &q, b)
	})
}

// refreshAnyQuery has the templates of the answers of q refresh b.
func refreshAnyQuery(t *testing.T, q *builder.QueryData, b []byte) {
	t.Helper()
	const behind = 16
	all := append(bytes.Clone(b), bytes.Repeat([]byte{0xEE}, behind)...)
	f := newQueryFilling(t, q)
	refresh := func() (steps int, err error) {
		r := builder.NewQueryRefresh(all[:len(b):len(b)], f.clocks)
		for i, template := range f.templates {
			for r.Result(template); r.Next(); steps++ {
				r.Values(make([]uint64, len(f.results[i].Counters))...)
			}
		}
		return steps, r.Done()
	}
	steps, err := refresh()
	switch {
	case steps > len(b)/8:
		t.Fatalf("%d instances in %d bytes", steps, len(b))
	case bytes.Count(all[len(b):], []byte{0xEE}) != behind:
		t.Fatal("bytes behind the input were written to")
	case err != nil && !errors.Is(err, builder.ErrForeign):
		t.Fatal(err)
	case err != nil:
		return
	}
	// What was refreshed without an error has as many instances as before, can be refreshed
	// again, and its values are zero.
	if n, err := refresh(); err != nil || n != steps {
		t.Fatalf("again: %v, %d instances instead of %d", err, n, steps)
	}
	data, err := layout.ReadQuery(all[:len(b)])
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for result, err := range data.Results() {
		if n++; err != nil || n > len(f.results) {
			break // there may be more answers than were gone through, of any bytes
		}
		instances, err := result.Instances()
		if err != nil {
			t.Fatal(err)
		}
		for in, err := range instances.All() {
			if err != nil {
				t.Fatal(err)
			}
			for raw := range in.Values() {
				if value, err := raw.Value(); err != nil || bytes.Count(value.Bytes(), []byte{0}) != value.Len() {
					t.Fatalf("a value that was not set to zero: %x, %v", value.Bytes(), err)
				}
			}
		}
	}
}
