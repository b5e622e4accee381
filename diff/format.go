package diff

import (
	"bufio"
	"io"
	"strings"

	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/layout"
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

// WriteOptions has what [Format.Write] needs besides the differences. The zero value names the blocks
// "A" and "B".
type WriteOptions struct {
	A, B     File
	Detected bool // the kind was detected from the bytes; only in JSON

	// Names returns the name of an index of the title database, or "" if the name is unknown. builtIn is true for a
	// name that is not from a title database. The output has the names of the objects and counters of V1. If Names is
	// nil, the output has no names.
	Names func(index uint32) (name string, builtIn bool)

	Color bool // write terminal escape sequences for colours, only in text
}

// A File is where a block comes from.
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

// Text compares two blocks of one kind and returns the differences as text, or "" if the blocks are
// equal. In the text, want is the first block and got the second.
func Text(kind layout.Kind, want, got []byte) string {
	r := Compare(kind, want, got, Options{})
	if r.Counts.Total() == 0 {
		return ""
	}
	var out strings.Builder
	_ = Formats()[0].Write(&out, r, WriteOptions{A: File{Path: "want"}, B: File{Path: "got"}}) // a Builder returns no error
	return out.String()
}
