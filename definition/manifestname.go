package definition

import (
	"path"
	"strings"
)

// shownName returns the name for a provider that is read from a manifest, which has no name of the provider: its
// symbol, or the name of its binary without folder and extension if it has no symbol, or the symbol that CSymbol makes
// of this name. If the URI of the first set begins with the same name in other letters, such as Shop for SHOP, shownName
// returns the name in the URI, which SetURI makes from the name of the provider.
func (p *Provider) shownName() string {
	named := Provider{Name: p.symbolOrBinary()}
	if len(p.CounterSets) > 0 {
		if start, _, _ := strings.Cut(named.SetURI(&p.CounterSets[0]), "."); strings.EqualFold(start, named.Name) {
			return start
		}
	}
	return named.Name
}

func (p *Provider) symbolOrBinary() string {
	base := fileBase(p.Binary)
	base = strings.TrimSuffix(base, path.Ext(base))
	if p.Symbol == "" || base != "" && p.Symbol == constantName(base) {
		return base
	}
	return p.Symbol
}

// manifestName returns shownName for the manifest of p.
func (p *Provider) manifestName() string {
	read := Provider{Symbol: p.Symbol, Binary: p.BinaryName()}
	if p.Type != kernelMode && !p.at.given("symbol") {
		read.Symbol = p.CSymbol()
	}
	if len(p.CounterSets) > 0 {
		read.CounterSets = []CounterSet{{URI: p.SetURI(&p.CounterSets[0])}}
	}
	return read.shownName()
}

// loseName reports the name of the provider, unless a reader makes the same name of other values. A name that was read
// from a manifest was made of them.
func (w *manifestWriter) loseName() {
	p := w.provider
	read := p.manifestName()
	if p.Name == "" || p.Name == read || p.from.form == Manifest && constantName(p.Name) == constantName(read) {
		return
	}
	what := "the name "
	if p.Service == "" {
		what = "the name of the provider and its service, "
	}
	w.elsewhere("provider", what+quoted(p.Name)+": a manifest has only a symbol and a binary, from which the name is read as "+quoted(read))
}
