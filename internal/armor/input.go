package armor

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/suggest"
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
	return suggest.Named("input", name, Inputs(), func(in Input) string { return in.Name })
}

// Decode returns the bytes that text stands for, and the input by which it was
// read: in itself, or the one that auto has decided on. Raw bytes are text's own.
//
// Auto takes text for raw only if it has the signature of a data block, or bytes
// that text does not have: what is not valid UTF-8, and control characters other
// than tabs and line ends. What is valid hex is hex, though it may be base64 too.
//
// The error is a [*PlaceError], or wraps two of them from auto where text is neither.
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
	if isUTF16(text) {
		return nil, auto, place(text, 0, "UTF-16 text, as Windows PowerShell writes with >, must be UTF-8 or the bytes themselves: write the file with -o, or convert it")
	}
	if layout.HasSignature(text) || !isText(withoutColour(text)) {
		return text, raw, nil
	}
	b, hexErr := asHex.decode(text)
	switch {
	case hexErr == nil:
		return b, asHex, nil
	case errors.Is(hexErr, errOffset), errors.Is(hexErr, errNoBytes):
		return nil, asHex, hexErr // digits with spaces are base64 too, but not here
	}
	b, base64Err := asBase64.decode(text)
	if base64Err == nil {
		return b, asBase64, nil
	}
	return nil, auto, fmt.Errorf("it is text, but neither hex (%w) nor base64 (%w)", hexErr, base64Err)
}

// isUTF16 reports whether b is ASCII text that a redirect of Windows PowerShell wrote as
// UTF-16LE with a byte order mark, or a data block that it changed in this way.
func isUTF16(b []byte) bool {
	rest, marked := bytes.CutPrefix(b, []byte{0xFF, 0xFE})
	if !marked || len(rest)%2 != 0 {
		return false
	}
	narrow := make([]byte, 0, len(rest)/2)
	for i := 0; i < len(rest); i += 2 {
		narrow = append(narrow, rest[i])
		if rest[i+1] != 0 {
			return false
		}
	}
	return layout.HasSignature(narrow) || isText(narrow)
}

// isText is true of nothing that a block can start with: its first field, a
// signature or a length, holds a NUL, or the block would be of 16 MB or more.
func isText(b []byte) bool {
	return utf8.Valid(b) && bytes.IndexFunc(b, func(r rune) bool { return r < ' ' && !bytes.ContainsRune([]byte("\t\n\v\f\r"), r) || r == 0x7F }) < 0
}

// withoutColour returns text without the sequences by which terminals change the
// colour, CSI ... m. Other sequences stay, and are no text.
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
