package builder

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/perfblock/perfblock/layout"
)

var le = binary.LittleEndian

// lengthPrefix is the DWORD that opens the value of a PERF_COUNTER_TEXT and counts
// the bytes behind it.
const lengthPrefix = 4

// textLen returns the bytes that a value of variable length takes, which must
// be valid for its type.
func textLen(t layout.CounterType, s string) uint64 {
	switch {
	case !t.IsText():
		return uint64(len(s))
	case t.Subtype() == layout.PERF_TEXT_UNICODE:
		return lengthPrefix + uint64(layout.UTF16Len(s))
	}
	return lengthPrefix + uint64(len(s))
}

// checkText reports what keeps s from being a value of type t.
func checkText(t layout.CounterType, s string) error {
	if t.IsText() && t.Subtype() == layout.PERF_TEXT_UNICODE {
		return layout.CheckUTF8(s)
	}
	return nil
}

// putText writes a checked value into its zeroed place.
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

// appendText appends the text of UTF-16LE to dst, and reports whether it is one.
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

// widest returns the bytes that the longest value of each counter of variable
// length takes over the instances and the object's own block.
func (o *Object) widest() []uint64 {
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
