package fuzz_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A legalChange is a way in which a field can have another value that is as good as the
// one before, or as bad.
type legalChange struct {
	name    string
	reason  string
	fields  string // with spaces between them, each with its record in C; "" for all in carried
	is      func(f *flip) bool
	fewer   bool                              // records are not read any more, or others are
	carries string                            // what of the model is another, where it is not what its field has in carried
	becomes func(*flip) *builder.StringBuffer // what the model is then, where it is not told by what is carried
}

func (c *legalChange) of(field string) bool {
	return c.fields == "" && carried[field] != "" || slices.Contains(strings.Fields(c.fields), field)
}

const (
	nameTitles = "PERF_OBJECT_TYPE.ObjectNameTitleIndex PERF_COUNTER_DEFINITION.CounterNameTitleIndex"
	helpTitles = "PERF_OBJECT_TYPE.ObjectHelpTitleIndex PERF_COUNTER_DEFINITION.CounterHelpTitleIndex"
	types      = "PERF_COUNTER_REG_INFO.Type PERF_COUNTER_INFO.Type"
	attribs    = "PERF_COUNTER_REG_INFO.Attrib PERF_COUNTER_INFO.Attrib"
)

// legalChanges are all there are. The first that fits is it.
var legalChanges = []legalChange{
	{
		name: "mended as a text", reason: "the type had a finding, and has a value now that gives none; what was read as a number is a text, or the reverse",
		fields: "PERF_COUNTER_DEFINITION.CounterType",
		is: func(f *flip) bool {
			text := func(t uint64) bool { return layout.CounterType(t).Size() == layout.PERF_SIZE_VARIABLE_LEN }
			return f.mended() && text(f.was) != text(f.is)
		},
		carries: "CounterType CounterSize Values Texts Texts[*] Instances[*].Values Instances[*].Texts Instances[*].Texts[*]",
	},
	{
		name: "mended for all", reason: "one offset alone told that all count from behind the last entry, and they are as good if they count from the start",
		fields: "PERF_STRING_COUNTER_HEADER.dwOffset", becomes: (*flip).fromStart,
		is: func(f *flip) bool { return f.mended() && f.model.(*builder.StringBuffer).FromEntries },
	},
	{
		name: "mended", reason: "the field had a finding, and has a value now that gives none",
		is: (*flip).mended,
	},
	{
		name: "another name", reason: "the title is another, as good as the first, and the help text's index did not follow it before either",
		fields: nameTitles,
		is: func(f *flip) bool {
			help := map[string]string{"ObjectNameTitleIndex": "ObjectHelpTitleIndex", "CounterNameTitleIndex": "CounterHelpTitleIndex"}[f.part.Field.Name]
			return f.is != 0 && f.is%2 == 0 && uint32(f.other(help)) != uint32(f.was+1)
		},
	},
	{
		name: "another parent", reason: "the parent's object may be one of another provider, which is not here, or is another that is",
		fields: "PERF_INSTANCE_DEFINITION.ParentObjectTitleIndex",
		is:     func(f *flip) bool { return f.kind == layout.ObjectsKind || f.titled(f.is) },
	},
	{
		name: "level of a base", reason: "a base is not shown, whatever its level",
		fields: "PERF_COUNTER_DEFINITION.DetailLevel",
		is:     func(f *flip) bool { return layout.CounterType(f.other("CounterType")).IsBase() },
	},
	{
		name: "name of a base", reason: "the base's help text was not that of its counter, and is not now",
		fields: "PERF_COUNTER_DEFINITION.CounterNameTitleIndex",
		is:     func(f *flip) bool { return f.stands("ctr-base-titles", "CounterHelpTitleIndex") },
	},
	{
		name: "another help text", reason: "the counter or object has no name that its help text's index could follow",
		fields: helpTitles,
		is: func(f *flip) bool {
			name := f.other("CounterNameTitleIndex") + f.other("ObjectNameTitleIndex")
			return f.is%2 == 1 && (name == 0 || name%2 == 1)
		},
	},
	{
		name: "another type", reason: "values of the new type are of the same size, and it needs no other base",
		fields: "PERF_COUNTER_DEFINITION.CounterType",
		is:     func(f *flip) bool { return exchangeable(layout.CounterType(f.was), layout.CounterType(f.is)) },
	},
	{
		name: "another type of a set", reason: "it is one that winperf.h names, and what else is said of the counter goes with it",
		fields: types,
		is:     func(f *flip) bool { return layout.CounterType(f.is).Predefined() },
	},
	{
		name: "offset without a block", reason: "the object has no counter block in which the value would stand",
		fields: "PERF_COUNTER_DEFINITION.CounterOffset",
		is:     func(f *flip) bool { return f.blockLength() == 0 },
	},
	{
		name: "offset of no value", reason: "the counter has a value of no bytes",
		fields: "PERF_COUNTER_DEFINITION.CounterOffset",
		is:     func(f *flip) bool { return f.other("CounterSize") == 0 },
	},
	{
		name: "place of another counter", reason: "several counters may have one place",
		fields: "PERF_COUNTER_DEFINITION.CounterOffset",
		is:     func(f *flip) bool { return f.placed() && f.sharers() > 0 },
	},
	{
		name: "place of no counter", reason: "a counter's value may stand wherever no other's does",
		fields: "PERF_COUNTER_DEFINITION.CounterOffset",
		is:     func(f *flip) bool { return f.placed() && f.sharers() == 0 },
	},
	{
		name: "room of a text", reason: "how long a text is stands in the block, where it starts",
		fields: "PERF_COUNTER_DEFINITION.CounterSize",
		is: func(f *flip) bool {
			return layout.CounterType(f.other("CounterType")).Size() == layout.PERF_SIZE_VARIABLE_LEN
		},
	},
	{
		name: "offset of no name", reason: "a name of length 0 stands nowhere",
		fields: "PERF_DATA_BLOCK.SystemNameOffset PERF_INSTANCE_DEFINITION.NameOffset",
		is:     func(f *flip) bool { return f.other("SystemNameLength")+f.other("NameLength") == 0 },
	},
	{
		name: "no system name", reason: "a block may have none, and no page speaks of the bytes between the header and the first object",
		fields: "PERF_DATA_BLOCK.SystemNameLength",
		is:     func(f *flip) bool { return f.is == 0 },
	},
	{
		name: "another error", reason: "it is one that Windows gives",
		fields: "PERF_COUNTER_HEADER.dwStatus",
		is:     func(f *flip) bool { return f.other("dwType") == 0 && slices.Contains(windowsErrors, f.is) },
	},
	{
		name: "status of any role", reason: "what was given has none and what was returned may have any, and it is not known which this is",
		fields: "PERF_COUNTER_IDENTIFIER.Status",
		is:     func(f *flip) bool { return f.ctx.Role == validate.AnyRole },
	},
	{
		name: "another sum", reason: "values may be summed up in each of the five ways",
		fields: "PERF_COUNTER_REG_INFO.AggregateFunc",
		is:     func(f *flip) bool { return f.is <= 4 },
	},
	{
		name: "another instance type", reason: "a counter set may be of each of the six",
		fields: "PERF_COUNTERSET_REG_INFO.InstanceType PERF_COUNTERSET_INFO.InstanceType",
		is:     func(f *flip) bool { return slices.Contains([]uint64{0, 2, 4, 6, 12, 22}, f.is) },
	},
	{
		name: "shown otherwise", reason: "the attributes that there are go together in each of these ways",
		fields: attribs,
		is: func(f *flip) bool {
			const noDisplay, others, hex, numbers = 2, 4 | 8 | 16, 16, 4 | 8
			return f.is < 32 && (f.is&noDisplay == 0 || f.is&others == 0) && (f.is&hex == 0 || f.is&numbers == 0)
		},
	},
	{
		name: "size of no number", reason: "the type does not say how long its values are",
		fields: "PERF_COUNTER_INFO.Size",
		is: func(f *flip) bool {
			n, _ := layout.CounterType(f.other("Type")).Width()
			return n == 0
		},
	},
	{
		name: "another text", reason: "a text may start inside another, and be that of several counters",
		fields: "PERF_STRING_COUNTER_HEADER.dwOffset",
		is: func(f *flip) bool {
			at, texts := int64(f.is), int64(8+8*f.header("dwCounters"))
			if f.model.(*builder.StringBuffer).FromEntries {
				at += texts
			}
			return at >= texts && at < f.header("dwSize")
		},
	},
	{
		name: "entries as texts", reason: "offsets count from behind the last entry, and where another number is counted, entries are as good texts, or texts entries",
		fields: "PERF_STRING_BUFFER_HEADER.dwCounters", fewer: true, becomes: (*flip).rebased,
		is: func(f *flip) bool { return f.model.(*builder.StringBuffer).FromEntries },
	},
}

// windowsErrors are those that the functions are known to give.
var windowsErrors = []uint64{3, 5, 8, 14, 87, 183, 232, 1168, 1450, 4200, 4201, 4202, 4211}

// carried has, for each field that can have another legal value, what of the model is
// another with it: itself, and what the model has only where it is not as computed.
var carried = map[string]string{
	"PERF_OBJECT_TYPE.ObjectNameTitleIndex":           "ObjectNameTitleIndex ObjectHelpTitleIndex NoHelp",
	"PERF_OBJECT_TYPE.ObjectHelpTitleIndex":           "ObjectHelpTitleIndex NoHelp",
	"PERF_OBJECT_TYPE.DetailLevel":                    "DetailLevel",
	"PERF_COUNTER_DEFINITION.CounterNameTitleIndex":   "CounterNameTitleIndex CounterHelpTitleIndex NoHelp",
	"PERF_COUNTER_DEFINITION.CounterHelpTitleIndex":   "CounterHelpTitleIndex NoHelp",
	"PERF_COUNTER_DEFINITION.DetailLevel":             "DetailLevel",
	"PERF_COUNTER_DEFINITION.CounterType":             "CounterType CounterSize PerfTime PerfFreq",
	"PERF_COUNTER_DEFINITION.CounterOffset":           "CounterOffset CounterSize Counters[*].CounterOffset BlockLength Values Instances[*].Values Texts[*] Instances[*].Texts[*]",
	"PERF_COUNTER_DEFINITION.CounterSize":             "CounterSize CounterOffset Counters[*].CounterOffset BlockLength Texts[*] Instances[*].Texts[*]",
	"PERF_INSTANCE_DEFINITION.NameOffset":             "NameOffset Name ByteLength DuplicateNames",
	"PERF_INSTANCE_DEFINITION.ParentObjectTitleIndex": "ParentObjectTitleIndex DuplicateNames",
	"PERF_DATA_BLOCK.SystemNameOffset":                "SystemNameOffset SystemName HeaderLength",
	"PERF_DATA_BLOCK.SystemNameLength":                "SystemName SystemNameOffset HeaderLength",
	"PERF_COUNTER_HEADER.dwStatus":                    "Status",
	"PERF_COUNTER_DATA.dwDataSize":                    "Bytes Size Values Texts Texts[*] Instances[*].Values Instances[*].Texts Instances[*].Texts[*]",
	"PERF_COUNTER_IDENTIFIER.Status":                  "Status",
	"PERF_COUNTERSET_REG_INFO.InstanceType":           "InstanceType",
	"PERF_COUNTERSET_REG_INFO.DetailLevel":            "DetailLevel",
	"PERF_COUNTER_REG_INFO.Type":                      "Type",
	"PERF_COUNTER_REG_INFO.Attrib":                    "Attrib",
	"PERF_COUNTER_REG_INFO.DetailLevel":               "DetailLevel",
	"PERF_COUNTER_REG_INFO.AggregateFunc":             "AggregateFunc",
	"PERF_STRING_BUFFER_HEADER.dwCounters":            "Entries",
	"PERF_STRING_COUNTER_HEADER.dwOffset":             "Text",
	"PERF_COUNTERSET_INFO.InstanceType":               "InstanceType",
	"PERF_COUNTER_INFO.Type":                          "Type Size",
	"PERF_COUNTER_INFO.Attrib":                        "Attrib",
	"PERF_COUNTER_INFO.DetailLevel":                   "DetailLevel",
	"PERF_COUNTER_INFO.Size":                          "Size",
}

// strays returns in what the damage is more than a change of its class, "" for nothing.
func (f *flip) strays(c *legalChange) string {
	may := strings.Fields(carried[fieldOf(f.part)])
	if c.carries != "" {
		may = strings.Fields(c.carries)
	}
	if c.becomes != nil {
		if d := unlike(c.becomes(f), f.now); d != "" {
			return fmt.Sprintf("it is %q, but the model is another (-want +got):\n%s", c.name, d)
		}
	}
	for _, name := range f.changed {
		if c.becomes == nil && !slices.Contains(may, name) {
			return fmt.Sprintf("it is %q, but %s of the model is another: 0x%x in place of 0x%x, %s", c.name, name, f.is, f.was, f.story())
		}
	}
	switch {
	case f.moved && !c.fewer:
		return fmt.Sprintf("it is %q, but other fields are read", c.name)
	case f.unread != nil && (!errors.Is(f.unread, builder.ErrConflict) || !f.texts()): // of a number in the place of a text there is no model
		return fmt.Sprintf("it is %q, but there is no model: %v", c.name, f.unread)
	}
	return ""
}
