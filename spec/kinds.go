package spec

import (
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"go.yaml.in/yaml/v4"
)

// A whole is the text of a block of some kind.
type whole struct {
	mapping[Spec]
	// holds reports whether the model is of the kind.
	holds func(builder.Model) bool
}

// wholes are the texts of all kinds.
var wholes = [...]*whole{
	layout.DataBlockKind:     wholeOf(layout.DataBlockKind, &dataBlockMapping),
	layout.ObjectsKind:       wholeOf(layout.ObjectsKind, &objectsBlockMapping),
	layout.QueryDataKind:     wholeOf(layout.QueryDataKind, &queryDataMapping),
	layout.InstancesKind:     wholeOf(layout.InstancesKind, &instanceListMapping),
	layout.IdentifiersKind:   wholeOf(layout.IdentifiersKind, &identifiersMapping),
	layout.RegSetKind:        wholeOf(layout.RegSetKind, &regSetMapping),
	layout.RegCounterKind:    wholeOf(layout.RegCounterKind, &oneRegCounterMapping),
	layout.RegStringKind:     wholeOf(layout.RegStringKind, &regStringMapping),
	layout.RegGUIDKind:       wholeOf(layout.RegGUIDKind, &regGUIDMapping),
	layout.StringsKind:       wholeOf(layout.StringsKind, &stringsMapping),
	layout.GUIDsKind:         wholeOf(layout.GUIDsKind, &guidsMapping),
	layout.TemplateKind:      wholeOf(layout.TemplateKind, &templateMapping),
	layout.InstanceBlockKind: wholeOf(layout.InstanceBlockKind, &setInstanceMapping),
}

// wholeOf returns the text whose keys are those of the model, kind and patches.
func wholeOf[M any](kind layout.Kind, m *mapping[M]) *whole {
	w := &whole{
		mapping: mapping[Spec]{name: kind.String(), what: m.what, doc: m.doc, record: m.record},
		holds:   func(of builder.Model) bool { model, ok := any(of).(*M); return ok && model != nil },
	}
	w.keys = append(w.keys, kindKey(kind))
	for _, k := range m.keys {
		field := func(s *Spec) any { return k.field(any(s.Model).(*M)) }
		w.keys = append(w.keys, key[Spec]{k.name, k.form, k.doc, k.ownDoc, k.required, field})
	}
	w.keys = append(w.keys, patchesKey)
	return w
}

// kindKey returns the key by which a text says that it is of that kind.
func kindKey(kind layout.Kind) key[Spec] {
	f := *kindForm
	f.name, f.schema = kind.String(), enumSchema(kind.String())
	k := key[Spec]{name: "kind", form: &f, doc: "What the bytes are.", required: true, field: func(s *Spec) any { return new(s.Model.Kind()) }}
	if kind == layout.DataBlockKind {
		k.doc, k.required = "What the bytes are. Left out: that.", false
	}
	return k
}

var patchesKey = key[Spec]{name: "patches", form: patchesForm, doc: "What is done to the bytes when all is encoded, to make a block that is wrong on purpose.", field: func(s *Spec) any { return &s.Patches }}

var kindForm = &form{
	name:   "one of " + strings.Join(stringsOf(layout.Kinds()), ", "),
	schema: enumSchema(stringsOf(layout.Kinds())...),
	read: func(n *yaml.Node, to any) (err error) {
		s, err := readText(n)
		if err != nil {
			return err
		}
		if *to.(*layout.Kind), err = layout.ParseKind(s); err != nil {
			return layout.Faultf(err, "%v%s", err, didYouMean(s, stringsOf(layout.Kinds())))
		}
		return nil
	},
	zero: func(from any) bool { return *from.(*layout.Kind) == layout.DataBlockKind },
	write: func(b []byte, from any, _ string) ([]byte, error) {
		return append(append(b, ' '), from.(*layout.Kind).String()...), nil
	},
}

// Kind returns the kind of the block, which is that of the Model, and data-block
// where there is none, as it is for a text without the key kind.
func (s *Spec) Kind() layout.Kind {
	i := slices.IndexFunc(wholes[:], func(w *whole) bool { return w.holds(s.Model) })
	return layout.Kind(max(i, 0))
}

// whole returns the text of the kind of the model. The error is of a Model that is
// nil, or that package builder does not have.
func (s *Spec) whole() (*whole, error) {
	if w := wholes[s.Kind()]; w.holds(s.Model) {
		return w, nil
	}
	return nil, layout.Faultf(layout.ErrRange, "no block is made of a Model of type %T", s.Model)
}

// read sets s to the text with that root.
func (s *Spec) read(root *yaml.Node) error {
	kind := layout.DataBlockKind
	if n := child(root, "kind"); n != nil {
		if err := kindForm.read(n, &kind); err != nil {
			return under("kind", n, err)
		}
	}
	var err error
	if s.Model, err = builder.NewModel(kind); err != nil {
		return err
	}
	w := wholes[kind]
	for i := 0; root.Kind == yaml.MappingNode && i < len(root.Content); i += 2 {
		n := root.Content[i]
		if w.index(n) >= 0 {
			continue
		}
		if kind == layout.ObjectsKind && wholes[layout.DataBlockKind].index(n) >= 0 {
			return faultf(n, "%s belongs to the header of a data block, and a block of kind %v has none", n.Value, kind)
		}
		if n.Kind == yaml.ScalarNode && w.meant(n.Value) != "" {
			break // reading says what was meant
		}
		if other := slices.IndexFunc(wholes[:], func(w *whole) bool { return w.index(n) >= 0 }); other >= 0 {
			return faultf(n, "%s has no key %s; a block of kind %v has it", w.what, quote.Short(n.Value), layout.Kind(other))
		}
	}
	return w.mapping.read(root, s)
}
