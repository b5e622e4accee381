package definition

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// An ini is an .ini file for lodctr.
//
// Source: https://learn.microsoft.com/windows/win32/perfctrs/adding-counter-names-and-descriptions-to-the-registry
type ini struct {
	sections    map[string][]iniEntry
	text        []iniText  // the entries of [text]
	objects     []iniText  // the entries of [objects]
	strange     []iniEntry // lines other than sections, comments and entries of a section
	infoAt      place      // the place of the section [info]
	header      []symbol   // the symbols of the symbolfile
	headerError error      // why the symbolfile could not be read
	page        encoding.Encoding
}

// An iniEntry is a line KEY = VALUE.
type iniEntry struct {
	key, value string
	at         place
}

// An iniText is an entry of [text] or [objects], with the parts of its key.
type iniText struct {
	symbol   string
	language string // as in the file, such as 009
	help     bool   // the entry is a help text, else a name
	iniEntry
}

// readINI reads an .ini file and its header. If the header cannot be read, the error is in headerError. readBeside
// reads a file in the same folder, and can be nil.
func readINI(b []byte, readBeside func(name string) ([]byte, error)) (*ini, error) {
	f, err := scanINI(b, latin)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(b) { // the file may be in the code page of its language
		for _, e := range f.sections["languages"] {
			number, err := LanguageNumber(e.key)
			if page := codePage(number); err == nil && page != latin {
				if f, err = scanINI(b, page); err != nil {
					return nil, err
				}
				break
			}
		}
	}
	name := f.info("symbolfile").value
	switch {
	case name == "":
		f.headerError = fmt.Errorf("[info] has no symbolfile")
	case readBeside == nil:
		f.headerError = fmt.Errorf("the header %s was not given", quoted(name))
	default:
		contents, err := readBeside(fileBase(name))
		if err == nil {
			f.header, err = readHeader(contents)
		}
		f.headerError = err
	}
	return f, nil
}

// isINI reports whether a file has the sections or keys of an .ini file for lodctr.
func isINI(contents []byte) bool {
	f, err := scanINI(contents, latin)
	if f == nil {
		return err != nil && len(contents) <= mostText // the error is then about too many texts or languages
	}
	_, info := f.sections["info"]
	_, languages := f.sections["languages"]
	_, objects := f.sections["objects"]
	return len(f.text) > 0 && (info || languages || objects) || info && languages || f.info("drivername").value != "" && f.info("symbolfile").value != ""
}

// These limits bound the time and the memory for a hostile file.
const (
	mostTexts     = 1 << 17 // the titles of all providers have indexes below 65,536
	mostLanguages = 256     // Windows has about 200 languages
)

// scanINI reads the lines of an .ini file. page is the code page of a file that is neither UTF-16 nor UTF-8.
func scanINI(b []byte, page encoding.Encoding) (*ini, error) {
	text, err := decodeText(b, page)
	if err != nil {
		return nil, err
	}
	text, _, _ = strings.Cut(text, "\x1a") // Ctrl-Z, the end of a text in MS-DOS
	f := &ini{sections: make(map[string][]iniEntry), page: page}
	section, number := "", 0 // section is in small letters
	for line := range strings.Lines(text) {
		number++
		trimmed := strings.TrimSpace(line)
		column := utf8.RuneCountInString(line[:strings.Index(line, trimmed)]) + 1
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, ";") || strings.HasPrefix(trimmed, "//") || strings.HasPrefix(trimmed, "#"):
		case trimmed[0] == '[' && trimmed[len(trimmed)-1] == ']':
			section = strings.ToLower(strings.TrimSpace(trimmed[1 : len(trimmed)-1]))
			if section == "info" && f.infoAt.line == 0 {
				f.infoAt = place{number, column}
			}
		default:
			key, value, is := strings.Cut(trimmed, "=")
			e := iniEntry{strings.TrimSpace(key), strings.TrimSpace(value), place{number, column}}
			if !is || section == "" {
				f.strange = append(f.strange, e)
			} else {
				f.sections[section] = append(f.sections[section], e)
			}
		}
	}
	f.text, f.objects = textsIn(f.sections["text"]), textsIn(f.sections["objects"])
	switch {
	case len(f.text) > mostTexts:
		return nil, fmt.Errorf("[text] has %d texts, must have at most %d", len(f.text), mostTexts)
	case len(f.sections["languages"]) > mostLanguages:
		return nil, fmt.Errorf("[languages] has %d languages, must have at most %d", len(f.sections["languages"]), mostLanguages)
	}
	return f, nil
}

// info returns the entry of [info] with a key, or the zero entry if [info] lacks the key. Keys are not case-sensitive.
func (f *ini) info(key string) iniEntry {
	for _, e := range f.sections["info"] {
		if strings.EqualFold(e.key, key) {
			return e
		}
	}
	return iniEntry{}
}

// textsIn returns the entries whose keys have the form SYMBOL_009_NAME or SYMBOL_009_HELP. It ignores other entries.
func textsIn(section []iniEntry) []iniText {
	var list []iniText
	for _, e := range section {
		rest, isHelp := strings.CutSuffix(e.key, "_HELP")
		rest, isName := strings.CutSuffix(rest, "_NAME")
		i := strings.LastIndexByte(rest, '_')
		if isHelp == isName || i <= 0 {
			continue
		}
		list = append(list, iniText{rest[:i], rest[i+1:], isHelp, e})
	}
	return list
}

// hasLanguage reports whether the key of the text names a language. The keys A__NAME and A_x_NAME do not.
func (t iniText) hasLanguage() bool { return languageForm().MatchString(t.language) }

// symbolsOf returns the symbols of a list of texts.
func symbolsOf(list []iniText) map[string]bool {
	symbols := make(map[string]bool)
	for _, t := range list {
		symbols[t.symbol] = true
	}
	return symbols
}

// provider returns the definition in the file. It reads the symbols of the header in the order of their numbers. Each
// symbol in [objects] becomes a set. If [objects] has no symbol of the header, the first symbol with a text becomes the
// only set. The other symbols with a text become counters.
func (f *ini) provider() (*Provider, error) {
	// A header is required, because its numbers give the order of the symbols.
	switch {
	case f.headerError != nil && f.info("symbolfile").value == "":
		return nil, f.infoError("symbolfile", "%w; write symbolfile=NAME.h with the name of the header", f.headerError)
	case f.headerError != nil:
		return nil, f.infoError("symbolfile", "%w; the header must be in the folder of the .ini file", f.headerError)
	}
	p := &Provider{Name: f.info("drivername").value, Header: f.info("symbolfile").value}
	for key, name := range map[string]string{"": "drivername", "service": "drivername", "header": "symbolfile", "trusted": "trusted"} {
		if at := f.info(name).at; at.line > 0 {
			p.at.set(key, at)
		}
	}
	p.Trusted = p.at.isGiven("trusted")
	if p.Name == "" {
		return nil, f.infoError("drivername", "[info] has no drivername, which names the service; write drivername=NAME")
	}
	texts := make(map[string][]iniText)
	for _, t := range f.text {
		if t.hasLanguage() {
			texts[t.symbol] = append(texts[t.symbol], t)
		}
	}
	objects := symbolsOf(f.objects)
	symbols := f.inOrder()
	listed := slices.ContainsFunc(symbols, func(s symbol) bool { return objects[s.name] })
	used := make(map[string]bool)
	var early []Counter // before the first set
	for _, s := range symbols {
		// Skip a repeated symbol, and a symbol that has no text and is not in [objects].
		if texts[s.name] == nil && !objects[s.name] || used[s.name] {
			continue
		}
		used[s.name] = true
		title := new(s.number)
		name, help, at := textsOf(texts[s.name])
		at.set(headerPlace, s.at)
		// An .ini file has no types.
		c := Counter{Name: name, Help: help, Symbol: s.name, Title: title, Type: layout.PERF_COUNTER_RAWCOUNT, at: at}
		switch n := len(p.CounterSets); {
		case objects[s.name] || !listed && n == 0: // if no symbol is in [objects], the first symbol is the set
			p.CounterSets = append(p.CounterSets, CounterSet{Name: name, Help: help, Symbol: s.name, Title: title, Instances: layout.PERF_COUNTERSET_MULTI_INSTANCES, Counters: early, at: at})
			early = nil
		case n == 0:
			early = append(early, c)
		default:
			p.CounterSets[n-1].Counters = append(p.CounterSets[n-1].Counters, c)
		}
	}
	if len(p.CounterSets) == 0 {
		return nil, f.infoError("symbolfile", "no symbol of the header has a text in [text]; write SYMBOL_009_NAME=NAME for each symbol")
	}
	p.numberInOrder()
	return p, nil
}

// infoError returns an error about a key of [info]. If the key is absent, the error has the place of the section.
func (f *ini) infoError(key, format string, args ...any) error {
	at := f.info(key).at
	if at.line == 0 {
		at = f.infoAt
	}
	return &Error{Line: at.line, Column: at.column, Err: fmt.Errorf(format, args...)}
}

// numberInOrder sets the ids of the counters in each set to 1, 2 and so on. It sets a field Title to nil if the title
// number is the default.
func (p *Provider) numberInOrder() {
	next := uint32(0) // the default: the preceding title plus 2
	follow := func(title **uint32) {
		number := **title
		if number == next {
			*title = nil
		}
		next = number + 2
	}
	for i := range p.CounterSets {
		s := &p.CounterSets[i]
		follow(&s.Title)
		for j := range s.Counters {
			s.Counters[j].ID = uint32(j + 1)
			follow(&s.Counters[j].Title)
		}
	}
}

// textsOf returns the name and the help text of a symbol. textPlaces has keys such as "name" and "name de".
func textsOf(list []iniText) (name, help Text, textPlaces places) {
	for _, t := range list {
		to, key := &name, "name"
		if t.help {
			to, key = &help, "help"
		}
		if to.Languages == nil {
			to.Languages = make(map[string]string)
		}
		tag := t.language
		if number, err := LanguageNumber(tag); err == nil {
			tag = languageTag(number)
		}
		if _, is := to.Languages[tag]; !is { // Windows reads the first of equal keys
			to.Languages[tag] = t.value
			textPlaces.set(key+" "+tag, t.at)
		}
		for _, key := range []string{"", key} {
			if !textPlaces.isGiven(key) {
				textPlaces.set(key, t.at)
			}
		}
	}
	return name, help, textPlaces
}

// unread returns notes about the lines whose values are not in the definition.
func (f *ini) unread() []string {
	var lines []iniEntry
	isText, seen, symbols := make(map[place]bool), make(map[string]bool), make(map[string]bool)
	for _, s := range f.header {
		symbols[s.name] = true
	}
	for _, t := range f.text {
		isText[t.at] = symbols[t.symbol] && t.hasLanguage() && !seen[t.key]
		seen[t.key] = true
	}
	for section, entries := range f.sections {
		for _, e := range entries {
			read := section == "objects" || section == "languages"
			switch section {
			case "info":
				read = slices.ContainsFunc([]string{"drivername", "symbolfile", "trusted"}, func(key string) bool { return strings.EqualFold(key, e.key) })
			case "text":
				read = isText[e.at]
			}
			if !read {
				lines = append(lines, e)
			}
		}
	}
	lines = append(lines, f.strange...)
	slices.SortFunc(lines, func(a, b iniEntry) int { return cmp.Compare(a.at.line, b.at.line) })
	var notes []string
	for _, e := range lines[:min(len(lines), mostFaults)] {
		notes = append(notes, fmt.Sprintf("not read: at %d:%d: the line begins with %s", e.at.line, e.at.column, quoted(e.key)))
	}
	if more := len(lines) - len(notes); more > 0 {
		notes = append(notes, "not read: "+quote.Count(more, "other line"))
	}
	return notes
}
