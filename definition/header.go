package definition

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/validate"
)

// A symbol is a line #define NAME NUMBER of the C header with the V1 title numbers. An .ini file names this header as
// its symbolfile.
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

// readHeader returns each symbol that a header defines as a number, in the order of the text and in all branches of
// #if.
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

// inOrder returns the symbols of the header in the order of their numbers.
func (f *ini) inOrder() []symbol {
	return slices.SortedStableFunc(slices.Values(f.header), func(a, b symbol) int { return cmp.Compare(a.number, b.number) })
}

// unnamed returns the symbols of the header that have a title number but no text.
func (f *ini) unnamed() []symbol {
	texts := symbolsOf(slices.Concat(f.text, f.objects)) // the rule ini-objects reports a symbol that is only in [objects]
	symbols := f.inOrder()
	var list []symbol
	next := uint32(0)
	// Title numbers are 0, 2, 4 and so on. If a number is missing, the larger numbers belong to macros for other
	// purposes.
	for i := 0; i < len(symbols) && symbols[i].number <= next; {
		first := i
		named := false // whether any symbol with the number has a text
		for ; i < len(symbols) && symbols[i].number == symbols[first].number; i++ {
			named = named || texts[symbols[i].name]
		}
		if symbols[first].number != next { // an odd number
			continue
		}
		if !named {
			list = append(list, symbols[first])
		}
		next += 2
	}
	return list
}

// longestSymbol bounds the time of straySymbols, which is quadratic for a symbol of many underscores.
const longestSymbol = 255 // compilers for Windows use at least 255 characters of a symbol

// A straySymbol is a counter symbol that follows the wrong object. For example, TOPICS_SIZE follows the object QUEUES,
// but begins with the symbol of the object TOPICS.
type straySymbol struct {
	symbol
	after  string // the object that the symbol follows
	object string // the object that the symbol begins with
}

// straySymbols returns the counter symbols that follow the wrong object, in the order of their numbers.
func (f *ini) straySymbols() []straySymbol {
	objects, texts := symbolsOf(f.objects), symbolsOf(f.text)
	var list []straySymbol
	group := ""
	for _, s := range f.inOrder() {
		switch {
		case objects[s.name]:
			group = s.name
		case group == "" || !texts[s.name] || strings.HasPrefix(s.name, group+"_"):
		default:
			for i := min(len(s.name), longestSymbol) - 1; i > 0; i-- { // finds the longest object symbol that s.name begins with
				if object := s.name[:i]; s.name[i] == '_' && objects[object] {
					list = append(list, straySymbol{s, group, object})
					break
				}
			}
		}
	}
	return list
}

// symbolNotes returns a note for each symbol without a text, and for each stray symbol.
func (f *ini) symbolNotes() []string {
	var notes []string
	for _, s := range f.unnamed() {
		notes = append(notes, fmt.Sprintf("not read: the symbol %s of the header, because it has no text", s.name))
	}
	for _, s := range f.straySymbols() {
		notes = append(notes, fmt.Sprintf("the symbol %s begins with the object symbol %s, but is read as a counter of the object %s: in the order of the numbers, %[3]s is the last object before %[1]s", s.name, s.object, s.after))
	}
	if more := len(notes) - mostFaults; more > 0 {
		notes = append(notes[:mostFaults], quote.Count(more, "other note")+" about symbols")
	}
	return notes
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
