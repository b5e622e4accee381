package bench_test

import (
	"errors"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A load is a workload with the values that a program prepares once, such as templates and buffers.
type load struct {
	model     builder.Model
	block     []byte
	scratch   []byte // the buffer that the ops write to, as long as the block
	validator *validate.Validator
	rows      layout.Rows
	values    []uint64

	// For a data block only.
	data      *builder.DataBlock // the model
	header    builder.DataBlock  // the model without objects
	templates []*builder.Template
}

func newLoad(tb testing.TB, m builder.Model) *load {
	tb.Helper()
	block, err := m.MarshalBinary()
	if err != nil {
		tb.Fatal(err)
	}
	v, err := validate.New(validate.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	l := &load{model: m, block: block, scratch: make([]byte, len(block)), validator: v}
	data, ok := m.(*builder.DataBlock)
	if !ok {
		return l
	}
	l.data, l.header = data, *data
	l.header.Objects = nil
	for _, o := range data.Objects {
		o.Instances, o.Values = nil, nil
		t, err := o.Compile()
		if err != nil {
			tb.Fatal(err)
		}
		l.templates = append(l.templates, t)
	}
	return l
}

func (l *load) copy() error {
	copy(l.scratch, l.block)
	return nil
}

func (l *load) encode() error {
	_, err := l.model.AppendBinary(l.scratch[:0])
	return err
}

func (l *load) fill() error { return l.fillWith(true) }

// fillWith writes the block, with zeros for all values if values is false.
func (l *load) fillWith(values bool) error {
	w := builder.NewFixedFill(l.scratch[:0])
	w.DataBlock(&l.header)
	for i := range l.data.Objects {
		o := &l.data.Objects[i]
		w.Object(l.templates[i])
		if values && o.NumInstances == layout.PERF_NO_INSTANCES {
			w.Values(o.Values...)
		}
		for j := range o.Instances {
			in := &o.Instances[j]
			if in.ParentObjectTitleIndex == 0 {
				w.Instance(in.Name)
			} else {
				w.Child(in.ParentObjectTitleIndex, in.ParentObjectInstance, in.Name)
			}
			if in.UniqueID != nil {
				w.UniqueID(*in.UniqueID)
			}
			if values {
				w.Values(in.Values...)
			}
		}
	}
	_, err := w.Done()
	return err
}

// refresh overwrites all values of the block in l.scratch.
func (l *load) refresh() error {
	data, err := layout.ReadDataBlock(l.scratch)
	if err != nil {
		return err
	}
	rest := l.scratch[data.HeaderLength():]
	for i := range l.data.Objects {
		o := &l.data.Objects[i]
		r := l.templates[i].Refresh(rest)
		for j := 0; r.Next(); j++ {
			if o.NumInstances == layout.PERF_NO_INSTANCES {
				r.Values(o.Values...)
			} else {
				r.Values(o.Instances[j].Values...)
			}
		}
		if rest, err = r.Done(); err != nil {
			return err
		}
	}
	return nil
}

// read reads the name and all values of each instance.
func (l *load) read() error {
	if l.data == nil {
		return l.readResults()
	}
	data, err := layout.ReadDataBlock(l.block)
	if err != nil {
		return err
	}
	for o, err := range data.Objects() {
		if err == nil {
			err = l.rows.Open(o)
		}
		if err == nil {
			err = l.readRows()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *load) readResults() error {
	q, err := layout.ReadQueryData(l.block)
	if err != nil {
		return err
	}
	for r, err := range q.Results() {
		if err == nil {
			err = l.rows.OpenResult(r)
		}
		if err == nil {
			err = l.readRows()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *load) readRows() error {
	names := 0
	for l.rows.Next() {
		names += l.rows.Name().Len()
		l.values = l.rows.AppendValues(l.values[:0])
	}
	if names < 0 {
		return errors.New("the names have a negative length")
	}
	return l.rows.Err()
}

func (l *load) decode() error {
	m, err := builder.NewModel(l.model.Kind())
	if err != nil {
		return err
	}
	return m.UnmarshalBinary(l.block)
}

func (l *load) validate() error {
	return l.validator.Bytes(l.model.Kind(), l.block, validate.Context{}).Err(validate.Error)
}
