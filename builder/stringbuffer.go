package builder

import (
	"slices"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A StringBuffer holds a text for each counter of a set: the result of
// PerfQueryCounterSetRegistrationInfo for [layout.PERF_REG_COUNTER_NAME_STRINGS],
// [layout.PERF_REG_COUNTER_HELP_STRINGS] and [layout.PERF_REG_COUNTER_ENGLISH_NAMES].
// Source: PERF_STRING_BUFFER_HEADER.
type StringBuffer struct {
	// Entries are the counters with their texts. Several entries may have the same CounterId. The
	// texts are written in the order of the entries, without gaps.
	Entries []StringCounter
	// FromEntries means that dwOffset counts from the end of the entries, as in MS-PCQ. Otherwise
	// dwOffset counts from the start of the buffer, as Windows writes it. FromEntries must be false
	// if no entry has a text.
	FromEntries bool
}

// A StringCounter is a counter with its text.
// Source: PERF_STRING_COUNTER_HEADER.
type StringCounter struct {
	CounterId uint32
	// Text is UTF-8 without NUL, possibly empty.
	Text string
	// None means that the counter has no text at all, not even an empty one.
	None bool
}

// Counter adds a counter with its text and returns s.
func (s *StringBuffer) Counter(id uint32, text string) *StringBuffer {
	return s.Define(StringCounter{CounterId: id, Text: text})
}

// Define adds entries and returns s.
func (s *StringBuffer) Define(e ...StringCounter) *StringBuffer {
	s.Entries = append(s.Entries, e...)
	return s
}

// AppendBinary appends the strings to b and returns the extended slice, like
// [QueryData.AppendBinary].
func (s StringBuffer) AppendBinary(b []byte) ([]byte, error) {
	total, err := s.EncodedLen()
	if err != nil {
		return b, err
	}
	start := len(b)
	b = slices.Grow(b, total)
	b = wire.StringBufferHeader{DwSize: uint32(total), DwCounters: uint32(len(s.Entries))}.Append(b)
	at := s.first()
	if s.FromEntries {
		at = 0
	}
	for _, e := range s.Entries {
		offset := uint64(layout.NoString)
		if !e.None {
			offset, at = at, at+lettersLen(e.Text, 0)+terminatorLen(0)
		}
		b = wire.StringCounterHeader{DwCounterId: e.CounterId, DwOffset: uint32(offset)}.Append(b)
	}
	for _, e := range s.Entries {
		if !e.None {
			b = append(appendLetters(b, e.Text, 0), 0, 0)
		}
	}
	return zeroTo(b, start+total), nil
}

// MarshalBinary returns the strings. Its errors are those of [StringBuffer.AppendBinary].
func (s StringBuffer) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

// EncodedLen returns the number of bytes that the strings take. Its errors are those of
// [StringBuffer.AppendBinary].
func (s StringBuffer) EncodedLen() (int, error) {
	total, texts := s.first(), 0
	for i := range s.Entries {
		e := &s.Entries[i]
		n, err := e.plan()
		if err != nil {
			return 0, within(entryPath(i), err)
		}
		if !e.None {
			texts++
		}
		if total += n; up(total, layout.Align) > maxTotal {
			return 0, fault(entryPath(i), "", ErrTooLarge, "ends at byte %d of the strings, must end at %d or before", total, uint64(maxTotal))
		}
	}
	if s.FromEntries && texts == 0 {
		return 0, fault(layout.Path{}, "FromEntries", layout.ErrRange, "is true, must be false, because no entry has a text")
	}
	return int(up(total, layout.Align)), nil
}

// first returns the offset of the first text.
func (s *StringBuffer) first() uint64 {
	return layout.SizeofStringBufferHeader + uint64(len(s.Entries))*layout.SizeofStringCounterHeader
}

// plan checks the text and returns the number of bytes that it takes.
func (e *StringCounter) plan() (uint64, error) {
	if e.None && e.Text != "" {
		return 0, fault(layout.Path{}, "Text", ErrConflict, "is %s, must be empty, because None is true", quote.Short(e.Text))
	}
	if e.None {
		return 0, nil
	}
	return planText(e.Text)
}

// UnmarshalBinary sets *s to the model of the strings b, like [DataBlock.UnmarshalBinary].
func (s *StringBuffer) UnmarshalBinary(b []byte) error {
	return errorOnly(unmarshal(s, b, false, (*decoder).stringBuffer))
}

// UnmarshalLossy is like UnmarshalBinary, but drops and lists data that the model cannot hold. See
// [DataBlock.UnmarshalLossy]. If a text does not start where the previous text ends, its offset
// is a loss.
func (s *StringBuffer) UnmarshalLossy(b []byte) ([]*layout.Error, error) {
	return unmarshal(s, b, true, (*decoder).stringBuffer)
}

// stringBuffer decodes the strings of counters.
func (d *decoder) stringBuffer(b []byte) (StringBuffer, error) {
	r, here := &layout.PERF_STRING_BUFFER_HEADER, layout.Path{}
	v, err := layout.ReadStringBuffer(b)
	if err != nil {
		return StringBuffer{}, err
	}
	n := int(v.DwCounters())
	out := StringBuffer{FromEntries: v.Base() != v.Off()}
	if n > 0 {
		out.Entries = make([]StringCounter, 0, n)
	}
	end := int64(layout.SizeofStringBufferHeader + n*layout.SizeofStringCounterHeader) // of the texts so far
	for e := range v.Entries() {
		entry := StringCounter{CounterId: e.DwCounterId(), None: e.DwOffset() == layout.NoString}
		if !entry.None {
			if end, err = d.entryText(e, v.Base(), end, n-len(out.Entries), &entry); err != nil {
				return out, err
			}
		}
		out.Entries = append(out.Entries, entry)
	}
	padding, _ := v.Sub(uint64(end), uint64(v.End()-end))
	d.loseUnlessZero(here.Field("padding"), padding)
	if want := up(uint64(end), layout.Align); uint64(v.Len()) != want {
		d.loseField(here, r, v.Span, "dwSize", "is %d, must be %d", v.Len(), want)
	}
	d.loseAfter(b, v.Len())
	return out, nil
}

// entryText decodes the text of an entry. end is the largest end of the previous texts; the text
// should start there, or its offset is a loss. entryText returns the largest end of all texts
// including this one. Entries may share a text or the end of a text, so the budget limits the total
// length of the texts. remaining is the expected number of texts to decode, including this one.
func (d *decoder) entryText(e layout.StringCounter, base, end int64, remaining int, out *StringCounter) (int64, error) {
	r := &layout.PERF_STRING_COUNTER_HEADER
	text, err := e.Text()
	if err != nil {
		return 0, err
	}
	if d.budget -= text.Len(); d.budget < 0 {
		return 0, broken(e.Path(), r, e.Span, "dwOffset", ErrTooLarge, "is %d, and the texts up to this entry have far more bytes in total than the buffer: too many entries share texts", e.DwOffset())
	}
	if out.Text, err = d.text(text, remaining, "Text", e.Path); err != nil {
		return 0, err
	}
	if text.Off() != end {
		d.loseField(e.Path(), r, e.Span, "dwOffset", "is %d, must be %d, where the previous text ends", e.DwOffset(), end-base)
	}
	return max(end, text.End()), nil
}
