package definition

import (
	"fmt"
	"go/format"
	"go/token"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// PackageName returns the name of the Go package: Package, or a name made from the name of the provider.
func (p *Provider) PackageName() string {
	if p.Package != "" {
		return p.Package
	}
	name := strings.ToLower(strings.Join(wordsOf(p.Name), ""))
	if !token.IsIdentifier(name) || name == "main" {
		name = "counters" + name // name is main, a keyword of Go or empty, or starts with a digit
	}
	return name
}

// goSource returns a Go file that declares each set for V1 and for V2. The losses are the sets and values that one of
// the two declarations cannot hold.
func (p *Provider) goSource() ([]byte, []Loss, error) {
	if err := refusalsError(p.packageRefusals()); err != nil {
		return nil, nil, err
	}
	name := p.PackageName()
	objects, losses := p.objects("V1 struct")
	w := goWriter{provider: p, names: make(names)}
	w.names.unique("Provider")
	w.guid(w.names.unique("ProviderGUID"), "the provider", p.ID())
	v1 := false
	for i := range objects {
		v1 = v1 || objects[i].values != nil
		losses = append(losses, w.set(&objects[i])...)
	}
	if len(w.sets) > 0 {
		w.printf("\n// Provider has the name, the GUID and the counter sets of the provider. The function provider.Start takes this variable.\n")
		w.printf("var Provider = provider.Definition{\nName: %q,\nGUID: ProviderGUID,\nCounterSets: []provider.Set{%s},\n}\n", p.Name, strings.Join(w.sets, ", "))
	}
	var head goWriter
	head.printf("// %s\n\n", generatedBy)
	head.printf("// Package %s has the counters of the provider %s. Each counter set has a struct, a variable, and constants with\n// the numbers of the set and its counters.\n//\n// The struct is for V1 (HKEY_PERFORMANCE_DATA). Package builder of perfblock makes a V1 object from the struct.\n//\n// The variable is for V2 (manifests). Package provider of perfblock shows the instances of the set to consumers.\n", name, quoted(p.Name))
	head.printf("package %s\n\nimport (\n", name)
	if v1 {
		head.printf("\t\"sync/atomic\"\n\n")
	}
	if len(w.sets) > 0 {
		head.printf("\t\"github.com/perfblock/perfblock/builder\"\n")
	}
	head.printf("\t\"github.com/perfblock/perfblock/layout\"\n")
	if len(w.sets) > 0 {
		head.printf("\t\"github.com/perfblock/perfblock/provider\"\n")
	}
	head.printf(")\n")
	source, err := format.Source([]byte(head.text.String() + w.text.String()))
	return source, losses, err
}

// A goWriter writes a Go file.
type goWriter struct {
	writer
	provider *Provider
	names    names    // the identifiers in use in the package
	sets     []string // the names of the V2 variables of the sets
}

// set writes the Go declarations of a counter set. It returns the values that V2 cannot hold.
func (w *goWriter) set(o *object) []Loss {
	s := o.set
	described := setInComment(s)
	n := setNames{set: w.names.unique(goName(s.Name.String()))}
	n.instance = w.names.unique(n.set + "Instance")
	title := w.names.unique(n.set + "Title")
	n.guid = w.names.unique(n.set + "GUID")
	n.fields = w.object(o, w.names.unique(n.set+"Values"), title)
	for _, field := range n.fields {
		n.ids = append(n.ids, w.names.unique(n.set+field+"ID"))
	}
	losses := w.provider.unfitForV2(o.element, s)
	if losses == nil {
		var info builder.CounterSetInfo
		info, losses = w.provider.template(o.element, s)
		w.counterSet(s, info, n)
		w.sets = append(w.sets, n.set)
	}
	w.guid(n.guid, described, w.provider.SetID(s))
	w.printf("\n// The first constant is the title number of %s in V1.\n// The other constants are the ids of the counters in V2.\nconst (\n%s = %d\n", described, title, o.title)
	for i := range s.Counters {
		w.printf("%s = %d\n", n.ids[i], s.Counters[i].ID)
	}
	w.printf(")\n")
	return losses
}

// object writes the V1 struct of a counter set. typ is the name of the struct. object returns the field name of each
// counter. The structs of V1 and V2 have the same field names.
func (w *goWriter) object(o *object, typ, title string) []string {
	s := o.set
	fields := make(names)
	for _, name := range instanceMembers {
		fields.unique(name)
	}
	used := make(map[*Counter]string)
	if o.values == nil {
		w.printf("\n// There is no V1 struct for %s, because V1 cannot hold the set.\n", setInComment(s))
	} else {
		instance := ""
		if s.hasInstances() {
			instance = "one instance of "
		}
		w.printf("\n// %s has the V1 values of %s%s.\n", typ, instance, setInComment(s))
		w.help(s.Help)
		w.printf("//\n// The call builder.Define[%s](%s) returns the V1 object of the set.\n// Template.Rebase adds First Counter and First Help to the title numbers of the object.\n", typ, title)
		if !s.hasInstances() {
			w.printf("//\n// The set has no instances. Set NumInstances of the object to layout.PERF_NO_INSTANCES.\n")
		}
		if o.clock {
			w.printf("//\n// Some counters use the clock of the object. Call Fill.PerfTime after Fill.Object.\n")
		}
		w.printf("type %s struct {\n", typ)
		for i := range o.values {
			v := &o.values[i]
			field := fields.unique(goName(v.name))
			if v.counter != nil && used[v.counter] == "" {
				used[v.counter] = field
			}
			w.field(o, v, i, field)
		}
		w.printf("}\n")
	}
	var list []string
	for i := range s.Counters {
		c := &s.Counters[i]
		name := used[c]
		if name == "" {
			name = fields.unique(goName(c.label()))
		}
		list = append(list, name)
	}
	return list
}

// field writes the struct field for v. v is value i of the object.
func (w *goWriter) field(o *object, v *value, i int, name string) {
	if v.note != "" {
		w.printf("// %s\n", v.note)
	}
	if v.counter != nil {
		if help := inComment(v.counter.Help.String()); help != "" {
			w.printf("// %s is %s. %s\n", name, counterInComment(v.counter), help)
		}
	}
	typ := "Uint32"
	if v.isWide() {
		typ = "Uint64"
	}
	w.printf("%s atomic.%s %s\n", name, typ, v.tag(o.title+2*uint32(i+1)))
}

// tag returns the tag of the field, as a Go string. The tag has the title only if the title differs from defaultTitle.
func (v *value) tag(defaultTitle uint32) string {
	items := []string{"type=" + v.typ.String()}
	if v.counter != nil {
		if name := v.counter.Name.String(); name != "" {
			if strings.Contains(name, ",") || strings.HasPrefix(name, "'") || strings.TrimSpace(name) != name {
				name = "'" + strings.ReplaceAll(name, "'", "''") + "'"
			}
			items = append(items, "name="+name)
		}
	}
	if v.of == nil && v.title != defaultTitle {
		items = append(items, fmt.Sprint("title=", v.title))
	}
	if v.scale != 0 {
		items = append(items, fmt.Sprint("scale=", v.scale))
	}
	if v.placed != nil {
		items = append(items, fmt.Sprint("offset=", v.offset))
	}
	if v.level > layout.PERF_DETAIL_NOVICE {
		items = append(items, "level="+v.level.String())
	}
	tag := "perf:" + strconv.Quote(strings.Join(items, ","))
	if strconv.CanBackquote(tag) {
		return "`" + tag + "`"
	}
	return strconv.Quote(tag)
}

// hasInstances reports whether V1 shows the instances of the set.
func (s *CounterSet) hasInstances() bool {
	return s.Instances&layout.PERF_COUNTERSET_MULTI_INSTANCES != 0
}

// guid writes a variable with the GUID of a provider or of a set.
func (w *goWriter) guid(name, owner string, id layout.GUID) {
	w.printf("\n// %s is the GUID of %s: %v.\nvar %[1]s = ", name, owner, id)
	w.printf("layout.GUID{Data1: 0x%08x, Data2: 0x%04x, Data3: 0x%04x, Data4: [8]byte{%s}}\n", id.Data1, id.Data2, id.Data3, hexBytes(id.Data4[:]))
}

// setInComment returns a text such as: the counter set "Queues".
func setInComment(s *CounterSet) string {
	if s.Name.IsZero() {
		return "a counter set without a name"
	}
	return "the counter set " + quoted(s.Name.String())
}

// counterInComment returns a text such as: the counter "Depth".
func counterInComment(c *Counter) string {
	if c.Name.IsZero() {
		return called(c.Name)
	}
	return "the counter " + called(c.Name)
}

// instanceMembers are names that a field cannot have, because the struct of V2 embeds [provider.Instance].
var instanceMembers = []string{"Instance", "Name", "Delete"}

// setNames are the identifiers of a counter set in the Go file.
type setNames struct {
	set, instance, guid string
	fields, ids         []string // the identifiers of the counters, in order
}

// counterSet writes two declarations for V2: the struct type for an instance of s, and the variable with the
// [provider.CounterSet].
func (w *goWriter) counterSet(s *CounterSet, info builder.CounterSetInfo, n setNames) {
	shown := setInComment(s)
	w.printf("\n// %s is an instance of %s in V2.\n// The method %s.Create returns a new instance.\ntype %[1]s struct {\n\tprovider.Instance\n\n", n.instance, shown, n.set)
	var list strings.Builder
	roles := s.roles()
	for i := range s.Counters {
		c, name := &s.Counters[i], n.fields[i]
		if help := inComment(c.Help.String()); help != "" {
			w.printf("// %s is %s. %s\n", name, counterInComment(c), help)
		} else if roles[i] != "" {
			w.printf("// %s\n", roles[i])
		}
		typ := "Uint32"
		if info.Counters[i].Size == 8 {
			typ = "Uint64"
		}
		w.printf("%s provider.%s\n", name, typ)
		list.WriteString(", &q." + name)
	}
	w.printf("}\n\n// %s is %s in V2.\n", n.set, shown)
	w.help(s.Help)
	w.printf("var %s = &provider.CounterSet[%s]{\nName: %q,\nInfo: builder.CounterSetInfo{\nCounterSetGuid: %s,\nInstanceType: %s,\nCounters: []builder.CounterInfo{\n",
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

// roles maps the position of a counter to its role for another counter, such as: The base of "Hit ratio".
func (s *CounterSet) roles() map[int]string {
	x := s.index()
	roles := make(map[int]string)
	for i := range s.Counters {
		c := &s.Counters[i]
		for _, r := range []struct{ what, to string }{{"base", c.Base}, {"time", c.PerfTime}, {"frequency", c.PerfFreq}, {"number of items", c.Multi}} {
			if at := x.find(r.to); at >= 0 && roles[at] == "" {
				roles[at] = "The " + r.what + " of " + called(c.Name) + "."
			}
		}
	}
	return roles
}

// constant returns the Go expression for a value of package layout. text is the value: names of constants such as
// PERF_RAW_BASE, or a number.
func constant(text string) string { return strings.ReplaceAll(text, "PERF_", "layout.PERF_") }
