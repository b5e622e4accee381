package builder

import (
	"encoding"

	"github.com/perfblock/perfblock/layout"
)

// A Model describes a block of one of the kinds of package layout. Pointers to the model types of
// this package, such as *[DataBlock], implement it.
type Model interface {
	// Kind returns the kind of the block.
	Kind() layout.Kind
	// EncodedLen returns the number of bytes that the block takes.
	EncodedLen() (int, error)
	encoding.BinaryAppender
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	// UnmarshalLossy is like UnmarshalBinary, but drops data that the model cannot hold and returns
	// a list of the losses.
	UnmarshalLossy(b []byte) ([]*layout.Error, error)
}

// NewModel returns an empty model for a block of the given kind. If kind is none of the kinds of
// package layout, the error wraps [layout.ErrRange].
func NewModel(kind layout.Kind) (Model, error) {
	for _, m := range []Model{
		new(DataBlock), new(Objects), new(QueryData), new(InstanceList), new(Identifiers),
		new(CounterSetRegInfo), new(CounterRegInfo), new(RegString), new(RegGUID), new(StringBuffer), new(GUIDs),
		new(CounterSetInfo), new(CounterSetInstance),
	} {
		if m.Kind() == kind {
			return m, nil
		}
	}
	return nil, layout.Faultf(layout.ErrRange, "the kind is %v, must be one of layout.Kinds", kind)
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
