package builder

import (
	"encoding"

	"github.com/perfblock/perfblock/layout"
)

// A Model is what a block of some kind is made of: a pointer to the model of that kind.
type Model interface {
	// Kind returns the kind of the block.
	Kind() layout.Kind
	// EncodedLen returns the bytes that the block takes.
	EncodedLen() (int, error)
	encoding.BinaryAppender
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	// UnmarshalLossy is UnmarshalBinary that drops and lists what the model cannot hold.
	UnmarshalLossy(b []byte) ([]*layout.Error, error)
}

// NewModel returns an empty model of that kind. The error wraps [layout.ErrRange]: there
// is no such kind.
func NewModel(kind layout.Kind) (Model, error) {
	switch kind {
	case layout.DataBlockKind:
		return new(DataBlock), nil
	case layout.ObjectsKind:
		return new(Objects), nil
	case layout.QueryDataKind:
		return new(QueryData), nil
	case layout.InstancesKind:
		return new(InstanceList), nil
	case layout.IdentifiersKind:
		return new(Identifiers), nil
	case layout.RegSetKind:
		return new(CounterSetRegInfo), nil
	case layout.RegCounterKind:
		return new(CounterRegInfo), nil
	case layout.RegStringKind:
		return new(RegString), nil
	case layout.RegGUIDKind:
		return new(RegGUID), nil
	case layout.StringsKind:
		return new(StringBuffer), nil
	case layout.GUIDsKind:
		return new(GUIDs), nil
	case layout.TemplateKind:
		return new(CounterSetInfo), nil
	case layout.InstanceBlockKind:
		return new(CounterSetInstance), nil
	}
	return nil, layout.Faultf(layout.ErrRange, "no model of a block of the kind %v", kind)
}

func (DataBlock) Kind() layout.Kind          { return layout.DataBlockKind }
func (Objects) Kind() layout.Kind            { return layout.ObjectsKind }
func (QueryData) Kind() layout.Kind          { return layout.QueryDataKind }
func (InstanceList) Kind() layout.Kind       { return layout.InstancesKind }
func (Identifiers) Kind() layout.Kind        { return layout.IdentifiersKind }
func (CounterSetRegInfo) Kind() layout.Kind  { return layout.RegSetKind }
func (CounterRegInfo) Kind() layout.Kind     { return layout.RegCounterKind }
func (RegString) Kind() layout.Kind          { return layout.RegStringKind }
func (RegGUID) Kind() layout.Kind            { return layout.RegGUIDKind }
func (StringBuffer) Kind() layout.Kind       { return layout.StringsKind }
func (GUIDs) Kind() layout.Kind              { return layout.GUIDsKind }
func (CounterSetInfo) Kind() layout.Kind     { return layout.TemplateKind }
func (CounterSetInstance) Kind() layout.Kind { return layout.InstanceBlockKind }
