package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// stringBufferBreakers break the rules about string buffers and lists of GUIDs.
var stringBufferBreakers = []breaker{
	{"v2-guid-list-size", nil, func(v *victim) {
		var list builder.GUIDs
		for i := range 1 + v.upTo(v.MaxObjects) {
			list = append(list, layout.GUID{Data1: uint32(i), Data2: uint16(v.uint32())})
		}
		v.model(&list)
		v.block = append(v.block, v.bytes(1+v.upTo(15))...)
	}},
	{"v2-guid-list-duplicate", nil, func(v *victim) {
		var list builder.GUIDs
		for i := range 1 + v.upTo(v.MaxObjects) {
			id := v.guid()
			id.Data1 = id.Data1&^0xFF | uint32(i)
			list = append(list, id)
		}
		v.model(&list)
		list = slices.Insert(list, v.upTo(len(list)+1), list[v.upTo(len(list))])
		v.remodel(&list)
	}},

	{"v2-strings-bounds", nil, func(v *victim) {
		s := v.textsOf(noOffset)
		last := v.part(entryIn(len(s.Entries)-1, "Text"))
		switch n := int64(len(s.Entries)); v.upTo(4) {
		case 0:
			v.set("dwSize", v.from(v.size()+1))
		case 1: // a string is after the size
			v.set("dwSize", int64(v.upTo(int(last.End()))))
		case 2:
			v.set("dwCounters", v.from(n+1))
		case 3:
			v.block = v.block[:1+v.upTo(int(v.size())-1)]
		}
	}},
	{"v2-strings-align", nil, func(v *victim) {
		v.texts()
		n := 8*v.upTo(3) + 1 + v.upTo(7)
		v.splice(v.size(), make([]byte, n), "dwSize")
	}},
	{"v2-strings-offset-base", nil, func(v *victim) {
		s := v.texts()
		s.FromEntries = true
		v.remodel(&s)
	}},
	{"v2-strings-gap", nil, func(v *victim) {
		s := v.texts()
		v.set("dwCounters", int64(v.upTo(len(s.Entries))))
	}},
	{"v2-strings-slack", also{"v2-padding-nonzero"}, func(v *victim) {
		v.texts()
		b := make([]byte, 8*(1+v.upTo(3)))
		if v.chance(128) { // a text that no entry refers to
			for i := range b {
				b[i] = byte(1 + v.upTo(255))
			}
		}
		v.splice(v.size(), b, "dwSize")
	}},
	{"v2-strings-offset-range", nil, func(v *victim) {
		s := v.texts()
		entries := v.part(entryIn(0, "Text")).Off() // the texts follow the entries
		at := entryIn(v.upTo(len(s.Entries)), "dwOffset")
		v.set(at, pick(v.Source, int64(v.upTo(int(entries))), min(v.from(v.size()), int64(layout.NoString)-1)))
	}},
	{"v2-strings-offset-odd", also{"v2-strings-unterminated"}, func(v *victim) {
		s := v.textsOf(noOffset)
		offset := v.size() - 1
		if v.chance(160) {
			first, last := v.get(entryIn(0, "dwOffset")), v.get(entryIn(len(s.Entries)-1, "dwOffset"))
			offset = first + 1 + 2*int64(v.upTo(int(last-first)/2))
		}
		v.set(entryIn(v.upTo(len(s.Entries)), "dwOffset"), offset)
	}},
	{"v2-strings-unterminated", nil, func(v *victim) {
		s := v.texts()
		rest := v.block[v.part(entryIn(v.upTo(len(s.Entries)), "Text")).Off():]
		for i := range rest {
			rest[i] = byte(1 + v.upTo(255))
		}
	}},
	{"v2-strings-duplicate-id", nil, func(v *victim) {
		s := v.texts()
		first, second := v.two(len(s.Entries))
		if v.chance(128) {
			first, second = second, first
		}
		v.set(entryIn(second, "dwCounterId"), int64(s.Entries[first].CounterId))
	}},
	{"v2-strings-unknown-id", nil, func(v *victim) {
		s := v.texts()
		var ids []uint32
		for _, e := range s.Entries {
			ids = append(ids, e.CounterId)
		}
		v.register(v.guid(), v.instanceType(), ids...)
		v.set(entryIn(v.upTo(len(ids)), "dwCounterId"), v.from(int64(len(ids))))
	}},
}

// texts makes a string buffer with short names of at least two counters.
func (v *victim) texts() builder.StringBuffer {
	if v.ASCII {
		return v.textsOf("n")
	}
	return v.textsOf(noOffset)
}

// noOffset is a letter whose code is not a plausible offset, and that reads as no NUL from an odd offset.
const noOffset = "一"

// textsOf makes a string buffer with names of one letter.
func (v *victim) textsOf(letter string) builder.StringBuffer {
	var s builder.StringBuffer
	for i := range 2 + v.upTo(v.MaxCounters) {
		s.Counter(uint32(i), strings.Repeat(letter, 1+v.upTo(4)))
	}
	v.model(&s)
	return s
}

// entryIn returns a path in an entry.
func entryIn(i int, path string) string { return fmt.Sprintf("entry[%d].%s", i, path) }
