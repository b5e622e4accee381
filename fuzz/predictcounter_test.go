package fuzz_test

import (
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// An interval is where the builder has put a value in the counter blocks. Behind
// that of a multi counter stands a second one, of 4 bytes at the least.
type interval struct {
	from, to uint32
	multi    bool
}

// blockNeeds returns the ByteLength of a block that has room for the values and no more.
func blockNeeds(places []interval) uint32 {
	end := uint32(4)
	for _, v := range places {
		end = max(end, v.to)
		if v.multi {
			end = max(end, v.from+8+4)
		}
	}
	return (end + 7) / 8 * 8
}

// counters judges the definitions and returns where their values are.
func (p *prediction) counters(t *testing.T, view layout.Object, o *builder.Object) []interval {
	t.Helper()
	var places []interval
	for def, err := range view.Counters() {
		if err != nil {
			t.Fatal(err)
		}
		t := def.CounterType()
		places = append(places, interval{def.CounterOffset(), def.CounterOffset() + def.CounterSize(), t.Multi() && t.NeedsBase()})
	}
	seen := map[uint32]bool{}
	for i, c := range o.Counters {
		at := view.Path().At("counter", i)
		t, place := c.CounterType, places[i]
		size := place.to - place.from
		p.counterType(at, t, size)
		if width, fixed := t.Width(); fixed && width != 0 && place.from%size != 0 {
			p.add("ctr-offset-align", at.Field("CounterOffset"))
		}
		for _, other := range places {
			if size > 0 && other.from < place.from && place.from < other.to {
				p.add("ctr-overlap-partial", at.Field("CounterOffset"))
				break
			}
		}
		title, help := c.CounterNameTitleIndex, helpOf(c.CounterNameTitleIndex, c.CounterHelpTitleIndex, c.NoHelp)
		if t.IsBase() {
			p.base(at, o.Counters[i-1], places[i-1], title, help, place)
			continue
		}
		p.titles("ctr", at, "Counter", title, help)
		if title != 0 && seen[title] {
			p.add("ctr-name-duplicate", at.Field("CounterNameTitleIndex"))
		}
		seen[title] = true
	}
	return places
}

func (p *prediction) counterType(at layout.Path, t layout.CounterType, size uint32) {
	path := at.Field("CounterType")
	switch {
	case t.Unassigned() != 0:
		p.add("ctr-type-unassigned-bits", path)
	case !t.Predefined():
		p.add("ctr-type-known", path)
	case t == layout.PERF_COUNTER_TEXT, t == layout.PERF_COUNTER_NODATA, t == layout.PERF_COUNTER_HISTOGRAM_TYPE:
		p.add("ctr-type-obsolete", path)
	}
	width, fixed := t.Width()
	switch {
	case !fixed || width == size || width == 0:
	case t == layout.PERF_AVERAGE_TIMER:
		p.add("ctr-size-average-timer", at.Field("CounterSize"))
	default:
		p.add("ctr-size-type-mismatch", at.Field("CounterSize"))
	}
}

// base judges a base against the counter it serves.
func (p *prediction) base(at layout.Path, served builder.Counter, servedAt interval, title, help uint32, place interval) {
	servedHelp := helpOf(served.CounterNameTitleIndex, served.CounterHelpTitleIndex, served.NoHelp)
	none, same := title == 0 && help == 0, title == served.CounterNameTitleIndex && help == servedHelp
	switch {
	case none || same:
	case title != 0 && title != served.CounterNameTitleIndex:
		p.add("ctr-base-titles", at.Field("CounterNameTitleIndex"))
	default:
		p.add("ctr-base-titles", at.Field("CounterHelpTitleIndex"))
	}
	if served.CounterType.Multi() && place.from != servedAt.from+8 {
		p.add("ctr-multi-base-place", at.Field("CounterOffset"))
	}
}
