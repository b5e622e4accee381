package yamltext_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/yamltext"
)

var reader = yamltext.Reader{What: "a test", MaxBytes: 1 << 20, MaxMarks: 1 << 20, MaxDepth: 3}

// load decodes a text and reads it.
func load(text string) (*yaml.Node, error) {
	decoded, err := yamltext.Decode([]byte(text))
	if err != nil {
		return nil, err
	}
	return reader.Load("", decoded)
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"an empty text has no document", "", "1:1: the text is empty"},
		{"a comment is no document", "# a\n", "1:1: the text is empty"},
		{"a second document is an error", "a: 1\n---\n", "2:1: a second document; the text must have one document"},
		{"a second document is an error even if it is empty", "a: 1\n---", "2:1: a second document; the text must have one document"},
		{"a directive is an error", "%YAML 1.2\n---\na: 1", "1:1: a line begins with %: YAML directives are not supported"},
		{"a directive may follow a line end that only YAML knows", "a\u2028%TAG ! !", "1:3: a line begins with %: YAML directives are not supported"},
		{"a directive may follow U+0085, which only YAML knows as a line end", "é\u0085%", "1:3: a line begins with %: YAML directives are not supported"},
		{"a percent sign inside a line is not a directive", "a: 5%%\nb: %\r%", "2:6: a line begins with %: YAML directives are not supported"},
		{"an anchor is an error", "a: &x 1", "1:4: anchor &x: YAML anchors and aliases are not supported"},
		{"an alias must have an anchor", "a: *x", "1:4: unknown anchor 'x' referenced"},
		{"a tag is an error", "a:\n- !!str 1", "2:3: tag !!str: YAML tags are not supported"},
		{"a tag without a name is an error", "a: ! 1", "1:4: tag !: YAML tags are not supported"},
		{"the depth is bounded", "[[[[]]]]", "1:4: more than 3 lists and mappings inside each other"},
		{"the depth of a value counts if the value is a mapping", "a: {b: {c: {d: 1}}}", "1:12: more than 3 lists and mappings inside each other"},
		{"the error of the parser comes first if a text is deeper than it allows", strings.Repeat("[", 1<<16), "1:10001: exceeded max depth of 10000 while increasing flow level that starts at 1:10001"},
		{"an error of the syntax has a place", "a: b: c", "1:5: mapping values are not allowed in this context"},
		{"columns count characters", "é: é: c", "1:5: mapping values are not allowed in this context"},
		{"a list without end is an error on the last line", "a: [\n", "2:1: did not find expected node content while parsing a flow node that starts at 2:1"},
		{"a list without end is an error, also without a line end after it", "a: 1\u2028b: [c,\r\n é", "3:3: did not find expected ',' or ']' while parsing a flow sequence that starts at 2:4"},
		{"a list without end is an error after the last character", "a: [", "1:5: did not find expected node content while parsing a flow node that starts at 1:5"},
		{"a long anchor is cut in the message", "&" + strings.Repeat("x", 99) + " 1", "1:1: anchor &" + strings.Repeat("x", 60) + "...: YAML anchors and aliases are not supported"},
		{"a long tag is cut in the message", "!" + strings.Repeat("x", 99) + " 1", "1:1: tag !" + strings.Repeat("x", 59) + "...: YAML tags are not supported"},
		{"a message of the parser is cut", "*" + strings.Repeat("x", 999), "1:1: unknown anchor '" + strings.Repeat("x", 184) + "..."},
		{"a text must be UTF-8", "a: é\xff", "1:5: byte 0xff is not UTF-8; save the text as UTF-8"},
		{"half of a surrogate pair in UTF-16 is an error", "\xff\xfea\x00\x34\xd8b\x00", "1:2: the text is UTF-16 with 0xd834, half of a surrogate pair; save it as UTF-8"},
		{"half of a surrogate pair at the end of UTF-16 is an error", "\xff\xfea\x00\x34\xd8", "1:2: the text is UTF-16 with 0xd834, half of a surrogate pair; save it as UTF-8"},
		{"UTF-16 must not end inside a character", "\xff\xfea\x00\n\x00b", "2:1: the text is UTF-16 and ends inside a character; save it as UTF-8"},
		{"a control character in UTF-16 is an error", "\xff\xfea\x00\x01\x00", `1:2: control character 0x01; write it as \u0001 in double quotes`},
		{"a tab is an error in the indentation", "a:\n\t- b", "2:1: a tab in the indentation: YAML indents with spaces, replace each tab with spaces"},
		{"a tab after spaces is an error in the indentation", "a:\n  b: 1\n \tc: 2", "3:2: a tab in the indentation: YAML indents with spaces, replace each tab with spaces"},
		{"a tab before a second key is an error in the indentation", "a: 1\n\tb: 2", "2:1: a tab in the indentation: YAML indents with spaces, replace each tab with spaces"},
		{"a tab after a question mark indents what follows", "? \ta", "1:3: a tab in the indentation: YAML indents with spaces, replace each tab with spaces"},
		{"a tab after a hyphen indents the mapping that follows", "- b\n-\tkey: x", "2:2: a tab in the indentation: YAML indents with spaces, replace each tab with spaces"},
		{"a tab is an error in the indentation after a carriage return, which ends a line", "objects:\r\t- a", "2:1: a tab in the indentation: YAML indents with spaces, replace each tab with spaces"},
		{"a tab is an error in the indentation of a second document", "a: 1\n---\nb:\n\tc: 2", "4:1: a tab in the indentation: YAML indents with spaces, replace each tab with spaces"},
		{"a tab in braces does not indent more than the lines around the braces", "a:\n    b: {é: 1,\n\tc: 2}", "3:1: a tab in the indentation: YAML indents with spaces, replace each tab with spaces"},
		{"a tab is allowed inside braces, and the error is a missing comma", "{\n\t\"profile\": \"nt4\"\n\t\"fail-on\": \"error\"\n}", "3:2: did not find expected ',' or '}' while parsing a flow mapping that starts at 1:1"},
		{"a tab is allowed inside brackets, and the error is a character after it", "[\n\t{a: 2,\n\t\tb: [@]}]", "3:7: found character that cannot start any token while scanning for the next token that starts at 3:7"},
		{"a tab is allowed in quotes, and the error is a second colon", "\"a\n\tb\": c: d", "2:4: mapping values are not allowed in this context"},
		{"a tab is allowed in brackets that end on its line, and the error is a second colon", "[\n\ta]: b: c", "2:4: mapping values are not allowed in this context"},
		{"a tab after enough spaces is allowed, and the error is a second text", "a:\n \t'b' 'c'", "2:7: did not find expected key while parsing a block mapping that starts at 1:1"},
		{"a tab after enough spaces is allowed, and spaces would give the same error", "a: b\n \tc: d", "2:4: mapping values are not allowed in this context"},
		{"a tab after an ampersand is not indentation, and the error is a missing name", "a: &\tb", "1:5: did not find expected alphabetic or numeric character while scanning an anchor that starts at 1:4"},
		{"a control character is an error", "a: b\nc: \x01", `2:4: control character 0x01; write it as \u0001 in double quotes`},
		{"a second byte order mark is an error", "\ufeff\ufeff- a", `1:1: a line begins with a byte order mark, U+FEFF; write it as \ufeff in double quotes`},
		{"a byte order mark at the start of a line is an error", "- a\n\ufeff- b", `2:1: a line begins with a byte order mark, U+FEFF; write it as \ufeff in double quotes`},
		{"a byte order mark after a line end that only YAML knows is an error", "- a\r\ufeff- b", `1:5: a line begins with a byte order mark, U+FEFF; write it as \ufeff in double quotes`},
		{"a code point that is not a character is an error", "a: \uffff", `1:4: U+FFFF is not a character; write it as \uffff in double quotes`},
	} {
		_, err := load(tt.text)
		if f, ok := errors.AsType[*yamltext.Fault](err); !ok || f.Error() != tt.want {
			t.Errorf("%s:\n got %v\nwant %s", tt.reason, err, tt.want)
		}
	}
}

func TestLoads(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a: 1", "[[[]]]", "[[[a]]]", "a: {b: {c: d}}", "---\na: 1\n...\n", "a: \"%x\"\n", "é%", "# c\na:\t1", "~", "---", "a: \"\ufeff\"\n"} {
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
		"{}": "a mapping", "[]": "a list", "~": "null", "# a\n---": "empty", "''": `the text ""`, "off": `the text "off"`, "5": "5", "1.50": "1.50",
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

// TestPlaceOfMissingValues checks the line and column of a missing value at the end of the text.
func TestPlaceOfMissingValues(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, text string
		line, column int
	}{
		{"an empty document ends where the text ends", "---", 1, 4},
		{"an empty document with a line end ends on the next line", "---\n", 2, 1},
		{"the missing value of the last key is after the key", "a: 1\nb:", 2, 3},
		{"a missing value in a list is after its key", "- 1\n- é:", 2, 5},
		{"a missing item is after its hyphen", "- 1\r\n-", 2, 2},
		{"a value that is present keeps its place", "- 1\n- 23", 2, 3},
		{"empty keys and values inside each other are at the end", "? ?", 1, 4},
		{"a byte order mark does not move the place", "? \ufeff\n", 2, 1},
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

// lastOf returns the last node of the tree in the order of the text.
func lastOf(n *yaml.Node) *yaml.Node {
	last := n
	for _, child := range n.Content {
		if c := lastOf(child); c.Line > last.Line || c.Line == last.Line && c.Column >= last.Column {
			last = c
		}
	}
	return last
}

// TestUTF16 checks that Decode reads UTF-16 in both byte orders, with and without a byte order
// mark, and does not change UTF-8.
func TestUTF16(t *testing.T) {
	t.Parallel()
	const text = "a: é𝄞\r\n- b"
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, mark := range []string{"", "\uFEFF"} {
			var b []byte
			for _, unit := range utf16.Encode([]rune(mark + text)) {
				b = order.AppendUint16(b, unit)
			}
			if got, err := yamltext.Decode(b); err != nil || string(got) != text {
				t.Errorf("%v, mark %q: %q, %v", order, mark, got, err)
			}
		}
	}
	for _, plain := range []string{"", "a", "\x00", "\x00\x00", text, "\uFEFF" + text} {
		if got, err := yamltext.Decode([]byte(plain)); err != nil || string(got) != strings.TrimPrefix(plain, "\uFEFF") {
			t.Errorf("%q: %q, %v", plain, got, err)
		}
	}
}

// TestReport checks that a report has the first 20 faults in the order of the text, and the number of the other
// faults.
func TestReport(t *testing.T) {
	t.Parallel()
	wrap := func(f *yamltext.Fault) error {
		if f.Line == 0 {
			return f.Err
		}
		return f
	}
	if err := yamltext.Report(nil, wrap); err != nil {
		t.Error(err)
	}
	var all yamltext.Faults
	if err := all.Err(); err != nil {
		t.Error(err)
	}
	for n := range 25 {
		all.Add(&yamltext.Fault{Line: 100 - n, Column: 1, Err: errors.New("x")})
		err := yamltext.Report(all.Err(), wrap)
		lines := strings.Split(err.Error(), "\n")
		if want := fmt.Sprintf("%d:1: x", 100-n); lines[0] != want || len(lines) != min(n+1, 21) {
			t.Errorf("%d faults: %d lines, the first %q, want %q", n+1, len(lines), lines[0], want)
		}
		last := map[int]string{20: "and 1 more error", 21: "and 2 more errors", 24: "and 5 more errors"}[n]
		if last != "" && lines[20] != last {
			t.Errorf("%d faults: %q, want %q", n+1, lines[20], last)
		}
	}
	for !all.Full() {
		all.Add(&yamltext.Fault{Line: 1, Column: 1, Err: errors.New("y")})
	}
	if err := yamltext.Report(all, wrap); !strings.HasSuffix(err.Error(), "\nand at least 980 more errors") {
		t.Error(err)
	}
	if err := yamltext.Report(yamltext.Under("a", nil, errors.New("b")), wrap); err.Error() != "a: b" {
		t.Error(err)
	}
}
