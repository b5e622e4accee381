package builder_test

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func TestInstanceNames(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name                   string
		codePage               uint32
		nameOffset, byteLength uint32 // given
		offset, length, total  uint32 // NameOffset, NameLength and ByteLength wanted
		raw                    string // the bytes of NameLength
		reason                 string
	}{
		{"", 0, 0, 0, 0, 0, 24, "", "an unnamed instance has no name to point to"},
		{"", 0, 24, 0, 24, 0, 24, "", "an unnamed instance may point behind its definition"},
		{"a", 0, 0, 0, 24, 4, 32, "a\x00\x00\x00", "4 bytes of name leave 4 of padding"},
		{"ab", 0, 0, 0, 24, 6, 32, "a\x00b\x00\x00\x00", "6 leave 2"},
		{"abc", 0, 0, 0, 24, 8, 32, "a\x00b\x00c\x00\x00\x00", "8 leave none"},
		{"abcd", 0, 0, 0, 24, 10, 40, "a\x00b\x00c\x00d\x00\x00\x00", "10 leave 6"},
		{"Ā", 0, 0, 0, 24, 4, 32, "\x00\x01\x00\x00", "U+0100 has a zero byte that is no NUL"},
		{"𝄞", 0, 0, 0, 24, 6, 32, "\x34\xd8\x1e\xdd\x00\x00", "a character beyond the basic plane is two units"},
		{"\uFEFFx", 0, 0, 0, 24, 6, 32, "\xff\xfex\x00\x00\x00", "U+FEFF is a character, no byte order mark to drop"},
		{"\uFFFE", 0, 0, 0, 24, 4, 32, "\xfe\xff\x00\x00", "U+FFFE swaps no bytes"},
		{"\uFFFD", 0, 0, 0, 24, 4, 32, "\xfd\xff\x00\x00", "U+FFFD that was asked for stays"},
		{"\xe4\xff", 1252, 0, 0, 24, 3, 32, "\xe4\xff\x00", "bytes of a code page go as they are, with a NUL of 1 byte"},
		{"abcdefg", 1252, 0, 0, 24, 8, 32, "abcdefg\x00", "a code page's name that ends on 8"},
		{"abcdefgh", 1252, 0, 0, 24, 9, 40, "abcdefgh\x00", "and one byte more"},
		{"a", 0, 28, 0, 28, 4, 32, "a\x00\x00\x00", "a NameOffset that is given is kept"},
		{"a", 0, 0, 56, 24, 4, 56, "a\x00\x00\x00", "a ByteLength that is given is kept"},
		{strings.Repeat("x", 2000), 0, 0, 0, 24, 4002, 4032, strings.Repeat("x\x00", 2000) + "\x00\x00", "no V1 document gives a longest name"},
	} {
		o := builder.NewObject(2).Add(builder.Instance{Name: test.name, NameOffset: test.nameOffset, ByteLength: test.byteLength})
		o.CodePage = test.codePage
		b, err := o.MarshalBinary()
		if err != nil {
			t.Errorf("%s: %v", test.reason, err)
			continue
		}
		for v := range layout.ReadObjects(b) {
			for in, err := range v.Instances() {
				if err != nil {
					t.Fatal(err)
				}
				if in.NameOffset() != test.offset || in.NameLength() != test.length || in.ByteLength() != test.total {
					t.Errorf("%s: NameOffset %d, NameLength %d, ByteLength %d; want %d, %d, %d", test.reason, in.NameOffset(), in.NameLength(), in.ByteLength(), test.offset, test.length, test.total)
					continue
				}
				name, _ := in.Name()
				if string(name.Bytes()) != test.raw {
					t.Errorf("%s: the name's bytes are % x, want % x", test.reason, name.Bytes(), test.raw)
				}
				for i, c := range in.Bytes()[layout.PERF_INSTANCE_DEFINITION.Size:] {
					at := i + int(layout.PERF_INSTANCE_DEFINITION.Size)
					if inName := at >= int(test.offset) && at < int(test.offset+test.length); !inName && c != 0 {
						t.Errorf("%s: the padding holds 0x%02x", test.reason, c)
					}
				}
			}
		}
	}
}

// A length that cannot be says from where on it could.
func TestByteLengthTooShort(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   builder.Instance
		want string
	}{
		{builder.Instance{Name: "abcdefgh", ByteLength: 32}, "object[0].instance[0].ByteLength: is 32, must be 0 or a multiple of 8 that is at least 48"},
		{builder.Instance{Name: "a", NameOffset: 40, ByteLength: 40}, "object[0].instance[0].ByteLength: is 40, must be 0 or a multiple of 8 that is at least 48"},
		{builder.Instance{Name: "a", ByteLength: 36}, "object[0].instance[0].ByteLength: is 36, must be 0 or a multiple of 8 that is at least 32"},
	} {
		o := builder.NewObject(2)
		if _, err := (builder.Objects{*o.Add(tt.in)}).MarshalBinary(); err == nil || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}
