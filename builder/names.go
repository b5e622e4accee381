package builder

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf16"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// A name is UTF-8 in the model and UTF-16LE in the block. With a CodePage it is bytes of
// that code page in both.

// checkLetters checks a name.
func checkLetters(s string, codePage uint32) error {
	if i := strings.IndexByte(s, 0); i >= 0 {
		return layout.Faultf(layout.ErrNUL, "NUL at byte %d of %s", i, quote.Short(s))
	}
	if codePage != 0 {
		return nil
	}
	if err := layout.CheckUTF8(s); err != nil {
		return layout.Faultf(layout.ErrText, "%s of %s", inText(err), quote.Short(s))
	}
	return nil
}

// lettersLen returns the encoded length of a checked name without terminator.
func lettersLen(s string, codePage uint32) uint64 {
	if codePage != 0 {
		return uint64(len(s))
	}
	return uint64(layout.UTF16Len(s))
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

// appendLetters appends a checked name without terminator.
func appendLetters(b []byte, s string, codePage uint32) []byte {
	if codePage != 0 {
		return append(b, s...)
	}
	b, _ = layout.AppendUTF16(b, s) // checked, so there is no error
	return b
}

// plainName returns a name, and whether nothing of it is lost. [decoder.name] decodes the
// others. times is the expected number of names still to come, this one included.
func (d *decoder) plainName(n layout.Name, times int) (string, bool) {
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
		return d.strings.add(text, times), true
	}
	if n.IndexNUL() != end {
		return "", false
	}
	return d.plainUTF16(text, times)
}

// plainUTF16 returns the text of UTF-16LE bytes, and whether they are valid.
func (d *decoder) plainUTF16(b []byte, times int) (string, bool) {
	text, ok := appendText(d.scratch[:0], b)
	d.scratch = text
	if !ok {
		return "", false
	}
	return d.strings.add(text, times), true
}

// name returns a name, and notes what is lost of it: the characters from the first NUL on,
// and unpaired surrogates. A name without terminator is an error, except for the system's.
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
		d.lose(path, n.Span, "the %d bytes of the name do not end in NUL", n.Len())
	}
	if len(text) == 0 {
		d.lose(path, n.Span, "the name has a length but no characters")
		return "", nil
	}
	if tail := n.Len() - len(text) - n.Unit(); tail > 0 {
		lost, _ := n.Sub(uint64(len(text)), uint64(tail))
		d.lose(path, lost, "NUL inside the name, %d bytes before its end", tail+n.Unit())
	}
	if n.CodePage != 0 {
		return string(text), nil
	}
	return d.utf16(layout.NewSpan(text, n.Off()), path)
}

// text decodes a name or text that exists even without characters. field is its name, below
// path. times is as for [decoder.plainName].
func (d *decoder) text(n layout.Name, times int, field string, path func() layout.Path) (string, error) {
	if n.Len() == utf16NUL && n.Terminated() {
		return "", nil
	}
	if text, plain := d.plainName(n, times); plain {
		return text, nil
	}
	return d.name(n, path().Field(field), false)
}

// utf16 returns the text of s with U+FFFD for each unpaired surrogate, and notes those.
func (d *decoder) utf16(s layout.Span, path layout.Path) (string, error) {
	text, err := layout.DecodeUTF16(s.Bytes())
	e, bad := errors.AsType[*layout.Error](err)
	if !bad {
		return text, err
	}
	text = replaced(s.Bytes())
	// The loss extends from the first unpaired surrogate to the last byte that changes.
	kept, _ := layout.AppendUTF16(nil, text)
	end := s.Len()
	for end == len(kept) && end > 0 && kept[end-1] == s.Bytes()[end-1] {
		end, kept = end-1, kept[:end-1]
	}
	lost, _ := s.Sub(uint64(e.Off), uint64(max(end, int(e.Off)+e.Len))-uint64(e.Off))
	d.lose(path, lost, "%v", e.Err)
	return text, nil
}

// replaced returns the text of UTF-16LE with U+FFFD for each unpaired surrogate.
func replaced(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = le.Uint16(b[2*i:])
	}
	return strings.ToValidUTF8(string(utf16.Decode(units)), "\uFFFD")
}

// loseAround notes bytes of s before and after a name that are not zero.
func (d *decoder) loseAround(s layout.Span, name layout.Name, path layout.Path) {
	at := uint64(name.Off() - s.Off())
	before, _ := s.Sub(0, at)
	after, _ := s.Sub(at+uint64(name.Len()), uint64(s.Len())-at-uint64(name.Len()))
	d.loseUnlessZero(path.Field("gap"), before)
	d.loseUnlessZero(path.Field("padding"), after)
}
