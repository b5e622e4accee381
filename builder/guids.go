package builder

import (
	"slices"

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
		b = layout.AppendGUID(b, id)
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
	return layout.AppendGUID(b, layout.GUID(g)), nil
}

// MarshalBinary returns the GUID's 16 bytes. There is no error.
func (g RegGUID) MarshalBinary() ([]byte, error) { return g.AppendBinary(nil) }

// EncodedLen returns the bytes that the GUID takes. There is no error.
func (g RegGUID) EncodedLen() (int, error) { return int(layout.GUIDRecord.Size), nil }

// String returns the GUID as [layout.GUID.String] does.
func (g RegGUID) String() string { return layout.GUID(g).String() }
