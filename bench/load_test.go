package bench_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/diff"
	"github.com/perfblock/perfblock/dump"
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
	header    builder.DataBlock // without objects
	templates []*builder.Template
	instances [][]instanceHead // of each object
	numbers   []valueStore     // of each object, as slices of numbers
	structs   []valueStore     // of each object that has a struct type
	writer    builder.Fill
	refresher builder.Refresh
}

// An instanceHead is an instance without its counter values. A [valueStore] has the counter values.
type instanceHead struct {
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
	text, _ := (&spec.Spec{Model: m}).AppendYAML(nil) // nil if the text would be too long
	l := &load{model: m, block: block, scratch: make([]byte, len(block)), spec: text, dir: tb.TempDir(), validator: v}
	data, ok := m.(*builder.DataBlock)
	if !ok {
		return l
	}
	l.header = *data
	l.header.Objects = nil
	for _, o := range data.Objects {
		l.addInstances(&o)
		o.Instances, o.Values = nil, nil
		t, err := o.Compile()
		fatal(tb, err)
		l.templates = append(l.templates, t)
	}
	b, err := layout.ReadDataBlock(block)
	fatal(tb, err)
	for o, err := range b.Objects() {
		fatal(tb, err)
		if bind := bindings[o.ObjectNameTitleIndex()]; bind != nil {
			l.structs = append(l.structs, bind(tb, o, l.templates[o.Index()]))
		}
	}
	return l
}

func fatal(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// addInstances appends the instances of an object to l.instances, and their counter values to l.numbers. All names
// share one string, and all values share one slice.
func (l *load) addInstances(o *builder.Object) {
	n := &numbers{perRow: len(o.Counters), all: o.Values}
	var names strings.Builder
	for _, in := range o.Instances {
		names.WriteString(in.Name)
		n.all = append(n.all, in.Values...)
	}
	var instances []instanceHead
	if o.NumInstances == layout.PERF_NO_INSTANCES {
		instances = []instanceHead{{single: true}}
	}
	text := names.String()
	for _, in := range o.Instances {
		name := text[:len(in.Name)]
		text = text[len(in.Name):]
		instances = append(instances, instanceHead{name, in.ParentObjectTitleIndex, in.ParentObjectInstance, in.UniqueID, false})
	}
	l.instances, l.numbers = append(l.instances, instances), append(l.numbers, n)
}

func (l *load) copy() error {
	copy(l.scratch, l.block)
	return nil
}

// fill writes the block.
func (l *load) fill(by []valueStore) error {
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
func (l *load) refresh(by []valueStore) error {
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
func (l *load) read(by []valueStore) error {
	data, err := layout.ReadDataBlock(l.block)
	if err != nil {
		return err
	}
	for o, err := range data.Objects() {
		if err == nil {
			err = by[o.Index()].Open(&l.rows, o)
		}
		if err == nil {
			err = by[o.Index()].read(&l.rows)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readNumbers reads the name and all values of each instance of a data block or of query data.
func (l *load) readNumbers() error {
	if isData(l) {
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
			err = l.results.read(&l.rows)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *load) decode() error {
	m, err := builder.NewModel(l.model.Kind())
	if err == nil {
		err = m.UnmarshalBinary(l.block)
	}
	return err
}

func (l *load) validate() error {
	return l.validator.Bytes(l.model.Kind(), l.block, validate.Context{}).Err(validate.Error)
}

// dump writes the block in a format of package dump.
func (l *load) dump(format string) error {
	f, err := dump.FormatNamed(format)
	if err == nil {
		_, err = f.Write(io.Discard, l.model.Kind(), l.block, dump.Options{})
	}
	return err
}

// diff compares the block with a copy that differs in the last byte.
func (l *load) diff() error {
	copy(l.scratch, l.block)
	l.scratch[len(l.block)-1] ^= 1
	if r := diff.Compare(l.model.Kind(), l.block, l.scratch, diff.Options{}); r.Counts.Total() != 1 {
		return fmt.Errorf("the comparison has %d differences, want 1", r.Counts.Total())
	}
	return nil
}

// dumpSpec makes the spec of the block.
func (l *load) dumpSpec() error {
	s, _, err := spec.FromBlock(l.model.Kind(), l.block, false)
	if err == nil {
		l.spec, err = s.AppendYAML(l.spec[:0])
	}
	return err
}

// parse reads the spec into nodes, with the YAML library alone.
func (l *load) parse() error {
	loader, err := yaml.NewLoader(bytes.NewReader(l.spec))
	if err == nil {
		err = loader.Load(new(yaml.Node))
	}
	return err
}

// build makes the block from the spec.
func (l *load) build() error {
	s, err := spec.Parse("block.yaml", l.spec)
	if err != nil {
		return err
	}
	b, err := s.Build()
	if err == nil && !bytes.Equal(b, l.block) {
		err = errors.New("the block differs from the model")
	}
	return err
}
