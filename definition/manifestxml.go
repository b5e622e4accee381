package definition

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/internal/quote"
)

// A manifestTree is the part of a manifest that is about counters.
type manifestTree struct {
	source   *manifestSource
	root     manifestElement // without children
	counters manifestElement
	from, to int // source.text[from:to] is the counters element

	strings  map[string]map[string]string // texts of the string tables, by id and culture
	cultures []manifestElement            // resources elements whose culture is not a language; name has the culture
	others   []manifestElement            // further counters elements, without children
	beside   []manifestElement            // other elements of instrumentation, such as events; one of each name
	extras   []extraPart                  // comments, instructions and texts in the counters element
}

// A manifestElement is an element with its attributes and the elements in it.
type manifestElement struct {
	space, name string
	at          place
	attributes  []manifestAttribute
	children    []manifestElement
}

// A manifestAttribute is an attribute. Declarations of namespaces are not attributes.
type manifestAttribute struct {
	space, name, value string
	at                 place
}

// An extraPart describes one kind of content that a Provider cannot hold: comments, instructions or texts.
type extraPart struct {
	what  string // comment, instruction or text
	count int    // the number of these parts in the counters element
	at    place  // the place of the first part
}

// Limits of the counters element. The largest set has 65,536 counters with seven elements each.
const (
	deepestElement = 64
	mostElements   = 1_000_000
	mostAttributes = 2_000_000
	widestElement  = 100 // attributes of one element
	mostBeside     = 10  // notes about elements beside the counters element
)

// Namespaces of manifests.
const (
	eventsNamespace   = "http://schemas.microsoft.com/win/2004/08/events"
	countersNamespace = "http://schemas.microsoft.com/win/2005/12/counters"
)

// readManifestTree reads the counters element and the string tables of a manifest.
func readManifestTree(s *manifestSource) (*manifestTree, error) {
	r := treeReader{
		tree:    &manifestTree{source: s, strings: make(map[string]map[string]string)},
		decoder: xml.NewDecoder(bytes.NewReader(s.text)),
	}
	r.decoder.CharsetReader = func(_ string, text io.Reader) (io.Reader, error) { return text, nil } // the text is UTF-8 already
	for {
		start := r.offset()
		token, err := r.decoder.Token()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = r.token(token, start)
		}
		if err != nil {
			return nil, r.explain(err)
		}
	}
	if r.tree.counters.name == "" {
		return nil, s.fault(r.tree.root.at, "the file has no counters element in an instrumentation element: it defines no performance counters")
	}
	return r.tree, nil
}

type treeReader struct {
	tree                 *manifestTree
	decoder              *xml.Decoder
	open                 []string           // the names of the elements around the current place
	parents              []*manifestElement // the counters element and the open elements in it
	elements, attributes int                // how many the counters element has
	culture              string             // the language of the string table around the current place
}

func (r *treeReader) offset() int { return int(r.decoder.InputOffset()) }

// explain adds the place to an error of the XML decoder.
func (r *treeReader) explain(err error) error {
	if _, is := err.(*Error); is {
		return err
	}
	text := strings.TrimPrefix(err.Error(), "xml: ")
	if syntax, is := errors.AsType[*xml.SyntaxError](err); is {
		text = syntax.Msg
	}
	s := r.tree.source
	return s.fault(s.place(min(r.offset(), len(s.text))), "the text is not well-formed XML: %s", text)
}

func (r *treeReader) token(t xml.Token, start int) error {
	s := r.tree.source
	switch t := t.(type) {
	case xml.StartElement:
		return r.start(t, start)
	case xml.EndElement:
		r.end()
	case xml.Directive:
		word, _, _ := strings.Cut(string(t), " ")
		return s.fault(s.place(start), "the text has %s, which a manifest must not have; remove it", quote.Short("<!"+strings.TrimSpace(word)))
	case xml.Comment:
		r.countExtra("comment", start)
	case xml.ProcInst:
		r.countExtra("instruction", start)
	case xml.CharData:
		if len(bytes.TrimSpace(t)) > 0 {
			r.countExtra("text", start)
		}
	}
	return nil
}

// countExtra counts a comment, an instruction or a text in the counters element, which a Provider cannot hold.
func (r *treeReader) countExtra(what string, start int) {
	if len(r.parents) == 0 {
		return
	}
	i := slices.IndexFunc(r.tree.extras, func(e extraPart) bool { return e.what == what })
	if i < 0 {
		i = len(r.tree.extras)
		r.tree.extras = append(r.tree.extras, extraPart{what: what, at: r.tree.source.place(start)})
	}
	r.tree.extras[i].count++
}

func (r *treeReader) start(t xml.StartElement, start int) error {
	s, tree := r.tree.source, r.tree
	if len(r.open) >= deepestElement {
		return s.fault(s.place(start), "the element %s has %d ancestors, must have at most %d", quoted(t.Name.Local), len(r.open), deepestElement-1)
	}
	r.open = append(r.open, t.Name.Local)
	e := manifestElement{space: t.Name.Space, name: t.Name.Local, at: s.place(start)}
	switch {
	case len(r.parents) > 0:
		return r.inCounters(e, t.Attr, start)
	case tree.root.name == "":
		tree.root = e
	case e.name == "counters" && (r.parent(1) == "instrumentation" || e.space == countersNamespace):
		if tree.counters.name != "" {
			tree.others = append(tree.others, e)
			break
		}
		tree.from = start
		return r.inCounters(e, t.Attr, start)
	case r.parent(1) == "instrumentation":
		if len(tree.beside) < mostBeside && !slices.ContainsFunc(tree.beside, func(b manifestElement) bool { return b.name == e.name }) {
			tree.beside = append(tree.beside, e)
		}
	case e.name == "resources" && r.parent(1) == "localization":
		if r.culture = valueOf(t, "culture"); !languageForm().MatchString(r.culture) {
			tree.cultures = append(tree.cultures, manifestElement{name: r.culture, at: e.at})
			r.culture = ""
		}
	case r.culture != "" && e.name == "string" && r.parent(1) == "stringTable" && r.parent(2) == "resources":
		id := valueOf(t, "id")
		if tree.strings[id] == nil {
			tree.strings[id] = make(map[string]string)
		}
		tree.strings[id][r.culture] = valueOf(t, "value")
	}
	return nil
}

// parent returns the name of the nth open element from the inside, or "". 0 is the innermost element.
func (r *treeReader) parent(n int) string {
	if i := len(r.open) - 1 - n; i >= 0 {
		return r.open[i]
	}
	return ""
}

func valueOf(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

// inCounters adds the counters element, or an element in it, to the tree. start is the offset of its start tag.
func (r *treeReader) inCounters(e manifestElement, attributes []xml.Attr, start int) error {
	r.elements++
	r.attributes += len(attributes)
	if r.elements > mostElements || r.attributes > mostAttributes {
		return r.tree.source.fault(e.at, "the counters element has more than %d elements or %d attributes", mostElements, mostAttributes)
	}
	if err := r.addAttributes(&e, attributes, start); err != nil {
		return err
	}
	if len(r.parents) == 0 {
		r.tree.counters = e
		r.parents = append(r.parents, &r.tree.counters)
		return nil
	}
	// No other child is added to the parent while this element is open, so the pointer stays valid.
	parent := r.parents[len(r.parents)-1]
	parent.children = append(parent.children, e)
	r.parents = append(r.parents, &parent.children[len(parent.children)-1])
	return nil
}

func (r *treeReader) end() {
	r.open = r.open[:len(r.open)-1]
	if n := len(r.parents); n > 0 {
		r.parents = r.parents[:n-1]
		if n == 1 {
			r.tree.to = r.offset()
		}
	}
}

// writtenAttribute matches an attribute in a start tag: its name, and its value in quotes.
var writtenAttribute = lazy.Regexp(`([^\s=/<>"']+)\s*=\s*("[^"]*"|'[^']*')`)

// addAttributes adds the attributes of the start tag that begins at byte start of the text.
func (r *treeReader) addAttributes(e *manifestElement, attributes []xml.Attr, start int) error {
	s := r.tree.source
	if len(attributes) > widestElement {
		return s.fault(e.at, "the element %s has %d attributes, must have at most %d", quoted(e.name), len(attributes), widestElement)
	}
	// The XML decoder does not report the places of attributes.
	found := writtenAttribute().FindAllSubmatchIndex(s.text[start:r.offset()], -1)
	for i, a := range attributes {
		at, raw := start+found[i][2], s.text[start+found[i][4]+1:start+found[i][5]-1]
		if slices.ContainsFunc(attributes[:i], func(b xml.Attr) bool { return a.Name == b.Name }) {
			return s.fault(s.place(at), "the attribute %s is repeated; remove one", quoted(a.Name.Local))
		}
		if a.Name.Space == "xmlns" || a.Name == (xml.Name{Local: "xmlns"}) {
			continue
		}
		value, err := normalized(a.Value, raw)
		if err != nil {
			return s.fault(s.place(at), "the value cannot be read: %w", err)
		}
		e.attributes = append(e.attributes, manifestAttribute{a.Name.Space, a.Name.Local, value, s.place(at)})
	}
	return nil
}

// normalized replaces tabs and line ends in an attribute value by spaces, as XML requires. raw is the value in the tag.
func normalized(value string, raw []byte) (string, error) {
	if !bytes.ContainsAny(raw, "\t\r\n") {
		return value, nil
	}
	raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte(" "))
	raw = bytes.Map(func(c rune) rune {
		if c == '\t' || c == '\r' || c == '\n' {
			return ' '
		}
		return c
	}, raw)
	if !bytes.ContainsRune(raw, '&') {
		return string(raw), nil
	}
	// Tabs and line ends that are character references, such as &#9;, stay.
	var e struct {
		Value string `xml:"v,attr"`
	}
	mark := `"`
	if bytes.ContainsRune(raw, '"') {
		mark = `'`
	}
	err := xml.Unmarshal([]byte("<e v="+mark+string(raw)+mark+"/>"), &e)
	return e.Value, err
}
