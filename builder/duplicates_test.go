package builder_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/quote"
)

// TestFullNames checks which pairs of names and parents are duplicates.
func TestFullNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long", 500)
	for _, test := range []struct {
		a, b     builder.Instance
		codePage uint32
		same     bool
		reason   string
	}{
		{named("web"), named("web"), 0, true, "one name"},
		{named("web"), named("webs"), 0, false, "one is the start of the other"},
		{named("WEB az"), named("web AZ"), 0, true, "the first and last letter, in upper and lower case"},
		{named("@[`{"), named("`{@["), 0, false, "characters next to the letters differ by 32 too, but are not letters"},
		{named("größe"), named("GRÖßE"), 0, true, "a letter beyond ASCII"},
		{named("größe"), named("GRÖSSE"), 0, false, "upper case does not change the number of letters"},
		{named("привет"), named("ПРИВЕТ"), 0, true, "letters of two bytes in UTF-8"},
		{named("ⱥ"), named("Ⱥ"), 0, true, "lower case has three bytes in UTF-8, upper case two"},
		{named("ⱥb"), named("Ⱥc"), 0, false, "the same, with different letters after them"},
		{named("ı"), named("I"), 0, false, "ı, whose upper case is ASCII, keeps its case"},
		{named("ı"), named("ı"), 0, true, "ı is equal to itself"},
		{named("ſ"), named("S"), 0, false, "ſ, whose upper case is ASCII, keeps its case"},
		{named("ſ"), named("s"), 0, false, "ſ is not equal to the lower-case letter either"},
		{named("\u212A"), named("k"), 0, false, "the Kelvin sign is not equal to the letter k"},
		{named("ς"), named("σ"), 0, true, "two lower-case letters with the same upper case"},
		{named("ǆ"), named("ǅ"), 0, true, "a letter with upper, lower and title case"},
		{named("𐐨"), named("𐐀"), 0, true, "a letter of two units, a surrogate pair"},
		{named("𐐨"), named("𐐩"), 0, false, "pairs of one high surrogate"},
		{named("\uFFFD"), named("\uFFFD"), 0, true, "U+FFFD is a character"},
		{named("日本"), named("日木"), 0, false, "letters without case"},
		{named(long + "x"), named(strings.ToUpper(long) + "X"), 0, true, "a long name"},
		{named(long + "x"), named(long + "y"), 0, false, "long names that differ at the end"},
		{named("x" + long), named("y" + long), 0, false, "long names that differ at the start"},
		{named("caf\xe9"), named("CAF\xe9"), 1252, true, "ASCII in a code page"},
		{named("caf\xe9"), named("caf\xc9"), 1252, false, "bytes of a code page above ASCII have no case"},
		{named("\xc3\xa4"), named("\xc3\x84"), 1252, false, "bytes of a code page are not decoded as UTF-8"},
		{named("\xff"), named("\xfe"), 1252, false, "bytes that are not valid UTF-8"},
		{child("web", 0, 1), child("web", 0, 2), 0, true, "without a parent object, the parent position is ignored"},
		{child("web", 7, 1), child("WEB", 7, 1), 0, true, "the same parent"},
		{child("web", 7, 1), child("web", 7, 2), 0, false, "two parents"},
		{child("web", 7, 1), child("web", 9, 1), 0, false, "parents in different objects"},
		{child("web", 7, 0), named("web"), 0, false, "a parent, and none"},
		{child("web", 1, 7), child("web", 7, 1), 0, false, "title and position of the parent are exchanged"},
		{builder.Instance{}, builder.Instance{}, 0, false, "no names"},
	} {
		for _, others := range []int{0, 10, 1000} { // the table is allocated for more than 16 names
			o := object(test.codePage, test.a)
			for i := range others {
				o.Add(named(fmt.Sprintf("other %d", i)))
			}
			o.Add(test.b)
			_, err := o.MarshalBinary()
			if !test.same {
				if err != nil {
					t.Errorf("%v: %s", err, test.reason)
				}
				continue
			}
			want := fmt.Sprintf("object[0].instance[%d].Name: %s", others+1, duplicateText(test.b.Name, test.a.Name, 0))
			if !errors.Is(err, builder.ErrDuplicate) || err.Error() != want {
				t.Errorf("got %v, want %s: %s", err, want, test.reason)
			}
			o.DuplicateNames = true
			if _, err := o.MarshalBinary(); err != nil {
				t.Errorf("%v, although DuplicateNames is set: %s", err, test.reason)
			}
		}
	}
}

// TestFirstDuplicateName encodes random names and compares the error with the text that duplicateOf
// returns. The error must name the first instance that repeats a name.
func TestFirstDuplicateName(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	letters := []rune("aAbBkK\u212AıIiſsSςσΣⱥȺ𐐨𐐀é\uFFFD日_0 ")
	for range 2000 {
		o := object(0)
		for range r.IntN(60) {
			name := make([]rune, r.IntN(5))
			for i := range name {
				name[i] = letters[r.IntN(len(letters))]
			}
			o.Add(child(string(name), uint32(r.IntN(2)), uint32(r.IntN(2))))
		}
		_, err := o.MarshalBinary()
		if got, want := fmt.Sprint(err), duplicateOf(o); got != want {
			t.Fatalf("%+v: got %s, want %s", o.Instances, got, want)
		}
	}
}

// duplicateText returns the error text for an instance with the same name as the earlier instance i. The names can
// differ in letter case.
func duplicateText(name, earlier string, i int) string {
	if name != earlier {
		return fmt.Sprintf("is %s, which differs only in letter case from the name %s of instance[%d]: set DuplicateNames to allow it", quote.Short(name), quote.Short(earlier), i)
	}
	return fmt.Sprintf("is %s, which is the name of instance[%d] too: set DuplicateNames to allow it", quote.Short(name), i)
}

// duplicateOf returns the text of the error that encoding o must return. It finds duplicates with
// a map of names in upper case.
func duplicateOf(o *builder.Object) string {
	seen := map[string]int{}
	for i, in := range o.Instances {
		if in.Name == "" {
			continue
		}
		upper := strings.Map(func(r rune) rune {
			if u := unicode.ToUpper(r); u >= utf8.RuneSelf || r < utf8.RuneSelf {
				return u
			}
			return r
		}, in.Name)
		parent := ""
		if in.ParentObjectTitleIndex != 0 {
			parent = fmt.Sprint(in.ParentObjectTitleIndex, in.ParentObjectInstance)
		}
		if first, found := seen[parent+"/"+upper]; found {
			return fmt.Sprintf("object[0].instance[%d].Name: %s", i, duplicateText(in.Name, o.Instances[first].Name, first))
		}
		seen[parent+"/"+upper] = i
	}
	return "<nil>"
}

func named(name string) builder.Instance { return builder.Instance{Name: name} }

func child(name string, title, position uint32) builder.Instance {
	return builder.Instance{Name: name, ParentObjectTitleIndex: title, ParentObjectInstance: position}
}

func object(codePage uint32, in ...builder.Instance) *builder.Object {
	o := builder.NewObject(2).Add(in...)
	o.CodePage = codePage
	return o
}

// TestNamesAllocateOneTable checks that comparing names allocates at most one table for each object. Up to 16
// names require no table.
func TestNamesAllocateOneTable(t *testing.T) {
	names := func(n int) *builder.Object {
		o := builder.NewObject(2)
		for i := range n {
			o.Add(named(fmt.Sprintf("%s %d", strings.Repeat("größe", 20), i)))
		}
		return o
	}
	cost := func(o *builder.Object) float64 {
		b, err := o.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(10, func() { b, _ = o.AppendBinary(b[:0]) })
	}
	free := names(1000)
	free.DuplicateNames = true // names are not compared
	none := cost(free)
	for n, want := range map[int]float64{1: 0, 16: 0, 17: 1, 5_000: 1} {
		if got := cost(names(n)) - none; got != want {
			t.Errorf("%v allocations for %d names, want %v", got, n, want)
		}
	}
}
