package definition

import (
	"slices"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/layout"
)

// An attributeOf describes an attribute of a manifest. T is the type that has the value of the attribute, such as
// Counter.
type attributeOf[T any] struct {
	name, key string                    // in a manifest, and in YAML
	absent    string                    // the default value, or ""
	id        bool                      // the value is the id of a string resource
	text      func(*T) *Text            // returns the text to write; nil for values that are not texts
	required  func(*T) bool             // reports whether the schema requires the attribute; nil means never
	versions  func(version string) bool // reports whether a version of the schema has the attribute; nil means all
	read      func(to *T, value string) misread

	// write returns the value for a manifest. If must is true, the attribute is written even if the definition does not
	// give it.
	write func(w *manifestWriter, from *T) (value string, must bool)
}

// A misread describes why the value of an attribute is wrong. The zero misread means that the value is valid.
type misread struct {
	want string
	lost bool // the Provider lacks the value
	kind problemKind
}

// The attributes of each element, in the order of the output.
var (
	versionAttributes = []attributeOf[Provider]{
		plainAttribute("schemaVersion", func(p *Provider) *string { return &p.SchemaVersion }),
	}

	providerAttributes = []attributeOf[Provider]{
		{name: "applicationIdentity", key: "binary", required: always[Provider],
			read:  into(func(p *Provider) *string { return &p.Binary }, parseText),
			write: func(_ *manifestWriter, p *Provider) (string, bool) { return p.BinaryName(), true },
		},
		guidAttribute("providerGuid", "guid",
			func(p *Provider) *layout.GUID { return &p.GUID },
			func(_ *manifestWriter, p *Provider) layout.GUID { return p.ID() }),
		{name: "symbol", key: "symbol", required: func(p *Provider) bool { return p.Type != kernelMode },
			read: into(func(p *Provider) *string { return &p.Symbol }, parseSymbol),
			write: func(w *manifestWriter, p *Provider) (string, bool) {
				return w.symbol(p.Symbol, p.CSymbol(), p.at.isGiven("symbol")), p.Symbol != "" || p.Type != kernelMode
			},
		},
		choiceAttribute("providerType", providerTypeWords, func(p *Provider) *string { return &p.Type }),
		choiceAttribute("callback", callbackWords, func(p *Provider) *string { return &p.Callback }),
		plainAttribute("providerName", func(p *Provider) *string { return &p.WMIPrefix }),
		{name: "resourceBase", key: "resourceBase", versions: hasNoIDs,
			read: into(func(p *Provider) **uint32 { return &p.ResourceBase }, parseOptionalID),
			write: func(w *manifestWriter, p *Provider) (string, bool) {
				if w.strict && hasIDs(w.version) { // no loss, because the ids in the manifest already start from resourceBase
					return "", false
				}
				return w.onlyIn(hasNoIDs, "resourceBase", p.ResourceBase)
			},
		},
	}

	setAttributes = []attributeOf[CounterSet]{
		guidAttribute("guid", "guid",
			func(s *CounterSet) *layout.GUID { return &s.GUID },
			func(w *manifestWriter, s *CounterSet) layout.GUID { return w.provider.SetID(s) }),
		{name: "uri", key: "uri", required: always[CounterSet],
			read:  into(func(s *CounterSet) *string { return &s.URI }, parseURI),
			write: func(w *manifestWriter, s *CounterSet) (string, bool) { return w.provider.SetURI(s), true },
		},
		{name: "symbol", key: "symbol", required: always[CounterSet],
			read: into(func(s *CounterSet) *string { return &s.Symbol }, parseSymbol),
			write: func(w *manifestWriter, s *CounterSet) (string, bool) {
				return w.symbol(s.Symbol, s.CSymbol(), s.at.isGiven("symbol")), true
			},
		},
		textAttribute("name", "name", always[CounterSet], (*CounterSet).name, (*CounterSet).name),
		idAttribute("nameID", "nameID", always[CounterSet], func(s *CounterSet) **uint32 { return &s.NameID }, (*CounterSet).name),
		textAttribute("description", "help", always[CounterSet], (*CounterSet).help, (*CounterSet).description),
		idAttribute("descriptionID", "helpID", always[CounterSet], func(s *CounterSet) **uint32 { return &s.HelpID }, (*CounterSet).description),
		wordAttribute("instances", nil, instanceWords[:5], func(s *CounterSet) *layout.InstanceType { return &s.Instances }),
	}

	structAttributes = []attributeOf[Struct]{
		symbolAttribute("name", always[Struct], func(s *Struct) *string { return &s.Name }),
		symbolAttribute("type", always[Struct], func(s *Struct) *string { return &s.Type }),
	}

	counterAttributes = []attributeOf[Counter]{
		{name: "id", key: "id", required: always[Counter],
			read:  into(func(c *Counter) *uint32 { return &c.ID }, parseID),
			write: func(_ *manifestWriter, c *Counter) (string, bool) { return decimal(c.ID), true },
		},
		{name: "uri", key: "uri", required: always[Counter],
			read:  into(func(c *Counter) *string { return &c.URI }, parseURI),
			write: func(w *manifestWriter, c *Counter) (string, bool) { return w.provider.CounterURI(w.index.set, c), true },
		},
		{name: "symbol", key: "symbol",
			read: into(func(c *Counter) *string { return &c.Symbol }, parseSymbol),
			write: func(w *manifestWriter, c *Counter) (string, bool) {
				symbol := w.symbol(c.Symbol, w.index.set.CounterSymbol(c), c.at.isGiven("symbol"))
				if c.Symbol == "" && w.symbols[symbol] { // a symbol is optional, but must be unique
					return "", false
				}
				w.symbols[symbol] = true
				return symbol, true
			},
		},
		textAttribute("name", "name", nil, (*Counter).name, (*Counter).name),
		idAttribute("nameID", "nameID", func(c *Counter) bool { return displayed(c) && !c.Name.IsZero() }, func(c *Counter) **uint32 { return &c.NameID }, (*Counter).name),
		textAttribute("description", "help", nil, (*Counter).help, (*Counter).description),
		idAttribute("descriptionID", "helpID", func(c *Counter) bool { return displayed(c) && !c.Help.IsZero() }, func(c *Counter) **uint32 { return &c.HelpID }, (*Counter).description),
		wordAttribute("type", always[Counter], typeWords, func(c *Counter) *layout.CounterType { return &c.Type }),
		referenceAttribute("baseID", "base", func(c *Counter) *string { return &c.Base }),
		referenceAttribute("perfTimeID", "perfTime", func(c *Counter) *string { return &c.PerfTime }),
		referenceAttribute("perfFreqID", "perfFreq", func(c *Counter) *string { return &c.PerfFreq }),
		referenceAttribute("multiCounterID", "multi", func(c *Counter) *string { return &c.Multi }),
		{name: "detailLevel", key: "detailLevel", required: always[Counter],
			read: into(func(c *Counter) *layout.DetailLevel { return &c.DetailLevel }, wordParser(levelWords[:2])),
			write: func(w *manifestWriter, c *Counter) (string, bool) {
				level := c.Level()
				if level == layout.PERF_DETAIL_EXPERT || level == layout.PERF_DETAIL_WIZARD {
					w.lose("detailLevel", "the detail level "+wordFor(levelWords, level)+" is written as advanced: a manifest has standard and advanced")
					level = layout.PERF_DETAIL_ADVANCED
				}
				return wordOrFail(w, "detailLevel", levelWords[:2], level), true
			},
		},
		{name: "defaultScale", key: "scale", absent: "0",
			read:  into(func(c *Counter) *int32 { return &c.Scale }, parseScale),
			write: func(_ *manifestWriter, c *Counter) (string, bool) { return strconv.Itoa(int(c.Scale)), c.Scale != 0 },
		},
		wordAttribute("aggregate", nil, aggregateWords, func(c *Counter) *layout.AggregateFunc { return &c.Aggregate }),
		symbolAttribute("struct", nil, func(c *Counter) *string { return &c.Struct }),
		symbolAttribute("field", nil, func(c *Counter) *string { return &c.Field }),
	}

	// The element counterAttribute has one XML attribute, `name`. Its value selects one bit of Counter.Attributes.
	bitAttributes = []attributeOf[layout.Attrib]{
		{name: "name", key: "name", required: always[layout.Attrib],
			read: into(func(a *layout.Attrib) *layout.Attrib { return a }, wordParser(attributeWords)),
		},
	}
)

func always[T any](*T) bool { return true }

// displayed reports whether a manifest requires a name and a help text for a counter.
func displayed(c *Counter) bool { return c.Attributes&layout.PERF_ATTRIB_NO_DISPLAYABLE == 0 }

func (s *CounterSet) name() *Text { return &s.Name }
func (s *CounterSet) help() *Text { return &s.Help }
func (c *Counter) name() *Text    { return &c.Name }
func (c *Counter) help() *Text    { return &c.Help }

// description returns the help text of the set. If the set has no help text, description returns the name of the set,
// because a manifest must have a help text.
func (s *CounterSet) description() *Text {
	if s.Help.IsZero() && !s.at.isGiven("help") {
		return &s.Name
	}
	return &s.Help
}

// description returns the help text of the counter. If the counter has no help text, but a manifest requires one,
// description returns the name of the counter.
func (c *Counter) description() *Text {
	if c.Help.IsZero() && !c.at.isGiven("help") && displayed(c) {
		return &c.Name
	}
	return &c.Help
}

// compositeName is the name of a counter type that the schema has and no header defines.
const compositeName = "perf_counter_composite"

// typeWords has the counter types that manifests can have, with their names.
var typeWords = func() (list []word[layout.CounterType]) {
	for t := range layout.CounterTypes() {
		if t != layout.PERF_COUNTER_NODATA && t != layout.PERF_COUNTER_HISTOGRAM_TYPE {
			list = append(list, word[layout.CounterType]{strings.ToLower(t.String()), t})
		}
	}
	return list
}()

// For attributes made by plainAttribute, symbolAttribute, choiceAttribute and wordAttribute, the name is also the key
// in YAML.

func plainAttribute[T any](name string, at func(*T) *string) attributeOf[T] {
	return attributeOf[T]{name: name, key: name, read: into(at, parseText),
		write: func(_ *manifestWriter, from *T) (string, bool) { return *at(from), *at(from) != "" }}
}

func symbolAttribute[T any](name string, required func(*T) bool, at func(*T) *string) attributeOf[T] {
	return attributeOf[T]{name: name, key: name, required: required, read: into(at, parseSymbol),
		write: func(_ *manifestWriter, from *T) (string, bool) { return *at(from), required != nil || *at(from) != "" }}
}

func choiceAttribute[T any](name string, words []word[string], at func(*T) *string) attributeOf[T] {
	a, choices := plainAttribute(name, at), texts(words)
	a.absent = choices[0]
	a.read = into(at, func(value string) (string, misread) {
		if !slices.Contains(choices, value) {
			return "", misread{want: "must be " + strings.Join(choices, " or "), lost: true}
		}
		return value, misread{}
	})
	a.write = func(w *manifestWriter, from *T) (string, bool) {
		value := *at(from)
		if value != "" && !slices.Contains(choices, value) {
			w.fail(name, "must be "+strings.Join(choices, " or "), "%s is %s", name, quoted(value))
		}
		return value, value != ""
	}
	return a
}

func guidAttribute[T any](name, key string, at func(*T) *layout.GUID, id func(*manifestWriter, *T) layout.GUID) attributeOf[T] {
	return attributeOf[T]{name: name, key: key, required: always[T], read: into(at, parseGUID),
		write: func(w *manifestWriter, from *T) (string, bool) { return id(w, from).String(), true },
	}
}

// textAttribute returns the attribute for a name or a help text. target returns the text that the attribute is read
// into. source returns the text that is written: the same text, or the name if a help text is missing.
func textAttribute[T any](name, key string, required func(*T) bool, target, source func(*T) *Text) attributeOf[T] {
	return attributeOf[T]{name: name, key: key, text: source, required: required,
		read: func(t *T, value string) misread {
			target(t).Neutral = value // resolve later replaces a reference to the string table
			return misread{}
		},
		write: func(w *manifestWriter, t *T) (string, bool) {
			text, losses, monolingual, faults := source(t), len(w.losses), len(w.monolingual), len(w.faults)
			value := w.textValue(key, text)
			if text != target(t) { // text is the name, whose losses and faults are already reported
				w.losses, w.monolingual, w.faults = w.losses[:losses], w.monolingual[:monolingual], w.faults[:faults]
				if !isXMLText(value) {
					value = ""
				}
			}
			return value, required != nil || !text.IsZero()
		},
	}
}

func idAttribute[T any](name, key string, required func(*T) bool, at func(*T) **uint32, text func(*T) *Text) attributeOf[T] {
	return attributeOf[T]{name: name, key: key, id: true, required: required, versions: hasIDs, read: into(at, parseOptionalID),
		write: func(w *manifestWriter, from *T) (string, bool) {
			id := *at(from)
			if derived, is := w.ids[text(from)]; is && id == nil && hasIDs(w.version) {
				id = &derived
			}
			return w.onlyIn(hasIDs, key, id)
		},
	}
}

func wordAttribute[T any, V comparable](name string, required func(*T) bool, words []word[V], at func(*T) *V) attributeOf[T] {
	return attributeOf[T]{name: name, key: name, absent: words[0].text, required: required, read: into(at, wordParser(words)),
		write: func(w *manifestWriter, from *T) (string, bool) {
			text := wordOrFail(w, name, words, *at(from))
			return text, required != nil || text != words[0].text
		},
	}
}

// wordOrFail returns the word for a value. If no word has the value, wordOrFail adds a fault and returns the value as
// text. AppendManifest then fails, but a comparison uses the text.
func wordOrFail[V comparable](w *manifestWriter, key string, words []word[V], value V) string {
	if !slices.ContainsFunc(words, func(one word[V]) bool { return one.value == value }) {
		w.fail(key, wantInSchema, "%s is %v", key, value)
	}
	return wordFor(words, value)
}

func referenceAttribute(name, key string, at func(*Counter) *string) attributeOf[Counter] {
	return attributeOf[Counter]{name: name, key: key,
		read: into(at, func(value string) (string, misread) {
			id, wrong := parseID(value)
			return "#" + decimal(id), wrong // nameReferences replaces the id by a name when all counters are known
		}),
		write: func(w *manifestWriter, c *Counter) (string, bool) { return w.reference(key, *at(c)), *at(c) != "" },
	}
}

// into returns a function that parses the value of an attribute, and stores the result unless the value is lost.
func into[T, V any](at func(*T) *V, parse func(string) (V, misread)) func(*T, string) misread {
	return func(to *T, value string) misread {
		v, wrong := parse(value)
		if !wrong.lost {
			*at(to) = v
		}
		return wrong
	}
}

func parseText(value string) (string, misread) { return value, misread{} }

// parseURI parses an xs:anyURI. Spaces at its start and its end have no meaning, and parseURI removes them.
func parseURI(value string) (string, misread) {
	value = strings.Trim(value, " \t\r\n")
	if value == "" {
		return "", misread{want: "must not be empty", lost: true}
	}
	return value, misread{}
}

// cSymbol matches a C identifier or the empty text, which the schema allows too.
var cSymbol = lazy.Regexp(`^([_a-zA-Z][_0-9a-zA-Z]*)?$`)

func parseSymbol(value string) (string, misread) {
	if !cSymbol().MatchString(value) {
		return value, misread{want: "must be a C identifier"}
	}
	return value, misread{}
}

func parseGUID(value string) (layout.GUID, misread) {
	const want = "must be a GUID in braces, such as {b4fc721a-0378-476f-89ba-a5a79f810b36}, that is not zero"
	id, err := layout.ParseGUID(value)
	switch {
	case err != nil || id == (layout.GUID{}):
		return id, misread{want: want, lost: true}
	case value[0] != '{':
		return id, misread{want: want}
	}
	return id, misread{}
}

func parseScale(value string) (int32, misread) {
	n, err := strconv.ParseInt(strings.Trim(value, " \t\r\n"), 10, 32)
	if err != nil {
		return 0, misread{want: "must be a number from -10 to 10", lost: true}
	}
	return int32(n), misread{}
}

func parseOptionalID(value string) (*uint32, misread) {
	n, wrong := parseID(value)
	return &n, wrong
}

// parseID parses a number in decimal, or in hexadecimal after 0x.
func parseID(value string) (uint32, misread) {
	digits, base := strings.Trim(value, " \t\r\n"), 10
	if len(digits) > 2 && (digits[:2] == "0x" || digits[:2] == "0X") {
		digits, base = digits[2:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err == nil && base == 16 && len(digits) > 8 {
		return uint32(n), misread{want: "must have at most 8 digits after 0x"}
	}
	if err != nil {
		return 0, misread{want: "must be a number from 0 to 4294967295, in decimal or after 0x in hexadecimal", lost: true}
	}
	return uint32(n), misread{}
}

func decimal(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// wordParser returns a function that returns the value of a word.
func wordParser[V any](words []word[V]) func(string) (V, misread) {
	many := len(words) > 10 // only the list of counter types is so long
	return func(text string) (value V, _ misread) {
		i := slices.IndexFunc(words, func(w word[V]) bool { return w.text == text })
		switch {
		case i >= 0:
			return words[i].value, misread{}
		case !many:
			return value, misread{want: "must be one of " + strings.Join(texts(words), ", "), lost: true}
		case text == compositeName:
			return value, misread{want: "must be a type with a documented value", lost: true, kind: compositeType}
		}
		want := "must be the name of a counter type in small letters, such as perf_counter_rawcount"
		if len(text) <= quote.Most {
			want += suggest.DidYouMean(strings.ToLower(text), texts(words))
		}
		return value, misread{want: want, lost: true}
	}
}
