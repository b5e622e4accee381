package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/perfblock/perfblock/builder"
)

// A feed is what a provider has at the moment it fills a buffer, in the form in which both fills get it, Go's and C's: the values of
// an object or of an answer lie one behind the other, and so do its names.
type feed interface {
	// filler compiles templates, which a provider does once, and returns what fills a buffer with the block.
	filler() (func(b []byte) ([]byte, error), error)
	// refresher does, and returns what writes the values of a block again.
	refresher() (func(b []byte) error, error)
	// blank clears what a refresh has to put right again.
	blank(block []byte) error
	// writeInput writes what the C program makes the block of.
	writeInput(to io.Writer, block []byte) error
}

func newFeed(m builder.Model) (feed, error) {
	switch m := m.(type) {
	case *builder.DataBlock:
		return newObjectFeed(m)
	}
	return nil, fmt.Errorf("the fills know no block of the kind %v", m.Kind())
}

// A feedRow is an instance. Of query data it has a name, and its InstanceId as uniqueID.
type feedRow struct {
	name                        string
	parentTitle, parentPosition uint32
	uniqueID                    int32 // or PERF_NO_UNIQUE_ID
	values                      []uint64
}

// laid returns rows whose names lie one behind the other, and their values.
func laid(rows []feedRow) []feedRow {
	var names strings.Builder
	var values []uint64
	for _, r := range rows {
		names.WriteString(r.name)
		values = append(values, r.values...)
	}
	all := names.String()
	for i := range rows {
		r := &rows[i]
		n := len(r.values)
		r.name, all = all[:len(r.name)], all[len(r.name):]
		r.values, values = values[:n:n], values[n:]
	}
	return rows
}
