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
	// Entries are the counters with their texts. Several entries may have the same CounterId. Encoding writes
	// the texts in the order of the entries, without gaps. If a text in a decoded buffer is at any other offset,
	// decoding returns [ErrUnkept].
	Entries []StringCounter
	// FromEntries is true if dwOffset counts from the byte after the entries, as in MS-PCQ. It is
	// false if dwOffset counts from the start of the buffer, as Windows writes it. If no entry has
	// a text, FromEntries must be false: both values would give the same bytes.
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

func (s StringBuffer) encode(b []byte, total int) []byte {
	start := len(b)
	b = wire.StringBuffer{DwSize: uint32(total), DwCounters: uint32(len(s.Entries))}.Append(b)
	at := s.firstText()
	if s.FromEntries {
		at = 0
	}
	for _, e := range s.Entries {
		offset := uint64(layout.NoString)
		if !e.None {
			offset, at = at, at+lettersLen(e.Text, 0)+terminatorLen(0)
		}
		b = wire.StringCounter{DwCounterId: e.CounterId, DwOffset: uint32(offset)}.Append(b)
	}
	for _, e := range s.Entries {
		if !e.None {
			b = append(appendLetters(b, e.Text, 0), 0, 0)
		}
	}
	return zeroTo(b, start+total)
}

// EncodedLen checks the strings and returns their length.
func (s StringBuffer) EncodedLen() (int, error) {
	total, err := planRecords("strings", s.firstText(), len(s.Entries), entryPath, func(i int) (uint64, error) { return s.Entries[i].plan() })
	hasText := func(e StringCounter) bool { return !e.None }
	if err == nil && s.FromEntries && !slices.ContainsFunc(s.Entries, hasText) {
		err = fault("FromEntries", layout.ErrRange, "is true, must be false, because no entry has a text")
	}
	if err != nil {
		return 0, err
	}
	return int(roundUp(total, layout.Align)), nil
}

func (s *StringBuffer) firstText() uint64 {
	return layout.SizeofStringBufferHeader + uint64(len(s.Entries))*layout.SizeofStringCounterHeader
}

// plan checks the text and returns the number of bytes that the text takes.
func (e *StringCounter) plan() (uint64, error) {
	if e.None && e.Text != "" {
		return 0, fault("Text", ErrConflict, "is %s, must be empty, because None is true", quote.Short(e.Text))
	}
	if e.None {
		return 0, nil
	}
	return planText(e.Text)
}

func (d *decoder) stringBuffer(b []byte) (StringBuffer, error) {
	r := &layout.PERF_STRING_BUFFER_HEADER
	v, err := layout.ReadStringBuffer(b)
	if err != nil {
		return StringBuffer{}, err
	}
	n := int(v.DwCounters())
	out := StringBuffer{FromEntries: v.Base() != v.Off()}
	out.Entries = slices.Grow(out.Entries, n)
	end := int64(layout.SizeofStringBufferHeader + n*layout.SizeofStringCounterHeader) // where the texts so far end
	for e := range v.Entries() {
		entry := StringCounter{CounterId: e.DwCounterId(), None: e.DwOffset() == layout.NoString}
		if !entry.None {
			if end, err = d.entryText(e, v.Base(), end, n-len(out.Entries), &entry); err != nil {
				return out, err
			}
		}
		out.Entries = append(out.Entries, entry)
	}
	d.loseEnd(here, r, v.Span, uint64(end))
	d.loseAfter(b, v.Len())
	return out, nil
}

// entryText decodes the text of the entry e to out.Text. The texts of earlier entries end at lastEnd. entryText returns
// the offset where the text of e ends, or lastEnd if the text of e ends before lastEnd.
func (d *decoder) entryText(e layout.StringCounter, base, lastEnd int64, remaining int, out *StringCounter) (int64, error) {
	r := &layout.PERF_STRING_COUNTER_HEADER
	text, err := e.Text()
	if err != nil {
		return 0, err
	}
	if d.budget -= text.Len(); d.budget < 0 { // a text that several entries share counts once for each entry
		return 0, broken(e.Path(), r, e.Span, "dwOffset", ErrTooLarge, "is %d: all texts together are far longer than the buffer, because too many entries share texts", e.DwOffset())
	}
	if out.Text, err = d.text(text, remaining, "Text", e.Path); err != nil {
		return 0, err
	}
	if text.Off() != lastEnd {
		d.loseField(e.Path(), r, e.Span, "dwOffset", "is %d, must be %d, where the previous text ends", e.DwOffset(), lastEnd-base)
	}
	return max(lastEnd, text.End()), nil
}

// A RegString is a text that PerfQueryCounterSetRegistrationInfo returns. For example, it is the
// name of a counter set if the request is [layout.PERF_REG_COUNTERSET_NAME_STRING]. The text is
// UTF-8 without NUL and can be empty.
type RegString string

func (s RegString) encode(b []byte, _ int) []byte {
	return append(appendLetters(b, string(s), 0), 0, 0)
}

// EncodedLen checks the text and returns its length as UTF-16 with NUL.
func (s RegString) EncodedLen() (int, error) {
	n, err := planText(string(s))
	if err == nil && n > maxTotal {
		err = fault("Text", ErrTooLarge, "takes %d bytes, must take at most %d", n, uint64(maxTotal))
	}
	if err != nil {
		return 0, err
	}
	return int(n), nil
}

// planText checks a text and returns its length with the NUL.
func planText(s string) (uint64, error) {
	if err := checkLetters(s, 0); err != nil {
		return 0, within(here.Field("Text"), err)
	}
	return lettersLen(s, 0) + terminatorLen(0), nil
}

// regString decodes the text that fills b.
func (d *decoder) regString(b []byte) (RegString, error) {
	if len(b) == 0 {
		return "", &layout.Error{Path: here.Field("Text"), Err: layout.Faultf(layout.ErrUnterminated, "has no bytes, must end in NUL")}
	}
	text, err := d.text(layout.ReadRegText(b), 1, "Text", rootPath)
	return RegString(text), err
}
