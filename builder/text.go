package builder

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

var le = binary.LittleEndian

// lengthPrefix is the size of the DWORD at the start of a PERF_COUNTER_TEXT, which counts
// the bytes after it.
const lengthPrefix = 4

// textLen returns the size of a checked value of variable length.
func textLen(t layout.CounterType, s string) uint64 {
	switch {
	case !t.IsText():
		return uint64(len(s))
	case t.Subtype() == layout.PERF_TEXT_UNICODE:
		return lengthPrefix + uint64(layout.UTF16Len(s))
	}
	return lengthPrefix + uint64(len(s))
}

// checkVariable checks the value of a counter of variable length.
func checkVariable(t layout.CounterType, s slot, value string) error {
	if t.IsText() && t.Subtype() == layout.PERF_TEXT_UNICODE {
		if err := layout.CheckUTF8(value); err != nil {
			return layout.Faultf(layout.ErrText, "%s of %s", inText(err), quote.Short(value))
		}
	}
	switch n := textLen(t, value); {
	case t.IsText() && n > uint64(s.size):
		return layout.Faultf(layout.ErrRange, "takes %d bytes, must fit the %d of the CounterSize", n, s.size)
	case !t.IsText() && n != uint64(s.size):
		return layout.Faultf(layout.ErrRange, "has %d bytes, must have the %d of the CounterSize", n, s.size)
	}
	return nil
}

// putText writes a checked value into its place, which is zero.
func putText(b []byte, t layout.CounterType, s string) {
	switch {
	case !t.IsText():
		copy(b, s)
		return
	case t.Subtype() == layout.PERF_TEXT_UNICODE:
		_, _ = layout.AppendUTF16(b[lengthPrefix:lengthPrefix], s) // checked, and there is room
	default:
		copy(b[lengthPrefix:], s)
	}
	le.PutUint32(b, uint32(textLen(t, s)-lengthPrefix))
}

// appendText appends the text of UTF-16LE bytes to dst, and reports whether they are valid.
func appendText(dst, b []byte) ([]byte, bool) {
	for ; len(b) >= 2; b = b[2:] {
		r := rune(le.Uint16(b))
		if utf16.IsSurrogate(r) {
			if len(b) < 4 {
				return dst, false
			}
			if r = utf16.DecodeRune(r, rune(le.Uint16(b[2:]))); r == utf8.RuneError {
				return dst, false
			}
			b = b[2:]
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst, len(b) == 0
}

// longestTexts returns the size of the longest value of each counter of variable length,
// over all instances and the object's own block.
func (o *Object) longestTexts() []uint64 {
	var types []layout.CounterType
	for _, c := range o.Counters {
		if _, fixed := c.CounterType.Width(); !fixed {
			types = append(types, c.CounterType)
		}
	}
	if types == nil {
		return nil
	}
	longest := make([]uint64, len(types))
	measure := func(texts []string) {
		for i, s := range texts[:min(len(texts), len(types))] {
			longest[i] = max(longest[i], textLen(types[i], s))
		}
	}
	measure(o.Texts)
	for i := range o.Instances {
		measure(o.Instances[i].Texts)
	}
	for i, t := range types {
		if t.IsText() {
			longest[i] = max(longest[i], lengthPrefix)
		}
	}
	return longest
}

// text decodes a value of variable length. A text that declares more bytes than its
// CounterSize is cut there, because the bytes after it belong to another value.
func (b *blocks) text(block layout.CounterBlock, i int, s slot, times int) (string, error) {
	path := func() layout.Path { return block.Path().At("value", b.origin[i]) }
	place, err := block.Sub(uint64(s.at), uint64(s.size))
	if err != nil {
		return "", within(path(), err)
	}
	t := b.counters[i].CounterType
	if !t.IsText() {
		return b.strings.add(place.Bytes(), times), nil
	}
	n, room := uint64(le.Uint32(place.Bytes())), uint64(s.size)-lengthPrefix
	if left := uint64(block.End()-place.Off()) - lengthPrefix; n > left {
		return "", &layout.Error{Path: path(), Off: place.Off(), Len: lengthPrefix, Err: layout.Faultf(layout.ErrBounds, "is a text of %d bytes, but the block has %d left", n, left)}
	}
	if n > room {
		b.lose(path(), place, "takes %d bytes, must fit the %d of the CounterSize", lengthPrefix+n, s.size)
		n = room
		if t.Subtype() == layout.PERF_TEXT_UNICODE {
			n = room &^ 1
		}
	}
	tail, err := place.Sub(lengthPrefix+n, room-n)
	if err != nil {
		return "", err
	}
	if !isZero(tail.Bytes()) {
		b.loseUnlessZero(path(), tail)
	}
	text, err := place.Sub(lengthPrefix, n)
	if err != nil {
		return "", within(path(), err)
	}
	if t.Subtype() != layout.PERF_TEXT_UNICODE {
		return b.strings.add(text.Bytes(), times), nil
	}
	if plain, ok := b.plainUTF16(text.Bytes(), times); ok {
		return plain, nil
	}
	return b.utf16(text, path())
}
