package armor

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/internal/lines"
	"github.com/perfblock/perfblock/layout"
)

// A nature says whether bytes are text.
type nature uint8

const (
	binary  nature = iota
	unclear        // text, or the bytes of a GUID or a string; the bytes are text if a form reads them
	certain
)

// errChanged means that a redirect of Windows PowerShell decoded the bytes of a block as text and wrote
// them as UTF-16.
var errChanged = errors.New("is a block that a redirect (>) in Windows PowerShell converted to UTF-16, which loses bytes; write the file with -o")

// textOf returns the text in b as UTF-8, without a byte order mark and without terminal colours. The text in b may be
// UTF-8, UTF-16 or in a Windows code page. If b is binary, textOf returns b.
func textOf(b []byte) ([]byte, nature, error) {
	if layout.HasSignature(b) {
		return b, binary, nil
	}
	if text, is, err := wideText(b); is != binary {
		return text, is, err
	}
	text := withoutColour(bytes.TrimPrefix(b, []byte("\uFEFF")))
	switch {
	case hasControls(text):
		return b, binary, nil
	case utf8.Valid(text):
		return text, certain, nil
	}
	return codePageText(text)
}

// codePageText returns text in an unknown code page as UTF-8. It reads the characters outside ASCII as code page 1252.
func codePageText(b []byte) ([]byte, nature, error) {
	// long is the size of eight GUIDs. Only a few in a million lists of eight random GUIDs have no control
	// character.
	const long = 128
	wide := len(b) - countASCII(b)
	// A short b with many bytes outside ASCII is not read as text, because b can be a list of GUIDs.
	if wide > len(b)/8 && len(b) < long {
		return b, binary, nil
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(b)
	return text, certainIfLines(text), err
}

func certainIfLines(text []byte) nature {
	if bytes.ContainsAny(text, "\r\n") {
		return certain
	}
	return unclear
}

// wideText converts UTF-16 text of either byte order to UTF-8. If b is not UTF-16, wideText returns binary.
func wideText(b []byte) ([]byte, nature, error) {
	order, marked := byteOrder(b)
	units, half := b[:len(b)&^1], len(b)&1 == 1
	if marked {
		units = units[2:]
	} else if !isWide(units, order) {
		return nil, binary, nil
	}
	text, err := unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder().Bytes(units)
	text = withoutColour(text)
	switch {
	case err != nil, len(text) == 0:
		return nil, binary, nil
	case layout.HasSignature(text), marked && isChangedBlock(text):
		return text, certain, &PlaceError{Line: 1, Col: 1, Err: errChanged}
	case hasControls(text):
		return nil, binary, nil
	}
	is := certainIfLines(text)
	if marked && 2*countASCII(text) >= utf8.RuneCount(text) {
		is = certain
	}
	switch {
	case half && is == certain:
		return text, certain, halfCharacter(text)
	case half:
		return nil, binary, nil
	}
	return text, is, nil
}

// halfCharacter returns the error for a text in UTF-16 with an odd number of bytes.
func halfCharacter(text []byte) error {
	return place(text, len(text), "half a character of UTF-16 at the end: the text was cut off")
}

// byteOrder returns the byte order of UTF-16 text, and whether the text starts with a byte order mark.
func byteOrder(b []byte) (order unicode.Endianness, marked bool) {
	switch {
	case bytes.HasPrefix(b, []byte{0xFF, 0xFE}):
		return unicode.LittleEndian, true
	case bytes.HasPrefix(b, []byte{0xFE, 0xFF}):
		return unicode.BigEndian, true
	case len(b) > 0 && b[0] == 0: // probably an ASCII character
		return unicode.BigEndian, false
	}
	return unicode.LittleEndian, false
}

// isWide reports whether b is probably UTF-16 text without a byte order mark. At least half of the characters must be
// ASCII. If one character is a control character, all must be ASCII, because binary blocks also have control
// characters.
func isWide(b []byte, order unicode.Endianness) bool {
	high := 1
	if order == unicode.BigEndian {
		high = 0
	}
	ascii, control := 0, false
	for i := high; i < len(b)&^1; i += 2 {
		if c := b[i^1]; b[i] == 0 && c < utf8.RuneSelf {
			ascii++
			control = control || c < ' ' && !isSpace(c)
		}
		if control && ascii < i/2+1 {
			return false
		}
	}
	return ascii > 0 && ascii >= len(b)/4
}

// isChangedBlock reports whether text is probably a block whose bytes a program has decoded as characters. Such a text
// has a NUL before its end, and no characters of East Asian code pages.
func isChangedBlock(text []byte) bool {
	const lastBox = '\u25FF' // code pages of consoles have box drawing characters and shapes, which are below U+2600
	foreign := func(r rune) bool { return r > lastBox && r != utf8.RuneError }
	// A NUL at the end does not count, because it can end a string.
	nul := bytes.IndexByte(text, 0)
	return nul >= 0 && nul < len(text)-1 && !bytes.ContainsFunc(text, foreign)
}

// hasControls reports whether b has control characters that are not white space. If b has them, b is not text. For
// example, a data block has NULs in its signature. Most other blocks contain a length, a number of 4 bytes. If the
// length is less than 16 MiB, its highest byte is a NUL.
func hasControls(b []byte) bool {
	// DEL is not a control character here, because Format-Hex of PowerShell 5 shows DEL in its text column.
	return slices.ContainsFunc(b, func(c byte) bool { return c < ' ' && !isSpace(c) })
}

func countASCII(text []byte) int {
	n := 0
	for _, c := range text {
		if c < utf8.RuneSelf {
			n++
		}
	}
	return n
}

// colour matches a terminal escape sequence for colours. Other escape sequences make a text binary.
var colour = lazy.Regexp("\x1b\\[[0-9;:]*m")

// withoutColour returns text without the escape sequences for colours.
func withoutColour(text []byte) []byte {
	if bytes.IndexByte(text, '\x1b') < 0 {
		return text
	}
	return colour().ReplaceAll(text, nil)
}

// withLineFeeds returns text with a line feed for each carriage return that ends a line alone. Several carriage returns
// before a line feed belong to one line end, because programs that convert line ends twice write them.
func withLineFeeds(text []byte) []byte {
	if bytes.Count(text, []byte("\r")) == bytes.Count(text, []byte("\r\n")) {
		return text
	}
	text = bytes.Clone(text)
	alone := true
	for i, c := range slices.Backward(text) {
		switch {
		case c != '\r':
			alone = c != '\n'
		case alone:
			text[i] = '\n'
		}
	}
	return text
}

// A PlaceError is an error at a line and a column of a text. Lines and columns count from 1. Columns count
// characters.
type PlaceError struct {
	Line, Col int
	Err       error
}

func (e *PlaceError) Error() string { return fmt.Sprintf("%d:%d: %v", e.Line, e.Col, e.Err) }
func (e *PlaceError) Unwrap() error { return e.Err }

// Place returns the line and the column of the error.
func (e *PlaceError) Place() (line, column int) { return e.Line, e.Col }

// place returns an error at byte i of text.
func place(text []byte, i int, format string, args ...any) error {
	cursor := lines.Cursor{Text: text}
	line, column := cursor.Place(min(i, len(text)))
	return &PlaceError{line, column, fmt.Errorf(format, args...)}
}

// quoteFirst returns the first character of text, and puts quotes around the character.
func quoteFirst(text []byte) string {
	if len(text) == 0 {
		return "the end"
	}
	r, n := utf8.DecodeRune(text)
	if r == utf8.RuneError && n == 1 {
		return "a byte that is not UTF-8"
	}
	return fmt.Sprintf("%q", r)
}

// line returns the first line of text without its line end.
func line(text []byte) []byte {
	first, _, _ := bytes.Cut(text, []byte{'\n'})
	return first
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
