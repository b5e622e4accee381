package builder

import (
	"bytes"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/utf16le"
	"github.com/perfblock/perfblock/layout"
)

// Names are UTF-8 in the model and UTF-16LE in the block. In an object with a CodePage, names
// are bytes of the code page in the model and in the block.

// checkLetters checks that a name can be encoded.
func checkLetters(s string, codePage uint32) error {
	if i := strings.IndexByte(s, 0); i >= 0 {
		return layout.Faultf(layout.ErrNUL, "NUL at byte %d of %s", i, quote.Short(s))
	}
	if codePage != 0 {
		return nil
	}
	return checkUTF8(s)
}

// checkUTF8 checks that s can be encoded as UTF-16.
func checkUTF8(s string) error {
	if i := utf16le.Invalid(s); i >= 0 {
		return layout.Faultf(layout.ErrText, "byte 0x%02x at offset %d of %s is not UTF-8", s[i], i, quote.Short(s))
	}
	return nil
}

// lettersLen returns the encoded length of a valid name without NUL.
func lettersLen(s string, codePage uint32) uint64 {
	if codePage != 0 {
		return uint64(len(s))
	}
	return uint64(utf16le.Len(s))
}

// utf16NUL is the length of a NUL in UTF-16.
const utf16NUL = 2

// terminatorLen returns the length of the NUL after a name.
func terminatorLen(codePage uint32) uint64 {
	if codePage != 0 {
		return 1
	}
	return utf16NUL
}

// appendLetters appends a valid name without NUL.
func appendLetters(b []byte, s string, codePage uint32) []byte {
	if codePage != 0 {
		return append(b, s...)
	}
	b, _ = layout.AppendUTF16(b, s) // checked, so there is no error
	return b
}

// exactName decodes a name that a model can hold without a loss. For any other name it returns
// false, and the caller must use [decoder.name], which records the loss. remaining is the expected
// number of names to decode, including this one.
func (d *decoder) exactName(n layout.Name, remaining int) (string, bool) {
	if n.Len() == 0 {
		return "", true
	}
	end := n.Len() - n.Unit()
	if end <= 0 || !n.Terminated() {
		return "", false
	}
	text := n.Bytes()[:end]
	if n.CodePage != 0 {
		if bytes.IndexByte(text, 0) >= 0 {
			return "", false
		}
		return d.strings.add(text, remaining), true
	}
	if n.IndexNUL() != end {
		return "", false
	}
	return d.exactUTF16(text, remaining)
}

// exactUTF16 decodes UTF-16LE, and returns false if b is not valid.
func (d *decoder) exactUTF16(b []byte, remaining int) (string, bool) {
	text, ok := appendText(d.scratch[:0], b)
	d.scratch = text
	if !ok {
		return "", false
	}
	return d.strings.add(text, remaining), true
}

// A nameList has the names of the instances of an object or a result. They become one string,
// because an allocation for each would be slow.
type nameList struct {
	text []byte // the names as UTF-8, one after the other
	ends []int  // where the name of each instance ends in text
}

// reset removes all names and allocates memory for n names. In the input, the names take about
// `size` bytes.
func (l *nameList) reset(n, size int) {
	l.text, l.ends = slices.Grow(l.text[:0], size/utf16NUL), slices.Grow(l.ends[:0], n)
}

// add adds the name of the current instance, which is in the bytes of record from `from` to `to`. It
// returns false and adds nothing unless the bytes are those that encoding writes: at least one valid
// character, a NUL, and zeros up to the next multiple of 8.
func (l *nameList) add(record []byte, from, to int) bool {
	if to-from <= utf16NUL || (to-from)%utf16NUL != 0 || (to+layout.Align-1)/layout.Align*layout.Align != len(record) || !isZero(record[to-utf16NUL:]) {
		return false
	}
	before := len(l.text)
	text, ok := appendText(l.text, record[from:to-utf16NUL])
	if l.text = text[:before]; !ok || bytes.IndexByte(text[before:], 0) >= 0 {
		return false
	}
	l.text = text
	return true
}

// next goes on to the next instance. If add was not called for an instance, or returned false, l has
// no name for the instance.
func (l *nameList) next() { l.ends = append(l.ends, len(l.text)) }

// all yields the positions of the instances that have a name in l, with the names.
func (l *nameList) all() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		text, from := string(l.text), 0
		for i, to := range l.ends {
			if to > from && !yield(i, text[from:to]) {
				return
			}
			from = to
		}
	}
}

// name decodes a name and records losses: the characters from the first NUL on, and unpaired
// surrogates. A missing NUL is an error; in a SystemName (system is true) it is a loss.
func (d *decoder) name(n layout.Name, path layout.Path, system bool) (string, error) {
	if n.Len() == 0 {
		return "", nil
	}
	if !system && !n.Terminated() {
		_, err := n.Text()
		return "", within(path, err)
	}
	text := n.Bytes()
	if i := n.IndexNUL(); i >= 0 {
		text = text[:i]
	} else {
		d.lose(path, n.Span, "the name has %s and does not end in NUL", quote.Count(n.Len(), "byte"))
	}
	if len(text) == 0 {
		d.lose(path, n.Span, "the name has %s and no characters before its NUL", quote.Count(n.Len(), "byte"))
		return "", nil
	}
	if tail := n.Len() - len(text) - n.Unit(); tail > 0 {
		lost, _ := n.Sub(uint64(len(text)), uint64(tail))
		d.lose(path, lost, "the name has a NUL %d bytes before its end", tail+n.Unit())
	}
	if n.CodePage != 0 {
		return string(text), nil
	}
	return d.utf16(layout.NewSpan(text, n.Off()), path)
}

// text decodes a name or text that must have a NUL, even if it is empty. field is the last step of
// its path. remaining is the expected number of names to decode, including this one.
func (d *decoder) text(n layout.Name, remaining int, field string, path func() layout.Path) (string, error) {
	if n.Len() == utf16NUL && n.Terminated() {
		return "", nil
	}
	if text, exact := d.exactName(n, remaining); exact {
		return text, nil
	}
	return d.name(n, path().Field(field), false)
}

// utf16 decodes s. It replaces each unpaired surrogate by U+FFFD, and records one loss for all of
// them.
func (d *decoder) utf16(s layout.Span, path layout.Path) (string, error) {
	text, err := layout.DecodeUTF16(s.Bytes())
	e, bad := errors.AsType[*layout.Error](err)
	if !bad {
		return text, err
	}
	text = replaceSurrogates(s.Bytes())
	// The loss extends from the first to the last unpaired surrogate.
	kept, _ := layout.AppendUTF16(nil, text)
	end := s.Len()
	for end == len(kept) && end > 0 && kept[end-1] == s.Bytes()[end-1] {
		end, kept = end-1, kept[:end-1]
	}
	lost, _ := s.Sub(uint64(e.Off), uint64(max(end, int(e.Off)+e.Len))-uint64(e.Off))
	d.lose(path, lost, "%v", e.Err)
	return text, nil
}

// replaceSurrogates decodes UTF-16LE with U+FFFD for each unpaired surrogate.
func replaceSurrogates(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = le.Uint16(b[2*i:])
	}
	return strings.ToValidUTF8(string(utf16.Decode(units)), "\uFFFD")
}

// loseAround records a loss if bytes of s before or after the name are not 0.
func (d *decoder) loseAround(s layout.Span, name layout.Name, path layout.Path) {
	at := uint64(name.Off() - s.Off())
	before, _ := s.Sub(0, at)
	after, _ := s.Sub(at+uint64(name.Len()), uint64(s.Len())-at-uint64(name.Len()))
	d.loseUnlessZero(path.Field("gap"), before)
	d.loseUnlessZero(path.Field("padding"), after)
}

// The functions below are for the two V2 records that end with a name. A PERF_INSTANCE_HEADER
// always has a name with NUL. A PERF_COUNTER_IDENTIFIER has no NUL if its name is empty.

// sizeWithName returns the smallest Size of a record with the name.
func sizeWithName(r *layout.Record, name string) uint64 {
	if name == "" && r == &layout.PERF_COUNTER_IDENTIFIER {
		return uint64(r.Size)
	}
	return up(uint64(r.Size)+lettersLen(name, 0)+terminatorLen(0), layout.Align)
}

// planName checks a name and the Size of its record in the model, and returns the Size to write.
func planName(r *layout.Record, name string, size uint32) (uint64, error) {
	here := layout.Path{}
	if err := checkLetters(name, 0); err != nil {
		return 0, &layout.Error{Path: here.Field("Name"), Off: -1, Err: err}
	}
	need := sizeWithName(r, name)
	switch {
	case need > math.MaxUint32:
		return 0, fault(here, "Name", ErrTooLarge, "makes the record take %d bytes, must be at most %d", need, uint32(math.MaxUint32))
	case size == 0:
		return need, nil
	case uint64(size) < need || size%layout.Align != 0:
		return 0, fault(here, "Size", layout.ErrRange, "is %d, must be 0 or a multiple of 8 that is at least %d", size, need)
	}
	return uint64(size), nil
}

// appendName appends a name and padding to b, which ends with the structure of record r. size is
// the length of the whole record.
func appendName(b []byte, r *layout.Record, name string, size uint64) []byte {
	start := len(b) - int(r.Size)
	b = appendLetters(b, name, 0)
	return zeroTo(b, start+int(size)) // the terminator is the first of the zeros
}

// nameAndSize returns the Name and the Size of the model. v has the bytes of the record r, and n is
// its name. The returned Size is 0 if encoding computes the length of v. remaining is the expected number of names to
// decode, including this one.
func (d *decoder) nameAndSize(v layout.Span, r *layout.Record, n layout.Name, remaining int, path func() layout.Path) (name string, size uint32, err error) {
	if name, err = d.text(n, remaining, "Name", path); err != nil {
		return "", 0, err
	}
	after, _ := v.Sub(uint64(n.End()-v.Off()), uint64(v.End()-n.End()))
	if !isZero(after.Bytes()) {
		d.loseUnlessZero(path().Field("padding"), after)
	}
	need := up(uint64(r.Size)+uint64(n.Len()), layout.Align) // n ends with its first NUL
	if name == "" {
		need = sizeWithName(r, "")
	}
	switch whole := uint64(v.Len()); {
	case whole == need:
	case whole < need && n.Len() == 0:
		return "", 0, broken(path(), r, v, "Size", layout.ErrBounds, "is %d, must be at least %d for a name with NUL", whole, need)
	case whole%layout.Align != 0: // also if Size is less than need
		d.loseField(path(), r, v, "Size", "is %d, must be a multiple of 8", whole)
	default:
		size = uint32(whole)
	}
	return name, size, nil
}

// A listElement is a record of an [InstanceList] or of [Identifiers].
type listElement[T any] interface {
	*T
	plan() (uint64, error)
	append(b []byte) []byte
}

// planList checks the records of a list and returns their length.
func planList[T any, P listElement[T]](list []T, element string) (int, error) {
	total := uint64(0)
	for i := range list {
		path := layout.Path{}.At(element, i)
		n, err := P(&list[i]).plan()
		if err != nil {
			return 0, within(path, err)
		}
		if total += n; total > maxTotal {
			return 0, fault(path, "", ErrTooLarge, "ends at byte %d of the list, must end at %d or before", total, uint64(maxTotal))
		}
	}
	return int(total), nil
}

func appendList[T any, P listElement[T]](b []byte, list []T, element string) ([]byte, error) {
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

// estimateCount returns the number of records from s to the end of b, s included. It assumes that
// all records are as long as s.
func estimateCount(b []byte, s layout.Span) int { return (len(b) - int(s.Off())) / s.Len() }
