// Package definition describes what a provider of performance counters offers: its counter sets and counters, with
// their names and help texts. From a definition, the package makes all files that Windows and a program require.
//
//	p, err := definition.Parse("shop.yaml", text)
//	for _, set := range p.CounterSets {
//		fmt.Println(set.Name, len(set.Counters))
//	}
//
// A definition in YAML needs few lines, because other values are made from the names:
//
//	provider: Shop
//	counterSets:
//	  - name: Shop Queues
//	    instances: multiple
//	    counters:
//	      - {name: Published/sec, type: PERF_COUNTER_BULK_COUNT, help: Messages accepted.}
//	      - {name: Depth, type: PERF_COUNTER_RAWCOUNT}
//	      - {name: Hit ratio, type: PERF_RAW_FRACTION, base: {name: Lookups}}
package definition

import (
	"cmp"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"path"
	"strings"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A Provider is the definition of a provider. The zero value of a field means that the value is not
// given. Methods such as [Provider.ID] then return the default. Most fields of Provider, [CounterSet] and
// [Counter] have the names and the meaning of attributes of a manifest:
// https://learn.microsoft.com/windows/win32/perfctrs/performance-counters-schema
type Provider struct {
	Name   string      // a name for people, and the source of values that are not given
	GUID   layout.GUID // providerGuid; see [Provider.ID]
	Symbol string      // a C identifier; see [Provider.CSymbol]

	// Service is the name of the V1 service: its key below Services in the registry, and the drivername in
	// its .ini file. See [Provider.ServiceName].
	Service string

	// Header is the name of the C header with the numbers of the titles of V1: the symbolfile in the .ini
	// file. See [Provider.HeaderName].
	Header string

	// Trusted means that the .ini file has the key trusted, so that lodctr records the state of the library.
	Trusted bool

	// Library is the DLL of V1, and Open, Collect and Close are the functions that it exports. See
	// [Provider.LibraryName] and [Provider.Functions].
	Library, Open, Collect, Close string

	// Package is the name of the package of the Go file. See [Provider.PackageName].
	Package string

	// FirstCounter is the index of the first name, an even number. Nil means that lodctr chooses the index. Title
	// databases require FirstCounter.
	FirstCounter *uint32

	// Binary is the program or DLL that contains the names and help texts as string resources. In a manifest, the
	// attribute applicationIdentity has this value. See [Provider.BinaryName].
	Binary string

	// SchemaVersion is the schemaVersion of the manifest. "" means 2.0. If the provider was read from a manifest, ""
	// means that the manifest has no schemaVersion.
	SchemaVersion string

	Type         string  // providerType: userMode or kernelMode; "" means userMode
	Callback     string  // custom or default; "" means default
	WMIPrefix    string  // providerName, the start of the names of WMI classes
	ResourceBase *uint32 // the number that resource ids start from, in manifests before version 2.0

	// Reference gives all counters the attribute PERF_ATTRIB_BY_REFERENCE. The function [provider.Start] requires this
	// attribute. See [Provider.Attributes].
	Reference bool

	CounterSets []CounterSet

	from origin
	at   places
}

// ID returns the GUID of the provider. The default is a GUID derived from Name.
func (p *Provider) ID() layout.GUID {
	if p.GUID != (layout.GUID{}) {
		return p.GUID
	}
	return derivedGUID(p.Name)
}

// SetID returns the GUID of a set of the provider. The default is a GUID derived from the names of the provider and the
// set.
func (p *Provider) SetID(s *CounterSet) layout.GUID {
	if s.GUID != (layout.GUID{}) {
		return s.GUID
	}
	return derivedGUID(p.Name + "\x00" + s.Name.String())
}

// WriteGUIDs sets each missing GUID to the derived GUID, and returns how many GUIDs it has set. A derived GUID changes
// when a name changes, and two providers with equal names have equal derived GUIDs. A written GUID does not change.
func (p *Provider) WriteGUIDs() (n int) {
	write := func(to *layout.GUID, id layout.GUID) {
		if *to == (layout.GUID{}) {
			*to = id
			n++
		}
	}
	for i := range p.CounterSets {
		s := &p.CounterSets[i]
		write(&s.GUID, p.SetID(s))
	}
	write(&p.GUID, p.ID())
	return n
}

// Attributes returns the attributes of a counter of the provider. If Reference is true, the result includes
// PERF_ATTRIB_BY_REFERENCE.
func (p *Provider) Attributes(c *Counter) layout.Attrib {
	if p.Reference {
		return c.Attributes | layout.PERF_ATTRIB_BY_REFERENCE
	}
	return c.Attributes
}

// CSymbol returns the C identifier of the provider: Symbol, or an identifier made from Name.
func (p *Provider) CSymbol() string {
	return cmp.Or(p.Symbol, constantName(p.Name))
}

// ServiceName returns the name of the V1 service: Service, or Name.
func (p *Provider) ServiceName() string {
	return cmp.Or(p.Service, p.Name)
}

// HeaderName returns the name of the C header: Header, or a name made from the name of the provider. The
// name has no folder, because the header is in the folder of the .ini file.
func (p *Provider) HeaderName() string {
	return fileBase(cmp.Or(p.Header, lowerName(p.Name)+".h"))
}

// fileBase returns the name of a file of Windows without its folder.
func fileBase(name string) string { return path.Base(strings.ReplaceAll(name, `\`, "/")) }

// LibraryName returns the name of the DLL of V1: Library, or a name made from the name of the provider.
func (p *Provider) LibraryName() string {
	return cmp.Or(p.Library, lowerName(p.Name)+".dll")
}

// Functions returns the names of the functions of the DLL. Default names are made from the name of the provider, such
// as OpenShop.
func (p *Provider) Functions() (open, collect, closes string) {
	name := goName(p.Name)
	return cmp.Or(p.Open, "Open"+name), cmp.Or(p.Collect, "Collect"+name), cmp.Or(p.Close, "Close"+name)
}

// BinaryName returns the name of the file with the string resources: Binary, or a name made from
// the name of the provider.
func (p *Provider) BinaryName() string {
	return cmp.Or(p.Binary, lowerName(p.Name)+".exe")
}

// An Error is an error in a text and its place. Line and Column count from 1, columns in
// characters. Both are 0 for an error without a place.
type Error struct {
	File         string
	Line, Column int
	Err          error
}

// Error returns "file:12:5: message".
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Column, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Place returns the line and the column, for reports.
func (e *Error) Place() (line, column int) { return e.Line, e.Column }

var providerRules = []*rule{
	{validate.Rule{
		ID: "PERF4004", Name: "def-language", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "each language of a text in a definition is known, or is a number in hexadecimal",
		Why:     "Windows identifies the languages of names by numbers. Without the number, perfblock define writes no .ini file and no string resources.",
		Fix:     "Correct the tag, or write the number of the language, such as \"0452\" for Welsh.",
		Sources: []validate.Source{iniPage, languagePage},
	}, onProvider(func(p providerOf, report func(finding)) {
		for tag, t := range p.languages() {
			if _, err := LanguageNumber(tag); err != nil {
				report(t.finding(t.key, "the language is "+quoted(tag), wantLanguage))
			}
		}
	}).onForms(YAML)}, // in manifests, string tables identify languages by tag and not by number
	{validate.Rule{
		ID: "PERF4037", Name: "def-language-number", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "a language number in a definition is the number of a Windows language",
		Why:     "A language of three or four hexadecimal digits, such as 1031 or bed, is read as a hexadecimal number, even if the author means a decimal number or a word. If Windows has no language with the number, no user sees the text.",
		Fix:     "Write the tag of the language, or its number in hexadecimal, such as \"0407\" for German.",
		Sources: []validate.Source{languagePage},
	}, onProvider(func(p providerOf, report func(finding)) {
		for tag, t := range p.languages() {
			if number, err := LanguageNumber(tag); err == nil && !knownLANGID(number) {
				report(t.finding(t.key, fmt.Sprintf("the language is %s, the number 0x%04X", quoted(tag), number), wantLANGID(tag)))
			}
		}
	}).onForms(YAML)},
	{validate.Rule{
		ID: "PERF4001", Name: "def-guid-derived", Severity: validate.Info, Since: "v0.1.0",
		Doc:     "the GUIDs of a provider and its sets are written in the definition",
		Why:     "A GUID that is not written is derived from the names. It changes when a name changes, and another provider with equal names has the same GUIDs.",
		Fix:     "Run perfblock define --write-guids once, and keep the GUIDs when a name changes.",
		Sources: []validate.Source{providerPage, setPage},
	}, onProvider(func(p providerOf, report func(finding)) {
		if p.GUID == (layout.GUID{}) {
			report(p.finding("", "the provider has no guid", "should have one: "+p.ID().String()+" is derived from its name"))
		}
		for e, s := range p.sets() {
			if s.GUID == (layout.GUID{}) {
				report(e.finding("", "the set "+quoted(s.Name.String())+" has no guid", "should have one: "+p.SetID(s).String()+" is derived from the names"))
			}
		}
	}).onForms(YAML)}, // in a manifest, manifest-required-attribute and manifest-value report a missing or wrong GUID
	{validate.Rule{
		ID: "PERF4002", Name: "manifest-duplicate-symbol", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "no two counters of a provider have the same symbol",
		Why:     "The symbol is the name of a constant in generated code, which does not compile if two constants have the same name.",
		Fix:     "Give each counter its own symbol. In a definition, a symbol that is not written is made from the names.",
		Sources: []validate.Source{counterPage, schemaPage},
	}, onProvider(func(p providerOf, report func(finding)) {
		p.eachRepeated("symbol", func(s *CounterSet, c *Counter) string { return p.value(c.Symbol, s.CounterSymbol(c)) }, report)
	})},
	{validate.Rule{
		ID: "PERF4003", Name: "manifest-duplicate-uri", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "no two counters of a provider have the same URI",
		Why:     "Programs look up a counter by its URI. If two counters have the same URI, one of them is never found.",
		Fix:     "Give each counter its own URI. A URI that is not written is made from the names.",
		Sources: []validate.Source{counterPage, schemaPage},
	}, onProvider(func(p providerOf, report func(finding)) {
		p.eachRepeated("uri", func(s *CounterSet, c *Counter) string { return p.value(c.URI, p.CounterURI(s, c)) }, report)
	})},
}

// eachRepeated reports each counter that has the same symbol or URI as an earlier counter of the provider. key is
// "symbol" or "uri". The function value returns the symbol or the URI of a counter. A counter whose symbol or URI is ""
// is not reported.
func (p providerOf) eachRepeated(key string, value func(*CounterSet, *Counter) string, report func(finding)) {
	seen := make(map[string]bool)
	for set, s := range p.sets() {
		for e, c := range s.counters(set.path) {
			text := value(s, c)
			if text != "" && seen[text] {
				report(e.finding(key, "the "+key+" "+quoted(text)+" of "+called(c.Name)+" is repeated", "must be unique in the provider"))
			}
			seen[text] = true
		}
	}
}

// guidNamespace is the namespace UUID from which GUIDs are derived. It was chosen at random and must never
// change.
var guidNamespace = [16]byte{0x8d, 0x1f, 0x2b, 0x6a, 0x3c, 0x47, 0x4e, 0x59, 0x9b, 0x0e, 0x52, 0xd7, 0x61, 0xc8, 0xa4, 0xf3}

// derivedGUID returns the UUID of version 5 for a name in the namespace of perfblock:
// https://www.rfc-editor.org/rfc/rfc9562.
func derivedGUID(name string) layout.GUID {
	h := sha1.New()
	h.Write(guidNamespace[:])
	h.Write([]byte(name))
	b := h.Sum(nil)[:16]
	b[6] = b[6]&0x0f | 5<<4
	b[8] = b[8]&0x3f | 0x80
	return layout.GUID{
		Data1: binary.BigEndian.Uint32(b), Data2: binary.BigEndian.Uint16(b[4:]), Data3: binary.BigEndian.Uint16(b[6:]),
		Data4: [8]byte(b[8:]),
	}
}
