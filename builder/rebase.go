package builder

import (
	"math"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// Rebase returns the template with the title indexes that a registered provider
// has. A provider's own are offsets; lodctr gives the service two values in its
// Performance key, First Counter and First Help, and the index of each name is
// firstCounter and its offset, that of each help text firstHelp and its offset, which
// is the name's where the model leaves the help index 0. The index of the object is
// an offset even if it is 0, that of a counter is not: 0 means that it has none, as
// with bases. A DefaultCounter that is a position stays as it is.
//
// t is not changed. What is added to are the indexes that were compiled, so that a
// template can be rebased again. Handles are good for both. The error wraps
// [ErrTooLarge]: an index goes beyond 32 bits.
func (t *Template) Rebase(firstCounter, firstHelp uint32) (*Template, error) {
	if t.form == nil {
		return nil, &layout.Error{Off: -1, Err: layout.Faultf(ErrCount, "no template")}
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

// A shift moves title indexes.
type shift struct {
	name, help uint32
	err        error
}

// to moves the index of the name of an Object or a Counter and that of its help text.
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
		s.err = fault(path, field, ErrTooLarge, "%d from %d on is no title index", *index, first)
	}
	*index += first
}
