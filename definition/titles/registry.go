package titles

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/internal/quote"
)

// perflibKey is the registry key of the title databases. Each language is a subkey.
const perflibKey = `HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib`

const (
	regHeader  = "Windows Registry Editor Version 5.00"
	regHeader4 = "REGEDIT4"
)

var (
	// langid matches the name of a key with titles in one language: a number in hexadecimal, or CurrentLanguage.
	langid = lazy.Regexp(`^(?i)([0-9a-f]{1,4}|CurrentLanguage)$`)
	// titleValue matches names of values with titles, such as Counter 009 and Help. Some documents write Counters.
	titleValue = lazy.Regexp(`^(?i)(Counters?|Help)( ([0-9a-f]{1,4}))?$`)
)

var errNoValue = errors.New("there is no value Counter or Help of Perflib with the type REG_MULTI_SZ, which is hex(7) in a .reg file")

// tableOf returns an empty table with the kind and the language of a registry value such as Counter or Help 009. key is
// the path of the registry key.
func tableOf(key, value string) (t Table, ok bool) {
	m := titleValue().FindStringSubmatch(value)
	if m == nil {
		return t, false
	}
	if strings.EqualFold(m[1], "Help") {
		t.Kind = Help
	}
	t.Language = m[3]
	if name := key[strings.LastIndexByte(key, '\\')+1:]; t.Language == "" && langid().MatchString(name) {
		t.Language = name
	}
	return t, true
}

func isReg(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	return strings.HasPrefix(text, regHeader4) || strings.HasPrefix(text, "Windows Registry Editor Version ")
}

// readReg reads the values Counter and Help of a .reg file.
func readReg(contents []byte) (*Database, error) {
	if text, _ := decode(contents); strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), regHeader4) {
		return nil, &armor.PlaceError{Line: 1, Col: 1, Err: errors.New("is a .reg file of version 4, which has names in a code page; export it again as version 5")}
	}
	form, err := armor.InputNamed("reg")
	if err != nil {
		return nil, err
	}
	values, _, err := form.Decode(contents)
	if err != nil {
		return nil, err
	}
	d := &Database{}
	for _, v := range values {
		at := strings.LastIndexByte(v.Name, '\\')
		t, ok := tableOf(v.Name[:max(at, 0)], v.Name[at+1:])
		if !ok {
			continue
		}
		if len(d.Tables) == mostTables {
			return nil, fmt.Errorf("the file has more than %d values with titles, the limit of a title database", mostTables)
		}
		t.At.Line, t.At.Col = v.Places()(0)
		if t, err = readMultiSZ(v.Bytes, t, v.Places()); err != nil {
			return nil, fmt.Errorf("%s: %w", v.Name, err)
		}
		d.Tables = append(d.Tables, t)
	}
	if len(d.Tables) == 0 {
		return nil, &armor.PlaceError{Line: 1, Col: 1, Err: errNoValue}
	}
	return d, nil
}

// mostTables is the largest number of values with titles in a .reg file. Windows has about 200 languages, with two
// values each.
const mostTables = 1024

// isRegQuery reports whether the first line that is not empty is from the output of reg query: its version, a key or a
// value.
func isRegQuery(text string) bool {
	for _, line := range lines(text) {
		if strings.TrimSpace(line) != "" {
			return strings.HasPrefix(line, "HKEY_") || strings.HasPrefix(line, `\\`) || strings.HasPrefix(line, "! REG.EXE ") || armor.RegQueryValue().MatchString(line)
		}
	}
	return false
}

// readRegQuery reads the output of reg query, which has \0 between strings. A name with \0 is read as two strings.
func readRegQuery(text string) (*Database, error) {
	const separator = `\0`
	d := &Database{}
	key, total := "", 0
	for at, line := range lines(text) {
		m := armor.RegQueryValue().FindStringSubmatchIndex(line)
		if m == nil {
			if strings.HasPrefix(line, "HKEY_") || strings.HasPrefix(line, `\\`) {
				key = line
			}
			continue
		}
		t, ok := tableOf(key, line[m[2]:m[3]])
		if !ok || line[m[4]:m[5]] != "REG_MULTI_SZ" {
			continue
		}
		data := line[m[1]:]
		col := utf8.RuneCountInString(line[:m[1]]) + 1
		t.At = Place{Line: at, Col: col}
		for strings.HasSuffix(data, separator) { // some versions of reg query write one or more \0 at the end
			data = strings.TrimSuffix(data, separator)
		}
		for piece := range strings.SplitSeq(data, separator) {
			t.add(piece, Place{Line: at, Col: col})
			if total++; total > maxStrings {
				return nil, &armor.PlaceError{Line: at, Col: col, Err: fmt.Errorf("the values have more than %d strings, the limit of a title database", maxStrings)}
			}
			col += utf8.RuneCountInString(piece) + len(separator)
		}
		if !t.hasIndex() {
			return nil, &armor.PlaceError{Line: at, Col: 1, Err: ErrNoTitles}
		}
		d.Tables = append(d.Tables, t)
	}
	if len(d.Tables) == 0 {
		return nil, &armor.PlaceError{Line: 1, Col: 1, Err: errNoValue}
	}
	return d, nil
}

// AppendReg appends the tables as a .reg file, with the values Counter and Help in the key of each language. A table of
// kind Mixed is written as two values. It is an error if a language is unknown or has two tables of one kind. A string
// with a NUL or with invalid UTF-8 is also an error. On an error AppendReg returns dst unchanged.
func (d *Database) AppendReg(dst []byte) ([]byte, error) {
	out := append(dst, regHeader+"\r\n"...)
	written := make(map[string]bool) // the language and the kind of each table that is written
	var languages []string
	tables := make(map[string][]*Table) // the tables by language
	for i := range d.Tables {
		l := d.Tables[i].Language
		if tables[l] == nil {
			languages = append(languages, l)
		}
		tables[l] = append(tables[l], &d.Tables[i])
	}
	for _, language := range languages {
		if !langid().MatchString(language) {
			return dst, fmt.Errorf("the language of a table is %s, must be CurrentLanguage or a language number in hexadecimal, such as %q", quote.Short(language), "009")
		}
		out = append(out, "\r\n["+perflibKey+`\`+language+"]\r\n"...)
		for _, whole := range tables[language] {
			for _, t := range whole.split() {
				value := strings.ToLower(language) + t.Kind.String()
				if written[value] {
					return dst, fmt.Errorf("the language %s has two tables %v, a .reg file can hold one", language, t.Kind)
				}
				written[value] = true
				b, err := t.AppendMultiSZ(nil)
				if err != nil {
					return dst, fmt.Errorf("%v %s: %w", t.Kind, language, err)
				}
				out = appendHex(append(out, `"`+t.Kind.String()+`"=hex(7):`...), b)
			}
		}
	}
	return out, nil
}

// split returns a table of names and a table of help texts for a mixed table. It returns any other table unchanged.
func (t *Table) split() []*Table {
	if t.Kind != Mixed {
		return []*Table{t}
	}
	names, helps := &Table{Kind: Counter}, &Table{Kind: Help}
	for _, p := range t.Pairs {
		if index, ok := p.Index(); ok && index%2 == 1 && index != 1 {
			helps.Pairs = append(helps.Pairs, p)
		} else {
			names.Pairs = append(names.Pairs, p)
		}
	}
	return []*Table{names, helps}
}

// appendHex appends bytes in hexadecimal with commas. A \ at the end of a line continues the list on the next line.
func appendHex(out, b []byte) []byte {
	const line = 25 // bytes
	for i, c := range b {
		switch {
		case i > 0 && i%line == 0:
			out = append(out, ",\\\r\n  "...)
		case i > 0:
			out = append(out, ',')
		}
		out = fmt.Appendf(out, "%02x", c)
	}
	return append(out, "\r\n"...)
}
