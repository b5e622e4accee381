package main

import (
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
)

// A load is a workload that lies ready to be measured. The largest takes a gigabyte, so one is alive at a time.
type load struct {
	name    string
	model   builder.Model
	block   []byte // what the model makes
	scratch []byte // as long, for what writes
	feed    feed
}

func newLoad(w fuzz.Workload) (*load, error) { return loadModel(w.Name, w.Block()) }

func loadModel(name string, m builder.Model) (*load, error) {
	l := &load{name: name, model: m}
	var err error
	if l.block, err = m.MarshalBinary(); err == nil {
		l.feed, err = newFeed(m)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	l.scratch = make([]byte, len(l.block))
	return l, nil
}
