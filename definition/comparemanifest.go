package definition

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A manifestComparison compares the manifest attributes of two providers. See attributeOf.value for the compared
// values.
type manifestComparison struct {
	*fileComparison
	a, b *manifestWriter // writers for the definition and for the file

	// derivedKeys has keys whose default values differ because of another difference, which has its own finding. For
	// example, the default URI of a counter is made from the URI of its set. A key in derivedKeys is compared only if
	// the definition gives a value.
	derivedKeys map[string]bool
}

// manifest compares the definition with a manifest, or with another definition in YAML.
func (c *fileComparison) manifest() {
	p, q := c.definition, c.file.Provider
	m := manifestComparison{c, p.comparedWriter(), q.comparedWriter(), make(map[string]bool)}
	version := m.b.version
	if c.file.Form != Manifest {
		version = m.a.version
	}
	in, other := p.element(), q.element()
	if p.versioned() && q.versioned() && p.SchemaVersion != q.SchemaVersion {
		c.differ("the schemaVersion is", in.spot("schemaVersion"), other.spot("schemaVersion"), p.SchemaVersion, q.SchemaVersion)
	}
	m.a.version, m.b.version = version, version
	attributesDiffer(m, providerAttributes, p, q, in, other, "the provider")
	id := func(inFile bool, s *CounterSet) string {
		if inFile {
			return q.SetID(s).String()
		}
		return p.SetID(s).String()
	}
	for _, pair := range matched(p.CounterSets, q.CounterSets, id, func(_ bool, s *CounterSet) string { return s.Name.String() }) {
		switch i, j := pair[0], pair[1]; {
		case j < 0:
			c.onlyIn(true, calledSet(&p.CounterSets[i]), p.set(i).spot(""), other.spot(""))
		case i < 0:
			c.onlyIn(false, calledSet(&q.CounterSets[j]), q.set(j).spot(""), in.spot("counterSets"))
		default:
			m.set(&p.CounterSets[i], &q.CounterSets[j], p.set(i), q.set(j))
		}
	}
	if c.file.Form == YAML && p.from.form == YAML {
		c.v1(p, q)
	}
}

// comparedWriter returns a writer that computes the values of attributes for a comparison.
func (p *Provider) comparedWriter() *manifestWriter {
	w, _ := p.manifestWriter(ManifestOptions{}) // never an error, because the options have no version and no file
	w.strict = false
	return w
}

// versioned reports whether the schemaVersion is given. An empty schemaVersion in a definition counts as given.
func (p *Provider) versioned() bool { return p.SchemaVersion != "" || p.at.isGiven("schemaVersion") }

func (m manifestComparison) set(s, t *CounterSet, in, other element) {
	m.a.index, m.b.index = s.index(), t.index()
	m.derivedKeys["uri"], m.derivedKeys["symbol"] = false, false
	attributesDiffer(m, setAttributes, s, t, in, other, calledSet(t))
	m.derivedKeys["uri"], m.derivedKeys["symbol"] = m.definition.SetURI(s) != m.file.Provider.SetURI(t), s.CSymbol() != t.CSymbol()
	if a, b := structList(s), structList(t); a != b {
		m.differ("the structs of "+calledSet(t)+" are", in.spot("structs"), other.spot("structs"), a, b)
	}
	name := func(_ bool, c *Counter) string { return c.Name.String() }
	for _, pair := range matched(s.Counters, t.Counters, name, func(_ bool, c *Counter) string { return decimal(c.ID) }) {
		switch i, j := pair[0], pair[1]; {
		case j < 0:
			m.onlyIn(true, "the counter "+calledOrID(&s.Counters[i]), s.counter(in.path, i).spot(""), other.spot(""))
		case i < 0:
			m.onlyIn(false, "the counter "+calledOrID(&t.Counters[j]), t.counter(other.path, j).spot(""), in.spot("counters"))
		default:
			m.counter(&s.Counters[i], &t.Counters[j], s.counter(in.path, i), t.counter(other.path, j))
		}
	}
}

func (m manifestComparison) counter(c, d *Counter, in, other element) {
	clear(m.a.symbols)
	clear(m.b.symbols)
	attributesDiffer(m, counterAttributes, c, d, in, other, calledOrID(d))
	if a, b := attributeList(m.definition.Attributes(c)), attributeList(m.file.Provider.Attributes(d)); a != b {
		m.differ("the attributes of "+calledOrID(d)+" are", in.spot("attributes"), other.spot("attributes"), a, b)
	}
}

// structList returns the structs of a set as a text.
func structList(s *CounterSet) string {
	var list []string
	for _, one := range s.Structs {
		list = append(list, one.Name+" "+one.Type)
	}
	return strings.Join(list, ", ")
}

// attributesDiffer compares the listed attributes of x and y.
func attributesDiffer[T any](m manifestComparison, list []attributeOf[T], x, y *T, in, other element, nameInMessage string) {
	for _, k := range list {
		derived := !in.at.isGiven(k.key) && !other.at.isGiven(k.key) // both values are made from values that are compared too
		// Skip a required attribute that a manifest lacks, because another rule reports the absence. Skip a missing
		// resource id, because a resource id has no default.
		if derived || k.versions != nil && !k.versions(m.a.version) || k.isMissing(m.definition.from.form, in, x) || k.isMissing(m.file.Form, other, y) {
			continue
		}
		key := k.key
		if !m.inverse && m.file.Form == Manifest {
			key = k.name
		}
		if k.text != nil {
			m.textsDiffer(key, nameInMessage, in.spot(k.key), other.spot(k.key), k.text(x), k.text(y))
			continue
		}
		a, b := k.value(m.a, m.definition.from.form, in, x), k.value(m.b, m.file.Form, other, y)
		if a == b || !in.at.isGiven(k.key) && m.derivedKeys[k.key] {
			continue
		}
		if k.key == "type" { // messages have types in capitals, as YAML and the documentation of types do
			a, b = strings.ToUpper(a), strings.ToUpper(b)
		}
		m.differ("the "+key+" of "+nameInMessage+" "+verb(key), in.spot(k.key), other.spot(k.key), a, b)
		if k.id && !in.at.isGiven(k.key) { // the default ids of the following texts are derived from this id
			m.derivedKeys["nameID"], m.derivedKeys["helpID"] = true, true
		}
	}
}

// value returns the value that an attribute has in a manifest. For other forms, value returns the value that the
// attribute would have after a conversion to a manifest.
func (k attributeOf[T]) value(w *manifestWriter, form Form, e element, of *T) string {
	value, must := k.write(w, of)
	if !e.at.isGiven(k.key) && (form == Manifest || !must) {
		return k.absent
	}
	return cmp.Or(value, k.absent)
}

// isMissing reports whether a required attribute or a resource id is absent in an element of a manifest. It returns
// false for other file formats.
func (k attributeOf[T]) isMissing(form Form, e element, of *T) bool {
	return form == Manifest && !e.at.isGiven(k.key) && (k.id || k.required != nil && k.required(of))
}

// textsDiffer compares two texts. If both have languages, it compares each language. Otherwise it compares the results
// of String.
func (m manifestComparison) textsDiffer(key, nameInMessage string, in, other spot, x, y *Text) {
	what, suffix := "the "+key, " of "+nameInMessage
	if key == "name" { // nameInMessage already has the name
		suffix = ""
	}
	if len(x.Languages) == 0 || len(y.Languages) == 0 {
		if a, b := x.String(), y.String(); a != b {
			m.differ(what+suffix+" is", in, other, a, b)
		}
		return
	}
	if x.ID != "" && y.ID != "" && x.ID != y.ID {
		m.differ("the string of "+what+suffix+" is", in, other, x.ID, y.ID)
	}
	all := maps.Clone(x.Languages)
	maps.Copy(all, y.Languages)
	for _, tag := range slices.Sorted(maps.Keys(all)) {
		if a, b := x.In(tag), y.In(tag); a != b {
			m.differ(fmt.Sprintf("%s%s in the language %s is", what, suffix, tag), in, other, a, b)
		}
	}
}
