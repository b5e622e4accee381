package dump

import (
	"bufio"
	"math/bits"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

const lineBytes = 16 // bytes of a part on one line

// A hexPrinter writes a line for each part, and continuation lines for a part of more than 16 bytes:
//
//	0000 | 20 00 00 00 | object[0].instance[0].ByteLength = 32   -> 0x0020
//
// The arrow shows the offset to which the value points. Columns have no fixed width, so a change of one part changes
// only the lines of the part.
type hexPrinter struct {
	w      *bufio.Writer
	ink    terminal.Palette
	ranges []Range // the first line of a part is written even if only continuation lines are in a range
}

func newHex(w *bufio.Writer, _ layout.Kind, _ []byte, o Options) printer {
	return &hexPrinter{w: w, ink: terminal.NewPalette(o.Color), ranges: o.Ranges}
}

func (h *hexPrinter) end() {}

func (h *hexPrinter) part(e *entry) {
	raw := e.Bytes()
	first := raw[:min(len(raw), lineBytes)]
	line := h.describe(append(h.columns(e.Off(), first), ' '), e)
	_, _ = h.w.Write(append(line, '\n')) // the writer keeps the error
	for at := len(first); at < len(raw); at += lineBytes {
		off, next := e.Off()+int64(at), raw[at:min(len(raw), at+lineBytes)]
		if overlap(h.ranges, off, off+int64(len(next))) {
			_, _ = h.w.Write(append(h.columns(off, next), '\n'))
		}
	}
}

// columns returns the start of a line, with the offset and the bytes, in the buffer of the writer.
func (h *hexPrinter) columns(off int64, raw []byte) []byte {
	b := append(h.w.AvailableBuffer(), h.ink.Faint.On...)
	b = append(appendOffset(b, off), " | "...)
	for _, c := range raw {
		b = append(b, hexDigits[c>>4], hexDigits[c&15], ' ')
	}
	return append(append(b, '|'), h.ink.Faint.Off...)
}

// describe appends the text after the bytes: the path, the value and its meaning, and errors.
func (h *hexPrinter) describe(b []byte, e *entry) []byte {
	b = append(e.Path.Append(append(b, h.ink.Cyan.On...)), h.ink.Cyan.Off...)
	if e.form != noText {
		b = h.ink.Bold.Append(append(b, " = "...), e.text)
	}
	if e.meaning != "" {
		b = append(append(b, "   "...), h.ink.Green.Text(e.meaning)...)
	}
	if e.title != "" {
		b = append(quote.AppendShort(append(append(b, "   "...), h.ink.Green.On...), e.title), h.ink.Green.Off...)
		if e.builtIn {
			b = append(b, " (built in)"...)
		}
	}
	if e.target >= 0 {
		b = appendOffset(append(b, "   -> 0x"...), e.target)
		if !e.inside {
			b = append(b, ", past the end"...)
		}
	}
	switch {
	case e.findingsOnly():
	case e.Sort == layout.UnreadPart:
		b = append(appendSize(b, e), " unread"...)
		if e.Err == nil {
			b = append(append(b, "   "...), h.ink.Green.Text(e.reason())...)
		}
	case e.Sort == layout.PaddingPart && e.Len() > lineBytes:
		b = appendSize(b, e)
	}
	if e.Err != nil {
		b = h.fault(b, e.reason())
	}
	for _, f := range e.findings {
		b = h.fault(b, e.findingText(f))
	}
	return b
}

func (h *hexPrinter) fault(b []byte, text string) []byte {
	return append(append(b, "   "...), h.ink.Severity(validate.Error).Text("! "+text)...)
}

// appendSize appends the number of bytes of a part that is shown without a value.
func appendSize(b []byte, e *entry) []byte {
	return append(append(b, ": "...), quote.Count(e.Len(), "byte")...)
}

// appendOffset appends an offset in hex with at least four digits.
func appendOffset(b []byte, off int64) []byte {
	return appendHex(b, uint64(off), max(4, (bits.Len64(uint64(off))+3)/4))
}
