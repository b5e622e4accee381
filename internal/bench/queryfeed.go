package main

import (
	"errors"
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A queryFeed is that of query data.
type queryFeed struct {
	clocks  builder.QueryData // without answers
	answers []feedAnswer
}

type feedAnswer struct {
	definition builder.Result // without instances and values
	single     bool           // without instances: one row, of which only the values count
	rows       []feedRow
}

func newQueryFeed(q *builder.QueryData) (*queryFeed, error) {
	clocks := *q
	clocks.Results = nil
	head, err := clocks.MarshalBinary()
	if err != nil {
		return nil, err
	}
	// A refresh keeps a clock that is not given, so all are, as they are written.
	h := wire.GetDataHeader(head)
	f := &queryFeed{clocks: builder.QueryData{SystemTime: h.SystemTime, PerfTimeStamp: h.PerfTimeStamp, PerfFreq: h.PerfFreq, PerfTime100NSec: h.PerfTime100NSec}}
	for i := range q.Results {
		a, err := newFeedAnswer(&q.Results[i])
		if err != nil {
			return nil, err
		}
		f.answers = append(f.answers, a)
	}
	return f, nil
}

func newFeedAnswer(r *builder.Result) (feedAnswer, error) {
	a := feedAnswer{definition: *r, single: r.Type != layout.PERF_MULTIPLE_INSTANCES && r.Type != layout.PERF_COUNTERSET}
	a.definition.Instances, a.definition.Values, a.definition.Texts = nil, nil, nil
	instances := r.Instances
	if a.single {
		instances = []builder.QueryInstance{{Values: r.Values, Texts: r.Texts}}
	}
	a.rows = make([]feedRow, len(instances))
	for i := range instances {
		in := &instances[i]
		if len(in.Texts) > 0 || in.Size != 0 {
			return feedAnswer{}, errors.New("the fills know no values of bytes and no sizes of their own")
		}
		a.rows[i] = feedRow{name: in.Name, uniqueID: int32(in.InstanceId), values: in.Values}
	}
	a.rows = laid(a.rows)
	return a, nil
}

func (f *queryFeed) compiled() ([]*builder.QueryTemplate, error) {
	list := make([]*builder.QueryTemplate, len(f.answers))
	for i := range f.answers {
		var err error
		if list[i], err = f.answers[i].definition.Compile(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (f *queryFeed) filler() (func([]byte) ([]byte, error), error) {
	templates, err := f.compiled()
	return func(b []byte) ([]byte, error) { return f.fill(templates, b) }, err
}

func (f *queryFeed) refresher() (func([]byte) error, error) {
	templates, err := f.compiled()
	return func(b []byte) error { return f.refresh(templates, b) }, err
}

// fill makes the data as fill_query of c/query.c does.
func (f *queryFeed) fill(templates []*builder.QueryTemplate, b []byte) ([]byte, error) {
	w := builder.NewFixedQueryFill(b, f.clocks)
	for i := range f.answers {
		a := &f.answers[i]
		w.Result(templates[i])
		if a.single {
			w.Values(a.rows[0].values...)
			continue
		}
		for j := range a.rows {
			r := &a.rows[j]
			w.Instance(r.name, uint32(r.uniqueID))
			w.Values(r.values...)
		}
	}
	return w.Done()
}

// refresh writes the clocks and values of the data again, as refresh_query of c/query.c does.
func (f *queryFeed) refresh(templates []*builder.QueryTemplate, b []byte) error {
	r := builder.NewQueryRefresh(b, f.clocks)
	for i := range f.answers {
		rows := f.answers[i].rows
		r.Result(templates[i])
		for j := 0; r.Next(); j++ {
			if j == len(rows) {
				return fmt.Errorf("answer %d has more instances than there are values", i)
			}
			r.Values(rows[j].values...)
		}
	}
	return r.Done()
}
