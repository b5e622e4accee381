package builder

import (
	"encoding/binary"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/utf16le"
	"github.com/perfblock/perfblock/layout"
)

var le = binary.LittleEndian

// lengthPrefix is the size of the DWORD at the start of a PERF_COUNTER_TEXT. The DWORD holds the
// number of bytes after it.
const lengthPrefix = 4

// textLen returns the number of bytes that a valid value of variable length takes.
func textLen(t layout.CounterType, s string) uint64 {
	switch {
	case !t.IsText():
		return uint64(len(s))
	case t.Subtype() == layout.PERF_TEXT_UNICODE:
		return lengthPrefix + uint64(utf16le.Len(s))
	}
	return lengthPrefix + uint64(len(s))
}

// checkVariable checks a value of variable length.
func checkVariable(t layout.CounterType, p place, value string) error {
	if t.IsText() && t.Subtype() == layout.PERF_TEXT_UNICODE {
		if err := checkUTF8(value); err != nil {
			return err
		}
	}
	switch n := textLen(t, value); {
	case t.IsText() && n > uint64(p.size):
		return layout.Faultf(layout.ErrRange, "takes %d bytes including its length field, must take at most %d, the CounterSize: shorten the text, or compile the Object with a CounterSize of %d", n, p.size, n)
	case !t.IsText() && n != uint64(p.size):
		return layout.Faultf(layout.ErrRange, "has %s, must have %d, the CounterSize", quote.Count(int(n), "byte"), p.size)
	}
	return nil
}

// putText writes a valid value of variable length to b. All bytes of b must be 0.
func putText(b []byte, t layout.CounterType, s string) {
	switch {
	case !t.IsText():
		copy(b, s)
		return
	case t.Subtype() == layout.PERF_TEXT_UNICODE:
		_, _ = layout.AppendUTF16(b[lengthPrefix:lengthPrefix], s) // valid, and b is long enough
	default:
		copy(b[lengthPrefix:], s)
	}
	le.PutUint32(b, uint32(textLen(t, s)-lengthPrefix))
}

// longestTexts returns, for each counter of variable length, the length of its longest value in the object and its
// instances.
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

// text decodes the value of counter i, which has variable length. The value must be inside the block.
func (b *blockDecoder) text(block layout.CounterBlock, i int, p place, remaining int) (string, error) {
	path := func() layout.Path { return block.Path().At("value", b.origin[i]) }
	value, _ := block.Sub(uint64(p.at), uint64(p.size))
	t := b.counters[i].CounterType
	if !t.IsText() {
		return b.strings.add(value.Bytes(), remaining), nil
	}
	n, most := uint64(le.Uint32(value.Bytes())), uint64(p.size)-lengthPrefix
	if left := uint64(block.End()-value.Off()) - lengthPrefix; n > left {
		return "", &layout.Error{Path: path(), Off: value.Off(), Len: lengthPrefix, Err: layout.Faultf(layout.ErrBounds, "is a text of %d bytes, must have at most the %d that follow in the counter block", n, left)}
	}
	if n > most {
		// Only the bytes up to CounterSize are decoded, because the bytes after them belong to another value.
		b.lose(path(), value, "takes %d bytes including its length field, must take at most %d, the CounterSize", lengthPrefix+n, p.size)
		n = most
		if t.Subtype() == layout.PERF_TEXT_UNICODE {
			n = most &^ 1
		}
	}
	tail, _ := value.Sub(lengthPrefix+n, most-n)
	if !isZero(tail.Bytes()) {
		b.loseUnlessZero(path(), tail)
	}
	text, _ := value.Sub(lengthPrefix, n)
	if t.Subtype() != layout.PERF_TEXT_UNICODE {
		return b.strings.add(text.Bytes(), remaining), nil
	}
	s, valid := utf16le.AppendUTF8(b.scratch[:0], text.Bytes())
	if b.scratch = s; valid {
		return b.strings.add(s, remaining), nil
	}
	return b.utf16(text, path())
}
