package diff

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/perfblock/perfblock/dump"
	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A Format is a way to write differences.
type Format struct {
	Name string
	Doc  string // description for help, without a full stop

	write func(w *bufio.Writer, r *Result, o WriteOptions)
}

// Formats returns all formats. The first is the default.
func Formats() []Format {
	return []Format{
		{Name: "text", Doc: "a line with the number of differences, and a line for each", write: writeText},
		{Name: "json", Doc: "an object with an element for each difference, for tools", write: writeJSON},
	}
}

// FormatNamed returns the format with the given name. The error lists the names.
func FormatNamed(name string) (Format, error) {
	return suggest.Named("format", name, Formats(), func(f Format) string { return f.Name })
}

// WriteOptions are the options of [Format.Write]. The zero value names the blocks "A" and "B".
type WriteOptions struct {
	A, B     File
	Detected bool // the kind was detected from the bytes; only in JSON

	// Names returns the name of an index of the title database, or "" if the name is unknown. builtIn is true for a
	// name that is not from a title database. The output has the names of V1 objects and V1 counters. If Names is nil,
	// the output has no names.
	Names func(index uint32) (name string, builtIn bool)

	Color bool // write terminal escape sequences for colours, only in text
}

// A File is the source of a block.
type File struct {
	Path  string // as the user wrote it; - is standard input
	Input string // form of the file, such as hex; "" if the file has the bytes of the block
}

// Write writes the differences to w. The error is the first error of w.
func (f Format) Write(w io.Writer, r Result, o WriteOptions) error {
	if o.A == (File{}) && o.B == (File{}) {
		o.A.Path, o.B.Path = "A", "B"
	}
	buffered := bufio.NewWriterSize(w, 1<<16)
	f.write(buffered, &r, o)
	return buffered.Flush()
}

// Text compares two blocks of one kind and returns the differences as text, or "" if the blocks are equal. The text
// names the first block "want" and the second block "got".
func Text(kind layout.Kind, want, got []byte) string {
	r := Compare(kind, want, got, Options{})
	if r.Counts.Total() == 0 {
		return ""
	}
	var out strings.Builder
	_ = Formats()[0].Write(&out, r, WriteOptions{A: File{Path: "want"}, B: File{Path: "got"}}) // a Builder returns no error
	return out.String()
}

// writeText writes the number of differences, and a line for each difference:
//
//	changed 01a4 01ac | object[0].instance[5].block.value[2] = 1000 -> 2000   PERF_COUNTER_RAWCOUNT   object[230].instance["chrome"].block.value[142]
//
// A line has the offsets in A and in B, the path, the values, and the Identity. The path is from A, or from B if the
// part was added.
func writeText(w *bufio.Writer, r *Result, o WriteOptions) {
	fmt.Fprintf(w, "%s and %s: %s\n", o.A.name(), o.B.name(), r.summary())
	ink := terminal.NewPalette(o.Color)
	var listed Counts
	for i := range r.Differences {
		d := &r.Differences[i]
		listed[d.Sort]++
		line := inkOf(&ink, d.Change).Text(fmt.Sprintf("%-7v", d.Change))
		line += ink.Faint.Text(fmt.Sprintf(" %s %s |", offset(d.A, d.Change != Added), offset(d.B, d.Change != Removed))) + " "
		line += d.text(&ink)
		if titles := identity.TitleText(identity.Titles(r.Kind, d.Identity, o.Names)); titles != "" {
			line += "   " + titles
		}
		_, _ = w.WriteString(line + "\n") // the writer keeps the error
	}
	for s, n := range r.Counts {
		if more := n - listed[s]; more > 0 {
			fmt.Fprintf(w, "%s not listed\n", quote.Count(more, "more "+sorts[s].noun))
		}
	}
}

// summary returns a text such as "3 differences: 2 values, 1 record".
func (r *Result) summary() string {
	var words []string
	for s, n := range r.Counts {
		if n > 0 {
			words = append(words, quote.Count(n, sorts[s].noun))
		}
	}
	text := "no differences"
	if len(words) > 0 {
		text = quote.Count(r.Counts.Total(), "difference") + ": " + strings.Join(words, ", ")
	}
	if len(r.Ignored) > 0 {
		words = nil
		for _, s := range r.Ignored {
			words = append(words, s.String())
		}
		text += " (without " + strings.Join(words, ", ") + ")"
	}
	return text
}

func (f File) name() string {
	if f.Path == "-" {
		return "standard input"
	}
	return terminal.Printable(f.Path)
}

func inkOf(ink *terminal.Palette, c Change) terminal.Paint {
	switch c {
	case Removed:
		return ink.Severity(validate.Error)
	case Added:
		return ink.Green
	case Moved:
		return ink.Cyan
	}
	return ink.Severity(validate.Warning)
}

func offset(p layout.Part, present bool) string {
	if !present {
		return "-   "
	}
	return fmt.Sprintf("%04x", p.Off())
}

// text returns the line of a difference, without the kind of change and the offsets at the start of the line.
func (d *Difference) text(ink *terminal.Palette) string {
	part := d.part()
	path, name := part.Path.String(), "the header"
	if part.Sort == layout.UnreadPart {
		name = "the block from here on"
	}
	value, meaning := d.values()
	line := ink.Cyan.Text(cmp.Or(path, name))
	if d.Change == Moved {
		line += " -> " + ink.Cyan.Text(d.B.Path.String())
	}
	if value != "" {
		line += " " + ink.Bold.Text(value)
	}
	if meaning != "" {
		line += "   " + ink.Green.Text(meaning)
	}
	if d.Identity != path {
		line += "   " + d.Identity
	}
	return line
}

// values returns the values of a difference and their meaning.
func (d *Difference) values() (values, meaning string) {
	switch d.Change {
	case Moved:
		return "", ""
	case Removed, Added:
		return loneText(*d.part())
	}
	textA, meaningA := value(d.A)
	textB, meaningB := value(d.B)
	meaning = meaningA
	if meaningA != meaningB {
		meaning = cmp.Or(meaningA, "(none)") + " -> " + cmp.Or(meaningB, "(none)")
	}
	if textA == "" || textB == "" || textA == textB {
		at, a, b := firstDifference(d.A, d.B)
		return fmt.Sprintf("%s -> %s, at %d: %s -> %s", quote.Count(d.A.Len(), "byte"), quote.Count(d.B.Len(), "byte"), at, orEnd(a), orEnd(b)), meaning
	}
	return "= " + textA + " -> " + textB, meaning
}

func orEnd(b []byte) string {
	if len(b) == 0 {
		return "end"
	}
	return fmt.Sprintf("% x", b)
}

// loneText returns the text for a part that only one block has: its value, or its size if it has no value.
func loneText(p layout.Part) (text, meaning string) {
	text, meaning = value(p)
	if text == "" || p.Sort == layout.RecordPart {
		return "of " + quote.Count(p.Len(), "byte"), meaning
	}
	return "= " + text, meaning
}

// longestText is the largest number of bytes of a value in the output. A longer text is shown as bytes.
const longestText = 200

// value returns the value of a part and its meaning, or "" for a part that is shown as bytes.
func value(p layout.Part) (text, meaning string) {
	if p.Len() > longestText {
		return "", ""
	}
	text, meaning = dump.Value(p)
	if len(text) > longestText {
		text = ""
	}
	return text, meaning
}

// shownBytes is the largest number of bytes in the output for a part without a value.
const shownBytes = 8

// firstDifference returns the offset of the first byte that differs in two parts. It also returns the bytes of each
// part from this offset on, at most shownBytes.
func firstDifference(a, b layout.Part) (at int, inA, inB []byte) {
	at = commonPrefix(a.Bytes(), b.Bytes())
	inA, inB = a.Bytes()[at:], b.Bytes()[at:]
	return at, inA[:min(len(inA), shownBytes)], inB[:min(len(inB), shownBytes)]
}

// commonPrefix returns the number of equal bytes at the start of two slices.
func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
