package spec

import (
	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

var stringsMapping = form.Mapping[builder.StringBuffer]{
	What: "a block of kind strings", Record: &layout.PERF_STRING_BUFFER_HEADER,
	Doc: "The names or help texts of a counter set's counters, as PerfQueryCounterSetRegistrationInfo returns them.",
	Keys: []form.Key[builder.StringBuffer]{
		{Name: "fromEntries", Form: form.Boolean, Doc: "Whether offsets count from the end of the entries, as in MS-PCQ, and not from the start of the buffer, as in Windows.", Field: func(s *builder.StringBuffer) any { return &s.FromEntries }},
		{Name: "strings", Form: form.BracedList("strings", &stringMapping), Required: true, Doc: "The counters with their texts. [] is a block without strings.", Field: func(s *builder.StringBuffer) any { return &s.Entries }},
	},
}

var stringMapping = form.Mapping[builder.StringCounter]{
	Name: "string", What: "a string", Record: &layout.PERF_STRING_COUNTER_HEADER,
	Doc: "A counter with its text, a PERF_STRING_COUNTER_HEADER.",
	Keys: []form.Key[builder.StringCounter]{
		{Name: "CounterId", Form: dwordForm, Doc: "The counter.", Field: func(e *builder.StringCounter) any { return form.Num(&e.CounterId) }},
		{Name: "text", Form: form.Text, Doc: "The text. Default: an empty text.", Field: func(e *builder.StringCounter) any { return &e.Text }},
		{Name: "none", Form: form.Boolean, Doc: "Whether the counter has no text, not even an empty one.", Field: func(e *builder.StringCounter) any { return &e.None }},
	},
}

var regStringMapping = form.Mapping[builder.RegString]{
	What: "a block of kind reg-string",
	Doc:  "A name or help text of a counter set, or the name of its provider, as PerfQueryCounterSetRegistrationInfo returns it.",
	Keys: []form.Key[builder.RegString]{
		{Name: "text", Form: form.Text, Required: true, Doc: "The text.", Field: func(s *builder.RegString) any { return (*string)(s) }},
	},
}

var regGUIDMapping = form.Mapping[builder.RegGUID]{
	What: "a block of kind reg-guid",
	Doc:  "The GUID of a counter set's provider, as PerfQueryCounterSetRegistrationInfo returns it.",
	Keys: []form.Key[builder.RegGUID]{
		{Name: "guid", Form: form.GUID, Required: true, Doc: "The GUID.", Field: func(g *builder.RegGUID) any { return (*layout.GUID)(g) }},
	},
}

var guidsMapping = form.Mapping[builder.GUIDs]{
	What: "a block of kind guids",
	Doc:  "The GUIDs of the counter sets of a system, as PerfEnumerateCounterSet returns them.",
	Keys: []form.Key[builder.GUIDs]{
		{Name: "guids", Form: guidsForm, Required: true, Doc: "The GUIDs. [] is a block without GUIDs.", Field: func(l *builder.GUIDs) any { return l }},
	},
}

var guidsForm = &form.Form{
	Name:   "list of GUIDs",
	Schema: form.ListSchema(form.GUID.Schema),
	Read: func(n *yaml.Node, to any) error {
		list := to.(*builder.GUIDs)
		return form.ReadEach(n, func(_ int, n *yaml.Node) error {
			var id layout.GUID
			err := form.GUID.Read(n, &id)
			*list = append(*list, id)
			return yamltext.Under("guids", n, err)
		})
	},
	Zero: func(from any) bool { return len(*from.(*builder.GUIDs)) == 0 },
	Write: func(w *form.Writer, from any, indent string) error {
		list := *from.(*builder.GUIDs)
		return form.WriteEach(w, len(list), indent, "GUID", func(i int) error {
			w.Addf("%q", list[i])
			return nil
		})
	},
}
