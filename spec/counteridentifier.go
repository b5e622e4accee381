package spec

import (
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/layout"
)

// identifiersMapping has the keys of a text of kind identifiers.
var identifiersMapping = form.Mapping[builder.Identifiers]{
	What: "a block of kind identifiers",
	Doc:  "The identifiers that PerfAddCounters and PerfDeleteCounters take, and that PerfQueryCounterInfo returns.",
	Keys: []form.Key[builder.Identifiers]{
		{Name: "identifiers", Form: form.BracedList("identifiers", &identifierMapping), Required: true, Doc: "The identifiers. [] is a block without identifiers.", Field: func(l *builder.Identifiers) any { return (*[]builder.CounterIdentifier)(l) }},
	},
}

// identifierSizeDoc is the description of the key Size. An identifier with a name has at least
// 8 bytes more than the structure, even if the name is empty.
var identifierSizeDoc = fmt.Sprintf("Default: the size that the name requires, and %d without a name. A larger size must be a multiple of 8. An identifier of at least %d bytes has a name, which may be empty.",
	layout.PERF_COUNTER_IDENTIFIER.Size, layout.PERF_COUNTER_IDENTIFIER.Size+8)

var identifierMapping = form.Mapping[builder.CounterIdentifier]{
	Name: "identifier", What: "an identifier", Record: &layout.PERF_COUNTER_IDENTIFIER,
	Doc: "Selects counters of instances of a counter set for a query. A PERF_COUNTER_IDENTIFIER.",
	Keys: []form.Key[builder.CounterIdentifier]{
		{Name: "CounterSetGuid", Form: form.GUID, Required: true, Field: func(id *builder.CounterIdentifier) any { return &id.CounterSetGuid }},
		{Name: "Status", Form: statusForm, Field: func(id *builder.CounterIdentifier) any { return form.Num(&id.Status) }},
		{Name: "Size", Form: dwordForm, OwnDoc: true, Doc: identifierSizeDoc, Field: func(id *builder.CounterIdentifier) any { return form.Num(&id.Size) }},
		{Name: "CounterId", Form: counterIDForm, Field: func(id *builder.CounterIdentifier) any { return form.Num(&id.CounterId) }},
		{Name: "InstanceId", Form: instanceIDForm, OwnDoc: true, Doc: "`any` is 0xffffffff, which selects instances of any id.", Field: func(id *builder.CounterIdentifier) any { return form.Num(&id.InstanceId) }},
		{Name: "Index", Form: dwordForm, Field: func(id *builder.CounterIdentifier) any { return form.Num(&id.Index) }},
		{Name: "name", Form: form.Text, Doc: "The name of an instance, or a pattern such as *. Default: no name, as for a counter set with a single instance.", Field: func(id *builder.CounterIdentifier) any { return &id.Name }},
	},
}
