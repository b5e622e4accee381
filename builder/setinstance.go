package builder

import (
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A CounterSetInstance is an instance of a provider, as PerfCreateInstance makes it.
// Source: PERF_COUNTERSET_INSTANCE.
type CounterSetInstance struct {
	// CounterSetGuid is that of the counter set.
	CounterSetGuid layout.GUID
	InstanceId     uint32
	// Name is text of UTF-8 without NUL; it may be empty.
	Name string
	// Values holds 8 bytes for each counter of the set, whatever its type: its value, or
	// the address where the provider keeps that.
	Values []uint64
}

// slotBytes is what each value takes.
const slotBytes = 8

// AppendBinary appends the instance to b and returns the longer slice. It is as
// [QueryData.AppendBinary].
func (in CounterSetInstance) AppendBinary(b []byte) ([]byte, error) {
	total, err := in.plan()
	if err != nil {
		return b, err
	}
	start := len(b)
	b = slices.Grow(b, int(total))
	b = wire.CounterSetInstance{
		CounterSetGuid:     in.CounterSetGuid,
		DwSize:             uint32(total),
		InstanceId:         in.InstanceId,
		InstanceNameOffset: uint32(in.nameOffset()),
		InstanceNameSize:   uint32(in.nameSize()),
	}.Append(b)
	for _, v := range in.Values {
		b = le.AppendUint64(b, v)
	}
	b = appendLetters(b, in.Name, 0)
	return zeroTo(b, start+int(total)), nil // the terminator is the first of the zeros
}

// MarshalBinary returns the instance. Its errors are those of [CounterSetInstance.AppendBinary].
func (in CounterSetInstance) MarshalBinary() ([]byte, error) { return in.AppendBinary(nil) }

// EncodedLen returns the bytes that the instance takes. Its errors are those of
// [CounterSetInstance.AppendBinary].
func (in CounterSetInstance) EncodedLen() (int, error) {
	n, err := in.plan()
	return int(n), err
}

// plan checks the instance and returns dwSize.
func (in *CounterSetInstance) plan() (uint64, error) {
	here := layout.Path{}
	if err := checkLetters(in.Name, 0); err != nil {
		return 0, &layout.Error{Path: here.Field("Name"), Off: -1, Err: err}
	}
	if len(in.Values) > maxCounters {
		return 0, fault(here, "Values", ErrTooLarge, "%d values are more than the %d counters that a set can have", len(in.Values), maxCounters)
	}
	total := up(in.nameOffset()+in.nameSize(), layout.Align)
	if total > maxTotal {
		return 0, fault(here, "Name", ErrTooLarge, "with it the instance takes %d bytes, which is too many", total)
	}
	return total, nil
}

func (in *CounterSetInstance) nameOffset() uint64 {
	return uint64(layout.PERF_COUNTERSET_INSTANCE.Size) + slotBytes*uint64(len(in.Values))
}

func (in *CounterSetInstance) nameSize() uint64 { return lettersLen(in.Name, 0) + terminatorLen(0) }
