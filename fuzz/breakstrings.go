package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var listBreakers = slices.Concat(guidBreakers, stringBufferBreakers, stringBreakers)

var guidBreakers = []breaker{
	{"v2-guid-list-size", nil, func(v *victim) {
		var list builder.GUIDs
		for i := range 1 + v.upTo(v.MaxObjects) {
			list = append(list, layout.GUID{Data1: uint32(i), Data2: uint16(v.uint32())})
		}
		v.model(&list)
		for range 1 + v.upTo(15) {
			v.block = append(v.block, v.byte())
		}
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
}

var stringBufferBreakers = []breaker{
	{"v2-strings-bounds", nil, func(v *victim) {
		s := v.textsOf(noOffset)
		last := v.part(entryIn(len(s.Entries)-1, "Text"))
		switch n := int64(len(s.Entries)); v.upTo(4) {
		case 0:
			v.set("dwSize", v.from(v.size()+1))
		case 1: // which a string is behind
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
	{"v2-strings-slack", nil, func(v *victim) {
		v.texts()
		v.splice(v.size(), make([]byte, 8*(1+v.upTo(3))), "dwSize")
	}},
	{"v2-strings-slack", also{"v2-padding-nonzero"}, func(v *victim) { // a text that no entry leads to
		v.texts()
		text := make([]byte, 8*(1+v.upTo(3)))
		for i := range text {
			text[i] = byte(1 + v.upTo(255))
		}
		v.splice(v.size(), text, "dwSize")
	}},
}

var stringBreakers = []breaker{
	{"v2-strings-offset-range", nil, func(v *victim) {
		s := v.texts()
		at := entryIn(v.upTo(len(s.Entries)), "dwOffset")
		v.set(at, pick(v.Source, int64(v.upTo(8+8*len(s.Entries))), min(v.from(v.size()), 1<<32-2)))
	}},
	{"v2-strings-offset-odd", nil, func(v *victim) {
		s := v.textsOf(noOffset)
		first, last := v.get(entryIn(0, "dwOffset")), v.get(entryIn(len(s.Entries)-1, "dwOffset"))
		v.set(entryIn(v.upTo(len(s.Entries)), "dwOffset"), first+1+2*int64(v.upTo(int(last-first)/2)))
	}},
	{"v2-strings-offset-odd", also{"v2-strings-unterminated"}, func(v *victim) { // the last byte
		s := v.textsOf(noOffset)
		v.set(entryIn(v.upTo(len(s.Entries)), "dwOffset"), v.size()-1)
	}},
	{"v2-strings-unterminated", nil, func(v *victim) {
		s := v.texts()
		from := v.part(entryIn(v.upTo(len(s.Entries)), "Text")).Off()
		for i := range v.block[from:] {
			v.block[int(from)+i] = byte(1 + v.upTo(255))
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

// texts makes the names of two counters at least, each with a short one.
func (v *victim) texts() builder.StringBuffer {
	if v.ASCII {
		return v.textsOf("n")
	}
	return v.textsOf(noOffset)
}

// noOffset is a letter that makes no offset, and that gives NULs at odd offsets too.
const noOffset = "一"

// textsOf makes the names of that letter.
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
