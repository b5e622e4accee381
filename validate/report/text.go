package report

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/internal/lines"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/rulepage"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/validate"
)

// A texter writes findings as a compiler does:
//
//	cpu.bin:0x0014: error: TotalByteLength is 9, must be 88 to 440, the length of the input [PERF1107 data-total-length]
//	  TotalByteLength
//	  0010 | 01 00 00 00 09 00 00 00 68 00 00 00 01 00 00 00 |
//	                     ^^ ^^ ^^ ^^
//	  fix: If the block was cut off, capture it again with a larger buffer.
//
// A finding in a text has the line of the text:
//
//	shop.yaml:8:33: error: type is PERF_RAW_FRACTION, must have a base [PERF4021 manifest-ref-missing]
//	  counterSet[0].counter[0].type
//	     8 |       - {name: Hit ratio, type: PERF_RAW_FRACTION}
//	       |                                 ^
//
// The notes of a rule, such as the fix, follow only the first finding of the rule in a file.
type texter struct {
	w   *bufio.Writer // keeps the first error
	ink terminal.Palette

	quiet  bool
	files  int // written so far
	counts validate.Counts
	noter
}

func newText(w *bufio.Writer, o Options) reporter {
	t := &texter{w: w, ink: terminal.NewPalette(o.Color), quiet: o.Quiet}
	if o.Summary {
		return &summary{t, make(map[string]validate.Counts), make(map[string]validate.Counts), make(map[string]validate.Counts)}
	}
	return t
}

// unchecked writes nothing: the user already sees the error that the command prints.
func (t *texter) unchecked(*Unchecked) error { return nil }

// finish writes the totals of all files, and a line about an interrupted run.
func (t *texter) finish(e End) error {
	// In a report on one file, the line about the file has the totals.
	if !t.quiet && (t.files > 1 || t.others > 0) {
		t.total()
	}
	return t.stop(e)
}

func (t *texter) total() {
	text := "total of " + quote.Count(t.files, "file") + ": " + t.totals(t.counts) + suppressed(t.suppressed)
	if t.others > 0 {
		text += "; " + quote.Count(t.others, "other file") + " skipped (not a block, or not a regular file)"
	}
	t.line(text)
}

func (t *texter) stop(e End) error {
	if e.Interrupted {
		t.line("interrupted: files are missing from this report")
	}
	_, err := t.w.Write(nil)
	return err
}

func (t *texter) file(f *File) error {
	name := terminal.Printable(f.name())
	explained := map[*validate.Rule]bool{}
	var source []string // the lines of a text
	for i := range f.Result.Findings {
		found := &f.Result.Findings[i]
		t.finding(name, f, found)
		if t.quiet {
			continue
		}
		t.path(found, identity.TitleText(f.titles(i)))
		switch {
		case f.record != nil:
		case f.Form == "":
			t.hexLine(f.Block, found)
		default:
			if source == nil {
				source = f.SourceLines()
			}
			t.source(source, found)
		}
		if !explained[found.Rule] {
			t.notes(found)
			explained[found.Rule] = true
		}
		if _, err := t.w.Write(nil); err != nil {
			return err
		}
	}
	t.files++
	t.counts = sum(t.counts, f.Result.Counts)
	t.add(f)
	if !t.quiet {
		t.fileTotals(name, f)
	}
	_, err := t.w.Write(nil)
	return err
}

func (t *texter) line(parts ...string) {
	_, _ = t.w.WriteString(strings.Join(parts, "") + "\n")
}

// finding writes the first line of a finding. In quiet text, this line also has the kind of the block if the kind was
// detected.
func (t *texter) finding(name string, f *File, found *validate.Finding) {
	message := terminal.Printable(found.Message())
	if t.quiet {
		message += f.detected()
	}
	t.line(t.ink.Bold.Text(name+":"+f.position(found)+":"), " ", t.ink.Severity(found.Severity).Text(found.Severity.String()+":"), " ",
		t.ink.Bold.Text(message), " ", t.ink.Faint.Text("["+found.Rule.ID+" "+found.Rule.Name+"]"))
}

// path writes the path of a finding, and the names of the object and the counter.
func (t *texter) path(f *validate.Finding, titles string) {
	path := f.Path.String()
	switch {
	case path == "":
	case titles == "":
		t.line(indent, t.ink.Cyan.Text(path))
	default:
		t.line(indent, t.ink.Cyan.Text(path), "   ", t.ink.Green.Text(titles))
	}
}

// notes writes the texts of the rule, and the reason of the override if there is a reason.
func (t *texter) notes(f *validate.Finding) {
	if f.Rule.Event != 0 {
		t.note("perflib", rulepage.Event(f.Rule.Event))
	}
	if len(f.Rule.Misread) > 0 {
		t.note("readers", strings.Join(f.Rule.Misread, "; "))
	}
	t.note("fix", f.Rule.Fix)
	if f.Reason != "" {
		t.note("reason", f.Reason)
	}
}

func (t *texter) note(label, text string) {
	t.line(indent, t.ink.Bold.Text(label+":"), " ", terminal.Printable(text))
}

// fileTotals writes the last line about a file, which has the number of findings.
func (t *texter) fileTotals(name string, f *File) {
	if f.Input != "" {
		name += " (read as " + terminal.Printable(f.Input) + ")"
	}
	name += f.detected()
	more := ""
	if f.Result.Truncated {
		more = "; " + f.unlisted()
		if f.missing == 0 {
			more += ": --max-findings lists more"
		}
	}
	t.line(t.ink.Bold.Text(name+":"), " ", t.totals(f.Result.Counts), suppressed(f.Suppressed), more)
}

// suppressed returns a text with the number of findings that are suppressed, "" for none.
func suppressed(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d suppressed)", n)
}

// totals returns the number of findings of each severity, in the colour of the highest severity.
func (t *texter) totals(c validate.Counts) string {
	for _, s := range slices.Backward(validate.Severities()) {
		if c.Of(s) > 0 {
			return t.ink.Severity(s).Text(severityCounts(c))
		}
	}
	return t.ink.Green.Text("no findings")
}

const (
	lineBytes = 16 // bytes on a line, as in a dump
	indent    = "  "
)

// A view is the line of bytes that is shown for a finding. All offsets in a view are inside the block, even if the
// finding has offsets outside the block.
type view struct {
	from, to int64 // the bytes on the line
	off, end int64 // the bytes of the finding; end may be after the line
}

// viewOf returns the view for a finding in a block of n bytes.
func viewOf(n int64, f *validate.Finding) view {
	off, length := place(f)
	off = min(off, n)
	v := view{off: off, end: off + min(n-off, int64(length))}
	first := off
	// If the finding has no bytes, show the line with the byte before its offset.
	if v.end == off {
		first = max(0, off-1)
	}
	v.from = first / lineBytes * lineBytes
	// If the finding does not end on this line, begin the line at the first byte of the finding.
	if v.end > v.from+lineBytes {
		v.from = off
	}
	v.to = min(n, v.from+lineBytes)
	return v
}

// hexLine writes a line of bytes, and carets under the bytes of the finding.
func (t *texter) hexLine(b []byte, f *validate.Finding) {
	v := viewOf(int64(len(b)), f)
	offset := fmt.Sprintf("%04x", v.from)
	line := " | "
	if v.from < v.to {
		line += fmt.Sprintf("% x ", b[v.from:v.to])
	}
	t.line(indent, t.ink.Faint.Text(offset+line+"|"))
	t.line(indent, strings.Repeat(" ", len(offset)+len(" |")), t.carets(v, t.ink.Severity(f.Severity)))
}

// source writes the line that has the finding, and a caret under the column. The parameter text has the lines of
// the file.
func (t *texter) source(text []string, f *validate.Finding) {
	line, column := textPlace(f)
	if line > len(text) {
		return
	}
	marked := lines.Marked(text[line-1], column, terminal.Printable)
	if marked == "" {
		return
	}
	part, caret, _ := strings.Cut(marked, "\n")
	number := fmt.Sprintf("%4d", line)
	t.line(indent, t.ink.Faint.Text(number+" |"), " ", part)
	t.line(indent, strings.Repeat(" ", len(number)), t.ink.Faint.Text(" |"), " ", strings.TrimSuffix(caret, "^"), t.ink.Severity(f.Severity).Text("^"))
}

// carets returns the line to show below a line of bytes. It has two carets below each byte of the finding. Its first
// character is below the space before the first byte.
func (t *texter) carets(v view, ink terminal.Paint) string {
	const column = len("00 ")
	before := strings.Repeat(" ", column*int(v.off-v.from))
	if v.end == v.off {
		return before + ink.Text("^") // between two bytes
	}
	shown := min(v.end, v.to) - v.off
	marks := before + " " + ink.Text(strings.TrimRight(strings.Repeat("^^ ", int(shown)), " "))
	if more := v.end - v.to; more > 0 {
		marks += " and " + quote.Count(more, "more byte")
	}
	return marks
}
