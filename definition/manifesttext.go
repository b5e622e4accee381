package definition

import (
	"maps"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/quote"
)

// inAttribute escapes the characters that have a meaning in an attribute, or that XML reads as spaces.
var inAttribute = strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "\t", "&#9;", "\n", "&#10;", "\r", "&#13;")

// attribute writes an attribute into the open start tag.
func (w *manifestWriter) attribute(name, key, value string) {
	if !isXMLText(value) {
		w.fail(key, wantXML, "%s is %s", key, quoted(value))
	}
	w.out.WriteString(w.newline + w.indent + "    " + name + `="` + inAttribute.Replace(value) + `"`)
}

// isXMLText reports whether XML can hold a text.
func isXMLText(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !isXML(r) })
}

// isXML reports whether XML 1.0 allows a character.
//
// Source: https://www.w3.org/TR/xml/#charsets
func isXML(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r < 0xD800 || r > 0xDFFF && r != 0xFFFE && r != 0xFFFF
}

// textValue returns the attribute value for a name or a help text: the text, or a reference to a string table.
func (w *manifestWriter) textValue(key string, t *Text) string {
	if _, is := stringReference(t.Neutral); is {
		w.fail(key, wantNotString, "%s is %s", key, quoted(t.Neutral))
	}
	if t.ID == "" || len(t.Languages) == 0 && t.Neutral != "" {
		if t.ID != "" {
			w.lose(key, "the string "+quoted(t.ID)+" is written as text, because a string table requires a language")
		}
		if len(t.Languages) > 0 {
			w.monolingual = append(w.monolingual, placedText{w.in, key, t, nil})
		}
		return t.String()
	}
	if t.Neutral != "" {
		w.elsewhere(key, "the text "+quoted(t.Neutral)+" of the key neutral: each string table has the texts of one language")
	}
	if w.into != nil {
		if !maps.Equal(t.Languages, w.into.strings[t.ID]) {
			w.lose(key, "the texts of the string "+quoted(t.ID)+": the existing file keeps its string tables, in which the string has other texts or no text")
		}
		return "$(string." + t.ID + ")"
	}
	for _, culture := range t.tags() {
		text := t.Languages[culture]
		table := w.tables[culture]
		if table == nil {
			table = make(map[string]string)
			w.tables[culture] = table
		}
		if old, is := table[t.ID]; is && old != text {
			w.fail(key, "must have one text in each language", "the string %s has several texts in %s", quoted(t.ID), quoted(culture))
		}
		if !isXMLText(culture + t.ID + text) {
			w.fail(key, wantXML, "%s is %s", key, quoted(text))
		}
		table[t.ID] = text
	}
	return "$(string." + t.ID + ")"
}

// loseLanguages reports one loss for all texts in w.monolingual. For each of these texts, the manifest has one text for
// all languages.
func (w *manifestWriter) loseLanguages() {
	if len(w.monolingual) == 0 {
		return
	}
	lost, written := make(map[string]bool), make(map[string]bool)
	n := 0 // texts that are not written
	for _, t := range w.monolingual {
		for tag, text := range t.text.Languages {
			if text == t.text.String() {
				written[tag] = true
				continue
			}
			lost[tag] = true
			n++
		}
	}
	what := quote.Count(n, "text") + " in " + languageList(lost)
	if n == 0 {
		what = "the language " + languageList(written) + " of " + quote.Count(len(w.monolingual), "text")
	}
	loss := w.monolingual[0].loss("%s: a manifest without string tables has one text for all languages", what)
	if hasIDs(w.version) {
		loss.Text += ", and refers to the string resources in .rc and .syso files, which have each language"
		loss.elsewhere = true
	} else {
		loss.Text += "; write {string: ID, LANGUAGE: TEXT} for string tables"
	}
	w.losses = append(w.losses, loss)
}

// languageList returns the keys of a map as a list for a message.
func languageList(set map[string]bool) string {
	return quote.List(sortTags(maps.Keys(set)), "and")
}

// shownName returns a name for the provider of a manifest, because manifests do not name their providers.
func (p *Provider) shownName() string {
	named := Provider{Name: p.symbolOrBinary()}
	if len(p.CounterSets) > 0 { // a URI can show the case of the name, such as Shop instead of SHOP
		if start, _, _ := strings.Cut(named.SetURI(&p.CounterSets[0]), "."); strings.EqualFold(start, named.Name) {
			return start
		}
	}
	return named.Name
}

// symbolOrBinary returns the symbol of the provider. If the symbol is absent, or is made from the name of the binary,
// symbolOrBinary returns the name of the binary without its extension.
func (p *Provider) symbolOrBinary() string {
	base := fileBase(p.Binary)
	base = strings.TrimSuffix(base, path.Ext(base))
	if p.Symbol == "" || base != "" && p.Symbol == constantName(base) {
		return base
	}
	return p.Symbol
}

// manifestName returns the name that p has after it is written as a manifest and read again.
func (p *Provider) manifestName() string {
	read := Provider{Symbol: p.Symbol, Binary: p.BinaryName()}
	if p.Type != kernelMode && !p.at.isGiven("symbol") {
		read.Symbol = p.CSymbol()
	}
	if len(p.CounterSets) > 0 {
		read.CounterSets = []CounterSet{{URI: p.SetURI(&p.CounterSets[0])}}
	}
	return read.shownName()
}

// loseName reports a loss if the provider has another name after the manifest is read again.
func (w *manifestWriter) loseName() {
	p := w.provider
	read := p.manifestName()
	// For a provider from a manifest, Shop and SHOP are the same name, because both give the symbol SHOP.
	if p.Name == "" || p.Name == read || p.from.form == Manifest && constantName(p.Name) == constantName(read) {
		return
	}
	what := "the name "
	if p.Service == "" {
		what = "the name of the provider and its service, "
	}
	w.elsewhere("provider", what+quoted(p.Name)+": a manifest has no attribute for the name, so readers make the name "+quoted(read)+" from symbol or applicationIdentity")
}
