package dump

import (
	"bufio"
	"strconv"

	"github.com/perfblock/perfblock/layout"
)

const lineBytes = 16 // of a part on one line

// A hexShower writes a line for each part, and one more for each 16 bytes more of it:
//
//	0000 | 20 00 00 00 | object[0].instance[0].ByteLength = 32   -> 0x0020
//
// That is the offset, the bytes, and path = value, then what the value means, the
// offset it leads to, and after a ! what is wrong, or a finding. Columns are not padded, so that
// no line depends on another. Where counters overlap, a byte is in more than one line.
type hexShower struct {
	w    *bufio.Writer
	ink  paints
	line []byte
	path []byte
}

func newHex(w *bufio.Writer, _ layout.Kind, _ []byte, o Options) shower {
	return &hexShower{w: w, ink: newPaints(o.Color)}
}

func (h *hexShower) end() {}

func (h *hexShower) part(s *said) {
	b := s.Bytes()
	first := b[:min(len(b), lineBytes)]
	h.columns(s.Off(), first)
	h.line = append(h.line, ' ')
	h.say(s)
	h.flush()
	for at := len(first); at < len(b); at += lineBytes {
		h.columns(s.Off()+int64(at), b[at:min(len(b), at+lineBytes)])
		h.flush()
	}
}

// columns starts a line with offset and bytes.
func (h *hexShower) columns(off int64, b []byte) {
	h.line = append(h.line[:0], h.ink.offset.on...)
	h.line = appendOffset(h.line, off)
	h.line = append(h.line, " | "...)
	for _, c := range b {
		h.line = append(h.line, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15], ' ')
	}
	h.line = append(h.line, '|')
	h.line = append(h.line, h.ink.offset.off...)
}

func (h *hexShower) flush() {
	h.line = append(h.line, '\n')
	_, _ = h.w.Write(h.line) // the writer keeps the error
}

// say appends what there is to say of the part.
func (h *hexShower) say(s *said) {
	h.path = s.Path.Append(h.path[:0])
	h.line = h.ink.path.append(h.line, h.path)
	if len(s.value) > 0 {
		h.line = h.ink.value.append(append(h.line, " = "...), s.value)
	}
	if len(s.text) > 0 {
		h.line = h.ink.value.append(append(h.line, " = "...), s.text)
	}
	if s.meaning != "" {
		h.line = h.ink.meaning.appendString(append(h.line, "   "...), s.meaning)
	}
	if s.target >= 0 {
		h.line = appendOffset(append(h.line, "   -> 0x"...), s.target)
		if !s.inside {
			h.line = append(h.line, ", past the end"...)
		}
	}
	switch {
	case s.nothing():
	case s.Sort == layout.UnreadPart:
		h.line = append(h.size(s), " unread"...)
		if s.err == nil {
			h.line = h.ink.meaning.appendString(append(h.line, "   "...), s.reason())
		}
	case s.Sort == layout.PaddingPart && s.Len() > lineBytes:
		h.line = h.size(s)
	}
	if s.err != nil {
		h.line = h.ink.fault.appendString(append(h.line, "   "...), "! "+s.reason())
	}
	for _, f := range s.findings {
		h.line = h.ink.fault.appendString(append(h.line, "   "...), "! "+s.judged(f))
	}
}

// size appends how long a part is that holds no one value.
func (h *hexShower) size(s *said) []byte {
	return append(strconv.AppendInt(append(h.line, ": "...), int64(s.Len()), 10), " bytes"...)
}

// appendOffset appends an offset in hex, of four digits at least.
func appendOffset(b []byte, off int64) []byte {
	for limit := int64(0x1000); limit > 1 && off < limit; limit >>= 4 {
		b = append(b, '0')
	}
	return strconv.AppendInt(b, off, 16)
}
