package dump

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

var le = binary.LittleEndian

// An entry is a part of the block with the texts that formats show for it. A dump reuses one
// entry for all parts, so that it does not allocate for each part.
type entry struct {
	layout.Part
	value   []byte // a number in decimal or hex, or a GUID; empty for other parts
	number  []byte // the number in decimal
	text    []byte // quoted text; empty for other parts
	guid    bool   // value is a GUID
	exact   bool   // text has no escapes for invalid bytes
	whole   bool   // number or text determines every byte of the part
	meaning string // the meaning of the value, or ""
	target  int64  // the offset to which the value points, or -1
	inside  bool   // target is in the block
	err     error  // why the part could not be read

	strings  int64 // the base of the offsets in a strings buffer, -1 if unknown
	findings []validate.Finding
}

// read sets the entry to a part of the block b.
func (e *entry) read(b []byte, p layout.Part) {
	*e = entry{Part: p, value: e.value[:0], number: e.number[:0], text: e.text[:0], target: -1, err: p.Err, strings: e.strings}
	switch p.Sort {
	case layout.FieldPart:
		e.readField(b)
	case layout.NamePart:
		e.readName()
	case layout.ValuePart:
		e.readValue()
	}
	if len(e.number) > 0 || e.exact && e.err == nil && e.Sort != layout.ValuePart {
		e.whole = true // a name without an error has one terminator
	}
}

func (e *entry) readField(b []byte) {
	if g, ok := e.GUID(); ok {
		e.value, e.guid, e.whole = g.Append(e.value), true, true
		return
	}
	n, ok := e.Int()
	if !ok {
		e.text, e.exact = AppendText(e.text, e.Bytes(), utf16Text)
		return
	}
	if e.Field.Type == layout.U64 {
		e.number = strconv.AppendUint(e.number, uint64(n), 10)
	} else {
		e.number = strconv.AppendInt(e.number, n, 10)
	}
	e.value = append(e.value, e.number...)
	e.meaning = meaning(e.Part, n, b)
	if e.Field.Go == "CounterType" {
		e.value = appendHex(e.value[:0], uint64(n), 8)
	}
	if to, ok := e.pointsTo(n); ok {
		e.target, e.inside = to, to <= int64(len(b))
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

// stringsBase returns the offset from which the offsets in a strings buffer count, or -1
// for other kinds.
func stringsBase(kind layout.Kind, b []byte) int64 {
	if kind != layout.StringsKind {
		return -1
	}
	all, err := layout.ReadStringBuffer(b)
	if err != nil {
		return -1
	}
	return all.Base()
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
	e.text, e.exact = AppendText(e.text, text, as)
	if e.exact && name.Len() > 0 && name.IndexNUL() == len(text) {
		return // valid; Text would make a copy
	}
	if _, err := name.Text(); err != nil {
		e.err = err
	}
}

// readValue reads the value of a counter. A value of V2 has no counter type.
func (e *entry) readValue() {
	if !e.Untyped {
		e.meaning = e.Type.String() // the definition shows the bits of a type without a name
		if e.Type.IsText() {
			e.readText()
			return
		}
	}
	n, ok := e.Number()
	if !ok {
		return
	}
	e.number = strconv.AppendUint(e.number, n, 10)
	if e.value = append(e.value, e.number...); !e.Untyped && e.Type.Kind() == layout.PERF_TYPE_NUMBER && e.Type.Subtype() == layout.PERF_NUMBER_HEX {
		e.value = appendHex(e.value[:0], n, 2*e.Len())
	}
}

// readText reads the value of a PERF_COUNTER_TEXT: a DWORD with the length of the text in
// bytes, and the text.
func (e *entry) readText() {
	const size = 4 // of the length
	b := e.Bytes()
	if len(b) < size {
		e.err = layout.Faultf(layout.ErrShort, "the value has %d bytes, must have at least %d for the length of the text", len(b), size)
		return
	}
	n, as := le.Uint32(b), utf16Text
	if uint64(n) > uint64(len(b)-size) {
		e.err = layout.Faultf(layout.ErrBounds, "the length of the text is %d, but %d bytes follow", n, len(b)-size)
		return
	}
	if e.Type.Subtype() != layout.PERF_TEXT_UNICODE {
		as = byteText
	}
	e.text, e.exact = AppendText(e.text, b[size:size+n], as)
	e.whole = e.exact && len(b) == int(size+n)
}

// findingsOnly reports whether the part has no bytes and no error, only findings.
func (e *entry) findingsOnly() bool {
	return e.Sort == layout.UnreadPart && e.Len() == 0 && e.err == nil
}

// reason returns why the bytes of an UnreadPart are unread.
func (e *entry) reason() string {
	if e.err != nil {
		return e.err.Error()
	}
	steps := e.Path.Elems()
	if len(steps) > 0 && steps[len(steps)-1].Name == "extension" {
		return "after the fields of the structure"
	}
	return "no field refers to them"
}

// findingText returns the text of a finding that is shown at the part. If the path of the finding
// belongs to another record, the text includes the path. A wrong length can cause this.
func (e *entry) findingText(f validate.Finding) string {
	of := ""
	if f.Path != e.Path && f.Path.Parent() != e.Path.Parent() && f.Path != e.Path.Parent() {
		of = " " + f.Path.String()
	}
	return fmt.Sprintf("%v %s%s: %s", f.Severity, f.Rule.ID, of, terminal.Printable(f.Message()))
}

func appendHex(b []byte, n uint64, digits int) []byte {
	b = append(b, '0', 'x')
	for digits--; digits >= 0; digits-- {
		b = append(b, "0123456789abcdef"[n>>(4*digits)&15])
	}
	return b
}
