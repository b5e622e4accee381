package armor

import (
	"bytes"
	"cmp"
	"iter"
	"regexp"
	"strconv"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/internal/lines"
)

// A regReader reads a .reg file.
//
// Sources: https://support.microsoft.com/help/310516, and the tests of regedit in Wine, which also run on Windows
type regReader struct {
	hexDecoder        // of the current value
	at         int    // the current position in the text
	key        string // the current key; "" before the first key, and if deleted is true
	deleted    bool   // the file deletes the current key
	ansi       bool   // the file has version 4
	cursor     lines.Cursor
}

// Parts of a .reg file. White space before a part is skipped.
var (
	regHeader = lazy.Regexp(`^(?:(REGEDIT4)|Windows Registry Editor Version .*)[ \t\r]*$`)
	regName   = lazy.Regexp(`^(?s:@|"((?:[^"\\]|\\.)*)")[ \t\r]*`)
	regEquals = lazy.Regexp(`^=[ \t\r]*`)
	// regData matches a string, a number, the - of a deleted value, or the type before hex digits. The number in
	// parentheses is the type in hexadecimal. Without the number, the type is REG_BINARY.
	regData   = lazy.Regexp(`^(?im)(?:"((?s:[^"\\]|\\.)*)".*|dword:[ \t]*([0-9a-f]{1,8})[ \t\r]*(?:;.*)?$|(-)[ \t\r]*(?:;.*)?$|hex(?:\(([0-9a-f]{1,8})\))?:)`)
	regEscape = lazy.Regexp(`(?s)\\(.)`)
)

// decodeReg returns the hex values of a .reg file, such as "a"=hex:50,00 and "b"=hex(7):50,00. It skips all other
// values.
func decodeReg(text []byte) ([]Block, error) { return registryBlocks(text, regFile(text), "is hex") }

// RegFile yields the keys and the values of a .reg file. It leaves out the keys that the file deletes, with their values.
// It stops at the first error. A line that regedit ignores is an error, unless it is a comment.
func RegFile(contents []byte) iter.Seq2[RegValue, error] {
	text, err := regText(contents)
	if err != nil {
		return func(yield func(RegValue, error) bool) { yield(RegValue{}, err) }
	}
	return regFile(text)
}

// regText returns the text of a .reg file as UTF-8. Unlike the text that [textOf] returns, it can have control characters,
// because the strings of the registry can have them.
func regText(b []byte) ([]byte, error) {
	order, marked := byteOrder(b)
	if marked || isWide(b[:len(b)&^1], order) {
		text, err := unicode.UTF16(order, unicode.UseBOM).NewDecoder().Bytes(b[:len(b)&^1])
		if err == nil && len(b)%2 == 1 {
			err = halfCharacter(text)
		}
		return text, err
	}
	b = bytes.TrimPrefix(b, []byte("\uFEFF"))
	if utf8.Valid(b) {
		return b, nil
	}
	return charmap.Windows1252.NewDecoder().Bytes(b)
}

// regFile is RegFile for a text in UTF-8.
func regFile(text []byte) iter.Seq2[RegValue, error] {
	return func(yield func(RegValue, error) bool) {
		r := regReader{hexDecoder: hexDecoder{text: text}, cursor: lines.Cursor{Text: text}}
		r.skip(regSpace)
		header := r.take(regHeader)
		if header == nil {
			yield(RegValue{}, place(text, r.at, "%s is not the first line of a .reg file (example: %q)", excerpt(line(text[r.at:])), "Windows Registry Editor Version 5.00"))
			return
		}
		r.ansi = header[1] != nil
		for r.skip(regSpace); r.at < len(text); r.skip(regSpace) {
			v, err := r.next()
			if (err != nil || v.Key != "") && !yield(v, err) || err != nil {
				return
			}
		}
	}
}

const (
	regBlanks = " \t\v\f\r"
	regSpace  = regBlanks + "\n"
)

// skip skips the given characters.
func (r *regReader) skip(characters string) {
	r.at = len(r.text) - len(bytes.TrimLeft(r.text[r.at:], characters))
}

// skipComments skips empty lines and comments.
func (r *regReader) skipComments() {
	for r.skip(regSpace); r.at < len(r.text) && r.text[r.at] == ';'; r.skip(regSpace) {
		r.at += len(line(r.text[r.at:]))
	}
}

// take skips the part that matches, and returns its groups. If the text does not match, take returns nil. Only a part
// that begins with a quotation mark can have line ends.
func (r *regReader) take(part func() *regexp.Regexp) [][]byte {
	row := line(r.text[r.at:])
	m := part().FindSubmatch(row) // faster than in the whole text
	if m == nil && bytes.HasPrefix(row, []byte{'"'}) {
		m = part().FindSubmatch(r.text[r.at:])
	}
	if m != nil {
		r.at += len(m[0])
	}
	return m
}

// next reads a comment, a key, or a value. The result of a comment has no key.
func (r *regReader) next() (RegValue, error) {
	v := RegValue{start: r.at, Type: RegKey, ANSI: r.ansi}
	v.Line, v.Column = r.cursor.Place(r.at)
	row := line(r.text[r.at:])
	switch row[0] {
	case ';', '#':
	case '[':
		end := bytes.LastIndexByte(row, ']')
		if end < 0 {
			return v, place(r.text, r.at, "the key has no ] at its end")
		}
		r.key = string(row[1:end])
		if r.deleted = row[1] == '-'; r.deleted {
			r.key = ""
		}
		v.Key = r.key
	case '@', '"':
		err := r.value(&v)
		return v, err
	default:
		return v, notALine(r.text, r.at, "reg")
	}
	r.at += len(row)
	return v, nil
}

// value reads a value.
func (r *regReader) value(v *RegValue) error {
	name := r.take(regName)
	switch {
	case name == nil:
		return place(r.text, r.at, "the string has no \" at its end")
	case r.key == "" && !r.deleted:
		return place(r.text, v.start, "the value has no key: a line with [KEY] must come before")
	case r.take(regEquals) == nil:
		return place(r.text, r.at, "%s after the name of a value, must be =", quoteFirst(r.text[r.at:]))
	}
	v.Key, v.Name = r.key, unescaped(name[1])
	row := r.text[r.at:]
	switch m := r.take(regData); {
	case m == nil && bytes.HasPrefix(row, []byte(`"`)):
		return place(r.text, r.at, "the string has no \" at its end")
	case m == nil:
		return place(r.text, r.at, "%s is not a value of a .reg file: hex:, dword: or a string", excerpt(line(row)))
	case m[1] != nil:
		v.Type, v.Text = RegString, unescaped(m[1])
	case m[2] != nil:
		n, _ := strconv.ParseUint(string(m[2]), 16, 32) // never fails for 8 digits
		v.Type, v.Data = RegDword, []byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}
	case m[3] != nil:
		v.Type = RegDeleted
	default:
		n, _ := strconv.ParseUint(cmp.Or(string(m[4]), "3"), 16, 32)
		v.Type, v.Hex = cmp.Or(regTypes[n], "another type"), true
		at, passed := r.at, 0
		r.out = nil
		if err := r.data(); err != nil {
			return err
		}
		v.Data = r.out
		v.Place = func(off int) (int, int) {
			for ; passed < min(off, len(v.Data)) || passed < len(v.Data) && nibble(r.text[at]) < 0; at++ {
				switch {
				case nibble(r.text[at]) >= 0: // the first of two digits
					passed++
					at++
				case r.text[at] == ';':
					at += len(line(r.text[at:])) // a comment can have hex digits too
				}
			}
			return r.cursor.Place(at)
		}
	}
	return nil
}

var regTypes = map[uint64]string{1: RegString, 2: RegExpand, 3: RegBinary, 4: RegDword, 7: RegMulti}

// unescaped returns the text of a string. A \ before a character is removed.
func unescaped(text []byte) string { return string(regEscape().ReplaceAll(text, []byte("$1"))) }

// data reads bytes with commas between them. A \ at the end of a line continues the value on the next line that is
// neither empty nor a comment.
func (r *regReader) data() error {
	comma := false // before the current position
	for {
		r.skip(regBlanks)
		rest := r.text[r.at:]
		switch {
		case len(rest) == 0, rest[0] == '\n', rest[0] == ';':
			if comma {
				return place(r.text, r.at, "the value was cut off: a byte must follow the comma")
			}
			return nil
		case rest[0] == '\\':
			row := line(rest)
			if after := bytes.TrimSpace(row[1:]); (len(after) == 0 || after[0] == ';') && len(row) < len(rest) {
				r.at += len(row) + 1
				r.skipComments()
				continue
			}
		}
		next := digitsEnd(r.text, r.at, len(r.text))
		if next-r.at != 2 {
			return place(r.text, r.at, "%s in a value in hex, must be two hex digits for each byte", quoteFirst(rest))
		}
		r.pairs(r.at, next)
		r.at = next
		r.skip(regBlanks)
		if comma = bytes.HasPrefix(r.text[r.at:], []byte(",")); comma {
			r.at++
		} else if r.at < len(r.text) && r.text[r.at] != '\n' && r.text[r.at] != ';' {
			return place(r.text, r.at, "%s after a byte, must be a comma", quoteFirst(r.text[r.at:]))
		}
	}
}
