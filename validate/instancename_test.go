package validate_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// wide returns UTF-16 code units as bytes.
func wide(units ...uint16) string {
	var b []byte
	for _, u := range units {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

// text returns s in UTF-16. It adds no terminator.
func text(s string) string { return wide(utf16.Encode([]rune(s))...) }

// objectWithName returns an object with one instance. It adds no terminator to the name, but zeros
// follow the name.
func objectWithName(t *testing.T, codePage, offset uint32, name string) []byte {
	t.Helper()
	o := builder.Object{ObjectNameTitleIndex: 4000}
	o.Counter(4002, layout.PERF_COUNTER_COUNTER)
	o.Instance("", 1)
	o.Instances[0].UniqueID = new(int32(7))
	o.Instances[0].NameOffset = 24
	o.Instances[0].ByteLength = 4096
	b, err := builder.Objects{o}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	const at = 64 + 40
	copy(b[at+offset:], name)
	setField(t, b, "CodePage", codePage)
	setField(t, b, "instance[0].NameOffset", offset)
	setField(t, b, "instance[0].NameLength", uint32(len(name)))
	return b
}

// setField writes n into a field of the first object.
func setField(t *testing.T, b []byte, path string, n uint32) {
	t.Helper()
	at, err := layout.ParsePath("object[0]." + path)
	if err != nil {
		t.Fatal(err)
	}
	part, err := layout.Find(layout.ObjectsKind, b, at)
	if err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint32(part.Bytes(), n)
}

// instanceFindings returns the names of the rules of the findings, without the prefix inst-. It skips
// rules without this prefix. For a finding in an instance name, its distance from nameStart and its
// length follow: "name-utf16 2+2".
func instanceFindings(b []byte, nameStart int64) []string {
	var list []string
	for _, f := range validate.Bytes(layout.ObjectsKind, b, validate.Context{}).Findings {
		rule, found := strings.CutPrefix(f.Rule.Name, "inst-")
		if !found {
			continue
		}
		if strings.HasSuffix(f.Path.String(), ".Name") {
			rule += fmt.Sprintf(" %d+%d", f.Off-nameStart, f.Len)
		}
		list = append(list, rule)
	}
	return list
}

// TestInstanceNames checks the characters, the terminator and the length of names.
func TestInstanceNames(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason   string
		codePage uint32
		offset   uint32 // NameOffset; 0 means 24
		name     string
		want     string // findings, joined by commas
	}{
		{reason: "ASCII letters are valid", name: text("eth0\x00")},
		{reason: "a surrogate pair is valid", name: text("𝄞\x00")},
		{reason: "the first surrogate pair is valid", name: wide(0xD800, 0xDC00, 0)},
		{reason: "the last surrogate pair is valid, although it is not an assigned character", name: wide(0xDBFF, 0xDFFF, 0)},
		{reason: "the characters before and after the surrogates are valid", name: wide(0xD7FF, 0xE000, 0xFFFD, 0)},
		{reason: "an unpaired surrogate is at the end", name: wide('a', 0xD834, 0), want: "name-utf16 2+2"},
		{reason: "the first of two unpaired surrogates is reported", name: wide(0xDD1E, 0xD834, 'a', 0xD800, 0), want: "name-utf16 0+2"},
		{reason: "an unpaired surrogate precedes a pair", name: wide(0xD834, 0xD834, 0xDD1E, 0), want: "name-utf16 0+2"},
		{reason: "an unpaired surrogate follows a pair", name: wide(0xD834, 0xDD1E, 0xDFFF, 0), want: "name-utf16 4+2"},
		{reason: "an unpaired surrogate ends a name without a NUL", name: wide('a', 0xDBFF), want: "name-terminated 2+2,name-utf16 2+2"},
		{reason: "U+FFFE is not a character", name: wide('a', 0xFFFE, 0), want: "name-utf16 2+2"},
		{reason: "the first of U+FFFF and U+FFFE is reported", name: wide(0xFFFF, 0xFFFE, 0), want: "name-utf16 0+2"},
		{reason: "U+FFFF is not a character", name: wide('a', 0xFFFF, 0), want: "name-utf16 2+2"},

		{reason: "a number follows #", name: text("a#1\x00"), want: "name-special 2+4"},
		{reason: "a # without a number is valid", name: text("a#\x00")},
		{reason: "# and a number are valid before the end", name: text("#1a\x00")},
		{reason: "# and a number are valid before another #", name: text("#1#\x00")},
		{reason: "the last of two # starts the suffix", name: text("##10\x00"), want: "name-special 2+6"},
		{reason: "#0 is reported, because PDH reads this suffix", name: text("#0\x00"), want: "name-special 0+4"},
		{reason: "the suffix may have the digits 0 and 9", name: text("#90\x00"), want: "name-special 0+6"},
		{reason: "the slash, which precedes the digit 0, is not a digit", name: text("#/\x00"), want: "name-special 2+2"},
		{reason: "the colon, which follows the digit 9, is not a digit", name: text("#1:\x00")},
		{reason: "digits without # are valid", name: text("09\x00")},
		{reason: "a # suffix is not at the end, and a parenthesis is reported", name: text("#1(\x00"), want: "name-special 4+2"},
		{reason: "a parenthesis precedes a # suffix and is reported", name: text("(#1\x00"), want: "name-special 0+2"},
		{reason: "a backslash is reported", name: text("a\\\x00"), want: "name-special 2+2"},
		{reason: "a closing parenthesis is reported", name: text("a)\x00"), want: "name-special 2+2"},
		{reason: "a star is reported", name: text("a*\x00"), want: "name-special 2+2"},
		{reason: "the neighbours of all special characters are valid", name: text("'+.[]!\"a\x00")},
		{reason: "characters that have a byte of a special character are valid", name: wide(0x128, 0x2800, 0x12A, 0x5C5C, 0)},
		{reason: "a parenthesis follows a NUL", name: text("a\x00(\x00"), want: "name-padding-counted 2+4,name-special 4+2"},
		{reason: "a # suffix precedes two NULs", name: text("a#1\x00\x00"), want: "name-special 2+6,name-padding-counted 6+2"},

		{reason: "the first control character is reported", name: text("a\x01b\x00"), want: "name-control 2+2"},
		{reason: "the first of two control characters is reported", name: text("a\x1F\x01 \x00"), want: "name-control 2+2"},
		{reason: "a space inside a name is valid", name: text("a b\x00")},
		{reason: "DEL and U+0080 are valid", name: text("\x7F\u0080\x00")},
		{reason: "a space at the start is reported", name: text(" a\x00"), want: "name-control 0+2"},
		{reason: "a space at the end is reported", name: text("ab \x00"), want: "name-control 4+2"},
		{reason: "two spaces and a control character are one finding", name: text(" \x01 \x00"), want: "name-control 0+2"},
		{reason: "a name of one space has one finding", name: text(" \x00"), want: "name-control 0+2"},
		{reason: "spaces other than U+0020 are valid", name: text("\u00A0a\u2000\x00")},
		{reason: "a space before two NULs is the last character", name: text("a \x00\x00"), want: "name-control 2+2,name-padding-counted 4+2"},
		{reason: "a space after a NUL is the first character", name: text("\x00 a\x00"), want: "name-padding-counted 0+6,name-control 2+2"},

		{reason: "a NUL is inside the name", name: text("a\x00bc\x00"), want: "name-padding-counted 2+6"},
		{reason: "a name of two NULs is not empty", name: text("\x00\x00"), want: "name-padding-counted 0+2"},
		{reason: "U+0100 has a zero byte but is not a NUL", name: wide(0x100, 0x41, 0)},
		{reason: "the name is empty", name: text("\x00"), want: "name-empty"},
		{reason: "the name has no NUL", name: text("a"), want: "name-terminated 0+2"},
		{reason: "the name has a NUL, but not at the end", name: text("a\x00b"), want: "name-terminated 4+2"},
		{reason: "the name ends in U+0100", name: wide('a', 0x100), want: "name-terminated 2+2"},
		{reason: "the name ends in U+0001", name: wide('a', 0x1), want: "name-terminated 2+2,name-control 2+2"},
		{reason: "a name that ends in half a character has no other finding at the end", name: text("(\x00")[:3], want: "name-special 0+2,name-length-even"},
		{reason: "the name has one byte", name: "(", want: "name-length-even"},
		{reason: "one byte follows the NUL", name: text("a\x00") + "(", want: "name-length-even"},

		{reason: "NameOffset is odd", offset: 25, name: text("a\x00"), want: "name-offset-even"},
		{reason: "NameOffset is even but larger than 24", offset: 26, name: text("a\x00"), want: "name-offset-gap"},
		{reason: "NameOffset of a name in a code page may be odd", codePage: 1252, offset: 25, name: "a\x00", want: "name-codepage,name-offset-gap"},
		{reason: "NameOffset of a name in a code page is larger than 24", codePage: 1252, offset: 26, name: "a\x00", want: "name-codepage,name-offset-gap"},
		{reason: "NameOffset is inside the structure", offset: 23, name: text("a\x00"), want: "name-offset-min"},

		{reason: "the characters of a name in a code page are not checked", codePage: 1252, name: "( #1 \x01\xFE\xFF\x00", want: "name-codepage"},
		{reason: "a name in a code page has an odd number of bytes", codePage: 65001, name: "ab\x00", want: "name-codepage"},
		{reason: "a NUL is inside a name in a code page", codePage: 437, name: "a\x00b\x00", want: "name-codepage,name-padding-counted 1+2"},
		{reason: "a name in a code page is empty", codePage: 1252, name: "\x00", want: "name-codepage,name-empty"},
		{reason: "a name in a code page has no NUL", codePage: 1252, name: "ab", want: "name-codepage,name-terminated 1+1"},
		{reason: "another rule reports CodePage 1200", codePage: 1200, name: text("eth0\x00")},
		{reason: "another rule reports CodePage 7", codePage: 7, name: text("eth0\x00")},

		{reason: "every reader accepts a name of 255 characters", name: text(strings.Repeat("x", 255) + "\x00")},
		{reason: "the name has 256 characters", name: text(strings.Repeat("x", 256) + "\x00"), want: "name-over-255 510+2"},
		{reason: "PDH accepts a name of 1023 characters", name: text(strings.Repeat("x", 1023) + "\x00"), want: "name-over-255 510+1536"},
		{reason: "the name has 1024 characters", name: text(strings.Repeat("x", 1024) + "\x00"), want: "name-long 2046+2"},
		{reason: "a surrogate pair counts as two characters", name: text(strings.Repeat("𝄞", 128) + "\x00"), want: "name-over-255 510+2"},
		{reason: "NULs are not counted", name: text("a" + strings.Repeat("\x00", 1100)), want: "name-padding-counted 2+2198"},
		{reason: "U+0100 counts as a character, though it has a zero byte", name: strings.Repeat(wide(0x100), 256) + wide(0), want: "name-over-255 510+2"},
		{reason: "half a character is not counted", name: text(strings.Repeat("x", 255)) + "x", want: "name-length-even"},
		{reason: "the name has 256 characters and no NUL", name: text(strings.Repeat("x", 256)), want: "name-terminated 510+2,name-over-255 510+2"},
		{reason: "a name in a code page has 255 bytes", codePage: 1252, name: strings.Repeat("x", 255) + "\x00", want: "name-codepage"},
		{reason: "a name in a code page has 256 bytes", codePage: 1252, name: strings.Repeat("x", 256) + "\x00", want: "name-codepage,name-over-255 255+1"},
		{reason: "a name in a code page has 255 bytes and two NULs", codePage: 1252, name: strings.Repeat("x", 255) + "\x00\x00", want: "name-codepage,name-padding-counted 255+1"},
		{reason: "a name in a code page has 1023 bytes", codePage: 1252, name: strings.Repeat("x", 1023) + "\x00", want: "name-codepage,name-over-255 255+768"},
		{reason: "a name in a code page has 1024 bytes", codePage: 1252, name: strings.Repeat("x", 1024) + "\x00", want: "name-codepage,name-long 1023+1"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			if test.offset == 0 {
				test.offset = 24
			}
			got := instanceFindings(objectWithName(t, test.codePage, test.offset, test.name), 64+40+int64(test.offset))
			want := strings.FieldsFunc(test.want, func(r rune) bool { return r == ',' })
			slices.Sort(got)
			slices.Sort(want)
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestInstanceLengths checks ByteLength, NameOffset and NameLength of the second of two
// instances.
func TestInstanceLengths(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		fields map[string]uint32
		want   []string
	}{
		{"the lengths are right", nil, nil},
		{"ByteLength leaves 4 bytes for the counter block", map[string]uint32{"ByteLength": 44}, []string{"length-align"}},
		{"ByteLength leaves 3 bytes for the counter block", map[string]uint32{"ByteLength": 45}, []string{"length-bound"}},
		{"ByteLength is that of the structure", map[string]uint32{"ByteLength": 24, "NameLength": 0}, []string{"unnamed"}},
		{"ByteLength is less than the structure", map[string]uint32{"ByteLength": 23, "NameLength": 0}, []string{"length-min"}},
		{"the name ends with the instance", map[string]uint32{"NameOffset": 30}, []string{"name-offset-gap", "padding-zero", "name-padding-counted 8+6"}},
		{"the name ends one byte after the instance", map[string]uint32{"NameOffset": 31}, []string{"name-range"}},
		{"NameOffset is the end of the instance, and there is no name", map[string]uint32{"NameOffset": 40, "NameLength": 0}, []string{"unnamed", "padding-zero"}},
		{"NameOffset is after the instance, and there is no name", map[string]uint32{"NameOffset": 41, "NameLength": 0}, []string{"name-range", "unnamed"}},
		{"there is no name, and NameOffset is 0", map[string]uint32{"NameOffset": 0, "NameLength": 0}, []string{"unnamed", "padding-zero"}},
		{"there is no name, and UniqueID is -2", map[string]uint32{"NameOffset": 0, "NameLength": 0, "UniqueID": 1<<32 - 2}, []string{"unique-id-mixed", "padding-zero"}},
		{"there is no name, and NameOffset is odd", map[string]uint32{"NameOffset": 25, "NameLength": 0, "UniqueID": 0}, []string{"unique-id-mixed", "padding-zero"}},
		{"the sum of NameOffset and NameLength exceeds 32 bits", map[string]uint32{"NameOffset": 1<<32 - 8, "NameLength": 16}, []string{"name-range"}},
		{"ByteLength is negative as an int32", map[string]uint32{"ByteLength": 1<<32 - 8}, []string{"length-bound"}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			b := twoInstances(t, 0)
			for field, n := range test.fields {
				at := 64 + 40 + 48 + layout.PERF_INSTANCE_DEFINITION.Field(field).At
				binary.LittleEndian.PutUint32(b[at:], n)
			}
			if diff := cmp.Diff(test.want, instanceFindings(b, 64+40+48+24)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestInstanceTruncated checks the finding for an instance if too few bytes are left for its
// definition.
func TestInstanceTruncated(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		left uint32 // bytes left for the second instance
		want []string
	}{
		{24, []string{"length-bound"}}, // enough for a ByteLength
		{23, []string{"truncated"}},
		{0, []string{"truncated"}},
	} {
		b := twoInstances(t, 0)
		setField(t, b, "instance[1].ByteLength", 1<<31) // so that the block's length cannot be corrected
		setField(t, b, "instance[0].block.ByteLength", 8+48-test.left)
		copy(b[64+40+48+48-24:], "\x18\x00\x00\x00") // a ByteLength of 24
		if diff := cmp.Diff(test.want, instanceFindings(b, 0)); diff != "" {
			t.Errorf("%d bytes are left (-want +got):\n%s", test.left, diff)
		}
	}
}

// TestCodePageIsReportedOnce checks that an object whose names are in a code page has one finding,
// however many names it has. An object without names has no finding.
func TestCodePageIsReportedOnce(t *testing.T) {
	t.Parallel()
	named, unnamed := twoInstances(t, 1252), twoInstances(t, 1252)
	for _, in := range []string{"instance[0]", "instance[1]"} {
		setField(t, unnamed, in+".NameLength", 0)
		setField(t, unnamed, in+".UniqueID", 7)
	}
	second := slices.Clone(named)
	setField(t, second, "instance[0].NameLength", 0)
	var got []string
	for _, f := range validate.Bytes(layout.ObjectsKind, slices.Concat(named, unnamed, second), validate.Context{}).Findings {
		if f.Rule.Name == "inst-name-codepage" {
			got = append(got, f.Path.String())
		}
	}
	if diff := cmp.Diff([]string{"object[0].CodePage", "object[2].CodePage"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// twoInstances returns an object with two instances of 40 bytes. Each name has 4 characters and a NUL,
// and each counter block has 8 bytes.
func twoInstances(t *testing.T, codePage uint32) []byte {
	t.Helper()
	o := builder.Object{ObjectNameTitleIndex: 4000, CodePage: codePage}
	o.Counter(4002, layout.PERF_COUNTER_COUNTER)
	for _, name := range []string{"eth0", "eth1"} {
		o.Instances = append(o.Instances, builder.Instance{Name: name, ByteLength: 40, Values: []uint64{8}})
	}
	b, err := builder.Objects{o}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestNameEnds checks names of 1 to 255 letters in UTF-16 and in code pages. A missing NUL must be
// reported at the end of the name.
func TestNameEnds(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 255; n++ {
		letters := strings.Repeat("x", n)
		for _, tt := range []struct {
			reason   string
			codePage uint32
			name     string
			want     []string
		}{
			{"a name in UTF-16 has its NUL", 0, text(letters + "\x00"), nil},
			{"a name in UTF-16 has no NUL", 0, text(letters), []string{fmt.Sprintf("name-terminated %d+2", 2*n-2)}},
			{"a name in UTF-16 ends in U+4100", 0, text(letters[1:]) + "\x00\x41", []string{fmt.Sprintf("name-terminated %d+2", 2*n-2)}},
			{"a name in a code page has its NUL", 1252, letters + "\x00", []string{"name-codepage"}},
			{"a name in a code page has no NUL", 1252, letters, []string{"name-codepage", fmt.Sprintf("name-terminated %d+1", n-1)}},
			{"a name in a code page ends in 0xFF", 65001, letters[1:] + "\xFF", []string{"name-codepage", fmt.Sprintf("name-terminated %d+1", n-1)}},
		} {
			got := instanceFindings(objectWithName(t, tt.codePage, 24, tt.name), 64+40+24)
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s, %d letters: %q, want %q", tt.reason, n, got, tt.want)
			}
		}
	}
}

// TestNameFillsItsInstance checks names that end where their instance ends. A missing NUL must be
// reported even if no padding follows the name.
func TestNameFillsItsInstance(t *testing.T) {
	t.Parallel()
	for n := 8; n <= 256; n += 8 {
		for _, tt := range []struct {
			reason   string
			codePage uint32
			name     string
			want     []string
		}{
			{"a name in UTF-16 has its NUL", 0, text(strings.Repeat("x", n/2-1) + "\x00"), nil},
			{"a name in UTF-16 has no NUL", 0, text(strings.Repeat("x", n/2)), []string{fmt.Sprintf("name-terminated %d+2", n-2)}},
			{"a name in a code page has its NUL", 1252, strings.Repeat("x", n-1) + "\x00", []string{"name-codepage"}},
			{"a name in a code page has no NUL", 1252, strings.Repeat("x", n), []string{"name-codepage", fmt.Sprintf("name-terminated %d+1", n-1)}},
		} {
			if n == 256 && tt.codePage != 0 && len(tt.want) > 1 {
				continue // the name is too long as well
			}
			b := objectWithName(t, tt.codePage, 24, tt.name)
			end := 64 + 40 + 24 + n
			end += copy(b[end:], b[64+40+4096:])
			setField(t, b, "instance[0].ByteLength", uint32(24+n))
			setField(t, b, "TotalByteLength", uint32(end))
			b = b[:end]
			got := instanceFindings(b, 64+40+24)
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s, %d bytes: %q, want %q", tt.reason, n, got, tt.want)
			}
		}
	}
}

// TestNamePlace checks the findings about a NameOffset or a NameLength that is out of range. The text of the name is at
// 24 and has 4 bytes.
func TestNamePlace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason  string
		patches []string
		want    string
	}{
		{"NameOffset is inside the structure", []string{"NameOffset: 8"}, "NameOffset is 8, must be 24, the offset after the structure"},
		{"NameOffset and NameLength are wrong", []string{"NameOffset: 8", "NameLength: 6"}, "NameOffset is 8, must be at least 24, the offset after the structure"},
		{"the name ends after the instance", []string{"NameOffset: 30"}, "NameOffset is 30, must be 24, the offset after the structure"},
		{"the name ends after the instance, and NameLength is wrong", []string{"NameOffset: 30", "NameLength: 6"}, "NameOffset is 30, must be 24 to 26, so that the 6 bytes of the name are inside the instance"},
		{"NameOffset is after the instance, and NameLength has no space", []string{"NameOffset: 33", "NameLength: 16"}, "NameOffset is 33, must be at most 32, the ByteLength"},
		{"NameLength is too large", []string{"NameLength: 10"}, "NameLength is 10, must be 4, the number of bytes up to and including the first NUL"},
		{"NameLength is too large, and there is no NUL", []string{"NameLength: 10", "NameOffset: 24", "padding: {hex: '62 00 63 00'}", "Name: {hex: '61 00 61 00'}"}, "NameLength is 10, must be at most 8, the number of bytes from NameOffset to ByteLength"},
	} {
		text := multiSpec + "patches:\n"
		for _, patch := range tt.patches {
			text += "  - object[0].instance[0]." + patch + "\n"
		}
		kind, b := specBlock(t, "", []byte(text))
		findings := validate.Bytes(kind, b, validate.Context{}).Findings
		if len(findings) != 1 || findings[0].Message() != tt.want {
			t.Errorf("%s: %v, want %s", tt.reason, findings, tt.want)
		}
	}
	const noName = emptySpec + "    instances: [{UniqueID: 5, values: [1, 2]}]\npatches:\n  - object[0].instance[0]."
	const padded = emptySpec + "    instances: [{UniqueID: 5, ByteLength: 40, NameOffset: 24, values: [1, 2]}]\npatches:\n  - object[0].instance[0]."
	for _, tt := range []struct{ reason, text, want string }{
		{"NameOffset is after an instance without a name", noName + "NameOffset: 33\n", "NameOffset is 33, must be at most 24, the ByteLength"},
		{"the NUL is padding of an instance without a name", padded + "NameLength: 760\n", "NameLength is 760, must be at most 16, the number of bytes from NameOffset to ByteLength"},
		{"NameLength and NameOffset could be those of padding", padded + "NameOffset: 39\n  - object[0].instance[0].NameLength: 2\n", "NameOffset is 39, must be 24 to 38, so that the 2 bytes of the name are inside the instance"},
		{"the code page is unknown", multiSpec + "patches:\n  - object[0].CodePage: 1200\n  - object[0].instance[0].NameLength: 100\n", "NameLength is 100, must be at most 8, the number of bytes from NameOffset to ByteLength"},
	} {
		kind, b := specBlock(t, "", []byte(tt.text))
		findings := slices.DeleteFunc(validate.Bytes(kind, b, validate.Context{}).Findings, func(f validate.Finding) bool { return f.Rule.Name != "inst-name-range" })
		if len(findings) != 1 || findings[0].Message() != tt.want {
			t.Errorf("%s: %v, want %s", tt.reason, findings, tt.want)
		}
	}
}
