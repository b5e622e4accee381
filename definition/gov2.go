package definition

import (
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// instanceMembers are the names that a field cannot have, because the struct embeds [provider.Instance].
var instanceMembers = []string{"Instance", "Name", "Delete"}

// setNames are the identifiers of a counter set in the Go file.
type setNames struct {
	set, instance, guid string
	ids                 []string // of the counters, in order
}

// counterSet writes two declarations for V2: the struct type for an instance of s, and the variable with the
// [provider.CounterSet].
func (w *goWriter) counterSet(s *CounterSet, info builder.CounterSetInfo, n setNames) {
	fields := make(names)
	for _, name := range instanceMembers {
		fields.unique(name)
	}
	shown := orUnnamed(s.Name.String())
	w.printf("\n// %s is an instance of %s in V2, from %s.Create.\ntype %[1]s struct {\n\tprovider.Instance\n\n", n.instance, shown, n.set)
	var list strings.Builder
	uses := s.uses()
	for i := range s.Counters {
		c := &s.Counters[i]
		name := fields.unique(goName(c.label()))
		if help := inComment(c.Help.String()); help != "" {
			w.printf("// %s is %s: %s\n", name, orUnnamed(c.Name.String()), help)
		} else if uses[i] != "" {
			w.printf("// %s\n", uses[i])
		}
		typ := "Uint32"
		if info.Counters[i].Size == 8 {
			typ = "Uint64"
		}
		w.printf("%s provider.%s\n", name, typ)
		list.WriteString(", &q." + name)
	}
	w.printf("}\n\n// %s is the counter set %s in V2.", n.set, shown)
	if help := inComment(s.Help.String()); help != "" {
		w.printf(" %s", help)
	}
	w.printf("\nvar %s = &provider.CounterSet[%s]{\nName: %q,\nInfo: builder.CounterSetInfo{\nCounterSetGuid: %s,\nInstanceType: %s,\nCounters: []builder.CounterInfo{\n",
		n.set, n.instance, s.Name.String(), n.guid, constant(info.InstanceType.String()))
	for i, c := range info.Counters {
		w.printf("{CounterId: %s, Type: %s", n.ids[i], constant(c.Type.String()))
		if c.Attrib != 0 {
			w.printf(", Attrib: %s", constant(c.Attrib.String()))
		}
		if c.DetailLevel != layout.PERF_DETAIL_NOVICE {
			w.printf(", DetailLevel: %s", constant(c.DetailLevel.String()))
		}
		if c.Scale != 0 {
			w.printf(", Scale: %d", c.Scale)
		}
		w.printf("},\n")
	}
	w.printf("},\n},\nFields: func(q *%s) (*provider.Instance, []provider.Value) {\nreturn &q.Instance, []provider.Value{%s}\n},\n}\n", n.instance, strings.TrimPrefix(list.String(), ", "))
}

// uses returns a sentence about each counter to which another refers, such as The base of "Hit ratio", by position.
func (s *CounterSet) uses() map[int]string {
	x := s.index()
	uses := make(map[int]string)
	for i := range s.Counters {
		c := &s.Counters[i]
		for _, r := range []struct{ what, to string }{{"base", c.Base}, {"time", c.PerfTime}, {"frequency", c.PerfFreq}, {"number of items", c.Multi}} {
			if at := x.find(r.to); at >= 0 && uses[at] == "" {
				uses[at] = "The " + r.what + " of " + called(c.Name) + "."
			}
		}
	}
	return uses
}

// constant returns the Go expression for a value of a type of package layout: constants, or a number.
func constant(text string) string { return strings.ReplaceAll(text, "PERF_", "layout.PERF_") }
