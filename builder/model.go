package builder

import (
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// A Model describes a block. Each kind of block in package layout has a model type. Pointers to the model types,
// such as *[DataBlock], implement Model. A Model implements the interfaces of package encoding.
type Model interface {
	// Kind returns the kind of the block.
	Kind() layout.Kind
	// EncodedLen returns the number of bytes that the block takes. It returns the same errors as AppendBinary.
	EncodedLen() (int, error)
	// AppendBinary appends the block to b and returns the extended slice. If there is an error, AppendBinary returns b
	// unchanged. A single error is an [*layout.Error] with a path and no offset. It wraps an error of this package or of
	// package layout. If there are several such errors, the returned error has the text of the first error, and its
	// method Unwrap() []error returns an [*layout.Error] for each error, at most 1,000. An error is left out if it may
	// be a consequence of another error.
	AppendBinary(b []byte) ([]byte, error)
	// MarshalBinary returns the block. It returns the same errors as AppendBinary.
	MarshalBinary() ([]byte, error)
	// UnmarshalBinary decodes the block in b and sets the model. Encoding the model then returns the
	// bytes of b. The model does not refer to b. On an error the model does not change. The error is
	// an [*layout.Error] with an offset in b. It wraps [ErrUnkept] for data that the model cannot hold,
	// such as bytes after the block. It wraps another error for a block that is not valid.
	UnmarshalBinary(b []byte) error
	// UnmarshalLossy decodes the block in b as UnmarshalBinary does, but drops the data that the model cannot hold. The
	// list that it returns has an error that wraps [ErrUnkept] for each part of the dropped data. If there are more than
	// 1,000 such errors, the list has the first 1,000 and one last error with the number of omitted errors. As in
	// UnmarshalBinary, a block on which readers would disagree or crash is an error.
	UnmarshalLossy(b []byte) ([]*layout.Error, error)
}

// NewModel returns an empty model for a block of the given kind. If kind is not a kind of package layout, the
// error wraps [layout.ErrRange].
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

// decodeInto sets *m to the model that d decodes from b.
func (d *decoder) decodeInto(m Model, b []byte) (err error) {
	switch m := m.(type) {
	case *DataBlock:
		*m, err = d.dataBlock(b)
	case *Objects:
		*m, _, err = d.readObjects(layout.ReadObjects(b), 0)
	case *QueryData:
		*m, err = d.queryData(b)
	case *InstanceList:
		*m, err = d.instanceList(b)
	case *Identifiers:
		*m, err = d.identifiers(b)
	case *CounterSetRegInfo:
		*m, err = d.counterSetRegInfo(b)
	case *CounterRegInfo:
		*m, err = d.counterRegInfo(b)
	case *RegString:
		*m, err = d.regString(b)
	case *RegGUID:
		*m, err = d.regGUID(b)
	case *StringBuffer:
		*m, err = d.stringBuffer(b)
	case *GUIDs:
		*m, err = d.guids(b)
	case *CounterSetInfo:
		*m, err = d.counterSetInfo(b)
	case *CounterSetInstance:
		*m, err = d.counterSetInstance(b)
	}
	return err
}

// The methods below are the same for all models: [Model] describes them.

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

func (l InstanceList) AppendBinary(b []byte) ([]byte, error)        { return appendModel(b, l) }
func (l Identifiers) AppendBinary(b []byte) ([]byte, error)         { return appendModel(b, l) }
func (s CounterSetRegInfo) AppendBinary(b []byte) ([]byte, error)   { return appendModel(b, s) }
func (c CounterRegInfo) AppendBinary(b []byte) ([]byte, error)      { return appendModel(b, c) }
func (s RegString) AppendBinary(b []byte) ([]byte, error)           { return appendModel(b, s) }
func (g RegGUID) AppendBinary(b []byte) ([]byte, error)             { return appendModel(b, g) }
func (s StringBuffer) AppendBinary(b []byte) ([]byte, error)        { return appendModel(b, s) }
func (l GUIDs) AppendBinary(b []byte) ([]byte, error)               { return appendModel(b, l) }
func (t CounterSetInfo) AppendBinary(b []byte) ([]byte, error)      { return appendModel(b, t) }
func (in CounterSetInstance) AppendBinary(b []byte) ([]byte, error) { return appendModel(b, in) }

func (d DataBlock) MarshalBinary() ([]byte, error)           { return d.AppendBinary(nil) }
func (o Objects) MarshalBinary() ([]byte, error)             { return o.AppendBinary(nil) }
func (q QueryData) MarshalBinary() ([]byte, error)           { return q.AppendBinary(nil) }
func (l InstanceList) MarshalBinary() ([]byte, error)        { return l.AppendBinary(nil) }
func (l Identifiers) MarshalBinary() ([]byte, error)         { return l.AppendBinary(nil) }
func (s CounterSetRegInfo) MarshalBinary() ([]byte, error)   { return s.AppendBinary(nil) }
func (c CounterRegInfo) MarshalBinary() ([]byte, error)      { return c.AppendBinary(nil) }
func (s RegString) MarshalBinary() ([]byte, error)           { return s.AppendBinary(nil) }
func (g RegGUID) MarshalBinary() ([]byte, error)             { return g.AppendBinary(nil) }
func (s StringBuffer) MarshalBinary() ([]byte, error)        { return s.AppendBinary(nil) }
func (l GUIDs) MarshalBinary() ([]byte, error)               { return l.AppendBinary(nil) }
func (t CounterSetInfo) MarshalBinary() ([]byte, error)      { return t.AppendBinary(nil) }
func (in CounterSetInstance) MarshalBinary() ([]byte, error) { return in.AppendBinary(nil) }

func (d *DataBlock) UnmarshalBinary(b []byte) error           { return unmarshal(d, b) }
func (o *Objects) UnmarshalBinary(b []byte) error             { return unmarshal(o, b) }
func (q *QueryData) UnmarshalBinary(b []byte) error           { return unmarshal(q, b) }
func (l *InstanceList) UnmarshalBinary(b []byte) error        { return unmarshal(l, b) }
func (l *Identifiers) UnmarshalBinary(b []byte) error         { return unmarshal(l, b) }
func (s *CounterSetRegInfo) UnmarshalBinary(b []byte) error   { return unmarshal(s, b) }
func (c *CounterRegInfo) UnmarshalBinary(b []byte) error      { return unmarshal(c, b) }
func (s *RegString) UnmarshalBinary(b []byte) error           { return unmarshal(s, b) }
func (g *RegGUID) UnmarshalBinary(b []byte) error             { return unmarshal(g, b) }
func (s *StringBuffer) UnmarshalBinary(b []byte) error        { return unmarshal(s, b) }
func (l *GUIDs) UnmarshalBinary(b []byte) error               { return unmarshal(l, b) }
func (t *CounterSetInfo) UnmarshalBinary(b []byte) error      { return unmarshal(t, b) }
func (in *CounterSetInstance) UnmarshalBinary(b []byte) error { return unmarshal(in, b) }

func (d *DataBlock) UnmarshalLossy(b []byte) ([]*layout.Error, error)           { return lossy(d, b) }
func (o *Objects) UnmarshalLossy(b []byte) ([]*layout.Error, error)             { return lossy(o, b) }
func (q *QueryData) UnmarshalLossy(b []byte) ([]*layout.Error, error)           { return lossy(q, b) }
func (l *InstanceList) UnmarshalLossy(b []byte) ([]*layout.Error, error)        { return lossy(l, b) }
func (l *Identifiers) UnmarshalLossy(b []byte) ([]*layout.Error, error)         { return lossy(l, b) }
func (s *CounterSetRegInfo) UnmarshalLossy(b []byte) ([]*layout.Error, error)   { return lossy(s, b) }
func (c *CounterRegInfo) UnmarshalLossy(b []byte) ([]*layout.Error, error)      { return lossy(c, b) }
func (s *RegString) UnmarshalLossy(b []byte) ([]*layout.Error, error)           { return lossy(s, b) }
func (g *RegGUID) UnmarshalLossy(b []byte) ([]*layout.Error, error)             { return lossy(g, b) }
func (s *StringBuffer) UnmarshalLossy(b []byte) ([]*layout.Error, error)        { return lossy(s, b) }
func (l *GUIDs) UnmarshalLossy(b []byte) ([]*layout.Error, error)               { return lossy(l, b) }
func (t *CounterSetInfo) UnmarshalLossy(b []byte) ([]*layout.Error, error)      { return lossy(t, b) }
func (in *CounterSetInstance) UnmarshalLossy(b []byte) ([]*layout.Error, error) { return lossy(in, b) }

// An encoder is a model that appendModel can encode.
type encoder interface {
	EncodedLen() (total int, err error) // checks the model
	encode(b []byte, total int) []byte  // appends the model to b; total is the result of EncodedLen
}

func appendModel[M encoder](b []byte, m M) ([]byte, error) {
	total, err := m.EncodedLen()
	if err != nil {
		return b, err
	}
	return m.encode(slices.Grow(b, total), total), nil
}
