package titles_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/definition/titles"
)

// TestRead checks the pairs and the faults of databases in all forms.
func TestRead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason   string
		contents []byte
		want     string
	}{
		{"the bytes of a value are pairs", wide("1|1847|2|System|4| ||"), `Counter ""
  "1" "1847"
  "2" "System"
  "4" " "
`},
		{"a table with more odd than even indexes has help texts", wide(help), `Help ""
  "3" "About the system"
  "5" "About memory"
`},
		{"a duplicate index, a skipped index and an empty name are kept", wide("1|1847|2|System|2|Again|90|||"), `Counter ""
  "1" "1847"
  "2" "System"
  "2" "Again"
  "90" ""
  order 0x20: the index is 2, must be greater than 2, the index before it
`},
		{"the last index has no name", wide("1|1847|2||"), `Counter ""
  "1" "1847"
  "2" lone
  unpaired 0xe: the string "2" is the last, must have a text after it
`},
		{"an empty index moves no other pair", wide("1|1847||Lost|2|System|x|Hex||"), `Counter ""
  "1" "1847"
  "" "Lost"
  "2" "System"
  "x" "Hex"
  index 0xe: the index is "", must be a decimal number
  index 0x2c: the index is "x", must be a decimal number
`},
		{"a table with more even than odd indexes has names, and the pair with index 1 is missing", wide("2|System|4|Memory|7|Odd||"), `Counter ""
  "2" "System"
  "4" "Memory"
  "7" "Odd"
  first 0x0: the first pair has the index "2", must start with the index 1 and the highest index of the system
  parity 0x24: the index is 7, must be even for a name
`},
		{"only the first pair may have the index 1", wide("1|9|2|a|1|b||"), `Counter ""
  "1" "9"
  "2" "a"
  "1" "b"
  parity 0x10: the index is 1, must be even for a name
  order 0x10: the index is 1, must be greater than 2, the index before it
`},
		{"a table with pair 1 has names, also if their indexes are odd", wide("1|9|3|a|5|b||"), `Counter ""
  "1" "9"
  "3" "a"
  "5" "b"
  parity 0x8: the index is 3, must be even for a name
  parity 0x10: the index is 5, must be even for a name
`},
		{"a help text must have an odd index", wide("3|a|5|b|6|c||"), `Help ""
  "3" "a"
  "5" "b"
  "6" "c"
  parity 0x10: the index is 6, must be odd for a help text
`},
		{"a string without its NUL is kept", wide("1|1847|2|Sys"), `Counter ""
  "1" "1847"
  "2" "Sys"
  truncated 0x12: the list ends in the string "Sys", must have a NUL after each string and an empty string at the end
`},
		{"the empty string at the end is missing", wide("1|1847|2|System|"), `Counter ""
  "1" "1847"
  "2" "System"
  truncated 0x12: the list ends with "System", must end with an empty string
`},
		{"the value was cut off in a character", append(wide("1|1847|2|System||"), 'x'), `Counter ""
  "1" "1847"
  "2" "System"
  truncated 0x22: the list ends with half a character of UTF-16, must end with an empty string
`},
		{"empty strings are pairs too", wide("|||||"), `Counter ""
  "" ""
  "" ""
  first 0x0: the first pair has the index "", must start with the index 1 and the highest index of the system
  index 0x0: the index is "", must be a decimal number
  index 0x4: the index is "", must be a decimal number
`},
		{"half a surrogate pair becomes U+FFFD, with a fault", append(wide("1|1847|2|"), 0x00, 0xD8, 0, 0, 0, 0), `Counter ""
  "1" "1847"
  "2" "` + "\uFFFD" + `"
  text 0x12: the string "` + "\uFFFD" + `" has half a character of UTF-16, must be valid UTF-16
`},
		{"U+FFFD is a character like others", wide("1|1847|2|a\uFFFD||"), `Counter ""
  "1" "1847"
  "2" "a` + "\uFFFD" + `"
`},
		{"empty lines at the end are not pairs", []byte("1\n1847\n2\nSystem\n4\n\n\n\n"), `Counter ""
  "1" "1847"
  "2" "System"
  "4" ""
`},
		{"text can be UTF-16 with a byte order mark", append([]byte{0xFF, 0xFE}, wide("1\r\n1847\r\n4\r\nMémoire\r\n2\r\nSystem\r\n")...), `Counter ""
  "1" "1847"
  "4" "Mémoire"
  "2" "System"
  order 5:1: the index is 2, must be greater than 4, the index before it
`},
		{"text can be UTF-16 without a byte order mark", wide("1\n1847\n2\nSystem\n"), `Counter ""
  "1" "1847"
  "2" "System"
`},
		{"after a missing line, indexes and names are mixed up", []byte("1\n1847\nSystem\n4\nMemory"), `Counter ""
  "1" "1847"
  "System" "4"
  "Memory" lone
  index 3:1: the index is "System", must be a decimal number
  unpaired 5:1: the string "Memory" is the last, must have a text after it
  index 5:1: the index is "Memory", must be a decimal number
`},
		{"a .reg file can have several languages", []byte(export(t)), `Counter "009"
  "1" "1847"
  "2" "System"
  "4" "Memory"
  "6" "% Processor Time"
  "238" "Processor"
Help "009"
  "3" "About the system"
  "5" "About memory"
Counter "007"
  "1" "1847"
  "2" "System"
  "4" "Arbeitsspeicher"
`},
		{"faults in a .reg file have a line and a column", []byte("Windows Registry Editor Version 5.00\n\n[K\\009]\n\"Counter\"=hex(7):31,00,00,00,31,00,00,00,\\\n  37,00,00,00,\\\n  78,00,00,00,39,00,00,00,00,00,00,00\n\"Last Counter\"=dword:00000007\n"), `Counter "009"
  "1" "1"
  "7" "x"
  "9" ""
  parity 5:3: the index is 7, must be even for a name
  parity 6:15: the index is 9, must be even for a name
`},
		{"the output of reg query has \\0 between strings", []byte("\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\\009\r\n    Counter    REG_MULTI_SZ    1\\01847\\02\\0System\\0x\\0y\\0\\0\r\n    Help    REG_MULTI_SZ    3\\0About\r\n\r\n"), `Counter "009"
  "1" "1847"
  "2" "System"
  "x" "y"
  index 3:52: the index is "x", must be a decimal number
Help "009"
  "3" "About"
`},
		{"a comment in a value has no bytes", []byte("Windows Registry Editor Version 5.00\n[K\\009]\n\"Help\"=hex(7):33,00,00,00,41,00,00,00,\\ ; dead\n  ; beef\n  78,00,00,00,42,00,00,00,00,00\n"), `Help "009"
  "3" "A"
  "x" "B"
  index 5:3: the index is "x", must be a decimal number
`},
		{"a file can have two outputs of reg query /s, which end with the number of matches", []byte("\r\nHKEY_LOCAL_MACHINE\\K\\009\r\n    Counter    REG_MULTI_SZ    1\\04\\04\\0A\r\n\r\nEnd of search: 1 match(es) found.\r\n\r\nHKEY_LOCAL_MACHINE\\K\\007\r\n    Counter    REG_MULTI_SZ    1\\04\\04\\0B\r\n\r\nEnd of search: 1 match(es) found.\r\n"), `Counter "009"
  "1" "4"
  "4" "A"
Counter "007"
  "1" "4"
  "4" "B"
`},
		{"a key can have a comment, and white space can surround =", []byte("Windows Registry Editor Version 5.00\n# a\n[K\\009] ; b\n \"Help\" = Hex(07):33,00,00,00,41,00,00,00,00,00 ; c\n"), `Help "009"
  "3" "A"
`},
		{"the values of HKEY_PERFORMANCE_DATA have the language in their names", []byte("HKEY_PERFORMANCE_DATA\n    Counter 00C    REG_MULTI_SZ    1\\01847\\04\\0Memoire\n"), `Counter "00C"
  "1" "1847"
  "4" "Memoire"
`},
		{"in a file of lodctr /S, the order of names and the order of help texts are checked separately", []byte("[PerfStrings_009]\n2=a\n4=b\n3=c\n5=d\n"), `Counter and Help "009"
  "2" "a"
  "4" "b"
  "3" "c"
  "5" "d"
`},
		{"lodctr /S writes code page 1252", []byte("[Perflib]\r\nBase Index=1847\r\n[PerfStrings_009]\r\n2=System\r\n3=About the syst\xe8me\r\n 4 = Memory=x\r\nodd line\r\n2=Again\r\n[PerfStrings_00C]\r\n2=Syst\xe8me\r\n\x1a"), `Counter and Help "009"
  "2" "System"
  "3" "About the système"
  "4" " Memory=x"
  "odd line" lone
  "2" "Again"
  unpaired 7:1: the line "odd line" has no =, must be INDEX=TEXT
  order 8:1: the index is 2, must be greater than 4, the index before it
Counter and Help "00C"
  "2" "Système"
`},
	} {
		d, err := titles.Read(tt.contents)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		if diff := cmp.Diff(tt.want, describe(d)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestReadErrors checks the errors for contents that are not a title database.
func TestReadErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason   string
		contents []byte
		want     string
	}{
		{"an empty file is no database", nil, "is empty, must be a title database"},
		{"a block is no database", wide("PERF|"), "is a data block, must be a title database"},
		{"a text without an index is no database", []byte("a note\nabout titles\n"), "1:1: is not a title database: no string is a decimal index"},
		{"bytes without an index are no database", []byte{0x7F, 'E', 'L', 'F', 0, 0, 1, 0}, "is not a title database: no string is a decimal index"},
		{"the size is limited", make([]byte, titles.MaxSize+1), "has 33554433 bytes, a title database must have at most 33554432"},
		{"the number of strings is limited", make([]byte, 3<<20), "has more than 1048576 strings, the limit of a title database"},
		{"a .reg file must have a value with titles", []byte("Windows Registry Editor Version 5.00\n\n[K]\n\"A\"=hex:00\n"), "1:1: there is no value Counter or Help of Perflib with the type REG_MULTI_SZ, which is hex(7) in a .reg file"},
		{"bytes of another type are not titles", []byte("Windows Registry Editor Version 5.00\n\n[K]\n\"Counter\"=hex:31,00,00,00,31,00,00,00,00,00\n"), "1:1: there is no value Counter or Help of Perflib with the type REG_MULTI_SZ, which is hex(7) in a .reg file"},
		{"a name must be unique", []byte("Windows Registry Editor Version 5.00\n\n[K]\n\"Counter\"=hex(7):31,00,00,00,00,00\n\"counter\"=hex(7):31,00,00,00,00,00\n"), "5:1: counter: an earlier value already has this name"},
		{"the strings must have an index", []byte("Windows Registry Editor Version 5.00\n\n[K]\n\"Counter\"=hex(7):41,00,00,00,00,00\n"), "4:1: Counter: is not a title database: no string is a decimal index"},
		{"a text of several lines has no known end", []byte("HKEY_LOCAL_MACHINE\\X\n    Counter    REG_MULTI_SZ    2\\0a\nb\\04\\0c\n    Help    REG_MULTI_SZ    3\\0d\n"), `3:1: "b\\04\\0c" is not a line of reg-query (example: "    Block    REG_BINARY    50004500")`},
		{"a number at the end of a text is not the number of matches", []byte("HKEY_LOCAL_MACHINE\\X\\009\n    Counter    REG_MULTI_SZ    2\\0a\nb 4\n\nHKEY_LOCAL_MACHINE\\X\\007\n    Counter    REG_MULTI_SZ    2\\0c\n"), `3:1: "b 4" is not a line of reg-query (example: "    Block    REG_BINARY    50004500")`},
		{"hexadecimal bytes must have two digits", []byte("Windows Registry Editor Version 5.00\n\n[K]\n\"Counter\"=hex(7):0\n"), "4:18: '0' in a value in hex, must be two hex digits for each byte"},
		{"a .reg file of version 4 is refused", []byte("REGEDIT4\n\n[K]\n\"Counter\"=hex(7):31,00,00\n"), "1:1: is a .reg file of version 4, which has names in a code page; export it again as version 5"},
		{"the output of reg query must have a value with titles", []byte("HKEY_LOCAL_MACHINE\\X\n    A    REG_SZ    b\n"), "1:1: there is no value Counter or Help of Perflib with the type REG_MULTI_SZ, which is hex(7) in a .reg file"},
		{"an .ini file for lodctr has no section with titles", []byte("[info]\ndrivername=x\n"), "1:1: no section is [PerfStrings_LANGID], which lodctr /S writes for each language"},
	} {
		_, err := titles.Read(tt.contents)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: error %v, want %s", tt.reason, err, tt.want)
		}
	}
	if _, err := titles.Read([]byte("a note\n")); !errors.Is(err, titles.ErrNoTitles) {
		t.Errorf("%v does not wrap ErrNoTitles", err)
	}
}
