package builder

import (
	"slices"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// StringBuffer is what PerfQueryCounterSetRegistrationInfo returns for
// [layout.PERF_REG_COUNTER_NAME_STRINGS], [layout.PERF_REG_COUNTER_HELP_STRINGS] and
// [layout.PERF_REG_COUNTER_ENGLISH_NAMES]: a text for each counter of a set.
// Source: PERF_STRING_BUFFER_HEADER.
type StringBuffer struct {
	// Entries are the counters. Their texts are written one behind the other, in the same
	// order. Two may be of one counter.
	Entries []StringCounter
	// FromEntries makes the offsets count from the end of the entries, as MS-PCQ has it,
	// and not from the start of the buffer, as Windows does. Without a text there is no
	// telling, and it is false.
	FromEntries bool
}

// A StringCounter is a counter with its text.
// Source: PERF_STRING_COUNTER_HEADER.
type StringCounter struct {
	CounterId uint32
	// Text is of UTF-8 without NUL; it may be empty.
	Text string
	// None is for a counter without any text, not even an empty one.
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

// AppendBinary appends the strings to b and returns the longer slice. It is as
// [QueryData.AppendBinary].
func (s StringBuffer) AppendBinary(b []byte) ([]byte, error) {
	total, err := s.plan()
	if err != nil {
		return b, err
	}
	start := len(b)
	b = slices.Grow(b, int(total))
	b = wire.StringBufferHeader{DwSize: uint32(total), DwCounters: uint32(len(s.Entries))}.Append(b)
	at := s.first()
	if s.FromEntries {
		at = 0
	}
	for _, e := range s.Entries {
		offset := uint64(layout.NoString)
		if !e.None {
			offset, at = at, at+e.textLen()
		}
		b = wire.StringCounterHeader{DwCounterId: e.CounterId, DwOffset: uint32(offset)}.Append(b)
	}
	for _, e := range s.Entries {
		if !e.None {
			b = append(appendLetters(b, e.Text, 0), 0, 0)
		}
	}
	return zeroTo(b, start+int(total)), nil
}

// MarshalBinary returns the strings. Its errors are those of [StringBuffer.AppendBinary].
func (s StringBuffer) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

// EncodedLen returns the bytes that the strings take. Its errors are those of
// [StringBuffer.AppendBinary].
func (s StringBuffer) EncodedLen() (int, error) {
	n, err := s.plan()
	return int(n), err
}

// plan checks the texts and returns dwSize.
func (s *StringBuffer) plan() (uint64, error) {
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
			return 0, fault(entryPath(i), "", ErrTooLarge, "with it the strings take %d bytes, which is too many", total)
		}
	}
	if s.FromEntries && texts == 0 {
		return 0, fault(layout.Path{}, "FromEntries", layout.ErrRange, "without a text no offset counts from anywhere")
	}
	return up(total, layout.Align), nil
}

// plan checks the text and returns what it takes.
func (e *StringCounter) plan() (uint64, error) {
	if e.None && e.Text != "" {
		return 0, fault(layout.Path{}, "Text", ErrConflict, "%s, although None is set", quote.Short(e.Text))
	}
	if e.None {
		return 0, nil
	}
	return planText(e.Text)
}

// first returns where the texts start.
func (s *StringBuffer) first() uint64 {
	return uint64(layout.PERF_STRING_BUFFER_HEADER.Size) + uint64(len(s.Entries))*uint64(layout.PERF_STRING_COUNTER_HEADER.Size)
}

// textLen returns what a checked text takes.
func (e *StringCounter) textLen() uint64 { return lettersLen(e.Text, 0) + terminatorLen(0) }

func entryPath(i int) layout.Path { return layout.Path{}.At("entry", i) }
