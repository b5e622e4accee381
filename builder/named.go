package builder

import (
	"math"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// Two V2 records end with a name: PERF_INSTANCE_HEADER always has one, and a
// PERF_COUNTER_IDENTIFIER with an empty name has none.

// namedLen returns the Size that the record requires for the name.
func namedLen(r *layout.Record, name string) uint64 {
	if name == "" && r == &layout.PERF_COUNTER_IDENTIFIER {
		return uint64(r.Size)
	}
	return up(uint64(r.Size)+lettersLen(name, 0)+terminatorLen(0), layout.Align)
}

// planNamed checks the name and the Size of the model, and returns the Size to write.
func planNamed(r *layout.Record, name string, size uint32) (uint64, error) {
	here := layout.Path{}
	if err := checkLetters(name, 0); err != nil {
		return 0, &layout.Error{Path: here.Field("Name"), Off: -1, Err: err}
	}
	need := namedLen(r, name)
	switch {
	case need > math.MaxUint32:
		return 0, fault(here, "Name", ErrTooLarge, "makes the record take %d bytes, must fit 32 bits", need)
	case size == 0:
		return need, nil
	case uint64(size) < need || size%layout.Align != 0:
		return 0, fault(here, "Size", layout.ErrRange, "is %d, must be 0 or a multiple of 8 that is at least %d", size, need)
	}
	return uint64(size), nil
}

// appendName appends the name of the record whose structure b ends with.
func appendName(b []byte, r *layout.Record, name string, size uint64) []byte {
	start := len(b) - int(r.Size)
	b = appendLetters(b, name, 0)
	return zeroTo(b, start+int(size)) // the terminator is the first of the zeros
}

// named decodes the name and the Size of a record, which v starts with. The Size is 0 if
// encoding computes it. times is as for [decoder.plainName].
func (d *decoder) named(v layout.Span, r *layout.Record, n layout.Name, times int, path func() layout.Path) (name string, size uint32, err error) {
	if name, err = d.text(n, times, "Name", path); err != nil {
		return "", 0, err
	}
	after, _ := v.Sub(uint64(n.End()-v.Off()), uint64(v.End()-n.End()))
	if !isZero(after.Bytes()) {
		d.loseUnlessZero(path().Field("padding"), after)
	}
	switch need, whole := namedLen(r, name), uint64(v.Len()); {
	case whole == need:
	case whole < need && n.Len() == 0:
		return "", 0, broken(path(), r, v, "Size", layout.ErrBounds, "is %d, which leaves no room for a name", whole)
	case whole%layout.Align != 0: // including every Size that is less than needed
		d.loseField(path(), r, v, "Size", "is %d, must be a multiple of 8", whole)
	default:
		size = uint32(whole)
	}
	return name, size, nil
}

// A namedRecord is an element of a list of records that end with a name.
type namedRecord[T any] interface {
	*T
	plan() (uint64, error)
	append(b []byte) []byte
}

// planList checks the elements and returns the number of bytes that they take.
func planList[T any, P namedRecord[T]](list []T, element string) (int, error) {
	total := uint64(0)
	for i := range list {
		path := layout.Path{}.At(element, i)
		n, err := P(&list[i]).plan()
		if err != nil {
			return 0, within(path, err)
		}
		if total += n; total > maxTotal {
			return 0, fault(path, "", ErrTooLarge, "ends at byte %d of the list, which can have %d", total, uint64(maxTotal))
		}
	}
	return int(total), nil
}

func appendList[T any, P namedRecord[T]](b []byte, list []T, element string) ([]byte, error) {
	total, err := planList[T, P](list, element)
	if err != nil {
		return b, err
	}
	b = slices.Grow(b, total)
	for i := range list {
		b = P(&list[i]).append(b)
	}
	return b, nil
}

// alike returns how many records as long as s fit between its start and the end of b.
func alike(b []byte, s layout.Span) int { return (len(b) - int(s.Off())) / s.Len() }
