package fuzz

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A seriesTable is an object or a result: rows with the same counters.
type seriesTable struct {
	path     string // for errors
	object   *builder.Object
	result   *builder.Result
	set      layout.GUID
	single   bool // the object or the result has no instances
	counters []seriesCounter
	cells    []seriesCell
	order    []int // the counters with a displayed value, in the order in which their values change
	clocks   [seriesClocks]seriesTicks
	interval time.Duration
	rows     []*seriesRow
	gone     []Displayed // the instances that only the previous block has
	names    map[seriesName]bool
	former   []*seriesRow // removed instances that may return
	nextID   int64
	usual    int // the number of rows in the first block

	taken, fell []bool     // by cell of the current row: whether a counter has changed the cell; whether its value fell
	change      []uint64   // of the current row, by cell: the change of a total
	now         []movement // of the current row, by counter
	sums        []movement // by counter: the sums over all rows of the current block except _Total
	many        uint64     // the number of rows in the sums
}

// A seriesCounter is a counter and the cells of its values.
type seriesCounter struct {
	id    uint32
	typ   layout.CounterType
	scale int32
	peak  float64 // the most events in a second
	bytes bool    // the value is not a number
	cell  int     // the cell of the value
	base  int     // the cell of the base, -1 for none
	equal int     // an earlier counter with the same type, value and base, -1 for none
	time  int     // the cell of the clock in query data, -1 for none
	freq  int     // the cell of the frequency of this clock, -1 only if time is -1
	never string  // the reason why there is never a value, "" for none
	seriesType
}

// A seriesTicks describes a clock.
type seriesTicks struct {
	ok    bool   // the blocks have the clock
	freq  int64  // ticks in a second
	ticks uint64 // the ticks in an interval
	now   int64  // the time in the first block
}

// A seriesRow is an instance, or the only row of a table.
type seriesRow struct {
	name     string
	id       int64
	total    bool // the name is _Total
	parent   *seriesRow
	children int
	at       int  // the position in its table
	fresh    bool // the previous block does not have the row
	left     bool // the row was removed
	instance *builder.Instance
	query    *builder.QueryInstance

	values []uint64
	walk   []float32 // how busy each counter is, 0 to 1
	shown  []shownValue
}

// setInterval sets the ticks of the clocks in an interval.
func (t *seriesTable) setInterval(interval time.Duration) {
	t.interval = interval
	for i := range t.clocks {
		if c := &t.clocks[i]; c.freq > 0 {
			c.ticks = uint64(ticks(interval, c.freq))
		}
	}
}

// openObjects makes a table for each object of the data block. b has the bytes of the block.
func (s *Series) openObjects(b []byte) error {
	d := s.data
	// A list of objects has no header. Its counters use these clocks.
	clocks := [seriesClocks]seriesTicks{tickClock: {freq: units100ns}, clock100ns: {freq: units100ns}}
	objects := layout.ReadObjects(b)
	if !s.headless {
		v, err := layout.ReadDataBlock(b)
		if err != nil {
			return err
		}
		if v.PerfFreq() <= 0 {
			return layout.Faultf(layout.ErrRange, "PerfFreq is %d, must be more than 0", v.PerfFreq())
		}
		d.PerfTime, d.PerfFreq, d.PerfTime100nSec = v.PerfTime(), v.PerfFreq(), v.PerfTime100nSec()
		clocks[tickClock] = seriesTicks{ok: true, freq: d.PerfFreq, now: d.PerfTime}
		clocks[clock100ns] = seriesTicks{ok: true, freq: units100ns, now: d.PerfTime100nSec}
		objects = v.Objects()
	}
	first := make(map[uint32]*seriesTable)
	for v, err := range objects {
		if err != nil {
			return err
		}
		i := v.Index()
		o := &d.Objects[i]
		t := &seriesTable{path: fmt.Sprintf("object[%d]", i), object: o, single: o.NumInstances != 0, clocks: clocks}
		o.PerfTime, o.PerfFreq = v.PerfTime(), v.PerfFreq()
		t.clocks[objectClock] = seriesTicks{ok: true, freq: o.PerfFreq, now: o.PerfTime}
		if err := t.openCounters(v); err != nil {
			return err
		}
		t.openRows()
		s.tables = append(s.tables, t)
		if first[o.ObjectNameTitleIndex] == nil {
			first[o.ObjectNameTitleIndex] = t
		}
	}
	for _, t := range s.tables {
		t.findParents(first)
	}
	return nil
}

// openCounters sets t.counters to the counters of an object. It also sets the sizes of values of variable length, so
// that all blocks have the same definitions.
func (t *seriesTable) openCounters(v layout.Object) error {
	var places []seriesPlace
	first := make(map[seriesPlace]int)
	for c, err := range v.Counters() {
		if err != nil {
			return err
		}
		i := len(t.counters)
		if _, fixed := c.CounterType().Width(); !fixed {
			t.object.Counters[i].CounterSize = c.CounterSize()
		}
		n := seriesCounter{id: c.CounterNameTitleIndex(), typ: c.CounterType(), scale: c.DefaultScale(), cell: i, base: -1, time: -1, freq: -1}
		at := seriesPlace{c.CounterOffset(), c.CounterSize(), 0}
		if j, shared := first[at]; shared {
			n.cell = j
		} else {
			first[at] = i
			places = append(places, seriesPlace{at.offset, at.size, i})
		}
		if i > 0 && t.counters[i-1].typ.TakesBase(n.typ) {
			t.counters[i-1].base = n.cell
		}
		t.counters = append(t.counters, n)
		t.cells = append(t.cells, seriesCell{mask: maskOf(at.size)})
	}
	if err := t.checkOverlaps(places); err != nil {
		return err
	}
	return t.compile()
}

// A seriesPlace has the offset and the size of a value in the counter block.
type seriesPlace struct {
	offset, size uint32
	counter      int // the first counter with this place
}

// checkOverlaps returns an error if two values overlap and the series changes at least one of them.
func (t *seriesTable) checkOverlaps(places []seriesPlace) error {
	slices.SortFunc(places, func(a, b seriesPlace) int { return cmp.Compare(a.offset, b.offset) })
	// Of the places before p, `last` has the largest end. Some places have values that the series changes. Of these
	// places, `lastMeasured` has the largest end.
	last, lastMeasured := seriesPlace{}, seriesPlace{}
	for _, p := range places {
		measured := isMeasured(t.counters[p.counter].typ)
		before := lastMeasured
		if measured {
			before = last
		}
		if p.size > 0 && before.offset+before.size > p.offset {
			return t.conflict(p.counter, before.counter)
		}
		if p.offset+p.size > last.offset+last.size {
			last = p
		}
		if measured && p.offset+p.size > lastMeasured.offset+lastMeasured.size {
			lastMeasured = p
		}
	}
	return nil
}

// isMeasured reports whether a series changes the values of a type.
func isMeasured(t layout.CounterType) bool {
	return t.IsBase() || seriesTypes[t].measure != noMeasure
}

// conflict returns the error for counters i and j, which use the same bytes but require different values.
func (t *seriesTable) conflict(i, j int) error {
	other := fmt.Sprintf("uses the same bytes as counter[%d], which is a %v", j, t.counters[j].typ)
	if j == i {
		other = "uses the same bytes for two purposes, such as its value and its base value"
	}
	return layout.Faultf(layout.ErrRange, "%s: counter[%d], which is a %v, %s; in a series, each value must have its own bytes", t.path, i, t.counters[i].typ, other)
}

// openRows sets the rows of an object.
func (t *seriesTable) openRows() {
	o := t.object
	if o.NumInstances == layout.PERF_NO_INSTANCES {
		t.rows = []*seriesRow{{id: noUniqueID, values: o.Values}}
		return
	}
	for i := range o.Instances {
		in := &o.Instances[i]
		r := &seriesRow{name: in.Name, id: noUniqueID, at: i, total: isTotal(in.Name), instance: in, values: in.Values}
		if in.UniqueID != nil {
			r.id = int64(*in.UniqueID)
			t.nextID = max(t.nextID, r.id+1)
		}
		t.rows = append(t.rows, r)
	}
	t.usual = len(t.rows)
}

// findParents sets the parents of the rows of an object. `first` maps each title index to the first object with this
// title. The parents are in these objects.
func (t *seriesTable) findParents(first map[uint32]*seriesTable) {
	for i, in := range t.object.Instances {
		if p := first[in.ParentObjectTitleIndex]; p != nil && in.ParentObjectTitleIndex != 0 {
			t.rows[i].parent = p.rows[in.ParentObjectInstance] // the encoder has checked the position
			t.rows[i].parent.children++
		}
	}
}

func isTotal(name string) bool { return strings.EqualFold(name, "_Total") }

// dataModel returns a copy of the current data block.
func (s *Series) dataModel() *builder.DataBlock {
	d := *s.data
	d.Objects = make([]builder.Object, len(s.tables))
	for i, t := range s.tables {
		o := *t.object
		o.Values, o.Instances = nil, nil
		for _, r := range t.rows {
			values := append([]uint64(nil), r.values...)
			if t.single {
				o.Values = values
				continue
			}
			in := *r.instance
			in.Values = values
			if r.parent != nil {
				in.ParentObjectInstance = uint32(r.parent.at)
			}
			o.Instances = append(o.Instances, in)
		}
		d.Objects[i] = o
	}
	return &d
}
