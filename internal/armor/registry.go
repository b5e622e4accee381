package armor

import (
	"bytes"
	"cmp"
	"iter"
	"strings"

	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/internal/lines"
)

// A RegValue is a value of the registry, or a key.
type RegValue struct {
	Key  string // the path of the key
	Name string // "" for the default value in a .reg file
	Type string // such as REG_SZ; or RegKey or RegDeleted

	Text string // a string of a .reg file, or the data in the output of reg query
	Data []byte // the bytes of a REG_DWORD and of a value in hex
	Hex  bool   // the data are in hex
	ANSI bool   // strings in Data are in a code page, as in .reg files of version 4; otherwise they are UTF-16LE

	Line, Column int // in the text; both count from 1, columns count characters

	// Place returns the line and the column of a byte of Data, if the data are in hex, or of a byte of Text in the output
	// of reg query.
	Place func(off int) (line, column int)

	start int // the offset of the value in the text
}

// Types of a [RegValue].
const (
	RegString  = "REG_SZ"
	RegExpand  = "REG_EXPAND_SZ"
	RegBinary  = "REG_BINARY"
	RegDword   = "REG_DWORD"
	RegMulti   = "REG_MULTI_SZ"
	RegKey     = "key"     // a key in a .reg file
	RegDeleted = "deleted" // a value that a .reg file deletes
)

// registryBlocks returns the values in hex. If there are none, the error says what is missing.
func registryBlocks(text []byte, values iter.Seq2[RegValue, error], missing string) ([]Block, error) {
	found := blockList{text: text}
	for v, err := range values {
		if err == nil && v.Hex {
			name := v.Key + `\` + cmp.Or(v.Name, "@")
			err = found.add(v.start, strings.TrimPrefix(name, `\`), v.Data)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(found.blocks) == 0 {
		return nil, place(text, len(text), "%w: no value %s", errNoBytes, missing)
	}
	return found.blocks, nil
}

// regQueryValue matches a line with a value. Its groups are the name and the type. The data follow the match. Old
// versions of Windows separate the columns by a tab. regQueryKey matches a key or the version at the start.
//
// Source: https://learn.microsoft.com/windows-server/administration/windows-commands/reg-query
var (
	regQueryValue = lazy.Regexp(`^(?: {4}|\t)(.*?)(?: {4}|\t) *(REG_[A-Z_]+)(?: {4}|\t| *$)`)
	regQueryKey   = lazy.Regexp(`^(?:HKEY_|\\\\|(! REG\.EXE VERSION ))`)
)

// decodeRegQuery reads the values of type REG_BINARY from the output of reg query.
func decodeRegQuery(text []byte) ([]Block, error) {
	return registryBlocks(text, RegQuery(text), "has the type REG_BINARY")
}

// endsQuery reports whether a row of text that starts at an offset is the line with the number of matches. The output of
// another query can follow this line. Otherwise the line is the last one, and can also be a prompt.
func endsQuery(text []byte, start int, row []byte) bool {
	after := bytes.TrimLeft(text[start+len(row):], regSpace)
	afterEmpty := bytes.HasSuffix(bytes.TrimRight(bytes.TrimSuffix(text[:start], []byte("\n")), " \t\r"), []byte("\n"))
	return len(after) == 0 || afterEmpty && bytes.ContainsAny(row, "0123456789") && regQueryKey().Match(after)
}

// IsRegQuery reports whether a line is from the output of reg query: its version, a key or a value.
func IsRegQuery(row []byte) bool { return regQueryKey().Match(row) || regQueryValue().Match(row) }

// RegQuery yields the values in the output of reg query. It stops at the first error. A text of several lines is an
// error, because its end cannot be found.
func RegQuery(text []byte) iter.Seq2[RegValue, error] {
	return func(yield func(RegValue, error) bool) {
		key, values := "", 0
		cursor := lines.Cursor{Text: text}
		for start, next := 0, 0; start < len(text); start = next {
			row := line(text[start:])
			next = start + len(row) + 1
			row = bytes.TrimSuffix(row, []byte("\r"))
			m := regQueryValue().FindSubmatchIndex(row)
			if m == nil {
				switch k := regQueryKey().FindSubmatch(row); {
				case k != nil && k[1] == nil:
					key = string(bytes.TrimSpace(row))
				case k != nil, len(bytes.TrimSpace(row)) == 0:
				case values > 0 && row[0] != ' ' && endsQuery(text, start, row):
				default:
					yield(RegValue{}, notALine(text, start, "reg-query"))
					return
				}
				continue
			}
			values++
			data := start + m[1]
			v := RegValue{Key: key, Name: string(row[m[2]:m[3]]), Type: string(row[m[4]:m[5]]), Text: string(row[m[1]:]), start: start}
			v.Line, v.Column = cursor.Place(start)
			v.Place = func(off int) (line, column int) { return cursor.Place(data + off) }
			var err error
			if v.Hex = v.Type == RegBinary; v.Hex {
				d := hexDecoder{text: text}
				for at, end := data, trimmed(text, data, start+len(row)); at < end && err == nil; {
					at, err = d.word(at, end)
				}
				v.Data = d.out
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}
