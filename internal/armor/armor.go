// Package armor writes the bytes of a block as text, and reads them from text.
//
// [Formats] lists the forms that this package writes. [Inputs] lists the forms that it reads. To add a form, see
// CONTRIBUTING.md.
//
// The input "auto" finds the form of a text. The forms hex and base64 accept several notations. A form with the name
// of a program accepts only text that looks like the output of this program.
package armor

import (
	"bufio"
	"io"

	"github.com/perfblock/perfblock/internal/suggest"
)

// A Format is a form in which a block is written.
type Format struct {
	Name string
	Ext  string // the file name extension, with its dot
	Doc  string // a description for help texts, without a full stop
	Text bool   // a terminal can show the format

	lang  *language // of a format that declares a variable, otherwise nil
	write func(w *bufio.Writer, name string, b []byte)
}

// Formats returns all formats. The first is the default.
func Formats() []Format {
	return []Format{
		{Name: "binary", Ext: ".bin", Doc: "the bytes as they are", write: writeBinary},
		{Name: "hex", Ext: ".hex", Doc: "16 bytes on a line, two digits for each", Text: true, write: writeHex},
		{Name: "base64", Ext: ".b64", Doc: "lines of 76 characters in the standard alphabet", Text: true, write: writeBase64},
		{Name: "c", Ext: ".h", Doc: "an array and its length to include in C or C++", Text: true, lang: &langC, write: writeC},
		{Name: "go", Ext: ".go", Doc: "a file that declares a slice of bytes", Text: true, lang: &langGo, write: writeGo},
	}
}

// FormatNamed returns the format with the given name. If there is none, the error lists all formats.
func FormatNamed(name string) (Format, error) {
	return suggest.Named("format", name, Formats(), func(f Format) string { return f.Name })
}

// Named reports whether the format declares a variable. The caller must then choose a name.
func (f Format) Named() bool { return f.lang != nil }

// CheckName returns an error if the variable cannot have this name. In Go, the name may have a package, as in
// fixture.cpu. A format that declares no variable accepts any name.
func (f Format) CheckName(name string) error {
	if f.lang == nil {
		return nil
	}
	return f.lang.check(name)
}

// NameFor makes a name that [Format.CheckName] accepts. For the text "process-300", the name is block_process_300 in
// C, and process_300 in Go.
func (f Format) NameFor(text string) string {
	name := identifier(text)
	if f.lang != nil && f.lang.mayCollide(name) {
		return prefixed(name)
	}
	return name
}

// Write writes b to w. If the format declares a variable, name is the name of the variable. [Format.CheckName] must
// accept name.
func (f Format) Write(w io.Writer, name string, b []byte) error {
	if err := f.CheckName(name); err != nil {
		return err
	}
	buffered := bufio.NewWriter(w) // keeps the first error
	f.write(buffered, name, b)
	return buffered.Flush()
}

func writeBinary(w *bufio.Writer, _ string, b []byte) { _, _ = w.Write(b) }
