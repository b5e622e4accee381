package capture_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/capture"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

var key = []byte("the key of the tests")

func bundleOf(kind layout.Kind, b []byte) *capture.Bundle {
	return &capture.Bundle{Members: []capture.Member{{Name: "a.bin", Kind: kind.String(), Bytes: bytes.Clone(b)}}}
}

// TestNames checks the pseudonyms of single names. The letters of a pseudonym depend on the key, so the table has x for
// any small letter and X for any capital.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, name, want string }{
		{"each letter is replaced", "chrome", "xxxxxx"},
		{"capitals stay capitals", "MsMpEng", "XxXxXxx"},
		{"_Total stays", "_Total", "_Total"},
		{"_total in lower case is an ordinary name", "_total", "xxxxxx"},
		{"the number of a processor stays", "0", "0"},
		{"numbers of two digits stay", "15", "15"},
		{"a number of three digits can be a name", "127", "xxx"},
		{"the number of a group stays", "0,12", "0,12"},
		{"_Total stays after the number of a group", "0,_Total", "0,_Total"},
		{"drives stay", "C:", "C:"},
		{"two letters can be initials", "PM", "XX"},
		{"# and the number after it stay", "svchost#12", "xxxxxxx#12"},
		{"a parent and its child are two words", "svchost#1/0", "xxxxxxx#1/0"},
		{"_Total stays as a parent", "_Total/_Total", "_Total/_Total"},
		{"the parts of a path are words", `\\server\c$`, `\\xxxxxx\xx`},
		{"spaces stay", " John Smith ", " Xxxx Xxxxx "},
		{"characters with a meaning in counter paths stay", "a(b)*c?d#e", "x(x)*x?x#x"},
		{"letters of any alphabet are replaced", "李明", "xx"},
		{"a character of two units becomes two letters", "a😀", "xxx"},
		{"an empty name stays empty", "", ""},
	} {
		object := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Instance(tt.name, 1)
		data := builder.DataBlock{}
		b, err := data.Add(object).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		bundle := bundleOf(layout.DataBlockKind, b)
		replaced, err := bundle.Anonymise(key)
		if err != nil {
			t.Fatal(err)
		}
		var before, got string
		for p := range layout.Walk(layout.DataBlockKind, b) {
			if p.Sort == layout.NamePart {
				before, _ = p.Name().Text()
				name := layout.Name{Span: layout.NewSpan(bundle.Members[0].Bytes[p.Off():p.Off()+int64(p.Len())], 0)}
				if got, err = name.Text(); err != nil {
					t.Errorf("%s: %v", tt.reason, err)
				}
			}
		}
		shown := []rune(got)
		old := utf16.Encode([]rune(before))
		for i, c := range shown {
			switch {
			case old[i] == uint16(c):
			case unicode.IsUpper(c):
				shown[i] = 'X'
			default:
				shown[i] = 'x'
			}
		}
		if string(shown) != tt.want {
			t.Errorf("%s: %q became %q, want the form %q", tt.reason, tt.name, got, tt.want)
		}
		if changed := got != before; changed != (replaced.Instances == 1) {
			t.Errorf("%s: %d names are counted as replaced, changed is %v", tt.reason, replaced.Instances, changed)
		}
	}
}

// TestTexts checks the values of text counters.
func TestTexts(t *testing.T) {
	t.Parallel()
	const text = layout.PERF_SIZE_VARIABLE_LEN | layout.PERF_TYPE_TEXT
	for _, tt := range []struct {
		reason      string
		counterType layout.CounterType
		size        uint32
		value       []byte // of 12 bytes
		want        string // x is any letter
	}{
		{"UTF-16", text, 12, []byte("\x06\x00\x00\x00J\x00o\x00e\x00zz"), "\x06\x00\x00\x00x\x00x\x00x\x00\x00\x00"},
		{"a code page", text | layout.PERF_TEXT_ASCII, 12, []byte("\x03\x00\x00\x00Joezzzzz"), "\x03\x00\x00\x00xxx\x00\x00\x00\x00\x00"},
		{"an undefined subtype is read as bytes", text | 2*layout.PERF_TEXT_ASCII, 12, []byte("\x03\x00\x00\x00Joezzzzz"), "\x03\x00\x00\x00xxx\x00\x00\x00\x00\x00"},
		{"the text is longer than the value", text | layout.PERF_TEXT_ASCII, 12, []byte("\xff\x00\x00\x00JoeJoeJo"), "\xff\x00\x00\x00xxxxxxxx"},
		{"the value has no space for the length of a text", text, 3, []byte("Joe\x00\x00\x00\x00\x00\x00\x00\x00\x00"), "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"},
	} {
		object := builder.NewObject(2).Define(builder.Counter{CounterType: layout.PERF_SIZE_VARIABLE_LEN}).Single(0)
		object.Texts = []string{string(tt.value)}
		b, err := object.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		definition := b[layout.SizeofObjectType:]
		binary.LittleEndian.PutUint32(definition[layout.PERF_COUNTER_DEFINITION.Field("CounterType").At:], uint32(tt.counterType))
		binary.LittleEndian.PutUint32(definition[layout.PERF_COUNTER_DEFINITION.Field("CounterSize").At:], tt.size)
		bundle := bundleOf(layout.ObjectsKind, b)
		if _, err := bundle.Anonymise(key); err != nil {
			t.Fatal(err)
		}
		got := bundle.Members[0].Bytes[len(b)-12:]
		kept := bytes.Contains(got, []byte("Joe"))
		for i, c := range got {
			if 'A' <= c && c <= 'z' {
				got[i] = 'x'
			}
		}
		if string(got) != tt.want || kept {
			t.Errorf("%s: the value became %q, want %q", tt.reason, got, tt.want)
		}
	}
}

// TestStable checks that a name has the same pseudonym in members of different kinds, and in two bundles with the same
// key.
func TestStable(t *testing.T) {
	t.Parallel()
	data := builder.DataBlock{SystemName: "FILESERVER"}
	object := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT)
	object.DuplicateNames = true
	v1, err := data.Add(object.Instance("sqlservr", 1).Instance("SQLSERVR", 2).Instance(`\\fileserver\x`, 2)).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	v2, err := builder.InstanceList{{Name: "sqlservr"}, {Name: "other"}}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	text, err := builder.RegString("Queues of FileServer").MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	anonymised := func(key []byte) []string {
		b := &capture.Bundle{Computer: "FILESERVER", Notes: []string{"no access to fileserver"}, Members: []capture.Member{
			{Name: "1", Kind: "data-block", Bytes: bytes.Clone(v1)}, {Name: "2", Kind: "instances", Bytes: bytes.Clone(v2)},
			{Name: "3", Kind: "reg-string", Bytes: bytes.Clone(text)},
		}}
		replaced, err := b.Anonymise(key)
		if err != nil {
			t.Fatal(err)
		}
		if want := (capture.Replaced{Instances: 5, Computers: 3}); replaced != want {
			t.Errorf("replaced %+v, want %+v", replaced, want)
		}
		if b.Computer != "" {
			t.Errorf("the computer is %q", b.Computer)
		}
		names := b.Notes
		for _, m := range b.Members {
			kind, _ := m.Block()
			for p := range layout.Walk(kind, m.Bytes) {
				if p.Sort == layout.NamePart {
					name, err := p.Name().Text()
					if err != nil {
						t.Error(err)
					}
					names = append(names, name)
				}
			}
		}
		return names
	}
	got := anonymised(key)
	server := strings.TrimPrefix(got[0], "no access to ")
	lower := got[2]
	want := []string{"no access to " + server, strings.ToUpper(server), lower, strings.ToUpper(lower), `\\` + server + `\` + got[4][len(got[4])-1:], lower, got[6], got[7]}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if !strings.EqualFold(got[7], "Queues of "+server) {
		t.Errorf("the registration has %q, the computer is %q", got[7], server)
	}
	if again := anonymised(key); !slices.Equal(got, again) {
		t.Errorf("the same key gave %q and %q", got, again)
	}
	if other := anonymised(nil); slices.Equal(got, other) {
		t.Errorf("another key gave %q too", got)
	}
}

// TestShortNames checks that many short names stay distinct.
func TestShortNames(t *testing.T) {
	t.Parallel()
	var list builder.InstanceList
	for c := 'a'; c <= 'z'; c++ {
		list = append(list, builder.InstanceHeader{Name: string(c)})
		for d := 'a'; d <= 'z'; d++ {
			list = append(list, builder.InstanceHeader{Name: string(c) + string(d)})
		}
	}
	b, err := list.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := sameFindings(layout.InstancesKind, b, validate.Context{}); err != nil {
		t.Error(err)
	}
}

// paddingRules are the rules that check padding. Anonymise sets padding to 0, so the findings of these rules can
// change.
var paddingRules = []string{"data-padding-zero", "v2-padding-nonzero", "inst-padding-zero"}

// sameFindings anonymises a block. It returns an error if the findings change, or if a name is left in the block.
func sameFindings(kind layout.Kind, b []byte, ctx validate.Context) error {
	unread := false
	for p := range layout.Walk(kind, b) {
		uncovered := p.Sort == layout.UnreadPart || p.Sort == layout.PaddingPart && p.Len() >= layout.Align
		unread = unread || uncovered && len(bytes.Trim(p.Bytes(), "\x00")) > 0
	}
	bundle := bundleOf(kind, b)
	if _, err := bundle.Anonymise(key); err != nil {
		return err
	}
	after := bundle.Members[0].Bytes
	if len(after) != len(b) {
		return fmt.Errorf("the length became %d, must stay %d", len(after), len(b))
	}
	if name := nameLeft(kind, b, after); name != "" {
		return fmt.Errorf("the name %q is left", name)
	}
	// Some rules search bytes outside all records. Anonymise sets such bytes to 0, so the findings may change.
	if unread {
		return nil
	}
	validator, err := validate.New(validate.Options{MaxFindings: -1})
	if err != nil {
		return err
	}
	places := func(b []byte) (list []string) {
		for _, f := range validator.Bytes(kind, b, ctx).Findings {
			if !slices.Contains(paddingRules, f.Rule.Name) {
				list = append(list, fmt.Sprintf("%s at 0x%x+%d %v", f.Rule.Name, f.Off, f.Len, f.Path))
			}
		}
		return list
	}
	if diff := cmp.Diff(places(b), places(after)); diff != "" {
		return fmt.Errorf("the findings differ (-before +after)\n%s", diff)
	}
	return nil
}

// nameLeft returns a UTF-16 name of three or more letters that is in both blocks, or "" if there is none.
func nameLeft(kind layout.Kind, original, anonymised []byte) string {
	if kind == layout.RegStringKind || kind == layout.StringsKind {
		return "" // Anonymise replaces only names of computers in the texts of a provider
	}
	names := map[string]bool{}
	for p := range layout.Walk(kind, original) {
		name := bytes.TrimRight(p.Bytes(), "\x00")
		if p.Sort != layout.NamePart || p.Page != 0 {
			continue
		}
		if len(name)%2 != 0 {
			name = append(bytes.Clone(name), 0)
		}
		// Search only for names of three or more UTF-16 units that are all letters. Anonymise keeps digits and
		// separators, and a shorter name can occur in a block by chance.
		letters := len(name) >= 6
		for i := 0; i+1 < len(name); i += 2 {
			letters = letters && unicode.IsLetter(rune(binary.LittleEndian.Uint16(name[i:])))
		}
		if letters {
			names[string(name)] = true
		}
	}
	for name := range names {
		if bytes.Contains(anonymised, []byte(name)) {
			text, _ := layout.DecodeUTF16([]byte(name))
			return text
		}
	}
	return ""
}

// TestFindings checks that Anonymise does not change the findings of generated blocks, broken blocks and fixtures.
func TestFindings(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		for seed := range uint64(long.Count(20, 100)) {
			b, err := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{}).MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			if err := sameFindings(kind, b, validate.Context{}); err != nil {
				t.Fatalf("%v %d: %v", kind, seed, err)
			}
		}
	}
	for _, rule := range validate.Rules() {
		broken, err := fuzz.Break(rule.ID, fuzz.Seed(1), fuzz.Config{})
		if err != nil {
			continue
		}
		if err := sameFindings(broken.Kind, broken.Block, broken.Context); err != nil {
			t.Errorf("%s: %v", rule.Name, err)
		}
	}
	blocks, err := fixture.Blocks("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		if err := sameFindings(b.Kind, b.Bytes, validate.Context{}); err != nil {
			t.Errorf("%s: %v", b.Path, err)
		}
	}
}

// TestUnused checks that bytes without a meaning become 0, and that values and lengths stay.
func TestUnused(t *testing.T) {
	t.Parallel()
	data := builder.DataBlock{SystemName: "HOST1"}
	b, err := data.Add(builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Instance("first", 7).Instance("second", 8)).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for p := range layout.Walk(layout.DataBlockKind, b) {
		if p.Sort == layout.PaddingPart {
			copy(b[p.Off():p.Off()+int64(p.Len())], "secret")
		}
	}
	b = append(b, "secret after the end"...)
	bundle := bundleOf(layout.DataBlockKind, b)
	replaced, err := bundle.Anonymise(key)
	after := bundle.Members[0].Bytes
	if err != nil || bytes.Contains(after, []byte("sec")) || replaced.Padding < 20 || replaced.Unread != 0 {
		t.Errorf("replaced %+v, error %v, left % x", replaced, err, after)
	}
	for p := range layout.Walk(layout.DataBlockKind, b) {
		if (p.Sort == layout.FieldPart || p.Sort == layout.ValuePart) && !bytes.Equal(p.Bytes(), after[p.Off():p.Off()+int64(p.Len())]) {
			t.Errorf("%v changed", p.Path)
		}
	}

	cut := bundleOf(layout.DataBlockKind, b)
	binary.LittleEndian.PutUint32(cut.Members[0].Bytes[len(b)-20-8-56:], 0xFFFFFFFF) // a length of the last instance
	if replaced, err = cut.Anonymise(key); err != nil || bytes.Contains(cut.Members[0].Bytes, []byte("s\x00e\x00c")) {
		t.Errorf("replaced %+v, error %v, left % x", replaced, err, cut.Members[0].Bytes)
	}
}

// FuzzAnonymise checks that Anonymise does not change the findings of generated blocks, and returns no error for
// damaged blocks.
func FuzzAnonymise(f *testing.F) {
	for _, kind := range layout.Kinds() {
		for seed := range uint64(4) {
			f.Add(uint8(kind), uint64(0), fuzz.Input(kind, seed, fuzz.Config{}))
			f.Add(uint8(kind), seed+1, fuzz.Input(kind, seed, fuzz.Config{}))
		}
	}
	f.Fuzz(func(t *testing.T, number uint8, damage uint64, data []byte) {
		kind := layout.Kinds()[int(number)%len(layout.Kinds())]
		b, err := fuzz.Model(kind, fuzz.FromBytes(data), fuzz.Config{}).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if damage != 0 {
			b = fuzz.Damage(fuzz.Seed(damage), b)
			if _, err := bundleOf(kind, b).Anonymise(key); err != nil {
				t.Fatal(err)
			}
			return
		}
		if err := sameFindings(kind, b, validate.Context{}); err != nil {
			t.Error(err)
		}
	})
}
