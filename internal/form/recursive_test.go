package form_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/yamltext"
)

// A node is the model of these tests. Its mapping is recursive, because values of its keys are nodes.
type node struct {
	titles map[string]string // by language; "" for a text without a language
	level  level
	base   reference
	nodes  []node
	rows   []node
	at     *yaml.Node
}

// A reference is the name of a node, or a node.
type reference struct {
	name string
	node *node
}

type level uint8

func (l level) String() string { return [...]string{"", "novice", "expert"}[l] }

var levels = form.Word([]string{"novice", "expert"}, func(s string) (level, error) {
	for _, l := range []level{1, 2} {
		if l.String() == s {
			return l, nil
		}
	}
	return 0, fmt.Errorf("no level %q", s)
})

// titlesForm is the form of a text, or of a mapping from a language to a text.
var titlesForm = &form.Form{
	Name: "text, or texts by language", Schema: form.AnyOf(form.TextSchema, form.Members{{"type", "object"}, {"additionalProperties", form.TextSchema}}),
	Read: func(n *yaml.Node, to any) error {
		texts := make(map[string]string)
		*to.(*map[string]string) = texts
		if n.Kind != yaml.MappingNode {
			s, err := form.ReadText(n)
			texts[""] = s
			return err
		}
		first := make(map[string]*yaml.Node)
		return form.ReadKeys(n, "a title", func(name, value *yaml.Node) (err error) {
			if first[name.Value] != nil {
				return form.Repeated(name, first[name.Value])
			}
			first[name.Value] = name
			texts[name.Value], err = form.ReadText(value)
			return err
		})
	},
	Zero: func(from any) bool { return len(*from.(*map[string]string)) == 0 },
	Write: func(w *form.Writer, from any, _ string) error {
		texts := *from.(*map[string]string)
		if s, ok := texts[""]; ok {
			return form.Text.Write(w, &s, "")
		}
		w.Add(" {")
		for i, language := range slices.Sorted(maps.Keys(texts)) {
			w.Comma(i)
			w.B = form.AppendText(append(form.AppendText(w.B, language), ": "...), texts[language])
		}
		w.Add("}")
		return nil
	},
}

// newMapping returns the mapping of a node.
func newMapping() *form.Mapping[node] {
	m := &form.Mapping[node]{Name: "node", What: "a node", Doc: "A node.", Note: func(to *node, n *yaml.Node) { to.at = n }}
	base := &form.Form{
		Name: "the name of a node, or a node", Schema: form.AnyOf(form.TextSchema, form.Ref(m.Name)),
		Read: func(n *yaml.Node, to any) error {
			r := to.(*reference)
			if n.Kind == yaml.MappingNode {
				r.node = new(node)
				return m.Read(n, r.node)
			}
			return form.Text.Read(n, &r.name)
		},
		Zero: func(from any) bool { return *from.(*reference) == reference{} },
		Write: func(w *form.Writer, from any, indent string) error {
			r := from.(*reference)
			if r.node != nil {
				w.Add(" ")
				return m.WriteBraced(w, r.node)
			}
			return form.Text.Write(w, &r.name, indent)
		},
	}
	m.Keys = []form.Key[node]{
		{Name: "title", Form: titlesForm, Doc: "The title.", Field: func(n *node) any { return &n.titles }},
		{Name: "level", Form: levels, Doc: "The level.", Field: func(n *node) any { return &n.level }},
		{Name: "base", Form: base, Doc: "The base.", Field: func(n *node) any { return &n.base }},
		{Name: "nodes", Form: form.List("nodes", m), Doc: "Nodes.", Field: func(n *node) any { return &n.nodes }},
		{Name: "rows", Form: form.BracedList("rows", m), Doc: "Nodes in braces.", Field: func(n *node) any { return &n.rows }},
	}
	return m
}

var reader = yamltext.Reader{What: "a node", MaxBytes: 1 << 20, MaxMarks: 1 << 10, MaxDepth: 16}

// TestRecursive reads and writes a mapping that refers to itself. The written text must be the text that was read.
func TestRecursive(t *testing.T) {
	t.Parallel()
	m := newMapping()
	for _, tt := range []struct{ reason, text string }{
		{"a text and a word are scalars", "title: A\nlevel: expert\n"},
		{"a form may accept a mapping instead of a scalar", "title: {de: Wert, en: Counter}\nbase: {title: B}\n"},
		{"a form may accept a name instead of a mapping", "base: Other\n"},
		{"short items of a list are in braces", "nodes:\n  - {title: A, nodes: [{level: novice}, {}]}\n  - {}\n"},
		{"a long item has its keys on lines, and a short one in it is in braces", "nodes:\n  - title: " + strings.Repeat("A", 100) + "\n    base: {level: expert}\n    nodes:\n      - {title: B}\n"},
		{"the items of a braced list are in braces, even if they are long", "rows:\n  - {base: {title: " + strings.Repeat("A", 100) + "}}\n"},
	} {
		root, err := reader.Load("", []byte(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		var n node
		if err := m.Read(root, &n); err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		}
		if text, err := m.Append([]byte("before"), &n, &reader); err != nil || string(text) != "before"+tt.text {
			t.Errorf("%s: %v: the text is\n%s\nmust be\n%s", tt.reason, err, text, tt.text)
		}
	}
}

// TestPlaces checks the line and column of errors in nested values. It also checks that a caller can find the place of
// a value later, with a node from Note.
func TestPlaces(t *testing.T) {
	t.Parallel()
	m := newMapping()
	for _, tt := range []struct{ text, want string }{
		{"nodes: [{base: {level: expret}}]", `1:24: level: no level "expret"; did you mean expert?`},
		{"title: {en: A, en: B}", "1:16: en is repeated, first at 1:9; remove one"},
		{"title: {[a]: A}", "1:9: a key must be a word, is a list"},
		{"base: {nodes: {}}\nnodes: [A]", "1:15: nodes: is a mapping, must be a list\n2:9: a node must be a mapping, is the text \"A\""},
	} {
		root, err := reader.Load("", []byte(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Read(root, new(node)); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, must be %s", tt.text, err, tt.want)
		}
	}
	root, err := reader.Load("", []byte("nodes:\n- {level: novice}\n- title: A\n  level: expert\n"))
	if err != nil {
		t.Fatal(err)
	}
	var n node
	if err := m.Read(root, &n); err != nil {
		t.Fatal(err)
	}
	if at := yamltext.Child(n.nodes[1].at, "level"); at == nil || at.Line != 4 || at.Column != 10 {
		t.Errorf("the place of level is %v, must be 4:10", at)
	}
}

// TestUnreadable checks that Append returns an error for a text that is too large to be parsed, or is not UTF-8.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	m := newMapping()
	for _, tt := range []struct {
		reason string
		n      node
		want   string
	}{
		{"the text must not be too long", node{titles: map[string]string{"": strings.Repeat("A", 1<<20)}}, "the text has 1048584 bytes, must have at most 1048576: a longer text cannot be parsed"},
		{"the text must not have too many items", node{nodes: make([]node, 1<<10)}, "the text cannot be parsed: the text is too large"},
		{"a text must be UTF-8", node{titles: map[string]string{"": "\xff"}}, `title: "\xff" is not UTF-8`},
	} {
		text, err := m.Append([]byte("before"), &tt.n, &reader)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || string(text) != "before" {
			t.Errorf("%s: %q, %v", tt.reason, text, err)
		}
	}
}
