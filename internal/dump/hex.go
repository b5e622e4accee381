package dump

import (
	"bufio"
	"strconv"

	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

const lineBytes = 16 // bytes of a part on one line

// A hexPrinter writes a line for each part, and continuation lines for a part of more than 16
// bytes:
//
//	0000 | 20 00 00 00 | object[0].instance[0].ByteLength = 32   -> 0x0020
//
// A line has the offset, the bytes, the path and the value, then the meaning of the value,
// the offset to which the value points, and errors and findings after a !. Columns have no
// fixed width, so a change of one part changes only the lines of the part. A byte that
// several counters share is on several lines.
type hexPrinter struct {
	w    *bufio.Writer
	ink  terminal.Palette
	line []byte
	path []byte
}

func newHex(w *bufio.Writer, _ layout.Kind, _ []byte, o Options) printer {
	return &hexPrinter{w: w, ink: terminal.NewPalette(o.Color)}
}

func (h *hexPrinter) end() {}

func (h *hexPrinter) part(e *entry) {
	b := e.Bytes()
	first := b[:min(len(b), lineBytes)]
	h.columns(e.Off(), first)
	h.line = append(h.line, ' ')
	h.describe(e)
	h.flush()
	for at := len(first); at < len(b); at += lineBytes {
		h.columns(e.Off()+int64(at), b[at:min(len(b), at+lineBytes)])
		h.flush()
	}
}

// columns starts a line with the offset and the bytes.
func (h *hexPrinter) columns(off int64, b []byte) {
	h.line = append(h.line[:0], h.ink.Faint.On...)
	h.line = appendOffset(h.line, off)
	h.line = append(h.line, " | "...)
	for _, c := range b {
		h.line = append(h.line, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15], ' ')
	}
	h.line = append(h.line, '|')
	h.line = append(h.line, h.ink.Faint.Off...)
}

func (h *hexPrinter) flush() {
	h.line = append(h.line, '\n')
	_, _ = h.w.Write(h.line) // the writer keeps the error
}

// describe appends the text after the bytes: the path, the value and its meaning, and errors.
func (h *hexPrinter) describe(e *entry) {
	h.path = e.Path.Append(h.path[:0])
	h.line = h.ink.Cyan.Append(h.line, h.path)
	if len(e.value) > 0 {
		h.line = h.ink.Bold.Append(append(h.line, " = "...), e.value)
	}
	if len(e.text) > 0 {
		h.line = h.ink.Bold.Append(append(h.line, " = "...), e.text)
	}
	if e.meaning != "" {
		h.line = h.ink.Green.AppendString(append(h.line, "   "...), e.meaning)
	}
	if e.target >= 0 {
		h.line = appendOffset(append(h.line, "   -> 0x"...), e.target)
		if !e.inside {
			h.line = append(h.line, ", past the end"...)
		}
	}
	switch {
	case e.findingsOnly():
	case e.Sort == layout.UnreadPart:
		h.line = append(h.size(e), " unread"...)
		if e.err == nil {
			h.line = h.ink.Green.AppendString(append(h.line, "   "...), e.reason())
		}
	case e.Sort == layout.PaddingPart && e.Len() > lineBytes:
		h.line = h.size(e)
	}
	if e.err != nil {
		h.fault(e.reason())
	}
	for _, f := range e.findings {
		h.fault(e.findingText(f))
	}
}

func (h *hexPrinter) fault(text string) {
	h.line = h.ink.Severity(validate.Error).AppendString(append(h.line, "   "...), "! "+text)
}

// size appends the number of bytes of a part that is shown without a value.
func (h *hexPrinter) size(e *entry) []byte {
	return append(append(h.line, ": "...), count(int64(e.Len()), "byte")...)
}

// appendOffset appends an offset in hex with at least four digits.
func appendOffset(b []byte, off int64) []byte {
	for limit := int64(0x1000); limit > 1 && off < limit; limit >>= 4 {
		b = append(b, '0')
	}
	return strconv.AppendInt(b, off, 16)
}
