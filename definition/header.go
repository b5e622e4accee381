package definition

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/validate"
)

// A symbol is a line #define NAME NUMBER of the C header with the V1 title numbers. An .ini file names this header as its
// symbolfile.
type symbol struct {
	name   string
	number uint32
	at     place
}

// define matches the definition of a macro without parameters: its name and its value. The caller must first replace
// comments by spaces.
var define = lazy.Regexp(`^\s*#\s*define\s+([A-Za-z_]\w*)[ \t]+(\S.*)$`)

// comment matches a comment of C. A comment without an end extends to the end of the text.
var comment = lazy.Regexp(`//[^\n]*|/\*(?s:.*?)(?:\*/|\z)`)

// isHeader reports whether a text has a macro whose value is a number.
func isHeader(contents []byte) bool {
	symbols, err := readHeader(contents)
	return err == nil && len(symbols) > 0
}

// readHeader returns each symbol that a header defines as a number, in the order of the text and in all branches of #if.
func readHeader(b []byte) ([]symbol, error) {
	text, err := decodeText(b, latin)
	if err != nil {
		return nil, err
	}
	text = comment().ReplaceAllStringFunc(text, blank)
	var list []symbol
	line := 0
	for s := range strings.Lines(text) {
		line++
		m := define().FindStringSubmatchIndex(strings.TrimRight(s, "\r\n\x1a"))
		if m == nil {
			continue
		}
		value := strings.Trim(s[m[4]:m[5]], " \t()uUlL")
		number, err := strconv.ParseUint(value, 0, 32)
		if err != nil {
			continue
		}
		list = append(list, symbol{s[m[2]:m[3]], uint32(number), place{line, utf8.RuneCountInString(s[:m[2]]) + 1}})
	}
	return list, nil
}

// blank replaces all characters except line ends by spaces, so that the places of later text stay the same.
func blank(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return r
		}
		return ' '
	}, s)
}

var headerRules = []*rule{
	{validate.Rule{
		ID: "PERF4211", Name: "sym-values", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "the numbers of the symbols in a header, or of the titles in a definition, are 0, 2, 4 and so on, in order",
		Why:     "Names have even indexes, and help texts have odd indexes. lodctr reserves two indexes for each symbol. If the symbols skip a number, the last symbol can have the indexes of another provider.",
		Fix:     "Number the symbols 0, 2, 4 and so on.",
		Sources: []validate.Source{iniPage},
	}, either(check{[]Form{Header}, func(in *File, report func(finding)) {
		want := uint32(0)
		for _, s := range in.header {
			if s.number != want {
				report(finding{at: s.at, got: fmt.Sprintf("%s is %d", s.name, s.number), want: fmt.Sprintf("must be %d", want)})
			}
			want = s.number&^1 + 2 // the next symbol must follow this number, so a skipped number gives one finding
		}
	}}, onProvider(titlesFollow).onForms(YAML))},
}

// titlesFollow reports each given title that is not the next even number after the preceding title. The first title
// must be 0.
func titlesFollow(p providerOf, report func(finding)) {
	want := uint32(0)
	for _, t := range p.Titles() {
		given := t.Set.Title
		if t.Counter != nil {
			given = t.Counter.Title
		}
		if given != nil && t.Number != want {
			report(t.finding("title", fmt.Sprintf("the title is %d", t.Number), fmt.Sprintf("must be %d, or absent", want)))
			want = t.Number &^ 1
		}
		want += 2
	}
}
