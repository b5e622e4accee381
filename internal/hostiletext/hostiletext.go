// Package hostiletext has YAML and JSON texts that attack a reader. It also checks how much time and memory a reader
// needs for them.
package hostiletext

import (
	"fmt"
	"strings"
)

// A Text is an input, and the reason why it could make a reader slow or make it fail.
type Text struct {
	Reason string
	Text   string
}

// Texts returns texts of about n bytes, and short texts for attacks that do not depend on length.
func Texts(n int) []Text {
	repeat := func(s string) string { return strings.Repeat(s, 1+n/len(s)) }
	var laughs strings.Builder // each line refers to the line before it ten times
	laughs.WriteString("a0: &a0 ha\n")
	for i := range 12 {
		fmt.Fprintf(&laughs, "a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
	}
	return []Text{
		{"a billion laughs", laughs.String()},
		{"merged mappings", "a: &a {b: c}\nd: {<<: [" + repeat("*a, ") + "*a]}"},
		{"an alias to a list that contains the alias", "&a [*a]"},
		{"an undefined alias", "*a"},
		{"anchors", "[" + repeat("&a b, ") + "c]"},
		{"nested lists", repeat("[")},
		{"nested mappings", repeat("{a: ")},
		{"nested block lists", repeat("- ")},
		{"nested JSON lists", `{"objects":` + repeat("[")},
		{"nested JSON mappings", repeat(`{"objects":`)},
		{"nested JSON lists, closed", `{"objects":` + repeat("[") + repeat("]") + "}"},
		{"complex keys", repeat("? ")},
		{"complex keys on lines", repeat("? a\n")},
		{"a flow list", "[" + repeat("a,") + "]"},
		{"a list of lists", "objects: [" + repeat("[],") + "]"},
		{"a JSON list of mappings", `{"objects":[` + repeat("{},") + "{}]}"},
		{"items", repeat("- a\n")},
		{"empty items", repeat("-\n")},
		{"keys", repeat("a: b\n")},
		{"one JSON key many times", "{" + repeat(`"objects":[],`) + `"objects":[]}`},
		{"a long key", repeat("a") + ": b"},
		{"comments", repeat("#\n")},
		{"comments in a list", "objects:\n" + repeat("# b\n") + "- c\n"},
		{"lines", repeat("\n")},
		{"a quoted text of empty lines", "a: \"" + repeat("\n") + "\""},
		{"a folded scalar", "a: >\n" + repeat(" b\n\n")},
		{"spaces", repeat(" ")},
		{"tabs", repeat("\t")},
		{"returns", repeat("\r")},
		{"documents", repeat("---\n")},
		{"directives", repeat("%TAG !a! b\n") + "---\na"},
		{"tags", repeat("- !a b\n")},
		{"a long tag", "- !" + repeat("a") + " b"},
		{"an escaped tag", "- !" + repeat("%41") + " b"},
		{"digits", "PerfTime: " + repeat("1")},
		{"JSON digits", `{"PerfTime":` + repeat("1") + "}"},
		{"a JSON number with a long exponent", `{"PerfTime":1e` + repeat("9") + "}"},
		{"a fraction", `{"PerfTime":0.` + repeat("9") + "}"},
		{"hexadecimal digits", "PerfTime: 0x" + repeat("f")},
		{"binary digits", "PerfTime: 0b" + repeat("1")},
		{"sexagesimal digits", "PerfTime: " + repeat("59:") + "59"},
		{"digits with underscores", "PerfTime: " + repeat("1_")},
		{"a list of numbers", "objects: [{values: [" + repeat("1, ") + "2]}]"},
		{"a list of large numbers", "objects: [{values: [" + repeat("18446744073709551616, ") + "2]}]"},
		{"not a number", "max-findings: .nan"},
		{"infinity", "max-findings: .inf"},
		{"a date", "PerfTime: 2001-12-14t21:59:43.10-05:00"},
		{"escapes", "a: \"" + repeat(`\x41`) + "\""},
		{"JSON escapes", `{"SystemName":"` + repeat(`\ud834\udd1e`) + `"}`},
		{"half of a surrogate pair", `{"SystemName":"` + repeat(`\ud834`) + `"}`},
		{"a truncated escape", "a: \"\\U0001"},
		{"invalid UTF-8", "a: \xff\xfe"},
		{"invalid UTF-8 in JSON", "{\"SystemName\":\"\xff\xc0\x80\"}"},
		{"invalid UTF-8 in a key", "{\"\xc3\x28\":1}"},
		{"half of a UTF-8 sequence", "a: \xf0\x9f\x98"},
		{"UTF-16", "\xff\xfea\x00:\x00 \x00b\x00"},
		{"UTF-16, big-endian", "\xfe\xff\x00a\x00:\x00 \x00b"},
		{"byte order marks", repeat("\ufeff")},
		{"a NUL", "a: \x00"},
		{"NULs", repeat("\x00")},
		{"terminal control characters", "\x1b[2J: \u202e"},
		{"an unterminated quote", "a: '" + repeat("b")},
		{"an unterminated JSON string", `{"a":"` + repeat("b")},
		{"hex", "objects: []\npatches: [{append: {hex: " + repeat("0") + "}}]"},
		{"patches", "objects: []\npatches:\n" + repeat("- append: {hex: 00}\n")},
		{"a long path", "objects: []\npatches: [{" + repeat("object[0].") + "a: 1}]"},
		{"a large index", "objects: []\npatches: [{'object[" + repeat("9") + "].a': 1}]"},
		{"a length above all limits", "objects: [{ObjectNameTitleIndex: 2, blockLength: 0xFFFFFFF8, instances: [" + repeat("{name: a}, ") + "{}]}]"},
		{"a long CounterType", "objects: [{ObjectNameTitleIndex: 2, counters: [{CounterType: '" + repeat("x|") + "'}]}]"},
		{"severities", "rules: {" + repeat("PERF1105: off, ") + "}"},
		{"a reason", "rules: {PERF1105: {severity: off, reason: '" + repeat("a ") + "'}}"},
	}
}
