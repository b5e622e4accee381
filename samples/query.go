package samples

import (
	"fmt"
	"maps"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A Query describes query data. It has the identifiers of the query, and the registrations of counter sets, which have
// the counter types. The zero Query has neither.
type Query struct {
	asked map[uint32]asked // by the index of the result
	sets  map[layout.GUID]*counterSet
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

// counter returns the registration of a counter. s can be nil.
func (s *counterSet) counter(id uint32) (layout.CounterRegInfo, bool) {
	if s == nil {
		return layout.CounterRegInfo{}, false
	}
	c, ok := s.counters[id]
	return c, ok
}

// ReadQuery reads the Identifiers and Registrations of a context. The Query refers to their bytes, which must not
// change. An error names the buffer that cannot be read.
func ReadQuery(ctx validate.Context) (*Query, error) {
	q := &Query{sets: make(map[layout.GUID]*counterSet)}
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
	set := &counterSet{reg.CounterSetGuid(), reg.InstanceType(), make(map[uint32]layout.CounterRegInfo)}
	for c, err := range reg.Counters() {
		if err != nil {
			return err
		}
		set.counters[c.CounterId()] = c
	}
	if q.sets == nil {
		q.sets = make(map[layout.GUID]*counterSet)
	}
	q.sets[set.guid] = set
	return nil
}

// WithIdentifiers returns a Query with other identifiers and the registrations of q. The two share their registrations:
// AddRegistration of one adds to both.
func (q *Query) WithIdentifiers(b []byte) (*Query, error) {
	if q.sets == nil {
		q.sets = make(map[layout.GUID]*counterSet)
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
