package definition

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// Keys of a definition in YAML.
var (
	providerMapping = form.Mapping[Provider]{
		Name: "provider", What: "a definition", Doc: "What a provider of performance counters offers.",
		Note: func(p *Provider, n *yaml.Node) { p.at = placesOf(n) },
		Keys: []form.Key[Provider]{
			{Name: "provider", Form: form.Text, Required: true, Doc: "The name of the provider. The defaults of other keys are made from the name.", Field: func(p *Provider) any { return &p.Name }},
			{Name: "guid", Form: form.GUID, Doc: "The GUID of the provider. Default: made from its name.", Field: func(p *Provider) any { return &p.GUID }},
			{Name: "symbol", Form: given(form.Text), Doc: "The C identifier of the provider. Default: made from its name.", Field: func(p *Provider) any { return field{&p.Symbol, p.at.isGiven("symbol")} }},
			{Name: "service", Form: form.Text, Doc: "The name of the V1 service: its key below Services in the registry, and the drivername in the .ini file. Default: the name of the provider.", Field: func(p *Provider) any { return &p.Service }},
			{Name: "header", Form: form.Text, Doc: "The file name of the C header that gives each name a number: the symbolfile in the .ini file. Default: made from the name of the provider, such as shop.h.", Field: func(p *Provider) any { return &p.Header }},
			{Name: "trusted", Form: form.Boolean, Doc: "Whether the .ini file has the key trusted.", Field: func(p *Provider) any { return &p.Trusted }},
			{Name: "library", Form: form.Text, Doc: "The DLL of the V1 provider. Default: made from the name of the provider.", Field: func(p *Provider) any { return &p.Library }},
			{Name: "open", Form: form.Text, Doc: "The function of the DLL that Windows calls first. Default: Open followed by the name of the provider.", Field: func(p *Provider) any { return &p.Open }},
			{Name: "collect", Form: form.Text, Doc: "The function of the DLL that fills a buffer. Default: Collect followed by the name of the provider.", Field: func(p *Provider) any { return &p.Collect }},
			{Name: "close", Form: form.Text, Doc: "The function of the DLL that Windows calls last. Default: Close followed by the name of the provider.", Field: func(p *Provider) any { return &p.Close }},
			{Name: "firstCounter", Form: dword, Doc: "The index of the first name, an even number. Default: lodctr chooses it.", Field: func(p *Provider) any { return form.Opt(&p.FirstCounter) }},
			{Name: "package", Form: form.Text, Doc: "The name of the package of the Go file. Default: made from the name of the provider.", Field: func(p *Provider) any { return &p.Package }},
			{Name: "binary", Form: form.Text, Doc: "The program or DLL that has the names as string resources: applicationIdentity in a manifest. Default: made from the name of the provider, such as shop.exe.", Field: func(p *Provider) any { return &p.Binary }},
			{Name: "schemaVersion", Form: given(form.Text), Doc: "The version of the schema of the manifest. An empty text means a manifest without a version, such as some old manifests. Default: 2.0.", Field: func(p *Provider) any { return field{&p.SchemaVersion, p.at.isGiven("schemaVersion")} }},
			{Name: "providerType", Form: wordForm(providerTypeWords), Doc: "Where the code of the provider runs. Default: userMode.", Field: func(p *Provider) any { return &p.Type }},
			{Name: "callback", Form: wordForm(callbackWords), Doc: "Which code handles the requests of Perflib: the generated code (default) or a function of the provider (custom). Default: default.", Field: func(p *Provider) any { return &p.Callback }},
			{Name: "providerName", Form: given(form.Text), Doc: "The start of the names of WMI classes.", Field: func(p *Provider) any { return field{&p.WMIPrefix, p.at.isGiven("providerName")} }},
			{Name: "resourceBase", Form: dword, Doc: "The number that the ids of string resources start from. Two providers in one program must have different ids. Default: 1.", Field: func(p *Provider) any { return form.Opt(&p.ResourceBase) }},
			{Name: "reference", Form: form.Boolean, Doc: "Whether all counters have the attribute reference: Windows reads their values in the memory of the program. Package provider requires it.", Field: func(p *Provider) any { return &p.Reference }},
			{Name: "counterSets", Form: form.BlockList("counter sets", &counterSetMapping), Required: true, Doc: "The counter sets, which V1 calls objects.", Field: func(p *Provider) any { return &p.CounterSets }},
		},
	}
	counterSetMapping = form.Mapping[CounterSet]{
		Name: "counterSet", What: "a counter set", Doc: "A counter set.",
		Note: func(s *CounterSet, n *yaml.Node) { s.at = placesOf(n) },
		Keys: []form.Key[CounterSet]{
			{Name: "name", Form: textForm, Required: true, Doc: "The name of the set.", Field: func(s *CounterSet) any { return &s.Name }},
			{Name: "help", Form: given(textForm), Doc: "What the set is about, for users.", Field: func(s *CounterSet) any { return field{&s.Help, s.at.isGiven("help")} }},
			{Name: "guid", Form: form.GUID, Doc: "The GUID of the set. Default: made from the names of the provider and the set.", Field: func(s *CounterSet) any { return &s.GUID }},
			{Name: "uri", Form: form.Text, Doc: "A unique name for programs. Default: made from the names.", Field: func(s *CounterSet) any { return &s.URI }},
			{Name: "symbol", Form: given(form.Text), Doc: "The C identifier of the set. Default: made from its name.", Field: func(s *CounterSet) any { return field{&s.Symbol, s.at.isGiven("symbol")} }},
			{Name: "instances", Form: given(wordForm(instanceWords)), Doc: "Whether the set has instances, and how they are aggregated. Default: single.", Field: func(s *CounterSet) any { return field{&s.Instances, s.at.isGiven("instances")} }},
			{Name: "nameID", Form: dword, Doc: "The id of the string resource with the name.", Field: func(s *CounterSet) any { return form.Opt(&s.NameID) }},
			{Name: "helpID", Form: dword, Doc: "The id of the string resource with the help text.", Field: func(s *CounterSet) any { return form.Opt(&s.HelpID) }},
			{Name: "title", Form: dword, Doc: "The number of the name in the C header. Default: the number of the preceding name, plus 2.", Field: func(s *CounterSet) any { return form.Opt(&s.Title) }},
			{Name: "structs", Form: form.List("structs", &structMapping), Doc: "The C structs with the values, only for kernelMode.", Field: func(s *CounterSet) any { return &s.Structs }},
			{Name: "counters", Form: form.List("counters", &counterMapping), Required: true, Doc: "The counters of the set.", Field: func(s *CounterSet) any { return &s.Counters }},
		},
	}
	structMapping = form.Mapping[Struct]{
		Name: "struct", What: "a struct", Doc: "A C struct with the values of counters.",
		Note: func(s *Struct, n *yaml.Node) { s.at = placesOf(n) },
		Keys: []form.Key[Struct]{
			{Name: "name", Form: form.Text, Required: true, Doc: "The name by which counters refer to the struct.", Field: func(s *Struct) any { return &s.Name }},
			{Name: "type", Form: form.Text, Required: true, Doc: "The type of the struct in C.", Field: func(s *Struct) any { return &s.Type }},
		},
	}
	counterMapping = form.Mapping[Counter]{
		Name: "counter", What: "a counter", Doc: "A counter.",
		Note: func(c *Counter, n *yaml.Node) { c.at = placesOf(n) },
		Keys: slices.Concat(counterKeys(true), referenceKeys()),
	}
	hiddenMapping = form.Mapping[Counter]{
		Name: "hidden", What: "a counter", Doc: "A counter that is only used to compute another counter. By default it has the type that the other counter requires, and the attribute noDisplay.",
		Note: func(c *Counter, n *yaml.Node) { c.at = placesOf(n) },
		Keys: counterKeys(false),
	}
)

// counterKeys returns the keys of a counter, except its references to other counters. If typed is true, the key "type"
// is required. Otherwise the key "name" is required.
func counterKeys(typed bool) []form.Key[Counter] {
	return []form.Key[Counter]{
		{Name: "name", Form: given(textForm), Required: !typed, Doc: "The name of the counter. Only a hidden counter may have no name.", Field: func(c *Counter) any { return field{&c.Name, c.at.isGiven("name")} }},
		{Name: "type", Form: given(typeForm), Required: typed, Doc: "The type, which says how the value is computed.", Field: func(c *Counter) any { return field{form.Num(&c.Type), c.at.isGiven("type")} }},
		{Name: "help", Form: given(textForm), Doc: "What the counter counts, for users.", Field: func(c *Counter) any { return field{&c.Help, c.at.isGiven("help")} }},
		{Name: "id", Form: given(dword), Doc: "The id of the counter in the set. Default: the next free number after the ids of earlier counters, from 1.", Field: func(c *Counter) any { return field{form.Num(&c.ID), c.at.isGiven("id")} }},
		{Name: "uri", Form: form.Text, Doc: "A unique name for programs. Default: made from the names.", Field: func(c *Counter) any { return &c.URI }},
		{Name: "symbol", Form: given(form.Text), Doc: "The C identifier of the counter. Default: made from the names.", Field: func(c *Counter) any { return field{&c.Symbol, c.at.isGiven("symbol")} }},
		{Name: "detailLevel", Form: given(wordForm(levelWords)), Doc: "The users that the counter is for. Default: standard. V2 has only standard and advanced.", Field: func(c *Counter) any { return field{&c.DetailLevel, c.at.isGiven("detailLevel")} }},
		{Name: "scale", Form: given(form.Integer("signed number", form.Span{Lo: math.MinInt32, Hi: math.MaxInt32})), Doc: "The power of ten by which a graph multiplies the value, -10 to 10. Default: 0.", Field: func(c *Counter) any { return field{form.Num(&c.Scale), c.at.isGiven("scale")} }},
		{Name: "aggregate", Form: given(wordForm(aggregateWords)), Doc: "How the values of several instances are combined. Default: undefined.", Field: func(c *Counter) any { return field{&c.Aggregate, c.at.isGiven("aggregate")} }},
		{Name: "attributes", Form: given(attributesForm), Doc: "How the value is stored and displayed: " + attributeList(^layout.Attrib(0)) + ".", Field: func(c *Counter) any { return field{&c.Attributes, c.at.isGiven("attributes")} }},
		{Name: "nameID", Form: dword, Doc: "The id of the string resource with the name.", Field: func(c *Counter) any { return form.Opt(&c.NameID) }},
		{Name: "helpID", Form: dword, Doc: "The id of the string resource with the help text.", Field: func(c *Counter) any { return form.Opt(&c.HelpID) }},
		{Name: "title", Form: dword, Doc: "The number of the name in the C header. Default: the number of the preceding name, plus 2. A base has no number by default.", Field: func(c *Counter) any { return form.Opt(&c.Title) }},
		{Name: "offset", Form: dword, Doc: "The offset of the value in a counter block of V1: at least 8, and a multiple of the size of the value, which is 4 or 8 bytes. Default: after the preceding value.", Field: func(c *Counter) any { return form.Opt(&c.Offset) }},
		{Name: "struct", Form: form.Text, Doc: "Only for kernelMode: the name of the struct with the value.", Field: func(c *Counter) any { return &c.Struct }},
		{Name: "field", Form: form.Text, Doc: "Only for kernelMode: the field with the value, in the struct of the counter.", Field: func(c *Counter) any { return &c.Field }},
	}
}

// referenceKeys returns the keys with which a counter refers to other counters of its set.
func referenceKeys() []form.Key[Counter] {
	keys := []form.Key[Counter]{
		{Name: "base", Doc: "The counter with the base of a fraction or an average."},
		{Name: "perfTime", Doc: "The counter with the time of the provider's clock."},
		{Name: "perfFreq", Doc: "The counter with the frequency of the provider's clock."},
		{Name: "multi", Doc: "The counter with the number of items of a multi timer."},
	}
	for i := range keys {
		keys[i].Form = referenceForm
		keys[i].Doc += " A name or an id of a counter in the set, or a mapping that defines a hidden counter."
		keys[i].Field = func(c *Counter) any { return c.references()[i] }
	}
	return keys
}

// referenceForm is the form of a reference: a name, an id, or a mapping that defines the counter.
var referenceForm = &form.Form{
	Name:   "the name or the id of a counter, or {name: NAME, …}",
	Schema: form.AnyOf(form.TextSchema, form.Ref("hidden")),
	Read: func(n *yaml.Node, to any) error {
		f := to.(reference)
		if n.Kind == yaml.MappingNode {
			*f.inline = new(Counter)
			return hiddenMapping.Read(n, *f.inline)
		}
		text, err := form.ReadText(n)
		if yamltext.IsNumber(n) {
			id, err := dwordSpan.Read(n)
			*f.to = "#" + strconv.FormatUint(id.Magnitude, 10)
			return err
		}
		*f.to = text
		return err
	},
	Zero: func(from any) bool { f := from.(reference); return *f.to == "" && *f.inline == nil },
	Write: func(w *form.Writer, from any, indent string) error {
		f := from.(reference)
		if *f.inline != nil {
			w.Add(" ")
			return hiddenMapping.WriteBraced(w, *f.inline)
		}
		if id, is := strings.CutPrefix(*f.to, "#"); is {
			if _, err := strconv.ParseUint(id, 10, 32); err == nil {
				w.Add(" " + id)
				return nil
			}
		}
		return form.Text.Write(w, f.to, indent)
	},
}

var (
	dwordSpan = form.Span{Hi: math.MaxUint32}
	dword     = form.Integer("number", dwordSpan)
)

// A field points to a value of a definition. given is true if the text has a key for the value. A given value is
// written even if it is the default.
type field struct {
	to    any
	given bool
}

// given returns a form for a [field]. The form reads and writes the value of the field as f does, but it also writes a
// default value if field.given is true.
func given(f *form.Form) *form.Form {
	g := *f
	g.Read = func(n *yaml.Node, to any) error { return f.Read(n, to.(field).to) }
	g.Zero = func(from any) bool { return !from.(field).given && f.Zero(from.(field).to) }
	g.Write = func(w *form.Writer, from any, indent string) error { return f.Write(w, from.(field).to, indent) }
	return &g
}

// wordForm returns a form that reads and writes a value of the type T as a word of the list.
func wordForm[T comparable](list []word[T]) *form.Form {
	return &form.Form{
		Name:   "one of " + strings.Join(texts(list), ", "),
		Schema: form.EnumSchema(texts(list)...),
		Read: func(n *yaml.Node, to any) error {
			value, err := parseWord(list, n)
			*to.(*T) = value
			return err
		},
		Zero: func(from any) bool { return *from.(*T) == *new(T) },
		Write: func(w *form.Writer, from any, _ string) error {
			w.B = form.AppendText(append(w.B, ' '), wordFor(list, *from.(*T)))
			return nil
		},
	}
}

// parseWord returns the value of the word in a node. A word that is not in the list is an error.
func parseWord[T any](list []word[T], n *yaml.Node) (value T, err error) {
	for _, w := range list {
		if n.Kind == yaml.ScalarNode && w.text == n.Value {
			return w.value, nil
		}
	}
	if n.Kind != yaml.ScalarNode || yamltext.IsNull(n) {
		return value, yamltext.Want(n, "one of "+strings.Join(texts(list), ", "))
	}
	hint := suggest.DidYouMean(n.Value, texts(list))
	if hint == "" {
		hint = ", must be one of " + strings.Join(texts(list), ", ")
	}
	return value, layout.Faultf(layout.ErrRange, "is %s%s", quoted(n.Value), hint)
}

// attributesForm is the form of a list of attributes. The type of the field is *[layout.Attrib].
var attributesForm = &form.Form{
	Name:   "list of attributes, such as [noDisplay]",
	Schema: form.ListSchema(form.EnumSchema(strings.Split(attributeList(^layout.Attrib(0)), ", ")...)),
	Read: func(n *yaml.Node, to any) error {
		return form.ReadEach(n, func(_ int, n *yaml.Node) error {
			a, err := parseWord(attributeWords, n)
			*to.(*layout.Attrib) |= a
			return yamltext.Under("attributes", n, err)
		})
	},
	Zero: func(from any) bool { return *from.(*layout.Attrib) == 0 },
	Write: func(w *form.Writer, from any, _ string) error {
		w.Add(" [" + attributeList(*from.(*layout.Attrib)) + "]")
		return nil
	},
}
