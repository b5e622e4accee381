package definition

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/validate"
)

// A Form is a form of text that defines counters or their names.
type Form uint8

const (
	YAML     Form = iota // a definition, see [Parse]
	INI                  // the names for lodctr
	Header               // a C header with the numbers of the names for lodctr
	Manifest             // an instrumentation manifest, see [Provider.AppendManifest]
	Registry             // the registry values of V1 providers, and title databases
)

var forms = [...]struct {
	name string
	ext  []string // extensions of the names of files, in small letters; the first is the usual one
	doc  string
	is   func(contents []byte) bool // false for other files with these extensions; quick, and true for a text with faults
	part bool                       // a file belongs to another one that names it
}{
	YAML:     {"yaml", []string{".yaml", ".yml", ".json"}, "a definition", isYAML, false},
	INI:      {"ini", []string{".ini"}, "the names for lodctr", isINI, false},
	Header:   {"header", []string{".h"}, "the numbers of the names for lodctr", isHeader, true},
	Manifest: {"manifest", []string{".man"}, "an instrumentation manifest", isManifest, false},
	Registry: {"registry", []string{".reg"}, "the registry values of V1 providers, and title databases", isRegFile, false},
}

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

// Extensions returns the ends of the names of files of the form, such as .yaml. The first is the usual one.
func (f Form) Extensions() []string { return slices.Clone(forms[f].ext) }

// Doc describes the form, without a full stop.
func (f Form) Doc() string { return forms[f].doc }

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

// IsPart reports whether a file of the form belongs to another file that names it, as a header belongs to
// an .ini file. Such a file is a definition only if it is named: most headers are not for lodctr.
func (f Form) IsPart() bool { return int(f) < len(forms) && forms[f].part }

// Detect returns the form of a file, by its name and its contents. ok is false if the file is in none of the
// forms, for example a YAML file that is not a definition. A text with faults has a form, too.
func Detect(path string, contents []byte) (form Form, ok bool) {
	ext := strings.ToLower(filepath.Ext(path))
	for f := range forms {
		if slices.Contains(forms[f].ext, ext) && forms[f].is(contents) {
			return Form(f), true
		}
	}
	return 0, false
}

// A File is a text in one of the forms.
type File struct {
	Path string // for messages
	Form Form

	// Provider is what the text defines. Nil for a header, for an .ini file that lacks its header or
	// the name of the service, and for a manifest without a provider. The first provider of a manifest with
	// several.
	Provider *Provider

	// Notes says how the Provider differs from the text: an .ini file has no types, and a manifest can have
	// unknown attributes.
	Notes []string

	undefined error // why Provider is nil
	ini       *ini
	header    *header
	manifest  *manifest
	registry  *regFile
}

// Read reads the text of a file. [Detect] determines its form, or else the name of the file. beside
// returns the contents of another file in the same folder: an .ini file needs its header. If beside is
// nil, there are no other files. The errors are those of [Parse].
func Read(path string, contents []byte, beside func(name string) ([]byte, error)) (*File, error) {
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
			f.Notes = []string{"an .ini file has no types, so each counter has the type PERF_COUNTER_RAWCOUNT"}
		}
	case Header:
		f.header, err = readHeader(contents)
		f.undefined = errors.New("a header has numbers, but no names; give the .ini file that names the header as its symbolfile")
	case Registry:
		f.registry, err = readRegFile(contents)
		f.undefined = errors.New("the registry has indexes and functions of providers, but no names of their counters; give the .ini file or the manifest")
	}
	if err != nil {
		return nil, &Error{File: path, Err: err}
	}
	return f, nil
}

// Definition returns the provider that the file defines. The error says why it defines none.
func (f *File) Definition() (*Provider, error) {
	if f.Provider == nil {
		return nil, &Error{File: f.Path, Err: f.undefined}
	}
	return f.Provider, nil
}

// Check returns the findings about a file, with the severities of v.
func (f *File) Check(v *validate.Validator) validate.Result { return v.Collect(f.findings()) }
