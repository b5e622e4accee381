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
}{
	YAML:     {"yaml", []string{".yaml", ".yml", ".json"}, "a definition"},
	INI:      {"ini", []string{".ini"}, "the names for lodctr"},
	Header:   {"header", []string{".h"}, "the numbers of the names for lodctr"},
	Manifest: {"manifest", []string{".man"}, "an instrumentation manifest"},
	Registry: {"registry", []string{".reg"}, "the registry values of V1 providers, and title databases"},
}

func (f Form) String() string {
	if int(f) < len(forms) {
		return forms[f].name
	}
	return "?"
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

// Read reads the text of a file. The name of the file determines its form. beside returns the contents
// of another file in the same folder: an .ini file needs its header. If beside is nil, there are no
// other files. The errors are those of [Parse].
func Read(path string, contents []byte, beside func(name string) ([]byte, error)) (*File, error) {
	form, err := FormOf(path)
	if err != nil {
		return nil, err
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
