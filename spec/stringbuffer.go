package spec

import (
	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// stringsMapping has the keys of a text of kind strings.
var stringsMapping = mapping[builder.StringBuffer]{
	what: "a block of kind strings", record: &layout.PERF_STRING_BUFFER_HEADER,
	doc: "The names or help texts of a counter set's counters, as PerfQueryCounterSetRegistrationInfo returns them.",
	keys: []key[builder.StringBuffer]{
		{name: "fromEntries", form: flagForm, doc: "Whether offsets count from the end of the entries, as in MS-PCQ, and not from the start of the buffer, as in Windows.", field: func(s *builder.StringBuffer) any { return &s.FromEntries }},
		{name: "strings", form: listForm("strings", &stringMapping), required: true, doc: "The counters with their texts. [] is a block without strings.", field: func(s *builder.StringBuffer) any { return &s.Entries }},
	},
}

var stringMapping = mapping[builder.StringCounter]{
	name: "string", what: "a string", record: &layout.PERF_STRING_COUNTER_HEADER,
	doc: "A counter with its text, a PERF_STRING_COUNTER_HEADER.",
	keys: []key[builder.StringCounter]{
		{name: "CounterId", form: dwordForm, doc: "The counter.", field: func(e *builder.StringCounter) any { return num(&e.CounterId) }},
		{name: "text", form: textForm, doc: "The text. Default: an empty text.", field: func(e *builder.StringCounter) any { return &e.Text }},
		{name: "none", form: flagForm, doc: "Whether the counter has no text, not even an empty one.", field: func(e *builder.StringCounter) any { return &e.None }},
	},
}

// regStringMapping has the keys of a text of kind reg-string.
var regStringMapping = mapping[builder.RegString]{
	what: "a block of kind reg-string",
	doc:  "A name or help text of a counter set, or the name of its provider, as PerfQueryCounterSetRegistrationInfo returns it.",
	keys: []key[builder.RegString]{
		{name: "text", form: textForm, required: true, doc: "The text.", field: func(s *builder.RegString) any { return (*string)(s) }},
	},
}

// regGUIDMapping has the keys of a text of kind reg-guid.
var regGUIDMapping = mapping[builder.RegGUID]{
	what: "a block of kind reg-guid",
	doc:  "The GUID of a counter set's provider, as PerfQueryCounterSetRegistrationInfo returns it.",
	keys: []key[builder.RegGUID]{
		{name: "guid", form: guidForm, required: true, doc: "The GUID.", field: func(g *builder.RegGUID) any { return (*layout.GUID)(g) }},
	},
}

// guidsMapping has the keys of a text of kind guids.
var guidsMapping = mapping[builder.GUIDs]{
	what: "a block of kind guids",
	doc:  "The GUIDs of the counter sets of a system, as PerfEnumerateCounterSet returns them.",
	keys: []key[builder.GUIDs]{
		{name: "guids", form: guidsForm, required: true, doc: "The GUIDs. [] is a block without GUIDs.", field: func(l *builder.GUIDs) any { return l }},
	},
}

var guidsForm = &form{
	name:   "list of GUIDs",
	schema: listSchema(guidForm.schema),
	read: func(n *yaml.Node, to any) error {
		list := to.(*builder.GUIDs)
		return readEach(n, func(_ int, n *yaml.Node) error {
			var id layout.GUID
			err := guidForm.read(n, &id)
			*list = append(*list, id)
			return yamltext.Under("guids", n, err)
		})
	},
	zero: func(from any) bool { return len(*from.(*builder.GUIDs)) == 0 },
	write: func(w *writer, from any, indent string) error {
		list := *from.(*builder.GUIDs)
		if len(list) == 0 {
			w.add(" []")
		}
		return writeEach(w, len(list), indent, "GUID", func(i int) error {
			w.addf("%q", list[i])
			return nil
		})
	},
}
