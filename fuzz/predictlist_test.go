package fuzz_test

import (
	"slices"
	"unicode/utf16"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func (p *prediction) identifiers(list builder.Identifiers) {
	for i, id := range list {
		at := layout.Path{}.At("identifier", i)
		if id.CounterSetGuid == (layout.GUID{}) {
			p.add("v2-identifier-guid-zero", at.Field("CounterSetGuid"))
		}
		units := len(utf16.Encode([]rune(id.Name)))
		if units > 1023 {
			p.add("v2-identifier-name-too-long", at.Field("Name"))
		}
		least := uint32(40)
		if id.Name != "" || id.Size > 40 {
			least = uint32(40+2*(units+1)+7) / 8 * 8
		}
		if id.Size > least {
			p.add("v2-identifier-slack", at.Field("Size"))
		}
		asked := func(id builder.CounterIdentifier) builder.CounterIdentifier {
			id.Status, id.Index, id.Size = 0, 0, 0
			return id
		}
		if slices.ContainsFunc(list[:i], func(before builder.CounterIdentifier) bool { return asked(before) == asked(id) }) {
			p.add("v2-identifier-duplicate", at)
		}
	}
}

func (p *prediction) guids(list builder.GUIDs) {
	for i, id := range list {
		if slices.Contains(list[:i], id) {
			p.add("v2-guid-list-duplicate", layout.Path{}.At("guid", i))
		}
	}
}

func (p *prediction) strings(s *builder.StringBuffer) {
	for i, e := range s.Entries {
		at := layout.Path{}.At("entry", i)
		if !e.None && s.FromEntries && !slices.ContainsFunc(s.Entries[:i], func(e builder.StringCounter) bool { return !e.None }) {
			p.add("v2-strings-offset-base", at.Field("dwOffset"))
		}
		if slices.ContainsFunc(s.Entries[:i], func(before builder.StringCounter) bool { return before.CounterId == e.CounterId }) {
			p.add("v2-strings-duplicate-id", at.Field("dwCounterId"))
		}
	}
}
