package builder

import (
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A CounterSetInstance is an instance of a counter set as PerfCreateInstance returns it to a
// provider.
// Source: PERF_COUNTERSET_INSTANCE.
type CounterSetInstance struct {
	// CounterSetGuid is the GUID of the counter set.
	CounterSetGuid layout.GUID
	InstanceId     uint32
	// Name is UTF-8 without NUL, possibly empty.
	Name string
	// Values holds a number of 8 bytes for each counter of the set. The number is the value of the counter, or the
	// address where the provider stores the value.
	Values []uint64
}

const valueBytes = 8

func (in CounterSetInstance) encode(b []byte, total int) []byte {
	start := len(b)
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
	return zeroTo(b, start+total) // the terminator is the first of the zeros
}

// EncodedLen checks the instance and returns its length.
func (in CounterSetInstance) EncodedLen() (int, error) {
	if err := checkLetters(in.Name, 0); err != nil {
		return 0, within(here.Field("Name"), err)
	}
	if len(in.Values) > maxCounters {
		return 0, fault("Values", ErrTooLarge, "has %d values, must have at most %d", len(in.Values), maxCounters)
	}
	total := roundUp(in.nameOffset()+in.nameSize(), layout.Align)
	if total > maxTotal {
		return 0, fault("Name", ErrTooLarge, "makes the length of the instance %d bytes, must be at most %d", total, uint64(maxTotal))
	}
	return int(total), nil
}

func (in *CounterSetInstance) nameOffset() uint64 {
	return layout.SizeofCounterSetInstance + valueBytes*uint64(len(in.Values))
}

func (in *CounterSetInstance) nameSize() uint64 { return lettersLen(in.Name, 0) + terminatorLen(0) }

// counterSetInstance decodes an instance. The values end at InstanceNameOffset.
func (d *decoder) counterSetInstance(b []byte) (CounterSetInstance, error) {
	r := &layout.PERF_COUNTERSET_INSTANCE
	v, err := layout.ReadCounterSetInstance(b)
	if err != nil {
		return CounterSetInstance{}, err
	}
	out := CounterSetInstance{CounterSetGuid: v.CounterSetGuid(), InstanceId: v.InstanceId()}
	at := v.InstanceNameOffset()
	if at < r.Size || uint64(at) > uint64(v.Len()) {
		return out, broken(here, r, v.Span, "InstanceNameOffset", layout.ErrBounds, "is %d, must be %d to %d", at, r.Size, v.Len())
	}
	out.Values = slices.Grow(out.Values, int(at-r.Size)/valueBytes)
	for slot := range v.Slots() {
		out.Values = append(out.Values, le.Uint64(slot.Bytes()))
	}
	if gap := (at - r.Size) % valueBytes; gap != 0 {
		d.loseField(here, r, v.Span, "InstanceNameOffset", "is %d, must be %d, where the last value ends", at, at-gap)
	}
	name, err := v.Name()
	if err != nil {
		return out, err
	}
	if name.Len() == 0 {
		d.loseField(here, r, v.Span, "InstanceNameSize", "is 0, must be at least %d, the size of a NUL", utf16NUL)
	} else if out.Name, err = d.text(name, 1, "Name", rootPath); err != nil {
		return out, err
	}
	d.loseEnd(here, r, v.Span, uint64(at)+uint64(v.InstanceNameSize()))
	d.loseAfter(b, v.Len())
	return out, nil
}
