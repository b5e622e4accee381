package definition

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// A Text is a name or a help text, in one language or in several.
type Text struct {
	// Neutral is the text for all languages that are not in Languages. A manifest that does not use its string
	// table has only this text.
	Neutral string

	// Languages has the text of each language, by its tag, such as en, en-US or pt-BR, or by its number in
	// hexadecimal, such as 009 or 0416.
	Languages map[string]string

	// ID is the name of the text in the string table of a manifest, such as Queue.Name in
	// $(string.Queue.Name). "" means that the manifest has the text itself.
	ID string
}

// String returns the text for people: Neutral, else the English text, else the text of the first tag in sorted order.
func (t Text) String() string {
	if t.Neutral != "" || len(t.Languages) == 0 {
		return t.Neutral
	}
	first := ""
	for tag := range t.Languages {
		if first == "" || tag < first {
			first = tag
		}
	}
	return cmp.Or(t.In("en"), t.Languages[first])
}

// In returns the text in a language, or Neutral if Languages does not have the language. For en-US, In prefers the
// text of en-US to that of en, and the text of en to that of en-GB.
func (t Text) In(language string) string {
	if text, is := t.Languages[language]; is {
		return text
	}
	for tag, text := range t.Languages {
		if strings.EqualFold(tag, language) {
			return text
		}
	}
	primary, _, _ := strings.Cut(language, "-")
	first := "" // en sorts before en-GB
	for tag := range t.Languages {
		if (first == "" || tag < first) && sameLanguage(tag, primary) {
			first = tag
		}
	}
	if first != "" {
		return t.Languages[first]
	}
	return t.Neutral
}

// tags returns the languages of the text, sorted.
func (t Text) tags() []string { return slices.Sorted(maps.Keys(t.Languages)) }

// IsZero reports whether the text is not given.
func (t Text) IsZero() bool { return t.Neutral == "" && len(t.Languages) == 0 && t.ID == "" }

// LanguageTags returns the languages of the texts of the provider, sorted and without duplicates.
func (p *Provider) LanguageTags() []string {
	set := make(map[string]bool)
	for text := range p.texts() {
		for tag := range text.Languages {
			set[tag] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// texts yields the names and help texts of all sets and counters.
func (p *Provider) texts() func(yield func(*Text) bool) {
	return func(yield func(*Text) bool) {
		for i := range p.CounterSets {
			s := &p.CounterSets[i]
			if !yield(&s.Name) || !yield(&s.Help) {
				return
			}
			for j := range s.Counters {
				if !yield(&s.Counters[j].Name) || !yield(&s.Counters[j].Help) {
					return
				}
			}
		}
	}
}
