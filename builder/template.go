package builder

import (
	"math"
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A Template is an object with encoded definitions. A provider compiles a Template once, and uses it in each Collect to
// write the instances. Later changes to the compiled [Object] do not change the Template. A Template is immutable and
// safe for concurrent use. The zero Template has no object: using it is an error.
//
// A [Fill] writes the object with new instances. A [Refresh] overwrites the values of an
// encoded object in place. Both types allocate only to grow a buffer and for an error. They
// do not keep their arguments after Done. They check names and values, and write the same
// bytes as [Objects.AppendBinary]. They do not compare instances with each other: the caller
// must make sure that no names repeat and that all parents exist.
type Template struct {
	format        *blockFormat
	model         Object      // the compiled object without instances
	header        wire.Object // with the lengths of an object without instances
	usesClock     bool        // readers compute a counter with PerfTime
	fromDataBlock bool        // in a data block, PerfTime is the PerfTime100nSec of the block
	counters      []byte      // the encoded definitions
}

// Compile returns a template with a copy of the object's header, counters and BlockLength. It does not copy instances
// and values. If a counter of variable length has no CounterSize, Compile uses the length of its longest text in o. If
// a PERF_COUNTER_TEXT has no CounterSize, at least one of its texts must not be empty. Compile also returns the errors
// of [Objects.AppendBinary] for the header and the counters.
func (o *Object) Compile() (*Template, error) {
	if o == nil {
		return nil, fault("", ErrCount, "the Object is nil, must be the object to compile")
	}
	p, err := o.planDefinitions()
	if err == nil {
		err = o.checkTextSizes(p.places)
	}
	if err != nil {
		return nil, within(objectPath(0), err)
	}
	t := &Template{model: *o, format: &blockFormat{
		blockLayout: p.blockLayout, counters: slices.Clone(o.Counters), length: o.blockLength(0, p.need), ordered: orderedNumbers(p.places),
	}}
	t.model.Counters, t.model.Instances, t.model.Values, t.model.Texts = t.format.counters, nil, nil, nil
	if o.DefaultCounter != nil {
		t.model.DefaultCounter = new(*o.DefaultCounter)
	}
	t.encode(&t.model)
	return t, nil
}

// checkTextSizes returns an error for a PERF_COUNTER_TEXT without a CounterSize if all its texts
// are empty.
func (o *Object) checkTextSizes(places []place) error {
	for i, c := range o.Counters {
		if c.CounterType.IsText() && c.CounterSize == 0 && places[i].size == lengthPrefix {
			return within(counterPath(i), fault("CounterSize", layout.ErrRange, "is 0, and no instance has a text that gives the size: set CounterSize to %d plus the bytes of the longest text", lengthPrefix))
		}
	}
	return nil
}

// encode encodes the header and the definitions of o. o is the model of t, or a copy of the model with other title
// indexes.
func (t *Template) encode(o *Object) {
	t.counters = o.appendCounters(nil, t.format.blockLayout)
	length := layout.SizeofObjectType + uint32(len(t.counters))
	t.header = o.record(plan{definitions: length, total: length, instances: o.NumInstances, time100ns: DefaultTime})
	t.usesClock = o.usesClock()
	t.fromDataBlock = o.PerfTime == 0 && t.usesClock
}

// checkPerfTime checks the argument of Fill.PerfTime or Refresh.PerfTime.
func (t *Template) checkPerfTime(ticks int64) error {
	switch {
	case ticks < 0:
		return fault("PerfTime", layout.ErrRange, "is %d, must not be negative", ticks)
	case ticks == 0 && t.usesClock:
		return fault("PerfTime", layout.ErrRange, "is 0, must be above 0: a counter requires it")
	}
	return nil
}

// Metadata returns the template for a metadata query, which Windows 10 2004 introduced. Objects of this template
// have definitions and no instances. In these objects, NumInstances is PERF_METADATA_NO_INSTANCES instead of
// PERF_NO_INSTANCES, and PERF_METADATA_MULTIPLE_INSTANCES instead of a number of instances.
func (t *Template) Metadata() *Template {
	m := *t
	switch t.model.NumInstances {
	case 0:
		m.model.NumInstances = layout.PERF_METADATA_MULTIPLE_INSTANCES
	case layout.PERF_NO_INSTANCES:
		m.model.NumInstances = layout.PERF_METADATA_NO_INSTANCES
	}
	m.header.NumInstances = m.model.NumInstances
	return &m
}

// ObjectNameTitleIndex returns the title index of the object. It is the argument parentTitle of
// [Fill.Child] for an instance whose parent is in this object.
func (t *Template) ObjectNameTitleIndex() uint32 { return t.header.ObjectNameTitleIndex }

// Rebase returns a template with the title indexes of a registered provider. The compiled title
// indexes are offsets, as in the .h file of the provider. lodctr writes First Counter and First
// Help to the Performance key of the service. Rebase adds firstCounter to the offset of a name,
// and firstHelp to the offset of a help text.
//
// If the offset of a help text is 0, Rebase uses the offset of the name. If NoHelp is true, there
// is no help text, even after Rebase. The name of an object can have the offset 0. A counter whose
// two offsets are 0, such as a base, has no name: Rebase does not change its indexes. A
// DefaultCounter that is a position does not change.
//
// t does not change. Handles are valid for both templates. The result can be rebased again: Rebase
// always adds to the compiled offsets. If an index is too large for its field, the error wraps
// [ErrTooLarge].
func (t *Template) Rebase(firstCounter, firstHelp uint32) (*Template, error) {
	if t.format == nil {
		return nil, fault("", ErrCount, "the Template is zero, must be from Object.Compile")
	}
	o := t.model
	s := titleShift{name: firstCounter, help: firstHelp}
	s.shift("Object", here, &o.ObjectNameTitleIndex, &o.ObjectHelpTitleIndex, &o.NoHelp)
	o.Counters = slices.Clone(o.Counters)
	for i := range o.Counters {
		c := &o.Counters[i]
		if c.CounterNameTitleIndex != 0 || c.CounterHelpTitleIndex != 0 {
			s.shift("Counter", counterPath(i), &c.CounterNameTitleIndex, &c.CounterHelpTitleIndex, &c.NoHelp)
		}
	}
	if d := o.DefaultCounter; d != nil && *d != -1 && !o.isPosition(*d) {
		title := uint32(*d)
		s.add("DefaultCounter", here, &title, firstCounter, math.MaxInt32)
		o.DefaultCounter = new(int32(title))
	}
	if s.err != nil {
		return nil, within(objectPath(0), s.err)
	}
	rebased := &Template{format: t.format, model: t.model}
	rebased.encode(&o)
	return rebased, nil
}

// A titleShift adds First Counter and First Help to title indexes.
type titleShift struct {
	name, help uint32
	err        error
}

// shift adds First Counter to the index of a name, and First Help to the index of a help text. prefix is "Object" or
// "Counter", the start of the field names in errors.
func (s *titleShift) shift(prefix string, path layout.Path, title, help *uint32, noHelp *bool) {
	if *help == 0 && !*noHelp {
		*help = *title
	}
	s.add(prefix+"NameTitleIndex", path, title, s.name, math.MaxUint32)
	if !*noHelp {
		s.add(prefix+"HelpTitleIndex", path, help, s.help, math.MaxUint32)
		*noHelp = *help == 0
	}
}

// add increases *index by increment. It records an error if the sum exceeds limit.
func (s *titleShift) add(field string, path layout.Path, index *uint32, increment uint32, limit uint64) {
	if sum := uint64(*index) + uint64(increment); sum > limit && s.err == nil {
		s.err = within(path, fault(field, ErrTooLarge, "is %d plus the offset %d, must be at most %d", increment, *index, limit))
	}
	*index += increment
}

// A Handle32 selects a counter of 4 bytes of a [Template], for [Fill.Set32] and other setters.
// [Template.Handle32] returns a Handle32. The handle is valid only for this template and for the
// templates that [Template.Rebase] returns from this template. The zero Handle32 is not valid.
type Handle32 handle

// A Handle64 selects a counter of 8 bytes of a [Template]. [Template.Handle64] returns the handle. [Handle32]
// explains for which templates a handle is valid.
type Handle64 handle

// A HandleText selects a counter of a [Template]. The value of the counter has variable length. [Template.HandleText]
// returns the handle. [Handle32] explains for which templates a handle is valid.
type HandleText handle

// Err returns the reason why the handle is not valid, or nil. A provider should call Err in Open. If the handle is not
// valid, the first Set with the handle fails, and [Fill.Done] or [Refresh.Done] returns the error.
func (h Handle32) Err() error { return handle(h).err() }

// Err is [Handle32.Err].
func (h Handle64) Err() error { return handle(h).err() }

// Err is [Handle32.Err].
func (h HandleText) Err() error { return handle(h).err() }

// handle is the underlying type of Handle32, Handle64 and HandleText. They do not embed a handle, because Set32 and
// Set64 would then be too large to be inlined.
type handle struct {
	format  *blockFormat  // nil if the handle is not valid
	at      uint32        // the offset of the value in a counter block
	counter int32         // the position of the counter
	invalid *layout.Error // why the handle is not valid, nil for the zero handle
}

var errZeroHandle = fault("", ErrForeign, "the handle or its Template is zero: create the Template with Object.Compile, and the handle with Template.Handle32, Handle64 or HandleText")

func (h handle) err() error {
	switch {
	case h.format != nil:
		return nil
	case h.invalid == nil:
		return errZeroHandle
	}
	return h.invalid
}

// Handle32 returns the handle of a counter of 4 bytes. counter is the position of the counter in the Counters of
// the object, including bases. The handle is not valid if the counter has another width or does not exist.
// [Handle32.Err] and the first setter with this handle report the reason.
func (t *Template) Handle32(counter int) Handle32 { return Handle32(t.newHandle(counter, "Handle32")) }

// Handle64 returns the handle of a counter of 8 bytes. See [Template.Handle32].
func (t *Template) Handle64(counter int) Handle64 { return Handle64(t.newHandle(counter, "Handle64")) }

// HandleText returns the handle of a counter of variable length. See [Template.Handle32].
func (t *Template) HandleText(counter int) HandleText {
	return HandleText(t.newHandle(counter, "HandleText"))
}

// newHandle returns the handle of a counter. The parameter method is the name of the calling method, such as Handle32.
func (t *Template) newHandle(counter int, method string) handle {
	f := t.format
	if f == nil {
		return handle{}
	}
	if err := f.checkHandle(counter, method); err != nil {
		return handle{invalid: &layout.Error{Path: valuePath(counter), Off: -1, Err: err}}
	}
	return handle{format: f, at: f.places[counter].at, counter: int32(counter)}
}

// checkHandle returns an error if the given method is wrong for the counter, or if the counter has no value.
func (f *blockFormat) checkHandle(counter int, method string) error {
	switch n := len(f.places); {
	case n == 0:
		return layout.Faultf(ErrForeign, "the template has no counters, so it has no valid handles")
	case n == 1 && counter != 0:
		return layout.Faultf(ErrForeign, "the position of the counter is %d, must be 0: the template has 1 counter", counter)
	case counter < 0 || counter >= n:
		return layout.Faultf(ErrForeign, "the position of the counter is %d, must be 0 to %d: the template has %d counters", counter, n-1, n)
	}
	t := f.counters[counter].CounterType
	got, width := f.places[counter].handleMethod()
	switch got {
	case method:
		return nil
	case "":
		return layout.Faultf(ErrForeign, "%v has no value, so it has no valid handles", t)
	}
	return layout.Faultf(ErrForeign, "%v has a value of %s, use Template.%s", t, width, got)
}

// handleMethod returns the name of the Template method for a handle of the value, and the size of the value, such as
// "Handle32" and "4 bytes". Both are empty if the counter has no value.
func (p place) handleMethod() (name, width string) {
	switch {
	case p.text >= 0:
		return "HandleText", "variable length"
	case p.size == 4:
		return "Handle32", "4 bytes"
	case p.size == 8:
		return "Handle64", "8 bytes"
	}
	return "", ""
}
