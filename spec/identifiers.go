package spec

import (
	"fmt"
	"math"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"go.yaml.in/yaml/v4"
)

const guidPattern = `[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}`

var guidForm = &form{
	name:   `GUID such as "{b4fc721a-0378-476f-89ba-a5a79f810b36}"`,
	schema: members{{"type", "string"}, {"pattern", `^(\{` + guidPattern + `\}|` + guidPattern + `)$`}},
	read: func(n *yaml.Node, to any) error {
		if n.Kind == yaml.MappingNode {
			return fmt.Errorf("wants a GUID in quotes, as what stands in braces is a mapping")
		}
		s, err := readText(n)
		if err == nil {
			*to.(*layout.GUID), err = layout.ParseGUID(s)
		}
		return err
	},
	zero: func(from any) bool { return *from.(*layout.GUID) == layout.GUID{} },
	write: func(b []byte, from any, _ string) ([]byte, error) {
		return append(from.(*layout.GUID).Append(append(b, ` "`...)), '"'), nil
	},
}

// oneWord returns the form of a number of 32 bits one of whose values has a name.
func oneWord(value uint32, word string) *form {
	f := named("number, nor "+word, dwordForm, []string{word},
		func(s string) (int64, bool) { return int64(value), s == word },
		func(v int64) string {
			if v == int64(value) {
				return word
			}
			return ""
		})
	f.name = word + ", or a " + dwordForm.name
	return f
}

var (
	counterIDForm  = oneWord(layout.PERF_WILDCARD_COUNTER, "PERF_WILDCARD_COUNTER")
	instanceIDForm = oneWord(math.MaxUint32, "any")
	noneForm       = oneWord(math.MaxUint32, "none") // of a reference in the bytes
)

var identifierMapping = mapping[builder.CounterIdentifier]{
	name: "identifier", what: "an identifier", record: &layout.PERF_COUNTER_IDENTIFIER,
	doc: "What a query asks for: counters of instances of a counter set. A PERF_COUNTER_IDENTIFIER.",
	keys: []key[builder.CounterIdentifier]{
		{name: "CounterSetGuid", form: guidForm, required: true, field: func(id *builder.CounterIdentifier) any { return &id.CounterSetGuid }},
		{name: "Status", form: statusForm, field: func(id *builder.CounterIdentifier) any { return &id.Status }},
		{name: "Size", form: dwordForm, ownDoc: true, doc: "Left out: as long as the name needs, and 40 without one. More is a multiple of 8; of 48 on, a name is there though it is empty.", field: func(id *builder.CounterIdentifier) any { return &id.Size }},
		{name: "CounterId", form: counterIDForm, field: func(id *builder.CounterIdentifier) any { return &id.CounterId }},
		{name: "InstanceId", form: instanceIDForm, ownDoc: true, doc: "`any` is 0xffffffff, which asks for instances of any id.", field: func(id *builder.CounterIdentifier) any { return &id.InstanceId }},
		{name: "Index", form: dwordForm, field: func(id *builder.CounterIdentifier) any { return &id.Index }},
		{name: "name", form: textForm, doc: "The name of an instance, or a pattern such as *. Left out: none, as for a counter set of a single instance.", field: func(id *builder.CounterIdentifier) any { return &id.Name }},
	},
}

// identifiersMapping is the text of a block of kind identifiers.
var identifiersMapping = mapping[builder.Identifiers]{
	what: "a block of kind identifiers",
	doc:  "What PerfAddCounters and PerfDeleteCounters take, and what PerfQueryCounterInfo returns.",
	keys: []key[builder.Identifiers]{
		{name: "identifiers", form: listForm("identifiers", &identifierMapping), required: true, doc: "The identifiers. There may be none: [].", field: func(l *builder.Identifiers) any { return (*[]builder.CounterIdentifier)(l) }},
	},
}
