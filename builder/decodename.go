package builder

import (
	"errors"
	"strings"
	"unicode/utf16"

	"github.com/perfblock/perfblock/layout"
)

// name returns a name as the model has it. Where the block's is no such name it
// notes what is lost: all from the first NUL on, or an unpaired surrogate. A name
// without terminator is an error unless it is the system's.
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
	} else if err := d.lose(path, n.Span, "the %d bytes of the name do not end in NUL", n.Len()); err != nil {
		return "", err
	}
	if len(text) == 0 {
		return "", d.lose(path, n.Span, "a name of no characters that is not absent")
	}
	if tail := n.Len() - len(text) - n.Unit(); tail > 0 {
		lost, _ := n.Sub(uint64(len(text)), uint64(tail))
		if err := d.lose(path, lost, "NUL inside the name, %d bytes before its end", tail+n.Unit()); err != nil {
			return "", err
		}
	}
	if n.CodePage != 0 {
		return string(text), nil
	}
	return d.utf16(layout.NewSpan(text, n.Off()), path)
}

// utf16 returns the text of s, with U+FFFD for what is none, which it notes.
func (d *decoder) utf16(s layout.Span, path layout.Path) (string, error) {
	text, err := layout.DecodeUTF16(s.Bytes())
	e, bad := errors.AsType[*layout.Error](err)
	if !bad {
		return text, err
	}
	text = replaced(s.Bytes())
	// There may be more behind the first: what is lost runs to the last byte that changes.
	kept, _ := layout.AppendUTF16(nil, text)
	end := s.Len()
	for end == len(kept) && end > 0 && kept[end-1] == s.Bytes()[end-1] {
		end, kept = end-1, kept[:end-1]
	}
	lost, _ := s.Sub(uint64(e.Off), uint64(max(end, int(e.Off)+e.Len))-uint64(e.Off))
	if err := d.lose(path, lost, "%v", e.Err); err != nil {
		return "", err
	}
	return text, nil
}

// replaced returns the text of UTF-16LE with U+FFFD for what is none.
func replaced(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = le.Uint16(b[2*i:])
	}
	return strings.ToValidUTF8(string(utf16.Decode(units)), "\uFFFD")
}
