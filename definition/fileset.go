package definition

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A FileSet finds contradictions between the files of one run, and differences between a definition in YAML and other
// files of the same provider. The zero value is an empty set. A FileSet keeps the definition of each file, but not the
// text.
//
//	var files definition.FileSet
//	for _, f := range all {
//		result := f.Check(&v)
//		result.Add(files.Check(&v, f))
//	}
//
// A FileSet must not be used by several goroutines at once.
type FileSet struct {
	providers, sets map[layout.GUID]guidUse
	ranges          map[string]serviceRange // for each service, the shortest range
	numbers         map[string]serviceTitle // for each service, the title with the largest number
	related         relatedFiles

	// Apart means that Check does not compare definitions with other files of their providers. A caller sets Apart if
	// it calls [Provider.CompareFile] instead.
	Apart bool
}

// A guidUse is the first provider or set that Check found with a certain GUID.
type guidUse struct {
	where    string // the file and the place
	name     string
	provider string // for a provider, its [Provider.identity]; for a set, the GUID of its provider
}

// A serviceRange is the range of indexes that a .reg file gives to a service.
type serviceRange struct {
	where, service string
	indexes        [4]regValue // see [regKey.indexes]
}

// A serviceTitle is a title of a service.
type serviceTitle struct {
	where, symbol string
	number        uint32
	at            place
}

var collisionRule = &rule{Rule: validate.Rule{
	ID: "PERF4506", Name: "def-guid-collision", Severity: validate.Error, Since: "v0.1.0",
	Doc:     "no two providers in the files of a run have the same GUID, and no two providers have a set with the same GUID",
	Why:     "Windows identifies providers and sets by their GUIDs. If two have the same GUID, Windows refuses the second. The usual cause is a copy of a manifest in which the GUIDs were not changed.",
	Fix:     "Give the provider and each of its sets a new GUID. If only the name of the provider has changed, check the old file in another run.",
	Sources: []validate.Source{schemaPage, providerPage, setPage},
	Needs:   "other files in the same run",
	Forms:   []string{YAML.String(), Manifest.String()},
}}

var countRule = &rule{Rule: validate.Rule{
	ID: "PERF4507", Name: "reg-index-count", Severity: validate.Error, Since: "v0.1.0",
	Doc:     "a service in a .reg file has an index for each symbol of its .ini file or definition",
	Why:     "The last symbols have no index, or their indexes belong to another provider. The .reg file is from an older version of the .ini file.",
	Fix:     "Run unlodctr and lodctr again with the current files, and export the registry key again.",
	Sources: []validate.Source{iniPage, titlesPage},
	Needs:   "other files in the same run",
	Forms:   []string{YAML.String(), INI.String(), Registry.String()},
}}

// Rules returns the rules that Check can report.
func (s *FileSet) Rules() []*validate.Rule {
	list := []*validate.Rule{&collisionRule.Rule, &countRule.Rule}
	if !s.Apart {
		list = append(list, &differsRule.Rule)
	}
	return list
}

// Check reports where a file contradicts files that were checked before, and adds the file. Several files can define
// one provider. Check does not compare two versions of a manifest, or of a definition.
//
// Check compares a definition in YAML with the files of the same provider in other forms, as [Provider.CompareFile]
// does. These files belong to the same provider:
//   - a manifest with the symbol of the provider
//   - an .ini file or a .reg file with the service of the provider
//   - a header with the file name in the definition
//
// If several files of a form match, Check uses the file in the same folder, or else the last file. A manifest in
// another folder must have the same GUID as the definition.
func (s *FileSet) Check(v *validate.Validator, f *File) validate.Result {
	if s.providers == nil {
		s.providers, s.sets = make(map[layout.GUID]guidUse), make(map[layout.GUID]guidUse)
		s.ranges, s.numbers = make(map[string]serviceRange), make(map[string]serviceTitle)
		s.related = relatedFiles{make(map[relation]*File), make(map[relation]bool)}
	}
	c := setCheck{FileSet: s, file: f}
	if !s.Apart {
		c.findings = s.related.add(f)
	}
	switch {
	case f.Form == Registry:
		for _, k := range f.registry.services {
			c.service(k)
		}
	case f.Provider != nil:
		if f.Form != INI { // an .ini file has no GUIDs
			c.guids(f.Provider)
		}
		if f.Form != Manifest { // a manifest has no titles of V1
			c.titles(f.Provider)
		}
	}
	return v.Collect(c.findings)
}

// A setCheck checks a file against a FileSet.
type setCheck struct {
	*FileSet
	file     *File
	findings []validate.Finding
}

// where returns the file, the line and the column of a place, for a message about another file.
func (c *setCheck) where(at place) string {
	return fmt.Sprintf("%s:%d:%d", c.file.Path, at.line, at.column)
}

// guids checks the GUIDs of a provider and its sets.
func (c *setCheck) guids(p *Provider) {
	id := p.ID()
	c.guid(c.providers, id, guidUse{name: p.Name, provider: p.identity()}, p.element(), "provider", "")
	for e, s := range p.sets() {
		c.guid(c.sets, p.SetID(s), guidUse{name: s.Name.String(), provider: id.String()}, e, "set", " of another provider")
	}
}

// guid reports a GUID that another provider uses. The map firstUses has the first use of each GUID. The texts kind and
// suffix are words for the message.
func (c *setCheck) guid(firstUses map[layout.GUID]guidUse, id layout.GUID, use guidUse, e element, kind, suffix string) {
	use.where = c.where(e.at.find("guid"))
	switch old, is := firstUses[id]; {
	case !is:
		firstUses[id] = use
	case old.provider != use.provider:
		got := fmt.Sprintf("the %s %s has the GUID %v of the %[1]s %[4]s%s in %s", kind, quoted(use.name), id, quoted(old.name), suffix, old.where)
		c.findings = append(c.findings, e.finding("guid", got, "must have its own GUID").withRule(collisionRule))
	}
}

// identity returns a text that a definition and its manifest have in common: the symbol of the provider in capitals.
// For a kernel-mode provider without a symbol, the text is the result of manifestName in capitals.
func (p *Provider) identity() string {
	if p.Type == kernelMode && p.Symbol == "" {
		return strings.ToUpper(p.manifestName())
	}
	return strings.ToUpper(p.CSymbol())
}

// titles checks that the range of the service in a .reg file has indexes for the largest title number of the provider.
func (c *setCheck) titles(p *Provider) {
	titles := p.Titles()
	if len(titles) == 0 {
		return
	}
	last := slices.MaxFunc(titles, byNumber)
	at := last.at.find("")
	most := serviceTitle{c.where(at), last.Symbol, last.Number, at}
	key := strings.ToLower(p.ServiceName())
	if old, is := c.numbers[key]; !is || old.number < most.number {
		c.numbers[key] = most
	}
	r, is := c.ranges[key]
	if !is || most.number <= r.length() {
		return
	}
	got := fmt.Sprintf("%s is %d, but the service %s in %s has the indexes %s", most.symbol, most.number, quoted(r.service), r.where, r.text())
	want := fmt.Sprintf("must be at most %d, or the service must have more indexes", r.length())
	c.findings = append(c.findings, finding{at: most.at, got: got, want: want}.withRule(countRule))
}

// service checks that the range of a service has indexes for the largest title number of its provider.
func (c *setCheck) service(k regKey) {
	indexes, all := k.indexes()
	// The rule reg-index-range reports an incomplete or reversed range.
	if !all || indexes[1].number < indexes[0].number || indexes[3].number < indexes[2].number {
		return
	}
	r := serviceRange{c.where(indexes[1].at), k.name, indexes}
	key := strings.ToLower(k.name)
	if old, is := c.ranges[key]; !is || r.length() < old.length() {
		c.ranges[key] = r
	}
	most, is := c.numbers[key]
	if !is || most.number <= r.length() {
		return
	}
	i := 1 // Last Counter
	if r.names() > r.helps() {
		i = 3 // Last Help
	}
	first, last := r.indexes[i-1], r.indexes[i]
	got := fmt.Sprintf("%s is %d, and %s is %d in %s", indexNames[i], last.number, most.symbol, most.number, most.where)
	want := fmt.Sprintf("must be at least %d", uint64(first.number)+uint64(most.number))
	c.findings = append(c.findings, finding{at: last.at, got: got, want: want}.withRule(countRule))
}

// names returns the largest title number whose name has an index in the range: Last Counter minus First Counter.
func (r serviceRange) names() uint32 { return r.indexes[1].number - r.indexes[0].number }

// helps returns the largest title number whose help text has an index in the range: Last Help minus First Help.
func (r serviceRange) helps() uint32 { return r.indexes[3].number - r.indexes[2].number }

// length returns the largest title number whose name and help text both have an index in the range.
func (r serviceRange) length() uint32 { return min(r.names(), r.helps()) }

func (r serviceRange) text() string {
	return fmt.Sprintf("%d to %d for names and %d to %d for help texts", r.indexes[0].number, r.indexes[1].number, r.indexes[2].number, r.indexes[3].number)
}

// relatedFiles finds the files of a run that are about one provider.
type relatedFiles struct {
	last     map[relation]*File // the last file with each relation, in each folder and in any folder ("*")
	numbered map[relation]bool  // the headers whose numbers were compared with a definition
}

// A relation is a value that a definition and another file of its provider have in common, such as the name of the
// service.
type relation struct {
	yaml   bool // the file is the definition
	form   Form // the form of the other file
	key    string
	folder string // "*" for any folder
}

// add returns the differences between the file and earlier files of the same provider, and adds the file.
func (r relatedFiles) add(f *File) (findings []validate.Finding) {
	folder := path.Dir(slashed(f.Path))
	textless := f.withoutText()
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
			findings = append(findings, r.compare(textless, other, to)...)
		}
		r.last[to] = textless
		to.folder = "*"
		r.last[to] = textless
	}
	return findings
}

// compare returns the differences between a file and an earlier file.
func (r relatedFiles) compare(f, earlier *File, to relation) []validate.Finding {
	c := fileComparison{definition: earlier.Provider, file: f}
	if to.yaml {
		c = fileComparison{definition: f.Provider, file: earlier, inverse: true}
	}
	if to.form == INI || to.form == Header { // an .ini file and its header have the same numbers, which are compared once
		header := relation{key: strings.ToLower(c.definition.HeaderName()), folder: c.definition.from.path}
		c.numbered = r.numbered[header]
		r.numbered[header] = true
	}
	c.compare()
	return c.findings
}

// relations returns the values that f has in common with other files of the provider. The returned relations have an
// empty folder, which the caller must set.
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
	case f.Form == Header && len(f.header) > 0:
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

func (f *File) withoutText() *File {
	textless := &File{Path: f.Path, Form: f.Form, Provider: f.Provider, header: f.header}
	if f.registry != nil {
		textless.registry = &regFile{services: f.registry.services}
	}
	return textless
}
