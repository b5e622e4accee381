// Package armor carries the bytes of a block through text: hex, base64, and the
// source of a C or Go program one way, hex and base64 the other.
//
// The one idea to know: [Formats] and [Inputs] are the tables of what there is.
// Flags, help texts, completions and file names are made from them, so a row more
// is all that a new format takes.
package armor

import (
	"bufio"
	"io"

	"github.com/perfblock/perfblock/internal/suggest"
)

// A Format is a way to write a block.
type Format struct {
	Name string
	Ext  string // what the name of such a file ends in, with its dot
	Doc  string // half a sentence
	Text bool   // a terminal can show it

	lang  *language // of a format that needs a name for the bytes
	write func(w *bufio.Writer, name string, b []byte)
}

// Formats lists every format. The first is the one to use unless asked otherwise.
func Formats() []Format {
	return []Format{
		{Name: "binary", Ext: ".bin", Doc: "the bytes as they are", write: writeBinary},
		{Name: "hex", Ext: ".hex", Doc: "16 bytes a line, as two digits each", Text: true, write: writeHex},
		{Name: "base64", Ext: ".b64", Doc: "lines of 76 characters in the standard alphabet", Text: true, write: writeBase64},
		{Name: "c", Ext: ".h", Doc: "an array and its length to include in C or C++", Text: true, lang: &langC, write: writeC},
		{Name: "go", Ext: ".go", Doc: "a file that declares a slice of bytes", Text: true, lang: &langGo, write: writeGo},
	}
}

// Named reports whether the format gives the bytes a name.
func (f Format) Named() bool { return f.lang != nil }

// CheckName reports what keeps name from being the one that the bytes get: in C an
// identifier that neither C nor C++ reserves, in Go one with or without a package
// before it. A format that gives no name takes any.
func (f Format) CheckName(name string) error {
	if f.lang == nil {
		return nil
	}
	return f.lang.check(name)
}

// NameFor makes a name that [Format.CheckName] takes out of any text, as of a file's
// name. In C it is always block_ and the text, in Go only where the text itself is a
// word that Go has a meaning for.
func (f Format) NameFor(text string) string {
	name := identifier(text)
	if f.lang != nil && f.lang.occupies(name) {
		return prefixed(name)
	}
	return name
}

// Write writes b to w under a name that [Format.CheckName] takes. It takes no
// memory to speak of. The error is one of w, or of the name.
func (f Format) Write(w io.Writer, name string, b []byte) error {
	if err := f.CheckName(name); err != nil {
		return err
	}
	buffered := bufio.NewWriter(w)
	f.write(buffered, name, b)
	return buffered.Flush()
}

// FormatNamed returns the format of that name. The error lists those there are.
func FormatNamed(name string) (Format, error) {
	return suggest.Named("format", name, Formats(), func(f Format) string { return f.Name })
}
