// Package dump shows a block to people and to tools.
//
// The one idea to know: every format is another way to write the parts that
// [layout.Walk] gives, one at a time, so a dump shows all there is of a broken
// block, in time linear in its size and with no more memory than a definition of
// the object at hand takes.
//
// Dumps are made to be kept and compared: the same bytes always give the same
// text, and a byte that changes changes the lines that tell of it and no others.
// Text of the block never reaches the output raw: see [AppendText].
package dump

import (
	"bufio"
	"io"

	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A Format is a way to show a block.
type Format struct {
	Name string
	Doc  string // half a sentence

	show func(w *bufio.Writer, kind layout.Kind, b []byte, o Options) shower
}

// Formats lists every format. The first is the one to use unless asked otherwise.
func Formats() []Format {
	return []Format{
		{Name: "hex", Doc: "each field on a line, after its offset and bytes", show: newHex},
		{Name: "tree", Doc: "what the block says, such as objects or answers with instances and values, for reading", show: newTree},
		{Name: "json", Doc: "an array with an element for each field, for tools", show: newJSON},
	}
}

// Options is what a caller may choose; the zero value is the default.
type Options struct {
	Color bool // by the escape sequences of terminals; json has none

	// Findings are shown at the bytes they are of. They are in order of offset.
	Findings []validate.Finding
}

// A shower writes the parts of one block. The writer keeps the first error.
type shower interface {
	part(s *said)
	end()
}

// Write shows the block b. Faults is the number of places in it that could not be
// read, of which the output tells; they are no error, which is one of w.
func (f Format) Write(w io.Writer, kind layout.Kind, b []byte, o Options) (faults int, err error) {
	buffered := bufio.NewWriterSize(w, 1<<16)
	show := f.show(buffered, kind, b, o)
	s := said{strings: stringsBase(kind, b)}
	findings := o.Findings
	for p := range layout.Walk(kind, b) {
		s.read(b, p)
		s.findings, findings = upTo(findings, p)
		if s.err != nil {
			faults++
		}
		show.part(&s)
		if _, err := buffered.Write(nil); err != nil {
			return faults, err
		}
	}
	for _, f := range findings { // of bytes that are not there
		s.read(b, layout.Part{Span: layout.NewSpan(nil, f.Off), Path: f.Path, Sort: layout.UnreadPart})
		s.findings = []validate.Finding{f}
		show.part(&s)
	}
	show.end()
	return faults, buffered.Flush()
}

// upTo splits off the findings that start before the end of a part.
func upTo(findings []validate.Finding, p layout.Part) (here, later []validate.Finding) {
	n := 0
	for n < len(findings) && findings[n].Off < p.End() {
		n++
	}
	return findings[:n], findings[n:]
}

// FormatNamed returns the format of that name. The error lists those there are.
func FormatNamed(name string) (Format, error) {
	return suggest.Named("format", name, Formats(), func(f Format) string { return f.Name })
}
