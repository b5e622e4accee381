package samples

import (
	"math"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// A rowList has the rows of a group. It reuses its memory for the next group.
type rowList struct {
	block   *block
	group   *group
	rows    layout.Rows
	columns []column

	list    []identity
	numbers []uint64 // of all rows; each row has `width` numbers
	width   int

	places   []int64 // the offset of each PERF_COUNTER_DATA of one row of a result
	placesOf int     // the index of this row plus 1; 0 if places has no row
}

// open reads the counters of a group.
func (l *rowList) open(b *block, g *group) (err error) {
	l.block, l.group = b, g
	l.columns, err = g.open(&l.rows)
	return err
}

// hasInstances reports whether the group has instances. Other groups have at most one row.
func (l *rowList) hasInstances() bool {
	if l.block.kind == layout.QueryDataKind {
		return l.group.result.HasInstances()
	}
	return shape(l.group.object) != single
}

// read reads the rows. If numbers is true, it also reads the numbers of the rows. It returns the error of the row at
// which it stopped.
func (l *rowList) read(numbers bool) error {
	l.list, l.numbers, l.placesOf = l.list[:0], l.numbers[:0], 0
	query, instances := l.block.kind == layout.QueryDataKind, l.hasInstances()
	for l.rows.Next() {
		if numbers {
			l.numbers = l.rows.AppendValues(l.numbers)
		}
		of := l.block.identity(&l.rows)
		switch {
		case instances:
		case !query:
			of.at = l.rows.Block().Off()
		case len(l.numbers) > 0:
			of.at = l.rows.Data(0).Off()
		}
		l.list = append(l.list, of)
	}
	if len(l.list) > 0 {
		l.width = len(l.numbers) / len(l.list)
	}
	return l.rows.Err()
}

func (l *rowList) row(i int) []uint64 { return l.numbers[i*l.width:][:l.width] }

// locate returns the offset and the length of a number in a row. The caller must have called read(true).
func (l *rowList) locate(row, number int) (off int64, length uint32) {
	off = l.list[row].at
	if l.hasInstances() {
		off += int64(le.Uint32(l.block.bytes[off:])) // ByteLength or Size
	}
	if l.block.kind != layout.QueryDataKind {
		c := l.rows.Counters()[number]
		return off + int64(c.CounterOffset()), c.CounterSize()
	}
	if l.placesOf != row+1 {
		l.places, l.placesOf = l.places[:0], row+1
		for off < int64(len(l.block.bytes)) && len(l.places) < l.width {
			l.places = append(l.places, off)
			off += int64(le.Uint32(l.block.bytes[off+dwSize:]))
		}
	}
	off = l.places[number]
	return off + layout.SizeofCounterData, le.Uint32(l.block.bytes[off+dwDataSize:])
}

// Offsets of fields in a PERF_COUNTER_DATA.
var (
	dwDataSize = int64(layout.PERF_COUNTER_DATA.Field("dwDataSize").At)
	dwSize     = int64(layout.PERF_COUNTER_DATA.Field("dwSize").At)
)

const (
	unmatched = -1 // no row of the other sample has the identity
	ambiguous = -2 // several rows have the identity, or the identity is not sure
)

// A rowMatch has the matching rows of two lists.
type rowMatch struct {
	was      []int32         // for each newer row: the index of the older row, or unmatched, or ambiguous
	replaced map[int32]int32 // from a newer row to the older row with the same name and another id

	is []int32 // for each older row: the index of the newer row, or unmatched, or ambiguous
}

func (m *rowMatch) match(older, newer *rowList) {
	m.was, m.is = m.was[:0], m.is[:0]
	m.replaced = nil
	rows := make(map[uint64]int32, len(older.list)) // the first row with each key
	for i, row := range older.list {
		m.is = append(m.is, unmatched)
		first, again := rows[row.key()]
		switch {
		case !row.sure:
			m.is[i] = ambiguous
		case again:
			m.is[first], m.is[i] = ambiguous, ambiguous
		default:
			rows[row.key()] = int32(i)
		}
	}
	next := 0     // the older row to try first, because instances rarely change their order
	free := false // a newer row has no match
	for j, row := range newer.list {
		m.was = append(m.was, ambiguous)
		if !row.sure {
			continue
		}
		i, found := int32(next), next < len(m.is) && older.list[next].key() == row.key()
		if !found {
			i, found = rows[row.key()]
		}
		switch {
		case !found:
			m.was[j], free = unmatched, true
			continue
		case m.is[i] == unmatched:
			m.was[j], m.is[i] = i, int32(j)
		case m.is[i] >= 0:
			m.was[m.is[i]], m.is[i] = ambiguous, ambiguous
		}
		next = int(i) + 1
	}
	if free && slices.Contains(m.is, unmatched) {
		m.findReplaced(older, newer)
	}
}

// findReplaced finds each pair of an older and a newer row that have no match, the same name, and different ids. The
// name must be unique in each sample.
func (m *rowMatch) findReplaced(older, newer *rowList) {
	const several = math.MaxInt32
	only := func(l *rowList) map[uint64]int32 {
		rows := make(map[uint64]int32, len(l.list))
		for i, row := range l.list {
			if _, again := rows[row.name]; again {
				rows[row.name] = several
			} else {
				rows[row.name] = int32(i)
			}
		}
		return rows
	}
	was, is := only(older), only(newer)
	m.replaced = make(map[int32]int32)
	for j, row := range newer.list {
		i, found := was[row.name]
		if m.was[j] == unmatched && found && i != several && m.is[i] == unmatched && is[row.name] == int32(j) {
			m.replaced[int32(j)] = i
		}
	}
}
