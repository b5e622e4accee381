package definition

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/validate"
)

// onINI returns a check of an .ini file.
func onINI(f func(f *ini, report func(finding))) check {
	return check{[]Form{INI}, func(in *File, report func(finding)) { f(in.ini, report) }}
}

func (e iniEntry) about(want, got string, args ...any) finding {
	return finding{at: e.at, got: fmt.Sprintf(got, args...), want: want}
}

var iniRules = []*rule{
	{validate.Rule{
		ID: "PERF4201", Name: "ini-info", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "[info] has drivername and symbolfile, and the header is in the folder of the .ini file",
		Why:     "lodctr writes the texts to the registry key of the service that drivername names, and reads the numbers of the symbols from the header.",
		Fix:     "Write drivername=SERVICE and symbolfile=FILE.h below [info], and keep the header beside the .ini file.",
		Sources: []validate.Source{iniPage},
	}, onINI(func(f *ini, report func(finding)) {
		if f.info("drivername").value == "" {
			report(finding{got: "[info] has no drivername", want: "must name the service"})
		}
		if f.headerError != nil {
			report(finding{at: f.info("symbolfile").at, got: f.headerError.Error(), want: "must name a header in the same folder"})
		}
	})},
	{validate.Rule{
		ID: "PERF4202", Name: "ini-objects", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "[objects] lists the symbol of each object, and each listed symbol has a name in [text]",
		Why:     "lodctr writes Object List from this section. Without Object List, Windows calls the DLL for each query of any object.",
		Fix:     "Below [objects], write a line SYMBOL_009_NAME= for each object.",
		Sources: []validate.Source{iniPage},
	}, onINI(func(f *ini, report func(finding)) {
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
	})},
	{validate.Rule{
		ID: "PERF4203", Name: "ini-languages", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "each language of a text is declared in [languages], by three hexadecimal digits",
		Why:     "lodctr reads only texts in the languages that [languages] lists.",
		Fix:     "Write a line such as 009=English below [languages].",
		Sources: []validate.Source{iniPage},
	}, onINI(func(f *ini, report func(finding)) {
		declared := make(map[string]bool)
		for _, e := range f.sections["languages"] {
			declared[strings.ToUpper(e.key)] = true
			if !langid().MatchString(e.key) {
				report(e.about("must be three hexadecimal digits, such as 009", "the language is %s", quoted(e.key)))
			}
		}
		for _, t := range f.text {
			if language := strings.ToUpper(t.language); !declared[language] {
				declared[language] = true // one finding for each language
				report(t.about("must be declared in [languages]", "%s is in the language %s", t.key, quoted(t.language)))
			}
		}
	})},
	{validate.Rule{
		ID: "PERF4204", Name: "ini-name-per-symbol", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "each symbol with texts is in the header and has a name in each declared language, and each symbol in the header has texts",
		Why:     "A symbol without a name in a language has no title in this language. A symbol that is not in the header has no index, so its texts are lost.",
		Fix:     "Write SYMBOL_009_NAME=NAME below [text] for each symbol and language, and define the symbol in the header.",
		Sources: []validate.Source{iniPage},
	}, onINI(func(f *ini, report func(finding)) {
		nameForEachSymbol(f, report)
		at := f.info("symbolfile")
		for _, s := range f.unnamed() {
			report(at.about("must have a name in [text]", "%s is %d in the header and has no text", s.name, s.number))
		}
	})},
	{validate.Rule{
		ID: "PERF4205", Name: "ini-help", Severity: validate.Info, Since: "v0.1.0",
		Doc:     "each symbol with a name has a help text in the same language",
		Why:     "Consumers show the help text to explain a counter.",
		Fix:     "Write SYMBOL_009_HELP=TEXT below [text].",
		Sources: []validate.Source{iniPage},
	}, onINI(func(f *ini, report func(finding)) {
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
	})},
	{validate.Rule{
		ID: "PERF4206", Name: "ini-text-plain", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "a name or help text has no control characters",
		Why:     "Consumers show the text on one line. A tab or another control character breaks the line or ends the text.",
		Fix:     "Remove the character, or write it in a manifest as a reference such as &#10;.",
		Sources: []validate.Source{iniPage},
	}, either(onINI(func(f *ini, report func(finding)) {
		for _, t := range f.text {
			if i := strings.IndexFunc(t.value, unicode.IsControl); i >= 0 {
				r, _ := utf8.DecodeRuneInString(t.value[i:])
				report(t.about("must have no control character", "the text of %s has U+%04X", t.key, r))
			}
		}
	}), onProvider(func(p providerOf, report func(finding)) {
		for _, r := range textRefusals(p.placedTexts(), isPlain, wantPlain) {
			report(r.finding)
		}
	}).onForms(Manifest))}, // in YAML, the rule def-output reports control characters
	{validate.Rule{
		ID: "PERF4207", Name: "ini-path-chars", Severity: validate.Info, Since: "v0.1.0",
		Doc:     "a name has no separators of a counter path, which are the backslash, parentheses, *, and # before a digit",
		Why:     "A counter path is \\object(instance)\\counter. A consumer that splits a path can read such a character as a separator.",
		Fix:     "Choose another name, or ignore the finding: some names in Windows have these characters too.",
		Sources: []validate.Source{pathPage},
	}, either(onINI(func(f *ini, report func(finding)) {
		for _, t := range f.text {
			if found := pathChars().FindString(t.value); found != "" && !t.help {
				report(t.about(wantNoPathChars, "the name %s has %s", quoted(t.value), quoted(found)))
			}
		}
	}), onProvider(pathCharsInNames))},
	{validate.Rule{
		ID: "PERF4208", Name: "ini-line", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "each line is [SECTION], KEY=VALUE or a comment, and the first KEY=VALUE follows a [SECTION]",
		Why:     "lodctr ignores any other line, so a text or a setting may be missing.",
		Fix:     "Write KEY=VALUE, or a semicolon before a comment.",
		Sources: []validate.Source{iniPage},
	}, onINI(func(f *ini, report func(finding)) {
		for _, e := range f.strange {
			report(e.about("must be KEY=VALUE in a section", "the line begins with %s", quoted(e.key)))
		}
	})},
	{validate.Rule{
		ID: "PERF4212", Name: "sym-grouped", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "in the header, the symbol of each object is followed by the symbols of its counters",
		Why:     "Programs that use the header treat a symbol as a counter of the object before it. If the order is A=0, B=2, A_X=4, they treat A_X as a counter of B.",
		Fix:     "Number each object, then its counters, then the next object.",
		Sources: []validate.Source{iniPage},
	}, onINI(symbolsGrouped)},
}

const wantNoPathChars = "should have no separators of counter paths"

// pathCharsInNames reports set names and counter names with separators of counter paths. Equal translations of a name
// are reported once.
func pathCharsInNames(p providerOf, report func(finding)) {
	for t := range p.placedTexts() {
		if t.key != "name" {
			continue
		}
		seen := make(map[string]bool)
		for _, text := range t.text.translations() {
			if found := pathChars().FindString(text); found != "" && !seen[text] {
				seen[text] = true
				report(t.finding("name", fmt.Sprintf("the name %s has %s", quoted(text), quoted(found)), wantNoPathChars))
			}
		}
	}
}

// pathChars matches the characters of a name that have a meaning in a counter path. A slash has no meaning.
var pathChars = lazy.Regexp(`[\\()*]|#\d`)

// langid matches a language number as lodctr requires it: three hexadecimal digits.
var langid = lazy.Regexp(`^[0-9A-Fa-f]{3}$`)

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
	for _, s := range f.header {
		defined[s.name] = true
	}
	done := make(map[string]bool)
	for _, t := range f.text {
		if done[t.symbol] {
			continue
		}
		done[t.symbol] = true
		if f.headerError == nil && !defined[t.symbol] {
			report(t.about("must be defined in the header", "the header has no symbol %s", t.symbol))
			continue
		}
		var without []string
		for _, e := range f.sections["languages"] {
			if langid().MatchString(e.key) && !names[t.symbol+" "+strings.ToUpper(e.key)] {
				without = append(without, e.key)
			}
		}
		if len(without) > 0 {
			in := "the language"
			if len(without) > 1 {
				in = "the languages"
			}
			report(t.about("must have a name in each language of [languages]", "%s has no name in %s %s", t.symbol, in, quote.List(without, "and")))
		}
	}
}

// symbolsGrouped reports the symbols that do not follow the symbol of their object.
func symbolsGrouped(f *ini, report func(finding)) {
	objects := symbolsOf(f.objects)
	if len(f.header) == 0 || len(objects) == 0 {
		return
	}
	text := make(map[string]iniText)
	for _, t := range f.text {
		if _, is := text[t.symbol]; !is {
			text[t.symbol] = t
		}
	}
	first := f.inOrder()[0]
	if t, is := text[first.name]; is && !objects[first.name] {
		report(t.about("must be after the symbol of its object", "%s has the lowest number in the header, and is not in [objects]", first.name))
	}
	for _, s := range f.straySymbols() {
		report(text[s.name].about("must be after the object "+s.object+" and before the next object", "%s is %d in the header, so it is a counter of the object %s", s.name, s.number, s.after))
	}
}
