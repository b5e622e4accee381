package main

import (
	"errors"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// An objectFeed is that of a data block.
type objectFeed struct {
	header  builder.DataBlock // without objects
	objects []feedObject
}

type feedObject struct {
	definitions builder.Object // without instances and values
	single      bool           // PERF_NO_INSTANCES: one row, of which only the values count
	rows        []feedRow
}

func newObjectFeed(d *builder.DataBlock) (*objectFeed, error) {
	f := &objectFeed{header: *d}
	f.header.Objects = nil
	for i := range d.Objects {
		o, err := newFeedObject(&d.Objects[i])
		if err != nil {
			return nil, err
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
	f.rows = make([]feedRow, len(instances))
	for i := range instances {
		in := &instances[i]
		if len(in.Texts) > 0 || o.CodePage != 0 || in.NameOffset != 0 || in.ByteLength != 0 || in.BlockLength != 0 {
			return feedObject{}, errors.New("the fills know no texts, code pages and lengths of their own")
		}
		id := layout.PERF_NO_UNIQUE_ID
		if in.UniqueID != nil {
			id = *in.UniqueID
		}
		f.rows[i] = feedRow{in.Name, in.ParentObjectTitleIndex, in.ParentObjectInstance, id, in.Values}
	}
	f.rows = laid(f.rows)
	return f, nil
}
