package dump

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

var le = binary.LittleEndian

// An entry is a part of the block with the texts that formats show for it. A dump reuses one entry for all parts, to
// save allocations.
type entry struct {
	layout.Part        // Err can also be an error in the text of the part
	text        []byte // the value of the part, or nothing
	form        textForm
	number      uint64 // the number, if form is hexadecimal
	whole       bool   // the text determines all bytes of the part
	meaning     string // the meaning of the value, or ""
	target      int64  // the offset to which the value points, or -1
	inside      bool   // target is in the block

	title   string // the name of the title index in the field, or ""
	builtIn bool   // title is not from a database

	names    func(index uint32) (name string, builtIn bool)
	strings  int64 // the base of the offsets in a strings buffer, -1 if unknown
	findings []validate.Finding
}

type textForm uint8

const (
	noText textForm = iota
	decimal
	hexadecimal // a number with leading zeros
	guid
	quoted  // an exact result of appendText
	inexact // a result of appendText with escapes for invalid bytes
)

// Value returns the value of a part as the formats show it: a number, a GUID, a text in quotes, or the date of a
// SYSTEMTIME. meaning explains the value, for example by the name of its counter type. Both results are "" for a part
// without a value, such as padding, and for the zero Part.
func Value(p layout.Part) (text, meaning string) {
	if p.Sort == layout.FieldPart && p.Field == nil {
		return "", ""
	}
	if p.Sort == layout.RecordPart && p.Record == &layout.SYSTEMTIME {
		return moment(p.Bytes(), 0), ""
	}
	e := entry{Part: p, strings: -1}
	e.read(nil)
	return string(e.text), e.meaning
}

// read sets the text and the other fields of the entry from its part. b is the block with the part.
func (e *entry) read(b []byte) {
	e.text, e.form, e.whole, e.meaning, e.target, e.inside, e.title = e.text[:0], noText, false, "", -1, false, ""
	switch e.Sort {
	case layout.FieldPart:
		e.readField(b)
	case layout.NamePart:
		e.readName()
	case layout.ValuePart:
		e.readValue()
	}
	switch e.form {
	case decimal, hexadecimal, guid:
		e.whole = true
	case quoted:
		e.whole = e.whole || e.Sort != layout.ValuePart && e.Err == nil // a name without an error has one terminator
	}
}

func (e *entry) readField(b []byte) {
	n, ok := e.Int()
	switch {
	case e.Field.Type == layout.UUID:
		g, _ := e.GUID()
		e.text, e.form = g.Append(e.text), guid
		return
	case !ok:
		e.setText(e.Bytes(), utf16Text)
		return
	case e.Field.Go == "CounterType":
		e.setHex(uint64(n))
	case e.Field.Type == layout.U64:
		e.setDecimal(uint64(n))
	default:
		e.text, e.form = strconv.AppendInt(e.text, n, 10), decimal
	}
	e.meaning = e.meaningOf(n, b)
	isTitle := e.Field.Role.Kind == layout.TitleIndex || e.Field.Name == "DefaultObject"
	if isTitle && n > 0 && e.names != nil {
		e.title, e.builtIn = e.names(uint32(n))
	}
	if to, ok := e.pointsTo(n); ok {
		e.target, e.inside = to, to <= int64(len(b))
	}
}

func (e *entry) setDecimal(n uint64) { e.text, e.form = strconv.AppendUint(e.text, n, 10), decimal }

func (e *entry) setHex(n uint64) {
	e.text, e.form, e.number = appendHex(append(e.text, "0x"...), n, 2*e.Len()), hexadecimal, n
}

func (e *entry) setText(raw []byte, as encoding) {
	var exact bool
	if e.text, exact = appendText(e.text, raw, as); exact {
		e.form = quoted
	} else {
		e.form = inexact
	}
}

// pointsTo returns the offset in the block to which a field with the value n points. ok is
// false if the field does not point anywhere.
func (e *entry) pointsTo(n int64) (at int64, ok bool) {
	if e.Field.Role.From == layout.BufferStart {
		return e.strings + n, e.strings >= 0 && uint32(n) != layout.NoString
	}
	to, ok := e.Target()
	return to, ok && (n != 0 || e.Field.Role.Kind == layout.Length)
}

func (e *entry) readName() {
	name := e.Name()
	text := e.Bytes()
	if name.Terminated() {
		text = text[:len(text)-name.Unit()]
	}
	as := utf16Text
	if e.Page != 0 {
		as = byteText
		e.meaning = "bytes of code page " + strconv.FormatUint(uint64(e.Page), 10)
	}
	e.setText(text, as)
	if e.form == quoted && name.Len() > 0 && name.IndexNUL() == len(text) {
		return // the name is valid, and Text would only make a copy
	}
	if _, err := name.Text(); err != nil {
		e.Err = err
	}
}

// readValue reads the value of a counter. A value of V2 has no counter type.
func (e *entry) readValue() {
	if !e.Untyped {
		e.meaning = e.Type.String() // "0x..." for a type without a name; the line of its CounterType names the bits
		if e.Type.IsText() {
			e.readText()
			return
		}
	}
	switch n, ok := e.Number(); {
	case !ok:
	case !e.Untyped && e.Type.Kind() == layout.PERF_TYPE_NUMBER && e.Type.Subtype() == layout.PERF_NUMBER_HEX:
		e.setHex(n)
	default:
		e.setDecimal(n)
	}
}

// readText reads the value of a PERF_COUNTER_TEXT: a DWORD with the length of the text in
// bytes, and the text.
func (e *entry) readText() {
	const size = 4 // of the length
	b := e.Bytes()
	if len(b) < size {
		e.Err = layout.Faultf(layout.ErrShort, "the value has %d bytes, must have at least %d for the length of the text", len(b), size)
		return
	}
	n, as := le.Uint32(b), utf16Text
	if uint64(n) > uint64(len(b)-size) {
		e.Err = layout.Faultf(layout.ErrBounds, "the length of the text is %d, but %d bytes follow", n, len(b)-size)
		return
	}
	if e.Type.Subtype() != layout.PERF_TEXT_UNICODE {
		as = byteText
	}
	e.setText(b[size:size+n], as)
	e.whole = e.form == quoted && len(b) == int(size+n)
}

// findingsOnly reports whether the part has no bytes and no error, only findings.
func (e *entry) findingsOnly() bool {
	return e.Sort == layout.UnreadPart && e.Len() == 0 && e.Err == nil
}

// reason returns why the bytes of an UnreadPart are unread.
func (e *entry) reason() string {
	if e.Err != nil {
		return e.Err.Error()
	}
	steps := e.Path.Elems()
	if len(steps) > 0 && steps[len(steps)-1].Name == "extension" {
		return "after the fields of the structure"
	}
	return "no field refers to them"
}

// findingText returns the text of a finding for the line of the part.
func (e *entry) findingText(f validate.Finding) string {
	of := ""
	// If a length is wrong, two records can use the same bytes. Show the path of a finding that belongs to the other
	// record.
	if f.Path != e.Path && f.Path.Parent() != e.Path.Parent() && f.Path != e.Path.Parent() {
		of = " " + f.Path.String()
	}
	return fmt.Sprintf("%v %s%s: %s", f.Severity, f.Rule.ID, of, terminal.Printable(f.Message()))
}

const hexDigits = "0123456789abcdef"

// appendHex appends n in hex with a fixed number of digits. It drops higher digits.
func appendHex(b []byte, n uint64, digits int) []byte {
	for digits--; digits >= 0; digits-- {
		b = append(b, hexDigits[n>>(4*digits)&15])
	}
	return b
}

// encoding is the encoding of text in a block.
type encoding uint8

const (
	utf16Text encoding = iota
	byteText           // bytes of a code page; all but ASCII are escaped
)

// appendText decodes raw and appends the text in quotes. It escapes characters that are not printable. It also escapes
// an unpaired surrogate, such as \ud800, and a byte that cannot be decoded, such as \x80. exact is false if raw has
// such a surrogate or byte.
func appendText(dst, raw []byte, as encoding) (out []byte, exact bool) {
	dst, exact = append(dst, '"'), true
	if as == byteText {
		for _, c := range raw {
			if c < utf8.RuneSelf {
				dst = appendRune(dst, rune(c))
				continue
			}
			dst, exact = appendByte(dst, c), false
		}
		return append(dst, '"'), exact
	}
	for ; len(raw) >= 2; raw = raw[2:] {
		r := rune(le.Uint16(raw))
		if utf16.IsSurrogate(r) {
			pair := utf8.RuneError
			if len(raw) >= 4 {
				pair = utf16.DecodeRune(r, rune(le.Uint16(raw[2:])))
			}
			if pair == utf8.RuneError {
				dst, exact = appendHex(append(dst, `\u`...), uint64(r), 4), false
				continue
			}
			r, raw = pair, raw[2:]
		}
		dst = appendRune(dst, r)
	}
	if len(raw) > 0 {
		dst, exact = appendByte(dst, raw[0]), false
	}
	return append(dst, '"'), exact
}

// appendRune appends one character of a text in double quotes.
func appendRune(dst []byte, r rune) []byte {
	if r != '"' && r != '\\' && strconv.IsPrint(r) {
		return utf8.AppendRune(dst, r)
	}
	if r == '"' {
		return append(dst, '\\', '"')
	}
	q := strconv.AppendQuoteRuneToASCII(nil, r) // in single quotes
	return append(dst, q[1:len(q)-1]...)
}

func appendByte(dst []byte, c byte) []byte {
	return appendHex(append(dst, `\x`...), uint64(c), 2)
}
