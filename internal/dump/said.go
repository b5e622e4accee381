package dump

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

var le = binary.LittleEndian

// said is what there is to say of one part. One is used again for each part, so
// that a dump allocates nothing for it.
type said struct {
	layout.Part
	value   []byte // a number in decimal, or in hex where that is how it is known; nil for none
	number  []byte // the number in decimal
	text    []byte // quoted text; nil for none
	guid    bool   // the value is a GUID
	exact   bool   // the text is no more than its bytes, unquoted
	whole   bool   // number or text, with the length, tell every byte of the part
	meaning string // what the value stands for
	target  int64  // the offset it leads to, -1 for none
	inside  bool   // the target is in the block
	err     error  // why it could not be read

	strings  int64              // where the offsets of a string buffer count from, -1 where that is unknown
	findings []validate.Finding // of its bytes
}

// read makes s speak of p, a part of the block b.
func (s *said) read(b []byte, p layout.Part) {
	*s = said{Part: p, value: s.value[:0], number: s.number[:0], text: s.text[:0], target: -1, err: p.Err, strings: s.strings}
	switch p.Sort {
	case layout.FieldPart:
		s.field(b)
	case layout.NamePart:
		s.name()
	case layout.ValuePart:
		s.counterValue()
	}
	if len(s.number) > 0 || s.exact && s.err == nil && s.Sort != layout.ValuePart {
		s.whole = true // a name has one terminator, or an error
	}
}

func (s *said) field(b []byte) {
	if g, ok := s.GUID(); ok {
		s.value, s.guid, s.whole = g.Append(s.value), true, true
		return
	}
	n, ok := s.Int()
	if !ok {
		s.text, s.exact = AppendText(s.text, s.Bytes(), utf16Text)
		return
	}
	if s.Field.Type == layout.U64 {
		s.number = strconv.AppendUint(s.number, uint64(n), 10)
	} else {
		s.number = strconv.AppendInt(s.number, n, 10)
	}
	s.value = append(s.value, s.number...)
	s.meaning = meaning(s.Part, n, b)
	if s.Field.Go == "CounterType" {
		s.value = appendHex(s.value[:0], uint64(n), 8)
	}
	if to, ok := s.leads(n); ok {
		s.target, s.inside = to, to <= int64(len(b))
	}
}

// leads returns the offset that a field with the number n leads to, and whether it does.
func (s *said) leads(n int64) (int64, bool) {
	if s.Field.Role.From == layout.BufferStart {
		return s.strings + n, s.strings >= 0 && uint32(n) != layout.NoString
	}
	to, ok := s.Target()
	return to, ok && (n != 0 || s.Field.Role.Kind == layout.Length)
}

// stringsBase returns where the offsets in b count from if it is a string buffer, else -1.
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

func (s *said) name() {
	name := s.Name()
	text := s.Bytes()
	if name.Terminated() {
		text = text[:len(text)-name.Unit()]
	}
	as := utf16Text
	if s.Page != 0 {
		as = byteText
		s.meaning = "bytes of code page " + strconv.FormatUint(uint64(s.Page), 10)
	}
	s.text, s.exact = AppendText(s.text, text, as)
	if s.exact && name.Len() > 0 && name.IndexNUL() == len(text) {
		return // and no copy of the text is needed to know that it is right
	}
	if _, err := name.Text(); err != nil {
		s.err = err
	}
}

func (s *said) counterValue() {
	if s.Untyped {
		if n, ok := s.Number(); ok {
			s.number = strconv.AppendUint(s.number, n, 10)
			s.value = append(s.value, s.number...)
		}
		return
	}
	s.meaning = s.Type.String() // the bits of one without a name stand at its definition
	if s.Type.IsText() {
		s.textValue()
		return
	}
	n, ok := s.Number()
	if !ok {
		return
	}
	s.number = strconv.AppendUint(s.number, n, 10)
	if s.value = append(s.value, s.number...); s.Type.Kind() == layout.PERF_TYPE_NUMBER && s.Type.Subtype() == layout.PERF_NUMBER_HEX {
		s.value = appendHex(s.value[:0], n, 2*s.Len())
	}
}

// textValue shows what a PERF_COUNTER_TEXT holds: a DWORD with the length, and
// the text with that many bytes.
func (s *said) textValue() {
	b := s.Bytes()
	if len(b) < 4 {
		s.err = layout.Faultf(layout.ErrShort, "%d bytes are less than the 4 of a text's length", len(b))
		return
	}
	n, as := le.Uint32(b), utf16Text
	if uint64(n) > uint64(len(b)-4) {
		s.err = layout.Faultf(layout.ErrBounds, "a text of %d bytes in the %d that there are", n, len(b)-4)
		return
	}
	if s.Type.Subtype() != layout.PERF_TEXT_UNICODE {
		as = byteText
	}
	s.text, s.exact = AppendText(s.text, b[4:4+n], as)
	s.whole = s.exact && len(b) == int(4+n)
}

// nothing reports whether the part is there for its findings alone.
func (s *said) nothing() bool { return s.Sort == layout.UnreadPart && s.Len() == 0 && s.err == nil }

// reason says why bytes that are no field are where they are.
func (s *said) reason() string {
	if s.err != nil {
		return s.err.Error()
	}
	steps := s.Path.Elems()
	if len(steps) > 0 && steps[len(steps)-1].Name == "extension" {
		return "behind the fields of the structure"
	}
	return "nothing leads here"
}

// judged is what to say of a finding at a part. Its text may quote the block. Where it
// is of another place than the part, which a wrong length can make, that is said too.
func (s *said) judged(f validate.Finding) string {
	of := ""
	if f.Path != s.Path && f.Path.Parent() != s.Path.Parent() && f.Path != s.Path.Parent() {
		of = " " + f.Path.String()
	}
	return fmt.Sprintf("%v %s%s: %s", f.Severity, f.Rule.ID, of, shown(f.Message()))
}

// shown escapes what a terminal would take for a command.
func shown(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}

// typeName names a counter type, and the bits of one that has no name.
func typeName(t layout.CounterType) string {
	if t.Predefined() {
		return t.String()
	}
	return strings.ReplaceAll(t.Bits(), " | ", "|")
}

func appendHex(b []byte, n uint64, digits int) []byte {
	b = append(b, '0', 'x')
	for digits--; digits >= 0; digits-- {
		b = append(b, "0123456789abcdef"[n>>(4*digits)&15])
	}
	return b
}
