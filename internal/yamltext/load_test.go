package yamltext_test

import (
	"errors"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/yamltext"
)

// load does with a text what its readers do.
func load(text string) (*yaml.Node, error) {
	if err := yamltext.CheckCharacters([]byte(text)); err != nil {
		return nil, err
	}
	root, err := yamltext.Load([]byte(text))
	if err != nil {
		return nil, err
	}
	return root, yamltext.Check(root, 3)
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"nothing", "", "1:1: the text is empty"},
		{"a comment", "# a\n", "1:1: the text is empty"},
		{"two documents", "a: 1\n---\n", "2:1: a second document"},
		{"a second document of nothing", "a: 1\n---", "2:1: a second document"},
		{"a directive", "%YAML 1.2\n---\na: 1", "1:1: a directive; the directives of YAML, lines that start with %, have no use here"},
		{"a directive behind a line that only YAML ends", "a\u2028%TAG ! !", "1:3: a directive; the directives of YAML, lines that start with %, have no use here"},
		{"one behind another such end", "é\u0085%", "1:3: a directive; the directives of YAML, lines that start with %, have no use here"},
		{"one behind others of its kind in lines", "a: 5%%\nb: %\r%", "2:6: a directive; the directives of YAML, lines that start with %, have no use here"},
		{"an anchor", "a: &x 1", "1:4: an anchor, &x; anchors and aliases have no use here"},
		{"an alias to nothing", "a: *x", "1:4: unknown anchor 'x' referenced"},
		{"a tag", "a:\n- !!str 1", "2:3: a tag, !!str; values have no tags here"},
		{"the tag of no kind", "a: ! 1", "1:4: a tag, !; values have no tags here"},
		{"depth", "[[[[]]]]", "1:4: more than 3 lists and mappings in each other"},
		{"depth that ends the parser", strings.Repeat("[", 1<<16), "1:10001: exceeded max depth of 10000 while increasing flow level that starts at 1:10001"},
		{"no YAML", "a: b: c", "1:5: mapping values are not allowed in this context"},
		{"columns count characters", "é: é: c", "1:5: mapping values are not allowed in this context"},
		{"no end", "a: [\n", "2:1: did not find expected node content while parsing a flow node that starts at 2:1"},
		{"no end, and none of the line", "a: 1\u2028b: [c,\r\n é", "3:3: did not find expected ',' or ']' while parsing a flow sequence that starts at 2:4"},
		{"no end, within a list", "a: [", "1:5: did not find expected node content while parsing a flow node that starts at 1:5"},
		{"an anchor that no message can bear", "&" + strings.Repeat("x", 99) + " 1", "1:1: an anchor, &" + strings.Repeat("x", 60) + "...; anchors and aliases have no use here"},
		{"a tag that no message can bear", "!" + strings.Repeat("x", 99) + " 1", "1:1: a tag, !" + strings.Repeat("x", 59) + "...; values have no tags here"},
		{"an alias that no message can bear", "*" + strings.Repeat("x", 999), "1:1: unknown anchor '" + strings.Repeat("x", 184) + "..."},
		{"not UTF-8", "a: é\xff", "1:5: byte 0xff is not UTF-8"},
		{"UTF-16", "\xff\xfea\x00", "1:1: byte 0xff is not UTF-8"},
		{"a control character", "a: b\nc: \x01", `2:4: the control character 0x01; in quotes write \u0001`},
		{"a mark of byte order that nobody took away", "\ufeff- a", `1:1: a mark of byte order, U+FEFF; in quotes write \ufeff`},
		{"one that starts a line", "- a\n\ufeff- b", `2:1: a mark of byte order, U+FEFF; in quotes write \ufeff`},
		{"one that starts what YAML calls a line", "- a\r\ufeff- b", `1:5: a mark of byte order, U+FEFF; in quotes write \ufeff`},
		{"no character", "a: \uffff", `1:4: U+FFFF is no character; in quotes write \uffff`},
	} {
		_, err := load(tt.text)
		if f, ok := errors.AsType[*yamltext.Fault](err); !ok || f.Error() != tt.want {
			t.Errorf("%s:\n got %v\nwant %s", tt.reason, err, tt.want)
		}
	}
}

func TestLoads(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a: 1", "[[[]]]", "---\na: 1\n...\n", "a: \"%x\"\n", "é%", "# c\na:\t1", "~", "---", "a: \"\ufeff\"\n"} {
		root, err := load(text)
		if err != nil || root == nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 61)
	for text, want := range map[string]string{
		"{}": "a mapping", "[]": "a list", "~": "nothing", "''": `the text ""`, "off": `the text "off"`, "5": "5", "1.50": "1.50",
		"true": "true", "'true'": `the text "true"`, long: `the text "` + long[1:] + `"...`,
		"1" + strings.Repeat("0", 80): "1" + strings.Repeat("0", 59),
	} {
		root, err := load(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := yamltext.Describe(root); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// What is not there is at the end of the text, and not on a line behind it.
func TestNothingIsInTheText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, text string
		line, column int
	}{
		{"a document of nothing", "---", 1, 4},
		{"one with the end of its line", "---\n", 2, 1},
		{"the value of the last key", "a: 1\nb:", 2, 3},
		{"that of a key in a list", "- 1\n- é:", 2, 5},
		{"the last of a list", "- 1\r\n-", 2, 2},
		{"what is there is where it starts", "- 1\n- 23", 2, 3},
		{"keys and values of nothing, in each other", "? ?", 1, 4},
		{"nothing behind a mark of byte order", "? \ufeff\n", 2, 1},
	} {
		n, err := load(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		n = lastOf(n)
		if n.Line != tt.line || n.Column != tt.column {
			t.Errorf("%s: %d:%d, want %d:%d", tt.reason, n.Line, n.Column, tt.line, tt.column)
		}
	}
}

// lastOf returns the node that is nearest to the end of the text.
func lastOf(n *yaml.Node) *yaml.Node {
	last := n
	for _, child := range n.Content {
		if c := lastOf(child); c.Line > last.Line || c.Line == last.Line && c.Column >= last.Column {
			last = c
		}
	}
	return last
}
