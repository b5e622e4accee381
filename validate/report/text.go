package report

import (
	"bufio"
	"strings"

	"github.com/perfblock/perfblock/validate"
)

// A texter writes findings as a compiler does:
//
//	cpu.bin:0x0014: error: TotalByteLength is 9, want 88 to 440, the bytes there are [PERF1107 data-total-length]
//	  TotalByteLength
//	  0010 | 01 00 00 00 09 00 00 00 68 00 00 00 01 00 00 00 |
//	                     ^^ ^^ ^^ ^^
//	  mend: If the block was cut off, capture it again with a larger buffer.
//
// The first line of a finding is all that a tool needs. What the rule has to say
// stands under the first finding of the rule in each file.
type texter struct {
	w   *bufio.Writer // keeps the first error
	ink paints
}

func writeText(w *bufio.Writer, files []File, o Options) error {
	t := texter{w: w, ink: newPaints(o.Color)}
	for i := range files {
		if err := t.file(&files[i]); err != nil {
			return err
		}
	}
	return nil
}

func (t *texter) file(f *File) error {
	name := printable(f.name())
	explained := map[*validate.Rule]bool{}
	for i := range f.Result.Findings {
		found := &f.Result.Findings[i]
		t.finding(name, found)
		t.bytes(f.Block, found)
		if !explained[found.Rule] {
			t.notes(found)
			explained[found.Rule] = true
		}
		if _, err := t.w.Write(nil); err != nil {
			return err
		}
	}
	t.counts(name, f)
	return nil
}

func (t *texter) line(parts ...string) {
	for _, part := range parts {
		_, _ = t.w.WriteString(part)
	}
	_ = t.w.WriteByte('\n')
}

func (t *texter) finding(name string, f *validate.Finding) {
	off, _ := place(f)
	t.line(t.ink.place.text(name+":0x"+hex(uint64(off), 4)+":"), " ", t.ink.of(f.Severity).text(f.Severity.String()+":"), " ",
		t.ink.place.text(printable(f.Message())), " ", t.ink.rule.text("["+f.Rule.ID+" "+f.Rule.Name+"]"))
	if path := f.Path.String(); path != "" {
		t.line(indent, t.ink.path.text(path))
	}
}

// notes says what the rule does, which is the same for each of its findings.
func (t *texter) notes(f *validate.Finding) {
	if f.Rule.Event != 0 {
		t.note("perflib", eventText(f.Rule.Event))
	}
	if len(f.Rule.Misread) > 0 {
		t.note("readers", strings.Join(f.Rule.Misread, "; "))
	}
	t.note("mend", f.Rule.Mend)
	if f.Reason != "" {
		t.note("reason", f.Reason)
	}
}

func (t *texter) note(label, text string) {
	t.line(indent, t.ink.label.text(label+":"), " ", printable(text))
}

// counts ends what there is to say of a file.
func (t *texter) counts(name string, f *File) {
	if f.Input != "" {
		name += " (read as " + printable(f.Input) + ")"
	}
	ink, text := t.ink.good, "no findings"
	if kinds := severityCounts(f.Result.Counts); len(kinds) > 0 {
		ink, text = t.ink.of(worst(f.Result.Counts)), strings.Join(kinds, ", ")
	}
	more := ""
	if f.Result.Truncated {
		more = "; " + unlisted(f.Result) + ": --max-findings lists more"
	}
	t.line(t.ink.place.text(name+":"), " ", ink.text(text), more)
}
