package builder

import (
	"bytes"
	"cmp"
	"errors"
	"iter"
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
	b, _ = layout.AppendUTF16(b, s) // no error, because s is valid
	return b
}

// A namePlan has the lengths in a record that contains a name: a PERF_DATA_BLOCK, a PERF_INSTANCE_DEFINITION, a
// PERF_INSTANCE_HEADER or a PERF_COUNTER_IDENTIFIER.
type namePlan struct {
	offset, length uint64 // of the name with its NUL
	need           uint64 // the smallest length of the record
	whole          uint64 // the length of the record
}

// newNamePlan computes the lengths in a record with the structure r. The parameter offset is the offset of the name,
// and the parameter whole is the length of the record. For both, 0 means the default. A PERF_INSTANCE_HEADER has a NUL
// even after an empty name.
func newNamePlan(r *layout.Record, name string, codePage, offset, whole uint32) namePlan {
	p := namePlan{offset: uint64(offset), need: uint64(r.Size)}
	if name != "" || r == &layout.PERF_INSTANCE_HEADER {
		p.offset = cmp.Or(p.offset, p.need)
		p.length = lettersLen(name, codePage) + terminatorLen(codePage)
		p.need = max(p.need, p.offset+p.length)
	}
	p.whole = cmp.Or(uint64(whole), roundUp(p.need, layout.Align))
	return p
}

// check checks the name and the lengths. The last three parameters are field names for errors.
func (p namePlan) check(r *layout.Record, name string, codePage uint32, nameField, offsetField, wholeField string) error {
	var all faults
	if err := checkLetters(name, codePage); err != nil {
		all.add(within(here.Field(nameField), err))
	}
	if name != "" && p.offset < uint64(r.Size) {
		all.add(fault(offsetField, layout.ErrRange, "is %d and overlaps %s, must be 0 or at least %d", p.offset, r.C, r.Size))
	}
	switch need := roundUp(p.need, layout.Align); {
	case len(all) > 0: // the name or the offset is wrong, so the required length is not known
	case need > maxTotal && roundUp(uint64(r.Size)+p.length, layout.Align) <= maxTotal:
		all.add(fault(offsetField, ErrTooLarge, tooLongRecord, need, uint64(maxTotal)))
	case need > maxTotal:
		all.add(fault(nameField, ErrTooLarge, tooLongRecord, need, uint64(maxTotal)))
	case p.whole < p.need || p.whole%layout.Align != 0:
		all.add(fault(wholeField, layout.ErrRange, "is %d, must be 0 or a multiple of 8 that is at least %d", p.whole, need))
	}
	return all.err()
}

// tooLongRecord is the error text for a field that makes its record longer than maxTotal.
const tooLongRecord = "makes the length of the record %d bytes, must be at most %d"

// append appends the name and padding to b. The structure of the record is in b at the offset start.
func (p namePlan) append(b []byte, start int, name string, codePage uint32) []byte {
	if name != "" {
		b = appendLetters(zeroTo(b, start+int(p.offset)), name, codePage)
	}
	return zeroTo(b, start+int(p.whole)) // the terminator is the first of the zeros
}

// exactName decodes a name if the model can hold all of its bytes. If exactName returns false, the caller must call
// decoder.name.
func (d *decoder) exactName(n layout.Name, remaining int) (string, bool) {
	// A name that has only a NUL is not exact, because most records have no bytes for an empty name. The condition
	// excludes names with other faults than unpaired surrogates, because the errors of AppendText take memory.
	if n.Len() == n.Unit() || n.Len() > 0 && n.IndexNUL() != n.Len()-n.Unit() {
		return "", false
	}
	text, err := n.AppendText(d.scratch[:0])
	if d.scratch = text; err != nil {
		return "", false
	}
	return d.strings.add(text, remaining), true
}

// A nameList collects all names of the instances of an object or a result in one string, because one allocation
// for each name would be slow.
type nameList struct {
	text []byte // the names as UTF-8, one after the other
	ends []int  // where the name of each instance ends in text
}

// reset removes all names and allocates memory for n names, whose encoded length is about `size` bytes.
func (l *nameList) reset(n, size int) {
	l.text, l.ends = slices.Grow(l.text[:0], size/utf16NUL), slices.Grow(l.ends[:0], n)
}

// add adds the name record[from:to]. It returns false for an empty name, or if encoding would write other bytes.
func (l *nameList) add(record []byte, from, to int) bool {
	if to-from <= utf16NUL || (to+layout.Align-1)/layout.Align*layout.Align != len(record) || !isZero(record[to-utf16NUL:]) {
		return false
	}
	before := len(l.text)
	text, ok := utf16le.AppendUTF8(l.text, record[from:to-utf16NUL])
	if l.text = text[:before]; !ok || bytes.IndexByte(text[before:], 0) >= 0 {
		return false
	}
	l.text = text
	return true
}

// endInstance ends the current instance, with or without a name.
func (l *nameList) endInstance() { l.ends = append(l.ends, len(l.text)) }

// byInstance yields the names in l. It also yields the position of each name's instance.
func (l *nameList) byInstance() iter.Seq2[int, string] {
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

// name decodes a name and records an ErrUnkept error for each part that the model cannot hold.
func (d *decoder) name(n layout.Name, path layout.Path, system bool) (string, error) {
	if n.Len() == 0 {
		return "", nil
	}
	if !system && !n.Terminated() { // names other than a SystemName must have a NUL
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
		d.lose(path, n.Span, "the name has %s and starts with NUL", quote.Count(n.Len(), "byte"))
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

// text decodes a name or text that must end in NUL. field is the name of its field, for the path of an error.
func (d *decoder) text(n layout.Name, remaining int, field string, path func() layout.Path) (string, error) {
	if n.Len() == utf16NUL && n.Terminated() {
		return "", nil
	}
	if text, exact := d.exactName(n, remaining); exact {
		return text, nil
	}
	return d.name(n, path().Field(field), false)
}

// utf16 decodes s and replaces each unpaired surrogate by U+FFFD. It records one ErrUnkept error for all unpaired
// surrogates.
func (d *decoder) utf16(s layout.Span, path layout.Path) (string, error) {
	text, err := layout.DecodeUTF16(s.Bytes())
	e, bad := errors.AsType[*layout.Error](err)
	if !bad {
		return text, err
	}
	units := make([]uint16, s.Len()/2)
	for i := range units {
		units[i] = le.Uint16(s.Bytes()[2*i:])
	}
	text = string(utf16.Decode(units))
	// The error covers the bytes from the first unpaired surrogate to the last.
	kept, _ := layout.AppendUTF16(nil, text)
	end := s.Len()
	for end == len(kept) && end > 0 && kept[end-1] == s.Bytes()[end-1] {
		end, kept = end-1, kept[:end-1]
	}
	lost, _ := s.Sub(uint64(e.Off), uint64(end)-uint64(e.Off))
	d.lose(path, lost, "%v", e.Err)
	return text, nil
}

// loseAround records an ErrUnkept error for nonzero bytes of s before the name, and another error for nonzero bytes of
// s after the name.
func (d *decoder) loseAround(s layout.Span, name layout.Name, path layout.Path) {
	at := uint64(name.Off() - s.Off())
	before, _ := s.Sub(0, at)
	after, _ := s.Sub(at+uint64(name.Len()), uint64(s.Len())-at-uint64(name.Len()))
	d.loseUnlessZero(path.Field("gap"), before)
	d.loseUnlessZero(path.Field("padding"), after)
}
