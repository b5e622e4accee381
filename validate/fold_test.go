package validate_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// units16 returns a name in UTF-16 without its terminator.
func units16(units ...uint16) []byte { return []byte(wide(units...)) }

// text16 returns a text in UTF-16 without a terminator.
func text16(s string) []byte { return []byte(text(s)) }

// terminated appends a NUL to the name. The NUL has two bytes if codePage is 0, and one byte
// otherwise.
func terminated(name []byte, codePage uint32) []byte {
	if codePage == 0 {
		return append(name, 0, 0)
	}
	return append(name, 0)
}

// duplicates returns the path and message of each inst-name-duplicate finding.
func duplicates(t *testing.T, codePage uint32, instances []testInstance) []string {
	t.Helper()
	head := object4000
	head.CodePage = codePage
	v, err := validate.New(validate.Options{MaxFindings: -1})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range v.Bytes(layout.ObjectsKind, appendObject(nil, head, oneCounter, instances), validate.Context{}).Findings {
		if f.Rule.Name == "inst-name-duplicate" {
			list = append(list, f.Path.String()+": "+f.Want)
		}
	}
	return list
}

// TestEqualNames checks which names of instances are duplicates: names that are equal if the
// case of the letters is ignored.
func TestEqualNames(t *testing.T) {
	t.Parallel()
	const high, low = 0xD801, 0xDC28
	for _, tt := range []struct {
		one, other []byte
		codePage   uint32
		same       bool
		reason     string
	}{
		{text16("web"), text16("web"), 0, true, "equal names"},
		{text16("web"), text16("WEB"), 0, true, "ASCII letters of different case"},
		{text16("web"), text16("we"), 0, false, "one name is the start of the other"},
		{text16("`"), text16("@"), 0, false, "` and @ precede a and A"},
		{text16("{"), text16("["), 0, false, "{ and [ follow z and Z"},
		{text16("z"), text16("Z"), 0, true, "z is the last ASCII letter"},
		{text16("é"), text16("É"), 0, true, "a letter of Latin-1"},
		{text16("ÿ"), text16("Ÿ"), 0, true, "a letter whose upper case is outside Latin-1"},
		{text16("é"), text16("e\u0301"), 0, false, "a composed and a decomposed letter differ"},
		{text16("ß"), text16("SS"), 0, false, "ß does not equal SS, because a conversion does not change the number of letters"},
		{text16("ß"), text16("ẞ"), 0, false, "ẞ is not the simple upper case of ß"},
		{text16("ǆ"), text16("ǅ"), 0, true, "a letter with lower, title and upper case"},
		{text16("σ"), text16("ς"), 0, true, "σ and ς have the same upper case"},
		{text16("µ"), text16("μ"), 0, true, "the micro sign and the Greek letter have the same upper case"},
		{text16("жар"), text16("ЖАР"), 0, true, "Cyrillic letters"},
		{text16("ı"), text16("I"), 0, false, "ı does not equal I, because no letter outside ASCII equals an ASCII letter"},
		{text16("ı"), text16("i"), 0, false, "ı is not i"},
		{text16("İ"), text16("i"), 0, false, "İ is not i"},
		{text16("ſ"), text16("s"), 0, false, "ſ does not equal s, because no letter outside ASCII equals an ASCII letter"},
		{text16("\u212A"), text16("k"), 0, false, "the kelvin sign is not k"},
		{text16("A"), units16(0x4100), 0, false, "U+4100 has the bytes of A in the other order"},
		{text16("𐐨"), text16("𐐀"), 0, true, "Deseret letters, which are surrogate pairs"},
		{text16("a𐐨b"), text16("A𐐀B"), 0, true, "a surrogate pair between other letters"},
		{units16(high, 'a'), units16(high, 'A'), 0, true, "a letter after half a surrogate pair"},
		{units16(high, low), units16(high, low-0x28), 0, true, "Deseret letters, given as two surrogates"},
		{units16(low, high), units16(low-0x28, high), 0, false, "surrogates in the wrong order are not a letter"},
		{units16(high), units16(0xFFFD), 0, false, "an unpaired surrogate is not U+FFFD"},
		{units16('a', high), units16('A', high), 0, true, "an unpaired surrogate at the end"},
		{units16(high, high, low), units16(high, high, low-0x28), 0, true, "an unpaired surrogate before a pair"},
		{[]byte("web"), []byte("WEB"), 1252, true, "ASCII letters in code page 1252"},
		{[]byte{0xE9}, []byte{0xC9}, 1252, false, "é and É in code page 1252, which is not decoded"},
		{[]byte("\xE9a"), []byte("\xE9A"), 1252, true, "é and an ASCII letter of different case"},
		{[]byte("éa"), []byte("éA"), 65001, true, "UTF-8, in which bytes below 0x80 are ASCII"},
		{[]byte{0x83, 0x41}, []byte{0x83, 0x61}, 932, false, "two katakana letters, whose second bytes are A and a"},
		{[]byte{0x83, 0x41}, []byte{0x83, 0x41}, 932, true, "the same katakana letter"},
		{[]byte{0x4B}, []byte{0x6B}, 37, false, "0x4B and 0x6B are a full stop and a comma in EBCDIC"},
		{[]byte("+AGE-"), []byte("+AGe-"), 65000, false, "UTF-7, whose base64 distinguishes case"},
		{[]byte("web"), []byte("WEB"), 3, false, "CP_THREAD_ACP may be any code page"},
		{[]byte("web"), []byte("WEB"), 1249, false, "the number before the Windows code pages"},
		{[]byte("web"), []byte("WEB"), 1250, true, "the first Windows code page"},
		{[]byte("web"), []byte("WEB"), 1258, true, "the last Windows code page"},
		{[]byte("web"), []byte("WEB"), 1259, false, "the number after the Windows code pages"},
		{[]byte("web"), []byte("WEB"), 28590, false, "the number before the ISO 8859 code pages"},
		{[]byte("web"), []byte("WEB"), 28591, true, "the first ISO 8859 code page"},
		{[]byte("web"), []byte("WEB"), 28605, true, "the last ISO 8859 code page"},
		{[]byte("web"), []byte("WEB"), 28606, false, "the number after the ISO 8859 code pages"},
		{[]byte("web"), []byte("WEB"), 860, true, "860 is the first of the consecutive DOS code pages"},
		{[]byte("web"), []byte("WEB"), 866, true, "866 is the last of the consecutive DOS code pages"},
		{[]byte("web"), []byte("WEB"), 867, false, "867 follows the DOS code pages"},
		{[]byte("web"), []byte("WEB"), 437, true, "437 is a DOS code page"},
	} {
		for range 2 { // in both orders
			pair := []testInstance{namedInstance(terminated(tt.one, tt.codePage)), namedInstance(terminated(tt.other, tt.codePage))}
			if got := len(duplicates(t, tt.codePage, pair)) > 0; got != tt.same {
				t.Errorf("% x and % x in code page %d: duplicate is %v: %s", tt.one, tt.other, tt.codePage, got, tt.reason)
			}
			tt.one, tt.other = tt.other, tt.one
		}
	}
}

// TestNamesUnderDifferentParents checks that equal names are duplicates only under the same
// parent.
func TestNamesUnderDifferentParents(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		one, other [2]uint32
		same       bool
		reason     string
	}{
		{[2]uint32{4000, 1}, [2]uint32{4000, 1}, true, "both have the same parent"},
		{[2]uint32{4000, 0}, [2]uint32{4000, 1}, false, "the parents are different instances of one object"},
		{[2]uint32{4000, 0}, [2]uint32{4002, 0}, false, "the parents are instances of different objects"},
		{[2]uint32{4000, 0}, [2]uint32{0, 0}, false, "one has a parent, and the other has none"},
		{[2]uint32{0, 5}, [2]uint32{0, 7}, true, "a position without a parent is ignored"},
		{[2]uint32{1, 1 << 16}, [2]uint32{1 << 16, 1}, false, "title and position of the parents are swapped"},
	} {
		one, other := namedInstance(terminated(text16("web"), 0)), namedInstance(terminated(text16("web"), 0))
		one.parent, other.parent = tt.one, tt.other
		if got := len(duplicates(t, 0, []testInstance{one, other})) > 0; got != tt.same {
			t.Errorf("%v and %v: duplicate is %v: %s", tt.one, tt.other, got, tt.reason)
		}
	}
}

// TestInvalidNamesAreNoDuplicates checks that empty names, and UTF-16 names with an odd number of
// bytes, are not duplicates. A name without a terminator can be a duplicate.
func TestInvalidNamesAreNoDuplicates(t *testing.T) {
	t.Parallel()
	half := append(text16("web"), 'x')
	for _, tt := range []struct {
		one, other []byte
		same       bool
		reason     string
	}{
		{half, half, false, "both names end in half a character"},
		{half, terminated(text16("web"), 0), false, "one name ends in half a character"},
		{text16("web"), terminated(text16("web"), 0), true, "one terminator is missing, and the names are equal"},
		{terminated(nil, 0), terminated(nil, 0), false, "another rule reports empty names"},
		{nil, nil, false, "neither instance has a name"},
	} {
		if got := len(duplicates(t, 0, []testInstance{namedInstance(tt.one), namedInstance(tt.other)})) > 0; got != tt.same {
			t.Errorf("% x and % x: duplicate is %v: %s", tt.one, tt.other, got, tt.reason)
		}
	}
}

// TestDuplicatesEqualMap checks that the validator finds the same duplicates as a map. If the
// validator must ignore case, names that differ only in case have the same key in the map.
func TestDuplicatesEqualMap(t *testing.T) {
	t.Parallel()
	var letters [][]uint16
	for _, r := range "aAbBzZ`@{[_0#éÉßẞÿŸàÀǆǅǄςσΣµμΜжЖяЯıIiİſsSKkÅåå𐐨𐐀𐑏𐐧😀" {
		letters = append(letters, utf16.Encode([]rune{r}))
	}
	for _, u := range []uint16{0xD800, 0xD801, 0xDBFF, 0xDC00, 0xDC28, 0xDFFF, 0xFFFD, 0xFFFF} {
		letters = append(letters, []uint16{u})
	}
	r := rand.New(rand.NewPCG(3, 4))
	checkDuplicates(t, 0, func() ([]byte, string) {
		var units []uint16
		for range 1 + r.IntN(3) {
			units = append(units, letters[r.IntN(len(letters))]...)
		}
		var key strings.Builder
		for i := 0; i < len(units); i++ {
			switch c := rune(units[i]); {
			case utf16.IsSurrogate(c) && i+1 < len(units) && utf16.DecodeRune(c, rune(units[i+1])) != 0xFFFD:
				key.WriteString(strings.ToUpper(string(utf16.DecodeRune(c, rune(units[i+1])))))
				i++
			case utf16.IsSurrogate(c):
				key.WriteString(fmt.Sprintf("<half %x>", c))
			case c == 'ı' || c == 'ſ':
				key.WriteString(string(c))
			default:
				key.WriteString(strings.ToUpper(string(c)))
			}
		}
		return units16(units...), key.String()
	})
	for _, page := range []struct {
		id    uint32
		ascii bool
	}{{1252, true}, {65001, true}, {850, true}, {932, false}, {936, false}, {37, false}, {65000, false}, {1200, false}} {
		checkDuplicates(t, page.id, func() ([]byte, string) {
			name := make([]byte, 1+r.IntN(3))
			for i := range name {
				name[i] = "aAzZ`@{[\x7F\x80\x81\x83\xC9\xE9\xFF"[r.IntN(15)]
			}
			key := []byte(string(name))
			for i := range key {
				if page.ascii && key[i] < 0x80 {
					key[i] = strings.ToUpper(string(rune(key[i])))[0]
				}
			}
			return name, string(key)
		})
	}
}

// checkDuplicates compares the duplicates that the validator finds among 5,000 names with the
// duplicates that a map finds. draw returns a random name and its key in the map.
func checkDuplicates(t *testing.T, codePage uint32, draw func() (name []byte, key string)) {
	t.Helper()
	type mapKey struct {
		parent uint32
		key    string
	}
	var instances []testInstance
	var want []string
	first := map[mapKey]int64{}
	off := int64(64 + 40)
	for i := range 5000 {
		name, key := draw()
		in := namedInstance(terminated(name, codePage))
		if parent := uint32(i % 3); parent > 0 {
			in.parent = [2]uint32{4000, parent}
		}
		k := mapKey{uint32(i % 3), key}
		if at, again := first[k]; again {
			want = append(want, fmt.Sprintf("object[0].instance[%d].Name: must differ from the name of the instance at 0x%x, ignoring case", i, at))
		} else {
			first[k] = off
		}
		instances = append(instances, in)
		off += int64(24+len(in.name)+7)&^7 + 8
	}
	if len(want) < 100 || len(first) < 100 {
		t.Fatalf("%d names and %d duplicates are too few for a test", len(first), len(want))
	}
	if diff := cmp.Diff(want, duplicates(t, codePage, instances)); diff != "" {
		t.Errorf("duplicates in code page %d (-want +got):\n%.4000s", codePage, diff)
	}
}
