package layout_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

const guidText = "{b4fc721a-0378-476f-89ba-a5a79f810b36}"

var guid = layout.GUID{Data1: 0xb4fc721a, Data2: 0x0378, Data3: 0x476f, Data4: [8]byte{0x89, 0xba, 0xa5, 0xa7, 0x9f, 0x81, 0x0b, 0x36}}

func TestGUIDString(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		guid layout.GUID
		want string
	}{
		{guid, guidText},
		{layout.GUID{}, "{00000000-0000-0000-0000-000000000000}"},
		{layout.GUID{Data1: 1, Data2: 2, Data3: 3, Data4: [8]byte{4, 5, 6, 7, 8, 9, 10, 11}}, "{00000001-0002-0003-0405-060708090a0b}"},
	} {
		if got := tt.guid.String(); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
		if got, err := layout.ParseGUID(tt.want); err != nil || got != tt.guid {
			t.Errorf("%s reads as %v, %v", tt.want, got, err)
		}
	}
}

// TestGUIDInMemory checks the encoding of a GUID: its first three fields are little-endian, and
// the last field is an array of bytes.
func TestGUIDInMemory(t *testing.T) {
	t.Parallel()
	const want = "\x1a\x72\xfc\xb4\x78\x03\x6f\x47\x89\xba\xa5\xa7\x9f\x81\x0b\x36"
	if got := wire.GUID(guid).Append(nil); string(got) != want {
		t.Errorf("got % x, want % x", got, want)
	}
}

func TestParseGUID(t *testing.T) {
	t.Parallel()
	bare := strings.Trim(guidText, "{}")
	for _, text := range []string{guidText, bare, strings.ToUpper(guidText), strings.ToUpper(bare), "{B4fC721a-0378-476F-89Ba-a5A79f810b36}"} {
		if got, err := layout.ParseGUID(text); err != nil || got != guid {
			t.Errorf("%s reads as %v, %v", text, got, err)
		}
	}
}

func TestParseGUIDRefuses(t *testing.T) {
	t.Parallel()
	bare := strings.Trim(guidText, "{}")
	for _, tt := range []struct{ text, reason string }{
		{"", "nothing"},
		{"{", "one brace"},
		{"{}", "nothing in braces"},
		{"{" + bare, "not closed"},
		{bare + "}", "not opened"},
		{"(" + bare + ")", "other brackets"},
		{"{{" + bare + "}}", "braces twice"},
		{" " + guidText, "space in front"},
		{guidText + "\n", "a line feed after the GUID"},
		{"{" + bare + " }", "space in the braces"},
		{guidText + "\x00", "a NUL after the GUID"},
		{strings.ReplaceAll(bare, "-", ""), "no dashes"},
		{strings.ReplaceAll(bare, "-", ":"), "colons"},
		{strings.ReplaceAll(bare, "-", "0"), "digits where dashes belong"},
		{"b4fc721-a0378-476f-89ba-a5a79f810b36", "a dash early"},
		{"-b4fc721-0378-476f-89ba-a5a79f810b36", "a dash where a digit belongs"},
		{bare[:35], "a digit short"},
		{bare + "0", "a digit more"},
		{"g" + bare[1:], "g is no digit"},
		{bare[:35] + "`", "the character before a"},
		{bare[:35] + "@", "the character before A"},
		{bare[:35] + "G", "the character after F"},
		{bare[:35] + "/", "the character before 0"},
		{bare[:35] + ":", "the character after 9"},
		{bare[:35] + "\x16", "a control character that would be 6 with another bit"},
		{bare[:34] + "é", "two bytes that are no digits"},
		{bare[:35] + "\xe1", "a byte that would be a without its high bit"},
		{"0x" + bare[2:], "0x"},
		{"+" + bare[1:], "a sign"},
	} {
		got, err := layout.ParseGUID(tt.text)
		if !errors.Is(err, layout.ErrRange) || got != (layout.GUID{}) {
			t.Errorf("%q reads as %v, %v: %s", tt.text, got, err, tt.reason)
		} else if !strings.Contains(err.Error(), guidText) {
			t.Errorf("%q: %v, which does not show what a GUID looks like", tt.text, err)
		}
	}
}

// FuzzParseGUID checks that String returns the parsed text, but in lower case and with braces.
func FuzzParseGUID(f *testing.F) {
	f.Add(guidText)
	f.Add("B4FC721A-0378-476F-89BA-A5A79F810B36")
	f.Add("{b4fc721a-0378-476f-89ba-a5a79f810b3g}")
	f.Add("{}")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := layout.ParseGUID(text)
		if err != nil {
			if !errors.Is(err, layout.ErrRange) || got != (layout.GUID{}) {
				t.Fatalf("%q reads as %v, %v", text, got, err)
			}
			return
		}
		want := strings.ToLower(text)
		if !strings.HasPrefix(want, "{") {
			want = "{" + want + "}"
		}
		if got.String() != want {
			t.Fatalf("%q reads as %v", text, got)
		}
	})
}
