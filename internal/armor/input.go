package armor

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/perfblock/perfblock/layout"
)

// An Input says how the bytes of a block are given.
type Input struct {
	Name string
	Doc  string

	decode func(text []byte) ([]byte, error)
}

// Inputs lists every input. The first decides among the others.
func Inputs() []Input {
	return []Input{
		{Name: "auto", Doc: "raw for what has the PERF signature or is no text, else hex if it is hex, else base64"},
		{Name: "raw", Doc: "the bytes as they are", decode: func(b []byte) ([]byte, error) { return b, nil }},
		{Name: "hex", Doc: "digits with spaces, commas, 0x or offsets; a dump, xxd, hexdump -C, a C or Go array", decode: decodeHex},
		{Name: "base64", Doc: "the standard or the URL alphabet, in any number of lines", decode: decodeBase64},
	}
}

// InputNamed returns the input of that name.
func InputNamed(name string) (Input, error) {
	for _, in := range Inputs() {
		if in.Name == name {
			return in, nil
		}
	}
	return Input{}, fmt.Errorf("no input %q", name)
}

// Decode returns the bytes that text stands for, and the input by which it was
// read: in itself, or the one that auto has decided on. Raw bytes are text's own.
//
// Auto takes text for raw only if it has the signature of a data block, or bytes
// that text does not have: what is not valid UTF-8, and control characters other
// than tabs and line ends. What is valid hex is hex, though it may be base64 too.
//
// The error is a [*PlaceError], or two of them from auto where text is neither.
func (in Input) Decode(text []byte) ([]byte, Input, error) {
	if in.decode == nil {
		return decide(text)
	}
	b, err := in.decode(text)
	return b, in, err
}

func decide(text []byte) ([]byte, Input, error) {
	inputs := Inputs()
	auto, raw, asHex, asBase64 := inputs[0], inputs[1], inputs[2], inputs[3]
	if layout.HasSignature(text) || !isText(text) {
		return text, raw, nil
	}
	b, hexErr := asHex.decode(text)
	if hexErr == nil {
		return b, asHex, nil
	}
	b, base64Err := asBase64.decode(text)
	if base64Err == nil {
		return b, asBase64, nil
	}
	return nil, auto, fmt.Errorf("it is text, but neither hex (%w) nor base64 (%w)", hexErr, base64Err)
}

// isText is true of nothing that a block can start with: its first field, a
// signature or a length, holds a NUL, or the block would be of 16 MB or more.
func isText(b []byte) bool {
	return utf8.Valid(b) && bytes.IndexFunc(b, func(r rune) bool { return r < ' ' && !bytes.ContainsRune([]byte("\t\n\v\f\r"), r) || r == 0x7F }) < 0
}

// A PlaceError is a fault in a text, at a line and a column that count from 1;
// columns count characters.
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

// withoutMark returns how many bytes of a byte order mark text starts with.
func withoutMark(text []byte) int {
	if bytes.HasPrefix(text, []byte("\uFEFF")) {
		return len("\uFEFF")
	}
	return 0
}
