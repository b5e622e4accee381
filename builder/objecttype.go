package builder

import (
	"math"
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// An Object is an object with its counters and instances.
// Source: PERF_OBJECT_TYPE.
type Object struct {
	// ObjectNameTitleIndex is the index of the object's name in the title database.
	ObjectNameTitleIndex uint32
	// ObjectHelpTitleIndex is the index of the help text. 0 means ObjectNameTitleIndex + 1,
	// or 0 if ObjectNameTitleIndex is 0. NoHelp writes 0 in any case.
	ObjectHelpTitleIndex uint32
	NoHelp               bool
	// DetailLevel 0 means the lowest level of the counters that are not bases, or
	// PERF_DETAIL_NOVICE if there are none.
	DetailLevel layout.DetailLevel
	// DefaultCounter is -1, or the position or title index of a counter that is not a base.
	// nil means position 0, or -1 if that is a base or does not exist.
	DefaultCounter *int32
	// NumInstances 0 means the number of Instances. An object with
	// [layout.PERF_NO_INSTANCES] has Values instead of Instances, an object with one of the
	// two metadata values has neither.
	NumInstances int32
	// CodePage 0 means that names are UTF-8 text here and UTF-16 in the block. Otherwise
	// names are bytes of that Windows code page, in both.
	CodePage uint32
	// PerfTime and PerfFreq are the object's own clock and its ticks per second. 0 means the
	// header's PerfTime100nSec and 10,000,000 if a counter uses PERF_OBJECT_TIMER, and 0
	// otherwise. Objects without a header use [DefaultTime] as the header's time.
	PerfTime, PerfFreq int64
	// BlockLength is the ByteLength of every counter block. 0 means the length that the
	// values require. A larger value must be a multiple of 8.
	BlockLength uint32
	// DuplicateNames allows instances with the same full name. Decoding sets it if names repeat.
	DuplicateNames bool

	Counters  []Counter
	Instances []Instance

	// Values and Texts belong to the single counter block of an object with
	// PERF_NO_INSTANCES. They are as in [Instance].
	Values []uint64
	Texts  []string
}

// NewObject returns an object with that title and without counters and instances.
func NewObject(title uint32) *Object { return &Object{ObjectNameTitleIndex: title} }

// Single sets NumInstances to PERF_NO_INSTANCES and Values to values, and returns o.
func (o *Object) Single(values ...uint64) *Object {
	o.NumInstances = layout.PERF_NO_INSTANCES
	o.Values = values
	return o
}

// A plan holds the lengths of an object and the places of its values, all checked.
// Writing a planned object cannot fail.
type plan struct {
	slotting
	definitions uint32 // DefinitionLength
	total       uint32 // TotalByteLength
	instances   int32  // NumInstances
	now         int64  // the header's PerfTime100nSec
}

// plan checks the object and measures it. now is the header's PerfTime100nSec.
func (o *Object) plan(now int64) (plan, error) {
	p, err := o.planDefinitions()
	if err != nil {
		return plan{}, err
	}
	p.now = now
	body, err := o.planBody(&p)
	if err != nil {
		return plan{}, err
	}
	total := uint64(p.definitions) + body
	if total > math.MaxUint32 {
		return plan{}, fault(layout.Path{}, "TotalByteLength", ErrTooLarge, "is %d, must fit 32 bits", total)
	}
	p.total = uint32(total)
	return p, nil
}

// planDefinitions checks and measures the header and the counters.
func (o *Object) planDefinitions() (plan, error) {
	var p plan
	err := o.check()
	if err == nil {
		err = o.checkCounters()
	}
	if err == nil {
		p.slotting, err = slotCounters(o.Counters, o.longestTexts())
	}
	if err == nil {
		err = checkBlockLength(o.BlockLength, p.need)
	}
	if err != nil {
		return plan{}, err
	}
	n := definitionLength(len(o.Counters))
	if n > math.MaxUint32 {
		return plan{}, fault(layout.Path{}, "DefinitionLength", ErrTooLarge, "is %d, must fit 32 bits", n)
	}
	p.definitions = uint32(n)
	return p, nil
}

// definitionLength returns the DefinitionLength of an object with that many counters.
func definitionLength(counters int) uint64 {
	return uint64(layout.PERF_OBJECT_TYPE.Size) + uint64(counters)*uint64(layout.PERF_COUNTER_DEFINITION.Size)
}

// planBody checks and measures the bytes after the definitions.
func (o *Object) planBody(p *plan) (uint64, error) {
	p.instances = o.NumInstances
	if o.NumInstances != 0 && len(o.Instances) > 0 {
		return 0, fault(layout.Path{}, "NumInstances", ErrCount, "is %s, but there are %d instances", layout.InstancesName(o.NumInstances), len(o.Instances))
	}
	if o.NumInstances == layout.PERF_NO_INSTANCES {
		v := values{o.Counters, o.Values, o.Texts}
		return uint64(o.blockLength(0, p.need)), within(blockPath, v.check(p.slotting))
	}
	if len(o.Values) > 0 || len(o.Texts) > 0 {
		return 0, fault(layout.Path{}, "", ErrCount, "the object has values of its own, so NumInstances must be PERF_NO_INSTANCES")
	}
	if len(o.Instances) > math.MaxInt32 {
		return 0, fault(layout.Path{}, "NumInstances", ErrTooLarge, "is %d, must fit 31 bits", len(o.Instances))
	}
	p.instances += int32(len(o.Instances))
	var body uint64
	for i := range o.Instances {
		n, err := o.planInstance(&o.Instances[i], p)
		if err != nil {
			return 0, within(instancePath(i), err)
		}
		body += n
	}
	return body, o.checkNames()
}

// check checks the header's fields.
func (o *Object) check() error {
	here := layout.Path{}
	switch {
	case o.NoHelp && o.ObjectHelpTitleIndex != 0:
		return fault(here, "ObjectHelpTitleIndex", layout.ErrRange, "is %d, must be 0 with NoHelp", o.ObjectHelpTitleIndex)
	case o.DetailLevel != 0 && !o.DetailLevel.Valid():
		return fault(here, "DetailLevel", layout.ErrRange, "is %v, must be one of the four levels", o.DetailLevel)
	case o.NumInstances > 0 || o.NumInstances < layout.PERF_METADATA_NO_INSTANCES:
		return fault(here, "NumInstances", layout.ErrRange, "is %d, must be 0 (the number of Instances) or one of the three named values", o.NumInstances)
	case !layout.KnownCodePage(o.CodePage):
		return fault(here, "CodePage", layout.ErrRange, "is %d, must be 0 (Unicode) or a code page for names", o.CodePage)
	case o.PerfTime < 0:
		return fault(here, "PerfTime", layout.ErrRange, "is %d, must not be negative", o.PerfTime)
	case o.PerfFreq < 0:
		return fault(here, "PerfFreq", layout.ErrRange, "is %d, must not be negative", o.PerfFreq)
	case o.DefaultCounter != nil && !o.hasDefault(*o.DefaultCounter):
		return fault(here, "DefaultCounter", layout.ErrRange, "is %d, must be -1, or the position or title index of a counter that is not a base", *o.DefaultCounter)
	}
	return nil
}

// hasDefault reports whether v is a legal DefaultCounter. The documentation calls it a
// title index, older texts a position; real blocks have both.
func (o *Object) hasDefault(v int32) bool {
	return v == -1 || o.isPosition(v) || slices.ContainsFunc(o.Counters, func(c Counter) bool {
		return v > 0 && c.CounterNameTitleIndex == uint32(v) && !c.CounterType.IsBase()
	})
}

// isPosition reports whether v is the position of a counter that is not a base.
func (o *Object) isPosition(v int32) bool {
	return v >= 0 && int(v) < len(o.Counters) && !o.Counters[v].CounterType.IsBase()
}

func (o *Object) detailLevel() layout.DetailLevel {
	if o.DetailLevel != 0 {
		return o.DetailLevel
	}
	level := layout.DetailLevel(0)
	for i := range o.Counters {
		if c := &o.Counters[i]; !c.CounterType.IsBase() && (level == 0 || c.detailLevel() < level) {
			level = c.detailLevel()
		}
	}
	return novice(level)
}

func (o *Object) defaultCounter() int32 {
	switch {
	case o.DefaultCounter != nil:
		return *o.DefaultCounter
	case !o.isPosition(0):
		return -1
	}
	return 0
}

// usesClock reports whether a counter is computed with the object's PerfTime.
func (o *Object) usesClock() bool {
	return slices.ContainsFunc(o.Counters, func(c Counter) bool { return c.CounterType.UsesObjectTimer() })
}

// clock returns the PerfTime and PerfFreq to write. now is the header's PerfTime100nSec.
func (o *Object) clock(now int64) (time, freq int64) {
	time, freq = o.PerfTime, o.PerfFreq
	if o.usesClock() {
		if time == 0 {
			time = now
		}
		if freq == 0 {
			freq = defaultFreq
		}
	}
	return time, freq
}

// append appends the object as planned.
func (o *Object) append(b []byte, p plan) []byte {
	b = o.record(p).Append(b)
	b = o.appendCounters(b, p.slotting)
	if o.NumInstances == layout.PERF_NO_INSTANCES {
		return values{o.Counters, o.Values, o.Texts}.append(b, p.slotting, o.blockLength(0, p.need))
	}
	for i := range o.Instances {
		in := &o.Instances[i]
		b = o.appendInstance(b, in, o.measure(in))
		b = values{o.Counters, in.Values, in.Texts}.append(b, p.slotting, o.blockLength(in.BlockLength, p.need))
	}
	return b
}

// record returns the PERF_OBJECT_TYPE.
func (o *Object) record(p plan) wire.ObjectType {
	time, freq := o.clock(p.now)
	return wire.ObjectType{
		TotalByteLength:      p.total,
		DefinitionLength:     p.definitions,
		HeaderLength:         layout.PERF_OBJECT_TYPE.Size,
		ObjectNameTitleIndex: o.ObjectNameTitleIndex,
		ObjectHelpTitleIndex: helpIndex(o.ObjectNameTitleIndex, o.ObjectHelpTitleIndex, o.NoHelp),
		DetailLevel:          o.detailLevel(),
		NumCounters:          uint32(len(o.Counters)),
		DefaultCounter:       o.defaultCounter(),
		NumInstances:         p.instances,
		CodePage:             o.CodePage,
		PerfTime:             time,
		PerfFreq:             freq,
	}
}

// object decodes an object.
func (d *decoder) object(v layout.Object) (Object, error) {
	r, path := &layout.PERF_OBJECT_TYPE, v.Path()
	out := Object{
		ObjectNameTitleIndex: v.ObjectNameTitleIndex(),
		CodePage:             v.CodePage(),
		NumInstances:         min(v.NumInstances(), 0),
	}
	out.ObjectHelpTitleIndex, out.NoHelp = keptHelp(v.ObjectNameTitleIndex(), v.ObjectHelpTitleIndex())
	switch {
	case v.TotalByteLength()%layout.Align != 0:
		return out, broken(path, r, v.Span, "TotalByteLength", layout.ErrAlign, "is %d, must be a multiple of 8", v.TotalByteLength())
	case v.DefinitionLength()%layout.Align != 0:
		return out, broken(path, r, v.Span, "DefinitionLength", layout.ErrAlign, "is %d, must be a multiple of 8", v.DefinitionLength())
	case v.NumInstances() < layout.PERF_METADATA_NO_INSTANCES:
		return out, broken(path, r, v.Span, "NumInstances", layout.ErrRange, "is %d, must be a number of instances or one of the three named values", v.NumInstances())
	case !layout.KnownCodePage(v.CodePage()):
		return out, broken(path, r, v.Span, "CodePage", layout.ErrRange, "is %d, must be 0 (Unicode) or a code page for names", v.CodePage())
	}
	d.loseReserved(path, r, v.Span, "ObjectNameTitle", v.ObjectNameTitle())
	d.loseReserved(path, r, v.Span, "ObjectHelpTitle", v.ObjectHelpTitle())
	if err := d.counters(v, &out); err != nil {
		return out, err
	}
	d.overrides(v, &out)
	return out, d.body(v, &out)
}

// overrides keeps the fields that differ from their computed values.
func (d *decoder) overrides(v layout.Object, out *Object) {
	r, path := &layout.PERF_OBJECT_TYPE, v.Path()
	if level := v.DetailLevel(); level != out.detailLevel() {
		if level.Valid() {
			out.DetailLevel = level
		} else {
			d.loseField(path, r, v.Span, "DetailLevel", "is %v, must be one of the four levels", level)
		}
	}
	if c := d.defaultCounter(v.DefaultCounter(), out); c != out.defaultCounter() {
		if out.hasDefault(c) {
			out.DefaultCounter = &c
		} else {
			d.loseField(path, r, v.Span, "DefaultCounter", "is %d, must be the position or title index of a counter", c)
		}
	}
	time, freq := out.clock(d.now)
	out.PerfTime = d.objectClock(v, "PerfTime", v.PerfTime(), time)
	out.PerfFreq = d.objectClock(v, "PerfFreq", v.PerfFreq(), freq)
}

// objectClock returns PerfTime or PerfFreq as the model has it: 0 for the computed value.
func (d *decoder) objectClock(v layout.Object, field string, got, computed int64) int64 {
	switch {
	case got == computed:
		return 0
	case got <= 0:
		d.loseField(v.Path(), &layout.PERF_OBJECT_TYPE, v.Span, field, "is %d, must be %d", got, computed)
		return 0
	}
	return got
}

// body decodes the bytes after the definitions.
func (d *decoder) body(v layout.Object, out *Object) error {
	body, err := v.Body()
	if err != nil {
		return err
	}
	b, err := newBlocks(d, out)
	if err != nil {
		return within(v.Path(), err)
	}
	end := body.Off()
	switch n := v.NumInstances(); {
	case n == layout.PERF_NO_INSTANCES:
		block, err := v.Block()
		if err != nil {
			return err
		}
		if out.Values, out.Texts, err = b.values(block, 1); err != nil {
			return err
		}
		out.BlockLength = b.length(block)
		end = block.End()
	case n > 0:
		if end, err = b.instances(v, out); err != nil {
			return err
		}
	}
	if err := d.rest(v, end); err != nil {
		return err
	}
	out.normalize()
	_, _, found := out.duplicate()
	d.repeats, out.DuplicateNames = append(d.repeats, found), true
	return nil
}

// rest handles the bytes from end to the end of the object.
func (d *decoder) rest(v layout.Object, end int64) error {
	rest, _ := v.Sub(uint64(end-v.Off()), uint64(v.End()-end))
	if rest.Len() == 0 {
		return nil
	}
	switch v.NumInstances() {
	case layout.PERF_NO_INSTANCES, layout.PERF_METADATA_NO_INSTANCES:
		d.lose(v.Path().Field("rest"), rest, "%d bytes after the last byte of the object", rest.Len())
		return nil
	case 0:
		// Some readers require a counter block in an object without instances, so some providers write one.
		if block, err := v.Block(); err == nil && block.Len() == rest.Len() {
			d.lose(v.Path().Field("block"), rest, "a counter block in an object without instances")
			return nil
		}
	}
	return broken(v.Path(), &layout.PERF_OBJECT_TYPE, v.Span, "TotalByteLength", layout.ErrBounds, "is %d, but the object's last byte is at %d", v.TotalByteLength(), end-v.Off())
}
