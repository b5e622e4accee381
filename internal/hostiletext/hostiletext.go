// Package hostiletext has texts of YAML and JSON that are made to stop who reads them, and
// holds readers to what they promise of any text.
package hostiletext

import (
	"fmt"
	"strings"
)

// A Text is hostile for a reason.
type Text struct {
	Reason string
	Text   string
}

// Texts returns texts of some n bytes, and short ones.
func Texts(n int) []Text {
	repeat := func(s string) string { return strings.Repeat(s, 1+n/len(s)) }
	var laughs strings.Builder // each line has ten times what the one before it has
	laughs.WriteString("a0: &a0 ha\n")
	for i := range 12 {
		fmt.Fprintf(&laughs, "a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
	}
	return []Text{
		{"a billion laughs", laughs.String()},
		{"merged mappings", "a: &a {b: c}\nd: {<<: [" + repeat("*a, ") + "*a]}"},
		{"an alias of what it is in", "&a [*a]"},
		{"an alias of nothing", "*a"},
		{"anchors", "[" + repeat("&a b, ") + "c]"},
		{"lists in each other", repeat("[")},
		{"mappings in each other", repeat("{a: ")},
		{"lists in lines", repeat("- ")},
		{"lists of JSON in each other", `{"objects":` + repeat("[")},
		{"mappings of JSON in each other", repeat(`{"objects":`)},
		{"closed lists of JSON", `{"objects":` + repeat("[") + repeat("]") + "}"},
		{"complex keys", repeat("? ")},
		{"complex keys on lines", repeat("? a\n")},
		{"a flow list", "[" + repeat("a,") + "]"},
		{"a list of lists", "objects: [" + repeat("[],") + "]"},
		{"a list of mappings of JSON", `{"objects":[` + repeat("{},") + "{}]}"},
		{"items", repeat("- a\n")},
		{"empty items", repeat("-\n")},
		{"keys", repeat("a: b\n")},
		{"one key again and again, in JSON", "{" + repeat(`"objects":[],`) + `"objects":[]}`},
		{"a key of one word", repeat("a") + ": b"},
		{"comments", repeat("#\n")},
		{"comments in a list", "objects:\n" + repeat("# b\n") + "- c\n"},
		{"lines", repeat("\n")},
		{"lines of one text", "a: \"" + repeat("\n") + "\""},
		{"a folded text", "a: >\n" + repeat(" b\n\n")},
		{"spaces", repeat(" ")},
		{"tabs", repeat("\t")},
		{"returns", repeat("\r")},
		{"documents", repeat("---\n")},
		{"directives", repeat("%TAG !a! b\n") + "---\na"},
		{"tags", repeat("- !a b\n")},
		{"a long tag", "- !" + repeat("a") + " b"},
		{"an escaped tag", "- !" + repeat("%41") + " b"},
		{"digits", "PerfTime: " + repeat("1")},
		{"digits of JSON", `{"PerfTime":` + repeat("1") + "}"},
		{"a number of many powers", `{"PerfTime":1e` + repeat("9") + "}"},
		{"a fraction", `{"PerfTime":0.` + repeat("9") + "}"},
		{"digits to base 16", "PerfTime: 0x" + repeat("f")},
		{"digits to base 2", "PerfTime: 0b" + repeat("1")},
		{"digits to base 60", "PerfTime: " + repeat("59:") + "59"},
		{"digits with lines between", "PerfTime: " + repeat("1_")},
		{"a list of numbers", "objects: [{values: [" + repeat("1, ") + "2]}]"},
		{"a list of large numbers", "objects: [{values: [" + repeat("18446744073709551616, ") + "2]}]"},
		{"a number that is none", "max-findings: .nan"},
		{"a number without end", "max-findings: .inf"},
		{"a date", "PerfTime: 2001-12-14t21:59:43.10-05:00"},
		{"escapes", "a: \"" + repeat(`\x41`) + "\""},
		{"escapes of JSON", `{"SystemName":"` + repeat(`\ud834\udd1e`) + `"}`},
		{"half of a pair", `{"SystemName":"` + repeat(`\ud834`) + `"}`},
		{"an escape that ends too early", "a: \"\\U0001"},
		{"no UTF-8", "a: \xff\xfe"},
		{"no UTF-8 in JSON", "{\"SystemName\":\"\xff\xc0\x80\"}"},
		{"no UTF-8 in a key", "{\"\xc3\x28\":1}"},
		{"half of a character", "a: \xf0\x9f\x98"},
		{"UTF-16", "\xff\xfea\x00:\x00 \x00b\x00"},
		{"UTF-16, the other way round", "\xfe\xff\x00a\x00:\x00 \x00b"},
		{"byte order marks", repeat("\ufeff")},
		{"a NUL", "a: \x00"},
		{"NULs", repeat("\x00")},
		{"what terminals obey", "\x1b[2J: \u202e"},
		{"a quote without end", "a: '" + repeat("b")},
		{"a text of JSON without end", `{"a":"` + repeat("b")},
		{"hex", "objects: []\npatches: [{append: {hex: " + repeat("0") + "}}]"},
		{"patches", "objects: []\npatches:\n" + repeat("- append: {hex: 00}\n")},
		{"a long path", "objects: []\npatches: [{" + repeat("object[0].") + "a: 1}]"},
		{"a large index", "objects: []\npatches: [{'object[" + repeat("9") + "].a': 1}]"},
		{"a length beyond any", "objects: [{ObjectNameTitleIndex: 2, blockLength: 0xFFFFFFF8, instances: [" + repeat("{name: a}, ") + "{}]}]"},
		{"a type of words", "objects: [{ObjectNameTitleIndex: 2, counters: [{CounterType: '" + repeat("x|") + "'}]}]"},
		{"severities", "rules: {" + repeat("PERF1105: off, ") + "}"},
		{"a reason", "rules: {PERF1105: {severity: off, reason: '" + repeat("a ") + "'}}"},
	}
}
