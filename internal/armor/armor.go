// Package armor writes the bytes of a block as text, and reads them from text.
//
// [Formats] and [Inputs] list the forms. Flags, help texts, completion and file names use these
// lists, so a new form needs only a new element.
package armor

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/layout"
)

// A Format is a form in which a block is written.
type Format struct {
	Name string
	Ext  string // the file name extension, with its dot
	Doc  string // a description for help texts, without a full stop
	Text bool   // a terminal can show it

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

// FormatNamed returns the format of that name. The error lists the formats.
func FormatNamed(name string) (Format, error) {
	return suggest.Named("format", name, Formats(), func(f Format) string { return f.Name })
}

// Named reports whether the format declares a variable, which needs a name.
func (f Format) Named() bool { return f.lang != nil }

// CheckName returns an error if name cannot be the name of the variable. In C it must be an
// identifier that neither C nor C++ reserves. In Go it may be package.name. A format that
// declares no variable accepts any name.
func (f Format) CheckName(name string) error {
	if f.lang == nil {
		return nil
	}
	return f.lang.check(name)
}

// NameFor makes a name that [Format.CheckName] accepts from any text, such as a file name. In C,
// the name always starts with block_. In Go, NameFor adds block_ to a keyword or a predeclared
// name.
func (f Format) NameFor(text string) string {
	name := identifier(text)
	if f.lang != nil && f.lang.mayCollide(name) {
		return prefixed(name)
	}
	return name
}

// Write writes b to w. If the format declares a variable, the variable is called name. Write
// returns an error if [Format.CheckName] refuses name or if writing to w fails.
func (f Format) Write(w io.Writer, name string, b []byte) error {
	if err := f.CheckName(name); err != nil {
		return err
	}
	buffered := bufio.NewWriter(w) // keeps the first error
	f.write(buffered, name, b)
	return buffered.Flush()
}

func writeBinary(w *bufio.Writer, _ string, b []byte) { _, _ = w.Write(b) }

// An Input is a form from which a block is read.
type Input struct {
	Name string
	Doc  string

	decode func(text []byte) ([]byte, error)
}

// Inputs returns all inputs. The first is auto, which chooses one of the others.
func Inputs() []Input {
	return []Input{
		{Name: "auto", Doc: "raw if the bytes have the PERF signature or are not text, otherwise hex or base64"},
		{Name: "raw", Doc: "the bytes as they are", decode: func(b []byte) ([]byte, error) { return b, nil }},
		{Name: "hex", Doc: "digits with spaces, commas, 0x or offsets; a dump, xxd, hexdump -C, a C or Go array", decode: decodeHex},
		{Name: "base64", Doc: "the standard or the URL alphabet, in any number of lines", decode: decodeBase64},
	}
}

// InputNamed returns the input of that name. The error lists the inputs.
func InputNamed(name string) (Input, error) {
	return suggest.Named("input", name, Inputs(), func(in Input) string { return in.Name })
}

// Decode returns the bytes of the block in text, and the input that read them: for auto the
// input that it chose, otherwise in itself. Raw bytes are not copied.
//
// Auto reads text as raw only if it has the signature of a data block, is not UTF-8, or has
// control characters other than tabs and line ends. Text that is both valid hex and valid
// base64 is read as hex.
//
// The error is a [*PlaceError], or wraps two of them if auto found neither hex nor base64.
func (in Input) Decode(text []byte) ([]byte, Input, error) {
	switch {
	case in.decode == nil:
		return decide(text)
	case in.Name != "raw" && isUTF16(text):
		return nil, in, errorUTF16(text)
	}
	b, err := in.decode(text)
	return b, in, err
}

func errorUTF16(text []byte) error {
	return place(text, 0, "is UTF-16, as Windows PowerShell writes it with >; write the file with -o, or save it as UTF-8")
}

func decide(text []byte) ([]byte, Input, error) {
	inputs := Inputs()
	auto, raw, asHex, asBase64 := inputs[0], inputs[1], inputs[2], inputs[3]
	if isUTF16(text) {
		return nil, auto, errorUTF16(text)
	}
	if layout.HasSignature(text) || !isText(withoutColour(text)) {
		return text, raw, nil
	}
	b, hexErr := asHex.decode(text)
	switch {
	case hexErr == nil:
		return b, asHex, nil
	case errors.Is(hexErr, errOD), errors.Is(hexErr, errNoBytes):
		return nil, asHex, hexErr // base64 could read the text by chance
	}
	b, base64Err := asBase64.decode(text)
	if base64Err == nil {
		return b, asBase64, nil
	}
	return nil, auto, fmt.Errorf("is text, but neither hex (%w) nor base64 (%w)", hexErr, base64Err)
}

// isUTF16 reports whether b is UTF-16LE with a byte order mark and has only ASCII characters.
// Windows PowerShell writes such text if output is redirected with >. isUTF16 also recognizes a
// data block that PowerShell changed in this way.
func isUTF16(b []byte) bool {
	units, marked := bytes.CutPrefix(b, []byte{0xFF, 0xFE})
	if !marked || len(units)%2 != 0 {
		return false
	}
	narrow := make([]byte, 0, len(units)/2)
	for i := 0; i < len(units); i += 2 {
		narrow = append(narrow, units[i])
		if units[i+1] != 0 {
			return false
		}
	}
	return layout.HasSignature(narrow) || isText(narrow)
}

// isText reports whether b is text. A block of less than 16 MiB is not text, because its
// signature or the length at its start contains a NUL.
func isText(b []byte) bool {
	return utf8.Valid(b) && bytes.IndexFunc(b, func(r rune) bool { return r < ' ' && !bytes.ContainsRune([]byte("\t\n\v\f\r"), r) || r == 0x7F }) < 0
}

// withoutColour returns text without the terminal escape sequences for colours, CSI ... m. It
// keeps other sequences, which make the text binary.
func withoutColour(text []byte) []byte {
	start := []byte("\x1b[")
	if !bytes.Contains(text, start) {
		return text
	}
	out := make([]byte, 0, len(text))
	for {
		before, rest, found := bytes.Cut(text, start)
		out = append(out, before...)
		if !found {
			return out
		}
		end := 0
		for end < len(rest) && (rest[end] >= '0' && rest[end] <= '9' || rest[end] == ';' || rest[end] == ':') {
			end++
		}
		if end < len(rest) && rest[end] == 'm' {
			text = rest[end+1:]
			continue
		}
		out = append(out, start...)
		text = rest
	}
}

// A PlaceError is an error at a line and a column of a text. Both count from 1, columns in
// characters.
type PlaceError struct {
	Line, Col int
	Err       error
}

func (e *PlaceError) Error() string { return fmt.Sprintf("%d:%d: %v", e.Line, e.Col, e.Err) }
func (e *PlaceError) Unwrap() error { return e.Err }

// place returns an error at byte i of text.
func place(text []byte, i int, format string, args ...any) error {
	before := text[:min(i, len(text))]
	line := bytes.Count(before, []byte("\n"))
	start := bytes.LastIndexByte(before, '\n') + 1
	return &PlaceError{Line: line + 1, Col: utf8.RuneCount(before[start:]) + 1, Err: fmt.Errorf(format, args...)}
}

// character quotes the first character of text for an error.
func character(text []byte) string {
	if len(text) == 0 {
		return "the end"
	}
	r, n := utf8.DecodeRune(text)
	if r == utf8.RuneError && n == 1 {
		return "a byte that is not UTF-8"
	}
	return fmt.Sprintf("%q", r)
}

// markLen returns the length of the byte order mark at the start of text, or 0.
func markLen(text []byte) int {
	if bytes.HasPrefix(text, []byte("\uFEFF")) {
		return len("\uFEFF")
	}
	return 0
}

// line returns the first line of text without its line end.
func line(text []byte) []byte {
	first, _, _ := bytes.Cut(text, []byte{'\n'})
	return first
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
