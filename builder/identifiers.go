package builder

import (
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// Identifiers is what PerfAddCounters and PerfDeleteCounters take, and what
// PerfQueryCounterInfo returns.
type Identifiers []CounterIdentifier

// A CounterIdentifier names counters of instances of a counter set.
// Source: PERF_COUNTER_IDENTIFIER.
type CounterIdentifier struct {
	// CounterSetGuid is that of the counter set.
	CounterSetGuid layout.GUID
	// Status is 0 where the identifier is given, and what became of it where it is returned.
	Status uint32
	// CounterId is [layout.PERF_WILDCARD_COUNTER] for all the counters of the set.
	CounterId uint32
	// InstanceId is 0xFFFFFFFF for instances of any id; 0 is an id like any other.
	InstanceId uint32
	// Index is 0 where the identifier is given, and where it is returned the position of
	// its answer among the [QueryData]'s Results.
	Index uint32
	// Name is that of an instance, or a pattern such as [layout.PERF_WILDCARD_INSTANCE].
	// It is text of UTF-8 without NUL, and empty for a counter set of a single instance.
	Name string
	// Size 0 means as long as the name needs; more is a multiple of 8. With an empty Name
	// 40 and 0 are one without any, 48 and more one that is there and empty.
	Size uint32
}

// AllCounters returns the identifier of all the counters of the instances of that name or
// pattern, whatever their ids. A counter set of a single instance has no name for it.
func AllCounters(set layout.GUID, name string) CounterIdentifier {
	return CounterIdentifier{CounterSetGuid: set, CounterId: layout.PERF_WILDCARD_COUNTER, InstanceId: anyInstance, Name: name}
}

// anyInstance is the InstanceId that asks for instances of any id.
const anyInstance = 0xFFFFFFFF

// AppendBinary appends the identifiers to b and returns the longer slice. It is as
// [QueryData.AppendBinary].
func (l Identifiers) AppendBinary(b []byte) ([]byte, error) { return appendList(b, l, "identifier") }

// MarshalBinary returns the identifiers. Its errors are those of [Identifiers.AppendBinary].
func (l Identifiers) MarshalBinary() ([]byte, error) { return l.AppendBinary(nil) }

// EncodedLen returns the bytes that the identifiers take. Its errors are those of
// [Identifiers.AppendBinary].
func (l Identifiers) EncodedLen() (int, error) {
	n, err := planList(l, "identifier")
	return int(n), err
}

func (id *CounterIdentifier) plan() (uint64, error) {
	return planNamed(&layout.PERF_COUNTER_IDENTIFIER, id.Name, id.Size)
}

func (id *CounterIdentifier) append(b []byte) []byte {
	r := &layout.PERF_COUNTER_IDENTIFIER
	whole := max(uint64(id.Size), namedLen(r, id.Name))
	b = wire.CounterIdentifier{
		CounterSetGuid: id.CounterSetGuid,
		Status:         id.Status,
		Size:           uint32(whole),
		CounterId:      id.CounterId,
		InstanceId:     id.InstanceId,
		Index:          id.Index,
	}.Append(b)
	return appendName(b, r, id.Name, whole)
}

// UnmarshalBinary sets *l to the model of the identifiers that fill b. It is as
// [DataBlock.UnmarshalBinary].
func (l *Identifiers) UnmarshalBinary(b []byte) error {
	_, err := l.decode(b, false)
	return err
}

// UnmarshalLossy is to [Identifiers.UnmarshalBinary] as [DataBlock.UnmarshalLossy].
func (l *Identifiers) UnmarshalLossy(b []byte) ([]*layout.Error, error) { return l.decode(b, true) }

func (l *Identifiers) decode(b []byte, lossy bool) ([]*layout.Error, error) {
	r, d := &layout.PERF_COUNTER_IDENTIFIER, newDecoder(b, lossy)
	var out Identifiers
	for v, err := range layout.ReadCounterIdentifiers(b) {
		if err != nil {
			return nil, err
		}
		id := CounterIdentifier{CounterSetGuid: v.CounterSetGuid(), Status: v.Status(), CounterId: v.CounterId(), InstanceId: v.InstanceId(), Index: v.Index()}
		if err := d.reserved(v.Path(), r, v.Span, "Reserved", v.Reserved()); err != nil {
			return nil, err
		}
		if id.Name, id.Size, err = d.named(v.Span, r, v.Name(), alike(b, v.Span), v.Path); err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	if _, err := planList(out, "identifier"); err != nil {
		return nil, placed(err, layout.IdentifiersKind, b)
	}
	*l = out
	return d.list(), nil
}
