package builder

import (
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// derived keeps the object's fields that differ from what would be computed.
func (d *decoder) derived(v layout.Object, out *Object) error {
	r, path := &layout.PERF_OBJECT_TYPE, v.Path()
	if level := v.DetailLevel(); level != out.detailLevel() {
		if out.DetailLevel = level; !level.Valid() {
			out.DetailLevel = 0
			if err := d.loseField(path, r, v.Span, "DetailLevel", "%v is not one of the four levels", level); err != nil {
				return err
			}
		}
	}
	if c := d.defaultCounter(v.DefaultCounter(), out); c != out.defaultCounter() {
		if out.hasDefault(c) {
			out.DefaultCounter = &c
		} else if err := d.loseField(path, r, v.Span, "DefaultCounter", "%d is no counter's position or title index", c); err != nil {
			return err
		}
	}
	time, freq := out.clock(d.now)
	return firstError(
		func() error { return d.clock(path, v, "PerfTime", v.PerfTime(), time, &out.PerfTime) },
		func() error { return d.clock(path, v, "PerfFreq", v.PerfFreq(), freq, &out.PerfFreq) },
	)
}

func (d *decoder) clock(path layout.Path, v layout.Object, field string, got, computed int64, out *int64) error {
	switch {
	case got == computed:
	case got <= 0:
		return d.loseField(path, &layout.PERF_OBJECT_TYPE, v.Span, field, "%d instead of %d", got, computed)
	default:
		*out = got
	}
	return nil
}

// addBase gives a PERF_MULTI_COUNTER without a base definition the one that stands
// in its block as data alone, and notes that. prev is the counter, the last of out.
func (d *decoder) addBase(prev layout.Counter, out *Object) error {
	if len(out.Counters) == 0 {
		return nil
	}
	c := out.Counters[len(out.Counters)-1]
	if base, ok := c.CounterType.Base(); !ok || base != layout.PERF_COUNTER_MULTI_BASE {
		return nil
	}
	if err := d.lose(prev.Path(), prev.Span, "%v has its second value as data alone, without a definition of PERF_COUNTER_MULTI_BASE", c.CounterType); err != nil {
		return err
	}
	out.Define(Counter{CounterType: layout.PERF_COUNTER_MULTI_BASE, CounterSize: multiBaseSize, CounterOffset: c.CounterOffset + multiBaseAt})
	d.origin = append(d.origin, -1)
	return nil
}

// defaultCounter returns the block's DefaultCounter as one of the model, whose
// positions are others where a base was added.
func (d *decoder) defaultCounter(c int32, out *Object) int32 {
	byTitle := func(k Counter) bool { return !k.CounterType.IsBase() && int64(k.CounterNameTitleIndex) == int64(c) }
	if i := slices.Index(d.origin, int(c)); c >= 0 && i >= 0 && !slices.ContainsFunc(out.Counters, byTitle) {
		return int32(i)
	}
	return c
}

// normalize puts back to 0 the sizes and offsets that would be computed anyway.
func (o *Object) normalize() {
	longest, text := o.widest(), 0
	s := newSlotter()
	for i := range o.Counters {
		c := &o.Counters[i]
		size, at := c.CounterSize, uint64(c.CounterOffset)
		width, fixed := c.CounterType.Width()
		computed := uint64(width)
		if !fixed {
			computed = longest[text]
			text++
		}
		if c.CounterSize == 0 { // a CounterSize that was dropped
			size = uint32(computed)
		}
		if uint64(size) == computed {
			c.CounterSize = 0
		}
		if at == s.auto(c.CounterType, size) {
			c.CounterOffset = 0
		}
		s.take(c.CounterType, at, size)
	}
}
