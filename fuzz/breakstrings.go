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
		for i := range v.upTo(v.MaxObjects + 1) {
			list = append(list, layout.GUID{Data1: uint32(i), Data2: uint16(v.uint32())})
		}
		v.model(&list)
		for range 1 + v.upTo(15) {
			v.block = append(v.block, v.byte())
		}
	}},
	{"v2-guid-list-duplicate", nil, func(v *victim) {
		list := append(GUIDs(v.Source, v.Config), v.guid())
		list = slices.Insert(list, v.upTo(len(list)+1), list[v.upTo(len(list))])
		v.model(&list)
	}},
}

var stringBufferBreakers = []breaker{
	{"v2-strings-bounds", nil, func(v *victim) {
		s := v.texts()
		whole := int64(len(v.block))
		switch v.upTo(4) {
		case 0:
			v.set("dwSize", min(whole+1+int64(v.uint32()), 1<<32-1))
		case 1:
			v.set("dwSize", int64(v.upTo(8+8*len(s.Entries))))
		case 2:
			v.set("dwCounters", min(whole/8+int64(v.uint32()), 1<<32-1))
		case 3:
			v.block = v.block[:1+v.upTo(int(whole)-1)]
		}
	}},
	{"v2-strings-align", nil, func(v *victim) {
		v.texts()
		n := 1 + v.upTo(7)
		v.block = append(v.block, make([]byte, n)...)
		v.add("dwSize", int64(n))
	}},
	{"v2-strings-offset-base", nil, func(v *victim) {
		s := v.texts()
		s.FromEntries = true
		v.model(&s)
	}},
	{"v2-strings-gap", nil, func(v *victim) {
		s := v.texts()
		v.set("dwCounters", int64(v.upTo(len(s.Entries))))
	}},
}

var stringBreakers = []breaker{
	{"v2-strings-offset-range", nil, func(v *victim) {
		s := v.texts()
		n := len(s.Entries)
		if at := v.upTo(n); at == n-1 || v.chance(128) {
			v.set(entryIn(at, "dwOffset"), min(int64(len(v.block))+int64(v.uint32()), 1<<32-2))
		} else { // the last string still says that offsets count from the start
			v.set(entryIn(at, "dwOffset"), int64(v.upTo(8+8*n)))
		}
	}},
	{"v2-strings-offset-odd", nil, func(v *victim) {
		s := v.texts()
		v.add(entryIn(v.upTo(len(s.Entries)), "dwOffset"), 1)
	}},
	{"v2-strings-unterminated", nil, func(v *victim) {
		s := v.texts()
		last := v.part(entryIn(len(s.Entries)-1, "Text")).Off()
		for i := range v.block[last:] {
			v.block[int(last)+i] = byte(1 + v.upTo(255))
		}
	}},
	{"v2-strings-duplicate-id", nil, func(v *victim) {
		s := v.texts()
		at := v.upTo(len(s.Entries) - 1)
		v.set(entryIn(at+1, "dwCounterId"), int64(s.Entries[v.upTo(at+1)].CounterId))
	}},
	{"v2-strings-unknown-id", nil, func(v *victim) {
		s := v.texts()
		var ids []uint32
		for _, e := range s.Entries {
			ids = append(ids, e.CounterId)
		}
		v.register(v.guid(), v.instanceType(), ids...)
		v.set(entryIn(v.upTo(len(ids)), "dwCounterId"), int64(len(ids))+int64(v.uint32()>>1))
	}},
}

// texts makes the names of two counters at least, each with a short one.
func (v *victim) texts() builder.Strings {
	var s builder.Strings
	for i := range 2 + v.upTo(v.MaxCounters) {
		s.Counter(uint32(i), strings.Repeat("t", 1+v.upTo(4)))
	}
	v.model(&s)
	return s
}

// entryIn returns a path in an entry.
func entryIn(i int, path string) string { return fmt.Sprintf("entry[%d].%s", i, path) }
