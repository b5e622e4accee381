package spec

import (
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/layout"
	"go.yaml.in/yaml/v4"
)

type specKey = key[Spec]

// dataBlockMapping is the whole text of a block of kind data-block.
var dataBlockMapping = mapping[Spec]{
	name: "dataBlock", what: "a data block", record: &layout.PERF_DATA_BLOCK,
	doc: "What a consumer gets: a PERF_DATA_BLOCK and objects.",
	keys: []specKey{
		kindKey,
		{name: "SystemName", form: textForm, doc: "The name of the computer.", field: func(s *Spec) any { return &s.Data.SystemName }},
		{name: "SystemTime", form: timeForm, doc: "Left out: PerfTime100nSec.", field: func(s *Spec) any { return &s.Data.SystemTime }},
		{name: "PerfTime", form: clockForm, field: func(s *Spec) any { return &s.Data.PerfTime }},
		{name: "PerfFreq", form: clockForm, doc: "Left out: 10000000.", field: func(s *Spec) any { return &s.Data.PerfFreq }},
		{name: "PerfTime100nSec", form: clockForm, doc: "Left out: SystemTime, and the first moment of the year 2000 where that is left out too.", field: func(s *Spec) any { return &s.Data.PerfTime100nSec }},
		{name: "DefaultObject", form: longForm, field: func(s *Spec) any { return &s.Data.DefaultObject }},
		{name: "SystemNameOffset", form: dwordForm, doc: "Left out: 88, and 0 without a name.", field: func(s *Spec) any { return &s.Data.SystemNameOffset }},
		{name: "HeaderLength", form: dwordForm, doc: "Left out: as long as the name needs.", field: func(s *Spec) any { return &s.Data.HeaderLength }},
		{name: "objects", form: objectsForm, required: true, doc: "The objects. There may be none: [].", field: func(s *Spec) any { return &s.Data.Objects }},
		patchesKey,
	},
}

// objectsBlockMapping is the whole text of a block of kind objects.
var objectsBlockMapping = mapping[Spec]{
	name: "objectsBlock", what: "a block of kind objects",
	doc: "What a provider's Collect function writes: objects, without a header.",
	keys: []specKey{
		kindKey,
		{name: "objects", form: objectsForm, required: true, doc: "The objects.", field: func(s *Spec) any { return &s.Objects }},
		patchesKey,
	},
}

var (
	kindKey    = specKey{name: "kind", form: kindForm, doc: "What the bytes are. Left out: data-block.", field: func(s *Spec) any { return &s.Kind }}
	patchesKey = specKey{name: "patches", form: patchesForm, doc: "What is done to the bytes when all is encoded, to make a block that is wrong on purpose.", field: func(s *Spec) any { return &s.Patches }}
)

var kindForm = &form{
	name:   "data-block or objects",
	schema: enumSchema(stringsOf(layout.V1Kinds())...),
	read: func(n *yaml.Node, to any) (err error) {
		s, err := readText(n)
		if err != nil {
			return err
		}
		if *to.(*layout.Kind), err = layout.ParseV1Kind(s); err != nil {
			return layout.Faultf(err, "%v%s", err, suggest.DidYouMean(s, stringsOf(layout.V1Kinds())))
		}
		return nil
	},
	zero: func(from any) bool { return *from.(*layout.Kind) == layout.DataBlockKind },
	write: func(b []byte, from any, _ string) ([]byte, error) {
		return append(append(b, ' '), from.(*layout.Kind).String()...), nil
	},
}

// read sets s to the text with that root.
func (s *Spec) read(root *yaml.Node) error {
	if n := child(root, "kind"); n != nil {
		if err := kindForm.read(n, &s.Kind); err != nil {
			return under("kind", n, err)
		}
	}
	if s.Kind == layout.DataBlockKind {
		return dataBlockMapping.read(root, s)
	}
	for i := 0; root.Kind == yaml.MappingNode && i < len(root.Content); i += 2 {
		if n := root.Content[i]; objectsBlockMapping.index(n) < 0 && dataBlockMapping.index(n) >= 0 {
			return faultf(n, "%s belongs to the header of a data block, and a block of kind %v has none", n.Value, s.Kind)
		}
	}
	return objectsBlockMapping.read(root, s)
}
