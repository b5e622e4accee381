package samples

import (
	"cmp"
	"fmt"
	"iter"

	"github.com/perfblock/perfblock/layout"
)

// Options change how values are computed. The zero Options computes them as [Values] does.
type Options struct {
	// Wrap assumes that a value or base of 4 bytes has wrapped if it fell: it passed 2^32 - 1 once and started at 0
	// again. If the counter was cleared instead, the displayed value is too large.
	Wrap bool
}

// Values yields the displayed values of the counters of the newer sample. The values have the order of the newer
// sample: first by object or result, then by instance, then by counter. Bases have no Value. After the instances of an
// object, Values yields a Value for each instance that only the older object has. At the end, it yields the instances
// of objects that only the older sample has. If older.Bytes is nil, there is only one sample, and a Value whose formula
// uses two samples has no number.
//
// An error names the sample and the place of the fault. The Value with an error has no Instance and no Counter. After
// an error, Values continues with the parts that can be read. If the match of an instance could be in the bytes that
// cannot be read, the instance is not reported as [New] or [Gone]. An instance of the newer sample then has the State
// [Unknown], and an instance of the older sample has no Value.
//
// The memory is linear in the length of the samples: Values keeps the numbers and identities of one object of the older
// sample. Values is safe for concurrent use.
func Values(older, newer Sample) iter.Seq2[Value, error] { return Options{}.Values(older, newer) }

// Values yields the same as the function [Values], but with the options o.
func (o Options) Values(older, newer Sample) iter.Seq2[Value, error] {
	return func(yield func(Value, error) bool) {
		p := pair{options: o, yield: yield, names: [2]string{cmp.Or(older.Name, "older sample"), cmp.Or(newer.Name, "newer sample")}}
		two := older.Bytes != nil
		if two && older.Kind != newer.Kind {
			p.fault("", fmt.Errorf("the older sample is %v and the newer one is %v", older.Kind, newer.Kind))
			return
		}
		if p.newer = p.open(p.names[1], &newer); p.stopped {
			return
		}
		p.older = new(block)
		if two {
			p.older = p.open(p.names[0], &older)
		}
		p.run()
	}
}

// A pair has two samples, and the callback that receives their values.
type pair struct {
	options      Options
	older, newer *block // older has no groups if there is no older sample
	names        [2]string
	yield        func(Value, error) bool
	stopped      bool

	rows   layout.Rows
	values []uint64
}

// open reads the header of a sample. After an error, the block has no groups.
func (p *pair) open(name string, s *Sample) *block {
	b, err := open(s)
	if err != nil {
		p.fault(name, err)
		return &block{kind: s.Kind, damaged: true}
	}
	return b
}

// fault yields an error. The text of the error starts with the name of the sample.
func (p *pair) fault(name string, err error) {
	if err != nil && !p.stopped {
		if name != "" {
			err = fmt.Errorf("%s: %w", name, err)
		}
		p.stopped = !p.yield(Value{}, err)
	}
}

func (p *pair) run() {
	before := p.older.byKey()
	for i := range p.newer.groups {
		g := &p.newer.groups[i]
		p.group(before[g.key], g)
		delete(before, g.key)
		if p.stopped {
			return
		}
	}
	p.fault(p.names[1], p.newer.err)
	for i := range p.older.groups {
		if g := &p.older.groups[i]; before[g.key] != nil && !p.newer.partial() && !p.stopped {
			old, err := p.older.readOlder(g)
			p.fault(p.names[0], err)
			p.yieldGone(g, old)
		}
	}
	p.fault(p.names[0], p.older.err)
}

// group yields the values of a group, and the instances that only the older group has. older is nil if the older sample
// does not have the group.
func (p *pair) group(older, newer *group) {
	columns, err := newer.open(&p.rows)
	if err != nil {
		p.fault(p.names[1], err)
		return
	}
	old := &olderRows{damaged: p.older.partial()}
	if older != nil {
		old, err = p.older.readOlder(older)
		p.fault(p.names[0], err)
	}
	places := matchColumns(old.columns, columns)
	for p.rows.Next() && !p.stopped {
		row := old.match(p.newer.identity(&p.rows).key())
		p.yieldRow(columns, places, old, row, older, newer)
	}
	if !p.stopped {
		p.fault(p.names[1], p.rows.Err())
	}
	if older != nil && p.rows.Err() == nil && !p.stopped {
		p.yieldGone(older, old)
	}
}

// partial reports whether the sample has records that could not be read.
func (b *block) partial() bool { return b.damaged || b.err != nil }

// matchColumns returns, for each newer column, the older column of the same counter, or nil.
func matchColumns(older, newer []column) []*column {
	type same struct {
		id    uint32
		t     layout.CounterType
		width uint32
	}
	of := func(c *column) same { return same{c.ID, c.Type, c.width} }
	byID := make(map[same][]*column)
	for i := range older {
		byID[of(&older[i])] = append(byID[of(&older[i])], &older[i])
	}
	places := make([]*column, len(newer))
	for i := range newer {
		if list := byID[of(&newer[i])]; len(list) > 0 {
			places[i], byID[of(&newer[i])] = list[0], list[1:]
		}
	}
	return places
}

// yieldRow yields the values of the current row. oldRow is the index of the matching row in old, or -1.
func (p *pair) yieldRow(columns []column, places []*column, old *olderRows, oldRow int, older, newer *group) {
	in := p.newer.instance(&p.rows, newer)
	var before []uint64
	switch {
	case oldRow < 0 && old.damaged:
		in.State = Unknown
	case oldRow < 0:
		in.State = New
	default:
		before = old.row(oldRow)
	}
	p.values = p.rows.AppendValues(p.values[:0])
	for i := range columns {
		c := &columns[i]
		v := Value{Instance: in, Counter: &c.Counter}
		var old *column
		if oldRow >= 0 {
			old = places[i]
		}
		if v.Missing = p.unusable(c); v.Missing == Present {
			v.Inputs = p.inputs(c, old, before, older, newer)
			v.Number, v.Missing = v.Inputs.value(c.Formula())
		}
		if v.Missing == NoOlderSample && in.State == Unknown {
			v.Missing = Damaged
		}
		if p.stopped = !p.yield(v, nil); p.stopped {
			return
		}
	}
}

// unusable returns the reason why a counter has no number in the current row, or Present.
func (p *pair) unusable(c *column) Missing {
	switch {
	case c.untyped:
		return NoType
	case c.Formula() == nil:
		return NoFormula
	case p.values[c.at] == 0 && !isNumber(uint32(len(p.rows.Bytes(c.at)))): // a value that is no number is 0 in p.values
		return NoNumber
	}
	return Present
}

// inputs returns the numbers that the formula of a counter uses. old is nil if the older sample does not have the
// counter.
func (p *pair) inputs(c, old *column, before []uint64, older, newer *group) Inputs {
	uses := c.Formula().uses
	in := Inputs{N1: p.values[c.at], older: old != nil}
	in.wrapN = p.options.Wrap && c.width == 4
	if old != nil && uses&change != 0 {
		in.N0 = before[old.at]
	}
	if uses&(newBase|baseChange) != 0 {
		p.setBase(&in, c, old, before)
	}
	if uses&(timeChange|clockTime|frequency) != 0 {
		in.D1, in.F, in.tick = p.newer.clockOf(c, newer, p.values)
		if old != nil && uses&timeChange != 0 {
			in.D0, _, in.older = p.older.clockOf(old, older, before)
		}
		if uses&frequency == 0 {
			in.F = 0
		}
		if uses&(timeChange|clockTime) == 0 {
			in.D1 = 0
		}
	}
	return in
}

func (p *pair) setBase(in *Inputs, c, old *column, before []uint64) {
	if c.base >= 0 {
		in.B1, in.base = p.values[c.base], true
	} else if b := p.rows.Block().Bytes(); c.adjacent > 0 && c.adjacent+4 <= len(b) {
		in.B1, in.base = uint64(le.Uint32(b[c.adjacent:])), true
	}
	if c.Formula().uses&baseChange == 0 || old == nil || c.base < 0 {
		return
	}
	if old.base < 0 {
		in.older = false
		return
	}
	in.B0 = before[old.base]
	in.wrapB = p.options.Wrap && len(p.rows.Bytes(c.base)) == 4
}

// clockOf returns the time and the frequency of the clock of a counter. ok is false if the sample does not have the
// clock.
func (b *block) clockOf(c *column, g *group, values []uint64) (now, freq int64, ok bool) {
	switch c.Type.TimeBase() {
	case layout.PERF_TIMER_TICK:
		return b.tick, b.freq, b.clock
	case layout.PERF_TIMER_100NS:
		return b.time, 10_000_000, b.clock
	case layout.PERF_OBJECT_TIMER:
		if b.kind != layout.QueryDataKind {
			return g.object.PerfTime(), g.object.PerfFreq(), true
		}
		if c.time < 0 {
			return 0, 0, false
		}
		if c.frequency >= 0 {
			freq = int64(values[c.frequency])
		}
		return int64(values[c.time]), freq, true
	}
	return 0, 0, false
}

// instance returns the current row of a group.
func (b *block) instance(rows *layout.Rows, g *group) *Instance {
	in := &Instance{Name: text(rows.Name())}
	if b.kind == layout.QueryDataKind {
		in.ID, in.Single, in.Set = int64(rows.InstanceHeader().InstanceId()), !g.result.HasInstances(), g.set.guid
		return in
	}
	v := rows.Instance()
	in.Object, in.Single = g.object.ObjectNameTitleIndex(), g.object.NumInstances() == layout.PERF_NO_INSTANCES
	if in.Single {
		return in
	}
	in.ID = int64(v.UniqueID())
	if p, i := b.parentOf(v); p != nil {
		in.Parent = text(p.names[i])
	}
	return in
}

func text(n layout.Name) string {
	s, err := n.Text()
	if err != nil {
		return fmt.Sprintf("%x", n.Bytes())
	}
	return s
}

// yieldGone yields the instances of an older group that have no match in the newer sample. It yields no error, because
// the caller has yielded the errors of the group.
func (p *pair) yieldGone(g *group, old *olderRows) {
	var rows layout.Rows
	if _, err := g.open(&rows); err != nil {
		return
	}
	for i := 0; i < len(old.matched) && rows.Next() && !p.stopped; i++ {
		if !old.matched[i] {
			in := p.older.instance(&rows, g)
			in.State = Gone
			p.stopped = !p.yield(Value{Instance: in, Missing: NoInstance}, nil)
		}
	}
}
