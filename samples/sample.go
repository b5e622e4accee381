package samples

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A Sample is a block that was read at one time.
type Sample struct {
	// Name is the name in errors and in the findings of [Compare], such as before.bin. The default is "older sample" or
	// "newer sample".
	Name string

	// Kind is DataBlockKind, ObjectsKind or QueryDataKind. A block of ObjectsKind has no header, so only the clocks of
	// its objects are known.
	Kind  layout.Kind
	Bytes []byte // never changed; the caller must not change them while values are computed

	// Context has the buffers that describe query data: Identifiers and Registrations. Other fields are ignored.
	Context validate.Context
	// Query describes query data instead of Context. Nil means that Context is used. Samples of one query can share a
	// Query.
	Query *Query
}

// Time returns PerfTime100nSec, the time of the sample. Only blocks of DataBlockKind and QueryDataKind have a time. For
// other kinds, ok is false. ok is also false if the header or the context cannot be read.
func (s Sample) Time() (t time.Time, ok bool) {
	b, err := open(&s)
	if err != nil || !b.clock {
		return time.Time{}, false
	}
	return layout.FromFileTime(b.time), true
}

// A block is a sample with the values of its header.
type block struct {
	kind   layout.Kind
	bytes  []byte
	system layout.Name // the name of the computer, empty if it is not known
	groups []group
	err    error // the error that ends the list of groups

	damaged bool // the kind has no values, or the header or the context could not be read

	clock   bool // tick, freq and time are known
	tick    int64
	freq    int64
	time    int64 // in units of 100 ns
	parents map[uint32]*parent

	text []byte // memory for identity
}

// A group is an object or a result: a list of rows with the same counters.
type group struct {
	object layout.Object
	result layout.Result
	key    string                    // a group matches the group of the other sample that has the same key
	set    counterSet                // the counter set of the result, zero if it is not known
	id     *layout.CounterIdentifier // the identifier of the result, nil if it is not known
	// The CounterId of the identifier, or PERF_WILDCARD_COUNTER if the identifier is not known. A result without a list
	// of ids has only the counter with this id.
	asked uint32
}

func (b *block) byKey() map[string]*group {
	groups := make(map[string]*group, len(b.groups))
	for i := range b.groups {
		groups[b.groups[i].key] = &b.groups[i]
	}
	return groups
}

func open(s *Sample) (*block, error) {
	b := &block{kind: s.Kind, bytes: s.Bytes, parents: make(map[uint32]*parent)}
	switch s.Kind {
	case layout.DataBlockKind:
		d, err := layout.ReadDataBlock(s.Bytes)
		if err != nil {
			return nil, err
		}
		b.clock, b.tick, b.freq, b.time = true, d.PerfTime(), d.PerfFreq(), d.PerfTime100nSec()
		b.system, _ = d.SystemName() // empty if there is an error
		b.objects(d.Objects())
	case layout.ObjectsKind:
		b.objects(layout.ReadObjects(s.Bytes))
	case layout.QueryDataKind:
		q, err := layout.ReadQueryData(s.Bytes)
		if err != nil {
			return nil, err
		}
		b.clock, b.tick, b.freq, b.time = true, q.PerfTimeStamp(), q.PerfFreq(), q.PerfTime100NSec()
		of := s.Query
		if of == nil {
			if of, err = ReadQuery(s.Context); err != nil {
				return nil, err
			}
		}
		b.results(q, of)
	default:
		return nil, fmt.Errorf("a block of kind %v has no values, the kind must be %v, %v or %v", s.Kind, layout.DataBlockKind, layout.ObjectsKind, layout.QueryDataKind)
	}
	return b, nil
}

func (b *block) objects(all iter.Seq2[layout.Object, error]) {
	seen := make(map[uint32]int)
	for o, err := range all {
		if err != nil {
			b.err = err
			return
		}
		title := o.ObjectNameTitleIndex()
		b.groups = append(b.groups, group{object: o, key: fmt.Sprint(title, seen[title])})
		if seen[title] == 0 {
			b.parents[title] = &parent{object: o}
		}
		seen[title]++
	}
}

func (b *block) results(q layout.QueryData, of *Query) {
	seen := make(map[uint64]int)
	for r, err := range q.Results() {
		if err != nil {
			b.err = err
			break
		}
		g := group{result: r, key: fmt.Sprint(r.Index()), asked: layout.PERF_WILDCARD_COUNTER}
		if a, ok := of.asked[uint32(r.Index())]; ok {
			guid := a.id.CounterSetGuid()
			g.key, g.asked, g.set, g.id = fmt.Sprint(a.key, seen[a.key]), a.id.CounterId(), of.sets[guid], &a.id
			g.set.guid = guid // known even without a registration
			seen[a.key]++
		} else if len(of.sets) == 1 {
			for _, g.set = range of.sets {
			}
		}
		b.groups = append(b.groups, g)
	}
}

// A column is a counter of a group, with the positions of its inputs in a row.
type column struct {
	Counter
	at                    int // the position of the value
	base, time, frequency int // the positions of the values of other counters, -1 for none
	adjacent              int // for a base without a definition: its offset in the counter block; otherwise 0
	width                 uint32
	untyped               bool
}

// open prepares a Rows for the instances of a group, and returns the columns of the group.
func (g *group) open(rows *layout.Rows) ([]column, error) {
	if g.object.Len() > 0 {
		if err := rows.Open(g.object); err != nil {
			return nil, err
		}
		return g.objectColumns(rows.Counters()), nil
	}
	if err := rows.OpenResult(g.result); err != nil {
		return nil, err
	}
	return g.resultColumns()
}

func (g *group) objectColumns(counters []layout.Counter) []column {
	all := make([]column, 0, len(counters))
	for i, c := range counters {
		t := c.CounterType()
		if t.IsBase() {
			continue
		}
		n := column{
			Counter: Counter{ID: c.CounterNameTitleIndex(), Type: t, Scale: c.DefaultScale()},
			at:      i, base: -1, time: -1, frequency: -1, width: c.CounterSize(),
		}
		if i+1 < len(counters) && t.TakesBase(counters[i+1].CounterType()) {
			n.base = i + 1
		} else if t.Multi() {
			n.adjacent = int(c.CounterOffset()) + 8
		}
		all = append(all, n)
	}
	return all
}

func (g *group) resultColumns() ([]column, error) {
	ids, err := g.result.IDs()
	if err != nil {
		return nil, err
	}
	list := []uint32{g.asked}
	if g.result.HasIDs() {
		list = slices.Collect(ids.All())
	}
	at := make(map[uint32]int, len(list))
	for i, id := range list {
		at[id] = i
	}
	place := func(id uint32) int {
		if i, ok := at[id]; ok && id != layout.PERF_WILDCARD_COUNTER {
			return i
		}
		return -1
	}
	all := make([]column, 0, len(list))
	for i, id := range list {
		n := column{Counter: Counter{ID: id}, at: i, base: -1, time: -1, frequency: -1, untyped: true}
		if c, ok := g.set.counters[id]; ok {
			n.untyped, n.Type, n.Scale = false, c.Type(), c.DefaultScale()
			n.width, _ = n.Type.Width()
			n.base, n.time, n.frequency = place(c.BaseCounterId()), place(c.PerfTimeId()), place(c.PerfFreqId())
			if n.Type.Multi() {
				n.base = place(c.MultiId())
			}
			if n.base < 0 && n.Type == layout.PERF_PRECISION_OBJECT_TIMER {
				n.base = n.time
			}
		}
		if n.Type.IsBase() {
			continue
		}
		all = append(all, n)
	}
	return all, nil
}

// A Query has the identifiers that request the results of query data, and the registrations of their counter sets. The
// query data contains neither of them, and only the registrations have the types of the counters. The zero Query is
// empty.
type Query struct {
	asked map[uint32]asked // by the index of the result
	sets  map[layout.GUID]counterSet
}

// asked is the identifier of one result.
type asked struct {
	id  layout.CounterIdentifier
	key uint64 // a hash of the counter set, the counter and the instances
}

// A counterSet is the registration of a counter set.
type counterSet struct {
	guid      layout.GUID
	instances layout.InstanceType
	counters  map[uint32]layout.CounterRegInfo
}

// ReadQuery reads the Identifiers and Registrations of a context. The Query refers to their bytes, which must not
// change. An error names the buffer that cannot be read.
func ReadQuery(ctx validate.Context) (*Query, error) {
	q := new(Query)
	for i, b := range ctx.Registrations {
		if err := q.AddRegistration(b); err != nil {
			return nil, fmt.Errorf("registration %d: %w", i, err)
		}
	}
	q, err := q.WithIdentifiers(ctx.Identifiers)
	if err != nil {
		return nil, fmt.Errorf("the identifiers of the query: %w", err)
	}
	return q, nil
}

// Clone returns a copy. Registrations that are added to the copy are not added to q.
func (q *Query) Clone() *Query { return &Query{q.asked, maps.Clone(q.sets)} }

// AddRegistration adds the registration of a counter set. It replaces an earlier registration of the set. If it returns
// an error, it adds nothing.
func (q *Query) AddRegistration(b []byte) error {
	reg, err := layout.ReadCounterSetRegInfo(b)
	if err != nil {
		return err
	}
	set := counterSet{reg.CounterSetGuid(), reg.InstanceType(), make(map[uint32]layout.CounterRegInfo)}
	for c, err := range reg.Counters() {
		if err != nil {
			return err
		}
		set.counters[c.CounterId()] = c
	}
	if q.sets == nil {
		q.sets = make(map[layout.GUID]counterSet)
	}
	q.sets[set.guid] = set
	return nil
}

// WithIdentifiers returns a Query with the identifiers in b and the registrations of q. Both queries share the
// registrations, so AddRegistration of one query adds to both.
func (q *Query) WithIdentifiers(b []byte) (*Query, error) {
	if q.sets == nil {
		q.sets = make(map[layout.GUID]counterSet)
	}
	other := &Query{make(map[uint32]asked), q.sets}
	var text []byte
	for id, err := range layout.ReadCounterIdentifiers(b) {
		if err != nil {
			return nil, err
		}
		text = fmt.Append(text[:0], id.CounterSetGuid(), id.CounterId(), " ", id.InstanceId(), " ")
		other.asked[id.Index()] = asked{id, hash(append(text, id.Name().Bytes()...))}
	}
	return other, nil
}
