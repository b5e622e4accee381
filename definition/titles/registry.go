package titles

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/internal/quote"
)

// perflibKey is the registry key of the title databases. Each language is a subkey.
const perflibKey = `HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib`

const regHeader = "Windows Registry Editor Version 5.00"

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
	return strings.HasPrefix(text, "REGEDIT4") || strings.HasPrefix(text, "Windows Registry Editor Version ")
}

// mostTables is the largest number of values with titles in a text. Windows has about 200 languages, with two
// values each.
const mostTables = 1024

// isRegQuery reports whether a text is the output of reg query. The first line that is not empty must be the version of
// reg, a key or a value.
func isRegQuery(text string) bool {
	for _, line := range lines(text) {
		if strings.TrimSpace(line) != "" {
			return armor.IsRegQuery([]byte(line))
		}
	}
	return false
}

// readRegistry reads the values Counter and Help of a .reg file or of the output of reg query.
func readRegistry(values iter.Seq2[armor.RegValue, error]) (*Database, error) {
	d := &Database{}
	seen := make(map[string]bool)
	total := 0 // strings
	for v, err := range values {
		if err != nil {
			return nil, err
		}
		if v.ANSI {
			return nil, &armor.PlaceError{Line: 1, Col: 1, Err: errors.New("is a .reg file of version 4, which has names in a code page; export it again as version 5")}
		}
		t, ok := tableOf(v.Key, v.Name)
		if !ok || v.Type != armor.RegMulti {
			continue
		}
		t.At.Line, t.At.Col = v.Place(0)
		if v.Hex {
			t, err = readMultiSZ(v.Data, t, v.Place)
		} else if t.splitQuery(v); !t.hasIndex() {
			err = ErrNoTitles
		}
		name := strings.ToLower(v.Key + `\` + v.Name)
		switch total += 2 * len(t.Pairs); {
		case seen[name]:
			err = errors.New("an earlier value already has this name")
		case len(d.Tables) == mostTables:
			err = fmt.Errorf("the file has more than %d values with titles, the limit of a title database", mostTables)
		case total > maxStrings:
			err = fmt.Errorf("the values have more than %d strings, the limit of a title database", maxStrings)
		}
		if err != nil {
			return nil, &armor.PlaceError{Line: v.Line, Col: v.Column, Err: fmt.Errorf("%s: %w", v.Name, err)}
		}
		seen[name] = true
		d.Tables = append(d.Tables, t)
	}
	if len(d.Tables) == 0 {
		return nil, &armor.PlaceError{Line: 1, Col: 1, Err: errNoValue}
	}
	return d, nil
}

// splitQuery adds the strings that reg query shows with \0 between them. A name with \0 is read as two strings.
func (t *Table) splitQuery(v armor.RegValue) {
	const separator = `\0`
	text := v.Text
	for strings.HasSuffix(text, separator) { // some versions of reg query write one or more \0 at the end
		text = strings.TrimSuffix(text, separator)
	}
	off := 0
	for piece := range strings.SplitSeq(text, separator) {
		line, column := v.Place(off)
		t.add(piece, Place{Line: line, Col: column})
		if off += len(piece) + len(separator); 2*len(t.Pairs) > maxStrings { // the caller refuses the table
			return
		}
	}
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
