package yamltext

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v4"
)

// sameTree compares trees and ignores their comments.
var sameTree = cmpopts.IgnoreFields(yaml.Node{}, "HeadComment", "LineComment", "FootComment")

// awkwardLists has texts with number lists in unusual places: in other lists, as keys, in comments, or before other
// values on the same line.
var awkwardLists = []struct{ reason, text string }{
	{"a list of numbers is packed", "a: [1, 2, 3]"},
	{"two lists may be on a line, with a key after them", "{a: [1, 2, 3], b: [ 4 ,\t5 ], c: 6}"},
	{"lists of numbers may be in a list", "[[1, 2], [3, 4], é, [5, 6], x]"},
	{"many lists may be on a line", "[[1,2],[3,4],[5,6],[7,8],[9,0],[1,2],[3,4],[5,6],[7,8],[9,0],[11111,22222],[3,4], x]"},
	{"lists may be on several lines", "a: [1, 2]\nb: [3, 4]\r\nc: [[5, 6], x,\n [7, 8], y]\n"},
	{"a list may end before a line end that only YAML knows", "a: [1, 2]\u2028b: [3, 4, 5]"},
	{"characters of several bytes do not move the places", "{é𝄞: [1, 2], ü: é}"},
	{"a list of one number is not packed", "a: [[1], [2, 3]]"},
	{"a list may end with a comma", "a: [[1, 2,], [2, 3]]"},
	{"a missing value may follow a list", "{a: [1, 2], b: , c: }"},
	{"the root may be a list", "[1, 2]"},
	{"a list in a comment is not read", "a: [1, 2] # [3, 4]\n# [5, 6]\nb: [7, 8]"},
	{"a missing key may be where a comment ends", "? # [1, 2]\n"},
	{"a missing key may be where a comment ends, before a list", "? # [1, 2]\n: [3, 4]"},
	{"a list may have thousands of characters", "a: [" + text(4000, "123, ") + "4]"},
	{"a list in quotes is text", "a: \"[1, 2]\"\nb: [3, 4]"},
	{"brackets inside a plain scalar are text", "a: x[1, 2] y\nb: [3, 4]"},
	{"a list in a literal is text", "a: [1, 2]\nb: |-\n  [3, 4]"},
	{"a list may be a key", "[1, 2]: a"},
	{"a list in a list may be a key", "[[1, 2]: a, b]"},
	{"a list may be a complex key", "? [1, 2]\n: a"},
	{"a list may be in a key", "{[[1, 2], b]: a}"},
	{"a text without lists is unchanged", "a: b"},
	{"an error of the syntax stays an error", "a: [1, 2], b"},
	{"a text may contain a character that could replace commas", "a: \"\uE000[1, 2]\"\nb: \uE001\nc: [3, 4]"},
	{"a text may contain this character beside a list, also as an escape", "a: \uE000\nc: [3, 4]\nd: \"\\uE001\""},
}

func text(n int, s string) string {
	b := make([]byte, 0, n+len(s))
	for len(b) < n {
		b = append(b, s...)
	}
	return string(b)
}

// TestPackedLists reads each text with and without packed number lists. Both must give the same
// tree, or both must give an error.
func TestPackedLists(t *testing.T) {
	t.Parallel()
	for _, tt := range awkwardLists {
		if msg := comparePacked([]byte(tt.text)); msg != "" {
			t.Errorf("%s: %s", tt.reason, msg)
		}
	}
	paths, err := filepath.Glob("../../testdata/specs/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if msg := comparePacked(b); msg != "" {
			t.Errorf("%s: %s", path, msg)
		}
	}
}

// comparePacked returns the difference between the tree with packed lists and the tree of the
// YAML library, or "" if there is none.
func comparePacked(text []byte) string {
	var r Reader
	short, mark := packed(text)
	got, gotErr := r.loadYAML(short)
	want, wantErr := r.loadYAML(text)
	if gotErr != nil || wantErr != nil {
		if (gotErr == nil) != (wantErr == nil) {
			return fmt.Sprintf("error %v, want %v", gotErr, wantErr)
		}
		return ""
	}
	unpack(&yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{got}}, mark)
	return cmp.Diff(expanded(want), expanded(got), sameTree)
}

// expanded returns the tree with a node for each number of a number list. It gives all numbers the tag !!int,
// because the library gives 08 the tag !!float.
func expanded(n *yaml.Node) *yaml.Node {
	one := *n
	if IsNumber(n) {
		one.Tag = "!!int"
	}
	one.Content = nil
	for _, child := range Items(n) {
		copied := *child
		one.Content = append(one.Content, expanded(&copied))
	}
	return &one
}

func FuzzPackedLists(f *testing.F) {
	for _, tt := range awkwardLists {
		f.Add([]byte(tt.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := Reader{MaxBytes: 1 << 20, MaxMarks: 64 << 10}
		if r.CheckSize(text, false) != nil || checkCharacters(text) != nil {
			return
		}
		if msg := comparePacked(text); msg != "" {
			t.Fatalf("%q: %s", text, msg)
		}
	})
}

// TestAbsentRune checks that the text does not contain the character that absentRune returns, not even as an escape
// sequence.
func TestAbsentRune(t *testing.T) {
	t.Parallel()
	privates := func(from, to rune) string {
		var all strings.Builder
		for r := from; r < to; r++ {
			all.WriteRune(r)
		}
		return all.String()
	}
	for _, tt := range []struct {
		reason, has string
		want        rune
	}{
		{"any character can replace commas in an empty text", "", ';'},
		{"the first character is in the text", ";", '~'},
		{"the first character of one byte is left", shortMarks[1:], ';'},
		{"all characters of one byte are in the text", shortMarks, firstPrivate},
		{"the first private character is in the text, too", shortMarks + "\uE000", firstPrivate + 1},
		{"all characters with the first byte 0xEE are in the text", shortMarks + privates(firstPrivate, 0xF000), 0xF000},
		{"the last character is left", shortMarks + privates(firstPrivate, lastPrivate), lastPrivate},
		{"no character is left", shortMarks + privates(firstPrivate, lastPrivate+1), 0},
	} {
		for _, form := range []string{"%c", `\x%02x`, `\u%04x`, `\U%08X`} {
			var text strings.Builder
			for _, r := range tt.has {
				if form == `\x%02x` && r > 0xFF {
					fmt.Fprintf(&text, "%c", r)
				} else {
					fmt.Fprintf(&text, form, r)
				}
			}
			if got := absentRune([]byte(text.String())); got != tt.want {
				t.Errorf("%s, written %s: %U, want %U", tt.reason, form, got, tt.want)
			}
		}
	}
	for _, text := range []string{`\`, `\u`, `\u003`, `\U0010FFFF`, `\UFFFFFFFF`, `\x`, `\uzzzz`, `\n`} {
		if got := absentRune([]byte(text)); got != ';' {
			t.Errorf("%s: %U", text, got)
		}
	}
}

// TestListsCountWithoutMark checks that CheckSize counts each comma of a number list if no character can replace the
// commas. The function packed requires a character that is not in the text. The last text of this test has all possible
// characters.
func TestListsCountWithoutMark(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for r := rune(firstPrivate); r <= lastPrivate; r++ {
		all.WriteRune(r)
	}
	const most = 1000
	r := Reader{MaxBytes: 1 << 20, MaxMarks: most}
	list := "values: [" + strings.Repeat("1,", most) + "1]\n"
	if err := r.CheckSize([]byte("# "+all.String()+"\n"+list), false); err != nil {
		t.Errorf("with the characters of one byte left: %v", err)
	}
	if err := r.CheckSize([]byte("# "+shortMarks+all.String()+"\n"+list), false); err == nil {
		t.Error("a list that has no packed form is within the bounds")
	}
}
