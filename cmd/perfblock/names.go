package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/capture"
	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/inputs"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/spec"
)

// english is the language of the built-in names. Every Windows has names in this language.
const english = "009"

// titlesHelp is a part of the help of commands that show names.
const titlesHelp = `
Titles: the names of objects and counters of V1 are shown beside their indexes. --titles FILE reads
the names. FILE has the value Counter or Help of Perflib, as bytes, as a .reg file or as the output
of reg query. FILE can also be text with an index and a name on alternate lines, the output of
lodctr /S, a spec with names, or a definition. The indexes of a definition start at --first-title,
or at firstCounter in the definition. Repeat --titles for more files. If the files have several
languages, --language selects one, such as 007 or de; the default is 009, English. If all blocks are
in one bundle of perfblock capture, the names of the bundle are shown without --titles. Windows has
names whose indexes never change. They are known without a file, and marked "built in".
`

// A namesFlag has the flags --titles and --language.
type namesFlag struct {
	files    []string
	language string
	first    uint32                 // First Counter, for definitions
	given    func(flag string) bool // reports whether a flag is given
}

// addBundle adds the titles of the bundle that contains all blocks. It does nothing if --titles is given.
func (f *namesFlag) addBundle(blocks ...string) {
	if len(f.files) > 0 {
		return
	}
	bundle := inputs.Member{Path: blocks[0]}.File()
	for _, path := range blocks {
		if (inputs.Member{Path: path}).File() != bundle {
			return // the blocks can be from computers with different titles
		}
	}
	if !isArchive(bundle) { // otherwise a block of a gigabyte would be read twice
		return
	}
	contents, err := readInput(bundle)
	if err != nil {
		return // the command that reads the blocks reports the error
	}
	if d, err := capture.ReadTitles(contents); err == nil && len(d.Tables) > 0 {
		f.files = []string{bundle}
	}
}

// isArchive reports whether a regular file is an archive. It reads only the start of the file.
func isArchive(path string) bool {
	if info, err := os.Stat(path); path == "-" || err != nil || !info.Mode().IsRegular() { // "-" is the standard input
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, inputs.Beginning)
	n, _ := io.ReadFull(f, start)
	return inputs.IsArchive(start[:n])
}

func (f *namesFlag) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.files, "titles", nil, "show names from the title database `FILE`")
	cmd.Flags().StringVar(&f.language, "language", "", "the `LANGUAGE` of the names, such as 009 or de")
	cmd.Flags().Uint32Var(&f.first, "first-title", 0, "First Counter is `N`, if --titles names a definition")
	f.given = cmd.Flags().Changed
	noFiles(cmd, "language", "first-title")
}

// lookup returns a function that maps a title index to a name. The names come from --titles, or without --titles from
// the bundle that contains all blocks. For an index without such a name, the function returns the built-in name.
func (f *namesFlag) lookup(blocks ...string) (func(index uint32) (name string, builtIn bool), error) {
	if f.given("first-title") && (f.first == 0 || f.first%2 != 0) {
		return nil, fmt.Errorf("--first-title is %d, must be an even number of at least 2", f.first)
	}
	if len(blocks) > 0 {
		f.addBundle(blocks...)
	}
	var all titles.Database
	for _, path := range f.files {
		d, err := f.read(path)
		if err != nil {
			return nil, err
		}
		complainOfFaults(path, d)
		all.Tables = append(all.Tables, d.Tables...)
	}
	language, err := f.choose(all.Languages())
	if err != nil {
		return nil, err
	}
	return all.Lookup(language), nil
}

// read reads a title database, or the names of a spec or a definition.
func (f *namesFlag) read(path string) (*titles.Database, error) {
	contents, err := readInput(path)
	if err != nil {
		return nil, err
	}
	if d, err := capture.ReadTitles(contents); !errors.Is(err, capture.ErrNotBundle) {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", block.NameOf(path), err)
		}
		return d, nil
	}
	d, err := titles.Read(contents)
	if err == nil {
		return d, nil
	}
	if s, _ := spec.Parse(path, contents); s != nil && len(builder.Names(s.Model)) > 0 {
		return namesOf(s.Model), nil
	}
	if form, unknown := definition.FormOf(path); unknown == nil {
		defined, fault := readDefinition(path, contents)
		if fault == nil {
			first := f.first
			if given := defined.Provider.FirstCounter; first == 0 && given != nil {
				first = *given
			}
			if first == 0 {
				complain(fmt.Errorf("%s: has no First Counter, so its names are not shown: give --first-title, or firstCounter in the definition", block.NameOf(path)))
				return new(titles.Database), nil
			}
			return titlesOf(defined.Provider, first), nil
		}
		if form != definition.YAML { // a text in YAML can be anything, such as a spec without names
			return nil, fault
		}
	}
	_, err = definition.ReadTitles(block.NameOf(path), contents) // the same error in the form that lint prints
	return nil, err
}

// titlesOf returns the names and help texts of a definition as a title database. first is the First Counter of the
// service. The database has a table for each language.
func titlesOf(p *definition.Provider, first uint32) *titles.Database {
	d := new(titles.Database)
	for _, tag := range languagesOf(p) {
		t := titles.Table{Language: languageKey(tag), Kind: titles.Mixed}
		in := func(text *definition.Text) string { return cmp.Or(text.In(tag), text.String()) }
		for _, title := range p.Titles() {
			index := uint64(first) + uint64(title.Number)
			t.Pairs = append(t.Pairs,
				titles.Pair{Key: fmt.Sprint(index), Name: in(title.Name())}, titles.Pair{Key: fmt.Sprint(index + 1), Name: in(title.Help())})
		}
		d.Tables = append(d.Tables, t)
	}
	return d
}

// languagesOf returns the tags of the languages of a definition. For a definition without languages, it returns the
// tag "", which matches every language.
func languagesOf(p *definition.Provider) []string {
	tags := p.LanguageTags()
	if len(tags) == 0 {
		return []string{""}
	}
	isEnglish := func(tag string) bool { return samePrimary(languageKey(tag), english) }
	neutral := func(t definition.Title) bool { return t.Name().Neutral != "" }
	if !slices.ContainsFunc(tags, isEnglish) && slices.ContainsFunc(p.Titles(), neutral) {
		tags = append(tags, english) // texts without a language count as English
	}
	return tags
}

// languageKey returns the Perflib name of a language. For example, both de and 7 become 007. An unknown language is
// returned unchanged.
func languageKey(language string) string {
	for _, name := range []string{language, fmt.Sprintf("%03s", language)} {
		if number, err := definition.LanguageNumber(name); err == nil {
			return fmt.Sprintf("%03X", number)
		}
	}
	return language
}

// samePrimary reports whether two languages differ at most in their region, as 009 and 0409 do.
func samePrimary(a, b string) bool {
	const primary = 0x3FF
	m, err := definition.LanguageNumber(languageKey(a))
	n, err2 := definition.LanguageNumber(languageKey(b))
	return err == nil && err2 == nil && m&primary == n&primary
}

// namesOf returns a title database with the names in a model.
func namesOf(m builder.Model) *titles.Database {
	names := builder.Names(m)
	t := titles.Table{Kind: titles.Mixed}
	for _, index := range slices.Sorted(maps.Keys(names)) {
		t.Pairs = append(t.Pairs, titles.Pair{Key: fmt.Sprint(index), Name: names[index]})
	}
	return &titles.Database{Tables: []titles.Table{t}}
}

// choose returns the language of the names to show: --language, otherwise English, otherwise the only language of the
// files. If a file has the language, choose returns the spelling of the file, such as 0409.
//
// languages has the languages of the files. choose ignores empty strings in it.
func (f *namesFlag) choose(languages []string) (string, error) {
	known := slices.DeleteFunc(languages, func(l string) bool { return l == "" })
	wanted := cmp.Or(f.language, english)
	found := slices.IndexFunc(known, func(l string) bool { return titles.SameLanguage(l, wanted) })
	for _, same := range []func(a, b string) bool{titles.SameLanguage, samePrimary} {
		if found < 0 {
			found = slices.IndexFunc(known, func(l string) bool { return same(l, languageKey(wanted)) })
		}
	}
	_, unknown := definition.LanguageNumber(languageKey(wanted))
	switch {
	case f.language != "" && len(f.files) == 0:
		return "", fmt.Errorf("--language requires --titles FILE, because the built-in names are English")
	case found >= 0:
		return known[found], nil
	case f.language != "" && len(known) > 0:
		return "", fmt.Errorf("--language is %q, but the titles are in %s", f.language, languageList(known))
	case f.language != "" && unknown != nil:
		return "", fmt.Errorf("--language: %w", unknown)
	case f.language != "":
		return f.language, nil
	case len(known) == 1:
		return known[0], nil
	case len(known) > 1:
		return "", fmt.Errorf("the titles are in %s; select one with --language", languageList(known))
	}
	return english, nil
}

// languageList lists up to ten languages for a message, and the number of further languages.
func languageList(languages []string) string {
	const most = 10
	var words []string
	for _, l := range languages[:min(len(languages), most)] {
		words = append(words, terminal.Printable(l))
	}
	if more := len(languages) - most; more > 0 {
		words = append(words, fmt.Sprintf("%d more", more))
	}
	return quote.List(words, "and")
}

// complainOfFaults prints a note with the number of faults in a title database, and the first fault.
func complainOfFaults(path string, d *titles.Database) {
	n, first := 0, ""
	for i := range d.Tables {
		for fault := range d.Tables[i].Faults() {
			if fault.Sort == titles.NoFirst { // the file may have only the names of one provider
				continue
			}
			if n++; n == 1 {
				table := strings.TrimSpace(d.Tables[i].Kind.String() + " " + d.Tables[i].Language)
				first = fmt.Sprintf("in %s: %v", table, fault)
			}
		}
	}
	if n > 0 {
		complain(fmt.Errorf("%s: has %s: %s", block.NameOf(path), quote.Count(n, "fault"), first))
	}
}
