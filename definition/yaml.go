package definition

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// yamlReader has the limits for a definition in YAML.
var yamlReader = yamltext.Reader{
	What: "a definition", JSON: true,
	MaxBytes: mostText, MaxMarks: 512 << 10,
	MaxDepth: 12, // a valid definition has at most 7 levels
}

// Parse reads a definition in YAML. The text is JSON if file ends in .json or the text begins with a brace. file is a
// name for messages, and Parse does not open it. docs/schema/perfblock-definition.schema.json is the JSON Schema of the
// text.
//
// The error is an [*Error], or wraps several. Causes are a syntax error, an unknown or repeated key, a value of the
// wrong type, a missing key, and a reference to a counter that the set does not have.
func Parse(file string, text []byte) (*Provider, error) {
	report := func(err error) error {
		return yamltext.Report(err, func(f *yamltext.Fault) error { return &Error{file, f.Line, f.Column, f.Err} })
	}
	text, err := yamltext.Decode(text)
	if err != nil {
		return nil, report(err)
	}
	root, err := yamlReader.Load(file, text)
	if f, is := errors.AsType[*yamltext.Fault](err); is && errors.Is(err, yamltext.ErrEmpty) {
		f.Err = fmt.Errorf("%w, a definition requires at least the keys provider and counterSets", f.Err)
	}
	if err != nil {
		return nil, report(err)
	}
	p := &Provider{from: origin{path: file}}
	var faults yamltext.Faults
	faults.Add(providerMapping.Read(root, p))
	unread := len(faults) > 0
	for i := range p.CounterSets {
		if faults.Full() {
			break
		}
		s := &p.CounterSets[i]
		s.moveInline()
		s.setIDs()
		if !unread || s.isNamed() { // otherwise a reference could name a counter whose name could not be read
			faults.Add(s.checkReferences())
		}
	}
	if err := faults.Err(); err != nil {
		return nil, report(err)
	}
	return p, nil
}

// definitionKey matches a key that only definitions have, at the start of a line of YAML or JSON.
var definitionKey = lazy.Regexp(`(?m)^(\{?\s*"counterSets"\s*:|counterSets\s*:|\{?\s*"provider"\s*:\s*"|provider[ \t]*:[ \t]*[^\s#])`)

// isYAML reports whether a text has the key counterSets or provider of a definition.
func isYAML(contents []byte) bool {
	text := yamltext.DecodeDamaged(contents)
	// Most other texts do not have the words, and the search for them is much faster than the expression.
	return (bytes.Contains(text, []byte("counterSets")) || bytes.Contains(text, []byte("provider"))) && definitionKey().Match(text)
}

// AppendYAML appends the definition in YAML to b: the values that are given, always in the same order
// and form. [Parse] of the text returns an equal Provider. On an error AppendYAML returns b unchanged.
func (p *Provider) AppendYAML(b []byte) ([]byte, error) {
	short := *p
	short.CounterSets = make([]CounterSet, len(p.CounterSets))
	for i := range p.CounterSets {
		short.CounterSets[i] = p.CounterSets[i].shortened()
	}
	return providerMapping.Append(b, &short, &yamlReader)
}

// moveInline moves counters from references such as base: {name: Lookups} into the list of counters.
func (s *CounterSet) moveInline() {
	var all []Counter
	for i := range s.Counters {
		c := s.Counters[i]
		var after []Counter
		for _, r := range c.references() {
			if in := *r.inline; in != nil {
				if !in.at.isGiven("type") {
					in.Type = r.wanted
				}
				if !in.at.isGiven("attributes") {
					in.Attributes = layout.PERF_ATTRIB_NO_DISPLAYABLE
				}
				*r.to, *r.inline = in.Name.String(), nil
				after = append(after, *in)
			}
		}
		all = append(append(all, c), after...)
	}
	s.Counters = all
}

// shortened returns a copy of the set without the values that Parse derives, such as ids.
func (s *CounterSet) shortened() CounterSet {
	short := *s
	short.Counters = slices.Clone(s.Counters)
	for i := range short.Counters {
		if c := &short.Counters[i]; !c.at.isGiven("id") {
			c.ID = 0
		}
	}
	numbered := short
	numbered.Counters = slices.Clone(short.Counters)
	numbered.setIDs()
	if !slices.EqualFunc(s.Counters, numbered.Counters, func(a, b Counter) bool { return a.ID == b.ID }) {
		for i := range short.Counters { // setIDs would set other ids, so each id is written
			c := &short.Counters[i]
			c.ID, c.at = s.Counters[i].ID, c.at.withKey("id")
		}
	}
	x := s.index()
	users := make(map[string]int)
	for i := range short.Counters {
		for _, r := range short.Counters[i].references() {
			users[*r.to]++
		}
	}
	// A counter can be written inside the reference of another counter, such as base: {name: Lookups}. The conditions are:
	//   - The only attribute of the inner counter is noDisplay, and it refers to no counter.
	//   - The reference contains the name of the inner counter. No other reference of the set contains this name, and no
	//     counter before the inner one has this name.
	//   - The inner counter directly follows the outer one. Only other inner counters of the outer one can be between them.
	var list []Counter
	for i := 0; i < len(short.Counters); i++ {
		c := short.Counters[i]
		for _, r := range c.references() {
			if i+1 == len(short.Counters) || *r.to == "" || users[*r.to] != 1 {
				continue
			}
			next := short.Counters[i+1]
			if next.Name.String() != *r.to || x.find(*r.to) != i+1 || next.Attributes != layout.PERF_ATTRIB_NO_DISPLAYABLE || next.refers() {
				continue
			}
			if next.Type == r.wanted {
				next.at = next.at.withoutKey("type")
				next.Type = 0
			} else {
				next.at = next.at.withKey("type")
			}
			next.Attributes, next.at = 0, next.at.withoutKey("attributes")
			*r.inline = &next
			i++
		}
		list = append(list, c)
	}
	short.Counters = list
	return short
}

// refers reports whether the counter refers to another counter.
func (c *Counter) refers() bool {
	return c.Base != "" || c.PerfTime != "" || c.PerfFreq != "" || c.Multi != ""
}

// isNamed reports whether each counter of the set has a name.
func (s *CounterSet) isNamed() bool {
	return !slices.ContainsFunc(s.Counters, func(c Counter) bool { return c.Name.IsZero() })
}

// checkReferences returns a fault for each reference by name to a counter that the set does not have.
func (s *CounterSet) checkReferences() error {
	const mostNames = 1000 // the number of names that are compared for a suggestion
	var names []string
	for i := range s.Counters[:min(len(s.Counters), mostNames)] {
		names = append(names, s.Counters[i].Name.String())
	}
	var faults yamltext.Faults
	x := s.index()
	for i := range s.Counters {
		c := &s.Counters[i]
		for _, r := range c.references() {
			if to := *r.to; to == "" || to[0] == '#' || x.find(to) >= 0 || faults.Full() { // lint reports an unknown id
				continue
			}
			message := fmt.Errorf("%s: the set has no counter %s%s; to define a hidden counter with the name, write %s: {name: %s}", r.key, quoted(*r.to), suggest.DidYouMean(*r.to, names), r.key, form.AppendText(nil, *r.to))
			at := c.at.find(r.key)
			faults.Add(&yamltext.Fault{Line: at.line, Column: at.column, Err: message})
		}
	}
	return faults.Err()
}

// placesOf returns the places of the values of a mapping, by key.
func placesOf(n *yaml.Node) places {
	at := places{"": {n.Line, n.Column}}
	for i := 0; i+1 < len(n.Content); i += 2 {
		at[n.Content[i].Value] = place{n.Content[i+1].Line, n.Content[i+1].Column}
	}
	return at
}

// textForm is the form of a [Text]: a text, or a mapping from languages to texts.
var textForm = &form.Form{
	Name:   "text, or {LANGUAGE: text, …} with languages such as en or de-DE",
	Schema: form.AnyOf(form.TextSchema, form.Members{{"type", "object"}, {"additionalProperties", form.TextSchema}}),
	Read: func(n *yaml.Node, to any) (err error) {
		t := to.(*Text)
		if n.Kind != yaml.MappingNode {
			t.Neutral, err = form.ReadText(n)
			return err
		}
		first := make(map[string]*yaml.Node)
		return form.ReadKeys(n, "a text in several languages", func(name, value *yaml.Node) error {
			if at := first[name.Value]; at != nil {
				return form.Repeated(name, at)
			}
			first[name.Value] = name
			text, err := form.ReadText(value)
			if err != nil {
				return err
			}
			switch name.Value {
			case "neutral":
				t.Neutral = text
			case "string":
				t.ID = text
			default:
				if !languageForm().MatchString(name.Value) {
					return yamltext.On(name, "%s is not a language; write a tag such as en or de-DE, or a number in hexadecimal such as 009", quoted(name.Value))
				}
				if t.Languages == nil {
					t.Languages = make(map[string]string)
				}
				t.Languages[name.Value] = text
			}
			return nil
		})
	},
	Zero: func(from any) bool { return from.(*Text).IsZero() },
	Write: func(w *form.Writer, from any, indent string) error {
		t := from.(*Text)
		if t.ID == "" && len(t.Languages) == 0 {
			return form.Text.Write(w, &t.Neutral, indent)
		}
		w.Add(" {")
		n := 0
		add := func(key, text string) {
			w.Comma(n)
			n++
			w.B = form.AppendText(append(form.AppendText(w.B, key), ": "...), text)
		}
		if t.ID != "" {
			add("string", t.ID)
		}
		if t.Neutral != "" {
			add("neutral", t.Neutral)
		}
		for _, tag := range t.tags() {
			add(tag, t.Languages[tag])
		}
		w.Add("}")
		return nil
	},
}

// typeForm is the form of a counter type: its name in winperf.h. The name is in capitals, or in small letters as in
// manifests.
var typeForm = form.Bits("a counter type", "a name of winperf.h", form.EnumSchema(typeNames()...), func(s string) (layout.CounterType, error) {
	t, err := layout.ParseCounterType(strings.ToUpper(s))
	if err != nil {
		hint := suggest.Key(strings.ToUpper(s), typeNames())
		if hint == "" {
			hint = ", must be a name of winperf.h such as PERF_COUNTER_RAWCOUNT"
		}
		return 0, layout.Faultf(layout.ErrRange, "%s is not a counter type%s", quoted(s), hint)
	}
	return t, nil
})

func typeNames() []string {
	var names []string
	for t := range layout.CounterTypes() {
		names = append(names, t.String())
	}
	return names
}
