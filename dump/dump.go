// Package dump writes a block for people and tools. A test can show a block with one line of code:
//
//	t.Log(dump.Text(layout.DataBlockKind, block))
//
// Every format writes the parts that [layout.Walk] yields, one at a time. The formats hex and json
// show all bytes of a block, even of a broken block. The format tree shows only the contents. The
// time for a dump is linear in the size of the block. The memory that [Format.Write] takes is
// linear in the number of counters of an object, or in the number of strings.
//
// Dumps can be compared: the same bytes always give the same text, and a changed counter value
// changes only the lines that show it. Characters of the block that are not printable are escaped.
package dump

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A Format is a way to write a block.
type Format struct {
	Name string
	Doc  string // what the output has, for help texts

	printer func(w *bufio.Writer, kind layout.Kind, b []byte, o Options) printer
}

// Formats returns all formats. The first is the default.
func Formats() []Format {
	return []Format{
		{Name: "hex", Doc: "each field on a line, after its offset and bytes", printer: newHex},
		{Name: "tree", Doc: "the contents in a form for people: the objects or results, with their instances and values", printer: newTree},
		{Name: "json", Doc: "an array with an element for each field, for tools", printer: newJSON},
	}
}

// Options are the options of [Format.Write]. The zero value has the defaults.
type Options struct {
	Color bool // write terminal escape sequences for colours; json ignores it

	// Names returns the name of an index of the title database, or "" if the name is unknown. builtIn is true for a
	// name that is not from a title database. A dump shows the names of title indexes. If Names is nil, it shows no names.
	Names func(index uint32) (name string, builtIn bool)

	// Findings to annotate, sorted by offset.
	Findings []validate.Finding

	// Ranges are the bytes to show, sorted and without overlap. A dump does not show parts and findings outside the
	// ranges. Nil shows all parts.
	Ranges []Range
}

// A Range is a range of offsets. The first offset is From, and the last offset is To - 1.
type Range struct{ From, To int64 }

// overlap reports whether one of the ranges contains a byte of the part from off to end. Nil ranges contain all parts.
func overlap(ranges []Range, off, end int64) bool {
	at, _ := slices.BinarySearchFunc(ranges, off, func(r Range, off int64) int { return cmp.Compare(r.To, off+1) })
	// A part without bytes counts as one byte.
	return ranges == nil || at < len(ranges) && ranges[at].From < max(end, off+1)
}

// A printer writes the parts of a block in one format. It ignores write errors, because Flush returns the first write
// error.
type printer interface {
	part(e *entry)
	end()
}

// Write writes the block b to w. faults is the number of parts in the output that could not be read. The error is an
// error of w.
func (f Format) Write(w io.Writer, kind layout.Kind, b []byte, o Options) (faults int, err error) {
	const longLine = 1 << 10 // the least room in the buffer for the next line; a longer line uses other memory
	buffered := bufio.NewWriterSize(w, 1<<16)
	p := f.printer(buffered, kind, b, o)
	e := entry{strings: -1, names: o.Names}
	if kind == layout.StringsKind {
		if all, err := layout.ReadStringBuffer(b); err == nil {
			e.strings = all.Base()
		}
	}
	findings := o.Findings
	for e.Part = range layout.Walk(kind, b) {
		n := 0
		for n < len(findings) && findings[n].Off < e.End() {
			n++
		}
		e.findings, findings = findings[:n], findings[n:]
		if !overlap(o.Ranges, e.Off(), e.End()) {
			if n := len(o.Ranges); n == 0 || o.Ranges[n-1].To <= e.Off() {
				break // the part is after all ranges
			}
			continue
		}
		e.read(b)
		if e.Err != nil {
			faults++
		}
		p.part(&e)
		if buffered.Available() < longLine {
			if err := buffered.Flush(); err != nil {
				return faults, err
			}
		}
	}
	for _, f := range findings { // findings after the last byte
		if !overlap(o.Ranges, f.Off, f.Off) {
			continue
		}
		e.Part = layout.Part{Span: layout.NewSpan(nil, f.Off), Path: f.Path, Sort: layout.UnreadPart}
		e.read(b)
		e.findings = []validate.Finding{f}
		p.part(&e)
	}
	p.end()
	return faults, buffered.Flush()
}

// Text returns the block b as text in the first format of [Formats], which has a line for each
// field with its offset and bytes.
func Text(kind layout.Kind, b []byte) string {
	var out strings.Builder
	_, _ = Formats()[0].Write(&out, kind, b, Options{}) // a Builder returns no error
	return out.String()
}

// FormatNamed returns the format with the given name. The error lists the formats.
func FormatNamed(name string) (Format, error) {
	return suggest.Named("format", name, Formats(), func(f Format) string { return f.Name })
}
