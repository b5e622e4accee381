package armor

import (
	"bytes"
	"errors"

	"github.com/perfblock/perfblock/internal/lazy"
)

// A grid describes lines with fixed columns: an offset, words of bytes, and a text column, which is not read.
type grid struct {
	digits  [2]int // the least and the most digits of an offset; 0 if lines have none
	address bool   // the offset may have a backtick and 8 more digits
	gap     string // between the offset and the words; "\t" also matches two or more spaces up to column 8
	words   int
	bytes   int    // number of bytes in a word; a word of several bytes is little-endian
	middle  string // between the two halves of the words, instead of a space
	text    int    // number of spaces between the words and the text column; a line may end before the text column
}

// A gridForm is a form of text with several possible grids. Each text uses one of these grids for all its lines.
type gridForm struct {
	name    string
	example string
	grids   []grid

	// describeLine describes a line that fits no grid. If startsBlock is true, a block follows the line, and name
	// is the name of the block, or "". If noBytes is true, the line is correct and has no bytes. If noBytes is
	// false, the line is an error.
	describeLine func(line string) (name string, startsBlock, noBytes bool)
}

// formatHex is the output of the command Format-Hex.
//
// Sources: https://learn.microsoft.com/powershell/module/microsoft.powershell.utility/format-hex (5.1 and 7.5), class
// ByteCollection in UtilityCommon.cs of https://github.com/PowerShell/PowerShell.
var formatHex = gridForm{
	name:    "format-hex",
	example: "00000000   50 00 45 00                                      P.E.",
	grids: []grid{
		{digits: [2]int{8, 8}, gap: "   ", words: 16, bytes: 1, middle: " ", text: 2},   // PowerShell 5
		{digits: [2]int{16, 16}, gap: " ", words: 16, bytes: 1, middle: " ", text: 1},   // PowerShell 7
		{digits: [2]int{20, 20}, gap: "   ", words: 16, bytes: 1, middle: " ", text: 2}, // PowerShell 6
	},
	describeLine: describeFormatHex,
}

// certutil is the output of certutil -encodehex. The command takes the type of the output as a number, such as 10. The
// documentation of CryptBinaryToString lists these types.
//
// Sources: https://learn.microsoft.com/windows/win32/api/wincrypt/nf-wincrypt-cryptbinarytostringa,
// https://www.sysadmins.lv/blog-en/certutil-tips-and-tricks-working-with-x509-file-format.aspx.
var certutil = gridForm{
	name:    "certutil",
	example: "0000\t50 00 45 00                                        P.E.",
	grids: []grid{
		{digits: [2]int{4, 8}, gap: "\t", words: 16, bytes: 1, middle: "  ", text: 3}, // HEXADDR (type 10) and HEXASCIIADDR (11, the default)
		{words: 16, bytes: 1, middle: "  ", text: 3},                                  // HEX (type 4) and HEXASCII (5)
	},
}

// windbg is the output of the commands db, dc and dd.
//
// Source: https://learn.microsoft.com/windows-hardware/drivers/debuggercmds/d--da--db--dc--dd--dd--df--dp--dq--du--dw--dw--dyb--dyd--display-memory-
var windbg = gridForm{
	name:    "windbg",
	example: "00000000`0012ff00  00450050 00460052",
	grids: []grid{
		{digits: [2]int{8, 8}, address: true, gap: "  ", words: 16, bytes: 1, middle: "-", text: 2}, // db
		{digits: [2]int{8, 8}, address: true, gap: "  ", words: 4, bytes: 4, middle: " ", text: 2},  // dc and dd
	},
	describeLine: describeWindbg,
}

// windbgPrompt matches a command in a log, such as "0:000> db 0012ff00", and the first and last
// line of a log file.
var windbgPrompt = lazy.Regexp(`^(\d+:\d+(:\w+)?|(\d+: )?l?kd(:\w+)?)>|^(Opened|Closing open) log file `)

func describeWindbg(line string) (name string, startsBlock, noBytes bool) {
	return "", false, windbgPrompt().MatchString(line)
}

// formatHexLabel matches the line above a block, such as "Path: FILE" or "Label: FILE". The word before the colon
// depends on the language of Windows.
var formatHexLabel = lazy.Regexp(`^\pL+ ?: (.*\S)`)

// formatHexTable matches the line of column names in PowerShell 7, and the line of hyphens below.
var formatHexTable = lazy.Regexp(`^\pL+ +\pL+ +\pL+$|^-+ -+ -+$`)

func describeFormatHex(line string) (name string, startsBlock, noBytes bool) {
	const numbers = "00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F"
	if m := formatHexLabel().FindStringSubmatch(line); m != nil {
		return m[1], true, true
	}
	return "", line == numbers, line == numbers || formatHexTable().MatchString(line)
}

// decodeCertutil reads the output of certutil. If the first line has only digits and no spaces, the output has type
// 12 and is plain hex.
func decodeCertutil(text []byte) ([]Block, error) {
	for start, end := range contents(text) {
		if end = trimmed(text, start, end); digitsEnd(text, start, end) == end {
			return decodeHex(text)
		}
		break
	}
	return certutil.decode(text)
}

func (f gridForm) decode(text []byte) ([]Block, error) {
	d := gridDecoder{gridForm: f, blocks: blockList{text: text}}
	d.text = text
	for start, end := range contents(text) {
		if err := d.line(start, trimmed(text, start, end)); err != nil {
			return nil, doubtUnless(len(d.grids) == 1 || errors.Is(err, errUnreadable), err)
		}
	}
	if err := d.end(); err != nil {
		return nil, err
	}
	blocks := d.blocks.blocks
	switch len(blocks) {
	case 0:
		return nil, doubt{place(text, len(text), "%w", errNoBytes)}
	case 1:
		blocks[0].Name = ""
	}
	return blocks, nil
}

// trimmed returns the end of the line text[start:end] without its trailing white space.
func trimmed(text []byte, start, end int) int {
	return start + len(bytes.TrimRight(text[start:end], " \t\r"))
}
