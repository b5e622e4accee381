package spec

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/yamltext"
)

// sameTree compares trees but for comments, which nobody reads.
var sameTree = cmpopts.IgnoreFields(yaml.Node{}, "HeadComment", "LineComment", "FootComment")

// awkward are texts with lists of numbers in places where they are none, or where what
// is behind them on the line has another column. short says whether they are read with
// short lists, and not a second time.
var awkward = []struct {
	reason, text string
	short        bool
}{
	{"a list of numbers", "a: [1, 2, 3]", true},
	{"two on a line, and a key behind them", "{a: [1, 2, 3], b: [ 4 ,\t5 ], c: 6}", true},
	{"one in a list", "[[1, 2], [3, 4], é, [5, 6], x]", true},
	{"more than one digit of lists", "[[1,2],[3,4],[5,6],[7,8],[9,0],[1,2],[3,4],[5,6],[7,8],[9,0],[11111,22222],[3,4], x]", true},
	{"more than two", "[" + text(8*120, "[1, 2], ") + "x]", true},
	{"lines", "a: [1, 2]\nb: [3, 4]\r\nc: [[5, 6], x,\n [7, 8], y]\n", true},
	{"a line that only YAML ends", "a: [1, 2]\u2028b: [3, 4, 5]", true},
	{"behind characters of several bytes", "{é𝄞: [1, 2], ü: é}", true},
	{"a list of one", "a: [[1], [2, 3]]", true},
	{"a last comma", "a: [[1, 2,], [2, 3]]", true},
	{"an empty value behind it", "{a: [1, 2], b: , c: }", true},
	{"the root", "[1, 2]", true},
	{"comments", "a: [1, 2] # [3, 4]\n# [5, 6]\nb: [7, 8]", true},
	{"an empty value where a comment ends", "? # [1, 2]\n", false},
	{"an empty value where a comment ends, before a list", "? # [1, 2]\n: [3, 4]", false},
	{"an empty value where a comment ends, behind a list", "a: [3, 4]\n? # [1, 2]\n", false},
	{"an empty value among lists, and comments before and behind", "# [1, 2]\na: [3, 4]\nb:\nc: [5, 6]\n# [7, 8]", true},
	{"values of thousands of characters", "a: [" + text(4000, "123, ") + "4]", true},
	{"a text between quotes", "a: \"[1, 2]\"\nb: [3, 4]", false},
	{"a plain text", "a: x[1, 2] y\nb: [3, 4]", false},
	{"a literal", "a: [1, 2]\nb: |-\n  [3, 4]", false},
	{"a key", "[1, 2]: a", false},
	{"a key in a list", "[[1, 2]: a, b]", false},
	{"a complex key", "? [1, 2]\n: a", false},
	{"in a key", "{[[1, 2], b]: a}", false},
	{"a key that is too long to be one", "? x\n: y\n[" + text(4000, "123, ") + "4]: z", false},
	{"a key between quotes that is too long", "{'[" + text(4000, "123, ") + "4]': z}", false},
	{"no lists", "a: b", false},
	{"no YAML", "a: [1, 2], b", false},
	{"the mark", "a: \"\uE000[1, 2]\"\nb: \uE001\nc: [3, 4]", false},
	{"the mark beside a list", "a: \uE000\nc: [3, 4]\nd: \"\\uE001\"", true},
}

func text(n int, s string) string {
	b := make([]byte, 0, n+len(s))
	for len(b) < n {
		b = append(b, s...)
	}
	return string(b)
}

// A text is the same tree whether its lists of numbers are short or not.
func TestShortLists(t *testing.T) {
	t.Parallel()
	for _, tt := range awkward {
		if short := compareTrees(t, []byte(tt.text)); short != tt.short {
			t.Errorf("%s: read with short lists, %t; want %t", tt.reason, short, tt.short)
		}
	}
	paths, err := filepath.Glob("../testdata/specs/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		compareTrees(t, b)
	}
}

// compareTrees reports whether the text is read with short lists.
func compareTrees(t *testing.T, text []byte) bool {
	t.Helper()
	got := loadShort(text)
	want, err := loadPacked(text)
	if got == nil {
		return false
	}
	if err != nil {
		t.Fatalf("%q is read, and not in full: %v", text, err)
	}
	if diff := cmp.Diff(want, got, sameTree); diff != "" {
		t.Fatalf("%q (-want +got):\n%s", text, diff)
	}
	return true
}

func FuzzShortLists(f *testing.F) {
	for _, tt := range awkward {
		f.Add([]byte(tt.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if checkSize(text, false) == nil && yamltext.CheckCharacters(text) == nil {
			compareTrees(t, text)
		}
	})
}
