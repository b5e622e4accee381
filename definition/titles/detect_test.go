package titles_test

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/definition/titles"
)

func TestDetect(t *testing.T) {
	t.Parallel()
	const (
		query  = "\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\\009\r\n    Counter    REG_MULTI_SZ    1\\01847\\02\\0System\r\n"
		lodctr = "; a comment\r\n[Perflib]\r\nBase Index=1847\r\n"
	)
	text := func(list string) string { return strings.ReplaceAll(list, "|", "\r\n") }
	list := func(list string) string { return string(wide(list)) }
	long := strings.Repeat("4|A name of an object|", 400)
	for _, tt := range []struct {
		name, contents string
		want           bool
		reason         string
	}{
		{"a.bin", list("1|1847|2|System||"), true, "bytes that start as Counter does"},
		{"a.bin", list("1|1847|2|System|" + long + "|"), true, "only the start is read"},
		{"a.bin", list("1|1847|2|System"), true, "the end is cut off, which a rule reports"},
		{"a.bin", list("1|2|1847|System||"), false, "no index can be above the highest"},
		{"a.bin", list("1|1847|2|4|6|8||"), false, "a list of numbers only can be anything"},
		{"a.bin", list("1|1847||"), false, "one pair is too little"},
		{"a.bin", list("2|System|4|Memory||"), false, "a list without pair 1 is not certain"},
		{"Counter 009", list("2|System|4|Memory||"), true, "the name of the file is that of a value"},
		{"dir/help_407.BIN", list("3|The system|5|The memory||"), true, "the folder and the case of the name do not matter"},
		{`C:\x\HELP.txt`, text("3|The system|5|The memory|"), true, "the contents can be text too"},
		{"Counters.txt", text("System|2|Memory|4"), false, "the index comes before the text"},
		{"encounter 009", list("2|System|4|Memory||"), false, "only the whole name of a value counts"},
		{"Help 009", "\x50\x00\x45\x00", false, "the first string must be an index"},
		{"a.txt", text("1|1847|2|System|4|Memory|"), true, "text that starts as Counter does"},
		{"a.txt", "\uFEFF" + text("1|1847|2|System|"), true, "a byte order mark is ignored"},
		{"a.txt", text("1|1847|2|50 00 45 00|"), false, "the second title is bytes in hexadecimal"},
		{"a.txt", text("1|00:00:01 --> 00:00:02|Hello!|"), false, "subtitles have numbers and texts too"},
		{"a.txt", text("1|2|3|four|"), false, "in a numbered list, an index is above the highest"},
		{"a.txt", query, true, "the output of reg query"},
		{"a.txt", query + "    Block    REG_BINARY    50004500\r\n", false, "the output of reg query has a block"},
		{"a.txt", strings.ReplaceAll(query, "Counter", "Export"), false, "the value is another list"},
		{"a.ini", lodctr + "[PerfStrings_009]\r\n2=System\r\n", true, "a file of lodctr /S"},
		{"a.ini", lodctr + strings.Repeat("[PERF_X]\r\nFirst Counter=2\r\n", 500) + "[PERFSTRINGS_007]\r\n", true, "the section is far from the start"},
		{"a.ini", lodctr, false, "no section has titles"},
		{"a.ini", "[info]\r\ndrivername=PerfStrings_009\r\n", false, "the name of the section is a value"},
		{"a.reg", "Windows Registry Editor Version 5.00\r\n\r\n[A\\009]\r\n\"Counter\"=hex(7):31,00,00,00,32,00,00,00,32,00,00,00,41,00,00,00,00,00\r\n", false, "a .reg file, which can have more than titles"},
		{"Counter 009", "P\x00E\x00R\x00F\x00", false, "the bytes start with the signature of a block"},
		{"Counter 009", "", false, "an empty file has no form"},
		{"a.txt", "\xFF\xFE" + list("1\n1847\n2\nSystem\n"), true, "text in UTF-16"},
	} {
		if got := titles.Detect(tt.name, []byte(tt.contents)); got != tt.want {
			t.Errorf("%s %.60q: %v: %s", tt.name, tt.contents, got, tt.reason)
		}
	}
}
