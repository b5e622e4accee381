package definition

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/perfblock/perfblock/internal/lazy"
)

// CSymbol returns the C identifier of the set: Symbol, or an identifier made from Name.
func (s *CounterSet) CSymbol() string {
	if s.Symbol != "" {
		return s.Symbol
	}
	return constantName(s.Name.String())
}

// CounterSymbol returns the C identifier of a counter of the set. The default is the symbol of the set, an underscore,
// and an identifier made from the name of the counter. If the counter has no name, the identifier is made from its id.
func (s *CounterSet) CounterSymbol(c *Counter) string {
	if c.Symbol != "" {
		return c.Symbol
	}
	return s.CSymbol() + "_" + constantName(c.label())
}

// SetURI returns the URI of a set. The default is a URI made from the names of the provider and the set.
func (p *Provider) SetURI(s *CounterSet) string {
	if s.URI != "" {
		return s.URI
	}
	return goName(p.Name) + "." + goName(s.Name.String())
}

// CounterURI returns the URI of a counter of the set. The default is the URI of the set, a dot, and an identifier made
// from the name of the counter. If the counter has no name, the identifier is made from its id.
func (p *Provider) CounterURI(s *CounterSet, c *Counter) string {
	if c.URI != "" {
		return c.URI
	}
	return p.SetURI(s) + "." + goName(c.label())
}

// constantName returns a C identifier in capitals for a name: PUBLISHED_PER_SEC for Published/sec.
func constantName(name string) string {
	return identifier(strings.ToUpper(strings.Join(wordsOf(name), "_")))
}

// longestFileName is the largest length of the names that lowerName returns. A file can have a name of 255 bytes, with
// the end that a form adds, such as _windows_amd64.syso.
const longestFileName = 200

// lowerName returns a file name for a name: shop-queues for Shop Queues, or unnamed for a name without words. It cuts
// off the end of a long name.
func lowerName(name string) string {
	s := strings.ToLower(strings.Join(wordsOf(name), "-"))
	switch s = s[:min(len(s), longestFileName)]; {
	case s == "":
		return "unnamed"
	case deviceName().MatchString(s):
		return s + "-counters"
	default:
		return s
	}
}

// deviceName matches the names of Windows devices, which a file cannot have.
//
// Source: https://learn.microsoft.com/windows/win32/fileio/naming-a-file
var deviceName = lazy.Regexp(`^(con|prn|aux|nul|com\d|lpt\d)$`)

// goName returns an exported Go identifier for a name: PublishedPerSec for Published/sec.
func goName(name string) string {
	var b strings.Builder
	for _, word := range wordsOf(name) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return identifier(b.String())
}

// identifier returns s if s is an identifier, and otherwise X followed by s. s is not an identifier if it is empty or
// begins with a digit.
func identifier(s string) string {
	if s == "" || '0' <= s[0] && s[0] <= '9' {
		return "X" + s
	}
	return s
}

// spokenSigns replaces special characters in names by words.
var spokenSigns = strings.NewReplacer("%", " Percent ", "/", " Per ", "#", " Number ", "&", " And ", "+", " Plus ")

// wordsOf returns the words of a name in ASCII, with U00E9 for the letter é.
func wordsOf(name string) []string {
	var b strings.Builder
	for _, r := range spokenSigns.Replace(name) {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		case r > unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteString("U" + fmt.Sprintf("%04X", r)) // so that é and è stay different
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Fields(b.String())
}
