package builder

import (
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A Counter is the definition of a counter. A counter whose type requires a base is
// followed by it; [Object.WithBase] adds both.
// Source: PERF_COUNTER_DEFINITION.
type Counter struct {
	// CounterNameTitleIndex is the index of the counter's name in the title database. Bases have none.
	CounterNameTitleIndex uint32
	// CounterHelpTitleIndex is the index of the help text. 0 means CounterNameTitleIndex + 1,
	// or 0 if CounterNameTitleIndex is 0. NoHelp writes 0 in any case.
	CounterHelpTitleIndex uint32
	NoHelp                bool
	// DefaultScale is the power of ten by which a graph scales the value, -7 to 7.
	DefaultScale int32
	// DetailLevel 0 means PERF_DETAIL_NOVICE, and for a base 0.
	DetailLevel layout.DetailLevel
	CounterType layout.CounterType
	// CounterSize 0 means the size of the type: 4, 8, 0, or the size of the longest text.
	// A number of 4 bytes may have 8 and the other way round.
	CounterSize uint32
	// CounterOffset 0 means the next free place, at a multiple of 4, or of 8 for values of 8
	// bytes. Counters may share a place if their values agree.
	CounterOffset uint32
}

// Counter adds a counter and returns o. For a type that requires a base call
// [Object.WithBase].
func (o *Object) Counter(title uint32, t layout.CounterType) *Object {
	return o.Define(Counter{CounterNameTitleIndex: title, CounterType: t})
}

// WithBase adds a counter, and after it the base that its type requires, if any. It
// returns o. In Values the base's value follows the counter's.
func (o *Object) WithBase(title uint32, t layout.CounterType) *Object {
	return o.DefineWithBase(Counter{CounterNameTitleIndex: title, CounterType: t})
}

// Define adds counters and returns o.
func (o *Object) Define(c ...Counter) *Object {
	o.Counters = append(o.Counters, c...)
	return o
}

// DefineWithBase is [Object.WithBase] for a counter with other fields than title and type.
func (o *Object) DefineWithBase(c Counter) *Object {
	o.Define(c)
	if base, ok := c.CounterType.Base(); ok {
		o.Define(Counter{CounterType: base})
	}
	return o
}

func (o *Object) checkCounters() error {
	for i := range o.Counters {
		if err := o.checkCounter(i); err != nil {
			return within(counterPath(i), err)
		}
	}
	return nil
}

func (o *Object) checkCounter(i int) error {
	here, c := layout.Path{}, &o.Counters[i]
	switch {
	case c.NoHelp && c.CounterHelpTitleIndex != 0:
		return fault(here, "CounterHelpTitleIndex", layout.ErrRange, "is %d, must be 0 with NoHelp", c.CounterHelpTitleIndex)
	case c.DefaultScale < layout.MinScale || c.DefaultScale > layout.MaxScale:
		return fault(here, "DefaultScale", layout.ErrRange, "is %d, must be %d to %d", c.DefaultScale, layout.MinScale, layout.MaxScale)
	case c.DetailLevel != 0 && !c.DetailLevel.Valid():
		return fault(here, "DetailLevel", layout.ErrRange, "is %v, must be one of the four levels", c.DetailLevel)
	case c.CounterOffset != 0 && c.CounterOffset < layout.PERF_COUNTER_BLOCK.Size:
		return fault(here, "CounterOffset", layout.ErrRange, "is %d, inside the block's ByteLength, must be 0 or at least %d", c.CounterOffset, layout.PERF_COUNTER_BLOCK.Size)
	case c.CounterType.IsBase() && i == 0:
		return fault(here, "CounterType", ErrBase, "is %v, a base, but there is no counter before it", c.CounterType)
	case c.CounterType.IsBase() && !o.Counters[i-1].CounterType.TakesBase(c.CounterType):
		return fault(here, "CounterType", ErrBase, "is %v, which is not the base of %v, the counter before it", c.CounterType, o.Counters[i-1].CounterType)
	case c.CounterType.NeedsBase() && (i+1 == len(o.Counters) || !c.CounterType.TakesBase(o.Counters[i+1].CounterType)):
		return fault(here, "CounterType", ErrBase, "is %v, must be followed by its base %s", c.CounterType, baseName(c.CounterType))
	}
	return nil
}

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
	return novice(c.DetailLevel)
}

// helpIndex returns the index of a help text: by default the index after its name's, as
// lodctr assigns it.
func helpIndex(title, help uint32, none bool) uint32 {
	if help == 0 && !none && title != 0 {
		return title + 1 // 0 after the last index, which means no help text
	}
	return help
}

// keptHelp returns the fields of the model that encode to that help index.
func keptHelp(title, help uint32) (uint32, bool) {
	switch {
	case help == helpIndex(title, 0, false):
		return 0, false
	case help == 0:
		return 0, true
	}
	return help, false
}

// appendCounters appends the definitions.
func (o *Object) appendCounters(b []byte, p slotting) []byte {
	for i := range o.Counters {
		c, s := &o.Counters[i], p.slots[i]
		b = wire.CounterDefinition{
			ByteLength:            layout.PERF_COUNTER_DEFINITION.Size,
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
	if n := min(uint64(v.NumCounters()), uint64(defs.Len())/uint64(layout.PERF_COUNTER_DEFINITION.Size)); n > 0 {
		out.Counters = make([]Counter, 0, n)
	}
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
		return broken(v.Path(), r, v.Span, "DefinitionLength", layout.ErrBounds, "is %d, but the last counter definition ends at %d", v.DefinitionLength(), end-v.Off())
	}
	return nil
}

// addBase adds the base that a PERF_MULTI_COUNTER may have as data without a definition,
// and notes that. prev is the counter, the last of out.
func (d *decoder) addBase(prev layout.Counter, out *Object) {
	if len(out.Counters) == 0 {
		return
	}
	c := out.Counters[len(out.Counters)-1]
	if base, ok := c.CounterType.Base(); !ok || base != layout.PERF_COUNTER_MULTI_BASE {
		return
	}
	d.lose(prev.Path(), prev.Span, "%v has its second value as data without a definition of PERF_COUNTER_MULTI_BASE", c.CounterType)
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
		d.loseField(path, r, v.Span, "CounterSize", "is %d, must be at least the %d bytes of a text's length", v.CounterSize(), lengthPrefix)
	case fixed && width != 0 && out.CounterSize != 4 && out.CounterSize != 8:
		return out, broken(path, r, v.Span, "CounterSize", layout.ErrRange, "is %d, must be 4 or 8", out.CounterSize)
	}
	d.loseExtension(path, r, v.Span, uint64(v.Len()))
	if out.CounterOffset < layout.PERF_COUNTER_BLOCK.Size {
		return out, broken(path, r, v.Span, "CounterOffset", layout.ErrRange, "is %d, inside the block's ByteLength", out.CounterOffset)
	}
	switch level, computed := v.DetailLevel(), out.detailLevel(); {
	case level == computed:
	case level.Valid():
		out.DetailLevel = level
	default:
		d.loseField(path, r, v.Span, "DetailLevel", "is %v, must be one of the four levels", level)
	}
	return out, nil
}

// defaultCounter returns the DefaultCounter of the bytes as one of the model, where a base
// that was added changes the positions.
func (d *decoder) defaultCounter(c int32, out *Object) int32 {
	byTitle := func(k Counter) bool { return !k.CounterType.IsBase() && int64(k.CounterNameTitleIndex) == int64(c) }
	if i := slices.Index(d.origin, int(c)); c >= 0 && i >= 0 && !slices.ContainsFunc(out.Counters, byTitle) {
		return int32(i)
	}
	return c
}
