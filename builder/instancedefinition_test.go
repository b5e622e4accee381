package builder_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestSurrogatesLost checks that an error covers the bytes from the first to the last unpaired surrogate.
func TestSurrogatesLost(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).Instance("abcdef")
	b, err := builder.DataBlock{Objects: []builder.Object{*o}}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	name := findPart(t, b, "object[0].instance[0].Name")
	copy(b[name.Off()+2:], "\x00\xd8") // replaces the letter b with U+D800
	copy(b[name.Off()+6:], "\x00\xdc") // replaces the letter d with U+DC00
	var got builder.DataBlock
	losses, err := got.UnmarshalLossy(b)
	if err != nil || len(losses) != 1 {
		t.Fatalf("lost %v, %v", losses, err)
	}
	if l := losses[0]; l.Off != name.Off()+2 || l.Len != 6 {
		t.Errorf("lost %d bytes at %d, want 6 at %d", l.Len, l.Off, name.Off()+2)
	}
	if n := got.Objects[0].Instances[0].Name; n != "a\uFFFDc\uFFFDef" {
		t.Errorf("the name is %q", n)
	}
}

// TestUnnamedNameOffset checks that decoding refuses a NameOffset above ByteLength, even if the instance has no
// name.
func TestUnnamedNameOffset(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		offset int64
		err    error
	}{{0, nil}, {32, nil}, {33, layout.ErrBounds}, {40, layout.ErrBounds}} {
		d := sampleBlock()
		d.Objects[0].Instances[1] = builder.Instance{ByteLength: 32, Values: []uint64{1, 2}}
		b, err := d.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		setField(t, b, "object[0].instance[1].NameOffset", test.offset)
		if err := new(builder.DataBlock).UnmarshalBinary(b); !errors.Is(err, test.err) {
			t.Errorf("NameOffset %d: %v, want %v", test.offset, err, test.err)
		}
	}
}

// TestNULInsideName checks that decoding keeps the part of a name before a NUL, in UTF-16 and in
// a code page.
func TestNULInsideName(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		codePage uint32
		name     string // the bytes of the name, without the NUL at the end
		left     string
	}{
		{0, "a\x00\x00\x00b\x00", "a"},
		{0, "\x00\x00a\x00b\x00", ""},
		{1252, "a\x00b", "a"},
		{1252, "\x00ab", ""},
		{1252, "ab\x00", "ab"},
	} {
		o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Instance("abc", 7)
		o.CodePage = test.codePage
		b, err := o.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		copy(b[64+40+24:], test.name)
		var objects builder.Objects
		losses, err := objects.UnmarshalLossy(b)
		if err != nil || len(losses) != 1 || losses[0].Path.String() != "object[0].instance[0].Name" || objects[0].Instances[0].Name != test.left {
			t.Errorf("%q of code page %d: %+v, %v, %v; want %q", test.name, test.codePage, objects, losses, err, test.left)
		}
	}
}

// TestNameOfOnlyItsNUL checks that decoding an empty name with a NUL returns ErrUnkept. Encoding writes an empty
// name without a NUL.
func TestNameOfOnlyItsNUL(t *testing.T) {
	t.Parallel()
	for _, codePage := range []uint32{0, 1252} {
		o := builder.NewObject(2).Instance("a")
		o.CodePage = codePage
		b, err := o.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		unit := uint32(2)
		if codePage != 0 {
			unit = 1
		}
		b[64+20] = byte(unit) // NameLength
		clear(b[64+24 : 64+24+unit])
		var objects builder.Objects
		if err := objects.UnmarshalBinary(b); !errors.Is(err, builder.ErrUnkept) {
			t.Errorf("code page %d: %v", codePage, err)
		}
	}
}

// TestInstanceNames checks the encoded name, the lengths and the padding of an instance.
func TestInstanceNames(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name                   string
		codePage               uint32
		nameOffset, byteLength uint32 // the NameOffset and ByteLength of the model
		offset, length, total  uint32 // the expected NameOffset, NameLength and ByteLength
		raw                    string // the expected bytes of the name, NUL included
		reason                 string
	}{
		{"", 0, 0, 0, 0, 0, 24, "", "NameOffset of an unnamed instance is 0"},
		{"", 0, 24, 0, 24, 0, 24, "", "NameOffset of an unnamed instance may be the end of its definition"},
		{"a", 0, 0, 0, 24, 4, 32, "a\x00\x00\x00", "4 bytes of name leave 4 of padding"},
		{"ab", 0, 0, 0, 24, 6, 32, "a\x00b\x00\x00\x00", "6 leave 2"},
		{"abc", 0, 0, 0, 24, 8, 32, "a\x00b\x00c\x00\x00\x00", "8 leave none"},
		{"abcd", 0, 0, 0, 24, 10, 40, "a\x00b\x00c\x00d\x00\x00\x00", "10 leave 6"},
		{"Ā", 0, 0, 0, 24, 4, 32, "\x00\x01\x00\x00", "U+0100 has a zero byte, which is not a NUL"},
		{"𝄞", 0, 0, 0, 24, 6, 32, "\x34\xd8\x1e\xdd\x00\x00", "a character beyond the basic plane is two units"},
		{"\uFEFFx", 0, 0, 0, 24, 6, 32, "\xff\xfex\x00\x00\x00", "U+FEFF is a character of the name and not a byte order mark"},
		{"\uFFFE", 0, 0, 0, 24, 4, 32, "\xfe\xff\x00\x00", "U+FFFE does not change the byte order"},
		{"\uFFFD", 0, 0, 0, 24, 4, 32, "\xfd\xff\x00\x00", "U+FFFD is encoded like any other character"},
		{"\xe4\xff", 1252, 0, 0, 24, 3, 32, "\xe4\xff\x00", "a name in a code page is copied, with a NUL of 1 byte"},
		{"abcdefg", 1252, 0, 0, 24, 8, 32, "abcdefg\x00", "8 bytes of a name in a code page leave no padding"},
		{"abcdefgh", 1252, 0, 0, 24, 9, 40, "abcdefgh\x00", "9 bytes of a name in a code page leave 7 of padding"},
		{"a", 0, 28, 0, 28, 4, 32, "a\x00\x00\x00", "a NameOffset that is given is kept"},
		{"a", 0, 0, 56, 24, 4, 56, "a\x00\x00\x00", "a ByteLength that is given is kept"},
		{strings.Repeat("x", 2000), 0, 0, 0, 24, 4002, 4032, strings.Repeat("x\x00", 2000) + "\x00\x00", "a name may be long: no document of V1 has a limit"},
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

// TestByteLengthTooShort checks the error for a ByteLength that is too short. The error must contain the smallest
// valid ByteLength.
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

// TestWrongBlockLength decodes counter blocks of instances whose length no model can have, although all values are
// inside the blocks.
func TestWrongBlockLength(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		o      *builder.Object
		damage func([]byte) []byte
		err    error
	}{
		{"12 bytes, which is not a multiple of 8", builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Instance("a", 1).Instance("b", 2),
			inOrder(insert(184, 4, 0, 176), insert(144, 4, 0, 136)), layout.ErrAlign},
		{"24 bytes, although some readers read the DWORD after the multi counter", builder.NewObject(2).Define(
			builder.Counter{CounterType: layout.PERF_COUNTER_MULTI_TIMER, CounterOffset: 16}, builder.Counter{CounterType: layout.PERF_COUNTER_MULTI_BASE, CounterOffset: 8}).Instance("a", 1, 2),
			insert(200, -8, 0, 176), layout.ErrBounds},
	} {
		b, err := test.o.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		err = new(builder.Objects).UnmarshalBinary(test.damage(b))
		if e, ok := errors.AsType[*layout.Error](err); !ok || !errors.Is(err, test.err) || e.Path.String() != "object[0].instance[0].block.ByteLength" {
			t.Errorf("%s: %v, want %v", test.reason, err, test.err)
		}
	}
}

// TestGapBeforeName decodes names that do not follow the definition. The bytes between are not 0.
func TestGapBeforeName(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		damage func([]byte) []byte
		paths  []string
		name   string
	}{
		{"only the gap", putDWORD(104+24, 'a'<<16|'x'), []string{"object[0].instance[0].gap"}, "abcde"},
		{"the name has two NULs, so that the bytes from the gap to the first NUL could be its name", inOrder(putDWORD(104+24, 'a'<<16|'x'), putDWORD(104+34, 0)),
			[]string{"object[0].instance[0].Name", "object[0].instance[0].gap"}, "abcd"},
	} {
		o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Add(builder.Instance{Name: "abcde", NameOffset: 26, Values: []uint64{7}})
		b, err := o.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var got builder.Objects
		losses, err := got.UnmarshalLossy(test.damage(b))
		if err != nil {
			t.Errorf("%s: %v", test.reason, err)
			continue
		}
		var paths []string
		for _, l := range losses {
			paths = append(paths, l.Path.String())
		}
		if name := got[0].Instances[0].Name; !slices.Equal(paths, test.paths) || name != test.name {
			t.Errorf("%s: the name is %q, lost %v", test.reason, name, losses)
		}
	}
}

// TestSharedValuesAreBounded checks the limit for the number of values if all 1,000 counters of an object share 4 bytes.
// Two such objects exceed the limit, one does not.
func TestSharedValuesAreBounded(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).Define(slices.Repeat([]builder.Counter{{CounterType: layout.PERF_COUNTER_RAWCOUNT, CounterOffset: 4}}, 1000)...)
	for i := range 105 {
		o.Instance("name "+strconv.Itoa(i), make([]uint64, 1000)...)
	}
	for n, want := range []error{nil, nil, builder.ErrTooLarge} {
		b, err := builder.Objects(slices.Repeat([]builder.Object{*o}, n)).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if err := new(builder.Objects).UnmarshalBinary(b); !errors.Is(err, want) {
			t.Errorf("%d objects with 105,000 values, in %d bytes: %v, want %v", n, len(b), err, want)
		}
	}
}
