package definition

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/utf16le"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A CounterSet defines a counter set, which V1 calls an object.
type CounterSet struct {
	Name, Help Text
	GUID       layout.GUID // see [Provider.SetID]
	URI        string      // a unique name for programs; see [Provider.SetURI]
	Symbol     string      // a C identifier; see [CounterSet.CSymbol]

	NameID, HelpID *uint32 // ids of the string resources; nil means the next free id, from [Provider.ResourceBase] or 1

	Instances layout.InstanceType
	Title     *uint32 // number of the name in V1; see [Provider.Titles]

	Structs  []Struct // only for kernel-mode providers
	Counters []Counter

	at places
}

// A Struct is a C struct of a kernel-mode provider. Its fields have the values of counters.
type Struct struct {
	Name, Type string

	at places
}

// Find returns the counter that ref names, or nil. ref is the name of a counter, or # and the id. If several counters
// have the same name or id, Find returns the first one.
func (s *CounterSet) Find(ref string) *Counter {
	return s.index().counter(ref)
}

// An index maps each name and each id in a set to the position of the first counter with this name or id.
type index struct {
	set   *CounterSet
	names map[string]int
	ids   map[uint32]int
}

// index returns an index of the counters of the set.
func (s *CounterSet) index() index {
	x := index{s, make(map[string]int), make(map[uint32]int)}
	for i := len(s.Counters) - 1; i >= 0; i-- {
		x.names[s.Counters[i].Name.String()] = i
		x.ids[s.Counters[i].ID] = i
	}
	delete(x.names, "")
	return x
}

// find returns the position of the counter that ref names, or -1.
func (x index) find(ref string) int {
	if id, is := idReference(ref); is {
		if i, is := x.ids[id]; is {
			return i
		}
	}
	if i, is := x.names[ref]; is {
		return i
	}
	return -1
}

// counter returns the counter that ref names, or nil.
func (x index) counter(ref string) *Counter {
	if i := x.find(ref); i >= 0 {
		return &x.set.Counters[i]
	}
	return nil
}

// idReference returns the id in a reference such as #7. ok is false for other references.
func idReference(ref string) (id uint32, ok bool) {
	digits, ok := strings.CutPrefix(ref, "#")
	n, err := strconv.ParseUint(digits, 10, 32)
	return uint32(n), ok && err == nil
}

// label returns a text that names a counter in symbols and URIs: its name, or # and its id.
func (c *Counter) label() string {
	if name := c.Name.String(); name != "" {
		return name
	}
	return "#" + strconv.FormatUint(uint64(c.ID), 10)
}

// setIDs gives each counter without an id the smallest unused id that is greater than the ids of all earlier counters.
// The first id is 1.
func (s *CounterSet) setIDs() {
	used := make(map[uint32]bool)
	has := func(c *Counter) bool { return c.ID != 0 || c.at.isGiven("id") }
	for i := range s.Counters {
		if c := &s.Counters[i]; has(c) {
			used[c.ID] = true
		}
	}
	next := uint32(1)
	for i := range s.Counters {
		c := &s.Counters[i]
		if has(c) {
			next = max(next, c.ID+1) // c.ID+1 is 0 for the largest id, and max ignores it
			continue
		}
		for used[next] {
			next++
		}
		c.ID = next
		used[next] = true
		next++
	}
}

var counterSetRules = []*rule{
	{validate.Rule{
		ID: "PERF4010", Name: "manifest-no-counter", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "a counter set has at least one counter",
		Why:     "Perflib refuses to register a set without counters.",
		Fix:     "Add a counter, or remove the set.",
		Sources: []validate.Source{setPage},
	}, onSet(func(s setOf, report func(finding)) {
		if len(s.Counters) == 0 {
			report(s.finding("", "the set "+quoted(s.Name.String())+" has no counters", "must have at least one"))
		}
	})},
	{validate.Rule{
		ID: "PERF4011", Name: "manifest-duplicate-set", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "no two counter sets have the same GUID; in a manifest before version 2.0, no two have the same URI, name or symbol",
		Why:     "Perflib identifies a set by its GUID, and refuses the second of two sets with the same GUID. Before version 2.0, the manifest schema also requires unique URIs, names and symbols.",
		Fix:     "Give each set its own GUID. Sets with equal names have equal derived GUIDs.",
		Sources: []validate.Source{setPage, schemaPage},
	}, onProvider(func(p providerOf, report func(finding)) {
		p.eachRepeatedSet(func(key string) bool { return key == "guid" || p.isOld() }, report)
	})},
	{validate.Rule{
		ID: "PERF4013", Name: "manifest-duplicate-set-name", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "no two counter sets have the same URI, name or symbol",
		Why:     "Programs identify a set by its URI, users by its name, and generated code by its symbol. If two sets have the same URI, name or symbol, one of the two is never found.",
		Fix:     "Give each set its own URI, name and symbol.",
		Sources: []validate.Source{setPage, schemaPage},
	}, onProvider(func(p providerOf, report func(finding)) {
		p.eachRepeatedSet(func(key string) bool {
			// In YAML, the rule def-output reports a repeated symbol.
			return key != "guid" && !p.isOld() && !(key == "symbol" && p.form == YAML)
		}, report)
	})},
	{validate.Rule{
		ID: "PERF4014", Name: "manifest-string-missing", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "a string table has each string that a name or a help text refers to",
		Why:     "Without the string, the name or the help text is empty.",
		Fix:     "Add the string to the stringTable of each language, or write the text itself.",
		Sources: []validate.Source{setPage, counterPage},
	}, onProvider(func(p providerOf, report func(finding)) {
		for t := range p.placedTexts() {
			if t.text.ID != "" && t.text.Neutral == "" && len(t.text.Languages) == 0 {
				report(t.finding(t.key, "the text of "+quoted(t.text.ID)+" is missing", "must be in a string table"))
			}
		}
	})},
	{validate.Rule{
		ID: "PERF4015", Name: "manifest-struct", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "the structs of a set have different names, and the struct of each counter is one of them",
		Why:     "The generated code for a driver reads the value of each counter from its struct. The code does not compile if a struct is not declared, or if two structs have the same name.",
		Fix:     "Declare the struct in the set, or correct the name of the struct in the counter.",
		Sources: []validate.Source{setPage, counterPage, schemaPage},
	}, onSet(func(s setOf, report func(finding)) {
		names := make(map[string]bool)
		for i := range s.Structs {
			e := element{s.path.At("struct", i), s.Structs[i].at}
			if name := s.Structs[i].Name; names[name] {
				report(e.finding("name", "the struct "+quoted(name)+" is repeated", "must be unique in the set"))
			} else {
				names[name] = true
			}
		}
		for e, c := range s.counters(s.path) {
			// In user mode, the rule manifest-struct-user-mode reports each struct of a counter.
			if c.Struct != "" && !names[c.Struct] && s.provider.Type == kernelMode {
				report(e.finding("struct", "the struct of "+called(c.Name)+" is "+quoted(c.Struct), "must be one of the structs of the set"))
			}
		}
	})},
	{validate.Rule{
		ID: "PERF4012", Name: "manifest-name-length", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "the name of a set or a counter has at most 1023 UTF-16 characters in each language",
		Why:     "Windows stores the name and a terminator in a buffer of 1024 characters.",
		Fix:     "Shorten the name. The help text has room for explanations.",
		Sources: []validate.Source{setPage, counterPage},
	}, onProvider(func(p providerOf, report func(finding)) {
		for t := range p.placedTexts() {
			for in, text := range t.text.translations() {
				if n := utf16le.Len(text) / 2; n > longestName && t.key == "name" {
					report(t.finding("name", fmt.Sprintf("the name%s has %d characters", in, n), fmt.Sprintf("must have at most %d", longestName)))
				}
			}
		}
	})},
}

// isOld reports whether the definition has a schemaVersion before 2.0.
func (p *Provider) isOld() bool { return p.SchemaVersion != "" && !hasIDs(p.SchemaVersion) }

// eachRepeatedSet reports each set that has the GUID, URI, name or symbol of an earlier set. isChecked selects the keys
// to check, such as "guid".
func (p providerOf) eachRepeatedSet(isChecked func(key string) bool, report func(finding)) {
	type value struct{ key, text string }
	seen := make(map[value]bool)
	for e, s := range p.sets() {
		given := ""
		if s.GUID != (layout.GUID{}) {
			given = s.GUID.String()
		}
		for _, v := range []value{
			{"guid", p.value(given, p.SetID(s).String())}, {"uri", p.value(s.URI, p.SetURI(s))}, {"name", s.Name.String()}, {"symbol", p.value(s.Symbol, s.CSymbol())},
		} {
			if v.text != "" && isChecked(v.key) && seen[v] {
				report(e.finding(v.key, fmt.Sprintf("the %s %s is repeated", v.key, quoted(v.text)), "must be unique among the sets"))
			}
			seen[v] = true
		}
	}
}
