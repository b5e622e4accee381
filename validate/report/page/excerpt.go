package page

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/dump"
	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

const (
	lineBytes = 16        // bytes on a line of a dump
	around    = 64        // bytes shown before and after a finding
	maxShown  = 320 << 10 // bytes shown of a block larger than [WholeBlock]
	maxLine   = 400       // bytes of a line of the dump, before it is escaped
)

// dump sets v.Dump. The dump of a large block has only the start of the block and the bytes around the listed
// findings. names returns the name of a title index.
func (v *view) dump(f report.File, listed []*validate.Finding, names func(index uint32) (name string, builtIn bool)) {
	v.Shown = "The text has all bytes of the block."
	n := int64(len(f.Block))
	var ranges []dump.Range
	if n > WholeBlock {
		var distance int64
		ranges, distance = rangesOf(n, listed)
		v.Shown = fmt.Sprintf("The block has %d bytes. The text shows the start of the block, and the lines up to %d bytes before and after each listed finding. Only the start of a long finding is shown.", n, distance)
	}
	out := excerpt{left: v.left}
	_, _ = dump.Formats()[0].Write(&out, f.Kind, f.Block, dump.Options{Ranges: ranges, Names: names}) // the only error is errCut
	out.flush()
	if out.cut {
		v.Shown += " The text ends early, because the page would be too large."
	}
	v.Dump = template.HTML(out.html.String())
}

// rangesOf returns the ranges of a block of n bytes to dump: the start of the block, and whole lines around each
// finding. margin is the number of bytes before and after a finding. It is [around], or less if the ranges would
// otherwise have more than [maxShown] bytes.
func rangesOf(n int64, findings []*validate.Finding) (ranges []dump.Range, margin int64) {
	for margin = around; ; margin /= 2 {
		ranges = append(ranges[:0], dump.Range{From: 0, To: around})
		for _, f := range findings {
			off := min(max(f.Off, 0), n)
			length := min(int64(max(f.Len, 0)), max(margin, 1)) // only the first bytes of a long finding
			from := max(0, off-margin) / lineBytes * lineBytes
			to := (off + length + margin + lineBytes - 1) / lineBytes * lineBytes
			ranges = append(ranges, dump.Range{From: from, To: min(n, to)})
		}
		var total int64
		if ranges, total = merged(ranges); total <= maxShown || margin == 0 {
			return ranges, margin
		}
	}
}

// merged sorts the ranges, and joins ranges that overlap or have at most one line between them. total is the
// number of bytes in the joined ranges.
func merged(ranges []dump.Range) (list []dump.Range, total int64) {
	slices.SortFunc(ranges, func(a, b dump.Range) int { return cmp.Compare(a.From, b.From) })
	for _, r := range ranges {
		if last := len(list) - 1; last >= 0 && r.From <= list[last].To+lineBytes {
			list[last].To = max(list[last].To, r.To)
		} else {
			list = append(list, r)
		}
	}
	for _, r := range list {
		total += r.To - r.From
	}
	return list, total
}

// An excerpt converts a dump to HTML. The path of a record is on a line before the fields of the record:
//
//	0000 | 50 00 45 00 52 00 46 00 | Signature = "PERF"
//	object[0].instance[1]
//	0110 | 20 00 00 00 | ByteLength = 32
type excerpt struct {
	html   strings.Builder
	left   int    // bytes of HTML that may still be written
	line   []byte // the start of the current line, at most maxLine+1 bytes
	record string // the path of the record that has the last field
	cut    bool
}

var errCut = errors.New("the excerpt is full")

// Write cuts long lines, and returns errCut when the excerpt is full.
func (e *excerpt) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		e.line = append(e.line, line[:min(len(line), maxLine+1-len(e.line))]...)
		if ended {
			e.flush()
		}
		if rest = after; e.cut {
			return 0, errCut
		}
	}
	return len(b), nil
}

// flush writes the current line. It does nothing if the line is empty or the excerpt is full.
func (e *excerpt) flush() {
	if len(e.line) == 0 || e.cut {
		return
	}
	text, cut := quote.First(string(e.line), maxLine)
	if cut {
		text += "..."
	}
	e.line = e.line[:0]
	if field := fieldLine().FindStringSubmatch(text); field != nil {
		columns, record, rest := field[1], strings.TrimSuffix(field[2], "."), field[3]
		if text = columns + rest; record != e.record {
			// The line with the record is empty for fields without a record.
			text, e.record = record+"\n"+text, record
		}
	}
	escaped := template.HTMLEscapeString(text) + "\n"
	if e.left -= len(escaped); e.left < 0 {
		e.cut = true
		return
	}
	e.html.WriteString(escaped)
}

// fieldLine matches the first line of a field in a dump: the offset and the bytes, the path of the
// record, and the rest of the line.
var fieldLine = lazy.Regexp(`^([^|]*\|[^|]*\| )((?:[\w\[\]]+\.)*)(.*)$`)
