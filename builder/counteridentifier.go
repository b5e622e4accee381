package builder

import (
	"math"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// Identifiers is the argument of PerfAddCounters and PerfDeleteCounters, and the result of
// PerfQueryCounterInfo.
type Identifiers []CounterIdentifier

// A CounterIdentifier selects counters of instances of a counter set.
// Source: PERF_COUNTER_IDENTIFIER.
type CounterIdentifier struct {
	// CounterSetGuid is the GUID of the counter set.
	CounterSetGuid layout.GUID
	// Status is 0 in an argument of PerfAddCounters. In a result of PerfQueryCounterInfo it is the
	// status of the counter.
	Status uint32
	// CounterId [layout.PERF_WILDCARD_COUNTER] selects all counters of the set.
	CounterId uint32
	// InstanceId 0xFFFFFFFF selects instances with any id. InstanceId 0 selects the id 0.
	InstanceId uint32
	// Index is 0 in an argument of PerfAddCounters. In a result of PerfQueryCounterInfo it is the
	// position of the counter in the Results of [QueryData].
	Index uint32
	// Name is the name of an instance, or a pattern such as [layout.PERF_WILDCARD_INSTANCE]. It is
	// UTF-8 without NUL, and empty for a counter set with a single instance.
	Name string
	// Size 0 means the length that the name requires. A larger value must be a multiple of 8. If
	// Name is empty, a Size above the size of the structure writes an empty name with NUL; any
	// other Size writes no name.
	Size uint32
}

// AllCounters returns an identifier that selects all counters of a counter set, in all instances
// with the given name. The ids of the instances do not matter. name may be a pattern such as
// [layout.PERF_WILDCARD_INSTANCE]. It is empty for a counter set with a single instance.
func AllCounters(set layout.GUID, name string) CounterIdentifier {
	return CounterIdentifier{CounterSetGuid: set, CounterId: layout.PERF_WILDCARD_COUNTER, InstanceId: math.MaxUint32, Name: name}
}

// AppendBinary appends the identifiers to b and returns the extended slice, like
// [QueryData.AppendBinary].
func (l Identifiers) AppendBinary(b []byte) ([]byte, error) { return appendList(b, l, "identifier") }

// MarshalBinary returns the identifiers. Its errors are those of [Identifiers.AppendBinary].
func (l Identifiers) MarshalBinary() ([]byte, error) { return l.AppendBinary(nil) }

// EncodedLen returns the number of bytes that the identifiers take. Its errors are those of
// [Identifiers.AppendBinary].
func (l Identifiers) EncodedLen() (int, error) { return planList(l, "identifier") }

// UnmarshalBinary sets *l to the model of the identifiers that fill b, like
// [DataBlock.UnmarshalBinary].
func (l *Identifiers) UnmarshalBinary(b []byte) error {
	return errorOnly(unmarshal(l, b, false, (*decoder).identifiers))
}

// UnmarshalLossy is like UnmarshalBinary, but drops and lists data that the model cannot hold. See
// [DataBlock.UnmarshalLossy].
func (l *Identifiers) UnmarshalLossy(b []byte) ([]*layout.Error, error) {
	return unmarshal(l, b, true, (*decoder).identifiers)
}

func (id *CounterIdentifier) plan() (uint64, error) {
	return planName(&layout.PERF_COUNTER_IDENTIFIER, id.Name, id.Size)
}

func (id *CounterIdentifier) append(b []byte) []byte {
	r := &layout.PERF_COUNTER_IDENTIFIER
	whole := max(uint64(id.Size), sizeWithName(r, id.Name))
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

// identifiers decodes the identifiers that fill b.
func (d *decoder) identifiers(b []byte) (Identifiers, error) {
	r := &layout.PERF_COUNTER_IDENTIFIER
	var out Identifiers
	for v, err := range layout.ReadCounterIdentifiers(b) {
		if err != nil {
			return nil, err
		}
		id := CounterIdentifier{CounterSetGuid: v.CounterSetGuid(), Status: v.Status(), CounterId: v.CounterId(), InstanceId: v.InstanceId(), Index: v.Index()}
		d.loseReserved(v.Path(), r, v.Span, "Reserved", v.Reserved())
		if id.Name, id.Size, err = d.nameAndSize(v.Span, r, v.Name(), estimateCount(b, v.Span), v.Path); err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	return out, nil
}
