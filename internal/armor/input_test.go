package armor_test

import (
	"bytes"
	"strings"
	"testing"
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
	{"hex", "unsigned char a[] = {\n 0x50, 0x00 };\nunsigned int a_len = 2;\n", "P\x00", false, "xxd -i"},
	{"hex", "00000000: 5000 4500 5200  P.E.R.\n00000006: 46  F\n", "P\x00E\x00R\x00F", false, "xxd"},
	{"hex", "00000000: 6162                                     ab\n", "ab", false, "the text column looks like hex"},
	{"hex", "00000000  50 00 45 00 52 00 46 00  01 02  |P.E.R.F..|\n0000000a\n", "P\x00E\x00R\x00F\x00\x01\x02", false, "hexdump -C with its last line"},
	{"hex", "0010 | 50 00 | Name = \"a|b {\"\n0012 | 45 | x\n", "P\x00E", false, "a part of a dump"},
	{"hex", "0000 | 50 00 | a\n0000 | 50 00 45 | b\n", "P\x00E", false, "a dump of counters that overlap"},
	{"hex", "0000 |  | object[1]: 0 bytes unread\n0000 | 50 | a\n", "P", false, "a line of a dump without bytes"},
	{"hex", "0000 | 50 00 | a\n0000 | 51 00 | b\n", "2:1: the bytes differ from those of an earlier line", true, "a dump in which one of two lines was edited"},
	{"hex", "0000: 50\n0002: 51\n", "2:1: offset is 0x2, must be 0x1", true, "a line is missing"},
	{"hex", "0010: 50\n0000: 51\n", "2:1: offset is 0x0", true, "lines in the wrong order"},
	{"hex", "00000000  50 |P|\n*\n00000010\n", "2:1: * means omitted lines", true, "hexdump omits repeated lines"},
	{"hex", "00000000  50 |P|\n00000002\n", "2:1: the line has no offset", true, "the last offset of hexdump is not the end"},
	{"hex", "0000: 50\n50 00\n", "2:1: the line has no offset", true, "an offset or bytes"},
	{"hex", "50 00\n0002: 50\n", "2:1: the line has an offset", true, "bytes or an offset"},
	{"hex", "50 0", "1:4: 1 hex digit, must be two", true, "half a byte"},
	{"hex", "50\n5g", "2:2: 'g' is not a hex digit", true, "a letter that is not a digit"},
	{"hex", "0x", "1:1: 0x without a hex digit after it", true, "no digit after 0x"},
	{"hex", "50 0x\n00", "1:4: 0x without a hex digit after it", true, "no digit at the end of a line"},
	{"hex", "0x, 0x50", "1:1: 0x without a hex digit after it", true, "no digit before a comma"},
	{"hex", "0xg0", "1:3: 'g' is not a hex digit", true, "another letter after 0x"},
	{"hex", "0x5000", "1:1: 0x with 4 digits", true, "the byte order is unknown"},
	{"hex", "é", "1:1: 'é'", true, "columns and letters are characters"},
	{"hex", "é 1", "1:1: 'é'", true, "not at the end of the text"},
	{"hex", "{ 0x50", "1:1: { without a } after it", true, "an array that was cut off"},
	{"hex", " \n", "2:1: there are no bytes", true, "an empty text"},
	{"hex", "# 50\n", "2:1: there are no bytes", true, "only a comment"},
	{"hex", "this is { not } an array", "1:1: 't' is not a hex digit", true, "a { in a text"},
	{"hex", "50 00\n45 {P.E}\n", "2:4: '{' is not a hex digit", true, "a { after bytes"},
	{"hex", "header\n0000 | 50 00 | Name = \"{x}\"\n", "1:1: 'h' is not a hex digit", true, "a { in a line of a dump"},
	{"hex", "// see {x}\nstatic BYTE a[] = { 0x50 };", "P", false, "a { in a comment"},
	{"hex", "/* {x} */ static BYTE a[] = { 0x50 };", "P", false, "a { in another comment"},
	{"hex", "static BYTE a[] = // P\n/* E */ { 0x50 };", "P", false, "comments before {"},
	{"hex", "// P\n{ 0x50 }", "P", false, "only a comment before {"},
	{"hex", "var b = []byte{\n0x50,\n}", "P", false, "a slice of Go"},
	{"hex", "std::vector<BYTE> v {0x50};", "P", false, "a vector of C++"},
	{"hex", "namespace x { BYTE a[1] = { 0x50 }; }", "P", false, "a { before that of the array"},
	{"hex", "a[] = {}", "1:7: there are no bytes between { and }", true, "an empty array"},
	{"hex", "\x1b[2m0000 | 50 00 |\x1b[0;22m \x1b[36mName\x1b[m\n", "P\x00", false, "a dump in colours"},
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
	{"hex", "fffffffffffffffff: 50", "1:1: offset fffffffffffffffff is too large", true, "an offset of 17 digits"},

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
	{"auto", "{}", "1:1: there are no bytes", true, "an empty array is not base64"},
	{"auto", "\x1b[1m50\x1b[0m", "P", false, "colours are ignored"},
	{"auto", "\x1b[2J50", "\x1b[2J50", false, "other escape sequences are not text"},
	{"auto", "\xff\xfe5\x000\x00", "1:1: is UTF-16, as Windows PowerShell writes it", true, "a text that > of PowerShell wrote"},
	{"auto", "\xff\xfeP\x00\x00\x00E\x00\x00\x00R\x00\x00\x00F\x00\x00\x00", "1:1: is UTF-16", true, "a block that > of PowerShell changed"},
	{"hex", "\xff\xfe5\x000\x00", "1:1: is UTF-16", true, "a text that > of PowerShell wrote, as hex"},
	{"base64", "\xff\xfe5\x000\x00", "1:1: is UTF-16", true, "the same text as base64"},
	{"auto", "\xff\xfe5\x000", "\xff\xfe5\x000", false, "an odd number of bytes is not UTF-16"},
	{"auto", "\xff\xfe5\x00\x00\x00", "\xff\xfe5\x00\x00\x00", false, "NUL is not text"},
	{"raw", "\xff\xfe5\x000\x00", "\xff\xfe5\x000\x00", false, "raw takes any bytes"},
	{"auto", "hello, world", "neither hex (1:1: 'h' is not a hex digit) nor base64 (1:6: ',' is not base64)", true, "neither, with both errors"},
}

func TestDecode(t *testing.T) {
	t.Parallel()
	for _, tt := range decodings {
		got, as, err := input(t, tt.input).Decode([]byte(tt.text))
		switch {
		case tt.fails && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %q: got %q as %s, %v, want an error with %q: %s", tt.input, tt.text, got, as.Name, err, tt.want, tt.reason)
		case !tt.fails && (err != nil || string(got) != tt.want):
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

// TestAutoIsSure checks that the error of auto does not mention base64 if the text is hex or
// the output of od.
func TestAutoIsSure(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"{}", "# 50\n", "0000000 5000 4500 5200\n"} {
		if _, as, err := input(t, "auto").Decode([]byte(text)); err == nil || as.Name != "hex" || strings.Contains(err.Error(), "base64") {
			t.Errorf("%q: got %s, %v", text, as.Name, err)
		}
	}
}

// TestMemory checks that decoding allocates memory only for the bytes, even if lines repeat
// bytes.
func TestMemory(t *testing.T) {
	long := bytes.Repeat([]byte("0000 | 50 00 45 00 | a\n"), 50_000) // repeats the same bytes
	got, _, err := input(t, "hex").Decode(long)
	if err != nil || len(got) != 4 {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	for _, text := range [][]byte{long, bytes.Repeat([]byte("50"), 500_000), bytes.Repeat([]byte("UABF\n"), 200_000)} {
		n := testing.AllocsPerRun(1, func() { _, _, err = input(t, "auto").Decode(text) })
		if err != nil || n > 50 {
			t.Errorf("%q...: %v allocations, %v", text[:20], n, err)
		}
	}
}
