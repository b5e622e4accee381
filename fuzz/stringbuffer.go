package fuzz

import "github.com/perfblock/perfblock/builder"

func (g *generator) stringBuffer() (out builder.StringBuffer) {
	fromEntries, texts := g.gives(60), 0
	for of := range g.each(counterPart, 0, g.MaxCounters) {
		e := builder.StringCounter{CounterId: pick(of.Source, uint32(len(out.Entries)), of.uint32()), None: of.chance(40)}
		if !e.None {
			e.Text = of.text()
			texts++
		}
		out.Entries = append(out.Entries, e)
	}
	out.FromEntries = fromEntries && texts > 0
	return out
}
