package definition

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A Counter defines a performance counter.
type Counter struct {
	Name, Help Text
	ID         uint32 // unique in the set
	URI        string // a unique name for programs; see [Provider.CounterURI]
	Symbol     string // a C identifier; see [CounterSet.CounterSymbol]

	NameID, HelpID *uint32 // ids of the string resources; nil means the next free id, from [Provider.ResourceBase] or 1

	Type        layout.CounterType
	DetailLevel layout.DetailLevel // 0 means PERF_DETAIL_NOVICE
	Scale       int32              // defaultScale: consumers multiply the displayed value by 10 to the power of Scale
	Aggregate   layout.AggregateFunc
	Attributes  layout.Attrib // see [Provider.Attributes]
	Title       *uint32       // number of the name in V1; see [Provider.Titles]
	Offset      *uint32       // offset of the value in a V1 counter block; nil means after the preceding value

	// Base, PerfTime, PerfFreq and Multi refer to counters of the same set, by name, or by # and the id,
	// such as #7. "" means none. See [CounterSet.Find].
	Base, PerfTime, PerfFreq, Multi string

	Struct, Field string // the struct and its field with the value; only for kernel-mode providers

	inline [4]*Counter // counters that YAML defines in references; only used to read and write YAML
	at     places
}

// Level returns DetailLevel, or PERF_DETAIL_NOVICE if DetailLevel is 0.
func (c *Counter) Level() layout.DetailLevel {
	return cmp.Or(c.DetailLevel, layout.PERF_DETAIL_NOVICE)
}

// baseLevel returns the V1 detail level of a base. c is the base, or a counter for which V1 adds a base.
func (c *Counter) baseLevel() layout.DetailLevel {
	if c.Level() == layout.PERF_DETAIL_NOVICE {
		return 0 // as package builder writes for a base without a level
	}
	return c.DetailLevel
}

// hasType reports whether Type is known. Other rules report an absent or misspelled type in a manifest.
func (c *Counter) hasType() bool { return c.Type != 0 || c.at == nil || c.at.isGiven("type") }

// Hidden reports whether consumers do not list the counter: it is a base, or has the attribute
// noDisplay.
func (c *Counter) Hidden() bool {
	return c.Type.IsBase() || c.Attributes&layout.PERF_ATTRIB_NO_DISPLAYABLE != 0
}

// longestName is the largest number of UTF-16 characters in the name of a set or a counter.
const longestName = 1023

// wildcard is the counter id that requests all counters of a set.
const wildcard = layout.PERF_WILDCARD_COUNTER

var counterRules = []*rule{
	{validate.Rule{
		ID: "PERF4020", Name: "manifest-duplicate-id", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "no two counters of a set have the same id",
		Why:     "Queries, results and references identify a counter by its id. If two counters have the same id, the second is never found.",
		Fix:     "Give each counter of the set its own id.",
		Sources: []validate.Source{counterPage, schemaPage},
	}, onCounter(func(c counterOf, report func(finding)) {
		if first := &c.set.Counters[c.set.index.ids[c.ID]]; first != c.Counter {
			report(c.finding("id", fmt.Sprintf("id is %d, which %s has too", c.ID, called(first.Name)), "must be unique in the set"))
		}
	})},
	{validate.Rule{
		ID: "PERF4021", Name: "manifest-duplicate-name", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "no two counters of a set have the same name",
		Why:     "A counter path names a counter by its name. A consumer that looks for the name finds only one of the counters.",
		Fix:     "Give each counter of the set its own name. A base that is never shown requires no name.",
		Sources: []validate.Source{counterPage, schemaPage},
	}, onCounter(func(c counterOf, report func(finding)) {
		name := c.Name.String()
		if first, is := c.set.index.names[name]; is && &c.set.Counters[first] != c.Counter {
			report(c.finding("name", "the name "+quoted(name)+" is repeated", "must be unique in the set"))
		}
	})},
	{validate.Rule{
		ID: "PERF4036", Name: "def-name-case", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "no two counters of a set in a definition have names that differ only in case, such as Depth and DEPTH",
		Why:     "If the names of two counters differ only in case, consumers that ignore case find only one of the counters. If the names are in ASCII, the counters also have the same default symbol.",
		Fix:     "Choose another name for one of the counters.",
		Sources: []validate.Source{counterPage},
	}, onSet(func(s setOf, report func(finding)) {
		seen := make(map[string]string) // the first name, by the name in capitals
		for e, c := range s.counters(s.path) {
			name := c.Name.String()
			first, is := seen[strings.ToUpper(name)]
			if !is {
				seen[strings.ToUpper(name)] = name
			} else if first != name { // the rule manifest-duplicate-name reports equal names
				report(e.finding("name", "the name "+quoted(name)+" differs only in case from "+quoted(first), "should differ in more than case"))
			}
		}
	}).onForms(YAML)},
	{validate.Rule{
		ID: "PERF4022", Name: "manifest-name-missing", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "each counter set and each displayed counter has a name; in a manifest, each of them also has a description",
		Why:     "Consumers list sets and counters by their names.",
		Fix:     "Write the name. In a manifest, write the description too. A counter that users do not see needs neither: add the attribute noDisplay to it.",
		Sources: []validate.Source{counterPage},
	}, either(
		onSet(func(s setOf, report func(finding)) { // in a manifest, manifest-required-attribute reports a set without a name
			if s.Name.IsZero() {
				report(s.finding("name", "the set has no name", "must have a name"))
			}
			for e, c := range s.counters(s.path) {
				if c.Name.IsZero() && !c.Hidden() {
					report(e.finding("", fmt.Sprintf("counter %d has no name", c.ID), "must have a name, or the attribute noDisplay"))
				}
			}
		}).onForms(YAML),
		onCounter(func(c counterOf, report func(finding)) {
			if displayed(c.Counter) && (c.Name.IsZero() || !c.element.at.isGiven("help")) {
				report(c.finding("", fmt.Sprintf("counter %d has no name or no description", c.ID), "must have both, or the counterAttribute noDisplay"))
			}
		}).onForms(Manifest))},
	{validate.Rule{
		ID: "PERF4031", Name: "def-help", Severity: validate.Info, Since: "v0.1.0",
		Doc:     "a counter without the attribute noDisplay has a help text",
		Why:     "Consumers show the help text to explain a counter. A manifest requires a help text. If there is none, perfblock define writes the name as help text.",
		Fix:     "Add a help text: a sentence that says what the counter counts.",
		Sources: []validate.Source{counterPage, iniPage},
	}, onCounter(func(c counterOf, report func(finding)) {
		if c.Help.IsZero() && !c.Hidden() {
			report(c.finding("", called(c.Name)+" has no help text", "should have one"))
		}
	}).onForms(YAML)},
	{validate.Rule{
		ID: "PERF4023", Name: "manifest-ref-missing", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "a counter whose type requires another counter refers to that counter",
		Why:     "Without the base or the time, a consumer computes nothing or a wrong value.",
		Fix:     "Write the references that the type requires. Some types require base, others both perfTime and perfFreq, others multi.",
		Sources: []validate.Source{counterPage},
	}, onCounter(func(c counterOf, report func(finding)) {
		for _, ref := range c.references() {
			if ref.required && *ref.to == "" {
				report(c.finding("type", fmt.Sprintf("%s has the type %v and no %s", called(c.Name), c.Type, ref.key), "must refer to a "+ref.wanted.String()))
			}
		}
	})},
	{validate.Rule{
		ID: "PERF4024", Name: "manifest-ref-unknown", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "each of baseID, perfTimeID, perfFreqID and multiCounterID is the id of another counter of the set",
		Why:     "To compute the value, a consumer reads the counter with this id. The set has no counter with the id, or the counter refers to itself.",
		Fix:     "Write the id of another counter of the set, or remove the attribute.",
		Sources: []validate.Source{counterPage, schemaPage},
	}, onCounter(func(c counterOf, report func(finding)) {
		for _, ref := range c.references() {
			switch target := c.set.index.counter(*ref.to); {
			case *ref.to == "":
			case target == nil:
				report(c.finding(ref.key, ref.key+" is "+*ref.to+", which the set does not have", "must be the id of a counter of the set"))
			case target.ID == c.ID:
				report(c.finding(ref.key, ref.key+" is the counter itself", "must be the id of another counter"))
			}
		}
	})},
	{validate.Rule{
		ID: "PERF4033", Name: "def-offset", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "the offset of a counter in a definition is at least 8 and a multiple of the size of its value, and no two values of a set overlap",
		Why:     "For a set with a wrong offset, perfblock define writes no struct and no functions for V1.",
		Fix:     "Correct the offset, or remove the key: the value then follows the preceding value.",
		Sources: []validate.Source{definitionPage},
	}, onProvider(func(p providerOf, report func(finding)) {
		objects, _ := p.objects("V1 struct")
		for _, o := range objects {
			for _, f := range o.misplaced {
				report(f)
			}
		}
	}).onForms(YAML)},
	{validate.Rule{
		ID: "PERF4032", Name: "manifest-ref-missing-multi", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "a PERF_COUNTER_MULTI_TIMER_INV refers to a PERF_COUNTER_MULTI_BASE as its base",
		Why:     "A consumer that follows the manifest schema reads the number of items from the base. The registration protocol MS-PCQ does not require the base, so other consumers read the number elsewhere.",
		Fix:     "Add a PERF_COUNTER_MULTI_BASE to the set, and refer to it as base.",
		Sources: []validate.Source{counterPage},
	}, onCounter(func(c counterOf, report func(finding)) {
		if c.Type == layout.PERF_COUNTER_MULTI_TIMER_INV && c.Base == "" {
			report(c.finding("type", fmt.Sprintf("%s has the type %v and no base", called(c.Name), c.Type), "should refer to a "+layout.PERF_COUNTER_MULTI_BASE.String()))
		}
	})},
	{validate.Rule{
		ID: "PERF4025", Name: "manifest-ref-type", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "a reference names a counter of the type that the documentation requires",
		Why:     "A consumer computes with the value of the referenced counter. If this counter has a wrong type, its value has another meaning or size.",
		Fix:     "Refer to a counter of the type that the message names. The keys perfTime and perfFreq require a PERF_COUNTER_LARGE_RAWCOUNT, and the key multi requires a PERF_COUNTER_RAWCOUNT.",
		Sources: []validate.Source{counterPage},
	}, onCounter(func(c counterOf, report func(finding)) {
		for _, ref := range c.references() {
			if target := c.set.index.counter(*ref.to); target != nil && target.hasType() && target.ID != c.ID && !ref.isValid(c.Type, target.Type) {
				report(c.finding(ref.key, fmt.Sprintf("%s is %s of type %v", ref.key, called(target.Name), target.Type), "must be a "+ref.wanted.String()))
			}
		}
	})},
	{validate.Rule{
		ID: "PERF4026", Name: "manifest-scale", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "the scale of a counter is -10 to 10",
		Why:     "The scale is the power of ten by which a graph multiplies the value: the scale 2 means 100. A manifest with a scale below -10 or above 10 is refused.",
		Fix:     "Write the exponent, not the factor. 0 leaves the value unchanged.",
		Sources: []validate.Source{counterPage},
	}, onCounter(func(c counterOf, report func(finding)) {
		if c.Scale < -10 || c.Scale > 10 {
			report(c.finding("scale", fmt.Sprintf("the scale is %d", c.Scale), "must be -10 to 10"))
		}
	})},
	{validate.Rule{
		ID: "PERF4027", Name: "manifest-attribute-combination", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "noDisplay is not combined with displayAsHex, displayAsReal or noDigitGrouping, and displayAsHex is not combined with displayAsReal or noDigitGrouping",
		Why:     "The documents disagree about which of two conflicting attributes has priority, so consumers show the value in different ways.",
		Fix:     "Keep only the attribute that you want.",
		Sources: []validate.Source{attribPage},
	}, onCounter(func(c counterOf, report func(finding)) {
		const hex, others = layout.PERF_ATTRIB_DISPLAY_AS_HEX, layout.PERF_ATTRIB_DISPLAY_AS_REAL | layout.PERF_ATTRIB_NO_GROUP_SEPARATOR
		switch a := c.Attributes; {
		case a&layout.PERF_ATTRIB_NO_DISPLAYABLE != 0 && a&(hex|others) != 0:
			report(c.finding("attributes", "the attributes are "+attributeList(a), "must not combine noDisplay with displayAsHex, displayAsReal or noDigitGrouping"))
		case a&hex != 0 && a&others != 0:
			report(c.finding("attributes", "the attributes are "+attributeList(a), "must not combine displayAsHex with displayAsReal or noDigitGrouping"))
		}
	})},
	{validate.Rule{
		ID: "PERF4028", Name: "manifest-aggregate-unused", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "a counter has an aggregate only in a set whose instances are aggregated",
		Why:     "The instances of the set are never combined, so the aggregate has no effect.",
		Fix:     "Remove the aggregate. If the instances are combined, write instances: multipleAggregate or instances: globalAggregate.",
		Sources: []validate.Source{counterPage, setPage},
	}, onCounter(func(c counterOf, report func(finding)) {
		const aggregates = layout.PERF_COUNTERSET_FLAG_AGGREGATE
		if c.Aggregate != layout.PERF_AGGREGATE_UNDEFINED && c.set.Instances&aggregates == 0 {
			report(c.finding("aggregate", fmt.Sprintf("the aggregate is %s, but the set has \"instances: %s\"", wordFor(aggregateWords, c.Aggregate), c.set.InstancesWord()), "must be undefined"))
		}
	})},
	{validate.Rule{
		ID: "PERF4029", Name: "manifest-struct-user-mode", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "only a kernel-mode provider has the keys structs, struct and field",
		Why:     "The three keys name C structs and their fields. Only the generated code for a driver uses these names.",
		Fix:     "Remove the keys structs, struct and field, or write providerType: kernelMode.",
		Sources: []validate.Source{counterPage},
	}, onSet(func(s setOf, report func(finding)) {
		if s.provider.Type == kernelMode {
			return
		}
		const absent = "must be absent in a user-mode provider"
		if len(s.Structs) > 0 {
			report(s.finding("structs", "the set has "+quote.Count(len(s.Structs), "struct"), absent))
		}
		for e, c := range s.counters(s.path) {
			for _, one := range []struct{ key, value string }{{"struct", c.Struct}, {"field", c.Field}} {
				if one.value != "" {
					report(e.finding(one.key, one.key+" is "+quoted(one.value), absent))
				}
			}
		}
	})},
	{validate.Rule{
		ID: "PERF4030", Name: "manifest-id-wildcard", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "the id of a counter is not 0xffffffff",
		Why:     "In a query, the id 0xffffffff requests all counters of a set. No query and no reference can name a counter with this id.",
		Fix:     "Give the counter another id.",
		Sources: []validate.Source{counterPage},
	}, onCounter(func(c counterOf, report func(finding)) {
		if c.ID == wildcard {
			report(c.finding("id", "id is 0xffffffff", "must be a smaller number"))
		}
	})},
}

// A reference is a field of a counter, such as Base, that refers to another counter of the set.
type reference struct {
	key      string             // the key in YAML
	to       *string            // the argument for [CounterSet.Find]; "" means no reference
	inline   **Counter          // the counter that YAML defines in the reference; only used to read and write YAML
	required bool               // the type of the counter requires the reference
	wanted   layout.CounterType // the type that the other counter must have
}

// references returns the references of a counter in a fixed order. moveInline adds the inline counters in this order.
func (c *Counter) references() [4]reference {
	time := c.Type.UsesObjectTimer()
	base, fraction := c.Type.Base()
	if c.Type == layout.PERF_SAMPLE_COUNTER {
		base = layout.PERF_SAMPLE_BASE
	}
	return [...]reference{
		// In winperf.h, multi timers and timers of the provider's clock have a base. In manifests, counters of these
		// types have no base.
		{"base", &c.Base, &c.inline[0], fraction && !c.Type.Multi() && !time, base},
		{"perfTime", &c.PerfTime, &c.inline[1], time, layout.PERF_COUNTER_LARGE_RAWCOUNT},
		{"perfFreq", &c.PerfFreq, &c.inline[2], time, layout.PERF_COUNTER_LARGE_RAWCOUNT},
		{"multi", &c.Multi, &c.inline[3], c.Type.Multi() && !c.Type.IsBase(), layout.PERF_COUNTER_RAWCOUNT},
	}
}

// isValid reports whether a counter of type source may have this reference to a counter of type target.
func (r reference) isValid(source, target layout.CounterType) bool {
	if r.key == "base" {
		return !r.required && source != layout.PERF_COUNTER_MULTI_TIMER_INV || source.TakesBase(target)
	}
	return target == r.wanted
}
