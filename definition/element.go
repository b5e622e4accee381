package definition

import (
	"iter"
	"maps"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A place is the line and the column of a value in a text, both from 1. Columns count characters. The zero place is in
// no text.
type place struct{ line, column int }

// places maps the keys in a text to the places of their values. The key "" has the place of the YAML mapping or the XML
// element itself.
type places map[string]place

func (p *places) set(key string, at place) {
	if *p == nil {
		*p = make(places)
	}
	(*p)[key] = at
}

// withKey returns a copy of p in which isGiven(key) is true.
func (p places) withKey(key string) places {
	more := maps.Clone(p)
	more.set(key, p[key])
	return more
}

func (p places) withoutKey(key string) places {
	less := maps.Clone(p)
	delete(less, key)
	return less
}

// isGiven reports whether the text has a value for the key.
func (p places) isGiven(key string) bool {
	_, is := p[key]
	return is
}

// find returns the place of the value of a key. If the key is not given, find returns the place of the mapping or
// element.
func (p places) find(key string) place {
	if at, is := p[key]; is {
		return at
	}
	return p[""]
}

// An element is a provider, set, counter or struct in a text: its path, and the places of its values.
type element struct {
	path layout.Path
	at   places
}

// A finding is a part of a file that breaks a rule. got and want are the fields Got and Want of [validate.Finding].
type finding struct {
	at        place
	path      layout.Path
	got, want string
}

// finding returns the finding about the value of a key of the element, or about the element itself
// if the key is "".
func (e element) finding(key, got, want string) finding {
	path := e.path
	if key != "" {
		path = path.Field(key)
	}
	return finding{e.at.find(key), path, got, want}
}

func (f finding) withRule(r *rule) validate.Finding {
	return validate.Finding{Rule: &r.Rule, Path: f.path, Line: f.at.line, Column: f.at.column, Got: f.got, Want: f.want}
}

// element returns the element of the provider.
func (p *Provider) element() element { return element{at: p.at} }

// set returns the element of set i.
func (p *Provider) set(i int) element {
	return element{layout.Path{}.At("counterSet", i), p.CounterSets[i].at}
}

// counter returns the element of counter i. set is the path of the counter set.
func (s *CounterSet) counter(set layout.Path, i int) element {
	return element{set.At("counter", i), s.Counters[i].at}
}

// sets yields each set with its element.
func (p *Provider) sets() iter.Seq2[element, *CounterSet] {
	return func(yield func(element, *CounterSet) bool) {
		for i := range p.CounterSets {
			if !yield(p.set(i), &p.CounterSets[i]) {
				return
			}
		}
	}
}

// counters yields each counter of the set with its element. set is the path of the counter set.
func (s *CounterSet) counters(set layout.Path) iter.Seq2[element, *Counter] {
	return func(yield func(element, *Counter) bool) {
		for i := range s.Counters {
			if !yield(s.counter(set, i), &s.Counters[i]) {
				return
			}
		}
	}
}
