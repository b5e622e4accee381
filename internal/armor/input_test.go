package armor_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/armor"
)

// decodings are texts with the expected bytes or the expected error.
var decodings = []struct {
	input, text string
	want        string // the bytes; a part of the error if fails is true
	fails       bool
	reason      string
}{
	{"hex", "50 00\n45", "P\x00E", false, "white space between pairs is ignored"},
	{"hex", "500045", "P\x00E", false, "pairs need no white space between them"},
	{"hex", "0x50, 0x0,0X45,", "P\x00E", false, "after 0x, one digit is a byte, as in C"},
	{"hex", "50-00-45", "P\x00E", false, "a dash may separate bytes, as .NET prints them"},
	{"hex", "\uFEFF50 00", "P\x00", false, "a byte order mark is ignored, because Windows writes one"},
	{"hex", "# a note {\n50 00\r\n", "P\x00", false, "a comment may have any text, and lines may end in CR LF"},
	{"array", "unsigned char a[] = {\n 0x50, 0x00 };\nunsigned int a_len = 2;\n", "P\x00", false, "xxd -i writes an array"},
	{"xxd", "00000000: 5000 4500 5200  P.E.R.\n00000006: 46  F\n", "P\x00E\x00R\x00F", false, "the output of xxd is read"},
	{"xxd", "00000000: 6162                                     ab\n", "ab", false, "the text column is not read, even if it looks like hex"},
	{"hexdump", "00000000  50 00 45 00 52 00 46 00  01 02  |P.E.R.F..|\n0000000a\n", "P\x00E\x00R\x00F\x00\x01\x02", false, "the last line of hexdump -C has only an offset"},
	{"dump", "0010 | 50 00 | Name = \"a|b {\"\n0012 | 45 | x\n", "P\x00E", false, "a part of a dump starts at an offset other than 0"},
	{"dump", "0000 | 50 00 | a\n0000 | 50 00 45 | b\n", "P\x00E", false, "the lines of overlapping counters repeat bytes"},
	{"dump", "0000 |  | object[1]: 0 bytes unread\n0000 | 50 | a\n", "P", false, "a line without bytes is skipped"},
	{"dump", "0000 | 50 00 | a\n0000 | 51 00 | b\n", "2:1: the bytes differ from those of an earlier line", true, "lines for the same offset must show the same bytes"},
	{"auto", "0000 | 50 00 | a\r\r0002 | 45 | b\r", "P\x00E", false, "lines may end in CR"},
	{"auto", "#\x00\r\x005\x000\x00\r\x00", "P", false, "lines in UTF-16 may end in CR"},
	{"dump", "0000 | 50 00 | a\r\r\n0003 | 45 | b\r\r\n", "2:1: offset is 0x3", true, "several CR before LF do not end a line"},
	{"dump", "0000 | 50 00 | a\r\r0003 | 45 | b\r\n", "3:1: offset is 0x3", true, "each CR without LF ends a line"},
	{"xxd", "0000: 50\n0002: 51\n", "2:1: offset is 0x2, must be 0x1", true, "offsets must not leave out bytes"},
	{"xxd", "0010: 50\n0000: 51\n", "2:1: offset is 0x0", true, "offsets must not decrease"},
	{"hexdump", "00000000  50 |P|\n*\n00000010\n", "2:1: * marks omitted lines", true, "hexdump omits repeated lines"},
	{"hexdump", "00000000  50 |P|\n00000002\n", "2:1: \"00000002\" is not a line of hexdump", true, "the last offset of hexdump must be the end of the bytes"},
	{"xxd", "0000: 50\n50 00\n", "2:1: \"50 00\" is not a line of xxd (example: ", true, "a line without a colon could start with an offset or with bytes"},
	{"hex", "50 0", "1:4: 1 hex digit, must be two", true, "one digit is half a byte"},
	{"hex", "50\n5g", "2:2: 'g' is not a hex digit", true, "g is not a hex digit"},
	{"hex", "0x", "1:1: 0x without a hex digit after it", true, "a digit must follow 0x"},
	{"hex", "50 0x\n00", "1:4: 0x without a hex digit after it", true, "a digit must follow 0x on the same line"},
	{"hex", "0x, 0x50", "1:1: 0x without a hex digit after it", true, "a digit must come between 0x and a comma"},
	{"hex", "0xg0", "1:3: 'g' is not a hex digit", true, "the error is at the letter after 0x"},
	{"hex", "0x5000", "1:1: 0x with 4 digits", true, "the byte order of a number of two bytes is unknown"},
	{"hex", "é", "1:1: 'é'", true, "columns and quoted letters are characters, not bytes"},
	{"hex", "é 1", "1:1: 'é'", true, "the error is at the letter, not at the end of the text"},
	{"array", "{ 0x50", "1:1: the array has no } at its end", true, "an array must end with }"},
	{"hex", " \n", "2:1: there are no bytes", true, "an empty text has no bytes"},
	{"hex", "# 50\n", "2:1: there are no bytes", true, "a comment has no bytes"},
	{"array", "this is { not } an array", "1:1: the text has no {, which starts an array", true, "a { in other text starts no array"},
	{"hex", "50 00\n45 {P.E}\n", "2:4: '{' is not a hex digit", true, "a { after bytes starts no array"},
	{"dump", "header\n0000 | 50 00 | Name = \"{x}\"\n", "1:1: \"header\" is not a line of dump", true, "a { in a line of a dump starts no array"},
	{"array", "// see {x}\nstatic BYTE a[] = { 0x50 };", "P", false, "a { in a comment starts no array"},
	{"array", "/* {x} */ static BYTE a[] = { 0x50 };", "P", false, "a { in a comment before the array is not the start"},
	{"array", "static BYTE a[] = // P\n/* E */ { 0x50 };", "P", false, "comments may come before {"},
	{"array", "{0x50, 16}", "1:8: the array has '1' here, but each byte must start with 0x", true, "0x is required, because a decimal number is not hex"},
	{"array", "// P\n{ 0x50 }", "P", false, "a comment before { is enough"},
	{"array", "var b = []byte{\n0x50,\n}", "P", false, "the bytes of a Go slice are read"},
	{"array", "std::vector<BYTE> v {0x50};", "P", false, "the bytes of a C++ vector are read"},
	{"array", "namespace x { BYTE a[1] = { 0x50 }; }", "P", false, "the { of a namespace starts no array"},
	{"array", "a[] = {}", "1:7: there are no bytes between { and }", true, "an array must have bytes"},
	{"dump", "\x1b[2m0000 | 50 00 |\x1b[0;22m \x1b[36mName\x1b[m\n", "P\x00", false, "colours in a dump are removed"},
	{"hex", "\x1b[2J50", "1:1: '\\x1b' is not a hex digit", true, "escape sequences other than colours are errors"},

	{"hex", "0000000 50 00 45 00\n0000004\n", "1:1: looks like the output of od -tx1", true, "seven digits are an offset of od, not bytes"},
	{"hex", "000000 50 00 45 00\n000004 52\n", "1:1: looks like the output of od -tx1", true, "six digits could be bytes, but the second line is an offset (od -Ax)"},
	{"hex", "0000000 50 00 45 00 50 00 45 00\n0000010 52\n0000011\n", "od -tx1", true, "octal offsets of od are recognised"},
	{"hex", "0000000 50 00 45 00 >P.E.<\n", "1:1: 7 hex digits", true, "the text that od -z writes after two spaces is recognised"},
	{"hex", "0000000 50 00 45 00  >P.E.<\n0000004\n", "od -tx1", true, "the offset of od -tx1z is recognised"},
	{"hex", "0000000 0050 0045\n0000004\n", "od or hexdump with words of several bytes", true, "words of hexdump have an unknown byte order"},
	{"hex", "0000000    0050    0045\n", "od or hexdump with words of several bytes", true, "one line of hexdump -x is recognised"},
	{"hex", "0000000 000120 000105\n0000004\n", "od or hexdump with words of several bytes", true, "octal words of od have an unknown byte order"},
	{"hex", "0000000 120 000 105 000\n0000004\n", "od -b, in octal", true, "octal bytes of od -b are recognised"},
	{"hex", "000000 00450050 00460052\n000008\n", "od or hexdump with words of several bytes", true, "od -Ax -tx4 is recognised, although all words are whole bytes"},
	{"hex", "00000000 00000000\n00000004 00000000", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00", false, "groups of one width are bytes"},
	{"hex", "500045 00\n520046 00\n", "P\x00E\x00R\x00F\x00", false, "these are not offsets: the second does not follow from the first"},
	{"hex", "500045 00\n52004 00\n", "2:1: 5 hex digits", true, "the error is at the group that lacks a digit"},
	{"xxd", "fffffffffffffffff: 50", "1:1: offset fffffffffffffffff is too large", true, "an offset of 17 digits does not fit 64 bits"},

	{"base64", "UABF", "P\x00E", false, "two characters without = are one byte"},
	{"base64", "UA\n B F", "P\x00E", false, "white space is ignored anywhere"},
	{"base64", "UAA=", "P\x00", false, "= at the end is padding"},
	{"base64", "UAA", "P\x00", false, "padding may be missing"},
	{"base64", "UA==", "P", false, "two = are padding for one byte"},
	{"base64", "+/+/", "\xfb\xff\xbf", false, "+ and / belong to the standard alphabet"},
	{"base64", "-_-_", "\xfb\xff\xbf", false, "- and _ belong to the URL alphabet"},
	{"base64", "-----BEGIN X-----\nUABF\n-----END X-----\n", "P\x00E", false, "the lines BEGIN and END of PEM are skipped"},
	{"base64", "-----BEGIN X-----\nUABFAA==\n-----END X-----\n", "P\x00E\x00", false, "certutil -encode writes padding before its last line"},
	{"base64", "+/-_", "1:3: '-' belongs to another base64 alphabet", true, "a text must not mix both alphabets"},
	{"base64", "UAB", "1:3: the base64 was cut off or changed here", true, "four characters were cut to three, and bits that must be 0 are not"},
	{"base64", "UABFU", "1:5: the base64 was cut off or changed here", true, "a last character alone has only six bits"},
	{"base64", "UA=", "1:4: the base64 was cut off or changed here", true, "one = of two is missing"},
	{"base64", "UA===", "1:5: the base64 was cut off or changed here", true, "there are more = than two"},
	{"base64", "=", "1:1: the base64 was cut off or changed here", true, "padding without characters is an error"},
	{"base64", "UAA=UA", "1:5: the base64 was cut off or changed here", true, "no text may follow the padding"},
	{"base64", "UA\nB!", "2:2: '!' is not base64", true, "! is not in an alphabet"},
	{"base64", "", "1:1: the text has no base64", true, "an empty text has no base64"},

	{"raw", "50 00", "50 00", false, "raw reads any bytes"},

	{"auto", "P\x00E\x00R\x00F\x00", "P\x00E\x00R\x00F\x00", false, "bytes with the PERF signature are raw"},
	{"auto", "50\x00", "50\x00", false, "a text has no NUL"},
	{"auto", "50\xff", "50\xff", false, "bytes that are not UTF-8 are raw"},
	{"auto", "50 00", "P\x00", false, "a text of hex digits is hex"},
	{"auto", "5000", "P\x00", false, "a text that is hex and base64 is hex"},
	{"auto", "UABF", "P\x00E", false, "a text that is base64 only is base64"},
	{"auto", "0000 | 50 | Name = \"Ünïcode\"\n", "P", false, "names in a dump may have any letters"},
	{"auto", "0000000 5000 4500 5200\n", "1:1: looks like the output of od or hexdump", true, "the output of od is an error, although it is valid base64 by chance"},
	{"auto", "{}", "1:1: is text that fits no form of --input: \"{}\"; tried hex, dump, xxd, hexdump, array,", true, "an empty array has no bytes"},
	{"auto", "\x1b[1m50\x1b[0m", "P", false, "colours are ignored"},
	{"auto", "\x1b[2J50", "\x1b[2J50", false, "other escape sequences are not text"},
	{"auto", "hello, world\n50", "1:1: is text that fits no form of --input: \"hello, world\"; tried hex, ", true, "the first line fits no form"},
	{"auto", "# note\n\nhello, world\n", "3:1: is text that fits no form", true, "the error skips comments and empty lines, which fit every form"},
	{"auto", "50 00\n45 x\n", "2:4: the lines above have the form hex, but this line does not: 'x' is not a hex digit", true, "the first line fits hex only, so the error is that of hex"},
	{"auto", "Hello\nworld!\n", "1:1: is text that fits no form of --input: \"Hello\"", true, "base64 is not tried for a word, because it reads any word"},
	{"auto", "name: x\ny: z\n", "1:1: is text that fits no form", true, "labels of Format-Hex without a line of bytes are not enough"},
	{"auto", "a = {}\nb = 1\n", "1:1: is text that fits no form", true, "source code without bytes fits no form"},
	{"auto", "a[] = {0x50, 0xg}", "1:1: is text that fits no form", true, "a text with a fault on its first line fits no form"},
	{"auto", "0012ff00  00450050 00460052\n", "1:1: is text that hex and windbg read differently; select one with --input hex or --input windbg", true, "one line of dd without a backtick could be four big-endian words"},
	{"auto", "5\x000\x00\n\x00", "P", false, "UTF-16 needs no byte order mark"},
	{"auto", "5\x000\x00", "P", false, "UTF-16 needs neither a mark nor a line end"},
	{"auto", "\x005\x000", "P", false, "big-endian UTF-16 needs no mark"},
	{"auto", "\xff\xfe\x1b\x00[\x001\x00m\x005\x000\x00", "P", false, "colours in UTF-16 are removed"},
	{"auto", "\xff\xfe5\x000\x00\r\x00\n", "1:4: half a character of UTF-16", true, "UTF-16 must not end inside a character"},
	{"raw", "\xff\xfe5\x000\x00", "\xff\xfe5\x000\x00", false, "raw does not decode UTF-16"},
	{"auto", "\xff\xfeP\x00\x00\x00E\x00\x00\x00R\x00\x00\x00F\x00\x00\x00", "1:1: is a block that a redirect (>) in Windows PowerShell converted to UTF-16", true, "a data block in UTF-16 was changed by PowerShell"},
	{"auto", "P\x00\x00\x00E\x00\x00\x00R\x00\x00\x00F\x00\x00\x00", "1:1: is a block that a redirect (>) in Windows PowerShell converted", true, "a changed data block is recognised without a mark"},
	{"hex", "\xff\xfeP\x00\x00\x00E\x00\x00\x00R\x00\x00\x00F\x00\x00\x00", "1:1: is a block that a redirect (>) in Windows PowerShell converted", true, "a changed data block is recognised as any form"},
	{"auto", "\xff\xfe8\x00\x00\x00\x02\x00\x00\x00\x10\x25\x01\x00", "1:1: is a block that a redirect (>) in Windows PowerShell converted", true, "objects that PowerShell changed have NULs and a character of code page 437"},
	{"auto", "\xff\xfe5\x00\x00\x00", "\xff\xfe5\x00\x00\x00", false, "UTF-16 with a NUL at its end could be a string of a block"},
	{"auto", "p\x00q\x00-\x00", "p\x00q\x00-\x00", false, "UTF-16 without a line end could be a string of a block"},
	{"auto", "U\x00A\x00B\x00F\x00", "U\x00A\x00B\x00F\x00", false, "UTF-16 without a line end could be a string, even if it is base64"},
	{"auto", "h\x00i\x00 \x00y\x00o\x00u\x00\r\x00\n\x00", "1:1: is text that fits no form of --input: \"hi you\"", true, "UTF-16 with a line end is text, not a block"},
	{"auto", "h\x00\xfc\x00b\x00\n\x00", "1:1: is text that fits no form of --input: \"hüb\"", true, "UTF-16 without a mark has letters outside ASCII"},
	{"auto", "\x00h\x04\x16\x00\n", "1:1: is text that fits no form of --input: \"hЖ\"", true, "big-endian UTF-16 without a mark has letters outside ASCII"},
	{"auto", "#\x00\x16\x04\n\x005\x000\x00", "P", false, "a comment in UTF-16 without a mark has letters outside ASCII"},
	{"auto", "h\x00\xfc\x00", "h\x00\xfc\x00", false, "UTF-16 without a line end could be a string of a block, also with letters outside ASCII"},
	{"auto", "h\x00\xfc\x00\n\x00\x00\x00", "h\x00\xfc\x00\n\x00\x00\x00", false, "UTF-16 with a NUL at its end could be a string of a block, also with letters outside ASCII"},
	{"auto", "\n\x00\x34\x12\x78\x56a\x00\xf0\x3e\x11\x22b\x00\x33\x44", "\n\x00\x34\x12\x78\x56a\x00\xf0\x3e\x11\x22b\x00\x33\x44", false, "a GUID can have some ASCII characters"},
	{"auto", "\xff\xfeh\x00i\x00 \x00y\x00o\x00u\x00", "1:1: is text that fits no form", true, "UTF-16 with a mark and ASCII is text, not a block"},
	{"auto", "\xff\xfe\x34\x12\x78\x56\xbc\x9a\xf0\x3e", "\xff\xfe\x34\x12\x78\x56\xbc\x9a\xf0\x3e", false, "the start of a GUID can look like a mark, but is not UTF-16 text"},
	{"auto", "h\x00i\x00\n\x00!", "2:1: half a character of UTF-16 at the end", true, "UTF-16 without a mark must not end inside a character"},
	{"auto", "0 Gr\xfc\xdfe aus der Konsole: kein Block\r\n", "1:1: is text that fits no form", true, "text in a code page with a line end is text"},
	{"auto", "\xfc is in a code page but has no line", "\xfc is in a code page but has no line", false, "text in a code page without a line end could be a GUID"},
	{"auto", strings.Repeat("\x8f\xe0\xae\xe6\xa5\xe1\xe1\xae\xe0 ", 13) + "\r\n", "1:1: is text that fits no form", true, "this Cyrillic text is too long for GUIDs"},
	{"auto", "\x8f\xe0\xae\xe6\xa5\xe1\xe1\xae\xe0\r\n12345", "\x8f\xe0\xae\xe6\xa5\xe1\xe1\xae\xe0\r\n12345", false, "16 bytes could be a GUID"},
	{"auto", "00000000   FC                                                \xfc", "\xfc", false, "the text column of Format-Hex may be in a code page"},
	{"auto", "00000000   7F                                                \x7f", "\x7f", false, "the text column of Format-Hex may have DEL"},

	{"windbg", "0012ff00  50 ?? 45\n", "1:14: ?? is memory that the debugger could not read", true, "?? in the output of db is an error"},
	{"auto", "00000000`0012ff00  ???????? 00460052\n", "1:20: ?? is memory that the debugger could not read", true, "?? in the output of dd is an error"},
	{"auto", "ffffffff`fffffff0  50 00\n", "P\x00", false, "the highest address is read"},
	{"windbg", "0: kd> db 0012ff00\n0012ff00  50 00\n\n0: kd> r\neax=0\n", "5:1: 'e' is out of place in a line of windbg", true, "the output of another command is an error"},
	{"windbg", "Opened log file 'x.txt'\n1: kd:x86> db 0012ff00\n0012ff00  50 00\nClosing open log file x.txt\n", "P\x00", false, "commands and lines of a log are skipped"},
	{"windbg", "0012ff00  50 00\n0012ff02  45\n", "2:1: the line before has fewer bytes; only the last line of windbg may have fewer", true, "the output of two commands is not one block"},
	{"windbg", "0012ff00  00450050 00460052 00000001 00000000\n0012ff20  00000001\n", "2:1: offset is 0x12ff20, must be 0x12ff10", true, "addresses must not leave out bytes"},
	{"windbg", "0012ff00  00450050 0046005\n", "1:27: the end is out of place", true, "a word must have all its digits"},
	{"windbg", "0012ff00  50 00 45\n0012ff00  00450050\n", "2:", true, "db and dd in one text are an error"},
	{"windbg", "0012ff00  50 00 45 00 52 00 46 00 01 00 00 00 00 00 00 00\n", "1:35: '0' is out of place", true, "a - must be in the middle of a full line"},
	{"windbg", "00000000  50 00 45 00                                      |P.E.|\n", "P\x00E\x00", false, "any text may be in the text column"},
	{"windbg", "00000000  50                                               12345678901234567\n", "1:60: '1' is out of place", true, "the text column must not have more characters than bytes"},
	{"windbg", "00000000`1234567  50 00\n", "1:9: '`' is out of place", true, "8 digits must follow the backtick"},
	{"windbg", "0012ff00  00450050 00460052 00000001 00000000  P.E.R.F.........\n", "P\x00E\x00R\x00F\x00\x01\x00\x00\x00\x00\x00\x00\x00", false, "the text column of dc is not read"},
	{"windbg", "0012ff00  00450050 00460052 00000001 00000000 00000000\n", "1:47: '0' is out of place", true, "a line has at most four words"},
	{"auto", "00000000  3d 7b 30 78 35 30 7d                             ={0x50}\n", "={0x50}", false, "an array in the text column is not read"},
	{"windbg", "0:000> db 0\n", "2:1: there are no bytes", true, "a command alone has no bytes"},

	{"certutil", "0000000 50 00 45 00\n", "1:8: ' ' is out of place", true, "the offset of od -tx1 is not one of certutil"},
	{"certutil", "0000\t50 00 45\r\n0010\t52\r\n", "2:1: the line before has fewer bytes", true, "only the last line may be short"},
	{"certutil", "50 00 45 00 52 00 46 00  01 00 00 00 00 00 00 00   P.E.R.F.........\n50 00\n50\n", "3:1: the line before has fewer bytes", true, "only the last line may be short, also without offsets"},
	{"certutil", "fff0\t50 00 45 00 52 00 46 00  01 00 00 00 00 00 00 00\n10000\t50\n", "P\x00E\x00R\x00F\x00\x01\x00\x00\x00\x00\x00\x00\x00P", false, "an offset may have five digits"},
	{"auto", "0000\t50 00 45 00 52 00 46 00  01 00 00 00 00 00 00 00\n0020\t50\n", "2:1: the lines above have the form certutil, but this line does not: offset is 0x20, must be 0x10", true, "a fault after a line of certutil is an error of certutil"},

	{"auto", "           00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\r\n\r\n00000000   48 65 6C 6C 6F 20 57 6F 72 6C 64                 Hello World\r\n", "Hello World", false, "example 1 of the page for PowerShell 5.1 is read"},
	{"auto", "   Label: String (System.String) <2944BEC3>\n\n          Offset Bytes                                           Ascii\n                 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\n          ------ ----------------------------------------------- -----\n" +
		"0000000000000000 48 65 6C 6C 6F 20 57 6F 72 6C 64                Hello World\n", "Hello World", false, "example 1 of the page for PowerShell 7"},
	{"format-hex", "00000000   50 00 45\n00000020   50\n", "2:1: the line before has fewer bytes", true, "two strings in PowerShell 5 need labels"},
	{"format-hex", "Path: x\n00000010   50 00 45\n", "P\x00E", false, "-Offset 16 changes the first offset"},
	{"format-hex", "Pfad : x y\n00000000   50\n", "P", false, "the word for path may be translated"},
	{"format-hex", "Versatz Bytes Ascii\n------ ----- -----\n0000000000000000 50\n", "P", false, "the names of the columns may be translated"},

	{"format-hex", "Label: a.bin\n00000000   50\nLabel: A.BIN\n00000000   51\n", "4:1: an earlier block already has the name \"A.BIN\"", true, "two blocks must not have the same name"},

	{"reg", "REGEDIT4\n[k]\n\"a\"=hex:50", "P", false, "the old header is accepted, and no line end is needed"},
	{"reg", "\r\nWindows Registry Editor Version 5.00\r\n[k]\r\n@=hex(b):50,\\\r\n  00 , \\ \r\n45 ; note\r\n", "P\x00E", false, "white space and comments are ignored"},
	{"reg", "REGEDIT4\n[-k]\n[k]\n\"a\"=-\n\"b\"=dword:00000001\n\"c\"=\"x\\\\\" ; note\n\"d\"=HEX(7):50", "P", false, "values that are not hex are skipped"},
	{"reg", "REGEDIT4\n[k] ; note\n\"a\"=hex:50\n[-k]\n\"a\"=hex:51\n", "P", false, "a file deletes a key with its values"},
	{"reg", "REGEDIT4\n# note\n[k]\n\"a\"=hex:50 ; note\n", "P", false, "a line with # is a comment too"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=hex:50\n\"b\"=dword:xyz\n", "4:5: \"dword:xyz\" is not a value of a .reg file", true, "a number must have hex digits"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=hex:50\\\n,45", "3:11: '\\\\' after a byte, must be a comma", true, "a \\ continues a value only after a comma"},
	{"reg", "REGEDIT4\r[k]\r\"a\"=hex:50,\\\r  00\r", "P\x00", false, "a value continues after a \\ and CR"},
	{"reg", "REGEDIT4\r\r\n[k]\r\r\n\"a\"=hex:50,\\\r\r\n  00\r\r\n", "P\x00", false, "a value continues after a \\ and CR CR LF"},
	{"array", "// {x}\r{ 0x50 }\r", "P", false, "CR ends a comment"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=hex:50,\\ ; note\n\n ; note\n 00,\\\n45", "P\x00E", false, "comments and empty lines can follow a \\"},
	{"reg", "[k]\n\"a\"=hex:50", "1:1: \"[k]\" is not the first line of a .reg file", true, "the header is required"},
	{"reg", "REGEDIT4\n\"a\"=hex:50", "2:1: the value has no key", true, "a value requires a key"},
	{"reg", "REGEDIT4\n\"a\"=\"b\"\n[k]\n\"a\"=hex:50", "2:1: the value has no key", true, "a value that is not in hex requires a key too"},
	{"reg", "REGEDIT4\n[k\n", "2:1: the key has no ] at its end", true, "a key must end with ]"},
	{"reg", "REGEDIT4\n[k]\n\"a=hex:50\n", "3:1: the string has no \" at its end", true, "a name must end with a quotation mark"},
	{"reg", "REGEDIT4\n[k]\n\"a\" hex:50\n", "3:5: 'h' after the name of a value, must be =", true, "a = must follow a name"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=qword:50\n", "3:5: \"qword:50\" is not a value of a .reg file", true, "an unknown type is an error"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=hex(100000000):50\n", "3:5: \"hex(100000000):50\" is not a value", true, "the number of a type has at most 32 bits"},
	{"reg", "REGEDIT4\n[k]\na=hex:50\n", "3:1: \"a=hex:50\" is not a line of reg", true, "a name must be in quotation marks"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=hex:50,\n", "3:12: the value was cut off", true, "a byte must follow a comma"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=hex:50,\\\n", "4:1: the value was cut off", true, "a line must follow a \\ at the end of a line"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=hex:50,\\", "3:12: '\\\\' in a value in hex", true, "a \\ at the end of the text continues nothing"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=hex:50 45\n", "3:12: '4' after a byte, must be a comma", true, "a comma must be between bytes"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=hex:5,45\n", "3:9: '5' in a value in hex, must be two hex digits", true, "one digit is half a byte"},
	{"reg", "REGEDIT4\n[k]\n\"a\"=hex:50\n\"A\"=hex:51\n", "4:1: an earlier block already has the name \"k\\\\A\"", true, "Windows ignores the case of names"},
	{"auto", "REGEDIT4\n[k]\n\"a\"=\"b\"\n", "4:1: there are no bytes: no value is hex", true, "a file without a value in hex has no bytes"},
	{"auto", "REGEDIT4\n[k]\n\"a\"=hex:5g\n", "3:9: the lines above have the form reg, but this line does not: '5' in a value in hex, must be two hex digits for each byte", true, "the header is enough to know the form"},

	{"reg-query", "\nHKEY_LOCAL_MACHINE\\A\n    a b    REG_BINARY    50\n    c    REG_SZ    x    REG_BINARY    51\n", "P", false, "a type inside the text of another value is not a type"},
	{"reg-query", "! REG.EXE VERSION 3.0\n\nHKEY_LOCAL_MACHINE\\A\n    a\tREG_BINARY\t5000\n", "P\x00", false, "the output of Windows XP is read"},
	{"reg-query", "    a    REG_BINARY    50\n", "P", false, "a value needs no key"},
	{"reg-query", "\\\\pc\\HKLM\\A\n    a     REG_BINARY    50\n\nEnd of search: 1 match(es) found.\n", "P", false, "a key can be on another computer, and a search adds a line"},
	{"reg-query", "HKEY_LOCAL_MACHINE\\A\n    a    REG_BINARY    5\n", "2:24: 1 hex digit", true, "one digit is half a byte"},
	{"reg-query", "HKEY_LOCAL_MACHINE\\A\n    a    REG_BINARY    5000 45g\n", "2:28: ' ' is not a hex digit", true, "the data must not contain a space"},
	{"reg-query", "HKEY_LOCAL_MACHINE\\A\nmore\n    a    REG_BINARY    50\n", "2:1: \"more\" is not a line of reg-query", true, "a text of two lines is an error"},
	{"reg-query", "    a    REG_BINARY    50\nmore\n    b    REG_BINARY    51\n", "2:1: \"more\" is not a line of reg-query", true, "a line between values must be a key"},
	{"auto", "HKEY_LOCAL_MACHINE\\A\n    a    REG_DWORD    0x1\n", "3:1: there are no bytes: no value has the type REG_BINARY", true, "output without a binary value has no bytes"},

	{"auto", "0010\t50 00 45 00\n", "1:1: is text that hex and certutil read differently", true, "one line of certutil could be bytes"},
}

func TestDecode(t *testing.T) {
	t.Parallel()
	for _, tt := range decodings {
		text := []byte(tt.text)
		got, as, err := input(t, tt.input).Decode(text)
		switch {
		case string(text) != tt.text:
			t.Errorf("%s: %q: Decode changed the text to %q", tt.input, tt.text, text)
		case tt.fails && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %q: got %v as %s, %v, want an error with %q: %s", tt.input, tt.text, got, as.Name, err, tt.want, tt.reason)
		case !tt.fails && (err != nil || len(got) != 1 || string(got[0].Bytes) != tt.want):
			t.Errorf("%s: %q: got %v as %s, %v, want %q: %s", tt.input, tt.text, got, as.Name, err, tt.want, tt.reason)
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
		{"REGEDIT4\n[k]\n\"a\"=hex:50\n@=hex(3):\n[k\\l]\n\"a\\\\b\"=hex:51,52\n", `k\a=P k\@= k\l\a\b=QR`, "the name of a block has the key, even if the value is empty"},
		{"REGEDIT4\n[k]\n\"\"=hex:50\n\"\\a\\\"\"=hex:51\n", `k\@=P k\a"=Q`, "an empty name is the default value, and a backslash before a character is left out"},
		{"REGEDIT4\n[k]\n\"a\"=hex:50\n", `k\a=P`, "a single value of the registry has a name too"},
		{"HKEY_USERS\\k\n    (Default)    REG_BINARY    50\n    b    REG_BINARY\n", `HKEY_USERS\k\(Default)=P HKEY_USERS\k\b=`, "a value of reg query has its key and name"},
		{"Label: a.bin\n00000000   50\nLabel: b.bin\n00000000   51\n", "a.bin=P b.bin=Q", "Format-Hex of two files gives two names"},
		{"Label: a.bin\nLabel: b.bin\n00000000   51\n", "=Q", "Format-Hex shows nothing of an empty file"},
		{strings.Repeat(numbers+"\n00000000   50                                               P\n", 2), "1=P 2=P", "strings of Format-Hex in PowerShell 5 are numbered"},
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
		{`k\a`, `k\a`, "the whole name selects a block"},
		{`K\B`, `k\b`, "case is ignored"},
		{"b", `k\b`, "the end of a name is enough"},
		{`l\a`, `k\l\a`, "a longer end makes the name unique"},
		{"a", `"a" matches the end of several names: "k\\a", "k\\l\\a"`, "the end of two names is an error"},
		{"c", `no block "c"; there are "k\\a", "k\\l\\a", "k\\b", "k\\l\\b c"`, "a part of a word is not the end of a name"},
		{`k\aa`, `no block "k\\aa"; did you mean k\a?`, "a similar name is suggested"},
	} {
		got, err := armor.Select(blocks, tt.name)
		if err != nil && !strings.HasPrefix(err.Error(), tt.want) || err == nil && got.Name != tt.want {
			t.Errorf("%q: got %q, %v, want %q: %s", tt.name, got.Name, err, tt.want, tt.reason)
		}
	}
	if _, err := armor.Select([]armor.Block{{}}, "a"); err == nil || err.Error() != `no block "a": the only block has no name` {
		t.Errorf("one block without a name: %v", err)
	}
	many := make([]armor.Block, 12)
	if got := armor.List(many); !strings.HasSuffix(got, `"" and 2 more`) {
		t.Errorf("12 names: %s", got)
	}
}

// TestExamples checks that each form reads its own example, and that auto finds the form of the example.
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
			t.Errorf("%s: got %v, %v from %q", in.Name, got, err, text)
		}
		if _, as, err := input(t, "auto").Decode([]byte(text)); err != nil || as.Name != in.Name {
			t.Errorf("auto reads the example of %s as %s, %v", in.Name, as.Name, err)
		}
	}
}

// TestNoForm checks which errors of Decode wrap ErrNoForm: the errors for a text of no known form. The error for a
// broken text of a known form must not wrap ErrNoForm.
func TestNoForm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"hello, world": true, "*\n50": true, "50 00\nx\n": false, "{}": true, "0000000 5000 4500 5200\n": false, "# 50\n": false} {
		if _, _, err := input(t, "auto").Decode([]byte(text)); err == nil || errors.Is(err, armor.ErrNoForm) != want {
			t.Errorf("%q: got %v, want ErrNoForm: %t", text, err, want)
		}
	}
}

// TestMemory checks that the number of allocations does not grow with the number of lines, even if lines repeat bytes.
func TestMemory(t *testing.T) {
	long := bytes.Repeat([]byte("0000 | 50 00 45 00 | a\n"), 50_000) // repeats the same bytes
	got, _, err := input(t, "dump").Decode(long)
	if err != nil || len(got) != 1 || len(got[0].Bytes) != 4 {
		t.Fatalf("%v, %v", got, err)
	}
	for _, text := range [][]byte{long, bytes.Repeat([]byte("50"), 500_000), bytes.Repeat([]byte("UABF\n"), 200_000)} {
		n := testing.AllocsPerRun(1, func() { _, _, err = input(t, "auto").Decode(text) })
		if err != nil || n > 500 {
			t.Errorf("%q...: %v allocations, %v", text[:20], n, err)
		}
	}
}
