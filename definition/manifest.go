package definition

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/layout"
)

// A manifest has the elements and the problems of an instrumentation manifest.
//
// Source: https://learn.microsoft.com/windows/win32/perfctrs/performance-counters-schema
type manifest struct {
	*manifestTree
	version  string // schemaVersion
	problems []manifestProblem
}

// A manifestProblem is a part of a manifest that breaks the schema.
type manifestProblem struct {
	kind problemKind
	finding
	lost bool // the Provider lacks the part
}

// A problemKind is the rule that a problem breaks.
type problemKind uint8

const (
	wrongValue problemKind = iota
	wrongNamespace
	noVersion
	providerCount
	missingAttribute
	repeatedAttribute
	unknownPart
	compositeType
)

// countersElement matches the start tags counters and counterSet. A manifest of events has neither tag.
var countersElement = lazy.Regexp(`<(\w+:)?(counters|counterSet)\b`)

// isManifest reports whether a text is a manifest with counters, even if the text is too long to be read.
func isManifest(contents []byte) bool {
	text, err := decodeText(contents[:min(len(contents), mostText)], latin)
	return err == nil && countersElement().MatchString(text)
}

// readManifest reads a manifest. A manifest that breaks its schema is not an error, because rules report the problems.
// The error is an [*Error].
func readManifest(name string, text []byte) (*File, error) {
	source, err := readManifestSource(name, text)
	if err != nil {
		return nil, err
	}
	tree, err := readManifestTree(source)
	if err != nil {
		return nil, err
	}
	m := &manifest{manifestTree: tree}
	f := &File{Path: name, Form: Manifest, Provider: m.read(), manifest: m}
	if f.Provider == nil {
		f.undefined = errors.New("the counters element has no provider")
	} else if !m.resolve(f.Provider) {
		return nil, source.fault(tree.counters.at, "the names and help texts refer to more than %d strings of the string tables", mostAttributes)
	}
	if len(m.problems) > mostProblems {
		return nil, source.fault(tree.counters.at, "the counters element breaks the schema in more than %d places; the file is probably not a manifest of performance counters", mostProblems)
	}
	for _, e := range tree.beside {
		f.Notes = append(f.Notes, fmt.Sprintf("not read: at %d:%d: the element %s beside the counters element", e.at.line, e.at.column, quoted(e.name)))
	}
	for _, l := range m.lost() {
		f.Notes = append(f.Notes, "not read: "+l.String())
	}
	return f, nil
}

// lost returns the parts of the counters element that a Provider cannot hold: wrong values, unknown elements, unknown
// attributes, and comments.
func (m *manifest) lost() []Loss {
	var list []Loss
	for _, p := range m.problems {
		if p.lost {
			list = append(list, p.loss())
		}
	}
	for _, k := range m.extras {
		list = append(list, Loss{Line: k.at.line, Column: k.at.column, Text: "the counters element has " + quote.Count(k.count, k.what) + ", which a definition does not have"})
	}
	return list
}

func (m *manifest) problem(kind problemKind, lost bool, at finding) {
	if len(m.problems) <= mostProblems {
		m.problems = append(m.problems, manifestProblem{kind, at, lost})
	}
}

// mostProblems is the largest number of problems that readManifest accepts. The limit bounds the memory for messages.
const mostProblems = 10_000

// unknown reports an element or attribute that the schema does not have. kind is "element" or "attribute".
func (m *manifest) unknown(e element, at place, kind, name string, validNames []string) {
	want := "must be absent"
	if len(name) <= quote.Most {
		want += suggest.DidYouMean(name, validNames)
	}
	f := finding{at, e.path, "the " + kind + " " + quoted(name) + " is not in the schema", want}
	m.problem(unknownPart, true, f)
}

// read returns the provider of the manifest, or nil if the manifest has no provider.
func (m *manifest) read() *Provider {
	root, counters := &m.root, &m.counters
	if root.name == "instrumentationManifest" && root.space != eventsNamespace {
		m.problem(wrongNamespace, false, finding{at: root.at, got: "the root element has the namespace " + quoted(root.space), want: "must have " + eventsNamespace})
	}
	if counters.space != countersNamespace {
		m.problem(wrongNamespace, false, finding{at: counters.at, got: "the counters element has the namespace " + quoted(counters.space), want: "must have " + countersNamespace})
	}
	p := &Provider{at: places{"": counters.at}}
	top := p.element()
	readAttributes(m, top, counters, versionAttributes, p)
	if m.version = p.SchemaVersion; m.version == "" {
		m.problem(noVersion, false, top.finding("", "the counters element has no schemaVersion", "must have one, such as 2.0"))
		p.at.set("schemaVersion", counters.at) // with this key, "" means no schemaVersion, and not the default
	}
	for _, c := range m.cultures {
		m.problem(wrongValue, true, finding{at: c.at, got: "the culture of the resources is " + quoted(c.name), want: "must be a language, such as en-US"})
	}
	for _, other := range m.others {
		m.problem(providerCount, true, finding{at: other.at, got: "the manifest has a second counters element", want: "must have only one"})
	}
	found := false
	for e := range m.children(top, counters, "provider") {
		if found {
			m.problem(providerCount, true, finding{at: e.at, got: "the manifest has another provider, " + quoted(e.value("symbol")), want: "must have only one"})
			continue
		}
		found = true
		m.provider(e, p)
	}
	if !found {
		m.problem(providerCount, false, top.finding("", "the counters element has no provider", "must have one"))
		return nil
	}
	return p
}

// children yields the child elements of e that have one of the names and are in the namespace of the counters element.
// It reports the other child elements, as problems of the element in.
func (m *manifest) children(in element, e *manifestElement, names ...string) iter.Seq[*manifestElement] {
	return func(yield func(*manifestElement) bool) {
		for i := range e.children {
			child := &e.children[i]
			if child.space != m.counters.space || !slices.Contains(names, child.name) {
				m.unknown(in, child.at, "element", child.name, names)
			} else if !yield(child) {
				return
			}
		}
	}
}

// value returns the value of an attribute, or "".
func (e *manifestElement) value(name string) string {
	for _, a := range e.attributes {
		if a.name == name && a.space == "" {
			return a.value
		}
	}
	return ""
}

func (m *manifest) provider(e *manifestElement, p *Provider) {
	p.at.set("", e.at)
	in := p.element()
	readAttributes(m, in, e, providerAttributes, p)
	for child := range m.children(in, e, "counterSet") {
		i := len(p.CounterSets)
		p.CounterSets = append(p.CounterSets, CounterSet{at: places{"": child.at}})
		m.counterSet(child, &p.CounterSets[i], p.set(i))
	}
	p.Name = p.shownName()
}

func (m *manifest) counterSet(e *manifestElement, s *CounterSet, in element) {
	readAttributes(m, in, e, setAttributes, s)
	for child := range m.children(in, e, "counter", "structs") {
		if child.name == "structs" {
			s.at.set("structs", child.at)
			m.structs(child, s, in)
			continue
		}
		i := len(s.Counters)
		s.Counters = append(s.Counters, Counter{at: places{"": child.at}})
		m.counter(child, &s.Counters[i], s.counter(in.path, i))
	}
}

// nameReferences replaces the id in a reference by the name of the counter, such as #7 by Depth. It keeps the id if the
// counter has no name, or if the name refers to another counter. The caller must first read all counters and string
// tables.
func (s *CounterSet) nameReferences() {
	x := s.index()
	for i := range s.Counters {
		for _, ref := range s.Counters[i].references() {
			if to := x.find(*ref.to); to >= 0 {
				if name := s.Counters[to].Name.String(); x.find(name) == to {
					*ref.to = name
				}
			}
		}
	}
}

func (m *manifest) structs(e *manifestElement, s *CounterSet, in element) {
	for child := range m.children(in, e, "struct") {
		i := len(s.Structs)
		s.Structs = append(s.Structs, Struct{at: places{"": child.at}})
		of := element{in.path.At("struct", i), s.Structs[i].at}
		readAttributes(m, of, child, structAttributes, &s.Structs[i])
		m.noChildren(of, child)
	}
	readAttributes[CounterSet](m, in, e, nil, s)
}

// noChildren reports all child elements of an element that must be empty.
func (m *manifest) noChildren(in element, e *manifestElement) {
	for i := range e.children {
		m.unknown(in, e.children[i].at, "element", e.children[i].name, nil)
	}
}

func (m *manifest) counter(e *manifestElement, c *Counter, in element) {
	for child := range m.children(in, e, "counterAttributes") {
		c.at.set("attributes", child.at)
		readAttributes[Counter](m, in, child, nil, c)
		for one := range m.children(in, child, "counterAttribute") {
			m.counterAttribute(in, one, c)
		}
		if len(child.children) == 0 {
			m.problem(wrongValue, false, finding{child.at, in.path.Field("attributes"), "the element counterAttributes has no counterAttribute", "must have at least one"})
		}
	}
	readAttributes(m, in, e, counterAttributes, c)
}

func (m *manifest) counterAttribute(in element, e *manifestElement, c *Counter) {
	var bit layout.Attrib
	readAttributes(m, element{in.path.Field("attributes"), places{"": e.at}}, e, bitAttributes, &bit)
	if bit&c.Attributes != 0 {
		m.problem(repeatedAttribute, false, finding{e.at, in.path.Field("attributes"), "the counterAttribute " + quoted(e.value("name")) + " is repeated", "must be unique in the counter"})
	}
	c.Attributes |= bit
	m.noChildren(in, e)
}

// readAttributes reads the attributes of e into target. It reports wrong, unknown and missing attributes.
func readAttributes[T any](m *manifest, targetElement element, e *manifestElement, known []attributeOf[T], target *T) {
	seen := make([]bool, len(known))
	for _, a := range e.attributes {
		i := slices.IndexFunc(known, func(k attributeOf[T]) bool { return k.name == a.name && a.space == "" })
		if i < 0 {
			var names []string
			for _, k := range known {
				names = append(names, k.name)
			}
			m.unknown(targetElement, a.at, "attribute", a.name, names)
			continue
		}
		seen[i] = true
		k := known[i]
		wrong := k.read(target, a.value)
		if wrong.want != "" {
			m.problem(wrong.kind, wrong.lost, finding{a.at, targetElement.path.Field(k.key), a.name + " is " + quoted(a.value), wrong.want})
		}
		if !wrong.lost {
			targetElement.at[k.key] = a.at
		}
		if k.versions != nil && m.version != "" && !k.versions(m.version) {
			f := finding{a.at, targetElement.path.Field(k.key), "the attribute " + a.name + " is in a manifest of version " + quoted(m.version), "must be absent in that version"}
			m.problem(unknownPart, false, f)
		}
	}
	for i, k := range known {
		if !seen[i] && k.required != nil && k.required(target) && (k.versions == nil || k.versions(m.version)) {
			m.problem(missingAttribute, false, targetElement.finding("", "the element "+e.name+" has no attribute "+k.name, "must have it"))
		}
	}
}

// resolve replaces each reference to a string table with its text. In each reference to a counter, it replaces the id
// with the name. It returns false if there are more than mostAttributes texts.
func (m *manifest) resolve(p *Provider) bool {
	uses := 0
	for t := range p.placedTexts() {
		text := t.text
		id, is := stringReference(text.Neutral)
		if !is {
			continue
		}
		if uses += len(m.strings[id]); uses > mostAttributes {
			return false
		}
		*text = Text{ID: id, Languages: maps.Clone(m.strings[id])}
	}
	for i := range p.CounterSets {
		p.CounterSets[i].nameReferences()
	}
	return true
}

// stringReference returns ID for the text $(string.ID), which refers to the string table. ok is false for other texts.
func stringReference(text string) (id string, ok bool) {
	inner, ok := strings.CutPrefix(text, "$(string.")
	if !ok {
		return "", false
	}
	id, ok = strings.CutSuffix(inner, ")")
	return id, ok && id != ""
}

// hasIDs reports whether manifests of a schemaVersion have nameID and descriptionID.
func hasIDs(version string) bool {
	major, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(major)
	return err == nil && n >= 2
}

// hasNoIDs reports whether manifests of a schemaVersion have resourceBase, and no nameID and descriptionID.
func hasNoIDs(version string) bool { return !hasIDs(version) }
