package fuzz

import "github.com/perfblock/perfblock/layout"

// A Displayed is the value that a consumer should display for a counter of an instance. A [Series] computes the value
// from the events on its machine. A Displayed with the State "gone" describes a whole instance. Its Missing is "gone",
// and its fields from Counter to Unit are not set.
type Displayed struct {
	Object uint32      // ObjectNameTitleIndex; 0 in query data
	Set    layout.GUID // CounterSetGuid in query data
	State  string      // "new" if the instance is not in the previous block, "gone" if only the previous block has the instance, or ""

	Single bool   // the object or counter set has no instances; Name, Parent and ID are then not used
	Name   string // of the instance, as in the model
	Parent string // the name of the parent, "" for none
	ID     int64  // UniqueID, -1 for none; InstanceId in query data

	Counter uint32 // CounterNameTitleIndex or CounterId
	Type    layout.CounterType
	Scale   int32
	Value   float64
	Integer *uint64 // the exact value, if it is an integer that needs no rounding
	Unit    string  // "", "/sec", "%" or "secs"
	Missing string  // the reason why there is no value, or ""; docs/cook.md lists the reasons
}

// A shownValue is the number of a Displayed, or the reason why the number is missing.
type shownValue struct {
	number  float64
	integer uint64
	missing string
}

// show returns the displayed value of counter i of a row.
func (t *seriesTable) show(r *seriesRow, i int, seconds float64) (v shownValue) {
	c := &t.counters[i]
	m := t.now[i]
	_, base := c.measure.roles()
	switch {
	case c.never != "":
		v.missing = c.never
		return v
	case c.measure.needsTwo() && (r.fresh || seconds == 0):
		v.missing = "no-older-sample"
		return v
	case c.measure.needsTwo() && (t.fell[c.cell] || (base == total || base == timestamp) && t.fell[c.base]):
		v.missing = "fell-or-wrapped"
		return v
	case (base == total || base == timestamp) && m.whole == 0:
		v.missing = "base-unchanged"
		return v
	case base == capacity && m.whole == 0:
		v.missing = "zero-denominator"
		return v
	}
	n, whole := float64(m.n), float64(m.whole)
	freq := float64(t.clocks[c.clock].freq)
	if c.time >= 0 {
		freq = float64(r.values[c.freq])
	}
	switch c.measure {
	case measuresLevel, measuresChange:
		v.number, v.integer = n, m.n
	case measuresRate:
		v.number = n / seconds
	case measuresQueue:
		v.number = n / freq / seconds
	case measuresUse, measuresSpan, measuresHits:
		v.number = 100 * n / whole
	case measuresBusy, measuresIdle, measuresIdleParts:
		v.number = 100 * (n / freq) / seconds
	case measuresParts:
		v.number = 100 * (n / freq) / seconds / whole
	case measuresDuration:
		v.number = n / freq / whole
	case measuresSize:
		v.number = n / whole
	case measuresAge:
		v.number = n / freq
	}
	return v
}

// describe returns a Displayed with the fields that identify a row.
func (t *seriesTable) describe(r *seriesRow) Displayed {
	d := Displayed{Set: t.set, Single: t.single}
	if t.object != nil {
		d.Object = t.object.ObjectNameTitleIndex
	}
	if !t.single {
		d.Name, d.ID = r.name, r.id
		if r.parent != nil {
			d.Parent = r.parent.name
		}
	}
	return d
}

// displayed yields the displayed values of the table. It returns false if yield returns false.
func (t *seriesTable) displayed(yield func(Displayed) bool) bool {
	for _, r := range t.rows {
		d := t.describe(r)
		if r.fresh {
			d.State = "new"
		}
		for i := range t.counters {
			c := &t.counters[i]
			if c.typ.IsBase() {
				continue
			}
			v := &r.shown[i]
			d.Counter, d.Type, d.Scale = c.id, c.typ, c.scale
			d.Value, d.Integer, d.Unit, d.Missing = v.number, nil, "", v.missing
			if v.missing == "" {
				d.Unit = c.unit
				if c.measure == measuresLevel || c.measure == measuresChange {
					d.Integer = &v.integer
				}
			}
			if !yield(d) {
				return false
			}
		}
	}
	for _, d := range t.gone {
		if !yield(d) {
			return false
		}
	}
	return true
}
