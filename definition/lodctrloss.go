package definition

import (
	"slices"

	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/quote"
)

// lostTexts returns the texts that an .ini file in the languages does not have.
func (p *Provider) lostTexts(languages []lodctrTag) []Loss {
	var losses []Loss
	for t := range p.titledTexts() {
		losses = append(losses, t.lost(languages)...)
	}
	return losses
}

// lost returns the parts of a text that are not in an .ini file.
func (t placedText) lost(languages []lodctrTag) (losses []Loss) {
	text := t.text
	written := make(map[string]string) // by the number of the language
	neutral := text.Neutral == ""
	for _, l := range languages {
		written[l.number] = text.In(l.tag)
		neutral = neutral || written[l.number] == text.Neutral
	}
	for _, tag := range text.tags() {
		number, _ := LanguageNumber(tag) // the languages were checked
		if own := text.Languages[tag]; own != "" && own != written[lodctrLanguage(number)] {
			losses = append(losses, t.loss("the text %s in the language %s: an .ini file has one text for all regions of a language", quoted(own), tag))
		}
	}
	if !neutral {
		losses = append(losses, t.loss("the text %s for other languages: an .ini file has a text for each language", quoted(text.Neutral)))
	}
	return losses
}

// notInINI returns the bases without a title, and one loss with the keys whose values an .ini file and its header do not
// have.
func (p *Provider) notInINI() []Loss {
	var losses []Loss
	keys := keysGiven(nil, providerMapping.Keys, p, "provider", "service", "header", "trusted", "counterSets")
	for set, s := range p.sets() {
		short := s.shortened() // without the values that follow from others
		keys = keysGiven(keys, counterSetMapping.Keys, &short, "name", "help", "symbol", "title", "counters")
		for j := range short.Counters {
			keys = keysGiven(keys, counterMapping.Keys, &short.Counters[j], "name", "help", "symbol", "title")
		}
		for e, c := range s.counters(set.path) {
			if c.Type.IsBase() && c.Title == nil {
				losses = append(losses, e.loss("", "the base "+calledOrID(c)+": an .ini file has no base, unless the definition gives its title"))
			}
		}
	}
	if len(keys) > 0 {
		losses = append(losses, Loss{Text: quote.List(keys, "and") + ": an .ini file and its header have names, help texts, symbols and numbers only"})
	}
	return losses
}

// keysGiven adds the keys that YAML of the element has to the list, without those that are held or in the list already.
func keysGiven[T any](list []string, keys []form.Key[T], of *T, held ...string) []string {
	for _, k := range keys {
		if !slices.Contains(held, k.Name) && !slices.Contains(list, k.Name) && !k.Form.Zero(k.Field(of)) {
			list = append(list, k.Name)
		}
	}
	return list
}
