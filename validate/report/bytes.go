package report

import (
	"strings"

	"github.com/perfblock/perfblock/validate"
)

const (
	lineBytes = 16 // on a line, as in a dump
	indent    = "  "
)

// A view is the bytes shown for a finding, and which of them are faulty. It lies in
// the block whatever the finding says.
type view struct {
	from, to int64 // on the line
	off, end int64 // faulty; end may be past the line
}

// place returns where the finding says that it is. No byte is before the first, whatever a
// finding that is not the judge's says, and SARIF has no place for one.
func place(f *validate.Finding) (off int64, length int) { return max(f.Off, 0), max(f.Len, 0) }

// viewOf chooses the line. It starts at a multiple of 16, where the place is easily
// found in any dump, unless the faulty bytes fill more than that line: then at the
// first of these. Where bytes are missing it is the line with the one before.
func viewOf(n int64, f *validate.Finding) view {
	off, length := place(f)
	off = min(off, n)
	v := view{off: off, end: off + min(n-off, int64(length))}
	first := off
	if v.end == off {
		first = max(0, off-1)
	}
	v.from = first / lineBytes * lineBytes
	if v.end > v.from+lineBytes {
		v.from = off
	}
	v.to = min(n, v.from+lineBytes)
	return v
}

// bytes shows the bytes a finding is of, and under them what is faulty.
func (t *texter) bytes(b []byte, f *validate.Finding) {
	v := viewOf(int64(len(b)), f)
	offset := hex(uint64(v.from), 4)
	var line strings.Builder
	for _, c := range b[v.from:v.to] {
		line.WriteString(hex(uint64(c), 2) + " ")
	}
	t.line(indent, t.ink.offset.text(offset+" | "+line.String()+"|"))
	t.line(indent, strings.Repeat(" ", len(offset)+len(" |")), t.marks(v, t.ink.of(f.Severity)))
}

// marks returns the carets under a line of bytes, from the space before the first:
// two under each faulty one, or a single one in the space where some are missing.
func (t *texter) marks(v view, ink paint) string {
	const column = len("00 ")
	before := strings.Repeat(" ", column*int(v.off-v.from))
	if v.end == v.off {
		return before + ink.text("^")
	}
	shown := min(v.end, v.to) - v.off
	marks := before + " " + ink.text(strings.TrimRight(strings.Repeat("^^ ", int(shown)), " "))
	if more := v.end - v.to; more > 0 {
		marks += " and " + count(int(more), "more byte")
	}
	return marks
}
