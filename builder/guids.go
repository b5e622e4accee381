package builder

import (
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// GUIDs is the result of PerfEnumerateCounterSet: the GUIDs of the registered counter sets,
// possibly none.
type GUIDs []layout.GUID

// AppendBinary appends the GUIDs to b and returns the extended slice. The error is always nil.
func (l GUIDs) AppendBinary(b []byte) ([]byte, error) {
	b = slices.Grow(b, len(l)*layout.SizeofGUID)
	for _, id := range l {
		b = wire.GUID(id).Append(b)
	}
	return b, nil
}

// MarshalBinary returns the GUIDs. The error is always nil.
func (l GUIDs) MarshalBinary() ([]byte, error) { return l.AppendBinary(nil) }

// EncodedLen returns the number of bytes that the GUIDs take. The error is always nil.
func (l GUIDs) EncodedLen() (int, error) { return len(l) * layout.SizeofGUID, nil }

// UnmarshalBinary sets *l to the GUIDs that fill b, like [DataBlock.UnmarshalBinary].
func (l *GUIDs) UnmarshalBinary(b []byte) error {
	return errorOnly(unmarshal(l, b, false, (*decoder).guids))
}

// UnmarshalLossy does the same as [GUIDs.UnmarshalBinary]. The list of losses is always empty.
func (l *GUIDs) UnmarshalLossy(b []byte) ([]*layout.Error, error) {
	return unmarshal(l, b, true, (*decoder).guids)
}

// guids decodes the GUIDs that fill b.
func (*decoder) guids(b []byte) (GUIDs, error) {
	var out GUIDs
	if n := len(b) / layout.SizeofGUID; n > 0 {
		out = make(GUIDs, 0, n)
	}
	for id, err := range layout.ReadGUIDs(b) {
		if err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	return out, nil
}

// A RegGUID is the result of PerfQueryCounterSetRegistrationInfo for
// [layout.PERF_REG_PROVIDER_GUID].
type RegGUID layout.GUID

// AppendBinary appends the GUID to b and returns the extended slice. The error is always nil.
func (g RegGUID) AppendBinary(b []byte) ([]byte, error) {
	return wire.GUID(layout.GUID(g)).Append(b), nil
}

// MarshalBinary returns the bytes of the GUID. The error is always nil.
func (g RegGUID) MarshalBinary() ([]byte, error) { return g.AppendBinary(nil) }

// EncodedLen returns the number of bytes that the GUID takes. The error is always nil.
func (g RegGUID) EncodedLen() (int, error) { return layout.SizeofGUID, nil }

// String returns the GUID as [layout.GUID.String] does.
func (g RegGUID) String() string { return layout.GUID(g).String() }

// UnmarshalBinary sets *g to the GUID in b, like [DataBlock.UnmarshalBinary].
func (g *RegGUID) UnmarshalBinary(b []byte) error {
	return errorOnly(unmarshal(g, b, false, (*decoder).regGUID))
}

// UnmarshalLossy is like UnmarshalBinary, but drops and lists data that the model cannot hold. See
// [DataBlock.UnmarshalLossy].
func (g *RegGUID) UnmarshalLossy(b []byte) ([]*layout.Error, error) {
	return unmarshal(g, b, true, (*decoder).regGUID)
}

// regGUID decodes one GUID.
func (d *decoder) regGUID(b []byte) (RegGUID, error) {
	n := min(len(b), layout.SizeofGUID)
	if n == 0 {
		return RegGUID{}, &layout.Error{Path: layout.Path{}.At("guid", 0), Err: layout.Faultf(layout.ErrShort, "has no bytes, must have %d", layout.SizeofGUID)}
	}
	out, err := d.guids(b[:n])
	if err != nil {
		return RegGUID{}, err
	}
	d.loseAfter(b, n)
	return RegGUID(out[0]), nil
}
