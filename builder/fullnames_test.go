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
		{named("WEB az"), named("web AZ"), 0, true, "the ends of the alphabet, in either case"},
		{named("@[`{"), named("`{@["), 0, false, "what stands 32 apart around the alphabet is no letter"},
		{named("größe"), named("GRÖßE"), 0, true, "a letter beyond ASCII"},
		{named("größe"), named("GRÖSSE"), 0, false, "no letter becomes two"},
		{named("привет"), named("ПРИВЕТ"), 0, true, "two bytes for a letter"},
		{named("ⱥ"), named("Ⱥ"), 0, true, "three bytes and two for one letter"},
		{named("ⱥb"), named("Ⱥc"), 0, false, "and what is behind them still tells"},
		{named("ı"), named("I"), 0, false, "the upper case of ı would be ASCII"},
		{named("ı"), named("ı"), 0, true, "but it is itself"},
		{named("ſ"), named("S"), 0, false, "and that of ſ"},
		{named("ſ"), named("s"), 0, false, "in either case"},
		{named("\u212A"), named("k"), 0, false, "the sign of kelvin is upper case, and no K"},
		{named("ς"), named("σ"), 0, true, "two letters of one upper case"},
		{named("ǆ"), named("ǅ"), 0, true, "a letter of three cases"},
		{named("𐐨"), named("𐐀"), 0, true, "a letter of two units, a surrogate pair"},
		{named("𐐨"), named("𐐩"), 0, false, "pairs of one high surrogate"},
		{named("\uFFFD"), named("\uFFFD"), 0, true, "U+FFFD is a character"},
		{named("日本"), named("日木"), 0, false, "letters without case"},
		{named(long + "x"), named(strings.ToUpper(long) + "X"), 0, true, "a long name"},
		{named(long + "x"), named(long + "y"), 0, false, "long names that differ at the end"},
		{named("x" + long), named("y" + long), 0, false, "long names that differ at the start"},
		{named("caf\xe9"), named("CAF\xe9"), 1252, true, "ASCII in a code page"},
		{named("caf\xe9"), named("caf\xc9"), 1252, false, "of its other bytes none is taken for a letter"},
		{named("\xc3\xa4"), named("\xc3\x84"), 1252, false, "nor two of them for UTF-8"},
		{named("\xff"), named("\xfe"), 1252, false, "bytes that UTF-8 does not have"},
		{child("web", 0, 1), child("web", 0, 2), 0, true, "without a parent object its position says nothing"},
		{child("web", 7, 1), child("WEB", 7, 1), 0, true, "one parent"},
		{child("web", 7, 1), child("web", 7, 2), 0, false, "two parents"},
		{child("web", 7, 1), child("web", 9, 1), 0, false, "parents of two objects"},
		{child("web", 7, 0), named("web"), 0, false, "a parent, and none"},
		{child("web", 1, 7), child("web", 7, 1), 0, false, "title and position are no sum"},
		{builder.Instance{}, builder.Instance{}, 0, false, "no names"},
	} {
		for _, others := range []int{0, 10, 1000} { // few are kept elsewhere than many
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
			want := fmt.Sprintf("object[0].instance[%d].Name: is %s, which is the name of instance[0] too: set DuplicateNames to allow it", others+1, quote.Short(test.b.Name))
			if !errors.Is(err, builder.ErrDuplicate) || err.Error() != want {
				t.Errorf("got %v, want %s: %s", err, want, test.reason)
			}
			o.DuplicateNames = true
			if _, err := o.MarshalBinary(); err != nil {
				t.Errorf("%v, although names may repeat: %s", err, test.reason)
			}
		}
	}
}

// Of several pairs the error has the one that ends first, and of three instances of
// one name the first two, as a map of the names in upper case gives them.
func TestFullNamesAsAMapHasThem(t *testing.T) {
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
			return fmt.Sprintf("object[0].instance[%d].Name: is %q, which is the name of instance[%d] too: set DuplicateNames to allow it", i, in.Name, first)
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

// Names take one table for each object, and none where they are few.
func TestNamesTakeNoMemory(t *testing.T) {
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
	free.DuplicateNames = true // so that no name is looked at
	none := cost(free)
	for n, want := range map[int]float64{1: 0, 16: 0, 17: 1, 5_000: 1} {
		if got := cost(names(n)) - none; got != want {
			t.Errorf("%v allocations for %d names, want %v", got, n, want)
		}
	}
}
