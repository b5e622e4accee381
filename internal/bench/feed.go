package main

import (
	"errors"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A feed is what a provider has at the moment it fills a buffer, in the form in which both fills get it, Go's and C's: the values of
// an object lie one behind the other, and so do its names.
type feed struct {
	header  builder.DataBlock // without objects
	objects []feedObject
}

type feedObject struct {
	definitions builder.Object // without instances and values
	single      bool           // PERF_NO_INSTANCES: one row, of which only the values count
	rows        []feedRow
}

type feedRow struct {
	name                        string
	parentTitle, parentPosition uint32
	uniqueID                    int32 // or PERF_NO_UNIQUE_ID
	values                      []uint64
}

func newFeed(d *builder.DataBlock) (feed, error) {
	f := feed{header: *d}
	f.header.Objects = nil
	for i := range d.Objects {
		o, err := newFeedObject(&d.Objects[i])
		if err != nil {
			return feed{}, err
		}
		f.objects = append(f.objects, o)
	}
	return f, nil
}

func newFeedObject(o *builder.Object) (feedObject, error) {
	f := feedObject{definitions: *o, single: o.NumInstances == layout.PERF_NO_INSTANCES}
	f.definitions.Instances, f.definitions.Values, f.definitions.Texts = nil, nil, nil
	instances := o.Instances
	if f.single {
		instances = []builder.Instance{{Values: o.Values, Texts: o.Texts}}
	}
	var names strings.Builder
	values := make([]uint64, 0, len(instances)*len(o.Counters))
	for i := range instances {
		in := &instances[i]
		if len(in.Texts) > 0 || o.CodePage != 0 || in.NameOffset != 0 || in.ByteLength != 0 || in.BlockLength != 0 {
			return feedObject{}, errors.New("the fills know no texts, code pages and lengths of their own")
		}
		names.WriteString(in.Name)
		values = append(values, in.Values...)
	}
	all, n := names.String(), len(o.Counters)
	f.rows = make([]feedRow, len(instances))
	for i := range instances {
		in := &instances[i]
		id := layout.PERF_NO_UNIQUE_ID
		if in.UniqueID != nil {
			id = *in.UniqueID
		}
		f.rows[i] = feedRow{all[:len(in.Name)], in.ParentObjectTitleIndex, in.ParentObjectInstance, id, values[i*n : (i+1)*n : (i+1)*n]}
		all = all[len(in.Name):]
	}
	return f, nil
}
