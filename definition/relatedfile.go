package definition

import (
	"path"
	"strings"

	"github.com/perfblock/perfblock/validate"
)

// relatedFiles finds the files of a run that are about one provider.
type relatedFiles struct {
	last     map[relation]*File // the last file of each relation, in its folder and in any folder
	numbered map[relation]bool  // the headers whose numbers were compared with a definition
}

// A relation is what a definition and the other files of its provider have in common.
type relation struct {
	yaml   bool // the file is the definition
	form   Form // of the other file
	key    string
	folder string // "*" for any folder
}

// add returns the differences between the file and earlier files of the same provider, and adds the file.
func (r relatedFiles) add(f *File) (findings []validate.Finding) {
	folder := path.Dir(slashed(f.Path))
	light := f.light()
	for _, to := range f.relations() {
		to.folder = folder
		opposite := to
		opposite.yaml = !to.yaml
		other := r.last[opposite]
		if other == nil {
			opposite.folder = "*"
			if other = r.last[opposite]; other != nil && to.form == Manifest && other.Provider.ID() != f.Provider.ID() {
				other = nil
			}
		}
		if other != nil {
			findings = append(findings, r.compare(light, other, to)...)
		}
		r.last[to] = light
		to.folder = "*"
		r.last[to] = light
	}
	return findings
}

// compare returns the differences between a file and an earlier one.
func (r relatedFiles) compare(f, earlier *File, to relation) []validate.Finding {
	c := fileComparison{definition: earlier.Provider, file: f}
	if to.yaml {
		c = fileComparison{definition: f.Provider, file: earlier, inverse: true}
	}
	if to.form == INI || to.form == Header { // both have the numbers of the symbols
		header := relation{key: strings.ToLower(c.definition.HeaderName()), folder: c.definition.from.path}
		c.numbered = r.numbered[header]
		r.numbered[header] = true
	}
	c.compare()
	return c.findings
}

// relations returns what the file has in common with other files of its provider, without the folder.
func (f *File) relations() []relation {
	p := f.Provider
	switch {
	case f.Form == Registry:
		var list []relation
		seen := make(map[relation]bool)
		for _, k := range f.registry.services {
			if one := (relation{form: Registry, key: strings.ToLower(k.name)}); !seen[one] {
				seen[one] = true
				list = append(list, one)
			}
		}
		return list
	case f.Form == Header && len(f.header.symbols) > 0:
		return []relation{{form: Header, key: strings.ToLower(fileBase(f.Path))}}
	case p == nil:
		return nil
	case f.Form == Manifest:
		return []relation{{form: Manifest, key: p.identity()}}
	case f.Form == INI:
		return []relation{{form: INI, key: strings.ToLower(p.ServiceName())}}
	}
	service := strings.ToLower(p.ServiceName())
	return []relation{
		{true, Manifest, p.identity(), ""}, {true, INI, service, ""}, {true, Registry, service, ""}, {true, Header, strings.ToLower(p.HeaderName()), ""},
	}
}

// light returns the file without its text.
func (f *File) light() *File {
	light := &File{Path: f.Path, Form: f.Form, Provider: f.Provider, header: f.header}
	if f.registry != nil {
		light.registry = &regFile{services: f.registry.services}
	}
	return light
}
