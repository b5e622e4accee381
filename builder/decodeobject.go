package builder

import "github.com/perfblock/perfblock/layout"

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
		return out, broken(path, r, v.Span, "TotalByteLength", layout.ErrAlign, "%d is no multiple of 8", v.TotalByteLength())
	case v.DefinitionLength()%layout.Align != 0:
		return out, broken(path, r, v.Span, "DefinitionLength", layout.ErrAlign, "%d is no multiple of 8", v.DefinitionLength())
	case v.NumInstances() < layout.PERF_METADATA_NO_INSTANCES:
		return out, broken(path, r, v.Span, "NumInstances", layout.ErrRange, "%d means nothing", v.NumInstances())
	case !layout.KnownCodePage(v.CodePage()):
		return out, broken(path, r, v.Span, "CodePage", layout.ErrRange, "%d is no code page of names: 0 is Unicode", v.CodePage())
	}
	err := firstError(
		func() error { return d.reserved(path, r, v.Span, "ObjectNameTitle", v.ObjectNameTitle()) },
		func() error { return d.reserved(path, r, v.Span, "ObjectHelpTitle", v.ObjectHelpTitle()) },
		func() error { return d.counters(v, &out) },
		func() error { return d.derived(v, &out) },
		func() error { return d.body(v, &out) },
	)
	return out, err
}

// keptHelp returns the fields of the model that write that help index.
func keptHelp(title, help uint32) (uint32, bool) {
	switch {
	case help == helpIndex(title, 0, false):
		return 0, false
	case help == 0:
		return 0, true
	}
	return help, false
}

func (d *decoder) reserved(path layout.Path, r *layout.Record, s layout.Span, field string, got uint32) error {
	if got == 0 {
		return nil
	}
	return d.loseField(path, r, s, field, "0x%x in a reserved field", got)
}

func (d *decoder) counters(v layout.Object, out *Object) error {
	r := &layout.PERF_OBJECT_TYPE
	defs, err := v.Definitions()
	if err != nil {
		return err
	}
	if ext := uint64(v.HeaderLength() - r.Size); ext > 0 {
		s, _ := v.Sub(uint64(r.Size), ext)
		if err := d.lose(v.Path().Field("extension"), s, "%d bytes more than a PERF_OBJECT_TYPE has", ext); err != nil {
			return err
		}
	}
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
		counter, err := d.counter(c, c.Path())
		if err != nil {
			return err
		}
		if !counter.CounterType.IsBase() {
			if err := d.addBase(last, out); err != nil {
				return err
			}
		}
		out.Define(counter)
		d.origin = append(d.origin, read)
		last, end, read = c, c.End(), read+1
	}
	if err := d.addBase(last, out); err != nil {
		return err
	}
	if end != defs.End() {
		return broken(v.Path(), r, v.Span, "DefinitionLength", layout.ErrBounds, "%d, but the last counter definition ends at %d", v.DefinitionLength(), end-v.Off())
	}
	return nil
}

func (d *decoder) counter(v layout.Counter, path layout.Path) (Counter, error) {
	r := &layout.PERF_COUNTER_DEFINITION
	out := Counter{
		CounterNameTitleIndex: v.CounterNameTitleIndex(),
		DefaultScale:          v.DefaultScale(),
		CounterType:           v.CounterType(),
		CounterSize:           v.CounterSize(),
		CounterOffset:         v.CounterOffset(),
	}
	out.CounterHelpTitleIndex, out.NoHelp = keptHelp(v.CounterNameTitleIndex(), v.CounterHelpTitleIndex())
	err := firstError(
		func() error { return d.reserved(path, r, v.Span, "CounterNameTitle", v.CounterNameTitle()) },
		func() error { return d.reserved(path, r, v.Span, "CounterHelpTitle", v.CounterHelpTitle()) },
		func() error { return d.size(v, &out, path) },
	)
	if err != nil {
		return out, err
	}
	if ext := v.Len() - int(r.Size); ext > 0 {
		s, _ := v.Sub(uint64(r.Size), uint64(ext))
		if err := d.lose(path.Field("extension"), s, "%d bytes more than a PERF_COUNTER_DEFINITION has", ext); err != nil {
			return out, err
		}
	}
	if out.CounterOffset < layout.PERF_COUNTER_BLOCK.Size {
		return out, broken(path, r, v.Span, "CounterOffset", layout.ErrRange, "%d is inside the block's ByteLength", out.CounterOffset)
	}
	switch level, computed := v.DetailLevel(), out.detailLevel(); {
	case level == computed:
	case !level.Valid():
		return out, d.loseField(path, r, v.Span, "DetailLevel", "%v is not one of the four levels", level)
	default:
		out.DetailLevel = level
	}
	return out, nil
}

// size refuses or drops a CounterSize that the counter's type cannot have.
func (d *decoder) size(v layout.Counter, out *Counter, path layout.Path) error {
	r := &layout.PERF_COUNTER_DEFINITION
	switch width, fixed := v.CounterType().Width(); {
	case fixed && width == 0 && out.CounterSize != 0:
		out.CounterSize = 0
		return d.loseField(path, r, v.Span, "CounterSize", "%d for a counter without a value", v.CounterSize())
	case v.CounterType().IsText() && out.CounterSize < lengthPrefix:
		out.CounterSize = 0
		return d.loseField(path, r, v.Span, "CounterSize", "%d has no room for a text's length", v.CounterSize())
	case fixed && width != 0 && out.CounterSize != 4 && out.CounterSize != 8:
		return broken(path, r, v.Span, "CounterSize", layout.ErrRange, "%d is no size of a number", out.CounterSize)
	}
	return nil
}
