package validate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A setInstance is a PERF_COUNTERSET_INSTANCE of two counters. Tests change it and encode it.
type setInstance struct {
	wire.CounterSetInstance
	values [16]byte
	name   []byte // the name and the bytes after it
}

// validSetInstance returns a valid instance of 56 bytes. The name is at 48 and has 6 bytes.
func validSetInstance() *setInstance {
	return &setInstance{
		CounterSetInstance: wire.CounterSetInstance{CounterSetGuid: someSet, DwSize: 56, InstanceNameOffset: 48, InstanceNameSize: 6},
		values:             [16]byte{42, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
		name:               []byte{'1', 0, '1', 0, 0, 0, 0, 0},
	}
}

func (in *setInstance) bytes() []byte {
	b := in.CounterSetInstance.Append(nil)
	return slices.Concat(b, in.values[:], in.name)
}

// TestInstanceBlocks checks lengths that contradict each other or the name: dwSize,
// InstanceNameOffset and InstanceNameSize. Only the wrong field must be reported.
func TestInstanceBlocks(t *testing.T) {
	t.Parallel()
	const (
		size   = "v2-instance-block-size dwSize: dwSize is "
		at     = "v2-instance-block-name-offset InstanceNameOffset: InstanceNameOffset is "
		n      = "v2-instance-block-name-size InstanceNameSize: InstanceNameSize is "
		starts = ", must be 48, where the name starts"
		ends   = ", must be 56, the end of the name rounded up to a multiple of 8"
		first  = ", must be 6, the number of bytes up to and including the first NUL"
	)
	for _, tt := range []struct {
		reason   string
		change   func(in *setInstance)
		counters uint32
		want     []string
	}{
		{"nothing is wrong", func(*setInstance) {}, 0, nil},
		{"nothing is wrong, and the number of counters is known", func(*setInstance) {}, 2, nil},
		{"the name has no padding", func(in *setInstance) { in.InstanceNameSize, in.name = 8, []byte{'1', 0, '1', 0, '1', 0, 0, 0} }, 2, nil},
		{"the name is empty", func(in *setInstance) { in.InstanceNameSize, in.name = 2, make([]byte, 8) }, 2, nil},
		{"the name follows the structure, so there are no counters", func(in *setInstance) {
			in.DwSize, in.InstanceNameOffset, in.name = 40, 32, nil
			copy(in.values[:], []byte{'1', 0, '1', 0, 0, 0, 0, 0, 0})
		}, 0,
			[]string{"v2-trailing-bytes rest: the data is followed by 8 bytes, must be followed by none"}},

		{"dwSize is 8 too small", func(in *setInstance) { in.DwSize = 48 }, 0, []string{size + "48" + ends}},
		{"dwSize is 0", func(in *setInstance) { in.DwSize = 0 }, 0, []string{size + "0" + ends}},
		{"dwSize omits the padding", func(in *setInstance) { in.DwSize = 54 }, 0, []string{size + "54" + ends}},
		{"dwSize is 8 too large, and larger than the input", func(in *setInstance) { in.DwSize = 64 }, 0, []string{size + "64" + ends}},
		{"dwSize is 8 too large, and 8 bytes follow", func(in *setInstance) { in.DwSize, in.name = 64, append(in.name, make([]byte, 8)...) }, 0,
			[]string{size + "64" + ends, "v2-trailing-bytes rest: the data is followed by 8 bytes, must be followed by none"}},
		{"the input ends in the name", func(in *setInstance) { in.name = in.name[:4] }, 0, []string{"v2-instance-block-size : the input has 52 bytes, must have 56, dwSize"}},
		{"the input ends with the values", func(in *setInstance) { in.name = nil }, 0, []string{"v2-instance-block-size : the input has 48 bytes, must have 56, dwSize"}},
		{"the input ends in the padding", func(in *setInstance) { in.name = in.name[:6] }, 0, []string{"v2-instance-block-size : the input has 54 bytes, must have 56, dwSize"}},

		{"InstanceNameOffset is inside the structure", func(in *setInstance) { in.InstanceNameOffset = 0 }, 0, []string{at + "0" + starts}},
		{"InstanceNameOffset is inside the values", func(in *setInstance) { in.InstanceNameOffset = 40 }, 0, []string{at + "40" + starts}},
		{"InstanceNameOffset is inside the name", func(in *setInstance) { in.InstanceNameOffset = 50 }, 0, []string{at + "50" + starts}},
		{"InstanceNameOffset is after the name", func(in *setInstance) { in.InstanceNameOffset = 56 }, 0, []string{at + "56" + starts}},
		{"InstanceNameOffset is the largest uint32", func(in *setInstance) { in.InstanceNameOffset = 0xFFFFFFFF }, 0, []string{at + "4294967295" + starts}},
		{"the set has more counters than there are values", func(*setInstance) {}, 3, []string{at + "48, must be 56, after the values of 3 counters"}},
		{"the set has more counters, and the name after their values does not fit", func(in *setInstance) { in.InstanceNameOffset = 56 }, 3, []string{"v2-instance-block-size : the input has 56 bytes, must have at least 64, the size of the instance with an empty name"}},

		{"InstanceNameOffset is inside the values, and the number of counters is known", func(in *setInstance) { in.InstanceNameOffset = 40 }, 2, []string{at + "40" + starts}},
		{"InstanceNameOffset matches neither the name nor the number of counters", func(in *setInstance) { in.InstanceNameOffset = 40 }, 3, []string{at + "40, must be 56, after the values of 3 counters"}},

		{"InstanceNameSize omits the NUL", func(in *setInstance) { in.InstanceNameSize = 4 }, 0, []string{n + "4" + first}},
		{"InstanceNameSize is in characters instead of bytes", func(in *setInstance) { in.InstanceNameSize = 3 }, 0, []string{n + "3" + first}},
		{"InstanceNameSize is 0", func(in *setInstance) { in.InstanceNameSize = 0 }, 0, []string{n + "0" + first}},
		{"InstanceNameSize counts the padding", func(in *setInstance) { in.InstanceNameSize = 8 }, 0, []string{n + "8" + first}},
		{"InstanceNameSize is two billion", func(in *setInstance) { in.InstanceNameSize = 1 << 31 }, 0, []string{n + "2147483648" + first}},
		{"InstanceNameSize is the largest uint32", func(in *setInstance) { in.InstanceNameSize = 0xFFFFFFFF }, 0, []string{n + "4294967295" + first}},
		{"the name has a second NUL, so the right InstanceNameSize is not known", func(in *setInstance) {
			in.DwSize, in.InstanceNameSize, in.name = 64, 12, append([]byte{'1', 0, 0, 0}, '1', 0, '1', 0, '1', 0, 0, 0, 0, 0, 0, 0)
		}, 0, []string{"v2-instance-block-name-size Name: the name has a NUL 8 bytes before the NUL at its end, must have only the NUL at its end"}},
		{"InstanceNameSize counts text after the first NUL, which is not padding", func(in *setInstance) {
			in.DwSize, in.InstanceNameOffset, in.InstanceNameSize = 48, 32, 12
			copy(in.values[:], []byte{'a', 0, 'b', 0, 0, 0, 'c', 0, 'd', 0, 0, 0, 0, 0, 0, 0})
			in.name = nil
		}, 0, []string{"v2-instance-block-name-size Name: the name has a NUL 6 bytes before the NUL at its end, must have only the NUL at its end"}},
		{"InstanceNameSize counts two bytes of padding", func(in *setInstance) { in.InstanceNameSize, in.name = 6, []byte{'1', 0, 0, 0, 0, 0, 0, 0} }, 0,
			[]string{n + "6, must be 4, the number of bytes up to and including the first NUL"}},
		{"the first character of the name is a NUL", func(in *setInstance) { in.name[0] = 0 }, 0,
			[]string{n + "6, must be 2, the number of bytes up to and including the first NUL"}},
		{"the name has no NUL", func(in *setInstance) { in.InstanceNameSize, in.name = 8, []byte{'1', 0, '1', 0, '1', 0, '1', 0} }, 0,
			[]string{"v2-instance-block-name-size Name: the 8 bytes of the name end in 31 00, must end in a NUL"}},
		{"the name has no NUL, and InstanceNameSize is odd", func(in *setInstance) { in.InstanceNameSize, in.name = 7, []byte{'1', 0, '1', 0, '1', 0, '1', 0} }, 0,
			[]string{n + "7, must be a multiple of 2 from 2 to 8"}},

		{"InstanceNameSize counts one character, and no NUL", func(in *setInstance) { in.InstanceNameSize, in.name = 2, []byte{'1', 0, '1', 0, '1', 0, '1', 0} }, 0,
			[]string{"v2-instance-block-name-size Name: the 2 bytes of the name end in 31 00, must end in a NUL"}},
		{"InstanceNameOffset and InstanceNameSize are both invalid, and the offset is reported", func(in *setInstance) { in.InstanceNameOffset, in.InstanceNameSize = 64, 3 }, 0,
			[]string{at + "64, must be a multiple of 8 from 32 to 48, so that the name fits into dwSize"}},
		{"InstanceNameOffset is inside the structure, and InstanceNameSize is odd", func(in *setInstance) { in.InstanceNameOffset, in.InstanceNameSize = 8, 3 }, 0,
			[]string{at + "8, must be a multiple of 8 from 32 to 48, so that the name fits into dwSize"}},

		{"dwSize is 0, and the name has no NUL", func(in *setInstance) {
			in.DwSize, in.InstanceNameSize, in.name = 0, 8, []byte{'1', 0, '1', 0, '1', 0, '1', 0}
		}, 0, []string{size + "0, must be a multiple of 8 from 40 to 56, the length of the input"}},

		{"the padding is not 0", func(in *setInstance) { in.name[7] = 1 }, 0,
			[]string{"v2-padding-nonzero padding: padding has the byte 0x01, must be 0"}},
		{"the padding is not 0, and dwSize is 8 too small", func(in *setInstance) { in.DwSize, in.name[7] = 48, 1 }, 0,
			[]string{size + "48" + ends, "v2-padding-nonzero padding: padding has the byte 0x01, must be 0"}},
		{"one byte follows the instance", func(in *setInstance) { in.name = append(in.name, 0) }, 0,
			[]string{"v2-trailing-bytes rest: the data is followed by 1 byte, must be followed by none"}},
	} {
		in := validSetInstance()
		tt.change(in)
		var got []string
		for _, f := range validate.Bytes(layout.InstanceBlockKind, slices.Clip(in.bytes()), validate.Context{Counters: tt.counters}).Findings {
			got = append(got, f.Rule.Name+" "+f.Path.String()+": "+f.Message())
			if end := int64(in.InstanceNameOffset) + int64(in.InstanceNameSize); f.Path.String() == "Name" && f.Off+int64(f.Len) != end {
				t.Errorf("%s: the finding is at %d+%d, and the name ends at %d", tt.reason, f.Off, f.Len, end)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
	expectFindings(t, "the input ends with the name, before its padding", layout.InstanceBlockKind, func() []byte {
		in := validSetInstance()
		in.DwSize, in.InstanceNameOffset, in.name = 0x34, 48, []byte{'1', 0, 0, 0}
		in.InstanceNameSize = 4
		return slices.Clip(in.bytes())
	}(), "v2-instance-block-size dwSize: dwSize is 52, must be 56, the end of the name rounded up to a multiple of 8: 4 more bytes than there are")
	expectFindings(t, "the input ends one byte before the end of the padding", layout.InstanceBlockKind, func() []byte {
		in := validSetInstance()
		in.DwSize, in.InstanceNameSize, in.name = 0x34, 4, []byte{'1', 0, 0, 0, 0, 0, 0}
		return slices.Clip(in.bytes())
	}(), "v2-instance-block-size dwSize: dwSize is 52, must be 56, the end of the name rounded up to a multiple of 8: 1 more byte than there are",
		"v2-trailing-bytes rest: the data is followed by 3 bytes, must be followed by none")
	expectFindings(t, "the input ends in the first value", layout.InstanceBlockKind, validSetInstance().bytes()[:39],
		"v2-instance-block-size: the input has 39 bytes, must have 56, dwSize")
	expectFindings(t, "the input is one byte shorter than the structure", layout.InstanceBlockKind, validSetInstance().bytes()[:31],
		"v2-instance-block-size: the input has 31 bytes, must have at least 32, the size of PERF_COUNTERSET_INSTANCE")
	expectFindings(t, "the input ends with the structure", layout.InstanceBlockKind, validSetInstance().bytes()[:32],
		"v2-instance-block-size: the input has 32 bytes, must have 56, dwSize")
}

// TestInstanceBlockOfARegisteredSet checks that the number of counters is taken from the
// registration of the instance's counter set.
func TestInstanceBlockOfARegisteredSet(t *testing.T) {
	t.Parallel()
	registrations := func(set layout.GUID, n uint32) [][]byte {
		s := validRegistration()
		s.CounterSetGuid = set
		s.fill(n)
		return [][]byte{s.bytes()}
	}
	for _, tt := range []struct {
		reason string
		ctx    validate.Context
		size   uint32
		want   string
	}{
		{"the registered set has two counters, as the instance", validate.Context{Registrations: registrations(someSet, 2)}, 56, ""},
		{"the registered set has no counters", validate.Context{Registrations: registrations(someSet, 0)}, 56, "must be 32, after the values of 0 counters"},
		{"the registered set has no counters, and dwSize is wrong", validate.Context{Registrations: registrations(someSet, 0)}, 64, "must be a multiple of 8 from 40 to 56, the length of the input"},
		{"the registered set has four counters", validate.Context{Registrations: registrations(someSet, 4)}, 56, "must be 64, after the values of 4 counters"},
		{"another set has four counters", validate.Context{Registrations: registrations(layout.GUID{}, 4)}, 56, ""},
		{"Context.Counters overrides the registration", validate.Context{Registrations: registrations(someSet, 4), Counters: 2}, 56, ""},
	} {
		var got strings.Builder
		in := validSetInstance()
		in.DwSize = tt.size
		for _, f := range validate.Bytes(layout.InstanceBlockKind, in.bytes(), tt.ctx).Findings {
			got.WriteString(f.Want)
		}
		if got.String() != tt.want {
			t.Errorf("%s: got %q, want %q", tt.reason, got.String(), tt.want)
		}
	}
}
