package armor

import (
	"bytes"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/lazy"
)

// RegQueryValue returns a regular expression for a line of reg query that has a value. Its groups are the name and the
// type of the value. The data follow the match. Old versions of Windows separate the columns by a tab.
//
// Source: https://learn.microsoft.com/windows-server/administration/windows-commands/reg-query
var RegQueryValue = lazy.Regexp(`^(?: {4}|\t)(.*?)(?: {4}|\t) *(REG_[A-Z_]+)(?: {4}|\t|$)`)

// decodeRegQuery reads the values of type REG_BINARY from the output of reg query.
func decodeRegQuery(text []byte) ([]Block, error) {
	found := blockList{text: text}
	key, values := "", 0
	for at := 0; at < len(text); {
		row := line(text[at:])
		end := trimmed(text, at, at+len(row))
		m := RegQueryValue().FindSubmatchIndex(text[at:end])
		switch {
		case m != nil:
			values++
			if string(text[at+m[4]:at+m[5]]) != "REG_BINARY" {
				break
			}
			d := hexDecoder{text: text}
			for i := at + m[1]; i < end; {
				next, err := d.word(i, end)
				if err != nil {
					return nil, err
				}
				i = next
			}
			if err := found.add(at, join(key, string(text[at+m[2]:at+m[3]])), d.out); err != nil {
				return nil, err
			}
		case bytes.HasPrefix(text[at:end], []byte("HKEY_")), bytes.HasPrefix(text[at:end], []byte(`\\`)):
			key = string(text[at:end])
		case at == end, bytes.HasPrefix(text[at:end], []byte("! REG.EXE VERSION ")):
		case values > 0 && text[at] != ' ' && len(bytes.TrimSpace(text[end:])) == 0: // the line with the number of matches
		default:
			return nil, notALine(text, at, "reg-query")
		}
		at += len(row) + 1
	}
	if len(found.blocks) == 0 {
		return nil, place(text, len(text), "%w: no value has the type REG_BINARY", errNoBytes)
	}
	return found.blocks, nil
}

// join returns the path of a value in the registry.
func join(key, name string) string {
	if key == "" {
		return name
	}
	return key + `\` + name
}

// A regDecoder reads a .reg file. Source: https://support.microsoft.com/help/310516.
type regDecoder struct {
	hexDecoder     // of the current value
	at         int // the current position in the text
	key        string
	blocks     blockList

	counted, lines int // the number of line ends in the first counted bytes of the text
}

// decodeReg returns the hex values of a .reg file, such as "a"=hex:50,00 and "b"=hex(7):50,00. It skips all other
// values.
func decodeReg(text []byte) ([]Block, error) {
	d := regDecoder{hexDecoder: hexDecoder{text: text}, blocks: blockList{text: text}}
	d.skipSpace()
	header := bytes.TrimSpace(line(text[d.at:]))
	if !bytes.Equal(header, []byte("REGEDIT4")) && !bytes.HasPrefix(header, []byte("Windows Registry Editor Version ")) {
		return nil, place(text, d.at, "%s is not the first line of a .reg file (example: %q)", excerpt(header), "Windows Registry Editor Version 5.00")
	}
	d.skipLine()
	for d.skipSpace(); d.at < len(text); d.skipSpace() {
		if err := d.entry(); err != nil {
			return nil, err
		}
	}
	if len(d.blocks.blocks) == 0 {
		return nil, place(text, len(text), "%w: no value is hex", errNoBytes)
	}
	return d.blocks.blocks, nil
}

// entry reads a comment, a key, or a value.
func (d *regDecoder) entry() error {
	row := line(d.text[d.at:])
	switch row[0] {
	case ';':
	case '[':
		end := bytes.LastIndexByte(row, ']')
		if end < 0 {
			return place(d.text, d.at, "the key has no ] at its end")
		}
		d.key = string(row[1:end])
	case '@', '"':
		return d.value()
	default:
		return notALine(d.text, d.at, "reg")
	}
	d.skipLine()
	return nil
}

// value reads a value and its name. The name of the default value is @.
func (d *regDecoder) value() error {
	start, name := d.at, "@"
	if d.text[d.at] == '"' {
		var err error
		if name, err = d.quoted(); err != nil {
			return err
		}
	} else {
		d.at++
	}
	d.skipBlanks()
	if d.peek() != '=' {
		return place(d.text, d.at, "%s after the name of a value, must be =", quoteFirst(d.text[d.at:]))
	}
	d.at++
	d.skipBlanks()
	row := line(d.text[d.at:])
	switch kind, _, found := bytes.Cut(row, []byte{':'}); {
	case d.peek() == '"':
		if _, err := d.quoted(); err != nil {
			return err
		}
	case found && regHex().Match(kind):
		d.at += len(kind) + 1
		d.out = nil
		data := d.at
		if err := d.data(); err != nil {
			return err
		}
		if d.key == "" {
			return place(d.text, start, "the value has no key: a line with [KEY] must come before")
		}
		if err := d.blocks.add(start, join(d.key, name), d.out); err != nil {
			return err
		}
		added := &d.blocks.blocks[len(d.blocks.blocks)-1]
		d.lines += bytes.Count(d.text[d.counted:data], []byte("\n"))
		d.counted = data
		start := d.text[bytes.LastIndexByte(d.text[:data], '\n')+1 : data]
		added.text, added.line, added.column = d.text[data:], d.lines+1, utf8.RuneCount(start)+1
		return nil
	case found && bytes.EqualFold(kind, []byte("dword")), bytes.Equal(bytes.TrimSpace(row), []byte("-")):
	default:
		return place(d.text, d.at, "%s is not a value of a .reg file: hex:, dword: or a string", excerpt(row))
	}
	d.skipLine()
	return nil
}

// regHex matches the word hex before a value. A hex number in parentheses gives the type of the value. Without the
// number, the type is REG_BINARY.
var regHex = lazy.Regexp(`^(?i)hex(\([0-9a-f]{1,8}\))?$`)

// quoted reads a string in quotation marks. The string may contain line ends. A \ before a quotation mark, or before
// another \, is removed.
func (d *regDecoder) quoted() (string, error) {
	start := d.at
	var s []byte
	for d.at++; d.at < len(d.text); d.at++ {
		c := d.text[d.at]
		if c == '"' {
			d.at++
			return string(s), nil
		}
		if c == '\\' && d.at+1 < len(d.text) && (d.text[d.at+1] == '"' || d.text[d.at+1] == '\\') {
			d.at++
			c = d.text[d.at]
		}
		s = append(s, c)
	}
	return "", place(d.text, start, "the string has no \" at its end")
}

// data reads bytes with commas between them. A \ at the end of a line continues the value on the
// next line.
func (d *regDecoder) data() error {
	comma := false // before the current position
	for {
		d.skipBlanks()
		switch c := d.peek(); {
		case c == '\\' && len(bytes.TrimSpace(line(d.text[d.at+1:]))) == 0 && bytes.IndexByte(d.text[d.at:], '\n') >= 0:
			d.skipLine()
			continue
		case c == 0, c == '\n', c == ';':
			if comma {
				return place(d.text, d.at, "the value was cut off: a byte must follow the comma")
			}
			d.skipLine()
			return nil
		}
		next := digitsEnd(d.text, d.at, len(d.text))
		if next-d.at != 2 {
			return place(d.text, d.at, "%s in a value in hex, must be two hex digits for each byte", quoteFirst(d.text[d.at:]))
		}
		d.pairs(d.at, next)
		d.at = next
		d.skipBlanks()
		if comma = d.peek() == ','; comma {
			d.at++
		} else if c := d.peek(); c != 0 && c != '\n' && c != ';' {
			return place(d.text, d.at, "%s after a byte, must be a comma", quoteFirst(d.text[d.at:]))
		}
	}
}

// peek returns the current byte, or 0 at the end of the text.
func (d *regDecoder) peek() byte {
	if d.at < len(d.text) {
		return d.text[d.at]
	}
	return 0
}

// skipBlanks skips white space that is not a line end.
func (d *regDecoder) skipBlanks() {
	for c := d.peek(); c != '\n' && isSpace(c); c = d.peek() {
		d.at++
	}
}

func (d *regDecoder) skipSpace() {
	for isSpace(d.peek()) {
		d.at++
	}
}

// skipLine skips the rest of the line.
func (d *regDecoder) skipLine() { d.at = min(d.at+len(line(d.text[d.at:]))+1, len(d.text)) }
