package definition

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// A Text is a name or a help text, in one language or in several.
type Text struct {
	// Neutral is the text for a language that Languages does not have, not even in another region. If a manifest has
	// the text itself, and no reference to its string table, Neutral is this text.
	Neutral string

	// Languages has the text of each language, by its tag, such as en, en-US or pt-BR, or by its number in
	// hexadecimal, such as 009 or 0416.
	Languages map[string]string

	// ID is the name of the text in the string table of a manifest, such as Queue.Name in
	// $(string.Queue.Name). "" means that the manifest has the text itself.
	ID string
}

// String returns the text to show to users: Neutral, or else the English text, or else the text of the first tag in
// sorted order.
func (t Text) String() string {
	if t.Neutral != "" || len(t.Languages) == 0 {
		return t.Neutral
	}
	first := slices.Min(slices.Collect(maps.Keys(t.Languages)))
	return cmp.Or(t.In("en"), t.Languages[first])
}

// In returns the text in a language, or a replacement. For en-US, the result is the first text in this list that
// exists: en-US, en, another region of English such as en-GB, Neutral.
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

// tags returns the languages of the text in the order of sortTags.
func (t Text) tags() []string { return sortTags(maps.Keys(t.Languages)) }

// sortTags returns languages in order: English first, and then by tag. Windows shows English if a text lacks the
// language of the user.
func sortTags(tags iter.Seq[string]) []string {
	rank := func(tag string) int {
		if sameLanguage(tag, "en") {
			return 0
		}
		return 1
	}
	return slices.SortedFunc(tags, func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) })
}

// translations yields each text with words for a message: first "" and the text in Neutral, and then pairs such as " in
// the language de" and the German text.
func (t Text) translations() iter.Seq2[string, string] {
	return func(yield func(in, text string) bool) {
		if !yield("", t.Neutral) {
			return
		}
		for _, tag := range t.tags() {
			if !yield(" in the language "+tag, t.Languages[tag]) {
				return
			}
		}
	}
}

// IsZero reports whether the text is not given.
func (t Text) IsZero() bool { return t.Neutral == "" && len(t.Languages) == 0 && t.ID == "" }

// LanguageTags returns the languages of all texts of the provider, without duplicates: first English, then sorted by
// tag.
func (p *Provider) LanguageTags() []string {
	return sortTags(maps.Keys(maps.Collect(p.languages())))
}

// A placedText is a name or a help text with its element and its key. id is the id of its string resource, or nil.
type placedText struct {
	element
	key  string
	text *Text
	id   *uint32
}

// loss returns a [Loss] about the text.
func (t placedText) loss(format string, args ...any) Loss {
	return t.element.loss(t.key, fmt.Sprintf(format, args...))
}

// placedTexts yields the names and help texts of all sets and counters.
func (p *Provider) placedTexts() iter.Seq[placedText] {
	return func(yield func(placedText) bool) {
		for e, s := range p.sets() {
			if !yield(placedText{e, "name", &s.Name, s.NameID}) || !yield(placedText{e, "help", &s.Help, s.HelpID}) {
				return
			}
			for e, c := range s.counters(e.path) {
				if !yield(placedText{e, "name", &c.Name, c.NameID}) || !yield(placedText{e, "help", &c.Help, c.HelpID}) {
					return
				}
			}
		}
	}
}

// languages yields each language of the provider once, with the first text in this language.
func (p *Provider) languages() iter.Seq2[string, placedText] {
	return func(yield func(string, placedText) bool) {
		seen := make(map[string]bool)
		for t := range p.placedTexts() {
			var tags []string
			for tag := range t.text.Languages {
				if !seen[tag] {
					seen[tag] = true
					tags = append(tags, tag)
				}
			}
			for _, tag := range sortTags(slices.Values(tags)) {
				if !yield(tag, t) {
					return
				}
			}
		}
	}
}

// numberedLanguages returns the languages of the texts in the order of LanguageTags. An unknown language is an error.
func (p *Provider) numberedLanguages() ([]language, error) {
	first := maps.Collect(p.languages())
	if len(first) > mostLanguages { // bounds the time and the memory for an output
		return nil, fmt.Errorf("the texts have %d languages, must have at most %d", len(first), mostLanguages)
	}
	var list []language
	for _, tag := range sortTags(maps.Keys(first)) {
		number, err := LanguageNumber(tag)
		if err != nil {
			return nil, first[tag].refuse(first[tag].key, wantLanguage, "the language is %s", quoted(tag))
		}
		list = append(list, language{tag, number})
	}
	return list, nil
}
