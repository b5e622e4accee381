package builder

import (
	"math"
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A Template is an object whose definitions are encoded once and which is filled with
// instances again and again, as a provider does in each Collect. It shares nothing with the
// [Object] it was compiled from, is immutable, and safe for concurrent use. The zero Template
// has no object and cannot be used.
//
// A [Fill] writes the object with new instances, a [Refresh] overwrites the values of an
// encoded object in place. Neither allocates, except to grow a buffer and for an error, and
// neither keeps its arguments after Done. They write the same bytes as
// [Objects.AppendBinary] for the same instances, and check names and values in the same way,
// with one exception: instances are not compared. The caller must know that no names repeat
// and that all parents exist.
type Template struct {
	form     *form
	model    Object          // as it was compiled, without instances
	header   wire.ObjectType // with the lengths of an object without instances
	clock    bool            // a counter is computed with PerfTime
	timed    bool            // PerfTime is the PerfTime100nSec of the data block, if there is one
	live     bool            // without a data block, PerfTime must be set
	counters []byte          // the encoded definitions
}

// Compile returns the template of the object: of its header, its counters and its
// BlockLength. Instances and values are not part of it, except that the longest text of a
// counter of variable length without a CounterSize gives its size. A PERF_COUNTER_TEXT
// without either has no room for text, which is an error. Everything is copied. The other
// errors are those of [Objects.AppendBinary] for the compiled parts.
func (o *Object) Compile() (*Template, error) {
	if o == nil {
		return nil, fault(layout.Path{}, "", ErrCount, "no object to compile")
	}
	p, err := o.planDefinitions()
	if err == nil {
		err = o.checkTextSizes(p.slots)
	}
	if err != nil {
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

// encode sets what is written of o: the model, with other title indexes after a Rebase.
func (t *Template) encode(o *Object) {
	t.counters = o.appendCounters(nil, t.form.slotting)
	length := layout.PERF_OBJECT_TYPE.Size + uint32(len(t.counters))
	t.header = o.record(plan{definitions: length, total: length, instances: o.NumInstances, now: DefaultTime})
	t.clock = o.usesClock()
	t.timed = o.PerfTime == 0 && t.clock
	t.live = t.timed && o.NumInstances >= layout.PERF_NO_INSTANCES
}

// checkPerfTime checks a PerfTime that replaces the compiled one.
func (t *Template) checkPerfTime(ticks int64) error {
	switch {
	case ticks < 0:
		return layout.Faultf(layout.ErrRange, "is %d, must not be negative", ticks)
	case ticks == 0 && t.clock:
		return layout.Faultf(layout.ErrRange, "is 0, must be above 0: a counter is computed with it")
	}
	return nil
}

// Metadata returns the template of the answer to a metadata query, which exists since Windows
// 10 2004: the definitions, and a NumInstances that says whether the object can have
// instances. The answer itself has none.
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

// ObjectNameTitleIndex returns the title index of the object. Instances of another object
// that have their parents here refer to it.
func (t *Template) ObjectNameTitleIndex() uint32 { return t.header.ObjectNameTitleIndex }

// Rebase returns the template with the title indexes of a registered provider. In a
// provider's source they are offsets. lodctr assigns the service two values in its
// Performance key, First Counter and First Help: the index of a name is firstCounter plus its
// offset, the index of a help text firstHelp plus its offset, which is the name's offset if
// the model leaves the help index 0. The object's index is an offset even if it is 0. A
// counter's 0 is not: the counter has no name, as bases do. A DefaultCounter that is a
// position stays as it is.
//
// t does not change. The offsets are always the compiled ones, so a template can be rebased
// again. Handles can be used with both templates. If an index exceeds 32 bits, the error
// wraps [ErrTooLarge].
func (t *Template) Rebase(firstCounter, firstHelp uint32) (*Template, error) {
	if t.form == nil {
		return nil, &layout.Error{Off: -1, Err: layout.Faultf(ErrCount, "the template is zero: Object.Compile returns one")}
	}
	o := t.model
	s := shift{name: firstCounter, help: firstHelp}
	s.to("Object", layout.Path{}, &o.ObjectNameTitleIndex, &o.ObjectHelpTitleIndex, &o.NoHelp)
	o.Counters = slices.Clone(o.Counters)
	for i := range o.Counters {
		c := &o.Counters[i]
		if c.CounterNameTitleIndex != 0 || c.CounterHelpTitleIndex != 0 {
			s.to("Counter", counterPath(i), &c.CounterNameTitleIndex, &c.CounterHelpTitleIndex, &c.NoHelp)
		}
	}
	if d := o.DefaultCounter; d != nil && *d != -1 && !o.isPosition(*d) {
		title := uint32(*d)
		s.add("DefaultCounter", layout.Path{}, &title, firstCounter, math.MaxInt32)
		o.DefaultCounter = new(int32(title))
	}
	if s.err != nil {
		return nil, within(objectPath(0), s.err)
	}
	rebased := &Template{form: t.form, model: t.model}
	rebased.encode(&o)
	return rebased, nil
}

// A shift adds the first indexes to title indexes.
type shift struct {
	name, help uint32
	err        error
}

// to shifts the indexes of a name and a help text, of an Object or a Counter.
func (s *shift) to(what string, path layout.Path, title, help *uint32, noHelp *bool) {
	if *help == 0 && !*noHelp {
		*help = *title
	}
	s.add(what+"NameTitleIndex", path, title, s.name, math.MaxUint32)
	if !*noHelp {
		s.add(what+"HelpTitleIndex", path, help, s.help, math.MaxUint32)
		*noHelp = *help == 0
	}
}

func (s *shift) add(field string, path layout.Path, index *uint32, first uint32, most uint64) {
	if sum := uint64(*index) + uint64(first); sum > most && s.err == nil {
		s.err = fault(path, field, ErrTooLarge, "is %d + %d, must be at most %d", first, *index, most)
	}
	*index += first
}
