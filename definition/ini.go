package definition

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// An ini is an .ini file for lodctr.
//
// Source: https://learn.microsoft.com/windows/win32/perfctrs/adding-counter-names-and-descriptions-to-the-registry
type ini struct {
	sections map[string][]iniEntry
	text     []iniText  // of [text]
	objects  []iniText  // of [objects]
	strange  []iniEntry // lines that are none of section, key = value and comment
	header   *header    // the symbolfile, nil if it could not be read
	missing  error      // why header is nil
}

// An iniEntry is a line KEY = VALUE.
type iniEntry struct {
	key, value string
	at         place
}

// An iniText is an entry of [text] or [objects]: a symbol, a language and what the text is.
type iniText struct {
	symbol   string
	language string // as in the file, such as 009
	help     bool   // the entry is a help text, else a name
	iniEntry
}

// readINI reads an .ini file. beside returns the contents of another file in the same folder; it
// is called with the name of the header.
func readINI(b []byte, beside func(name string) ([]byte, error)) (*ini, error) {
	f, err := scanINI(b, latin)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(b) { // the file may be in the code page of its language
		for _, e := range f.sections["languages"] {
			number, err := languageNumber(e.key)
			if page := codePage(number); err == nil && page != latin {
				if f, err = scanINI(b, page); err != nil {
					return nil, err
				}
				break
			}
		}
	}
	name := f.value("info", "symbolfile")
	switch {
	case name == "":
		f.missing = fmt.Errorf("[info] has no symbolfile")
	case beside == nil:
		f.missing = fmt.Errorf("the header %s was not given", quoted(name))
	default:
		contents, err := beside(filepath.Base(strings.ReplaceAll(name, `\`, "/")))
		if err == nil {
			f.header, err = readHeader(contents)
		}
		f.missing = err
	}
	return f, nil
}

// isINI reports whether an .ini file has names for lodctr. Other .ini files lack these sections.
func isINI(contents []byte) bool {
	f, err := scanINI(contents, latin)
	if f == nil {
		return err != nil && len(contents) <= mostText // too many texts
	}
	_, info := f.sections["info"]
	_, languages := f.sections["languages"]
	_, objects := f.sections["objects"]
	return len(f.text) > 0 && (info || languages || objects) || info && languages
}

// These limits bound the time and the memory that a hostile file takes. Windows has some 200 languages, and
// the titles of all providers together have indexes below 65,536.
const (
	mostTexts     = 1 << 17
	mostLanguages = 256
)

// scanINI reads the lines of an .ini file, which is in the code page if it is neither UTF-16 nor UTF-8.
func scanINI(b []byte, page encoding.Encoding) (*ini, error) {
	text, err := decodeText(b, page)
	if err != nil {
		return nil, err
	}
	text, _, _ = strings.Cut(text, "\x1a") // Ctrl-Z, the end of a text in MS-DOS
	f := &ini{sections: make(map[string][]iniEntry)}
	section, number := "", 0 // section is in small letters
	for line := range strings.Lines(text) {
		number++
		trimmed := strings.TrimSpace(line)
		column := utf8.RuneCountInString(line[:strings.Index(line, trimmed)]) + 1
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, ";") || strings.HasPrefix(trimmed, "//") || strings.HasPrefix(trimmed, "#"):
		case trimmed[0] == '[' && trimmed[len(trimmed)-1] == ']':
			section = strings.ToLower(strings.TrimSpace(trimmed[1 : len(trimmed)-1]))
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

// value returns the value of a key, "" if the section does not have the key. Keys are not case-sensitive.
func (f *ini) value(section, key string) string {
	for _, e := range f.sections[section] {
		if strings.EqualFold(e.key, key) {
			return e.value
		}
	}
	return ""
}

// textsIn returns the entries whose keys have the form SYMBOL_009_NAME or SYMBOL_009_HELP.
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

// symbolsOf returns the symbols of a list of texts.
func symbolsOf(list []iniText) map[string]bool {
	symbols := make(map[string]bool)
	for _, t := range list {
		symbols[t.symbol] = true
	}
	return symbols
}

// provider returns the definition in the file. An .ini file has no types, so each counter gets
// PERF_COUNTER_RAWCOUNT. A header is required, because the order of the counters is the order of
// their numbers. If the file has no section objects, the first symbol is the only set.
func (f *ini) provider() (*Provider, error) {
	if f.header == nil {
		return nil, f.missing
	}
	p := &Provider{Name: f.value("info", "drivername"), Header: f.value("info", "symbolfile")}
	p.Trusted = slices.ContainsFunc(f.sections["info"], func(e iniEntry) bool { return strings.EqualFold(e.key, "trusted") })
	if p.Name == "" {
		return nil, errors.New("[info] has no drivername, which names the service")
	}
	texts := make(map[string][]iniText)
	for _, t := range f.text {
		texts[t.symbol] = append(texts[t.symbol], t)
	}
	objects := symbolsOf(f.objects)
	symbols := slices.Clone(f.header.symbols)
	slices.SortStableFunc(symbols, func(a, b symbol) int { return cmp.Compare(a.number, b.number) })
	next := uint32(0)
	for _, s := range symbols {
		if texts[s.name] == nil && !objects[s.name] { // another macro of the header
			continue
		}
		var title *uint32
		if s.number != next {
			title = new(s.number)
		}
		next = s.number + 2
		name, help := textsOf(texts[s.name])
		at := places{}
		if len(texts[s.name]) > 0 {
			at.set("", texts[s.name][0].at)
		}
		if objects[s.name] || len(p.CounterSets) == 0 {
			p.CounterSets = append(p.CounterSets, CounterSet{Name: name, Help: help, Symbol: s.name, Title: title, Instances: layout.PERF_COUNTERSET_MULTI_INSTANCES, at: at})
			continue
		}
		set := &p.CounterSets[len(p.CounterSets)-1]
		set.Counters = append(set.Counters, Counter{Name: name, Help: help, Symbol: s.name, Title: title, Type: layout.PERF_COUNTER_RAWCOUNT, ID: uint32(len(set.Counters) + 1), at: at})
	}
	if len(p.CounterSets) == 0 {
		return nil, errors.New("no symbol of the header has a text in [text]")
	}
	return p, nil
}

// textsOf returns the name and the help text of a symbol.
func textsOf(list []iniText) (name, help Text) {
	for _, t := range list {
		to := &name
		if t.help {
			to = &help
		}
		if to.Languages == nil {
			to.Languages = make(map[string]string)
		}
		tag := t.language
		if number, err := languageNumber(tag); err == nil {
			tag = languageTag(number)
		}
		to.Languages[tag] = t.value
	}
	return name, help
}

// onINI returns a check of an .ini file.
func onINI(f func(f *ini, report func(finding))) check {
	return check{[]Form{INI}, func(in *File, report func(finding)) { f(in.ini, report) }}
}

// about returns a finding about an entry.
func (e iniEntry) about(want, got string, args ...any) finding {
	return finding{at: e.at, got: fmt.Sprintf(got, args...), want: want}
}

var iniRules = []*rule{
	{
		Rule: validate.Rule{
			ID: "PERF4201", Name: "ini-info", Severity: validate.Error, Since: "v0.2.0",
			Doc:     "[info] has drivername and symbolfile, and the header is in the folder of the .ini file",
			Why:     "lodctr writes the texts to the registry key of the service that drivername names, and reads the numbers of the symbols from the header.",
			Fix:     "Write drivername=SERVICE and symbolfile=FILE.h below [info], and keep the header beside the .ini file.",
			Sources: []validate.Source{iniPage},
		},
		check: onINI(func(f *ini, report func(finding)) {
			if f.value("info", "drivername") == "" {
				report(finding{got: "[info] has no drivername", want: "must name the service"})
			}
			if f.header == nil {
				report(finding{got: f.missing.Error(), want: "must name a header in the same folder"})
			}
		}),
	},
	{
		Rule: validate.Rule{
			ID: "PERF4202", Name: "ini-objects", Severity: validate.Warning, Since: "v0.2.0",
			Doc:     "[objects] lists the symbol of each object, and each symbol in it has a name in [text]",
			Why:     "lodctr writes Object List from this section. Without Object List, Windows calls the DLL for each query of any object.",
			Fix:     "Write a line SYMBOL_009_NAME= for each object below [objects].",
			Sources: []validate.Source{iniPage},
		},
		check: onINI(func(f *ini, report func(finding)) {
			listed := f.objects
			if len(listed) == 0 {
				report(finding{got: "there is no section [objects] with symbols", want: "should list the symbols of the objects"})
			}
			names := symbolsOf(slices.DeleteFunc(slices.Clone(f.text), func(t iniText) bool { return t.help }))
			for _, t := range listed {
				if !names[t.symbol] {
					report(t.about("must have a name in [text]", "%s has no text", t.symbol))
				}
			}
		}),
	},
	{
		Rule: validate.Rule{
			ID: "PERF4203", Name: "ini-languages", Severity: validate.Error, Since: "v0.2.0",
			Doc:     "each language of a text is declared in [languages], by three hexadecimal digits",
			Why:     "lodctr reads only the texts of the languages that the section lists.",
			Fix:     "Write a line such as 009=English below [languages].",
			Sources: []validate.Source{iniPage},
		},
		check: onINI(func(f *ini, report func(finding)) {
			declared := make(map[string]bool)
			for _, e := range f.sections["languages"] {
				declared[strings.ToUpper(e.key)] = true
				if !langid.MatchString(e.key) {
					report(e.about("must be three hexadecimal digits, such as 009", "the language is %s", quoted(e.key)))
				}
			}
			for _, t := range f.text {
				if language := strings.ToUpper(t.language); !declared[language] {
					declared[language] = true // one finding for each language
					report(t.about("must be declared in [languages]", "%s is in the language %s", t.key, quoted(t.language)))
				}
			}
		}),
	},
	{
		Rule: validate.Rule{
			ID: "PERF4204", Name: "ini-name-per-symbol", Severity: validate.Error, Since: "v0.2.0",
			Doc:     "each symbol with texts is in the header and has a name in each declared language",
			Why:     "A counter without a name has no title in that language. A symbol that the header lacks has no index, so its texts are lost.",
			Fix:     "Write SYMBOL_009_NAME=NAME below [text] for each symbol and language, and define the symbol in the header.",
			Sources: []validate.Source{iniPage},
		},
		check: onINI(nameForEachSymbol),
	},
	{
		Rule: validate.Rule{
			ID: "PERF4205", Name: "ini-help", Severity: validate.Info, Since: "v0.2.0",
			Doc:     "each symbol with a name has a help text in the same language",
			Why:     "Consumers show the help text to explain a counter.",
			Fix:     "Write SYMBOL_009_HELP=TEXT below [text].",
			Sources: []validate.Source{iniPage},
		},
		check: onINI(func(f *ini, report func(finding)) {
			has := make(map[string]bool)
			for _, t := range f.text {
				if t.help && t.value != "" {
					has[t.symbol+" "+t.language] = true
				}
			}
			for _, t := range f.text {
				if !t.help && !has[t.symbol+" "+t.language] {
					report(t.about("should have a help text", "%s has no %s_%s_HELP", t.key, t.symbol, t.language))
				}
			}
		}),
	},
	{
		Rule: validate.Rule{
			ID: "PERF4206", Name: "ini-text-plain", Severity: validate.Warning, Since: "v0.2.0",
			Doc:     "a name or help text has no control characters",
			Why:     "Consumers show the text on one line. A tab or another control character breaks the line or ends the text.",
			Fix:     "Remove the character.",
			Sources: []validate.Source{iniPage},
		},
		check: onINI(func(f *ini, report func(finding)) {
			for _, t := range f.text {
				if i := strings.IndexFunc(t.value, unicode.IsControl); i >= 0 {
					r, _ := utf8.DecodeRuneInString(t.value[i:])
					report(t.about("must have no control character", "the text of %s has U+%04X", t.key, r))
				}
			}
		}),
	},
	{
		Rule: validate.Rule{
			ID: "PERF4207", Name: "ini-path-chars", Severity: validate.Info, Since: "v0.2.0",
			Doc:     "a name has none of the characters that separate the parts of a counter path: backslash, parentheses, * and # with a number",
			Why:     "A counter path is \\object(instance)\\counter. Consumers that read a path from a text can take such a character for a separator.",
			Fix:     "Choose another name, or ignore the finding: some names of Windows have these characters too.",
			Sources: []validate.Source{pathPage},
		},
		check: onINI(func(f *ini, report func(finding)) {
			for _, t := range f.text {
				if found := pathChars.FindString(t.value); found != "" && !t.help {
					report(t.about("should have no separators of counter paths", "the name %s has %s", quoted(t.value), quoted(found)))
				}
			}
		}),
	},
	{
		Rule: validate.Rule{
			ID: "PERF4208", Name: "ini-line", Severity: validate.Warning, Since: "v0.2.0",
			Doc:     "a line is a section, a comment, or a key and a value with = between them, below a section",
			Why:     "lodctr ignores the line, so a text or a setting may be missing.",
			Fix:     "Write KEY=VALUE, or a semicolon before a comment.",
			Sources: []validate.Source{iniPage},
		},
		check: onINI(func(f *ini, report func(finding)) {
			for _, e := range f.strange {
				report(e.about("must be KEY=VALUE below a section", "the line begins with %s", quoted(e.key)))
			}
		}),
	},
	{
		Rule: validate.Rule{
			ID: "PERF4212", Name: "sym-grouped", Severity: validate.Warning, Since: "v0.2.0",
			Doc:     "in the header, the symbol of an object is before the symbols of its counters",
			Why:     "Code that is made from the header, and its readers, take the symbols after an object as its counters.",
			Fix:     "Number each object, then its counters, then the next object.",
			Sources: []validate.Source{iniPage},
		},
		check: onINI(func(f *ini, report func(finding)) {
			objects := symbolsOf(f.objects)
			if f.header == nil || len(f.header.symbols) == 0 || len(objects) == 0 {
				return
			}
			first := slices.MinFunc(f.header.symbols, func(a, b symbol) int { return cmp.Compare(a.number, b.number) })
			if i := slices.IndexFunc(f.text, func(t iniText) bool { return t.symbol == first.name }); i >= 0 && !objects[first.name] {
				report(f.text[i].about("must be after the symbol of its object", "%s has the lowest number in the header, and is not in [objects]", first.name))
			}
		}),
	},
}

// pathChars matches the characters of a name that have a meaning in a counter path. / has none there, and many
// names have it.
var pathChars = regexp.MustCompile(`[\\()*]|#\d`)

// langid matches a language as lodctr reads it.
var langid = regexp.MustCompile(`^[0-9A-Fa-f]{3}$`)

// nameForEachSymbol reports symbols that are not in the header, and symbols without a name in a
// declared language.
func nameForEachSymbol(f *ini, report func(finding)) {
	names := make(map[string]bool)
	for _, t := range f.text {
		if !t.help && t.value != "" {
			names[t.symbol+" "+strings.ToUpper(t.language)] = true
		}
	}
	defined := make(map[string]bool)
	if f.header != nil {
		for _, s := range f.header.symbols {
			defined[s.name] = true
		}
	}
	done := make(map[string]bool)
	for _, t := range f.text {
		if done[t.symbol] {
			continue
		}
		done[t.symbol] = true
		if f.header != nil && !defined[t.symbol] {
			report(t.about("must be defined in the header", "the header has no symbol %s", t.symbol))
			continue
		}
		var without []string
		for _, e := range f.sections["languages"] {
			if langid.MatchString(e.key) && !names[t.symbol+" "+strings.ToUpper(e.key)] {
				without = append(without, e.key)
			}
		}
		if len(without) > 0 {
			report(t.about("must have a name in each language of [languages]", "%s has no name in the language %s", t.symbol, quoted(strings.Join(without, ", "))))
		}
	}
}
