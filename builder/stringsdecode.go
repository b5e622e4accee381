package builder

import "github.com/perfblock/perfblock/layout"

// UnmarshalBinary sets *s to the model of the strings b. It is as
// [DataBlock.UnmarshalBinary].
func (s *StringBuffer) UnmarshalBinary(b []byte) error {
	_, err := s.decode(b, false)
	return err
}

// UnmarshalLossy is to [StringBuffer.UnmarshalBinary] as [DataBlock.UnmarshalLossy]. What is lost
// of a text that does not stand right behind the one before it is its place.
func (s *StringBuffer) UnmarshalLossy(b []byte) ([]*layout.Error, error) { return s.decode(b, true) }

func (s *StringBuffer) decode(b []byte, lossy bool) ([]*layout.Error, error) {
	r, d, here := &layout.PERF_STRING_BUFFER_HEADER, newDecoder(b, lossy), layout.Path{}
	v, err := layout.ReadStringBuffer(b)
	if err != nil {
		return nil, err
	}
	n := int(v.DwCounters())
	out := StringBuffer{FromEntries: v.Base() != v.Off()}
	if n > 0 {
		out.Entries = make([]StringCounter, 0, n)
	}
	end := int64(out.first()) + int64(n)*int64(layout.PERF_STRING_COUNTER_HEADER.Size) // of the texts so far
	for e := range v.Entries() {
		entry := StringCounter{CounterId: e.DwCounterId(), None: e.DwOffset() == layout.NoString}
		if !entry.None {
			if end, err = d.entryText(e, v.Base(), end, n-len(out.Entries), &entry); err != nil {
				return nil, err
			}
		}
		out.Entries = append(out.Entries, entry)
	}
	padding, _ := v.Sub(uint64(end), uint64(v.End()-end))
	if err := d.loseUnlessZero(here.Field("padding"), padding); err != nil {
		return nil, err
	}
	if want := up(uint64(end), layout.Align); uint64(v.Len()) != want {
		if err := d.loseField(here, r, v.Span, "dwSize", "%d instead of %d", v.Len(), want); err != nil {
			return nil, err
		}
	}
	if err := d.behind(b, v.Len()); err != nil {
		return nil, err
	}
	if _, err := out.plan(); err != nil {
		return nil, placed(err, layout.StringsKind, b)
	}
	*s = out
	return d.list(), nil
}

// entryText decodes the text of an entry, which is to stand at end, and returns where the
// texts end with it. Several entries may have one text, and texts one end: what they take
// together is bounded.
func (d *decoder) entryText(e layout.StringCounter, base, end int64, times int, out *StringCounter) (int64, error) {
	r := &layout.PERF_STRING_COUNTER_HEADER
	text, err := e.Text()
	if err != nil {
		return 0, err
	}
	if d.budget -= text.Len(); d.budget < 0 {
		return 0, broken(e.Path(), r, e.Span, "dwOffset", ErrTooLarge, "the texts up to this one take more bytes than there are")
	}
	if out.Text, err = d.text(text, times, "Text", e.Path); err != nil {
		return 0, err
	}
	if text.Off() != end {
		err = d.loseField(e.Path(), r, e.Span, "dwOffset", "%d instead of %d, where the text before it ends", e.DwOffset(), end-base)
	}
	return max(end, text.End()), err
}
