package validate_test

import (
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

func TestGUIDLists(t *testing.T) {
	t.Parallel()
	var said transcript
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
		{reason: "none"},
		{reason: "two, and zeros are one like any other", b: list(1, 0)},
		{reason: "a byte is missing", b: list(1, 2)[:31], want: "size guid[1] 16+15"},
		{reason: "a byte is too many", b: append(list(1), 1), want: "size guid[1] 16+1"},
		{reason: "a byte", b: []byte{0}, want: "size guid[0] 0+1"},
		{reason: "the first again", b: list(1, 2, 1), want: "duplicate guid[2] 32+16"},
		{reason: "the first twice again", b: list(1, 1, 1), want: "duplicate guid[1] 16+16, duplicate guid[2] 32+16"},
		{reason: "the first again, and a byte", b: append(list(1, 1), 0), want: "duplicate guid[1] 16+16, size guid[2] 32+1"},
		{reason: "they differ in the last byte", b: poke(list(1, 1), 28, 0)},
	} {
		if got := findingsAt(&said, test.reason, layout.GUIDsKind, test.b, validate.Context{}, "v2-guid-list-"); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.reason, got, test.want)
		}
	}
	said.compare(t, "guidlist.txt")
}
