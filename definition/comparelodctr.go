package definition

import (
	"path"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

// ini compares the definition with an .ini file and its header.
func (c *fileComparison) ini() {
	p, q := c.definition, c.file.Provider
	in, other := element{at: p.at}, element{at: q.at}
	c.v1(p, q)
	languages := c.languages()
	titles, others := p.titlesBySet(), q.titlesBySet()
	partner, alone := matched(titles, others,
		func(_ bool, s *setTitles) string { return s.title.Symbol },
		func(_ bool, s *setTitles) string { return s.title.Name().String() })
	for i, j := range partner {
		if j < 0 {
			c.onlyIn(true, titles[i].String(), titles[i].spot(""), other.spot("service"))
			continue
		}
		c.titleDiffers(titles[i].titled, others[j].titled, languages, false)
		c.counterTitles(&titles[i], &others[j], languages)
	}
	for _, j := range alone {
		c.onlyIn(false, others[j].String(), others[j].spot(""), in.spot("counterSets"))
	}
}

func (c *fileComparison) counterTitles(s, t *setTitles, languages []languagePair) {
	partner, alone := matched(s.counters, t.counters,
		func(_ bool, x *titled) string { return x.title.Symbol },
		func(_ bool, x *titled) string { return x.title.Name().String() })
	for i, j := range partner {
		if j < 0 {
			c.onlyIn(true, s.counters[i].String(), s.counters[i].spot(""), t.spot(""))
			continue
		}
		c.titleDiffers(s.counters[i], t.counters[j], languages, s.title.Symbol != t.title.Symbol)
	}
	for _, j := range alone {
		c.onlyIn(false, t.counters[j].String(), t.counters[j].spot(""), s.spot("counters"))
	}
}

// A titled is a title and the element that has it.
type titled struct {
	element
	title Title
}

// String returns the set or the counter for a message.
func (t titled) String() string {
	if t.title.Counter == nil {
		return calledSet(t.title.Set)
	}
	return "the counter " + calledOrID(t.title.Counter)
}

// A setTitles is the title of a set with those of its counters.
type setTitles struct {
	titled
	counters []titled
}

// titlesBySet returns the titles of the provider. A base has a title only if the definition gives it.
func (p *Provider) titlesBySet() []setTitles {
	var list []setTitles
	counter := 0
	for _, t := range p.Titles() {
		if t.Counter == nil {
			list = append(list, setTitles{titled: titled{element{layout.Path{}.At("counterSet", len(list)), t.Set.at}, t}})
			counter = 0
			continue
		}
		s := &list[len(list)-1]
		for &t.Set.Counters[counter] != t.Counter {
			counter++
		}
		s.counters = append(s.counters, titled{element{s.path.At("counter", counter), t.Counter.at}, t})
	}
	return list
}

// titled returns the titles of the provider, each set before its counters.
func (p *Provider) titled() []titled {
	var list []titled
	for _, s := range p.titlesBySet() {
		list = append(append(list, s.titled), s.counters...)
	}
	return list
}

// titleDiffers compares the symbol, the number, the name and the help text of a set or a counter. If follows is true, the
// symbols of the sets differ, which is reported. The symbol of a counter is then compared only if the definition gives
// the symbol: otherwise it is made from the symbol of the set.
func (c *fileComparison) titleDiffers(t, u titled, languages []languagePair, follows bool) {
	of := u.String()
	if t.title.Symbol != u.title.Symbol && (!follows || t.at.given("symbol")) {
		c.differ("the symbol of "+of+" is", t.spot("symbol"), u.spot("symbol"), t.title.Symbol, u.title.Symbol)
	}
	if t.title.Number != u.title.Number && !c.numbered {
		c.differ("the number of "+u.title.Symbol+" is", c.numberSpot(c.definition, t), c.numberSpot(c.file.Provider, u), decimal(t.title.Number), decimal(u.title.Number))
	}
	for _, l := range languages {
		name, help := t.title.nameIn(l.a), t.title.Help().In(l.a)
		if got, is := u.title.Name().Languages[l.b]; is && got != name { // ini-name-per-symbol reports a name that is missing
			c.differ("the name in the language "+l.b+" is", t.spot("name"), u.spot("name "+l.b), name, got)
		}
		if got := u.title.Help().In(l.b); got != help {
			c.differ("the help text of "+of+" in the language "+l.b+" is", t.spot("help"), u.spot("help "+l.b), help, got)
		}
	}
}

// numberSpot returns the spot of the number of a title. That of an .ini file is in its header, if the findings are in the
// other file.
func (c *fileComparison) numberSpot(p *Provider, t titled) spot {
	at := t.spot("title")
	if number, is := t.at[headerPlace]; is && p.from.form == INI && (p == c.file.Provider) == c.inverse {
		at.at, at.file = number, path.Join(path.Dir(slashed(p.from.path)), p.HeaderName())
	}
	return at
}

// headerPlace is the key of the place of a symbol in the header of an .ini file.
const headerPlace = "#define"

// slashed returns a path with slashes.
func slashed(path string) string { return strings.ReplaceAll(path, `\`, "/") }

// A languagePair has the tags of one language of lodctr, in the definition and in the .ini file.
type languagePair struct{ a, b string }

// languages returns the languages that the definition and the .ini file have, and reports the others.
func (c *fileComparison) languages() []languagePair {
	p, q := c.definition, c.file.Provider
	list, err := p.lodctrLanguages()
	others, err2 := q.lodctrLanguages()
	if err != nil || err2 != nil {
		return nil
	}
	var pairs []languagePair
	in, other := element{at: p.at}, element{at: q.at}
	for _, l := range list {
		i := slices.IndexFunc(others, func(o lodctrTag) bool { return o.number == l.number })
		if i < 0 {
			c.onlyIn(true, "the language "+l.tag, in.spot(""), other.spot("service"))
			continue
		}
		pairs = append(pairs, languagePair{l.tag, others[i].tag})
	}
	for _, o := range others {
		if !slices.ContainsFunc(list, func(l lodctrTag) bool { return o.number == l.number }) {
			c.onlyIn(false, "the language "+o.tag, other.spot("service"), in.spot(""))
		}
	}
	return pairs
}

// v1 compares the values of the provider that an .ini file has, or for two definitions in YAML, all values of V1.
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
	c.v1Value("library", "library", (*Provider).LibraryName)
	for i, key := range []string{"open", "collect", "close"} {
		c.v1Value(key, key, func(p *Provider) string {
			open, collect, closes := p.Functions()
			return []string{open, collect, closes}[i]
		})
	}
	numbers := make(map[string]titled)
	for _, t := range p.titled() {
		numbers[t.title.Symbol] = t
	}
	for _, u := range q.titled() {
		if t, is := numbers[u.title.Symbol]; is && t.title.Number != u.title.Number {
			c.differ("the number of "+u.title.Symbol+" is", t.spot("title"), u.spot("title"), decimal(t.title.Number), decimal(u.title.Number))
		}
	}
}

// v1Value compares a value of V1. Names of services and of files are not case-sensitive.
func (c *fileComparison) v1Value(key, inINI string, value func(*Provider) string) {
	p, q := c.definition, c.file.Provider
	if a, b := value(p), value(q); !strings.EqualFold(a, b) {
		what := key
		if !c.inverse && c.file.Form == INI {
			what = inINI
		}
		c.differ(what+" is", element{at: p.at}.spot(key), element{at: q.at}.spot(key), a, b)
	}
}

// header compares the numbers of the symbols in a header. A header that has none of the symbols is that of another
// provider.
func (c *fileComparison) header() {
	symbols := make(map[string]symbol)
	for _, s := range c.file.header.symbols {
		symbols[s.name] = s
	}
	has := func(t Title) bool { _, is := symbols[t.Symbol]; return is }
	if c.numbered || !slices.ContainsFunc(c.definition.Titles(), has) {
		return
	}
	for _, t := range c.definition.titled() {
		one, is := symbols[t.title.Symbol]
		switch {
		case !is:
			c.onlyIn(true, "the symbol "+t.title.Symbol, t.spot("symbol"), spot{at: c.file.header.symbols[0].at})
		case one.number != t.title.Number:
			c.differ("the number of "+one.name+" is", t.spot("title"), spot{at: one.at}, decimal(t.title.Number), decimal(one.number))
		}
	}
}
