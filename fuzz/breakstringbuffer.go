package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// stringBufferBreakers break the rules about PERF_STRING_BUFFER_HEADER, PERF_STRING_COUNTER_HEADER and lists of GUIDs.
var stringBufferBreakers = []breaker{
	{"v2-guid-list-size", nil, func(f *faultyBlock) {
		f.distinctGUIDs()
		f.appendBytes(15)
	}},
	{"v2-guid-list-duplicate", nil, func(f *faultyBlock) {
		list := f.distinctGUIDs()
		list = slices.Insert(list, f.upTo(len(list)+1), list[f.upTo(len(list))])
		f.encodeFaulty(&list)
	}},

	{"v2-strings-bounds", nil, func(f *faultyBlock) {
		s := f.stringEntries()
		last := f.part(entry(len(s.Entries)-1, "Text"))
		switch f.upTo(4) {
		case 0:
			f.set("dwSize", f.atLeast(f.size()+1))
		case 1: // dwSize does not include all strings
			f.set("dwSize", int64(f.upTo(int(last.End()))))
		case 2:
			f.set("dwCounters", f.atLeast(int64(len(s.Entries))+1))
		case 3:
			f.truncate(f.size())
		}
	}},
	{"v2-strings-align", nil, func(f *faultyBlock) {
		f.stringEntries()
		n := 8*f.upTo(3) + 1 + f.upTo(7)
		f.insertBytes(f.size(), make([]byte, n), "dwSize")
	}},
	{"v2-strings-offset-base", nil, func(f *faultyBlock) {
		s := f.stringEntries()
		s.FromEntries = true
		f.encodeFaulty(&s)
	}},
	{"v2-strings-gap", nil, func(f *faultyBlock) {
		s := f.stringEntries()
		f.set("dwCounters", int64(f.upTo(len(s.Entries))))
	}},
	{"v2-strings-slack", also{"v2-padding-nonzero"}, func(f *faultyBlock) {
		f.stringEntries()
		b := make([]byte, 8*(1+f.upTo(3)))
		if f.chance(128) { // a string to which no entry refers
			for i := range b {
				b[i] = byte(1 + f.upTo(255))
			}
		}
		f.insertBytes(f.size(), b, "dwSize")
	}},
	{"v2-strings-offset-range", nil, func(f *faultyBlock) {
		f.stringEntries()
		entries := f.part(entry(0, "Text")).Off() // the first string follows the entries
		f.set("entry.dwOffset", pick(f.Source, int64(f.upTo(int(entries))), min(f.atLeast(f.size()), int64(layout.NoString)-1)))
	}},
	{"v2-strings-offset-odd", also{"v2-strings-unterminated"}, func(f *faultyBlock) {
		s := f.stringEntries()
		offset := f.size() - 1
		if f.chance(160) && f.base == nil {
			first, last := f.get(entry(0, "dwOffset")), f.get(entry(len(s.Entries)-1, "dwOffset"))
			offset = first + 1 + 2*int64(f.upTo(int(last-first)/2))
		}
		f.set("entry.dwOffset", offset)
	}},
	{"v2-strings-unterminated", nil, func(f *faultyBlock) {
		f.stringEntries()
		rest := f.block[f.part("entry.Text").Off():]
		for i := range rest {
			rest[i] = byte(1 + f.upTo(255))
		}
	}},
	{"v2-strings-duplicate-id", nil, func(f *faultyBlock) {
		s := f.stringEntries()
		i, j := f.twoInAnyOrder(len(s.Entries))
		f.set(entry(i, "dwCounterId"), int64(s.Entries[j].CounterId))
	}},
	{"v2-strings-unknown-id", nil, func(f *faultyBlock) {
		s := f.stringEntries()
		var ids []uint32
		for _, e := range s.Entries {
			if e.CounterId != layout.PERF_WILDCARD_COUNTER && !slices.Contains(ids, e.CounterId) { // in a base, any id may occur twice
				ids = append(ids, e.CounterId)
			}
		}
		f.addRegistration(f.guid(), f.instanceType(), ids...)
		f.set("entry.dwCounterId", f.atLeast(int64(len(ids))))
	}},
}

// distinctGUIDs makes a list of at least one GUID, without duplicates.
func (f *faultyBlock) distinctGUIDs() (list builder.GUIDs) {
	if f.base != nil {
		if list = *f.takeCopy(layout.GUIDsKind).(*builder.GUIDs); len(list) == 0 {
			f.endAttempt("a GUID")
		}
		return list
	}
	for i := range 1 + f.upTo(f.MaxObjects) {
		id := f.guid()
		id.Data1 = id.Data1&^0xFF | uint32(i)
		list = append(list, id)
	}
	f.encodeValid(&list)
	return list
}

// noOffset is a letter whose bytes look neither like an offset nor like a NUL. Its bytes in UTF-16LE are 00 4E. As a
// number, they are 0x4E00, which is larger than any offset in a short buffer. If a string of these letters is read from
// its second byte, the letters become 4E 00, which is not a NUL.
const noOffset = "一"

// stringEntries makes a string buffer with at least two entries, and chooses an entry. The strings are short.
func (f *faultyBlock) stringEntries() builder.StringBuffer {
	if f.base != nil {
		s := *f.takeCopy(layout.StringsKind).(*builder.StringBuffer)
		if len(s.Entries) < 2 {
			f.endAttempt("two strings")
		}
		f.chosen["entry"] = f.upTo(len(s.Entries))
		return s
	}
	var s builder.StringBuffer
	for i := range 2 + f.upTo(f.MaxCounters) {
		s.Counter(uint32(i), strings.Repeat(noOffset, 1+f.upTo(4)))
	}
	f.chosen["entry"] = f.upTo(len(s.Entries))
	f.encodeValid(&s)
	return s
}

// entry returns the path of a field or string of entry i.
func entry(i int, field string) string { return fmt.Sprintf("entry[%d].%s", i, field) }
