package samples

import (
	"math"

	"github.com/perfblock/perfblock/layout"
)

// A rowList has the identities and offsets of the rows of a group. It reuses its memory for the next group.
type rowList struct {
	block   *block
	group   *group
	rows    layout.Rows
	columns []column

	single  bool
	names   []uint64 // name of each [identity]
	ids     []uint32
	unsure  []bool
	at      []int64  // the offset of each PERF_INSTANCE_DEFINITION or PERF_INSTANCE_HEADER; if single, of the values
	numbers []uint64 // width numbers for each row
	width   int

	text     []byte
	places   []int64 // the offset of each PERF_COUNTER_DATA in row placesOf-1 of a result
	placesOf int
}

// open reads the counters of a group.
func (l *rowList) open(b *block, g *group) (err error) {
	l.block, l.group = b, g
	l.columns, err = g.open(&l.rows)
	return err
}

// read reads the rows, including their numbers if numbers is true. It returns false if a row cannot be read.
func (l *rowList) read(numbers bool) bool {
	l.names, l.ids, l.unsure, l.at, l.numbers, l.placesOf = l.names[:0], l.ids[:0], l.unsure[:0], l.at[:0], l.numbers[:0], 0
	query := l.block.kind == layout.QueryDataKind
	if l.single = !query && shape(l.group.object) == single || query && !l.group.result.HasInstances(); l.single {
		l.names, l.ids, l.unsure, l.at = append(l.names, 0), append(l.ids, 0), append(l.unsure, false), append(l.at, 0)
	}
	for l.rows.Next() {
		if numbers {
			l.numbers = l.rows.AppendValues(l.numbers)
		}
		switch {
		case !l.single:
			var of identity
			of, l.text = l.block.identity(&l.rows, l.text)
			at := l.rows.Instance().Off()
			if query {
				at = l.rows.InstanceHeader().Off()
			}
			l.names, l.ids, l.unsure, l.at = append(l.names, of.name), append(l.ids, of.id), append(l.unsure, !of.sure), append(l.at, at)
		case !query:
			l.at[0] = l.rows.Block().Off()
		case len(l.numbers) > 0:
			l.at[0] = l.rows.Data(0).Off()
		}
	}
	if len(l.names) > 0 {
		l.width = len(l.numbers) / len(l.names)
	}
	return l.rows.Err() == nil
}

// key returns the hash of the identity of a row.
func (l *rowList) key(i int) uint64 { return identity{name: l.names[i], id: l.ids[i]}.key() }

// row returns the numbers of a row.
func (l *rowList) row(i int) []uint64 { return l.numbers[i*l.width:][:l.width] }

// place returns the offset and the length of a number of a row. The caller must have called read(true).
func (l *rowList) place(row, number int) (off int64, length uint32) {
	off = l.at[row]
	if !l.single {
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

// The offsets of the sizes in a PERF_COUNTER_DATA.
var (
	dwDataSize = int64(layout.PERF_COUNTER_DATA.Field("dwDataSize").At)
	dwSize     = int64(layout.PERF_COUNTER_DATA.Field("dwSize").At)
)

const (
	unmatched = -1 // no row of the other sample has the identity
	ambiguous = -2 // several rows have the identity, or the identity is not sure
)

// A rowMatch says which rows of two lists belong together.
type rowMatch struct {
	was      []int32         // for each newer row: the older row, unmatched or ambiguous
	replaced map[int32]int32 // for each newer row whose id differs from the older row with its name: the older row

	is []int32 // for each older row: the newer row, unmatched or ambiguous
}

// match matches the rows of two lists.
func (m *rowMatch) match(older, newer *rowList) {
	m.was, m.is = m.was[:0], m.is[:0]
	m.replaced = nil
	rows := make(map[uint64]int32, len(older.names)) // the first row with each key
	for i := range older.names {
		m.is = append(m.is, unmatched)
		if older.unsure[i] {
			m.is[i] = ambiguous
			continue
		}
		if first, again := rows[older.key(i)]; again {
			m.is[first], m.is[i] = ambiguous, ambiguous
			continue
		}
		rows[older.key(i)] = int32(i)
	}
	next := 0 // instances rarely change their order
	free, gone := false, false
	for j := range newer.names {
		m.was = append(m.was, ambiguous)
		if newer.unsure[j] {
			continue
		}
		i, found := int32(next), next < len(m.is) && older.names[next] == newer.names[j] && older.ids[next] == newer.ids[j]
		if !found {
			i, found = rows[newer.key(j)]
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
	for _, j := range m.is {
		gone = gone || j == unmatched
	}
	if free && gone {
		m.replacements(older, newer)
	}
}

// replacements finds the rows that have another id than the only older row with their name.
func (m *rowMatch) replacements(older, newer *rowList) {
	const several = math.MaxInt32
	only := func(l *rowList) map[uint64]int32 {
		rows := make(map[uint64]int32, len(l.names))
		for i, name := range l.names {
			if _, again := rows[name]; again {
				rows[name] = several
			} else {
				rows[name] = int32(i)
			}
		}
		return rows
	}
	was, is := only(older), only(newer)
	m.replaced = make(map[int32]int32)
	for j, name := range newer.names {
		i, found := was[name]
		if m.was[j] == unmatched && found && i != several && m.is[i] == unmatched && is[name] == int32(j) {
			m.replaced[int32(j)] = i
		}
	}
}
