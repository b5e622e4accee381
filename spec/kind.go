package spec

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// A kindMapping has all keys that a spec may have, for one kind of block.
type kindMapping struct {
	form.Mapping[Spec]
	holds func(builder.Model) bool // reports whether the model belongs to the kind
}

var kindMappings [layout.InstanceBlockKind + 1]*kindMapping

func init() { // an initializer of kindMappings would refer to kindMappings
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

// kindMappingOf returns the mapping of a kind. Its keys are `kind`, all keys of m, and `patches`.
func kindMappingOf[M any](kind layout.Kind, m *form.Mapping[M]) *kindMapping {
	w := &kindMapping{
		Mapping: form.Mapping[Spec]{Name: kind.String(), What: m.What, Doc: m.Doc, Record: m.Record},
		holds:   func(of builder.Model) bool { model, ok := any(of).(*M); return ok && model != nil },
	}
	w.Foreign = func(word string) error { return w.foreignKey(kind, word) }
	w.Keys = append(w.Keys, kindKey(kind))
	for _, k := range m.Keys {
		field := func(s *Spec) any { return k.Field(any(s.Model).(*M)) }
		w.Keys = append(w.Keys, form.Key[Spec]{Name: k.Name, Form: k.Form, Doc: k.Doc, OwnDoc: k.OwnDoc, Required: k.Required, Needs: k.Needs, Without: k.Without, Field: field})
	}
	w.Keys = append(w.Keys, patchesKey)
	return w
}

// foreignKey returns the error about a key of another kind, or nil if no kind has the key.
func (w *kindMapping) foreignKey(kind layout.Kind, word string) error {
	has := func(w *kindMapping) bool { return slices.Contains(w.Names(), word) }
	if kind == layout.ObjectsKind && has(kindMappings[layout.DataBlockKind]) {
		return fmt.Errorf("%s belongs to the header of a data block; a block of kind %v has no header", word, kind)
	}
	if other := slices.IndexFunc(kindMappings[:], has); other >= 0 && suggest.Similar(word, w.Names()) == "" {
		return fmt.Errorf("%s has no key %s; a block of kind %v has this key", w.What, quote.Short(word), layout.Kind(other))
	}
	return nil
}

// kindKey returns the key `kind`, which selects the kind of the block.
func kindKey(kind layout.Kind) form.Key[Spec] {
	f := *kindForm
	f.Name, f.Schema = kind.String(), form.EnumSchema(kind.String())
	k := form.Key[Spec]{Name: "kind", Form: &f, Doc: "The kind of the block.", Required: true, Field: func(s *Spec) any { return new(s.Model.Kind()) }}
	if kind == layout.DataBlockKind {
		k.Doc, k.Required = "The kind of the block. Default: data-block.", false
	}
	return k
}

var patchesKey = form.Key[Spec]{Name: "patches", Form: patchesForm, Doc: "Changes to the bytes of the encoded block, to make it wrong on purpose.", Field: func(s *Spec) any { return &s.Patches }}

var kindForm = &form.Form{
	Name:   "one of " + strings.Join(stringsOf(layout.Kinds()), ", "),
	Schema: form.EnumSchema(stringsOf(layout.Kinds())...),
	Read: func(n *yaml.Node, to any) (err error) {
		s, err := form.ReadText(n)
		if err != nil {
			return err
		}
		if *to.(*layout.Kind), err = layout.ParseKind(s); err != nil {
			return layout.Faultf(err, "%v%s", err, suggest.Key(s, stringsOf(layout.Kinds())))
		}
		return nil
	},
	Zero: func(from any) bool { return *from.(*layout.Kind) == layout.DataBlockKind },
	Write: func(w *form.Writer, from any, _ string) error {
		w.Addf(" %v", *from.(*layout.Kind))
		return nil
	},
}

// Kind returns the kind of the Model, and [layout.DataBlockKind] if the Model is nil.
func (s *Spec) Kind() layout.Kind {
	i := slices.IndexFunc(kindMappings[:], func(w *kindMapping) bool { return w.holds(s.Model) })
	return layout.Kind(max(i, 0))
}

// mapping returns the mapping for the kind of the model. It returns an error if Model is nil or not a model of
// package builder.
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
		if err := kindForm.Read(n, &kind); err != nil {
			return yamltext.Under("kind", n, err)
		}
	}
	if s.Model, err = builder.NewModel(kind); err != nil {
		return err
	}
	return kindMappings[kind].Read(s.root, s)
}
