package fuzz

import (
	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// Model returns a model of that kind, as the function for it does, nil if there is no
// such kind.
func Model(kind layout.Kind, s *Source, c Config) builder.Model {
	switch kind {
	case layout.DataBlockKind:
		return new(DataBlock(s, c))
	case layout.ObjectsKind:
		return new(Objects(s, c))
	case layout.QueryDataKind:
		return new(QueryData(s, c))
	case layout.InstancesKind:
		return new(InstanceList(s, c))
	case layout.IdentifiersKind:
		return new(Identifiers(s, c))
	case layout.RegSetKind:
		return new(RegSet(s, c))
	case layout.RegCounterKind:
		return new(RegCounter(s, c))
	case layout.RegStringKind:
		return new(RegString(s, c))
	case layout.RegGUIDKind:
		return new(RegGUID(s, c))
	case layout.StringsKind:
		return new(Strings(s, c))
	case layout.GUIDsKind:
		return new(GUIDs(s, c))
	case layout.TemplateKind:
		return new(SetTemplate(s, c))
	case layout.InstanceBlockKind:
		return new(SetInstance(s, c))
	}
	return nil
}
