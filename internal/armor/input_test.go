package armor_test

import (
	"bytes"
	"strings"
	"testing"
)

// decodings is what each input makes of a text: bytes, or an error that holds want.
var decodings = []struct {
	input, text, want string
	fails             bool
	reason            string
}{
	{"hex", "50 00\n45", "P\x00E", false, "pairs apart"},
	{"hex", "500045", "P\x00E", false, "pairs in one run"},
	{"hex", "0x50, 0x0,0X45,", "P\x00E", false, "as in C; one digit is enough behind 0x"},
	{"hex", "50-00-45", "P\x00E", false, "as .NET prints bytes"},
	{"hex", "\uFEFF50 00", "P\x00", false, "Windows puts a byte order mark before text"},
	{"hex", "# a note {\n50 00\r\n", "P\x00", false, "comments, whatever is in them, and line ends of Windows"},
	{"hex", "unsigned char a[] = {\n 0x50, 0x00 };\nunsigned int a_len = 2;\n", "P\x00", false, "as of xxd -i"},
	{"hex", "00000000: 5000 4500 5200  P.E.R.\n00000006: 46  F\n", "P\x00E\x00R\x00F", false, "as of xxd"},
	{"hex", "00000000: 6162                                     ab\n", "ab", false, "text that looks like hex is none"},
	{"hex", "00000000  50 00 45 00 52 00 46 00  01 02  |P.E.R.F..|\n0000000a\n", "P\x00E\x00R\x00F\x00\x01\x02", false, "as of hexdump -C, with its last line"},
	{"hex", "0010 | 50 00 | Name = \"a|b {\"\n0012 | 45 | x\n", "P\x00E", false, "a dump, cut out of the middle"},
	{"hex", "0000 | 50 00 | a\n0000 | 50 00 45 | b\n", "P\x00E", false, "a dump of counters that overlap"},
	{"hex", "0000 |  | object[1]: 0 bytes unread\n0000 | 50 | a\n", "P", false, "a line of a dump without bytes"},
	{"hex", "0000 | 50 00 | a\n0000 | 51 00 | b\n", "2:1: the line gives other bytes", true, "a dump that was edited in one place of two"},
	{"hex", "0000: 50\n0002: 51\n", "2:1: offset 0x2, where 0x1 is next", true, "a line is missing"},
	{"hex", "0010: 50\n0000: 51\n", "2:1: offset 0x0", true, "lines in the wrong order"},
	{"hex", "00000000  50 |P|\n*\n00000010\n", "2:1: * stands for lines left out", true, "hexdump leaves out lines that repeat"},
	{"hex", "00000000  50 |P|\n00000002\n", "2:1: a line without an offset", true, "the last offset of hexdump is not that of the end"},
	{"hex", "0000: 50\n50 00\n", "2:1: a line without an offset", true, "bytes or an offset, nobody knows"},
	{"hex", "50 00\n0002: 50\n", "2:1: a line with an offset", true, "the same"},
	{"hex", "50 0", "1:4: 1 hex digits", true, "half a byte"},
	{"hex", "50\n5g", "2:2: 'g' is no hex digit", true, "a letter that is none"},
	{"hex", "0x", "1:3: the end is no hex digit", true, "nothing behind 0x"},
	{"hex", "0x5000", "1:1: 0x with 4 digits", true, "which byte comes first is not said"},
	{"hex", "é", "1:1: 'é'", true, "columns and letters are characters"},
	{"hex", "é 1", "1:1: 'é'", true, "the same, not at the end"},
	{"hex", "{ 0x50", "1:1: { without }", true, "an array that was cut off"},
	{"hex", " \n", "2:1: there are no bytes", true, "nothing at all"},
	{"hex", "# 50\n", "2:1: there are no bytes", true, "a comment alone"},
	{"hex", "a[] = {}", "1:7: there are no bytes between { and }", true, "an array of none"},
	{"hex", "\x1b[2m0000 | 50 00 |\x1b[0;22m \x1b[36mName\x1b[m\n", "P\x00", false, "a dump in colours"},
	{"hex", "\x1b[2J50", "1:1: '\\x1b' is no hex digit", true, "a sequence that is no colour"},

	{"hex", "0000000 50 00 45 00\n0000004\n", "1:1: it looks like the output of od -tx1", true, "seven digits are no bytes"},
	{"hex", "000000 50 00 45 00\n000004 52\n", "1:1: it looks like the output of od -tx1", true, "six could be, but for the second line (od -Ax)"},
	{"hex", "0000000 50 00 45 00 50 00 45 00\n0000010 52\n0000011\n", "od -tx1", true, "offsets in octal"},
	{"hex", "0000000 50 00 45 00 >P.E.<\n", "1:1: 7 hex digits", true, "text that one space sets apart is not of od"},
	{"hex", "0000000 50 00 45 00  >P.E.<\n0000004\n", "od -tx1", true, "as of od -tx1z"},
	{"hex", "0000000 0050 0045\n0000004\n", "od or hexdump, in words", true, "as of hexdump"},
	{"hex", "0000000    0050    0045\n", "od or hexdump, in words", true, "as of hexdump -x, one line of it"},
	{"hex", "0000000 000120 000105\n0000004\n", "od or hexdump, in words", true, "as of od"},
	{"hex", "0000000 120 000 105 000\n0000004\n", "od -b, in octal", true, "as of od -b"},
	{"hex", "000000 00450050 00460052\n000008\n", "od or hexdump, in words", true, "as of od -Ax -tx4, all of it whole bytes"},
	{"hex", "00000000 00000000\n00000004 00000000", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00", false, "groups of one width are bytes"},
	{"hex", "500045 00\n520046 00\n", "P\x00E\x00R\x00F\x00", false, "no offsets: the second does not follow from the first"},
	{"hex", "500045 00\n52004 00\n", "2:1: 5 hex digits", true, "a digit was lost, and the message says where"},
	{"hex", "fffffffffffffffff: 50", "1:1: offset fffffffffffffffff is too large", true, "an offset of 17 digits"},

	{"base64", "UABF", "P\x00E", false, "no padding"},
	{"base64", "UA\n B F", "P\x00E", false, "white space anywhere"},
	{"base64", "UAA=", "P\x00", false, "padded"},
	{"base64", "UAA", "P\x00", false, "padding left out"},
	{"base64", "UA==", "P", false, "two of it"},
	{"base64", "+/+/", "\xfb\xff\xbf", false, "the standard alphabet"},
	{"base64", "-_-_", "\xfb\xff\xbf", false, "that of URLs"},
	{"base64", "-----BEGIN X-----\nUABF\n-----END X-----\n", "P\x00E", false, "as of certutil -encode"},
	{"base64", "+/-_", "1:3: '-' is of the URL alphabet", true, "a mixture is no one's output"},
	{"base64", "UAB", "1:3: the last character has bits", true, "four characters were cut to three"},
	{"base64", "UABFU", "1:6: it ends too early", true, "no byte has six bits"},
	{"base64", "UA=", "1:4: it ends too early", true, "half the padding"},
	{"base64", "UA===", "1:5: = where", true, "too much of it"},
	{"base64", "=", "1:1: = where", true, "only that"},
	{"base64", "UAA=UA", "1:5: 'U' behind the padding", true, "two texts in one"},
	{"base64", "UA\nB!", "2:2: '!' is no base64", true, "not in the alphabet"},
	{"base64", "", "1:1: no base64", true, "nothing at all"},

	{"raw", "50 00", "50 00", false, "what the user says goes"},

	{"auto", "P\x00E\x00R\x00F\x00", "P\x00E\x00R\x00F\x00", false, "the signature"},
	{"auto", "50\x00", "50\x00", false, "a NUL is in no text"},
	{"auto", "50\xff", "50\xff", false, "nor is what is not UTF-8"},
	{"auto", "50 00", "P\x00", false, "hex"},
	{"auto", "5000", "P\x00", false, "valid base64 too, but hex goes first"},
	{"auto", "UABF", "P\x00E", false, "no hex, so base64"},
	{"auto", "0000 | 50 | Name = \"Ünïcode\"\n", "P", false, "names in a dump are text of any script"},
	{"auto", "0000000 5000 4500 5200\n", "1:1: it looks like the output of od or hexdump", true, "valid base64, of no use"},
	{"auto", "{}", "1:1: there are no bytes", true, "nor is nothing base64"},
	{"auto", "\x1b[1m50\x1b[0m", "P", false, "colours do not make bytes of text"},
	{"auto", "\x1b[2J50", "\x1b[2J50", false, "other sequences do"},
	{"auto", "\xff\xfe5\x000\x00", "1:1: UTF-16 text, as Windows PowerShell writes", true, "a text that > of PowerShell wrote"},
	{"auto", "\xff\xfeP\x00\x00\x00E\x00\x00\x00R\x00\x00\x00F\x00\x00\x00", "1:1: UTF-16 text", true, "a block that > of PowerShell changed"},
	{"auto", "\xff\xfe5\x000", "\xff\xfe5\x000", false, "an odd number of bytes is not UTF-16"},
	{"auto", "\xff\xfe5\x00\x00\x00", "\xff\xfe5\x00\x00\x00", false, "NUL is not text"},
	{"raw", "\xff\xfe5\x000\x00", "\xff\xfe5\x000\x00", false, "raw takes any bytes"},
	{"auto", "hello, world", "neither hex (1:1: 'h' is no hex digit) nor base64 (1:6: ',' is no base64)", true, "neither, with both reasons"},
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

func TestAutoSaysWhat(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"\x00": "raw", "00": "hex", "UABF": "base64"} {
		if _, as, err := input(t, "auto").Decode([]byte(text)); err != nil || as.Name != want {
			t.Errorf("%q: got %s, %v, want %s", text, as.Name, err, want)
		}
	}
}

// Where auto knows what it sees, it says so and nothing of base64.
func TestAutoIsSure(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"{}", "# 50\n", "0000000 5000 4500 5200\n"} {
		if _, as, err := input(t, "auto").Decode([]byte(text)); err == nil || as.Name != "hex" || strings.Contains(err.Error(), "base64") {
			t.Errorf("%q: got %s, %v", text, as.Name, err)
		}
	}
}

// Memory is that of what is decoded, however the text is made.
func TestMemory(t *testing.T) {
	long := bytes.Repeat([]byte("0000 | 50 00 45 00 | a\n"), 50_000) // says the same over and over
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
