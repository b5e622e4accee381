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

// wide returns the characters as UTF-16. \x00 is the NUL.
func wide(units ...uint16) string {
	var b []byte
	for _, u := range units {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

func text(s string) string { return wide(utf16.Encode([]rune(s))...) }

// objectWithName returns an object with one instance. name includes the terminator, and zeros
// follow it.
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

// instanceFindings returns the findings of instances: the rule and, for a name, the offset and
// length inside the name.
func instanceFindings(b []byte, from int64) []string {
	var list []string
	for _, f := range validate.Bytes(layout.ObjectsKind, b, validate.Context{}).Findings {
		rule, of := strings.CutPrefix(f.Rule.Name, "inst-")
		if !of {
			continue
		}
		if strings.HasSuffix(f.Path.String(), ".Name") {
			rule += fmt.Sprintf(" %d+%d", f.Off-from, f.Len)
		}
		list = append(list, rule)
	}
	return list
}

func TestInstanceNames(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason   string
		codePage uint32
		offset   uint32 // 24 if 0
		name     string
		want     string // findings, joined by commas
	}{
		{reason: "plain", name: text("eth0\x00")},
		{reason: "a pair is a character", name: text("𝄞\x00")},
		{reason: "the first pair", name: wide(0xD800, 0xDC00, 0)},
		{reason: "the last pair, which no one may use but which is no surrogate", name: wide(0xDBFF, 0xDFFF, 0)},
		{reason: "before and after the surrogates", name: wide(0xD7FF, 0xE000, 0xFFFD, 0)},
		{reason: "half a pair at the end", name: wide('a', 0xD834, 0), want: "name-utf16 2+2"},
		{reason: "the wrong half first, and only once", name: wide(0xDD1E, 0xD834, 'a', 0xD800, 0), want: "name-utf16 0+2"},
		{reason: "a half before a pair", name: wide(0xD834, 0xD834, 0xDD1E, 0), want: "name-utf16 0+2"},
		{reason: "half a pair after a pair", name: wide(0xD834, 0xDD1E, 0xDFFF, 0), want: "name-utf16 4+2"},
		{reason: "a half at the end of what has no NUL", name: wide('a', 0xDBFF), want: "name-terminated 2+2,name-utf16 2+2"},
		{reason: "a byte order mark the wrong way round", name: wide('a', 0xFFFE, 0), want: "name-utf16 2+2"},
		{reason: "two that are no characters, and only once", name: wide(0xFFFF, 0xFFFE, 0), want: "name-utf16 0+2"},
		{reason: "no character", name: wide('a', 0xFFFF, 0), want: "name-utf16 2+2"},

		{reason: "a number after #", name: text("a#1\x00"), want: "name-special 2+4"},
		{reason: "# alone, which is in no path", name: text("a#\x00")},
		{reason: "# and a number inside", name: text("#1a\x00")},
		{reason: "# after the number", name: text("#1#\x00")},
		{reason: "two #, of which the last counts", name: text("##10\x00"), want: "name-special 2+6"},
		{reason: "PDH writes no 0, and reads it", name: text("#0\x00"), want: "name-special 0+4"},
		{reason: "the digits 0 and 9", name: text("#90\x00"), want: "name-special 0+6"},
		{reason: "what stands beside the digits", name: text("#/\x00"), want: "name-special 2+2"},
		{reason: "what stands beside the digits", name: text("#1:\x00")},
		{reason: "digits alone", name: text("09\x00")},
		{reason: "both, and the first said", name: text("#1(\x00"), want: "name-special 4+2"},
		{reason: "both, and the first said", name: text("(#1\x00"), want: "name-special 0+2"},
		{reason: "a backslash", name: text("a\\\x00"), want: "name-special 2+2"},
		{reason: "a closing parenthesis", name: text("a)\x00"), want: "name-special 2+2"},
		{reason: "a star", name: text("a*\x00"), want: "name-special 2+2"},
		{reason: "the neighbours of all of them", name: text("'+.[]!\"a\x00")},
		{reason: "characters that have a byte of one of them", name: wide(0x128, 0x2800, 0x12A, 0x5C5C, 0)},
		{reason: "after a NUL too", name: text("a\x00(\x00"), want: "name-padding-counted 2+4,name-special 4+2"},
		{reason: "the number ends where NULs begin", name: text("a#1\x00\x00"), want: "name-special 2+6,name-padding-counted 6+2"},

		{reason: "the first control character", name: text("a\x01b\x00"), want: "name-control 2+2"},
		{reason: "the last, and only once", name: text("a\x1F\x01 \x00"), want: "name-control 2+2"},
		{reason: "a space inside", name: text("a b\x00")},
		{reason: "DEL and what follows, which are shown", name: text("\x7F\u0080\x00")},
		{reason: "a space at the start", name: text(" a\x00"), want: "name-control 0+2"},
		{reason: "a space at the end", name: text("ab \x00"), want: "name-control 4+2"},
		{reason: "a space and more, once", name: text(" \x01 \x00"), want: "name-control 0+2"},
		{reason: "a space and nothing else, once", name: text(" \x00"), want: "name-control 0+2"},
		{reason: "spaces that are no U+0020", name: text("\u00A0a\u2000\x00")},
		{reason: "the space is the last character, whatever NULs follow", name: text("a \x00\x00"), want: "name-control 2+2,name-padding-counted 4+2"},
		{reason: "the space is the first character, whatever NULs go before", name: text("\x00 a\x00"), want: "name-padding-counted 0+6,name-control 2+2"},

		{reason: "a NUL inside", name: text("a\x00bc\x00"), want: "name-padding-counted 2+6"},
		{reason: "nothing but NULs is no empty name", name: text("\x00\x00"), want: "name-padding-counted 0+2"},
		{reason: "half a NUL is none", name: wide(0x100, 0x41, 0)},
		{reason: "an empty name", name: text("\x00"), want: "name-empty"},
		{reason: "without a NUL", name: text("a"), want: "name-terminated 0+2"},
		{reason: "without a NUL at the end", name: text("a\x00b"), want: "name-terminated 4+2"},
		{reason: "half a NUL at the end", name: wide('a', 0x100), want: "name-terminated 2+2"},
		{reason: "half a NUL at the end", name: wide('a', 0x1), want: "name-terminated 2+2,name-control 2+2"},
		{reason: "half a character is looked at no further", name: text("(\x00")[:3], want: "name-special 0+2,name-length-even"},
		{reason: "half a character", name: "(", want: "name-length-even"},
		{reason: "half a character more", name: text("a\x00") + "(", want: "name-length-even"},

		{reason: "an odd place", offset: 25, name: text("a\x00"), want: "name-offset-even"},
		{reason: "an even place", offset: 26, name: text("a\x00"), want: "name-offset-gap"},
		{reason: "an odd place, where there is nothing to be askew", codePage: 1252, offset: 25, name: "a\x00", want: "name-codepage,name-offset-gap"},
		{reason: "an even place in a code page", codePage: 1252, offset: 26, name: "a\x00", want: "name-codepage,name-offset-gap"},
		{reason: "a place in the structure", offset: 23, name: text("a\x00"), want: "name-offset-min"},

		{reason: "bytes are not looked into", codePage: 1252, name: "( #1 \x01\xFE\xFF\x00", want: "name-codepage"},
		{reason: "an odd number of bytes", codePage: 65001, name: "ab\x00", want: "name-codepage"},
		{reason: "a NUL among bytes", codePage: 437, name: "a\x00b\x00", want: "name-codepage,name-padding-counted 1+2"},
		{reason: "an empty name of bytes", codePage: 1252, name: "\x00", want: "name-codepage,name-empty"},
		{reason: "bytes without a NUL", codePage: 1252, name: "ab", want: "name-codepage,name-terminated 1+1"},
		{reason: "the number of UTF-16, which is no code page and has its own rule", codePage: 1200, name: text("eth0\x00")},
		{reason: "an unknown number", codePage: 7, name: text("eth0\x00")},

		{reason: "the longest name for all", name: text(strings.Repeat("x", 255) + "\x00")},
		{reason: "the shortest that is too long for some", name: text(strings.Repeat("x", 256) + "\x00"), want: "name-over-255 510+2"},
		{reason: "the longest that PDH has room for", name: text(strings.Repeat("x", 1023) + "\x00"), want: "name-over-255 510+1536"},
		{reason: "one more", name: text(strings.Repeat("x", 1024) + "\x00"), want: "name-long 2046+2"},
		{reason: "pairs count as two", name: text(strings.Repeat("𝄞", 128) + "\x00"), want: "name-over-255 510+2"},
		{reason: "NULs are not counted", name: text("a" + strings.Repeat("\x00", 1100)), want: "name-padding-counted 2+2198"},
		{reason: "half a NUL is counted", name: strings.Repeat(wide(0x100), 256) + wide(0), want: "name-over-255 510+2"},
		{reason: "half a character is not counted", name: text(strings.Repeat("x", 255)) + "x", want: "name-length-even"},
		{reason: "without a NUL", name: text(strings.Repeat("x", 256)), want: "name-terminated 510+2,name-over-255 510+2"},
		{reason: "bytes, as many as all take", codePage: 1252, name: strings.Repeat("x", 255) + "\x00", want: "name-codepage"},
		{reason: "bytes, one more", codePage: 1252, name: strings.Repeat("x", 256) + "\x00", want: "name-codepage,name-over-255 255+1"},
		{reason: "bytes, of which NULs are not counted", codePage: 1252, name: strings.Repeat("x", 255) + "\x00\x00", want: "name-codepage,name-padding-counted 255+1"},
		{reason: "bytes, as many as PDH takes", codePage: 1252, name: strings.Repeat("x", 1023) + "\x00", want: "name-codepage,name-over-255 255+768"},
		{reason: "bytes, one more", codePage: 1252, name: strings.Repeat("x", 1024) + "\x00", want: "name-codepage,name-long 1023+1"},
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

// TestInstanceLengths changes fields of the second of two instances.
func TestInstanceLengths(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		fields map[string]uint32
		want   []string
	}{
		{"as it is", nil, nil},
		{"room for the length of a block and no more", map[string]uint32{"ByteLength": 44}, []string{"length-align"}},
		{"a byte less", map[string]uint32{"ByteLength": 45}, []string{"length-bound"}},
		{"the structure alone", map[string]uint32{"ByteLength": 24, "NameLength": 0}, []string{"unnamed"}},
		{"less", map[string]uint32{"ByteLength": 23, "NameLength": 0}, []string{"length-min"}},
		{"a name to the end", map[string]uint32{"NameOffset": 30}, []string{"name-offset-gap", "padding-zero", "name-padding-counted 8+6"}},
		{"a byte more", map[string]uint32{"NameOffset": 31}, []string{"name-range"}},
		{"an offset to the end and no name", map[string]uint32{"NameOffset": 40, "NameLength": 0}, []string{"unnamed", "padding-zero"}},
		{"an offset after it and no name", map[string]uint32{"NameOffset": 41, "NameLength": 0}, []string{"name-range", "unnamed"}},
		{"no name, and no offset either", map[string]uint32{"NameOffset": 0, "NameLength": 0}, []string{"unnamed", "padding-zero"}},
		{"no name, and any number but -1", map[string]uint32{"NameOffset": 0, "NameLength": 0, "UniqueID": 1<<32 - 2}, []string{"unique-id-mixed", "padding-zero"}},
		{"no name, and an odd offset", map[string]uint32{"NameOffset": 25, "NameLength": 0, "UniqueID": 0}, []string{"unique-id-mixed", "padding-zero"}},
		{"a sum that wraps", map[string]uint32{"NameOffset": 1<<32 - 8, "NameLength": 16}, []string{"name-range"}},
		{"a length that is negative", map[string]uint32{"ByteLength": 1<<32 - 8}, []string{"length-bound"}},
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

// TestInstanceTruncated enlarges the counter block of the first of two instances.
func TestInstanceTruncated(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		left uint32 // for the second
		want []string
	}{
		{24, []string{"length-bound"}}, // reported for the length that is read there
		{23, []string{"truncated"}},
		{0, []string{"truncated"}},
	} {
		b := twoInstances(t, 0)
		setField(t, b, "instance[1].ByteLength", 1<<31) // otherwise the finding would be there
		setField(t, b, "instance[0].block.ByteLength", 8+48-test.left)
		copy(b[64+40+48+48-24:], "\x18\x00\x00\x00") // a ByteLength of 24
		if diff := cmp.Diff(test.want, instanceFindings(b, 0)); diff != "" {
			t.Errorf("%d bytes are left (-want +got):\n%s", test.left, diff)
		}
	}
}

// TestCodePageIsReportedOnce has names in a code page for some instances of two objects.
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

// twoInstances returns an object with two instances of 40 bytes each, with names of 5
// characters, and counter blocks of 8 bytes.
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

// TestNameEnds has names of each length, with a NUL and without. The reported offset depends on
// the length. Whether there is a finding does not.
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
			{"UTF-16 and a NUL", 0, text(letters + "\x00"), nil},
			{"UTF-16", 0, text(letters), []string{fmt.Sprintf("name-terminated %d+2", 2*n-2)}},
			{"UTF-16 and half a NUL", 0, text(letters[1:]) + "\x00\x41", []string{fmt.Sprintf("name-terminated %d+2", 2*n-2)}},
			{"bytes and a NUL", 1252, letters + "\x00", []string{"name-codepage"}},
			{"bytes", 1252, letters, []string{"name-codepage", fmt.Sprintf("name-terminated %d+1", n-1)}},
			{"bytes, the last as large as can be", 65001, letters[1:] + "\xFF", []string{"name-codepage", fmt.Sprintf("name-terminated %d+1", n-1)}},
		} {
			got := instanceFindings(objectWithName(t, tt.codePage, 24, tt.name), 64+40+24)
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s, %d letters: %q, want %q", tt.reason, n, got, tt.want)
			}
		}
	}
}

// TestNameFillsItsInstance has names that end at the last byte of ByteLength.
func TestNameFillsItsInstance(t *testing.T) {
	t.Parallel()
	for n := 8; n <= 256; n += 8 {
		for _, tt := range []struct {
			reason   string
			codePage uint32
			name     string
			want     []string
		}{
			{"UTF-16 and a NUL", 0, text(strings.Repeat("x", n/2-1) + "\x00"), nil},
			{"UTF-16", 0, text(strings.Repeat("x", n/2)), []string{fmt.Sprintf("name-terminated %d+2", n-2)}},
			{"bytes and a NUL", 1252, strings.Repeat("x", n-1) + "\x00", []string{"name-codepage"}},
			{"bytes", 1252, strings.Repeat("x", n), []string{"name-codepage", fmt.Sprintf("name-terminated %d+1", n-1)}},
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
				t.Errorf("%s, %d of them: %q, want %q", tt.reason, n, got, tt.want)
			}
		}
	}
}
