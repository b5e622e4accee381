package armor_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// Each writer has a function named write. For the bytes b, the function returns the text that a program such as xxd or
// certutil shows for these bytes. The documentation of the Windows programs is cited in grid.go and registry.go.
var writers = []struct {
	input, variant string
	write          func(b []byte) string
}{
	{"hex", "pairs", func(b []byte) string { return rows(b, "", " ", 0, nil, "") }},
	{"dump", "offsets and a column", func(b []byte) string { return rows(b, "%04x | ", " ", 0, nil, " | x {") }},
	{"xxd", "groups of two bytes", writeXXD},
	{"hexdump", "hexdump -C", func(b []byte) string { return rows(b, "%08x  ", "  ", 2, dots, "|") }},
	{"array", "an array of C", func(b []byte) string {
		return "a[] = {" + strings.ReplaceAll(fmt.Sprintf("% #x", b), " ", ", ") + "};\n"
	}},
	{"format-hex", "PowerShell 5", func(b []byte) string {
		return "\n\n           Path: C:\\a b.bin\n\n           " + numbers + "\n\n" + rows(b, "%08X   ", " ", 2, latin1, "")
	}},
	{"format-hex", "PowerShell 6", func(b []byte) string { return rows(b, "%020X   ", " ", 2, latin1, "") }},
	{"format-hex", "PowerShell 7", func(b []byte) string {
		return "\n   Label: String (System.String) <2944BEC3>\n\n          Offset Bytes                                           Ascii\n                 " + numbers +
			"\n          ------ ----------------------------------------------- -----\n" + rows(b, "%016X ", " ", 1, latin1, "")
	}},
	{"certutil", "type 4", func(b []byte) string { return rows(b, "", "  ", 0, nil, "") }},
	{"certutil", "type 5", func(b []byte) string { return rows(b, "", "  ", 3, dots, "") }},
	{"certutil", "type 10", func(b []byte) string { return rows(b, "%04x\t", "  ", 0, nil, "") }},
	{"certutil", "type 11", func(b []byte) string { return rows(b, "%04x\t", "  ", 3, dots, "") }},
	{"certutil", "type 11, as a console shows the tab", func(b []byte) string { return rows(b, "%04x    ", "  ", 3, dots, "") }},
	{"certutil", "type 12", func(b []byte) string { return hex.EncodeToString(b) + "\r\n" }},
	{"windbg", "db, 64 bits", func(b []byte) string {
		return "0:000> db @rcx\n" + rows(b, "ffff8000`%08x  ", "-", 2, dots, "")
	}},
	{"windbg", "db, 32 bits", func(b []byte) string { return rows(b, "%08x  ", "-", 2, dots, "") }},
	{"windbg", "dd, 64 bits", func(b []byte) string { return writeDD(b, "00000000`%08x ") }},
	{"windbg", "dd, 32 bits", func(b []byte) string { return writeDD(b, "%08x ") }},
	{"reg-query", "a value and another", func(b []byte) string {
		return "\nHKEY_LOCAL_MACHINE\\SOFTWARE\\A\n    Text    REG_SZ    a b\n    Block    REG_BINARY    " + strings.ToUpper(hex.EncodeToString(b)) + "\n\n"
	}},
	{"reg", "a value over several lines", writeReg},
	{"base64", "lines", func(b []byte) string { return encode64(b) }},
}

const numbers = "00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F"

// rows writes a dump with 16 bytes on each line: the offset, the bytes in hex and a text column.
//
//   - offset is the format of the offset. If it is "", the dump has no offsets.
//   - middle is the separator between bytes 7 and 8 of a line.
//   - margin is the number of spaces before the text column.
//   - text returns the character for a byte. If it is nil, edge replaces the text column and its spaces.
//   - edge is written at the start and the end of the text column.
func rows(b []byte, offset, middle string, margin int, text func(c byte) rune, edge string) string {
	var out strings.Builder
	at := 0
	for part := range slices.Chunk(b, 16) {
		if offset != "" {
			fmt.Fprintf(&out, offset, at)
		}
		words := 0
		for i, c := range part {
			separator := " "
			switch i {
			case 0:
				separator = ""
			case 8:
				separator = middle
			}
			n, _ := fmt.Fprintf(&out, "%s%02x", separator, c)
			words += n
		}
		switch {
		case text != nil:
			out.WriteString(strings.Repeat(" ", 16*3-2+len(middle)-words+margin) + edge)
			for _, c := range part {
				out.WriteRune(text(c))
			}
			out.WriteString(edge)
		default:
			out.WriteString(edge)
		}
		out.WriteString("\r\n")
		at += len(part)
	}
	return out.String()
}

// dots shows a byte as certutil and WinDbg do.
func dots(c byte) rune {
	if c < ' ' || c > '~' {
		return '.'
	}
	return rune(c)
}

// latin1 shows a byte as Format-Hex of PowerShell 5 does.
func latin1(c byte) rune {
	if c < ' ' || c == 0xFF {
		return '.'
	}
	return rune(c)
}

func writeXXD(b []byte) string {
	var out strings.Builder
	for i, c := range b {
		if i%16 == 0 {
			fmt.Fprintf(&out, "\n%08x:", i)
		}
		if i%2 == 0 {
			out.WriteByte(' ')
		}
		fmt.Fprintf(&out, "%02x", c)
	}
	return out.String() + "  anything\n"
}

// writeDD writes b as little-endian words of 4 bytes, like the command dd of WinDbg. len(b) must be a multiple of 4.
func writeDD(b []byte, offset string) string {
	var out strings.Builder
	for i := 0; i+4 <= len(b); i += 4 {
		if i%16 == 0 {
			fmt.Fprintf(&out, "\n"+offset, i)
		}
		fmt.Fprintf(&out, " %08x", binary.LittleEndian.Uint32(b[i:]))
	}
	return out.String() + "\n"
}

func writeReg(b []byte) string {
	var out strings.Builder
	out.WriteString("Windows Registry Editor Version 5.00\r\n\r\n; note\r\n[HKEY_LOCAL_MACHINE\\SOFTWARE\\A]\r\n\"DWord\"=dword:00000001\r\n\"B\\\"\\\\\"=hex(3):")
	for i, c := range b {
		if i > 0 {
			out.WriteByte(',')
		}
		if i%25 == 3 {
			out.WriteString("\\\r\n  ")
		}
		fmt.Fprintf(&out, "%02x", c)
	}
	out.WriteString("\r\n@=\"\\\"lines\r\n[and] more\"\r\n")
	return out.String()
}

// wide returns text as UTF-16.
func wide(text string, order binary.AppendByteOrder, mark bool) []byte {
	var b []byte
	if mark {
		b = order.AppendUint16(b, 0xFEFF)
	}
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

// encodings returns text in the encodings that Windows uses.
func encodings(text string) map[string][]byte {
	all := map[string][]byte{
		"UTF-8": []byte(text), "UTF-8 with a mark": []byte("\uFEFF" + text),
		"UTF-16": wide(text, binary.LittleEndian, true), "big-endian UTF-16": wide(text, binary.BigEndian, true),
	}
	if !strings.ContainsFunc(text, func(r rune) bool { return r > 0x7F }) {
		all["UTF-16 without a mark"] = wide(text, binary.LittleEndian, false)
		all["big-endian UTF-16 without a mark"] = wide(text, binary.BigEndian, false)
	}
	return all
}

// FuzzForms writes bytes in a form, and checks that Decode returns the same bytes from the text in UTF-8 and in UTF-16.
// The input "auto" may instead return an error that names two forms.
func FuzzForms(f *testing.F) {
	for _, s := range []string{"P\x00E\x00R\x00F\x00\x01\x00\x00\x00", "abcdefgh", "0123456789abcdef", "={0x50}, {0x51}.", "|a|b  |c", "\xff\x7f\x80 ", "16 bytes: a word", strings.Repeat("17 and more words", 3)} {
		for i := range writers {
			f.Add([]byte(s), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, i uint8) {
		w := writers[int(i)%len(writers)]
		if strings.HasPrefix(w.variant, "dd") {
			b = b[:len(b)&^3]
		}
		if len(b) == 0 {
			return
		}
		for encoding, text := range encodings(w.write(b)) {
			got, _, err := input(t, w.input).Decode(text)
			if err != nil || len(got) != 1 || !bytes.Equal(got[0].Bytes, b) {
				t.Fatalf("%s (%s) in %s: got %v, %v of\n%s", w.input, w.variant, encoding, got, err, text)
			}
			found, as, err := input(t, "auto").Decode(text)
			switch {
			case w.input == "base64": // could also be hex
			case err == nil && (len(found) != 1 || !bytes.Equal(found[0].Bytes, b)):
				t.Fatalf("auto reads %s (%s) in %s as %s: %v of\n%s", w.input, w.variant, encoding, as.Name, found, text)
			case err != nil && bytes.Contains(b, []byte("{0x")): // the text column has an array
			case err != nil && (!strings.Contains(err.Error(), " read differently") || len(b) > 64):
				t.Fatalf("auto does not read %s (%s) in %s: %v of\n%s", w.input, w.variant, encoding, err, text)
			}
		}
	})
}

// TestAutoReadsForms checks that auto reads a block in each form without an error.
func TestAutoReadsForms(t *testing.T) {
	t.Parallel()
	block := slices.Repeat([]byte("P\x00E\x00R\x00F\x00\x01\x00\x00\x00 |{\xff"), 5)
	for _, w := range writers {
		got, as, err := input(t, "auto").Decode([]byte(w.write(block)))
		if err != nil || len(got) != 1 || !bytes.Equal(got[0].Bytes, block) {
			t.Errorf("%s (%s): got %v as %s, %v", w.input, w.variant, got, as.Name, err)
		}
		same := as.Name == w.input || w.input == "certutil" && as.Name == "hex"
		if err == nil && !same {
			t.Errorf("%s (%s) is read as %s", w.input, w.variant, as.Name)
		}
	}
}

func encode64(b []byte) string { return base64.StdEncoding.EncodeToString(b) + "\n" }
