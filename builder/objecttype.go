package builder

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/perfblock/perfblock/internal/cname"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// An Object is an object with its counters and instances.
// Source: PERF_OBJECT_TYPE.
type Object struct {
	// Name is the object's name in the title database. Encoding ignores Name, because a block contains only title
	// indexes. The function [Names] returns this name, and the text form of package spec shows it.
	Name string
	// ObjectNameTitleIndex is the index of the object's name in the title database.
	ObjectNameTitleIndex uint32
	// ObjectHelpTitleIndex is the index of the help text. 0 means ObjectNameTitleIndex + 1. If ObjectNameTitleIndex is
	// also 0, or if NoHelp is true, the encoded index is 0, and there is no help text.
	ObjectHelpTitleIndex uint32
	NoHelp               bool
	// DetailLevel 0 means the lowest DetailLevel of the counters that are not bases. Without such counters, 0
	// means PERF_DETAIL_NOVICE.
	DetailLevel layout.DetailLevel
	// DefaultCounter is -1, or the position or title index of a counter that is not a base. nil means position 0
	// if the first counter is not a base, otherwise -1.
	DefaultCounter *int32
	// NumInstances is 0 or one of the special values below. 0 means that encoding counts the Instances. With
	// [layout.PERF_NO_INSTANCES], the object has Values and no Instances. With
	// [layout.PERF_METADATA_MULTIPLE_INSTANCES] or [layout.PERF_METADATA_NO_INSTANCES], the object has no Values
	// and no Instances.
	NumInstances int32
	// CodePage 0 means that names are UTF-8 in the model and UTF-16 in the block. Any other CodePage
	// means that names are in this Windows code page, both in the model and in the block.
	CodePage uint32
	// PerfTime is the clock of the object. PerfFreq is the number of ticks per second of this clock. If a counter is
	// computed with PERF_OBJECT_TIMER, PerfTime 0 means the PerfTime100nSec of the data block, or [DefaultTime] without
	// a data block, and PerfFreq 0 means 10,000,000. Without such a counter, 0 is written as 0.
	PerfTime, PerfFreq int64
	// BlockLength is the ByteLength of every counter block. 0 means the smallest length for the
	// values. A larger value must be a multiple of 8.
	BlockLength uint32
	// DuplicateNames allows duplicates: instances with the same name and parent. Letter case is
	// ignored. If CodePage is not 0, only the case of the letters A to Z is ignored. Unnamed instances
	// are never duplicates. Decoding sets DuplicateNames if the object has duplicates.
	DuplicateNames bool

	Counters  []Counter
	Instances []Instance

	// Values and Texts belong to the single counter block of an object with
	// PERF_NO_INSTANCES. [Instance] describes both.
	Values []uint64
	Texts  []string
}

// NewObject returns an object with the given title index, without counters and instances.
func NewObject(title uint32) *Object { return &Object{ObjectNameTitleIndex: title} }

// Single sets NumInstances to PERF_NO_INSTANCES and Values to values, and returns o.
func (o *Object) Single(values ...uint64) *Object {
	o.NumInstances = layout.PERF_NO_INSTANCES
	o.Values = values
	return o
}

// A plan holds the lengths of a valid object, and the offsets and sizes of its values.
type plan struct {
	blockLayout
	definitions uint32 // DefinitionLength
	total       uint32 // TotalByteLength
	instances   int32  // NumInstances
	wrongBase   bool   // a base is missing or wrong, so the number of values is not known
	time100ns   int64  // PerfTime100nSec of the data block
}

// plan checks the object and computes its lengths. If decoded is true, plan ignores the instances, which decoding has
// checked. time100ns is the PerfTime100nSec of the data block.
func (o *Object) plan(decoded bool, time100ns int64) (plan, error) {
	var all faults
	p, err := o.planDefinitions()
	all.add(err)
	p.time100ns = time100ns
	body, err := o.planBody(&p, decoded)
	if all.add(err); len(all) > 0 {
		return plan{}, all.err()
	}
	total := uint64(p.definitions) + body
	if total > math.MaxUint32 {
		return plan{}, fault("TotalByteLength", ErrTooLarge, "is %d, must be at most %d", total, uint32(math.MaxUint32))
	}
	p.total = uint32(total)
	return p, nil
}

// planDefinitions checks the header and the counters, and returns a plan without the lengths of instances. A plan that
// is returned with an error must only be used to check the instances and the values.
func (o *Object) planDefinitions() (p plan, err error) {
	var all faults
	all.add(o.check())
	var inCounters faults
	inCounters.each(len(o.Counters), counterPath, o.checkCounter)
	all.add(inCounters.err())
	p.wrongBase = errors.Is(inCounters.err(), ErrBase)
	p.blockLayout, err = newBlockLayout(o.Counters, o.longestTexts())
	all.add(err)
	all.add(checkBlockLength(o.BlockLength, p.need))
	n := definitionLength(len(o.Counters))
	if n > math.MaxUint32 {
		all.add(fault("DefinitionLength", ErrTooLarge, "is %d, must be at most %d", n, uint32(math.MaxUint32)))
	}
	p.definitions = uint32(n)
	return p, all.err()
}

func definitionLength(counters int) uint64 {
	return layout.SizeofObjectType + uint64(counters)*layout.SizeofCounterDefinition
}

func (p *plan) checkValues(v values) error {
	if p.wrongBase {
		return nil
	}
	return within(blockPath, v.check(p.blockLayout))
}

// planBody checks the instances, or the values of an object with PERF_NO_INSTANCES, and returns
// the number of bytes after the definitions.
func (o *Object) planBody(p *plan, decoded bool) (uint64, error) {
	p.instances = o.NumInstances
	var all faults
	switch {
	case o.NumInstances > 0 || o.NumInstances < layout.PERF_METADATA_NO_INSTANCES: // check reports this NumInstances
	case o.NumInstances != 0 && len(o.Instances) > 0:
		all.add(fault("NumInstances", ErrCount, "is %s, must be 0 for an object with instances: Instances has %s", cname.Instances(o.NumInstances), quote.Count(len(o.Instances), "instance")))
	case o.NumInstances == layout.PERF_NO_INSTANCES:
		v := values{o.Counters, o.Values, o.Texts}
		return uint64(o.blockLength(0, p.need)), p.checkValues(v)
	case len(o.Values) > 0 || len(o.Texts) > 0:
		all.add(fault("", ErrCount, "has Values of its own (%s, %s), must have none because NumInstances is not PERF_NO_INSTANCES: set NumInstances, or move the Values to Instances", quote.Count(len(o.Values), "number"), quote.Count(len(o.Texts), "text")))
	case len(o.Instances) > math.MaxInt32:
		return 0, fault("NumInstances", ErrTooLarge, "is %d, must be at most %d", len(o.Instances), math.MaxInt32)
	}
	p.instances += int32(len(o.Instances))
	if decoded {
		return 0, all.err()
	}
	var body uint64
	all.each(len(o.Instances), instancePath, func(i int) error {
		n, err := o.planInstance(&o.Instances[i], p)
		body += n
		return err
	})
	all.add(o.checkNames())
	return body, all.err()
}

func (o *Object) check() error {
	var all faults
	if o.NoHelp && o.ObjectHelpTitleIndex != 0 {
		all.add(fault("ObjectHelpTitleIndex", layout.ErrRange, "is %d, must be 0, because NoHelp is true", o.ObjectHelpTitleIndex))
	}
	if o.DetailLevel != 0 && !o.DetailLevel.Valid() {
		all.add(fault("DetailLevel", layout.ErrRange, "is %v, must be 0 or %s", o.DetailLevel, detailLevels))
	}
	if o.NumInstances > 0 || o.NumInstances < layout.PERF_METADATA_NO_INSTANCES {
		all.add(fault("NumInstances", layout.ErrRange, "is %d, must be %s, or 0, so that encoding counts the Instances", o.NumInstances, noInstances))
	}
	if !layout.KnownCodePage(o.CodePage) {
		all.add(fault("CodePage", layout.ErrRange, "is %d, must be 0 (Unicode) or a code page that MultiByteToWideChar converts, such as 1252", o.CodePage))
	}
	if o.PerfTime < 0 {
		all.add(fault("PerfTime", layout.ErrRange, "is %d, must not be negative", o.PerfTime))
	}
	if o.PerfFreq < 0 {
		all.add(fault("PerfFreq", layout.ErrRange, "is %d, must not be negative", o.PerfFreq))
	}
	if o.DefaultCounter != nil && !o.isDefaultCounter(*o.DefaultCounter) {
		all.add(fault("DefaultCounter", layout.ErrRange, "is %d, must be -1, or the position or title index of a counter that is not a base", *o.DefaultCounter))
	}
	return all.err()
}

func (o *Object) isDefaultCounter(v int32) bool {
	// The documentation says that DefaultCounter is a title index. Older documents say that DefaultCounter is a
	// position. Both occur in real blocks.
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
	return cmp.Or(level, layout.PERF_DETAIL_NOVICE)
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

// clock returns the PerfTime and PerfFreq to write. time100ns is the PerfTime100nSec of the data block.
func (o *Object) clock(time100ns int64) (time, freq int64) {
	if !o.usesClock() {
		return o.PerfTime, o.PerfFreq
	}
	// defaultFreq is the frequency of a clock that counts units of 100 ns, such as time100ns.
	return cmp.Or(o.PerfTime, time100ns), cmp.Or(o.PerfFreq, defaultFreq)
}

func (o *Object) append(b []byte, p plan) []byte {
	b = o.record(p).Append(b)
	b = o.appendCounters(b, p.blockLayout)
	if o.NumInstances == layout.PERF_NO_INSTANCES {
		return values{o.Counters, o.Values, o.Texts}.append(b, p.blockLayout, o.blockLength(0, p.need))
	}
	for i := range o.Instances {
		in := &o.Instances[i]
		b = o.appendInstance(b, in, o.lengths(in))
		b = values{o.Counters, in.Values, in.Texts}.append(b, p.blockLayout, o.blockLength(in.BlockLength, p.need))
	}
	return b
}

func (o *Object) record(p plan) wire.Object {
	time, freq := o.clock(p.time100ns)
	return wire.Object{
		TotalByteLength:      p.total,
		DefinitionLength:     p.definitions,
		HeaderLength:         layout.SizeofObjectType,
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
		return out, broken(path, r, v.Span, "NumInstances", layout.ErrRange, "is %d, must be 0 or more, %s", v.NumInstances(), noInstances)
	case !layout.KnownCodePage(v.CodePage()):
		return out, broken(path, r, v.Span, "CodePage", layout.ErrRange, "is %d, must be 0 (Unicode) or a code page that MultiByteToWideChar converts, such as 1252", v.CodePage())
	}
	d.loseReserved(path, r, v.Span, "ObjectNameTitle", v.ObjectNameTitle())
	d.loseReserved(path, r, v.Span, "ObjectHelpTitle", v.ObjectHelpTitle())
	if err := d.counters(v, &out); err != nil {
		return out, err
	}
	d.overrides(v, &out)
	err := d.body(v, &out)
	return out, err
}

// overrides decodes the fields that encoding can compute. If a field of the block has the computed value, the field of
// the model stays 0 or nil.
func (d *decoder) overrides(v layout.Object, out *Object) {
	r, path := &layout.PERF_OBJECT_TYPE, v.Path()
	out.DetailLevel = d.level(path, r, v.Span, v.DetailLevel(), out.detailLevel())
	if c := d.defaultCounter(v.DefaultCounter(), out); c != out.defaultCounter() {
		if out.isDefaultCounter(c) {
			out.DefaultCounter = &c
		} else {
			d.loseField(path, r, v.Span, "DefaultCounter", "is %d, must be -1, or the position or title index of a counter that is not a base", c)
		}
	}
	time, freq := out.clock(d.now)
	out.PerfTime = d.objectClock(v, "PerfTime", v.PerfTime(), time)
	out.PerfFreq = d.objectClock(v, "PerfFreq", v.PerfFreq(), freq)
}

// objectClock converts a decoded PerfTime or PerfFreq for the model. The result is 0 if encoding computes the same
// value.
func (d *decoder) objectClock(v layout.Object, field string, decoded, computed int64) int64 {
	switch {
	case decoded == computed:
		return 0
	case decoded <= 0:
		d.loseField(v.Path(), &layout.PERF_OBJECT_TYPE, v.Span, field, "is %d, must be %d", decoded, computed)
		return 0
	}
	return decoded
}

func (d *decoder) body(v layout.Object, out *Object) error {
	body, _ := v.Body() // no error, because decoder.counters has read the definitions
	b, err := newBlockDecoder(d, out)
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
		out.BlockLength = b.length(uint32(block.Len()))
		end = block.End()
	case n > 0:
		if end, err = b.instances(v, out); err != nil {
			return err
		}
	}
	if err := d.checkRest(v, end); err != nil {
		return err
	}
	out.normalize()
	for range out.duplicates() {
		out.DuplicateNames = true
		break
	}
	return nil
}

// checkRest reports the bytes after the last record of the object. start is the offset of these bytes.
func (d *decoder) checkRest(v layout.Object, start int64) error {
	after, _ := v.Sub(uint64(start-v.Off()), uint64(v.End()-start))
	if after.Len() == 0 {
		return nil
	}
	switch v.NumInstances() {
	case layout.PERF_NO_INSTANCES, layout.PERF_METADATA_NO_INSTANCES:
		d.lose(v.Path().Field("rest"), after, "%s after the last record of the object", quote.Count(after.Len(), "byte"))
		return nil
	case 0:
		// Some readers require a counter block even if an object has no instances. Some providers therefore write the
		// block.
		if block, err := v.Block(); err == nil && block.Len() == after.Len() {
			d.lose(v.Path().Field("block"), after, "a counter block in an object with 0 instances")
			return nil
		}
	}
	// UnmarshalLossy must not drop these bytes, because they can be instances that NumInstances does not count.
	return broken(v.Path(), &layout.PERF_OBJECT_TYPE, v.Span, "TotalByteLength", layout.ErrBounds, "is %d, must be %d, where the last record of the object ends", v.TotalByteLength(), start-v.Off())
}
