package fuzz

import "github.com/perfblock/perfblock/builder"

// RegString returns a text that PerfQueryCounterSetRegistrationInfo would.
func RegString(s *Source, c Config) builder.RegString {
	g := generator{Source: s, Config: c.withDefaults()}
	return builder.RegString(g.text())
}

// RegGUID returns a GUID that PerfQueryCounterSetRegistrationInfo would.
func RegGUID(s *Source, c Config) builder.RegGUID {
	g := generator{Source: s, Config: c.withDefaults()}
	return builder.RegGUID(g.guid())
}

// GUIDs returns what PerfEnumerateCounterSet would.
func GUIDs(s *Source, c Config) (l builder.GUIDs) {
	g := generator{Source: s, Config: c.withDefaults()}
	for len(l) < g.MaxObjects && g.chance(180) {
		l = append(l, g.guid())
		if n := len(l); n > 1 && g.chance(12) { // one may repeat
			l[n-1] = l[n-2]
		}
	}
	return l
}

// Strings returns the texts of a set's counters that PerfQueryCounterSetRegistrationInfo
// would.
func Strings(s *Source, c Config) (out builder.Strings) {
	g := generator{Source: s, Config: c.withDefaults()}
	texts := 0
	for range g.upTo(g.MaxCounters + 1) {
		e := builder.StringEntry{CounterId: pick(s, uint32(len(out.Entries)), g.uint32()), None: g.chance(40)}
		if !e.None {
			e.Text = g.text()
			texts++
		}
		out.Entries = append(out.Entries, e)
	}
	out.FromEntries = texts > 0 && g.chance(60)
	return out
}
