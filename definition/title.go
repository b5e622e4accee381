package definition

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/definition/titles"
)

// A Title is a name of V1 with its help text. The index of the name is Number plus the First Counter of the service.
// The index of the help text is Number plus the First Help of the service.
type Title struct {
	Number  uint32
	Symbol  string
	Set     *CounterSet
	Counter *Counter // nil for the set itself

	element // the element of the set or the counter
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

func byNumber(a, b Title) int { return cmp.Compare(a.Number, b.Number) }

// Titles returns the titles of the provider. The title of each set is followed by the titles of its counters. The field
// Title of a set or a counter is the number of its title. If the field is nil, the number is the preceding number plus
// 2; the first number is 0. A base whose field Title is nil has no title.
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

// TitleDatabase returns the names and help texts of the provider with their indexes, in the tables Counter and Help of
// each language. The First Counter of the service must be p.FirstCounter. It is an error if p.FirstCounter is nil, or
// if an index has more than 32 bits.
func (p *Provider) TitleDatabase() (*titles.Database, error) {
	if p.FirstCounter == nil {
		return nil, p.refuse("firstCounter", "must be given; write firstCounter: N, or give --first-counter N", "the indexes of the names are not known")
	}
	languages, err := p.lodctrLanguages()
	if err != nil {
		return nil, err
	}
	list := p.Titles()
	slices.SortStableFunc(list, byNumber)
	indexes := make([]uint32, len(list))
	last := uint32(0)
	for i, t := range list {
		if indexes[i], err = p.index(t); err != nil {
			return nil, err
		}
		last = indexes[i] + 1
	}
	d := new(titles.Database)
	for _, l := range languages {
		names := titles.Table{Language: l.number, Pairs: []titles.Pair{{Key: "1", Name: decimal(last)}}}
		helps := titles.Table{Language: l.number, Kind: titles.Help}
		for i, t := range list {
			names.Pairs = append(names.Pairs, titles.Pair{Key: decimal(indexes[i]), Name: t.nameIn(l.tag)})
			if help := t.Help().In(l.tag); help != "" {
				helps.Pairs = append(helps.Pairs, titles.Pair{Key: decimal(indexes[i] + 1), Name: help})
			}
		}
		d.Tables = append(d.Tables, names, helps)
	}
	return d, nil
}

// index returns the index of the name of a title. FirstCounter must be given.
func (p *Provider) index(t Title) (uint32, error) {
	first := *p.FirstCounter
	if first%2 != 0 {
		return 0, p.refuse("firstCounter", "must be even", "the index is %d", first)
	}
	index := first + t.Number
	if index < first || index+1 < first {
		return 0, p.refuse("firstCounter", "must have at most 32 bits", "the index of %s is %d plus %d", t.Symbol, first, t.Number)
	}
	return index, nil
}

// titlesText returns the names in one language as text, with an index and a name on alternate lines.
func (p *Provider) titlesText() ([]byte, []Loss, error) {
	d, err := p.TitleDatabase()
	if err != nil {
		return nil, nil, err
	}
	languages := d.Languages()
	i := max(0, slices.Index(languages, englishNumber))
	var losses []Loss
	for j, language := range languages {
		if j != i {
			losses = append(losses, Loss{Text: fmt.Sprintf("the names in the language %s: the output has only the names in the language %s", language, languages[i])})
		}
	}
	if len(d.Tables[2*i+1].Pairs) > 0 {
		losses = append(losses, Loss{Text: "the help texts: the output has names only"})
	}
	text, err := d.Tables[2*i].AppendText(nil)
	return text, losses, err
}

// englishNumber is the language of most names in the registry.
const englishNumber = "009"

// titlesRegistry returns the title database as a .reg file.
func (p *Provider) titlesRegistry() ([]byte, error) {
	d, err := p.TitleDatabase()
	if err != nil {
		return nil, err
	}
	text, err := d.AppendReg(nil)
	if err != nil {
		return nil, err
	}
	header, rest, _ := bytes.Cut(text, []byte("\r\n"))
	note := "\r\n\r\n; " + generatedBy + "\r\n; For tests and for --titles. An import would replace the names of all other providers.\r\n"
	return slices.Concat(header, []byte(note), rest), nil
}
