package layout_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
)

func TestPaths(t *testing.T) {
	t.Parallel()
	var root layout.Path
	for _, tt := range []struct {
		path   layout.Path
		text   string
		elems  []layout.Elem
		reason string
	}{
		{root.Field("Signature"), "Signature", []layout.Elem{{"Signature", -1}}, "a field of the header"},
		{root.Field("SystemTime").Field("wYear"), "SystemTime.wYear", []layout.Elem{{"SystemTime", -1}, {"wYear", -1}}, "a record in a record"},
		{root.At("object", 0), "object[0]", []layout.Elem{{"object", 0}}, "index 0 is an index"},
		{root.At("object", 2147483647), "object[2147483647]", []layout.Elem{{"object", 2147483647}}, "the largest index"},
		{root.At("object", 12).At("instance", 345).Field("block").At("value", 6), "object[12].instance[345].block.value[6]",
			[]layout.Elem{{"object", 12}, {"instance", 345}, {"block", -1}, {"value", 6}}, "the deepest path of a counter block"},
		{root.Field("PerfTime100nSec"), "PerfTime100nSec", []layout.Elem{{"PerfTime100nSec", -1}}, "digits in a name"},
		{root.Field("a").Field("b").Field("c").Field("d").Field("e"), "a.b.c.d.e",
			[]layout.Elem{{"a", -1}, {"b", -1}, {"c", -1}, {"d", -1}, {"e", -1}}, "the largest number of steps"},
	} {
		if got := tt.path.String(); got != tt.text {
			t.Errorf("got %q, want %q: %s", got, tt.text, tt.reason)
		}
		if got := string(tt.path.Append([]byte("at "))); got != "at "+tt.text {
			t.Errorf("appended, %q: %s", got, tt.reason)
		}
		if diff := cmp.Diff(tt.elems, tt.path.Elems()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
		back, err := layout.ParsePath(tt.text)
		if err != nil || back != tt.path {
			t.Errorf("%q reads as %v, %v: %s", tt.text, back, err, tt.reason)
		}
	}
}

func TestParsePathRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, reason string }{
		{"", "the whole input has no text form to be typed"},
		{".", "two empty names"},
		{"object[0].", "nothing after the dot"},
		{".NameLength", "nothing before the dot"},
		{"object[0]..NameLength", "nothing between the dots"},
		{"object[0", "an open bracket"},
		{"object[", "an open bracket and nothing"},
		{"object]", "a closing bracket alone"},
		{"object[]", "no index"},
		{"object[0]]", "a bracket too many"},
		{"object[0][1]", "two indexes"},
		{"object[0]x", "letters after the index"},
		{"[0]", "no name"},
		{"object[-1]", "a sign"},
		{"object[+1]", "a sign"},
		{"object[01]", "a leading zero: another text for the same path"},
		{"object[0x1]", "hex"},
		{"object[1_0]", "an underscore"},
		{"object[ 1]", "a space"},
		{"object[2147483648]", "more than 31 bits"},
		{"object[99999999999999999999]", "more than 64 bits"},
		{"object [0]", "a space in the name"},
		{"1st", "a digit first"},
		{"name_length", "an underscore"},
		{"Längе", "letters beyond ASCII"},
		{"a@b", "the character before A"},
		{"a[b", "the character after Z"},
		{"a`b", "the character before a"},
		{"a{b", "the character after z"},
		{"a/b", "the character before 0"},
		{"a:b", "the character after 9"},
		{"a.b.c.d.e.f", "deeper than any block"},
		{"object[0].a.b.c.d.e", "deeper than any block"},
	} {
		if got, err := layout.ParsePath(tt.text); !errors.Is(err, layout.ErrPath) || got != (layout.Path{}) {
			t.Errorf("%q reads as %v, %v: %s", tt.text, got, err, tt.reason)
		}
	}
}

func TestParsePathAlphabet(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"A", "Z", "a", "z", "A0", "A9"} {
		if got, err := layout.ParsePath(text); err != nil || got.String() != text {
			t.Errorf("%q reads as %v, %v", text, got, err)
		}
	}
}

func TestPathsAreComparable(t *testing.T) {
	t.Parallel()
	var root layout.Path
	object := root.At("object", 1)
	a, b := object.Field("a"), object.Field("b")
	if object.String() != "object[1]" || a.String() != "object[1].a" || b.String() != "object[1].b" || root.String() != "" {
		t.Errorf("got %v, %v, %v and %v: a longer path must not change what it was made from", object, a, b, root)
	}
	elems := a.Elems()
	_ = append(elems, layout.Elem{Name: "x"})
	elems[0].Name = "changed"
	if a.String() != "object[1].a" {
		t.Errorf("got %v: Elems must be a copy", a)
	}
	if a == b || a != root.At("object", 1).Field("a") {
		t.Error("paths compare by what they name")
	}
	if root.At("x", 0) == root.Field("x") {
		t.Error("x[0] is not x")
	}
	if len(map[layout.Path]bool{a: true, b: true, root.At("object", 1).Field("b"): true}) != 2 {
		t.Error("paths are keys of maps")
	}
}

func TestPathIn(t *testing.T) {
	t.Parallel()
	var root layout.Path
	for _, tt := range []struct{ path, parent, want, reason string }{
		{"NameLength", "object[0].instance[1]", "object[0].instance[1].NameLength", "a field in an instance"},
		{"instance[1].Name", "object[2]", "object[2].instance[1].Name", "two elements"},
		{"", "object[2]", "object[2]", "an empty path in an object"},
		{"object[2]", "", "object[2]", "an object in the whole input"},
		{"", "", "", "an empty path in an empty path"},
		{"d.e.f", "a.b.c", "a.b.c.d.e", "steps after the fifth are dropped, as by Field and At"},
	} {
		if got := parsePath(t, tt.path).In(parsePath(t, tt.parent)); got != parsePath(t, tt.want) {
			t.Errorf("%q in %q is %q, want %q: %s", tt.path, tt.parent, got, tt.want, tt.reason)
		}
	}
	deep := root.Field("a").Field("b").Field("c").Field("d").Field("e")
	if deep.Field("f") != deep || deep.At("f", 1) != deep {
		t.Error("a sixth element was kept")
	}
}
