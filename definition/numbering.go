package definition

import (
	"cmp"
	"fmt"
	"slices"
)

func codePoint(r rune) string { return fmt.Sprintf("%04x", r) }

// A Resource is a string resource of the binary of a provider.
type Resource struct {
	ID   uint32
	Text Text
}

// firstResource is the id of the first string resource, if the definition has no resourceBase.
const firstResource = 1

// Resources returns the string resources with the names and help texts of the sets and counters, sorted
// by id. A text without a NameID or HelpID gets the next free id, starting at ResourceBase, or at 1 if this is not
// given. Texts that are not given have no resource. The map has the id of each text that has a resource.
func (p *Provider) Resources() ([]Resource, map[*Text]uint32) {
	used := make(map[uint32]bool)
	for t := range p.placedTexts() {
		if t.id != nil {
			used[*t.id] = true
		}
	}
	next := uint32(firstResource)
	if p.ResourceBase != nil {
		next = *p.ResourceBase
	}
	var list []Resource
	ids := make(map[*Text]uint32)
	for t := range p.placedTexts() {
		id := t.id
		if t.text.IsZero() {
			continue
		}
		if id == nil {
			for used[next] {
				next++
			}
			id = new(next)
			used[next] = true
		}
		ids[t.text] = *id
		list = append(list, Resource{*id, *t.text})
	}
	slices.SortStableFunc(list, func(a, b Resource) int { return cmp.Compare(a.ID, b.ID) })
	return list, ids
}

// A Title is a name of V1 with its help text. Windows adds Number to the First Counter of the service for
// the index of the name, and to its First Help for the index of the help text.
type Title struct {
	Number  uint32
	Symbol  string
	Set     *CounterSet
	Counter *Counter // nil for the set itself

	element // of the set or the counter
}

// Name returns the name of the title.
func (t Title) Name() *Text {
	if t.Counter != nil {
		return &t.Counter.Name
	}
	return &t.Set.Name
}

// Help returns the help text of the title.
func (t Title) Help() *Text {
	if t.Counter != nil {
		return &t.Counter.Help
	}
	return &t.Set.Help
}

// Titles returns the titles of the provider: that of each set, followed by those of its counters. The Number of a title is
// the Title of the set or counter. If Title is not given, the Number is that of the preceding title plus 2; the first
// Number is 0. A base has a title only if its Title is given.
//
// Source: https://learn.microsoft.com/windows/win32/perfctrs/adding-counter-names-and-descriptions-to-the-registry
func (p *Provider) Titles() []Title {
	var list []Title
	next := uint32(0)
	add := func(given *uint32, t Title) {
		if given != nil {
			next = *given
		}
		t.Number = next
		list = append(list, t)
		next += 2
	}
	for set, s := range p.sets() {
		add(s.Title, Title{Symbol: s.CSymbol(), Set: s, element: set})
		for e, c := range s.counters(set.path) {
			if c.Title != nil || !c.Type.IsBase() {
				add(c.Title, Title{Symbol: s.CounterSymbol(c), Set: s, Counter: c, element: e})
			}
		}
	}
	return list
}
