package definition

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ManifestOptions are options of [Provider.AppendManifest].
type ManifestOptions struct {
	// Version is the schemaVersion to write: 2.0 or 1.1. If Version is "", AppendManifest uses the schemaVersion of the
	// provider. If the provider gives none, AppendManifest uses the schemaVersion of Into, or 2.0 if Into is nil.
	//
	// With Version "", AppendManifest writes no schemaVersion in these cases:
	//   - The provider was read from a manifest without a schemaVersion, or from YAML with an empty schemaVersion.
	//   - The provider gives no schemaVersion, and Into has none.
	Version string

	// Into is a manifest whose counters element is replaced, or nil for a new manifest. All other bytes of Into stay
	// the same: events, string tables, comments, the encoding. The counters element also stays the same if none of its
	// values changes.
	Into *File
}

// AppendManifest appends an instrumentation manifest of the provider. The manifest has the attributes that the provider
// gives, including default values, and the attributes that the schema requires. AppendManifest omits the derived symbol
// of a counter if another counter has the same symbol. If both symbols are derived, the first counter keeps the symbol.
//
// The losses are values that a manifest cannot hold. The error lists values that make a manifest impossible, such as a
// counter type that manifests do not have, or a character that XML does not have. On an error AppendManifest returns b
// unchanged.
func (p *Provider) AppendManifest(b []byte, o ManifestOptions) ([]byte, []Loss, error) {
	w, err := p.manifestWriter(o)
	if err != nil {
		return b, nil, err
	}
	w.counters()
	if err := refusalsError(w.faults); err != nil {
		return b, nil, err
	}
	m := w.into
	if m == nil {
		return append(b, w.document()...), w.losses, nil
	}
	if w.version == m.version && o.Into.Provider != nil {
		same, err := o.Into.Provider.manifestWriter(o)
		if err != nil {
			return b, nil, err
		}
		if same.counters(); len(same.faults) == 0 && same.out.String() == w.out.String() {
			return append(b, m.source.file...), w.losses, nil
		}
	}
	file, err := m.source.replace(m.from, m.to, w.out.String())
	if err != nil {
		return b, nil, err
	}
	return append(b, file...), append(w.losses, m.lost()...), nil
}

// style returns the line end of a manifest, and the spaces before its counters element.
func (m *manifest) style() (newline, indent string) {
	text := string(m.source.text[:m.from])
	newline = "\n"
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		newline = "\r\n"
	}
	line := text[strings.LastIndexByte(text, '\n')+1:]
	return newline, line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// A manifestWriter writes the counters element of a manifest.
type manifestWriter struct {
	provider *Provider
	version  string
	strict   bool // leave out attributes that the version does not have; false if the definition gives the version
	into     *manifest
	ids      map[*Text]uint32

	out             strings.Builder
	newline, indent string

	in    element // the element that is being written
	index index   // the index of the set that is being written

	symbols map[string]bool // symbols of counters that the definition gives or that are written

	tables      map[string]map[string]string // texts of the string tables, by culture and id
	monolingual []placedText                 // texts that have Languages, but are not in a string table
	losses      []Loss
	faults      []refusal
}

func (p *Provider) manifestWriter(o ManifestOptions) (*manifestWriter, error) {
	w := &manifestWriter{provider: p, version: o.Version, strict: true, newline: "\n", indent: "    ", symbols: make(map[string]bool), tables: make(map[string]map[string]string)}
	if o.Into != nil {
		if w.into = o.Into.manifest; w.into == nil {
			return nil, fmt.Errorf("%s is not a manifest", o.Into.Path)
		}
		w.newline, w.indent = w.into.style()
	}
	switch {
	case w.version == "1.1" || w.version == "2.0":
	case w.version != "":
		return nil, fmt.Errorf("the version of the manifest is %s, must be 1.1 or 2.0", quoted(w.version))
	case p.SchemaVersion != "" || p.at.isGiven("schemaVersion"):
		w.version, w.strict = p.SchemaVersion, false
	case w.into != nil:
		w.version = w.into.version
		w.strict = w.version != ""
	default:
		w.version = "2.0"
	}
	w.ids = p.resourceIDs()
	for _, s := range p.CounterSets {
		for _, c := range s.Counters {
			if c.Symbol != "" {
				w.symbols[c.Symbol] = true
			}
		}
	}
	return w, nil
}

func (w *manifestWriter) lose(key, text string) {
	w.losses = append(w.losses, w.in.loss(key, text))
}

// elsewhere reports a value that a manifest cannot hold, but another form of output can.
func (w *manifestWriter) elsewhere(key, text string) {
	w.losses = append(w.losses, w.in.loss(key, text).inOtherForms())
}

func (w *manifestWriter) fail(key, want, got string, args ...any) {
	w.faults = append(w.faults, w.in.refuse(key, want, got, args...))
}

// document returns a manifest that has only the counters element in w.out, and the string tables.
func (w *manifestWriter) document() string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- " + generatedBy + " -->\n<instrumentationManifest xmlns=\"" + eventsNamespace + "\">\n  <instrumentation>\n    ")
	b.WriteString(w.out.String())
	b.WriteString("\n  </instrumentation>\n")
	if len(w.tables) > 0 {
		b.WriteString("  <localization>\n")
		for _, culture := range sortTags(maps.Keys(w.tables)) {
			fmt.Fprintf(&b, "    <resources culture=\"%s\">\n      <stringTable>\n", inAttribute.Replace(culture))
			table := w.tables[culture]
			for _, id := range slices.Sorted(maps.Keys(table)) {
				fmt.Fprintf(&b, "        <string id=\"%s\" value=\"%s\"/>\n", inAttribute.Replace(id), inAttribute.Replace(table[id]))
			}
			b.WriteString("      </stringTable>\n    </resources>\n")
		}
		b.WriteString("  </localization>\n")
	}
	b.WriteString("</instrumentationManifest>\n")
	return b.String()
}

// writeAttributes writes the attributes that the definition gives, and the attributes that must be written.
func writeAttributes[T any](w *manifestWriter, list []attributeOf[T], from *T) {
	for _, a := range list {
		if value, must := a.write(w, from); must || w.in.at.isGiven(a.key) && (a.versions == nil || value != "") {
			w.attribute(a.name, a.key, value)
		}
	}
}

// openContent ends a start tag with >. The elements that follow are indented by two more spaces.
func (w *manifestWriter) openContent() {
	w.out.WriteString(">")
	w.indent += "  "
}

// child starts a tag, such as <counter. The caller then writes the attributes, and ends the tag with openContent or />.
func (w *manifestWriter) child(name string) { w.out.WriteString(w.newline + w.indent + "<" + name) }

func (w *manifestWriter) end(name string) {
	w.indent = strings.TrimSuffix(w.indent, "  ")
	w.out.WriteString(w.newline + w.indent + "</" + name + ">")
}

func (w *manifestWriter) counters() {
	p := w.provider
	w.in = p.element()
	w.out.WriteString("<counters")
	w.attribute("xmlns", "", countersNamespace)
	if w.version != "" {
		w.attribute("schemaVersion", "schemaVersion", w.version)
	}
	w.openContent()
	w.child("provider")
	writeAttributes(w, providerAttributes, p)
	for _, v1 := range []struct{ key, value string }{
		{"service", p.Service}, {"header", p.Header}, {"library", p.Library}, {"open", p.Open}, {"collect", p.Collect}, {"close", p.Close},
	} {
		if v1.value != "" {
			w.elsewhere(v1.key, "the "+v1.key+" "+quoted(v1.value)+": a manifest has no values of V1")
		}
	}
	if p.Package != "" {
		w.elsewhere("package", "the package "+quoted(p.Package)+": a manifest has no name of a Go package")
	}
	if p.Trusted {
		w.elsewhere("trusted", "the key \"trusted\": the key is for V1, and a manifest has only values of V2")
	}
	w.noV1("firstCounter", p.FirstCounter)
	w.loseName()
	if len(p.CounterSets) == 0 {
		w.out.WriteString("/>")
	} else {
		w.openContent()
		for e, s := range p.sets() {
			w.counterSet(s, e)
		}
		w.end("provider")
	}
	w.loseLanguages()
	w.end("counters")
}

func (w *manifestWriter) counterSet(s *CounterSet, in element) {
	w.in, w.index = in, s.index()
	w.child("counterSet")
	writeAttributes(w, setAttributes, s)
	w.noV1("title", s.Title)
	if len(s.Counters) == 0 && len(s.Structs) == 0 && !s.at.isGiven("structs") {
		w.out.WriteString("/>")
		return
	}
	w.openContent()
	if len(s.Structs) > 0 || s.at.isGiven("structs") {
		w.child("structs")
		w.openContent()
		for i := range s.Structs {
			w.in = element{in.path.At("struct", i), s.Structs[i].at}
			w.child("struct")
			writeAttributes(w, structAttributes, &s.Structs[i])
			w.out.WriteString("/>")
		}
		w.end("structs")
	}
	for e, c := range s.counters(in.path) {
		w.counter(c, e)
	}
	w.end("counterSet")
}

// noV1 reports a loss if value is not nil, because a manifest has no values of V1.
func (w *manifestWriter) noV1(key string, value *uint32) {
	if value != nil {
		w.elsewhere(key, "the "+key+" "+decimal(*value)+": a manifest has no values of V1")
	}
}

func (w *manifestWriter) counter(c *Counter, in element) {
	w.in = in
	w.child("counter")
	writeAttributes(w, counterAttributes, c)
	w.noV1("title", c.Title)
	w.noV1("offset", c.Offset)
	attributes := w.provider.Attributes(c)
	if attributes == 0 && !c.at.isGiven("attributes") {
		w.out.WriteString("/>")
		return
	}
	w.openContent()
	w.child("counterAttributes")
	w.openContent()
	rest := attributes
	for _, word := range attributeWords {
		if attributes&word.value != 0 {
			w.child("counterAttribute")
			w.out.WriteString(` name="` + word.text + `"/>`)
			rest &^= word.value
		}
	}
	if rest != 0 {
		w.fail("attributes", wantInSchema, "attributes has the undefined bits 0x%x", uint64(rest))
	}
	w.end("counterAttributes")
	w.end("counter")
}

// symbol returns the symbol for the manifest: full, which is the symbol in generated code. If the definition gives the
// symbol "", symbol returns "" instead. own is the value of the key "symbol". given is true if the definition has this
// key.
func (w *manifestWriter) symbol(own, full string, given bool) string {
	if own == "" && given {
		return ""
	}
	return full
}

// onlyIn returns the value of an attribute that only some versions of the schema have.
func (w *manifestWriter) onlyIn(versions func(string) bool, key string, n *uint32) (value string, must bool) {
	if n == nil {
		return "", false
	}
	// If w.strict is false, the manifest keeps an attribute that its version does not have: some manifests break the
	// schema.
	if w.strict && !versions(w.version) {
		w.elsewhere(key, key+" is "+decimal(*n)+": a manifest of version "+w.version+" does not have it")
		return "", false
	}
	return decimal(*n), true
}

// reference returns the id of the counter to which ref refers. An unknown id stays the same. An unknown name is a
// failure.
func (w *manifestWriter) reference(key, ref string) string {
	if c := w.index.counter(ref); c != nil {
		return decimal(c.ID)
	}
	if id, is := idReference(ref); is {
		return decimal(id)
	}
	if ref != "" {
		w.fail(key, "must be a counter of the set", "%s is %s", key, quoted(ref))
	}
	return ""
}
