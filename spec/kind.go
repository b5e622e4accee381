package spec

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// A kindMapping has the keys of a whole text of one kind.
type kindMapping struct {
	mapping[Spec]
	// holds reports whether the model belongs to the kind.
	holds func(builder.Model) bool
}

// kindMappings has the mapping of each kind, by kind.
var kindMappings [layout.InstanceBlockKind + 1]*kindMapping

func init() { // the initializer of kindMappings would refer to itself
	kindMappings = [...]*kindMapping{
		layout.DataBlockKind:     kindMappingOf(layout.DataBlockKind, &dataBlockMapping),
		layout.ObjectsKind:       kindMappingOf(layout.ObjectsKind, &objectsMapping),
		layout.QueryDataKind:     kindMappingOf(layout.QueryDataKind, &queryDataMapping),
		layout.InstancesKind:     kindMappingOf(layout.InstancesKind, &instanceListMapping),
		layout.IdentifiersKind:   kindMappingOf(layout.IdentifiersKind, &identifiersMapping),
		layout.RegSetKind:        kindMappingOf(layout.RegSetKind, &regSetMapping),
		layout.RegCounterKind:    kindMappingOf(layout.RegCounterKind, &oneRegCounterMapping),
		layout.RegStringKind:     kindMappingOf(layout.RegStringKind, &regStringMapping),
		layout.RegGUIDKind:       kindMappingOf(layout.RegGUIDKind, &regGUIDMapping),
		layout.StringsKind:       kindMappingOf(layout.StringsKind, &stringsMapping),
		layout.GUIDsKind:         kindMappingOf(layout.GUIDsKind, &guidsMapping),
		layout.TemplateKind:      kindMappingOf(layout.TemplateKind, &templateMapping),
		layout.InstanceBlockKind: kindMappingOf(layout.InstanceBlockKind, &setInstanceMapping),
	}
}

// kindMappingOf returns the mapping with the key kind, the keys of m and the key patches.
func kindMappingOf[M any](kind layout.Kind, m *mapping[M]) *kindMapping {
	w := &kindMapping{
		mapping: mapping[Spec]{name: kind.String(), what: m.what, doc: m.doc, record: m.record},
		holds:   func(of builder.Model) bool { model, ok := any(of).(*M); return ok && model != nil },
	}
	w.foreign = func(word string) string { return w.foreignKey(kind, word) }
	w.keys = append(w.keys, kindKey(kind))
	for _, k := range m.keys {
		field := func(s *Spec) any { return k.field(any(s.Model).(*M)) }
		w.keys = append(w.keys, key[Spec]{k.name, k.form, k.doc, k.ownDoc, k.required, k.needs, field})
	}
	w.keys = append(w.keys, patchesKey)
	return w
}

// foreignKey returns the message about a key of another kind, or "" if no kind has the key.
func (w *kindMapping) foreignKey(kind layout.Kind, word string) string {
	has := func(w *kindMapping) bool { return slices.Contains(w.names(), word) }
	if kind == layout.ObjectsKind && has(kindMappings[layout.DataBlockKind]) {
		return fmt.Sprintf("%s belongs to the header of a data block; a block of kind %v has no header", word, kind)
	}
	if other := slices.IndexFunc(kindMappings[:], has); other >= 0 && suggest.Similar(word, w.names()) == "" {
		return fmt.Sprintf("%s has no key %s; a block of kind %v has it", w.what, quote.Short(word), layout.Kind(other))
	}
	return ""
}

// kindKey returns the key that selects the kind of a text.
func kindKey(kind layout.Kind) key[Spec] {
	f := *kindForm
	f.name, f.schema = kind.String(), enumSchema(kind.String())
	k := key[Spec]{name: "kind", form: &f, doc: "The kind of the block.", required: true, field: func(s *Spec) any { return new(s.Model.Kind()) }}
	if kind == layout.DataBlockKind {
		k.doc, k.required = "The kind of the block. Default: data-block.", false
	}
	return k
}

var patchesKey = key[Spec]{name: "patches", form: patchesForm, doc: "Changes to the bytes of the encoded block, to make it wrong on purpose.", field: func(s *Spec) any { return &s.Patches }}

var kindForm = &form{
	name:   "one of " + strings.Join(stringsOf(layout.Kinds()), ", "),
	schema: enumSchema(stringsOf(layout.Kinds())...),
	read: func(n *yaml.Node, to any) (err error) {
		s, err := readText(n)
		if err != nil {
			return err
		}
		if *to.(*layout.Kind), err = layout.ParseKind(s); err != nil {
			return layout.Faultf(err, "%v%s", err, suggest.Key(s, stringsOf(layout.Kinds())))
		}
		return nil
	},
	zero: func(from any) bool { return *from.(*layout.Kind) == layout.DataBlockKind },
	write: func(w *writer, from any, _ string) error {
		w.addf(" %v", *from.(*layout.Kind))
		return nil
	},
}

// Kind returns the kind of the Model, and [layout.DataBlockKind] if the Model is nil.
func (s *Spec) Kind() layout.Kind {
	i := slices.IndexFunc(kindMappings[:], func(w *kindMapping) bool { return w.holds(s.Model) })
	return layout.Kind(max(i, 0))
}

// mapping returns the mapping of the kind of the model. A Model that is nil or not of package
// builder is an error.
func (s *Spec) mapping() (*kindMapping, error) {
	if w := kindMappings[s.Kind()]; w.holds(s.Model) {
		return w, nil
	}
	return nil, layout.Faultf(layout.ErrRange, "the Model is of type %T, must be a model of package builder", s.Model)
}

// read sets the model and the patches from the text.
func (s *Spec) read() (err error) {
	kind := layout.DataBlockKind
	if n := yamltext.Child(s.root, "kind"); n != nil {
		if err := kindForm.read(n, &kind); err != nil {
			return yamltext.Under("kind", n, err)
		}
	}
	if s.Model, err = builder.NewModel(kind); err != nil {
		return err
	}
	return kindMappings[kind].read(s.root, s)
}
