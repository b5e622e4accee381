package fuzz

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

// mostChanges is the largest number of instances of a table that come or go in an interval.
const mostChanges = 16

// noUniqueID is the id of an instance without a UniqueID.
const noUniqueID = int64(layout.PERF_NO_UNIQUE_ID)

// A seriesName is a name that an instance has or had. Names that differ only in case are equal.
type seriesName struct {
	parent *seriesRow
	upper  string
}

// churn adds or removes instances in some of the intervals.
func (t *seriesTable) churn(random *rand.Rand) {
	for _, r := range t.rows {
		r.fresh = false
	}
	t.gone = t.gone[:0]
	if t.single || len(t.rows) == 0 || random.IntN(4) > 0 {
		return
	}
	changes := 1 + random.IntN(min(1+len(t.rows)/100, mostChanges))
	comes := random.IntN(2) == 0
	for many := len(t.rows); changes > 0; changes-- {
		switch {
		case comes && len(t.rows) < 2*t.usual:
			t.addRow(random)
		case !comes && 2*(many-1) >= t.usual && t.removeRow(random):
			many--
		}
	}
	t.rows = slices.DeleteFunc(t.rows, func(r *seriesRow) bool {
		if r.left {
			d := t.describe(r)
			d.State, d.Missing = "gone", "gone"
			t.gone, t.former = append(t.gone, d), append(t.former, r)
		}
		return r.left
	})
	t.renumber(0)
	t.former = t.former[max(0, len(t.former)-mostChanges):]
}

func (t *seriesTable) renumber(from int) {
	for i := from; i < len(t.rows); i++ {
		t.rows[i].at = i
	}
}

// removeRow marks a random row as removed. It tries at most eight random rows, and returns false if it can remove none
// of them.
func (t *seriesTable) removeRow(random *rand.Rand) bool {
	for range 8 {
		r := t.rows[random.IntN(len(t.rows))]
		// A consumer matches rows with the same identity by their order, so the last of these rows must be removed
		// first.
		for _, later := range t.rows[r.at+1:] {
			if !later.left && r.sameIdentity(later) {
				r = later
			}
		}
		if r.total || r.left || r.children > 0 {
			continue
		}
		if r.parent != nil {
			r.parent.children--
		}
		r.left = true
		return true
	}
	return false
}

// sameIdentity reports whether a consumer can distinguish two rows only by their order.
func (r *seriesRow) sameIdentity(other *seriesRow) bool {
	if r.name != other.name || r.id != other.id || r.parent != other.parent {
		return false
	}
	a, b := r.instance, other.instance
	return a == nil || a.ParentObjectTitleIndex == b.ParentObjectTitleIndex && (r.parent != nil || a.ParentObjectInstance == b.ParentObjectInstance)
}

// addRow adds a row that was removed earlier, or a new row. It copies the values of a random row, except totals, which
// start at 0. A new row also has the parent of this random row.
func (t *seriesTable) addRow(random *rand.Rand) {
	like := t.rows[random.IntN(len(t.rows))]
	if like.total {
		return
	}
	r := &seriesRow{parent: like.parent, values: slices.Clone(like.values)}
	if i := random.IntN(1 + len(t.former)); i < len(t.former) && (t.former[i].parent == nil || !t.former[i].parent.left) {
		old := t.former[i]
		t.former = slices.Delete(t.former, i, i+1)
		r.parent, r.name, r.id, r.instance, r.query = old.parent, old.name, old.id, old.instance, old.query
	} else if !t.rename(r, like) {
		return
	}
	if r.parent != nil {
		r.parent.children++
	}
	t.startRow(random, r, true)
	r.at = len(t.rows)
	if t.rows[r.at-1].total {
		r.at--
	}
	t.rows = slices.Insert(t.rows, r.at, r)
	t.renumber(r.at)
}

// rename gives a new row a name and an id that no row of the table has had. If the row `like` has no name, the new row
// has none. The same applies to the id. rename returns false if all ids are used, or if the new row has neither a name
// nor an id.
func (t *seriesTable) rename(r, like *seriesRow) bool {
	largest := int64(math.MaxInt32)
	if t.result != nil {
		largest = math.MaxUint32 - 1
	}
	if r.id = like.id; r.id != noUniqueID || t.result != nil {
		if r.id = t.nextID; r.id > largest {
			return false
		}
		t.nextID++
	}
	if r.name = like.name; r.name != "" {
		r.name = t.newName(like)
	}
	if t.result != nil {
		q := *like.query
		q.Name, q.InstanceId, q.Size = r.name, uint32(r.id), 0
		r.query = &q
		return true
	}
	in := *like.instance
	in.Name, in.NameOffset, in.ByteLength = r.name, 0, 0
	if in.UniqueID != nil {
		in.UniqueID = new(int32(r.id))
	}
	r.instance = &in
	return r.name != "" || in.UniqueID != nil
}

// newName makes an unused name from the name of an old row. It replaces the number at the end, or appends a number.
func (t *seriesTable) newName(old *seriesRow) string {
	if t.names == nil {
		t.names = make(map[seriesName]bool, len(t.rows))
		for _, r := range slices.Concat(t.rows, t.former) {
			t.names[seriesName{r.parent, strings.ToUpper(r.name)}] = true
		}
	}
	const longest = 100 // the largest length of stem, because longer names are unusual
	stem := strings.TrimRight(old.name, "0123456789")
	if len(stem) > longest {
		stem = "instance "
	}
	for n := len(t.rows); ; n++ {
		name := stem + strconv.Itoa(n)
		if key := (seriesName{old.parent, strings.ToUpper(name)}); !t.names[key] {
			t.names[key] = true
			return name
		}
	}
}
