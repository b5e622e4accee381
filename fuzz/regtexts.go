package fuzz

import "github.com/perfblock/perfblock/builder"

// RegString returns a text that PerfQueryCounterSetRegistrationInfo would.
func RegString(s *Source, c Config) builder.RegString {
	g := newGenerator(s, c)
	return builder.RegString(g.text())
}

// RegGUID returns a GUID that PerfQueryCounterSetRegistrationInfo would.
func RegGUID(s *Source, c Config) builder.RegGUID {
	g := newGenerator(s, c)
	return builder.RegGUID(g.guid())
}

// GUIDs returns what PerfEnumerateCounterSet would.
func GUIDs(s *Source, c Config) (l builder.GUIDs) {
	g := newGenerator(s, c)
	for of := range g.each(objectPart, 0, g.MaxObjects) {
		l = append(l, of.guid())
		if again := of.chance(12); again && len(l) > 1 {
			l[len(l)-1] = l[len(l)-2]
		}
	}
	return l
}

// Strings returns the texts of a set's counters that PerfQueryCounterSetRegistrationInfo
// would.
func Strings(s *Source, c Config) (out builder.StringBuffer) {
	g := newGenerator(s, c)
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
