package validate_test

import (
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestGUIDLists checks the size of a list of GUIDs, and duplicates in the list.
func TestGUIDLists(t *testing.T) {
	t.Parallel()
	var golden transcript
	list := func(numbers ...uint32) (b []byte) {
		for _, n := range numbers {
			b = wire.GUID(layout.GUID{Data1: n, Data4: [8]byte{7: byte(n)}}).Append(b)
		}
		return b
	}
	for _, test := range []struct {
		reason string
		b      []byte
		want   string
	}{
		{reason: "the list may be empty"},
		{reason: "a GUID may be all zeros", b: list(1, 0)},
		{reason: "the last GUID has 15 bytes", b: list(1, 2)[:31], want: "size guid[1] 16+15"},
		{reason: "one byte follows the last GUID", b: append(list(1), 1), want: "size guid[1] 16+1"},
		{reason: "the list has one byte", b: []byte{0}, want: "size guid[0] 0+1"},
		{reason: "the last GUID equals the first", b: list(1, 2, 1), want: "duplicate guid[2] 32+16"},
		{reason: "three GUIDs are equal", b: list(1, 1, 1), want: "duplicate guid[1] 16+16, duplicate guid[2] 32+16"},
		{reason: "two GUIDs are equal, and one byte follows", b: append(list(1, 1), 0), want: "duplicate guid[1] 16+16, size guid[2] 32+1"},
		{reason: "two GUIDs differ in their last byte", b: poke(list(1, 1), 28, 0)},
	} {
		if got := findingsAt(&golden, test.reason, layout.GUIDsKind, test.b, validate.Context{}, "v2-guid-list-"); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.reason, got, test.want)
		}
	}
	golden.compare(t, "guidlist.txt")
}
