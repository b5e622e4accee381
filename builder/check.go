package builder

import (
	"slices"

	"github.com/perfblock/perfblock/layout"
)

func (o *Object) checkHeader() error {
	here := layout.Path{}
	switch {
	case o.NoHelp && o.ObjectHelpTitleIndex != 0:
		return fault(here, "ObjectHelpTitleIndex", layout.ErrRange, "%d, although NoHelp is set", o.ObjectHelpTitleIndex)
	case o.DetailLevel != 0 && !o.DetailLevel.Valid():
		return fault(here, "DetailLevel", layout.ErrRange, "%v is not one of the four levels", o.DetailLevel)
	case o.NumInstances > 0 || o.NumInstances < layout.PERF_METADATA_NO_INSTANCES:
		return fault(here, "NumInstances", layout.ErrRange, "%d: it is 0 for the number of Instances, or one of the three named values", o.NumInstances)
	case !layout.KnownCodePage(o.CodePage):
		return fault(here, "CodePage", layout.ErrRange, "%d is no code page of names: 0 is Unicode", o.CodePage)
	case o.PerfTime < 0:
		return fault(here, "PerfTime", layout.ErrRange, "%d is below 0", o.PerfTime)
	case o.PerfFreq < 0:
		return fault(here, "PerfFreq", layout.ErrRange, "%d ticks in a second", o.PerfFreq)
	case o.DefaultCounter != nil && !o.hasDefault(*o.DefaultCounter):
		return fault(here, "DefaultCounter", layout.ErrRange, "%d is neither -1 nor the position or title index of a counter that is no base", *o.DefaultCounter)
	}
	return nil
}

// hasDefault reports whether v is a legal DefaultCounter. The documentation calls
// it a title index, older texts a position; real blocks have both.
func (o *Object) hasDefault(v int32) bool {
	return v == -1 || o.isPosition(v) || slices.ContainsFunc(o.Counters, func(c Counter) bool {
		return v > 0 && c.CounterNameTitleIndex == uint32(v) && !c.CounterType.IsBase()
	})
}

// isPosition reports whether v is the position of a counter that is no base.
func (o *Object) isPosition(v int32) bool {
	return v >= 0 && int(v) < len(o.Counters) && !o.Counters[v].CounterType.IsBase()
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
		return fault(here, "CounterHelpTitleIndex", layout.ErrRange, "%d, although NoHelp is set", c.CounterHelpTitleIndex)
	case c.DefaultScale < layout.MinScale || c.DefaultScale > layout.MaxScale:
		return fault(here, "DefaultScale", layout.ErrRange, "%d is not %d to %d", c.DefaultScale, layout.MinScale, layout.MaxScale)
	case c.DetailLevel != 0 && !c.DetailLevel.Valid():
		return fault(here, "DetailLevel", layout.ErrRange, "%v is not one of the four levels", c.DetailLevel)
	case c.CounterType.IsBase() && i == 0:
		return fault(here, "CounterType", ErrBase, "%v is a base, and there is no counter before it", c.CounterType)
	case c.CounterType.IsBase() && !o.Counters[i-1].CounterType.TakesBase(c.CounterType):
		return fault(here, "CounterType", ErrBase, "%v is not the base of the counter before it, a %v", c.CounterType, o.Counters[i-1].CounterType)
	case c.CounterType.NeedsBase() && (i+1 == len(o.Counters) || !c.CounterType.TakesBase(o.Counters[i+1].CounterType)):
		return fault(here, "CounterType", ErrBase, "%v wants its base %s right behind it", c.CounterType, baseName(c.CounterType))
	}
	return nil
}

func baseName(t layout.CounterType) string {
	if base, ok := t.Base(); ok {
		return base.String()
	}
	return "definition"
}
