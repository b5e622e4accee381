package builder

import (
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// GUIDs is what PerfEnumerateCounterSet returns: the counter sets that there are. The
// function counts them beside the buffer; there may be none.
type GUIDs []layout.GUID

// AppendBinary appends the GUIDs to b and returns the longer slice. It is as
// [QueryData.AppendBinary].
func (l GUIDs) AppendBinary(b []byte) ([]byte, error) {
	total, err := l.EncodedLen()
	if err != nil {
		return b, err
	}
	b = slices.Grow(b, total)
	for _, id := range l {
		b = wire.GUID(id).Append(b)
	}
	return b, nil
}

// MarshalBinary returns the GUIDs. Its errors are those of [GUIDs.AppendBinary].
func (l GUIDs) MarshalBinary() ([]byte, error) { return l.AppendBinary(nil) }

// EncodedLen returns the bytes that the GUIDs take. There is no error.
func (l GUIDs) EncodedLen() (int, error) { return len(l) * int(layout.GUIDRecord.Size), nil }

// A RegGUID is what PerfQueryCounterSetRegistrationInfo returns for
// [layout.PERF_REG_PROVIDER_GUID].
type RegGUID layout.GUID

// AppendBinary appends the GUID to b and returns the longer slice. There is no error.
func (g RegGUID) AppendBinary(b []byte) ([]byte, error) {
	return wire.GUID(layout.GUID(g)).Append(b), nil
}

// MarshalBinary returns the GUID's 16 bytes. There is no error.
func (g RegGUID) MarshalBinary() ([]byte, error) { return g.AppendBinary(nil) }

// EncodedLen returns the bytes that the GUID takes. There is no error.
func (g RegGUID) EncodedLen() (int, error) { return int(layout.GUIDRecord.Size), nil }

// String returns the GUID as [layout.GUID.String] does.
func (g RegGUID) String() string { return layout.GUID(g).String() }

// UnmarshalBinary sets *l to the GUIDs that fill b. It is as [DataBlock.UnmarshalBinary].
func (l *GUIDs) UnmarshalBinary(b []byte) error {
	var out GUIDs
	if n := len(b) / int(layout.GUIDRecord.Size); n > 0 {
		out = make(GUIDs, 0, n)
	}
	for id, err := range layout.ReadGUIDs(b) {
		if err != nil {
			return err
		}
		out = append(out, id)
	}
	*l = out
	return nil
}

// UnmarshalLossy is [GUIDs.UnmarshalBinary], as there is nothing to lose.
func (l *GUIDs) UnmarshalLossy(b []byte) ([]*layout.Error, error) { return nil, l.UnmarshalBinary(b) }

// UnmarshalBinary sets *g to the GUID that b is. It is as [DataBlock.UnmarshalBinary].
func (g *RegGUID) UnmarshalBinary(b []byte) error {
	_, err := g.decode(b, false)
	return err
}

// UnmarshalLossy is to [RegGUID.UnmarshalBinary] as [DataBlock.UnmarshalLossy].
func (g *RegGUID) UnmarshalLossy(b []byte) ([]*layout.Error, error) { return g.decode(b, true) }

func (g *RegGUID) decode(b []byte, lossy bool) ([]*layout.Error, error) {
	d, n := newDecoder(b, lossy), min(len(b), int(layout.GUIDRecord.Size))
	var out GUIDs
	if err := out.UnmarshalBinary(b[:n]); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, &layout.Error{Path: layout.Path{}.At("guid", 0), Err: layout.Faultf(layout.ErrShort, "no bytes, and a GUID has %d", layout.GUIDRecord.Size)}
	}
	if err := d.behind(b, n); err != nil {
		return nil, err
	}
	*g = RegGUID(out[0])
	return d.list(), nil
}
