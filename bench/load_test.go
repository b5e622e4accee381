package bench_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
)

// A load is a workload with the values that a program prepares once, such as templates and buffers.
type load struct {
	model     builder.Model
	block     []byte
	scratch   []byte // the buffer that the ops write to, as long as the block
	spec      []byte // the text of the block; nil if the block is too large for a spec
	dir       string // for files
	validator *validate.Validator
	rows      layout.Rows
	results   numbers // reads query data

	// For a data block only.
	header    builder.DataBlock // the model without objects
	templates []*builder.Template
	instances [][]instance // of each object
	numbers   []values     // of each object, as slices of numbers
	structs   []values     // of each object, as structs; nil if an object has no struct
	writer    builder.Fill
	refresher builder.Refresh
}

// An instance is what a program knows of an instance, except its values.
type instance struct {
	name                string
	parentTitle, parent uint32
	id                  *int32
	single              bool // the values belong to the object, which has PERF_NO_INSTANCES
}

func newLoad(tb testing.TB, m builder.Model) *load {
	tb.Helper()
	block, err := m.MarshalBinary()
	fatal(tb, err)
	v, err := validate.New(validate.Options{})
	fatal(tb, err)
	text, err := (&spec.Spec{Model: m}).AppendYAML(nil)
	if err != nil {
		text = nil
	}
	l := &load{model: m, block: block, scratch: make([]byte, len(block)), spec: text, dir: tb.TempDir(), validator: v}
	data, ok := m.(*builder.DataBlock)
	if !ok {
		return l
	}
	l.header, l.numbers = *data, []values{}
	l.header.Objects = nil
	for _, o := range data.Objects {
		l.addInstances(&o)
		o.Instances, o.Values = nil, nil
		t, err := o.Compile()
		fatal(tb, err)
		l.templates = append(l.templates, t)
	}
	l.addStructs(tb)
	return l
}

func fatal(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// addInstances adds the instances and the numbers of an object. All names are in one string, and all numbers in one slice.
func (l *load) addInstances(o *builder.Object) {
	n := &numbers{perRow: len(o.Counters), all: o.Values}
	var names strings.Builder
	for _, in := range o.Instances {
		names.WriteString(in.Name)
		n.all = append(n.all, in.Values...)
	}
	var instances []instance
	if o.NumInstances == layout.PERF_NO_INSTANCES {
		instances = []instance{{single: true}}
	}
	text := names.String()
	for _, in := range o.Instances {
		name := text[:len(in.Name)]
		text = text[len(in.Name):]
		instances = append(instances, instance{name, in.ParentObjectTitleIndex, in.ParentObjectInstance, in.UniqueID, false})
	}
	l.instances, l.numbers = append(l.instances, instances), append(l.numbers, n)
}

func (l *load) copy() error {
	copy(l.scratch, l.block)
	return nil
}

func (l *load) encode() error {
	_, err := l.model.AppendBinary(l.scratch[:0])
	return err
}

// fill writes the block.
func (l *load) fill(by []values) error {
	if by == nil {
		return errors.ErrUnsupported
	}
	l.writer = builder.NewFixedFill(l.scratch[:0])
	l.writer.DataBlock(&l.header)
	for i, v := range by {
		l.writer.Object(l.templates[i])
		v.fill(&l.writer, l.instances[i])
	}
	_, err := l.writer.Done()
	return err
}

// refresh overwrites all values of the block in l.scratch.
func (l *load) refresh(by []values) error {
	if by == nil {
		return errors.ErrUnsupported
	}
	data, err := layout.ReadDataBlock(l.scratch)
	if err != nil {
		return err
	}
	rest := l.scratch[data.HeaderLength():]
	for i, v := range by {
		l.refresher = l.templates[i].Refresh(rest)
		v.refresh(&l.refresher)
		if rest, err = l.refresher.Done(); err != nil {
			return err
		}
	}
	return nil
}

// read reads the name and all values of each instance of a data block.
func (l *load) read(by []values) error {
	if by == nil {
		return errors.ErrUnsupported
	}
	data, err := layout.ReadDataBlock(l.block)
	if err != nil {
		return err
	}
	for o, err := range data.Objects() {
		if err == nil {
			err = by[o.Index()].read(&l.rows, o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readNumbers is read with numbers, also for query data.
func (l *load) readNumbers() error {
	if l.model.Kind() != layout.QueryDataKind {
		return l.read(l.numbers)
	}
	q, err := layout.ReadQueryData(l.block)
	if err != nil {
		return err
	}
	for r, err := range q.Results() {
		if err == nil {
			err = l.rows.OpenResult(r)
		}
		if err == nil {
			err = l.results.readRows(&l.rows)
		}
		if err != nil {
			return err
		}
	}
	return nil
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
