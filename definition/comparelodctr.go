package definition

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/armor"
)

// ini compares the definition with an .ini file and its header.
func (c *fileComparison) ini() {
	p, q := c.definition, c.file.Provider
	in, other := p.element(), q.element()
	c.v1(p, q)
	languages := c.languages()
	titles, others := p.titlesBySet(), q.titlesBySet()
	for _, pair := range matched(titles, others,
		func(_ bool, s *setTitles) string { return s.Symbol },
		func(_ bool, s *setTitles) string { return s.Name().String() }) {
		switch i, j := pair[0], pair[1]; {
		case j < 0:
			c.onlyIn(true, titles[i].inMessage(), titles[i].spot(""), other.spot("service"))
		case i < 0:
			c.onlyIn(false, others[j].inMessage(), others[j].spot(""), in.spot("counterSets"))
		default:
			c.titleDiffers(titles[i].Title, others[j].Title, languages, false)
			c.counterTitles(&titles[i], &others[j], languages)
		}
	}
}

func (c *fileComparison) counterTitles(s, t *setTitles, languages []languagePair) {
	for _, pair := range matched(s.counters, t.counters,
		func(_ bool, x *Title) string { return x.Symbol },
		func(_ bool, x *Title) string { return x.Name().String() }) {
		switch i, j := pair[0], pair[1]; {
		case j < 0:
			c.onlyIn(true, s.counters[i].inMessage(), s.counters[i].spot(""), t.spot(""))
		case i < 0:
			c.onlyIn(false, t.counters[j].inMessage(), t.counters[j].spot(""), s.spot("counters"))
		default:
			c.titleDiffers(s.counters[i], t.counters[j], languages, s.Symbol != t.Symbol)
		}
	}
}

// inMessage returns the words for t in a message: "the set" or "the counter", and its name.
func (t Title) inMessage() string {
	if t.Counter == nil {
		return calledSet(t.Set)
	}
	return "the counter " + calledOrID(t.Counter)
}

// A setTitles has the title of a set and the titles of its counters.
type setTitles struct {
	Title
	counters []Title
}

// titlesBySet returns the titles of the provider, grouped by set. A base has a title only if the definition gives the
// title.
func (p *Provider) titlesBySet() []setTitles {
	var list []setTitles
	for _, t := range p.Titles() {
		if t.Counter == nil {
			list = append(list, setTitles{Title: t})
			continue
		}
		s := &list[len(list)-1]
		s.counters = append(s.counters, t)
	}
	return list
}

// titleDiffers reports differences in the symbol, the number, the name and the help text of a set or a counter.
func (c *fileComparison) titleDiffers(t, u Title, languages []languagePair, setSymbolDiffers bool) {
	of := u.inMessage()
	// If the symbols of the sets differ, the default symbols of their counters differ too. The symbol of a counter is then
	// reported only if the definition gives this symbol.
	if t.Symbol != u.Symbol && (!setSymbolDiffers || t.at.isGiven("symbol")) {
		c.differ("the symbol of "+of+" is", t.spot("symbol"), u.spot("symbol"), t.Symbol, u.Symbol)
	}
	if t.Number != u.Number && !c.numbered {
		c.differ("the number of "+u.Symbol+" is", c.numberSpot(c.definition, t), c.numberSpot(c.file.Provider, u), decimal(t.Number), decimal(u.Number))
	}
	for _, l := range languages {
		name, help := t.nameIn(l.inDefinition), t.Help().In(l.inDefinition)
		if got, is := u.Name().Languages[l.inFile]; is && got != name { // the rule ini-name-per-symbol reports a missing name
			c.differ("the name in the language "+l.inFile+" is", t.spot("name"), u.spot("name "+l.inFile), name, got)
		}
		if got := u.Help().In(l.inFile); got != help {
			c.differ("the help text of "+of+" in the language "+l.inFile+" is", t.spot("help"), u.spot("help "+l.inFile), help, got)
		}
	}
}

// numberSpot returns the spot of the title number. p is the provider with the title t.
func (c *fileComparison) numberSpot(p *Provider, t Title) spot {
	at := t.spot("title")
	// The number of a title from an .ini file is in the header. A finding about the .ini file has a place in the .ini
	// file. A finding about the other file names the line in the header, such as "as in shop.h:3:9".
	if number, is := t.at[headerPlace]; is && p.from.form == INI && (p == c.file.Provider) == c.inverse {
		at.at, at.file = number, path.Join(path.Dir(slashed(p.from.path)), p.HeaderName())
	}
	return at
}

// headerPlace is the key of [places] for the #define line of a title.
const headerPlace = "#define"

// slashed returns a path with slashes instead of backslashes.
func slashed(path string) string { return strings.ReplaceAll(path, `\`, "/") }

// A languagePair has the tags of one language in the two compared files.
type languagePair struct{ inDefinition, inFile string }

// languages returns the languages that both files have. It reports the languages that only one of the files has.
func (c *fileComparison) languages() []languagePair {
	p, q := c.definition, c.file.Provider
	list, err := p.lodctrLanguages()
	others, err2 := q.lodctrLanguages()
	if err != nil || err2 != nil {
		return nil
	}
	var pairs []languagePair
	in, other := p.element(), q.element()
	for _, pair := range matched(list, others, func(_ bool, l *lodctrTag) string { return l.number }) {
		switch i, j := pair[0], pair[1]; {
		case j < 0:
			c.onlyIn(true, "the language "+list[i].tag, in.spot(""), other.spot("service"))
		case i < 0:
			c.onlyIn(false, "the language "+others[j].tag, other.spot("service"), in.spot(""))
		default:
			pairs = append(pairs, languagePair{list[i].tag, others[j].tag})
		}
	}
	return pairs
}

// v1 compares the V1 values that an .ini file has in [info]. If both definitions are in YAML, it compares all V1
// values.
func (c *fileComparison) v1(p, q *Provider) {
	c.v1Value("service", "drivername", (*Provider).ServiceName)
	c.v1Value("header", "symbolfile", (*Provider).HeaderName)
	c.v1Value("trusted", "trusted", func(p *Provider) string {
		if p.Trusted {
			return "present"
		}
		return ""
	})
	if p.from.form != YAML || q.from.form != YAML {
		return
	}
	for i, v := range p.registryValues() {
		key := strings.ToLower(v.name)
		c.v1Value(key, key, func(p *Provider) string { return p.registryValues()[i].value })
	}
	numbers := make(map[string]Title)
	for _, t := range p.Titles() {
		numbers[t.Symbol] = t
	}
	for _, u := range q.Titles() {
		if t, is := numbers[u.Symbol]; is && t.Number != u.Number {
			c.differ("the number of "+u.Symbol+" is", t.spot("title"), u.spot("title"), decimal(t.Number), decimal(u.Number))
		}
	}
}

// sameValue reports whether two values of V1 are the same. Names of functions are case-sensitive, names of services and
// files are not. key is the name of the value in lower case.
func sameValue(key, a, b string) bool {
	switch key {
	case "open", "collect", "close":
		return a == b
	}
	return strings.EqualFold(a, b)
}

// v1Value compares a value of V1.
func (c *fileComparison) v1Value(key, inINI string, value func(*Provider) string) {
	p, q := c.definition, c.file.Provider
	if a, b := value(p), value(q); !sameValue(key, a, b) {
		what := key
		if !c.inverse && c.file.Form == INI {
			what = inINI
		}
		c.differ(what+" is", p.element().spot(key), q.element().spot(key), a, b)
	}
}

// header compares the values of the symbols in a header with the numbers in the definition.
func (c *fileComparison) header() {
	symbols := make(map[string]symbol)
	for _, s := range c.file.header {
		symbols[s.name] = s
	}
	has := func(t Title) bool { _, is := symbols[t.Symbol]; return is }
	// A header without any symbol of the definition belongs to another provider.
	if c.numbered || !slices.ContainsFunc(c.definition.Titles(), has) {
		return
	}
	for _, t := range c.definition.Titles() {
		one, is := symbols[t.Symbol]
		switch {
		case !is:
			c.onlyIn(true, "the symbol "+t.Symbol, t.spot("symbol"), spot{at: c.file.header[0].at})
		case one.number != t.Number:
			c.differ("the number of "+one.name+" is", t.spot("title"), spot{at: one.at}, decimal(t.Number), decimal(one.number))
		}
	}
}

// registry compares the definition with the service of the provider in a .reg file.
func (c *fileComparison) registry() {
	for _, k := range c.file.registry.services {
		if strings.EqualFold(k.name, c.definition.ServiceName()) {
			c.service(k)
		}
	}
}

func (c *fileComparison) service(k regKey) {
	p := c.definition
	in := p.element()
	for _, v := range p.registryValues() {
		key := strings.ToLower(v.name)
		at, is := k.values[key]
		got := at.text
		if v.name == "Library" && p.Library == "" { // the default has no folder, but an installer can write one
			got = fileBase(got)
		}
		// The rule reg-required-values reports missing values and wrong types.
		if is && (at.kind == armor.RegString || at.kind == armor.RegExpand) && !sameValue(key, got, v.value) {
			what := v.name
			if c.inverse {
				what = key
			}
			c.differ(what+" is", in.spot(key), spot{at: at.at}, v.value, got)
		}
	}
	first, is := k.values["first counter"]
	if !is || first.kind != armor.RegDword {
		return
	}
	if p.FirstCounter != nil && *p.FirstCounter != first.number {
		c.differ("First Counter is", in.spot("firstCounter"), spot{at: first.at}, decimal(*p.FirstCounter), decimal(first.number))
	}
	if list, is := k.values["object list"]; is && list.text != "" {
		var want []uint32
		for _, t := range p.Titles() {
			if t.Counter == nil {
				want = append(want, first.number+t.Number)
			}
		}
		var got []uint32
		for word := range strings.FieldsSeq(list.text) {
			if n, err := strconv.ParseUint(word, 10, 32); err == nil {
				got = append(got, uint32(n))
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			c.differ("Object List is", in.spot("counterSets"), spot{at: list.at}, numbersText(want), numbersText(got))
		}
	}
}

// numbersText returns numbers with spaces between them.
func numbersText(list []uint32) string { return strings.Trim(fmt.Sprint(list), "[]") }
