package titles

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/quote"
)

// decode returns contents as UTF-8 text. isText is false for binary data, such as a REG_MULTI_SZ with NULs.
func decode(contents []byte) (text string, isText bool) {
	decoder := charmap.Windows1252.NewDecoder() // lodctr /S writes code page 1252
	marked := bytes.HasPrefix(contents, []byte{0xFF, 0xFE}) || bytes.HasPrefix(contents, []byte{0xFE, 0xFF})
	switch zero := bytes.IndexByte(contents, 0) >= 0; {
	case hasNUL(contents), zero && !marked && len(contents)%2 == 1:
		return "", false
	case marked, zero:
		decoder = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()
	default:
		if contents = bytes.TrimPrefix(contents, []byte("\uFEFF")); utf8.Valid(contents) {
			return string(contents), true
		}
	}
	decoded, err := decoder.Bytes(contents)
	return string(decoded), err == nil
}

// hasNUL reports whether b, read as UTF-16, has a NUL.
func hasNUL(b []byte) bool {
	for i := 0; i+1 < len(b); i += 2 {
		if b[i] == 0 && b[i+1] == 0 {
			return true
		}
	}
	return false
}

// lines yields the number and the text of each line, without the line end. It leaves out an empty last line.
func lines(text string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		text = strings.TrimSuffix(text, "\x1A") // Ctrl-Z, the end of a text file of DOS
		for n := 1; text != ""; n++ {
			line, rest, _ := strings.Cut(text, "\n")
			if !yield(n, strings.TrimSuffix(line, "\r")) {
				return
			}
			text = rest
		}
	}
}

// readLines reads text with an index and a name on alternate lines. Empty lines at the end are not pairs.
func readLines(text string) (Table, error) {
	t := Table{At: Place{Line: 1, Col: 1}}
	for at, line := range lines(text) {
		t.add(line, Place{Line: at, Col: 1})
		if at > maxStrings {
			return t, &armor.PlaceError{Line: at, Col: 1, Err: fmt.Errorf("the text has more than %d lines, the limit of a title database", maxStrings)}
		}
	}
	if !t.hasIndex() {
		return t, &armor.PlaceError{Line: 1, Col: 1, Err: ErrNoTitles}
	}
	for len(t.Pairs) > 0 && t.Pairs[len(t.Pairs)-1].Key == "" && t.Pairs[len(t.Pairs)-1].Name == "" {
		t.Pairs = t.Pairs[:len(t.Pairs)-1]
	}
	return t, nil
}

// AppendText appends the table as text in UTF-8, with an index and a name on alternate lines. A string with a line end
// is an error. An empty last pair is also an error, because readers ignore empty lines at the end. On an error
// AppendText returns dst unchanged.
func (t *Table) AppendText(dst []byte) ([]byte, error) {
	out := dst
	for i := range t.Pairs {
		p := &t.Pairs[i]
		if strings.ContainsAny(p.Key+p.Name, "\r\n\x1A") {
			return dst, fmt.Errorf("pair %d: the string %s has a line end, which the text form cannot hold", i, quote.Short(p.Key+" "+p.Name))
		}
		if i == len(t.Pairs)-1 && p.Key == "" && p.Name == "" {
			return dst, fmt.Errorf("pair %d: the last pair is empty, which the text form cannot hold", i)
		}
		out = append(append(out, p.Key...), '\n')
		if !p.Lone {
			out = append(append(out, p.Name...), '\n')
		}
	}
	return out, nil
}
