package definition

import (
	"errors"
	"fmt"
	"go/token"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/perfblock/perfblock/internal/utf16le"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A refusal is an error about a value that a file format cannot hold. The file is not written.
type refusal struct{ finding }

// Error returns a text such as:
//
//	counterSet[0].name at 3:11: the name is "a\nb", must have no control character
func (r refusal) Error() string {
	return r.loss().String()
}

// refuse returns a refusal of the value of a key. format and args give the first part of the message.
func (e element) refuse(key, want, format string, args ...any) refusal {
	return refusal{e.finding(key, fmt.Sprintf(format, args...), want)}
}

// refuse returns a refusal of the value of a key of the provider. format and args give the first part of the message.
func (p *Provider) refuse(key, want, format string, args ...any) refusal {
	return p.element().refuse(key, want, format, args...)
}

// mostFaults is the largest number of faults that one error lists.
const mostFaults = 20

// refusalsError returns the refusals as one error, or nil if there are none.
func refusalsError(list []refusal) error {
	var faults []error
	for _, r := range list[:min(len(list), mostFaults)] {
		faults = append(faults, r)
	}
	return errors.Join(faults...)
}

const (
	wantLine      = "must have no control character, and no space at its start or end"
	wantPlain     = "must have no control character"
	wantXML       = "must have only characters that XML has"
	wantInSchema  = "must be a value that the manifest schema defines"
	wantC         = "must be an identifier of C: letters, digits and _"
	wantLanguage  = "must be a known tag such as en or de-DE, or a number such as 009"
	wantNotString = "must not have the form of a reference to a string table"
)

// serviceKey returns the key that gives the name of the V1 service.
func (p *Provider) serviceKey() string {
	if p.Service == "" {
		return "provider"
	}
	return "service"
}

// isLine reports whether an .ini file can hold a value.
func isLine(value string) bool { return isPlain(value) && strings.TrimSpace(value) == value }

func isPlain(value string) bool { return !strings.ContainsFunc(value, unicode.IsControl) }

// lodctrRefusals returns the values that an .ini file cannot hold. It does not check languages.
func (p *Provider) lodctrRefusals() []refusal {
	var list []refusal
	for _, v := range []struct{ key, value string }{{p.serviceKey(), p.ServiceName()}, {"header", p.HeaderName()}} {
		if !isLine(v.value) {
			list = append(list, p.refuse(v.key, wantLine, "%s is %s", v.key, quoted(v.value)))
		}
	}
	list = append(list, p.symbolRefusals()...)
	return append(list, textRefusals(p.titledTexts(), isLine, wantLine)...)
}

// titledTexts yields the name and the help text of each title in [Provider.Titles].
func (p *Provider) titledTexts() iter.Seq[placedText] {
	return func(yield func(placedText) bool) {
		for _, t := range p.Titles() {
			if !yield(placedText{t.element, "name", t.Name(), nil}) || !yield(placedText{t.element, "help", t.Help(), nil}) {
				return
			}
		}
	}
}

// textRefusals calls valid for each language of each text. It returns one refusal for a text if valid returns false for
// any language.
func textRefusals(texts iter.Seq[placedText], valid func(string) bool, want string) []refusal {
	var list []refusal
	for t := range texts {
		for in, text := range t.text.translations() {
			if !valid(text) {
				list = append(list, t.refuse(t.key, want, "the %s%s is %s", t.key, in, quoted(text)))
				break
			}
		}
	}
	return list
}

// symbolRefusals returns the symbols that a header cannot hold.
func (p *Provider) symbolRefusals() []refusal {
	var list []refusal
	first := make(map[string]Title)
	for _, t := range p.Titles() {
		symbol, name := t.Symbol, quoted(t.Name().String())
		if old, is := first[symbol]; is {
			list = append(list, t.refuse("symbol", "must be unique; choose another with symbol: NAME", "the symbol %s of %s is also the symbol of %s", quoted(symbol), name, quoted(old.Name().String())))
		} else if c := t.Counter; c != nil && c.Symbol == "" && !isIdentifier(t.Set.CSymbol()) {
			// Nothing to add: the symbol begins with the symbol of the set, and the symbol of the set is already refused.
		} else if !isIdentifier(symbol) {
			list = append(list, t.refuse("symbol", wantC, "the symbol of %s is %s", name, quoted(symbol)))
		}
		first[symbol] = t
	}
	return list
}

// registryRefusals returns the values that a .reg file cannot have.
func (p *Provider) registryRefusals() []refusal {
	var list []refusal
	if name := p.ServiceName(); strings.ContainsAny(name, `\]`) || strings.ContainsFunc(name, isControl) {
		key := p.serviceKey()
		list = append(list, p.refuse(key, `must have no backslash, no ] and no control character, because it is the name of a registry key`, "%s is %s", key, quoted(name)))
	}
	for _, v := range p.registryValues() {
		if strings.ContainsFunc(v.value, isControl) {
			key := strings.ToLower(v.name)
			list = append(list, p.refuse(key, wantPlain, "%s is %s", key, quoted(v.value)))
		}
	}
	if p.FirstCounter != nil {
		for _, t := range p.Titles() {
			if _, err := p.index(t); err != nil {
				r, _ := errors.AsType[refusal](err)
				return append(list, r)
			}
		}
	}
	return list
}

// resourceRefusals returns the ids and texts that string resources cannot have. Languages are not checked.
func (p *Provider) resourceRefusals(script bool) []refusal {
	ids := p.resourceIDs()
	var list []refusal
	seen := make(map[uint32]bool)
	for t := range p.placedTexts() {
		id, is := ids[t.text]
		if !is {
			continue
		}
		switch key := t.key + "ID"; {
		case id > mostResourceID:
			list = append(list, t.refuse(key, fmt.Sprintf("must be at most %d; write a smaller %s or resourceBase", mostResourceID, key), "%s of %s is %d", key, quoted(t.text.String()), id))
		case seen[id]:
			list = append(list, t.refuse(key, "must be unique", "%s of %s is %d, which is also the id of another text", key, quoted(t.text.String()), id))
		}
		seen[id] = true
	}
	list = append(list, textRefusals(p.placedTexts(), func(s string) bool {
		return len(s) <= mostResourceLen || utf16le.Len(s)/2 <= mostResourceLen
	}, fmt.Sprintf("must have at most %d UTF-16 characters", mostResourceLen))...)
	if script {
		list = append(list, textRefusals(p.placedTexts(), isPlain, wantPlain)...)
	}
	return list
}

// packageRefusals returns a refusal if the Go file cannot have the name of the package.
func (p *Provider) packageRefusals() []refusal {
	if name := p.PackageName(); !token.IsIdentifier(name) || name == "_" {
		return []refusal{p.refuse("package", "must be an identifier of Go and not a keyword", "package is %s", quoted(name))}
	}
	return nil
}

// refusals returns the values that prevent an output, in two lists. limits has the values that the manifest schema does
// not define, such as some counter types. refused has the other values.
func (p *Provider) refusals() (refused, limits []refusal) {
	all := slices.Concat(p.lodctrRefusals(), p.registryRefusals(), p.resourceRefusals(true), p.packageRefusals())
	var names []Output
	for _, o := range outputs {
		names = append(names, Output{Name: o.name(p)})
	}
	if r, is := errors.AsType[refusal](p.differ(names)); is {
		all = append(all, r)
	}
	if tags := p.LanguageTags(); len(tags) > mostLanguages {
		all = append(all, p.refuse("", fmt.Sprintf("must have at most %d", mostLanguages), "the texts have %d languages", len(tags)))
	}
	if w, err := p.manifestWriter(ManifestOptions{}); err == nil {
		w.counters()
		all = append(all, w.faults...)
	}
	type value struct {
		path layout.Path
		at   place
	}
	seen := make(map[value]bool)
	for _, r := range all {
		v := value{r.path, r.at}
		switch {
		case seen[v]:
		case r.want == wantInSchema:
			limits = append(limits, r)
		default:
			refused = append(refused, r)
		}
		seen[v] = true
	}
	return refused, limits
}

var refusalRules = []*rule{
	{validate.Rule{
		ID: "PERF4034", Name: "def-output", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "each value of a definition can be written to all generated files",
		Why:     "perfblock define -o FOLDER/ writes no file if one of the files cannot hold a value. A text of an .ini file has one line, a string resource has an id of 16 bits, and a symbol must be an identifier of C.",
		Fix:     "Remove control characters, such as line ends and tabs, and spaces at the start or end of a text. If the message names a key that the definition does not have, such as symbol or nameID, add this key with a value that meets the requirement.",
		Sources: []validate.Source{iniPage, counterPage, keyPage},
	}, onProvider(func(p providerOf, report func(finding)) {
		other := make(map[layout.Path]bool) // the rule manifest-duplicate-symbol reports these paths
		p.eachRepeated("symbol", func(s *CounterSet, c *Counter) string { return s.CounterSymbol(c) }, func(f finding) { other[f.path] = true })
		list, _ := p.refusals()
		for _, r := range list {
			if !other[r.path] {
				report(r.finding)
			}
		}
	}).onForms(YAML)},
	{validate.Rule{
		ID: "PERF4035", Name: "def-manifest", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "the counter types, instances, aggregates and attributes of a definition are valid in a manifest",
		Why:     "The headers of Windows define some counter types, instances, aggregates and attributes that the manifest schema does not have. If a definition uses one of them, perfblock define cannot write a manifest, and perfblock define -o FOLDER/ writes no file.",
		Fix:     "Choose another value, or write the other files one by one with perfblock define -o NAME.",
		Sources: []validate.Source{schemaPage},
	}, onProvider(func(p providerOf, report func(finding)) {
		_, limits := p.refusals()
		for _, r := range limits {
			report(r.finding)
		}
	}).onForms(YAML)},
}

// A Loss is a value of a definition that an output cannot hold. The output lacks the value, or has a similar value.
type Loss struct {
	Path         layout.Path // path of the value, such as counterSet[0].title
	Line, Column int         // place of the value in the text that was read, or 0
	Text         string      // the value and the reason

	elsewhere bool // another form of output has the value: nothing is lost if all forms are written
}

// String returns the path, the line, the column and the text, for example:
//
//	package at 3:10: the package "counters": a manifest has no name of a Go package
//
// An empty Path is left out. If Line is 0, the line and the column are left out.
func (l Loss) String() string {
	text := l.Text
	if l.Line > 0 {
		text = fmt.Sprintf("at %d:%d: %s", l.Line, l.Column, text)
	}
	if path := l.Path.String(); path != "" {
		if l.Line > 0 {
			return path + " " + text
		}
		return path + ": " + text
	}
	return text
}

// loss returns a Loss of the value of a key. text describes the value and the reason.
func (e element) loss(key, text string) Loss {
	f := e.finding(key, text, "")
	return Loss{Path: f.path, Line: f.at.line, Column: f.at.column, Text: text}
}

// loss returns a Loss with the text of the finding.
func (f finding) loss() Loss {
	return Loss{Path: f.path, Line: f.at.line, Column: f.at.column, Text: f.got + ", " + f.want}
}

// inOtherForms returns l for a value that another form of output has.
func (l Loss) inOtherForms() Loss {
	l.elsewhere = true
	return l
}
