package armor_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/armor"
)

// decodings are texts with the bytes that an input reads from them. If fails is true, want is
// a part of the error.
var decodings = []struct {
	input, text, want string
	fails             bool
	reason            string
}{
	{"hex", "50 00\n45", "P\x00E", false, "pairs with white space"},
	{"hex", "500045", "P\x00E", false, "pairs in one run"},
	{"hex", "0x50, 0x0,0X45,", "P\x00E", false, "as in C; one digit is enough after 0x"},
	{"hex", "50-00-45", "P\x00E", false, "as .NET prints bytes"},
	{"hex", "\uFEFF50 00", "P\x00", false, "a byte order mark, as Windows writes"},
	{"hex", "# a note {\n50 00\r\n", "P\x00", false, "comments with any text, and Windows line ends"},
	{"array", "unsigned char a[] = {\n 0x50, 0x00 };\nunsigned int a_len = 2;\n", "P\x00", false, "xxd -i"},
	{"xxd", "00000000: 5000 4500 5200  P.E.R.\n00000006: 46  F\n", "P\x00E\x00R\x00F", false, "xxd"},
	{"xxd", "00000000: 6162                                     ab\n", "ab", false, "the text column looks like hex"},
	{"hexdump", "00000000  50 00 45 00 52 00 46 00  01 02  |P.E.R.F..|\n0000000a\n", "P\x00E\x00R\x00F\x00\x01\x02", false, "hexdump -C with its last line"},
	{"dump", "0010 | 50 00 | Name = \"a|b {\"\n0012 | 45 | x\n", "P\x00E", false, "a part of a dump"},
	{"dump", "0000 | 50 00 | a\n0000 | 50 00 45 | b\n", "P\x00E", false, "a dump of counters that overlap"},
	{"dump", "0000 |  | object[1]: 0 bytes unread\n0000 | 50 | a\n", "P", false, "a line of a dump without bytes"},
	{"dump", "0000 | 50 00 | a\n0000 | 51 00 | b\n", "2:1: the bytes differ from those of an earlier line", true, "a dump in which one of two lines was edited"},
	{"xxd", "0000: 50\n0002: 51\n", "2:1: offset is 0x2, must be 0x1", true, "a line is missing"},
	{"xxd", "0010: 50\n0000: 51\n", "2:1: offset is 0x0", true, "lines in the wrong order"},
	{"hexdump", "00000000  50 |P|\n*\n00000010\n", "2:1: * means omitted lines", true, "hexdump omits repeated lines"},
	{"hexdump", "00000000  50 |P|\n00000002\n", "2:1: \"00000002\" is not a line of hexdump", true, "the last offset of hexdump is not the end"},
	{"xxd", "0000: 50\n50 00\n", "2:1: \"50 00\" is not a line of xxd, such as", true, "an offset or bytes"},
	{"hex", "50 0", "1:4: 1 hex digit, must be two", true, "half a byte"},
	{"hex", "50\n5g", "2:2: 'g' is not a hex digit", true, "a letter that is not a digit"},
	{"hex", "0x", "1:1: 0x without a hex digit after it", true, "no digit after 0x"},
	{"hex", "50 0x\n00", "1:4: 0x without a hex digit after it", true, "no digit at the end of a line"},
	{"hex", "0x, 0x50", "1:1: 0x without a hex digit after it", true, "no digit before a comma"},
	{"hex", "0xg0", "1:3: 'g' is not a hex digit", true, "another letter after 0x"},
	{"hex", "0x5000", "1:1: 0x with 4 digits", true, "the byte order is unknown"},
	{"hex", "é", "1:1: 'é'", true, "columns and letters are characters"},
	{"hex", "é 1", "1:1: 'é'", true, "not at the end of the text"},
	{"array", "{ 0x50", "1:1: { without a } after it", true, "an array that was cut off"},
	{"hex", " \n", "2:1: there are no bytes", true, "an empty text"},
	{"hex", "# 50\n", "2:1: there are no bytes", true, "only a comment"},
	{"array", "this is { not } an array", "1:1: there is no { of an array", true, "a { in a text"},
	{"hex", "50 00\n45 {P.E}\n", "2:4: '{' is not a hex digit", true, "a { after bytes"},
	{"dump", "header\n0000 | 50 00 | Name = \"{x}\"\n", "1:1: \"header\" is not a line of dump", true, "a { in a line of a dump"},
	{"array", "// see {x}\nstatic BYTE a[] = { 0x50 };", "P", false, "a { in a comment"},
	{"array", "/* {x} */ static BYTE a[] = { 0x50 };", "P", false, "a { in another comment"},
	{"array", "static BYTE a[] = // P\n/* E */ { 0x50 };", "P", false, "comments before {"},
	{"array", "{0x50, 16}", "1:8: '1' does not start a byte: each must start with 0x", true, "a decimal number of C is not hex"},
	{"array", "// P\n{ 0x50 }", "P", false, "only a comment before {"},
	{"array", "var b = []byte{\n0x50,\n}", "P", false, "a slice of Go"},
	{"array", "std::vector<BYTE> v {0x50};", "P", false, "a vector of C++"},
	{"array", "namespace x { BYTE a[1] = { 0x50 }; }", "P", false, "a { before that of the array"},
	{"array", "a[] = {}", "1:7: there are no bytes between { and }", true, "an empty array"},
	{"dump", "\x1b[2m0000 | 50 00 |\x1b[0;22m \x1b[36mName\x1b[m\n", "P\x00", false, "a dump in colours"},
	{"hex", "\x1b[2J50", "1:1: '\\x1b' is not a hex digit", true, "an escape sequence that is not a colour"},

	{"hex", "0000000 50 00 45 00\n0000004\n", "1:1: looks like the output of od -tx1", true, "seven digits are not bytes"},
	{"hex", "000000 50 00 45 00\n000004 52\n", "1:1: looks like the output of od -tx1", true, "six digits could be bytes, but the second line is an offset (od -Ax)"},
	{"hex", "0000000 50 00 45 00 50 00 45 00\n0000010 52\n0000011\n", "od -tx1", true, "offsets in octal"},
	{"hex", "0000000 50 00 45 00 >P.E.<\n", "1:1: 7 hex digits", true, "od -z writes two spaces before the text"},
	{"hex", "0000000 50 00 45 00  >P.E.<\n0000004\n", "od -tx1", true, "od -tx1z"},
	{"hex", "0000000 0050 0045\n0000004\n", "od or hexdump with words of several bytes", true, "hexdump"},
	{"hex", "0000000    0050    0045\n", "od or hexdump with words of several bytes", true, "one line of hexdump -x"},
	{"hex", "0000000 000120 000105\n0000004\n", "od or hexdump with words of several bytes", true, "od"},
	{"hex", "0000000 120 000 105 000\n0000004\n", "od -b, in octal", true, "od -b"},
	{"hex", "000000 00450050 00460052\n000008\n", "od or hexdump with words of several bytes", true, "od -Ax -tx4, in which all words are whole bytes"},
	{"hex", "00000000 00000000\n00000004 00000000", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00", false, "groups of one width are bytes"},
	{"hex", "500045 00\n520046 00\n", "P\x00E\x00R\x00F\x00", false, "not offsets: the second does not follow from the first"},
	{"hex", "500045 00\n52004 00\n", "2:1: 5 hex digits", true, "a missing digit has a place"},
	{"xxd", "fffffffffffffffff: 50", "1:1: offset fffffffffffffffff is too large", true, "an offset of 17 digits"},

	{"base64", "UABF", "P\x00E", false, "no padding"},
	{"base64", "UA\n B F", "P\x00E", false, "white space anywhere"},
	{"base64", "UAA=", "P\x00", false, "padded"},
	{"base64", "UAA", "P\x00", false, "without padding"},
	{"base64", "UA==", "P", false, "two padding characters"},
	{"base64", "+/+/", "\xfb\xff\xbf", false, "the standard alphabet"},
	{"base64", "-_-_", "\xfb\xff\xbf", false, "the URL alphabet"},
	{"base64", "-----BEGIN X-----\nUABF\n-----END X-----\n", "P\x00E", false, "PEM"},
	{"base64", "-----BEGIN X-----\nUABFAA==\n-----END X-----\n", "P\x00E\x00", false, "certutil -encode, with padding before the last line"},
	{"base64", "+/-_", "1:3: '-' mixes the standard and the URL alphabet", true, "both alphabets"},
	{"base64", "UAB", "1:3: the base64 was cut off or changed here", true, "four characters were cut to three"},
	{"base64", "UABFU", "1:5: the base64 was cut off or changed here", true, "no byte has six bits"},
	{"base64", "UA=", "1:4: the base64 was cut off or changed here", true, "half of the padding"},
	{"base64", "UA===", "1:5: the base64 was cut off or changed here", true, "too much padding"},
	{"base64", "=", "1:1: the base64 was cut off or changed here", true, "only padding"},
	{"base64", "UAA=UA", "1:5: the base64 was cut off or changed here", true, "text after the padding"},
	{"base64", "UA\nB!", "2:2: '!' is not base64", true, "not in the alphabet"},
	{"base64", "", "1:1: the text has no base64", true, "an empty text"},

	{"raw", "50 00", "50 00", false, "raw reads any bytes"},

	{"auto", "P\x00E\x00R\x00F\x00", "P\x00E\x00R\x00F\x00", false, "the signature"},
	{"auto", "50\x00", "50\x00", false, "NUL is not text"},
	{"auto", "50\xff", "50\xff", false, "not UTF-8"},
	{"auto", "50 00", "P\x00", false, "hex"},
	{"auto", "5000", "P\x00", false, "valid base64 too; hex is preferred"},
	{"auto", "UABF", "P\x00E", false, "not hex, so base64"},
	{"auto", "0000 | 50 | Name = \"Ünïcode\"\n", "P", false, "names in a dump may have any letters"},
	{"auto", "0000000 5000 4500 5200\n", "1:1: looks like the output of od or hexdump", true, "valid base64 by chance"},
	{"auto", "{}", "1:1: is text that fits no form of --input: \"{}\"; tried hex, dump, xxd, hexdump, array,", true, "an empty array has no bytes"},
	{"auto", "\x1b[1m50\x1b[0m", "P", false, "colours are ignored"},
	{"auto", "\x1b[2J50", "\x1b[2J50", false, "other escape sequences are not text"},
	{"auto", "hello, world\n50", "1:1: is text that fits no form of --input: \"hello, world\"; tried hex, ", true, "the first line fits no form"},
	{"auto", "# note\n\nhello, world\n", "3:1: is text that fits no form", true, "comments and empty lines fit every form"},
	{"auto", "50 00\n45 x\n", "2:4: read as hex, the form of the lines before: 'x' is not a hex digit", true, "the first line fits one form"},
	{"auto", "Hello\nworld!\n", "1:1: is text that fits no form of --input: \"Hello\"", true, "base64 reads any word"},
	{"auto", "name: x\ny: z\n", "1:1: is text that fits no form", true, "labels of Format-Hex, but no line with bytes"},
	{"auto", "a = {}\nb = 1\n", "1:1: is text that fits no form", true, "source code that has no bytes"},
	{"auto", "a[] = {0x50, 0xg}", "1:1: is text that fits no form", true, "bytes on the first line only"},
	{"auto", "0012ff00  00450050 00460052\n", "1:1: is text that hex and windbg read differently; select one with --input hex or --input windbg", true, "one line of dd without a backtick could be four big-endian words"},
	{"auto", "5\x000\x00\n\x00", "P", false, "UTF-16 without a byte order mark"},
	{"auto", "5\x000\x00", "P", false, "the same without a line end"},
	{"auto", "\x005\x000", "P", false, "the same in big-endian order"},
	{"auto", "\xff\xfe\x1b\x00[\x001\x00m\x005\x000\x00", "P", false, "colours in UTF-16"},
	{"auto", "\xff\xfe5\x000\x00\r\x00\n", "1:4: half a character of UTF-16", true, "a text that was cut off"},
	{"raw", "\xff\xfe5\x000\x00", "\xff\xfe5\x000\x00", false, "raw takes any bytes"},
	{"auto", "\xff\xfeP\x00\x00\x00E\x00\x00\x00R\x00\x00\x00F\x00\x00\x00", "1:1: is a block that > of Windows PowerShell changed to UTF-16", true, "a data block"},
	{"auto", "P\x00\x00\x00E\x00\x00\x00R\x00\x00\x00F\x00\x00\x00", "1:1: is a block that > of Windows PowerShell changed", true, "the same without a mark"},
	{"hex", "\xff\xfeP\x00\x00\x00E\x00\x00\x00R\x00\x00\x00F\x00\x00\x00", "1:1: is a block that > of Windows PowerShell changed", true, "the same as hex"},
	{"auto", "\xff\xfe8\x00\x00\x00\x02\x00\x00\x00\x10\x25\x01\x00", "1:1: is a block that > of Windows PowerShell changed", true, "objects: NULs, and a character of code page 437"},
	{"auto", "\xff\xfe5\x00\x00\x00", "\xff\xfe5\x00\x00\x00", false, "a string with a NUL at its end"},
	{"auto", "p\x00q\x00-\x00", "p\x00q\x00-\x00", false, "a string without a NUL at its end"},
	{"auto", "U\x00A\x00B\x00F\x00", "U\x00A\x00B\x00F\x00", false, "the same, although it is base64"},
	{"auto", "h\x00i\x00 \x00y\x00o\x00u\x00\r\x00\n\x00", "1:1: is text that fits no form of --input: \"hi you\"", true, "text in UTF-16, not a block"},
	{"auto", "\xfc\x00b\x00\n\x00", "\xfc\x00b\x00\n\x00", false, "without a mark, UTF-16 has only ASCII characters"},
	{"auto", "\xff\xfeh\x00i\x00 \x00y\x00o\x00u\x00", "1:1: is text that fits no form", true, "the mark and ASCII: text, not a block"},
	{"auto", "\xff\xfe\x34\x12\x78\x56\xbc\x9a\xf0\x3e", "\xff\xfe\x34\x12\x78\x56\xbc\x9a\xf0\x3e", false, "the start of a GUID, not UTF-16 text"},
	{"auto", "h\x00i\x00\n\x00!", "2:1: half a character of UTF-16 at the end", true, "an odd number of bytes without a mark"},
	{"auto", "0 Gr\xfc\xdfe aus der Konsole: kein Block\r\n", "1:1: is text that fits no form", true, "text in a code page"},
	{"auto", "\xfc is in a code page but has no line", "\xfc is in a code page but has no line", false, "it could be a GUID"},
	{"auto", strings.Repeat("\x8f\xe0\xae\xe6\xa5\xe1\xe1\xae\xe0 ", 13) + "\r\n", "1:1: is text that fits no form", true, "Cyrillic text, too long for GUIDs"},
	{"auto", "\x8f\xe0\xae\xe6\xa5\xe1\xe1\xae\xe0\r\n12345", "\x8f\xe0\xae\xe6\xa5\xe1\xe1\xae\xe0\r\n12345", false, "16 bytes could be a GUID"},
	{"auto", "00000000   FC                                                \xfc", "\xfc", false, "the text column of Format-Hex in a code page"},
	{"auto", "00000000   7F                                                \x7f", "\x7f", false, "DEL in the text column of Format-Hex"},

	{"windbg", "0012ff00  50 ?? 45\n", "1:14: ?? is memory that the debugger could not read", true, "db"},
	{"auto", "00000000`0012ff00  ???????? 00460052\n", "1:20: ?? is memory that the debugger could not read", true, "dd"},
	{"auto", "ffffffff`fffffff0  50 00\n", "P\x00", false, "the highest address"},
	{"windbg", "0: kd> db 0012ff00\n0012ff00  50 00\n\n0: kd> r\neax=0\n", "5:1: 'e' is out of place in a line of windbg", true, "the output of another command"},
	{"windbg", "Opened log file 'x.txt'\n1: kd:x86> db 0012ff00\n0012ff00  50 00\nClosing open log file x.txt\n", "P\x00", false, "a log"},
	{"windbg", "0012ff00  50 00\n0012ff02  45\n", "2:1: the line before has fewer bytes than others of windbg, so it must be the last", true, "two commands"},
	{"windbg", "0012ff00  00450050 00460052 00000001 00000000\n0012ff20  00000001\n", "2:1: offset is 0x12ff20, must be 0x12ff10", true, "a line is missing"},
	{"windbg", "0012ff00  00450050 0046005\n", "1:27: the end is out of place", true, "a digit is missing"},
	{"windbg", "0012ff00  50 00 45\n0012ff00  00450050\n", "2:", true, "db, then dd"},
	{"windbg", "0012ff00  50 00 45 00 52 00 46 00 01 00 00 00 00 00 00 00\n", "1:35: '0' is out of place", true, "no - in the middle"},
	{"windbg", "00000000  50 00 45 00                                      |P.E.|\n", "P\x00E\x00", false, "any text in the text column"},
	{"windbg", "00000000  50                                               12345678901234567\n", "1:60: '1' is out of place", true, "more text than bytes"},
	{"windbg", "00000000`1234567  50 00\n", "1:9: '`' is out of place", true, "an address with a digit too few"},
	{"windbg", "0012ff00  00450050 00460052 00000001 00000000  P.E.R.F.........\n", "P\x00E\x00R\x00F\x00\x01\x00\x00\x00\x00\x00\x00\x00", false, "dc"},
	{"windbg", "0012ff00  00450050 00460052 00000001 00000000 00000000\n", "1:47: '0' is out of place", true, "a fifth word"},
	{"auto", "00000000  3d 7b 30 78 35 30 7d                             ={0x50}\n", "={0x50}", false, "an array in the text column"},
	{"windbg", "0:000> db 0\n", "2:1: there are no bytes", true, "only a command"},

	{"certutil", "0000000 50 00 45 00\n", "1:8: ' ' is out of place", true, "od -tx1"},
	{"certutil", "0000\t50 00 45\r\n0010\t52\r\n", "2:1: the line before has fewer bytes", true, "a short line that is not the last"},
	{"certutil", "50 00 45 00 52 00 46 00  01 00 00 00 00 00 00 00   P.E.R.F.........\n50 00\n50\n", "3:1: the line before has fewer bytes", true, "lines without offsets"},
	{"certutil", "fff0\t50 00 45 00 52 00 46 00  01 00 00 00 00 00 00 00\n10000\t50\n", "P\x00E\x00R\x00F\x00\x01\x00\x00\x00\x00\x00\x00\x00P", false, "an offset of five digits"},
	{"auto", "0000\t50 00 45 00 52 00 46 00  01 00 00 00 00 00 00 00\n0020\t50\n", "2:1: read as certutil, the form of the lines before: offset is 0x20, must be 0x10", true, "a line is missing"},

	{"auto", "           00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\r\n\r\n00000000   48 65 6C 6C 6F 20 57 6F 72 6C 64                 Hello World\r\n", "Hello World", false, "example 1 of the page for PowerShell 5.1"},
	{"auto", "   Label: String (System.String) <2944BEC3>\n\n          Offset Bytes                                           Ascii\n                 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\n          ------ ----------------------------------------------- -----\n" +
		"0000000000000000 48 65 6C 6C 6F 20 57 6F 72 6C 64                Hello World\n", "Hello World", false, "example 1 of the page for PowerShell 7"},
	{"format-hex", "00000000   50 00 45\n00000020   50\n", "2:1: the line before has fewer bytes", true, "two strings in PowerShell 5"},
	{"format-hex", "Path: x\n00000010   50 00 45\n", "P\x00E", false, "-Offset 16"},
	{"format-hex", "Pfad : x y\n00000000   50\n", "P", false, "the word for path is translated"},
	{"format-hex", "Versatz Bytes Ascii\n------ ----- -----\n0000000000000000 50\n", "P", false, "the names of the columns are translated"},

	{"format-hex", "Label: a.bin\n00000000   50\nLabel: A.BIN\n00000000   51\n", "4:1: an earlier block has the name \"A.BIN\", too", true, "the same file twice"},

	{"reg", "REGEDIT4\n[k]\n\"a\"=hex:50", "P", false, "the old header, and no line end"},
	{"reg", "\r\nWindows Registry Editor Version 5.00\r\n[k]\r\n@=hex(b):50,\\\r\n  00 , \\ \r\n45 ; note\r\n", "P\x00E", false, "white space and a comment"},
	{"reg", "REGEDIT4\n[-k]\n[k]\n\"a\"=-\n\"b\"=dword:00000001\n\"c\"=\"x\\\\\" ; note\n\"d\"=HEX(7):50", "P", false, "other values are skipped"},
	{"reg", "[k]\n\"a\"=hex:50", "1:1: \"[k]\" is not the first line of a .reg file", true, "no header"},
	{"reg", "REGEDIT4\n\"a\"=hex:50", "2:1: the value has no key", true, "no key"},
	{"reg", "REGEDIT4\n[k\n", "2:1: [ without a ]", true, "a key that was cut off"},
	{"reg", "REGEDIT4\n[k]\n\"a=hex:50\n", "3:1: \" without a \" after it", true, "a name that was cut off"},
	{"reg", "REGEDIT4\n[k]\n\"a\" hex:50\n", "3:5: 'h' after the name of a value, must be =", true, "no ="},
	{"reg", "REGEDIT4\n[k]\n\"a\"=qword:50\n", "3:5: \"qword:50\" is not a value of a .reg file", true, "an unknown type"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=hex(100000000):50\n", "3:5: \"hex(100000000):50\" is not a value", true, "the number of a type has at most 32 bits"},
	{"reg", "REGEDIT4\n[k]\na=hex:50\n", "3:1: \"a=hex:50\" is not a line of reg", true, "a name without quotation marks"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=hex:50,\n", "3:12: the value was cut off", true, "a comma at the end of a line"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=hex:50,\\\n", "4:1: the value was cut off", true, "a \\ at the end of the last line"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=hex:50,\\", "3:12: '\\\\' in a value in hex", true, "a \\ at the end of the text"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=hex:50 45\n", "3:12: '4' after a byte, must be a comma", true, "no comma"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=hex:5,45\n", "3:9: '5' in a value in hex, must be two hex digits", true, "half a byte"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=hex:50\n\"A\"=hex:51\n", "4:1: an earlier block has the name \"k\\\\A\", too", true, "Windows ignores the case of names"},
	{"auto", "REGEDIT4\n[k]\n\"a\"=\"b\"\n", "4:1: there are no bytes: no value is hex", true, "no value in hex"},
	{"auto", "REGEDIT4\n[k]\n\"a\"=hex:5g\n", "3:9: read as reg, the form of the lines before: '5' in a value in hex, must be two hex digits for each byte", true, "the header is enough to know the form"},

	{"reg-query", "\nHKEY_LOCAL_MACHINE\\A\n    a b    REG_BINARY    50\n    c    REG_SZ    x    REG_BINARY    51\n", "P", false, "the text of another value"},
	{"reg-query", "! REG.EXE VERSION 3.0\n\nHKEY_LOCAL_MACHINE\\A\n    a\tREG_BINARY\t5000\n", "P\x00", false, "Windows XP"},
	{"reg-query", "    a    REG_BINARY    50\n", "P", false, "a value alone"},
	{"reg-query", "\\\\pc\\HKLM\\A\n    a     REG_BINARY    50\n\nEnd of search: 1 match(es) found.\n", "P", false, "another computer, and a search"},
	{"reg-query", "HKEY_LOCAL_MACHINE\\A\n    a    REG_BINARY    5\n", "2:24: 1 hex digit", true, "half a byte"},
	{"reg-query", "HKEY_LOCAL_MACHINE\\A\n    a    REG_BINARY    5000 45g\n", "2:28: ' ' is not a hex digit", true, "a space"},
	{"reg-query", "HKEY_LOCAL_MACHINE\\A\nmore\n    a    REG_BINARY    50\n", "2:1: \"more\" is not a line of reg-query", true, "the second line of a text"},
	{"reg-query", "    a    REG_BINARY    50\nmore\n    b    REG_BINARY    51\n", "2:1: \"more\" is not a line of reg-query", true, "a line between values"},
	{"auto", "HKEY_LOCAL_MACHINE\\A\n    a    REG_DWORD    0x1\n", "3:1: there are no bytes: no value has the type REG_BINARY", true, "no binary value"},

	{"auto", "0010\t50 00 45 00\n", "1:1: is text that hex and certutil read differently", true, "one line of certutil could be bytes"},
}

func TestDecode(t *testing.T) {
	t.Parallel()
	for _, tt := range decodings {
		got, as, err := input(t, tt.input).Decode([]byte(tt.text))
		switch {
		case tt.fails && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %q: got %q as %s, %v, want an error with %q: %s", tt.input, tt.text, got, as.Name, err, tt.want, tt.reason)
		case !tt.fails && (err != nil || len(got) != 1 || string(got[0].Bytes) != tt.want):
			t.Errorf("%s: %q: got %q as %s, %v, want %q: %s", tt.input, tt.text, got, as.Name, err, tt.want, tt.reason)
		}
	}
}

func TestAutoReturnsInput(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"\x00": "raw", "00": "hex", "UABF": "base64"} {
		if _, as, err := input(t, "auto").Decode([]byte(text)); err != nil || as.Name != want {
			t.Errorf("%q: got %s, %v, want %s", text, as.Name, err, want)
		}
	}
}

// TestBlocks checks the names of several blocks in one text.
func TestBlocks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want, reason string }{
		{"REGEDIT4\n[k]\n\"a\"=hex:50\n@=hex(3):\n[k\\l]\n\"a\\\\b\"=hex:51,52\n", `k\a=P k\@= k\l\a\b=QR`, "values of two keys, one without bytes"},
		{"REGEDIT4\n[k]\n\"a\"=hex:50\n", `k\a=P`, "one value has its name"},
		{"HKEY_USERS\\k\n    (Default)    REG_BINARY    50\n    b    REG_BINARY\n", `HKEY_USERS\k\(Default)=P HKEY_USERS\k\b=`, "reg query"},
		{"Label: a.bin\n00000000   50\nLabel: b.bin\n00000000   51\n", "a.bin=P b.bin=Q", "Format-Hex of two files"},
		{"Label: a.bin\nLabel: b.bin\n00000000   51\n", "=Q", "Format-Hex shows nothing of an empty file"},
		{strings.Repeat(numbers+"\n00000000   50                                               P\n", 2), "1=P 2=P", "Format-Hex of two strings in PowerShell 5"},
	} {
		blocks, _, err := input(t, "auto").Decode([]byte(tt.text))
		var got []string
		for _, b := range blocks {
			got = append(got, b.Name+"="+string(b.Bytes))
		}
		if strings.Join(got, " ") != tt.want || err != nil {
			t.Errorf("%q: got %s, %v, want %s: %s", tt.text, got, err, tt.want, tt.reason)
		}
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	blocks := []armor.Block{{Name: `k\a`}, {Name: `k\l\a`}, {Name: `k\b`}, {Name: `k\l\b c`}}
	for _, tt := range []struct{ name, want, reason string }{
		{`k\a`, `k\a`, "the whole name"},
		{`K\B`, `k\b`, "any case"},
		{"b", `k\b`, "the end of one name"},
		{`l\a`, `k\l\a`, "a longer end"},
		{"a", `"a" is the end of several names: "k\\a", "k\\l\\a"`, "the end of two names"},
		{"c", `no block "c"; there are "k\\a", "k\\l\\a", "k\\b", "k\\l\\b c"`, "not a whole part of a name"},
		{`k\aa`, `no block "k\\aa"; did you mean k\a?`, "a mistake"},
	} {
		got, err := armor.Select(blocks, tt.name)
		if err != nil && !strings.HasPrefix(err.Error(), tt.want) || err == nil && got.Name != tt.want {
			t.Errorf("%q: got %q, %v, want %q: %s", tt.name, got.Name, err, tt.want, tt.reason)
		}
	}
	if _, err := armor.Select([]armor.Block{{}}, "a"); err == nil || err.Error() != `no block "a": there is one block without a name` {
		t.Errorf("one block without a name: %v", err)
	}
	many := make([]armor.Block, 12)
	if got := armor.List(many); !strings.HasSuffix(got, `"" and 2 more`) {
		t.Errorf("12 names: %s", got)
	}
}

// TestExamples checks that each form reads its own example, and that auto reads it as the same form.
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, in := range armor.Inputs() {
		if in.Example == "" {
			continue
		}
		text := in.Example
		if in.Name == "reg" {
			text = "Windows Registry Editor Version 5.00\n[HKEY_LOCAL_MACHINE\\X]\n" + text
		}
		got, _, err := in.Decode([]byte(text))
		if err != nil || len(got) != 1 || !bytes.HasPrefix([]byte("P\x00E\x00R\x00F\x00"), got[0].Bytes) {
			t.Errorf("%s: got %q, %v from %q", in.Name, got, err, text)
		}
		if _, as, err := input(t, "auto").Decode([]byte(text)); err != nil || as.Name != in.Name {
			t.Errorf("auto reads the example of %s as %s, %v", in.Name, as.Name, err)
		}
	}
}

// TestNoForm checks which errors of auto wrap ErrNoForm.
func TestNoForm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"hello, world": true, "*\n50": true, "50 00\nx\n": false, "{}": true, "0000000 5000 4500 5200\n": false, "# 50\n": false} {
		if _, _, err := input(t, "auto").Decode([]byte(text)); err == nil || errors.Is(err, armor.ErrNoForm) != want {
			t.Errorf("%q: got %v, want ErrNoForm: %t", text, err, want)
		}
	}
}

// TestMemory checks that decoding allocates memory only for the bytes, even if lines repeat
// bytes.
func TestMemory(t *testing.T) {
	long := bytes.Repeat([]byte("0000 | 50 00 45 00 | a\n"), 50_000) // repeats the same bytes
	got, _, err := input(t, "dump").Decode(long)
	if err != nil || len(got) != 1 || len(got[0].Bytes) != 4 {
		t.Fatalf("%q, %v", got, err)
	}
	for _, text := range [][]byte{long, bytes.Repeat([]byte("50"), 500_000), bytes.Repeat([]byte("UABF\n"), 200_000)} {
		n := testing.AllocsPerRun(1, func() { _, _, err = input(t, "auto").Decode(text) })
		if err != nil || n > 500 {
			t.Errorf("%q...: %v allocations, %v", text[:20], n, err)
		}
	}
}
