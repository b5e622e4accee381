package definition

import (
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/internal/lines"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A Form is a file format that defines counters or their names, such as YAML or an .ini file.
type Form uint8

const (
	YAML     Form = iota // a definition, see [Parse]
	INI                  // the names for lodctr
	Header               // a C header that gives each name a number, for lodctr
	Manifest             // an instrumentation manifest, see [Provider.AppendManifest]
	Registry             // the registry values of V1 providers, and title databases
	Titles               // a title database in another form, see [titles.Read]
)

var forms = [...]struct {
	name string
	ext  []string // extensions of the names of files, in small letters; the first is the usual one
	doc  string
	is   func(contents []byte) bool // whether contents have the form; fast; true for most texts with errors; nil for titles
}{
	YAML:     {"yaml", []string{".yaml", ".yml", ".json"}, "a definition", isYAML},
	INI:      {"ini", []string{".ini"}, "the names for lodctr", isINI},
	Header:   {"header", []string{".h"}, "a C header that gives each name a number, for lodctr", isHeader},
	Manifest: {"manifest", []string{".man"}, "an instrumentation manifest", isManifest},
	Registry: {"registry", []string{".reg"}, "the registry values of V1 providers, and title databases", isRegFile},
	Titles:   {"titles", nil, "a title database: Counter 009 as bytes or text, output of reg query or lodctr /S", nil},
}

// String returns the name of the form, such as manifest, or "?" for an unknown form.
func (f Form) String() string {
	if int(f) < len(forms) {
		return forms[f].name
	}
	return "?"
}

// Forms returns all forms.
func Forms() []Form {
	list := make([]Form, len(forms))
	for i := range list {
		list[i] = Form(i)
	}
	return list
}

// Extensions returns the file name extensions of the form, such as .yaml. The first extension is the usual one. A title
// database can have any extension.
func (f Form) Extensions() []string {
	if int(f) < len(forms) {
		return slices.Clone(forms[f].ext)
	}
	return nil
}

// Doc describes the form, without a full stop. It returns "" for an unknown form.
func (f Form) Doc() string {
	if int(f) < len(forms) {
		return forms[f].doc
	}
	return ""
}

// FormOf returns the form of a file by the extension of its name.
func FormOf(path string) (Form, error) {
	ext := strings.ToLower(filepath.Ext(path))
	var all []string
	for f := range forms {
		if slices.Contains(forms[f].ext, ext) {
			return Form(f), nil
		}
		all = append(all, forms[f].ext...)
	}
	return 0, fmt.Errorf("%s: the form of the file is not known; the name must end in %s", path, strings.Join(all, ", "))
}

// IsPart reports whether files of this form belong to a file of another form. Only a header belongs to another file: to
// the .ini file that names the header. Callers can skip a header that no .ini file names, because it is probably not
// for lodctr.
func (f Form) IsPart() bool { return f == Header }

// Detect returns the form of a file, by its name and its contents. ok is false if the file has no known form, for
// example a YAML file that is not a definition. Detect also recognises most texts with errors. It recognises a title
// database as [titles.Detect] does.
func Detect(path string, contents []byte) (form Form, ok bool) {
	ext := strings.ToLower(filepath.Ext(path))
	for f := range forms {
		if slices.Contains(forms[f].ext, ext) && forms[f].is(contents) {
			return Form(f), true
		}
	}
	return Titles, titles.Detect(path, contents)
}

// A File is a text in one of the forms.
type File struct {
	Path string // for messages
	Form Form

	// Provider is the definition in the text. If a manifest has several providers, Provider is the first one. Provider
	// is nil for a header, a .reg file, a title database, and a manifest without a provider. It is also nil for an .ini
	// file that lacks its header, its drivername or its texts. See [File.Definition].
	Provider *Provider

	// Notes lists differences between Provider and the text. For example, an .ini file has no types, and a manifest can
	// have unknown attributes, which Provider cannot hold.
	Notes []string

	undefined error // why Provider is nil
	ini       *ini
	header    []symbol
	manifest  *manifest
	registry  *regFile
}

// Read reads the text of a file. [Detect] finds the form. If Detect fails, [FormOf] finds the form by the extension.
// Read calls beside(name) for the contents of another file in the same folder, such as the header of an .ini file. A
// nil beside means that there are no other files. The error is an error of FormOf, or an error as described at [Parse].
func Read(path string, contents []byte, beside func(name string) ([]byte, error)) (*File, error) {
	f, err := readFile(path, contents, beside)
	if err == nil && f.Provider != nil {
		f.Provider.from = origin{path, f.Form}
	}
	return f, err
}

func readFile(path string, contents []byte, beside func(name string) ([]byte, error)) (*File, error) {
	form, ok := Detect(path, contents)
	var err error
	if !ok {
		if form, err = FormOf(path); err != nil {
			return nil, err
		}
	}
	f := &File{Path: path, Form: form}
	switch form {
	case YAML:
		f.Provider, err = Parse(path, contents)
		return f, err
	case Manifest:
		return readManifest(path, contents)
	case INI:
		if f.ini, err = readINI(contents, beside); err == nil {
			f.Provider, f.undefined = f.ini.provider()
			f.Notes = append([]string{"an .ini file has no types, so each counter has the type PERF_COUNTER_RAWCOUNT"}, f.ini.unread()...)
			f.Notes = append(f.Notes, f.ini.symbolNotes()...)
		}
	case Titles:
		return ReadTitles(path, contents)
	case Header:
		f.header, err = readHeader(contents)
		f.undefined = errors.New("a header has numbers, but no names; give the .ini file whose key symbolfile is the name of the header")
		if err == nil && len(f.header) == 0 {
			f.undefined = errors.New("a header for lodctr has lines #define SYMBOL NUMBER, but this header has none")
		}
	case Registry:
		f.registry, err = readRegFile(contents)
		f.undefined = errors.New("the registry has indexes and functions of providers, but no names of their counters; give the .ini file or the manifest")
	}
	if err != nil {
		return nil, inFile(path, err)
	}
	return f, nil
}

// ReadTitles reads a title database that is not a .reg file. The file can have any name. The error is as described at
// [Parse].
func ReadTitles(path string, contents []byte) (*File, error) {
	f := &File{Path: path, Form: Titles, undefined: errors.New("a title database has names, but no counters; give the .ini file or the manifest")}
	d, err := titles.Read(contents)
	if err != nil {
		return nil, inFile(path, err)
	}
	f.registry = &regFile{titles: d}
	return f, nil
}

// A positionError is an error with a line and a column in a text, such as a fault in a title database.
type positionError interface {
	error
	Place() (line, column int)
}

// inFile returns err as an [*Error] with the name of the file. If err is a positionError, the result has the line and
// column of err.
func inFile(path string, err error) error {
	if at, ok := errors.AsType[positionError](err); ok {
		line, column := at.Place()
		return &Error{path, line, column, errors.Unwrap(at)}
	}
	return &Error{File: path, Err: err}
}

// Definition returns the provider that the file defines. If the file defines no provider, the error says why.
func (f *File) Definition() (*Provider, error) {
	if f.Provider == nil {
		return nil, inFile(f.Path, f.undefined)
	}
	return f.Provider, nil
}

// Lines splits contents into lines. Findings refer to these lines. contents must be the text that was read. Lines
// decodes an .ini file with the same code page as Read. The lines of a REG_MULTI_SZ are its strings.
func (f *File) Lines(contents []byte) []string {
	switch {
	case f.Form == Titles && f.registry.titles.Tables[0].At.Nth > 0:
		return stringsOf(&f.registry.titles.Tables[0])
	case f.manifest != nil:
		return lines.Of(f.manifest.source.text)
	}
	page := latin
	if f.ini != nil {
		page = f.ini.page
	}
	if text, err := decodeText(contents, page); err == nil {
		contents = []byte(text)
	}
	return lines.Of(contents)
}

// stringsOf returns the strings of a REG_MULTI_SZ.
func stringsOf(t *titles.Table) []string {
	var list []string
	for _, p := range t.Pairs {
		list = append(list, p.Key)
		if !p.Lone {
			list = append(list, p.Name)
		}
	}
	return list
}

// Check returns the findings about a file, with the severities of v.
func (f *File) Check(v *validate.Validator) validate.Result { return v.Collect(f.findings()) }

// Names returns a function that maps a path, such as counterSet[0].counter[2], to the name of the counter set or
// counter. The function returns "" for other paths. It also returns "" if another set, or another counter of the same
// set, has the same name. A name therefore identifies the same set or counter in a later version of the file.
func (f *File) Names() func(layout.Path) string {
	all := make(map[layout.Path]string)
	if p := f.Provider; p != nil {
		addUnique(all, p.sets(), func(s *CounterSet) Text { return s.Name })
		for e, s := range p.sets() {
			addUnique(all, s.counters(e.path), func(c *Counter) Text { return c.Name })
		}
	}
	return func(path layout.Path) string { return all[path] }
}

// addUnique adds the names of the elements of a list to byPath. It skips a name that two elements have.
func addUnique[T any](byPath map[layout.Path]string, list iter.Seq2[element, T], name func(T) Text) {
	count := make(map[string]int)
	for _, x := range list {
		count[name(x).String()]++
	}
	for e, x := range list {
		if text := name(x).String(); text != "" && count[text] == 1 {
			byPath[e.path] = text
		}
	}
}
