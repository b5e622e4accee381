package builder

import (
	"math"
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// InstanceList is the result of PerfEnumerateCounterSetInstances: the instances of a counter
// set, without values. It may be empty.
type InstanceList []InstanceHeader

// An InstanceHeader is an element of an [InstanceList] and describes an instance. [QueryInstance] explains the fields.
// Source: PERF_INSTANCE_HEADER.
type InstanceHeader struct {
	Name       string
	InstanceId uint32
	Size       uint32
}

// EncodedLen checks the instances and returns the length of the list.
func (l InstanceList) EncodedLen() (int, error) {
	total, err := planRecords("list", 0, len(l), instancePath, func(i int) (uint64, error) {
		return checkedSize(&layout.PERF_INSTANCE_HEADER, l[i].Name, l[i].Size)
	})
	return int(total), err
}

func (l InstanceList) encode(b []byte, _ int) []byte {
	for i := range l {
		b = l[i].append(b)
	}
	return b
}

func (in *InstanceHeader) append(b []byte) []byte {
	start, p := len(b), newNamePlan(&layout.PERF_INSTANCE_HEADER, in.Name, 0, 0, in.Size)
	b = wire.InstanceHeader{Size: uint32(p.whole), InstanceId: in.InstanceId}.Append(b)
	return p.append(b, start, in.Name, 0)
}

func (d *decoder) instanceList(b []byte) (InstanceList, error) {
	var out InstanceList
	for v, err := range layout.ReadInstanceHeaders(b) {
		if err != nil {
			return nil, err
		}
		in := InstanceHeader{InstanceId: v.InstanceId()}
		if in.Name, in.Size, err = d.nameAndSize(v.Span, &layout.PERF_INSTANCE_HEADER, v.Name(), estimateCount(b, v.Span), v.Path); err != nil {
			return nil, err
		}
		out = append(out, in)
	}
	return out, nil
}

// Identifiers is the argument of PerfAddCounters and PerfDeleteCounters, and the result of
// PerfQueryCounterInfo.
type Identifiers []CounterIdentifier

// A CounterIdentifier selects counters and instances of a counter set.
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
	// Size is the length of the record, a multiple of 8. Size 0 means the smallest possible length.
	// A larger Size adds zeros at the end. If Name is empty, the smallest length is 40, and the
	// record ends after the field Reserved, without a NUL. If Name is empty and Size is larger,
	// the record has a NUL after Reserved.
	Size uint32
}

// AllCounters returns an identifier that selects all counters of a counter set, in all instances with the given
// name and any id. name may be a pattern such as [layout.PERF_WILDCARD_INSTANCE]. For a counter set with a single
// instance, name is empty.
func AllCounters(set layout.GUID, name string) CounterIdentifier {
	return CounterIdentifier{CounterSetGuid: set, CounterId: layout.PERF_WILDCARD_COUNTER, InstanceId: math.MaxUint32, Name: name}
}

// EncodedLen checks the identifiers and returns their length.
func (l Identifiers) EncodedLen() (int, error) {
	total, err := planRecords("list", 0, len(l), identifierPath, func(i int) (uint64, error) {
		return checkedSize(&layout.PERF_COUNTER_IDENTIFIER, l[i].Name, l[i].Size)
	})
	return int(total), err
}

func (l Identifiers) encode(b []byte, _ int) []byte {
	for i := range l {
		b = l[i].append(b)
	}
	return b
}

func (id *CounterIdentifier) append(b []byte) []byte {
	start, p := len(b), newNamePlan(&layout.PERF_COUNTER_IDENTIFIER, id.Name, 0, 0, id.Size)
	b = wire.CounterIdentifier{
		CounterSetGuid: id.CounterSetGuid,
		Status:         id.Status,
		Size:           uint32(p.whole),
		CounterId:      id.CounterId,
		InstanceId:     id.InstanceId,
		Index:          id.Index,
	}.Append(b)
	return p.append(b, start, id.Name, 0)
}

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

// checkedSize checks the name and the Size of a PERF_INSTANCE_HEADER or PERF_COUNTER_IDENTIFIER, and returns the Size to
// write.
func checkedSize(r *layout.Record, name string, size uint32) (uint64, error) {
	p := newNamePlan(r, name, 0, 0, size)
	if err := p.check(r, name, 0, "Name", "", "Size"); err != nil {
		return 0, err
	}
	return p.whole, nil
}

// nameAndSize decodes the name n and the Size of the record v. The returned size is 0 if encoding computes the same
// Size.
func (d *decoder) nameAndSize(v layout.Span, r *layout.Record, n layout.Name, remaining int, path func() layout.Path) (name string, size uint32, err error) {
	if name, err = d.text(n, remaining, "Name", path); err != nil {
		return "", 0, err
	}
	after, _ := v.Sub(uint64(n.End()-v.Off()), uint64(v.End()-n.End()))
	if !isZero(after.Bytes()) {
		d.loseUnlessZero(path().Field("padding"), after)
	}
	need := roundUp(uint64(r.Size)+uint64(n.Len()), layout.Align) // n ends with its first NUL
	if name == "" {
		need = newNamePlan(r, "", 0, 0, 0).whole
	}
	switch whole := uint64(v.Len()); {
	case whole == need:
	case whole < need && n.Len() == 0:
		return "", 0, broken(path(), r, v, "Size", layout.ErrBounds, "is %d, must be at least %d for a name with NUL", whole, need)
	case whole%layout.Align != 0: // in this case, Size can also be less than need
		d.loseField(path(), r, v, "Size", "is %d, must be a multiple of 8", whole)
	default:
		size = uint32(whole)
	}
	return name, size, nil
}

// estimateCount estimates the number of records in b from s to the end. It assumes that all records have the
// length of s.
func estimateCount(b []byte, s layout.Span) int { return (len(b) - int(s.Off())) / s.Len() }

// GUIDs is the result of PerfEnumerateCounterSet: the GUIDs of the registered counter sets,
// possibly none.
type GUIDs []layout.GUID

func (l GUIDs) encode(b []byte, _ int) []byte {
	for _, id := range l {
		b = wire.GUID(id).Append(b)
	}
	return b
}

// EncodedLen returns the length of the encoded GUIDs. The error is always nil.
func (l GUIDs) EncodedLen() (int, error) { return len(l) * layout.SizeofGUID, nil }

func (*decoder) guids(b []byte) (GUIDs, error) {
	out := slices.Grow(GUIDs(nil), len(b)/layout.SizeofGUID)
	for id, err := range layout.ReadGUIDs(b) {
		if err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	return out, nil
}

// A RegGUID is the result of PerfQueryCounterSetRegistrationInfo for
// [layout.PERF_REG_PROVIDER_GUID].
type RegGUID layout.GUID

func (g RegGUID) encode(b []byte, _ int) []byte { return wire.GUID(layout.GUID(g)).Append(b) }

// EncodedLen returns the length of an encoded GUID. The error is always nil.
func (g RegGUID) EncodedLen() (int, error) { return layout.SizeofGUID, nil }

// String returns the GUID as [layout.GUID.String] does.
func (g RegGUID) String() string { return layout.GUID(g).String() }

func (d *decoder) regGUID(b []byte) (RegGUID, error) {
	n := min(len(b), layout.SizeofGUID)
	if n == 0 {
		return RegGUID{}, &layout.Error{Path: here.At("guid", 0), Err: layout.Faultf(layout.ErrShort, "has no bytes, must have %d", layout.SizeofGUID)}
	}
	out, err := d.guids(b[:n])
	if err != nil {
		return RegGUID{}, err
	}
	d.loseAfter(b, n)
	return RegGUID(out[0]), nil
}
