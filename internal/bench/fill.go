package main

import (
	"errors"
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// compiled returns the templates of the objects, which a provider makes once.
func (f *objectFeed) compiled() ([]*builder.Template, error) {
	list := make([]*builder.Template, len(f.objects))
	for i := range f.objects {
		var err error
		if list[i], err = f.objects[i].definitions.Compile(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (f *objectFeed) filler() (func([]byte) ([]byte, error), error) {
	templates, err := f.compiled()
	return func(b []byte) ([]byte, error) { return f.fill(templates, b) }, err
}

func (f *objectFeed) refresher() (func([]byte) error, error) {
	templates, err := f.compiled()
	return func(b []byte) error { return f.refresh(templates, b) }, err
}

// fill makes the block as put_object of c/fill.c does.
func (f *objectFeed) fill(templates []*builder.Template, b []byte) ([]byte, error) {
	w := builder.NewFixedFill(b)
	w.DataBlock(&f.header)
	for i := range f.objects {
		o := &f.objects[i]
		w.Object(templates[i])
		if o.single {
			w.Values(o.rows[0].values...)
			continue
		}
		for j := range o.rows {
			r := &o.rows[j]
			if r.parentTitle == 0 {
				w.Instance(r.name)
			} else {
				w.Child(r.parentTitle, r.parentPosition, r.name)
			}
			if r.uniqueID != layout.PERF_NO_UNIQUE_ID {
				w.UniqueID(r.uniqueID)
			}
			w.Values(r.values...)
		}
	}
	return w.Done()
}

// refresh writes the values of a block again, as refresh of c/fill.c does.
func (f *objectFeed) refresh(templates []*builder.Template, b []byte) error {
	data, err := layout.ReadDataBlock(b)
	if err != nil {
		return err
	}
	rest := b[data.HeaderLength():]
	for i := range f.objects {
		r, rows := templates[i].Refresh(rest), f.objects[i].rows
		for j := 0; r.Next(); j++ {
			if j == len(rows) {
				return fmt.Errorf("object %d has more instances than there are values", i)
			}
			r.Values(rows[j].values...)
		}
		if rest, err = r.Done(); err != nil {
			return err
		}
	}
	if len(rest) > 0 {
		return errors.New("there are more objects than there are values")
	}
	return nil
}
