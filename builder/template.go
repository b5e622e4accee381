package builder

import (
	"errors"
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// ErrForeign is in the chain of errors about a handle or a block that is not of the
// template at hand.
var ErrForeign = errors.New("of another template")

// A Template is an object whose definitions are encoded once, to be filled with
// instances again and again: what a provider does each time it is asked. It shares
// nothing with the [Object] it was compiled from, is immutable, and safe for
// concurrent use. The zero Template is of no object, and of no use.
//
// A [Fill] writes the object with new instances, a [Refresh] new values into one
// that stands. Neither allocates, but where a buffer grows and for an error, and
// neither keeps what it was given beyond its Done. What
// they write is what [Objects.AppendBinary] writes for the same instances. Names and
// values are checked as there, but that instances are not compared: whether names
// repeat, and whether parents are there, is the caller's to know.
type Template struct {
	form     *form
	model    Object          // as it was compiled, without instances
	header   wire.ObjectType // with the lengths of an object without instances
	clock    bool            // a counter is computed with PerfTime
	timed    bool            // PerfTime is that of the whole block
	live     bool            // and must be set where there is none, as values are computed with it
	counters []byte          // their definitions, encoded
}

// Compile returns the template of the object: of its header, its counters and its
// BlockLength. Instances and values are no part of it, but that a counter of variable
// length without a CounterSize is as long as the longest text among them needs, as in
// AppendBinary. Everything is copied. The errors are those of [Objects.AppendBinary]
// for what is compiled.
func (o *Object) Compile() (*Template, error) {
	if o == nil {
		return nil, fault(layout.Path{}, "", ErrCount, "no object to compile")
	}
	p, err := o.planDefinitions()
	if err != nil {
		return nil, within(objectPath(0), err)
	}
	if err := o.checkTextSizes(p.slots); err != nil {
		return nil, within(objectPath(0), err)
	}
	t := &Template{form: newForm(slices.Clone(o.Counters), p.slotting, o.blockLength(0, p.need)), model: *o}
	t.model.Counters, t.model.Instances, t.model.Values, t.model.Texts = t.form.counters, nil, nil, nil
	if o.DefaultCounter != nil {
		t.model.DefaultCounter = new(*o.DefaultCounter)
	}
	t.encode(&t.model)
	return t, nil
}

// checkTextSizes refuses a text without a CounterSize whose slot has no room for a character.
func (o *Object) checkTextSizes(slots []slot) error {
	for i, c := range o.Counters {
		if c.CounterType.IsText() && c.CounterSize == 0 && slots[i].size == lengthPrefix {
			return fault(counterPath(i), "CounterSize", layout.ErrRange, "is 0, and no instance has a text that gives the size: set CounterSize to %d and the bytes of the longest text", lengthPrefix)
		}
	}
	return nil
}

// encode fills in what is written of o, which is the model but for its title indexes.
func (t *Template) encode(o *Object) {
	t.counters = o.appendCounters(nil, t.form.slotting)
	length := layout.PERF_OBJECT_TYPE.Size + uint32(len(t.counters))
	t.header = o.header(plan{definitions: length, total: length, instances: o.NumInstances, now: DefaultTime})
	t.clock = o.usesClock()
	t.timed = o.PerfTime == 0 && t.header.PerfTime != 0
	t.live = t.timed && o.NumInstances >= layout.PERF_NO_INSTANCES
}

// Metadata returns the template of what the object answers to a metadata query, which
// Windows knows from Windows 10 2004 on: its definitions, and a NumInstances that says
// whether there may be instances. It has none.
func (t *Template) Metadata() *Template {
	m := *t
	switch t.model.NumInstances {
	case 0:
		m.model.NumInstances = layout.PERF_METADATA_MULTIPLE_INSTANCES
	case layout.PERF_NO_INSTANCES:
		m.model.NumInstances = layout.PERF_METADATA_NO_INSTANCES
	}
	m.header.NumInstances = m.model.NumInstances
	m.live = false
	return &m
}

// ObjectNameTitleIndex returns the title index of the object, by which the instances
// of another name it as their parents'.
func (t *Template) ObjectNameTitleIndex() uint32 { return t.header.ObjectNameTitleIndex }
