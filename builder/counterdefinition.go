package builder

import (
	"cmp"
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A Counter is the definition of a counter. If the type of a counter requires a base, the next
// counter must be this base; [Object.WithBase] adds both.
// Source: PERF_COUNTER_DEFINITION.
type Counter struct {
	// Name is the counter's name in the title database. A block does not contain the name.
	Name string
	// CounterNameTitleIndex is the index of the counter's name in the title database. It is 0 for
	// a base, which has no name.
	CounterNameTitleIndex uint32
	// CounterHelpTitleIndex is the index of the help text. 0 means CounterNameTitleIndex + 1. If CounterNameTitleIndex
	// is also 0, or if NoHelp is true, the encoded index is 0, and there is no help text.
	CounterHelpTitleIndex uint32
	NoHelp                bool
	// DefaultScale is the power of ten by which a graph scales the value, -7 to 7.
	DefaultScale int32
	// DetailLevel is PERF_DETAIL_NOVICE by default. A base has no default: 0 is written as 0.
	DetailLevel layout.DetailLevel
	CounterType layout.CounterType
	// CounterSize is the size of the value in bytes. A number of any type may have 4 or 8 bytes. 0 selects a
	// default: the width of CounterType for a number, the length of the longest value for a counter of variable
	// length, and 0 for a counter without a value.
	CounterSize uint32
	// CounterOffset is the offset of the value in the counter block. 0 means the next free offset, aligned to 8
	// bytes for a number of 8 bytes and to 4 bytes for other values. Two numbers may overlap if the shared bytes
	// are equal.
	CounterOffset uint32
}

// Counter adds a counter and returns o. [Object.WithBase] adds a counter whose type requires a
// base.
func (o *Object) Counter(title uint32, t layout.CounterType) *Object {
	return o.Define(Counter{CounterNameTitleIndex: title, CounterType: t})
}

// WithBase adds a counter and returns o. If the type of the counter is predefined and requires a base, WithBase also
// adds a counter for the base. In Values the value of the base follows the value of the counter.
func (o *Object) WithBase(title uint32, t layout.CounterType) *Object {
	return o.DefineWithBase(Counter{CounterNameTitleIndex: title, CounterType: t})
}

// Define adds counters and returns o.
func (o *Object) Define(c ...Counter) *Object {
	o.Counters = append(o.Counters, c...)
	return o
}

// DefineWithBase adds the counter c and its base, as [Object.WithBase] does. All fields of c can be set, such as
// DefaultScale.
func (o *Object) DefineWithBase(c Counter) *Object {
	o.Define(c)
	if base, ok := c.CounterType.Base(); ok {
		o.Define(Counter{CounterType: base})
	}
	return o
}

func (o *Object) checkCounter(i int) error {
	c := &o.Counters[i]
	var all faults
	if c.NoHelp && c.CounterHelpTitleIndex != 0 {
		all.add(fault("CounterHelpTitleIndex", layout.ErrRange, "is %d, must be 0, because NoHelp is true", c.CounterHelpTitleIndex))
	}
	if c.DefaultScale < layout.MinScale || c.DefaultScale > layout.MaxScale {
		all.add(fault("DefaultScale", layout.ErrRange, "is %d, must be %d to %d", c.DefaultScale, layout.MinScale, layout.MaxScale))
	}
	if c.DetailLevel != 0 && !c.DetailLevel.Valid() {
		all.add(fault("DetailLevel", layout.ErrRange, "is %v, must be 0 or %s", c.DetailLevel, detailLevels))
	}
	if c.CounterOffset != 0 && c.CounterOffset < layout.SizeofCounterBlock {
		all.add(fault("CounterOffset", layout.ErrRange, "is %d and overlaps the ByteLength of the counter block, must be 0 or at least %d", c.CounterOffset, layout.SizeofCounterBlock))
	}
	switch {
	case c.CounterType.IsBase() && i == 0:
		all.add(fault("CounterType", ErrBase, "is %v, must follow the counter that uses this base, but is the first counter", c.CounterType))
	case c.CounterType.IsBase() && o.Counters[i-1].CounterType.NeedsBase():
		// checkCounter(i-1) reports a base of the wrong type.
	case c.CounterType.IsBase() && !o.Counters[i-1].CounterType.TakesBase(c.CounterType):
		all.add(fault("CounterType", ErrBase, "is %v, must follow the counter that uses this base, but follows a %v", c.CounterType, o.Counters[i-1].CounterType))
	case c.CounterType.NeedsBase() && (i+1 == len(o.Counters) || !c.CounterType.TakesBase(o.Counters[i+1].CounterType)):
		all.add(fault("CounterType", ErrBase, "is %v, must be followed by its base %s", c.CounterType, baseName(c.CounterType)))
	}
	return all.err()
}

// baseName returns the name of the base that t requires.
func baseName(t layout.CounterType) string {
	if base, ok := t.Base(); ok {
		return base.String()
	}
	return "definition"
}

func (c *Counter) detailLevel() layout.DetailLevel {
	if c.CounterType.IsBase() {
		return c.DetailLevel
	}
	return cmp.Or(c.DetailLevel, layout.PERF_DETAIL_NOVICE)
}

// helpIndex returns the index of the help text to write. The default is title + 1, like the index that lodctr
// assigns.
func helpIndex(title, help uint32, none bool) uint32 {
	if help == 0 && !none && title != 0 {
		return title + 1 // 0 for the title 2^32 - 1: then there is no help text
	}
	return help
}

// keptHelp is the inverse of helpIndex: it returns the help index and the NoHelp of a model.
func keptHelp(title, help uint32) (uint32, bool) {
	switch {
	case help == helpIndex(title, 0, false):
		return 0, false
	case help == 0:
		return 0, true
	}
	return help, false
}

func (o *Object) appendCounters(b []byte, p blockLayout) []byte {
	for i := range o.Counters {
		c, s := &o.Counters[i], p.places[i]
		b = wire.Counter{
			ByteLength:            layout.SizeofCounterDefinition,
			CounterNameTitleIndex: c.CounterNameTitleIndex,
			CounterHelpTitleIndex: helpIndex(c.CounterNameTitleIndex, c.CounterHelpTitleIndex, c.NoHelp),
			DefaultScale:          c.DefaultScale,
			DetailLevel:           c.detailLevel(),
			CounterType:           c.CounterType,
			CounterSize:           s.size,
			CounterOffset:         s.at,
		}.Append(b)
	}
	return b
}

func (d *decoder) counters(v layout.Object, out *Object) error {
	r := &layout.PERF_OBJECT_TYPE
	defs, err := v.Definitions()
	if err != nil {
		return err
	}
	d.loseExtension(v.Path(), r, v.Span, uint64(v.HeaderLength()))
	end, read := defs.Off(), 0
	var last layout.Counter
	d.origin = d.origin[:0]
	out.Counters = slices.Grow(out.Counters, int(min(uint64(v.NumCounters()), uint64(defs.Len())/layout.SizeofCounterDefinition)))
	for c, err := range v.Counters() {
		if err != nil {
			return err
		}
		counter, err := d.counter(c)
		if err != nil {
			return err
		}
		if !counter.CounterType.IsBase() {
			d.addBase(last, out)
		}
		out.Define(counter)
		d.origin = append(d.origin, read)
		last, end, read = c, c.End(), read+1
	}
	d.addBase(last, out)
	if end != defs.End() {
		return broken(v.Path(), r, v.Span, "DefinitionLength", layout.ErrBounds, "is %d, must be %d, where the last counter definition ends", v.DefinitionLength(), end-v.Off())
	}
	return nil
}

// addBase adds a PERF_COUNTER_MULTI_BASE to out if the last counter of out requires this base. prev is the last
// counter that was read.
func (d *decoder) addBase(prev layout.Counter, out *Object) {
	if len(out.Counters) == 0 {
		return
	}
	c := out.Counters[len(out.Counters)-1]
	if base, ok := c.CounterType.Base(); !ok || base != layout.PERF_COUNTER_MULTI_BASE {
		return
	}
	// The documentation allows a block without this definition, but a model always has the definition.
	d.lose(prev.Path(), prev.Span, "no definition of a PERF_COUNTER_MULTI_BASE follows the %v", c.CounterType)
	out.Define(Counter{CounterType: layout.PERF_COUNTER_MULTI_BASE, CounterSize: multiBaseSize, CounterOffset: c.CounterOffset + multiBaseAt})
	d.origin = append(d.origin, -1)
}

func (d *decoder) counter(v layout.Counter) (Counter, error) {
	r, path := &layout.PERF_COUNTER_DEFINITION, v.Path()
	out := Counter{
		CounterNameTitleIndex: v.CounterNameTitleIndex(),
		DefaultScale:          v.DefaultScale(),
		CounterType:           v.CounterType(),
		CounterSize:           v.CounterSize(),
		CounterOffset:         v.CounterOffset(),
	}
	out.CounterHelpTitleIndex, out.NoHelp = keptHelp(v.CounterNameTitleIndex(), v.CounterHelpTitleIndex())
	d.loseReserved(path, r, v.Span, "CounterNameTitle", v.CounterNameTitle())
	d.loseReserved(path, r, v.Span, "CounterHelpTitle", v.CounterHelpTitle())
	switch width, fixed := v.CounterType().Width(); {
	case fixed && width == 0 && out.CounterSize != 0:
		out.CounterSize = 0
		d.loseField(path, r, v.Span, "CounterSize", "is %d, must be 0 for a counter without a value", v.CounterSize())
	case v.CounterType().IsText() && out.CounterSize < lengthPrefix:
		out.CounterSize = 0
		d.loseField(path, r, v.Span, "CounterSize", "is %d, must be at least %d, because the text has a length field before it", v.CounterSize(), lengthPrefix)
	case fixed && width != 0 && out.CounterSize != 4 && out.CounterSize != 8:
		return out, broken(path, r, v.Span, "CounterSize", layout.ErrRange, "is %d, must be 4 or 8", out.CounterSize)
	}
	d.loseExtension(path, r, v.Span, uint64(v.Len()))
	if out.CounterOffset < layout.SizeofCounterBlock {
		return out, broken(path, r, v.Span, "CounterOffset", layout.ErrRange, "is %d and overlaps the ByteLength of the counter block, must be at least %d", out.CounterOffset, layout.SizeofCounterBlock)
	}
	out.DetailLevel = d.level(path, r, v.Span, v.DetailLevel(), out.detailLevel())
	return out, nil
}

// level converts a decoded DetailLevel for the model. The result is 0 if encoding computes the same level.
func (d *decoder) level(path layout.Path, r *layout.Record, s layout.Span, decoded, computed layout.DetailLevel) layout.DetailLevel {
	switch {
	case decoded == computed:
		return 0
	case !decoded.Valid():
		d.loseField(path, r, s, "DetailLevel", "is %v, must be %s", decoded, detailLevels)
		return 0
	}
	return decoded
}

// defaultCounter returns the DefaultCounter of the model. The parameter c is the DefaultCounter of the block. If c is
// the title index of a counter that is not a base, the result is c. Otherwise, if c is the position of a counter in the
// block, the result is the position of this counter in out.Counters. In all other cases, for example for -1, the result
// is c.
func (d *decoder) defaultCounter(c int32, out *Object) int32 {
	byTitle := func(k Counter) bool { return !k.CounterType.IsBase() && int64(k.CounterNameTitleIndex) == int64(c) }
	if i := slices.Index(d.origin, int(c)); c >= 0 && i >= 0 && !slices.ContainsFunc(out.Counters, byTitle) {
		return int32(i)
	}
	return c
}
