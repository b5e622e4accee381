package spec

import (
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// identifiersMapping has the keys of a text of kind identifiers.
var identifiersMapping = mapping[builder.Identifiers]{
	what: "a block of kind identifiers",
	doc:  "The identifiers that PerfAddCounters and PerfDeleteCounters take, and that PerfQueryCounterInfo returns.",
	keys: []key[builder.Identifiers]{
		{name: "identifiers", form: listForm("identifiers", &identifierMapping), required: true, doc: "The identifiers. [] is a block without identifiers.", field: func(l *builder.Identifiers) any { return (*[]builder.CounterIdentifier)(l) }},
	},
}

// identifierSizeDoc is the description of the key Size. An identifier with a name has at least
// 8 bytes more than the structure, even if the name is empty.
var identifierSizeDoc = fmt.Sprintf("Default: the size that the name requires, and %d without a name. A larger size must be a multiple of 8. An identifier of at least %d bytes has a name, which may be empty.",
	layout.PERF_COUNTER_IDENTIFIER.Size, layout.PERF_COUNTER_IDENTIFIER.Size+8)

var identifierMapping = mapping[builder.CounterIdentifier]{
	name: "identifier", what: "an identifier", record: &layout.PERF_COUNTER_IDENTIFIER,
	doc: "Selects counters of instances of a counter set for a query. A PERF_COUNTER_IDENTIFIER.",
	keys: []key[builder.CounterIdentifier]{
		{name: "CounterSetGuid", form: guidForm, required: true, field: func(id *builder.CounterIdentifier) any { return &id.CounterSetGuid }},
		{name: "Status", form: statusForm, field: func(id *builder.CounterIdentifier) any { return num(&id.Status) }},
		{name: "Size", form: dwordForm, ownDoc: true, doc: identifierSizeDoc, field: func(id *builder.CounterIdentifier) any { return num(&id.Size) }},
		{name: "CounterId", form: counterIDForm, field: func(id *builder.CounterIdentifier) any { return num(&id.CounterId) }},
		{name: "InstanceId", form: instanceIDForm, ownDoc: true, doc: "`any` is 0xffffffff, which selects instances of any id.", field: func(id *builder.CounterIdentifier) any { return num(&id.InstanceId) }},
		{name: "Index", form: dwordForm, field: func(id *builder.CounterIdentifier) any { return num(&id.Index) }},
		{name: "name", form: textForm, doc: "The name of an instance, or a pattern such as *. Default: no name, as for a counter set with a single instance.", field: func(id *builder.CounterIdentifier) any { return &id.Name }},
	},
}
