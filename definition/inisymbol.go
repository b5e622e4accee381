package definition

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
)

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
