package main

import "github.com/perfblock/perfblock/layout"

const (
	nameLabel  = "name, NUL, padding to 8"
	valueLabel = "value, padding to 8"
)

// The documentation has a picture for each type of query result. headerBand is the first line of such a picture, and
// headerEnd is the last line.
var (
	headerBand = band{0, sized(layout.PERF_COUNTER_HEADER), ""}
	headerEnd  = band{0, "", "dwSize of the result"}
)

var queryData = section{
	title: "Query data",
	text: `One result for each counter or counter set of the query, in the order of the Index that PerfQueryCounterInfo returns. The data ends at
dwTotalSize; the buffer is often larger.`,
	forms: []form{
		{"", []band{
			{0, sized(layout.PERF_DATA_HEADER), ""},
			{1, sized(layout.PERF_COUNTER_HEADER), ""},
			{1, "data, its format by dwType", "dwSize of the result"},
			{0, "… dwNumCounters of them", "dwTotalSize of the query data"},
		}},
		{"PERF_ERROR_RETURN, 0: dwStatus is the error, and nothing follows.", []band{headerBand, headerEnd}},
		{"PERF_SINGLE_COUNTER, 1: one value.", []band{
			headerBand,
			{1, sized(layout.PERF_COUNTER_DATA), ""},
			{1, valueLabel, "dwSize of the value"},
			headerEnd,
		}},
		{"PERF_MULTIPLE_COUNTERS, 2: the ids of the counters, and then a value for each id, in the same order.", []band{
			headerBand,
			{1, sized(layout.PERF_MULTI_COUNTERS), ""},
			{1, "ids of 4 bytes, dwCounters of them", ""},
			{1, "padding to 8", "dwSize of the ids"},
			{1, sized(layout.PERF_COUNTER_DATA), ""},
			{1, valueLabel, "dwSize of the value"},
			{0, "… dwCounters of them", ""},
			headerEnd,
		}},
		{"PERF_MULTIPLE_INSTANCES, 4: instances with one value each.", []band{
			headerBand,
			{1, sized(layout.PERF_MULTI_INSTANCES), ""},
			{2, sized(layout.PERF_INSTANCE_HEADER), ""},
			{2, nameLabel, "Size of the instance"},
			{2, sized(layout.PERF_COUNTER_DATA), ""},
			{2, valueLabel, "dwSize of the value"},
			{1, "… dwInstances of them", "dwTotalSize of the instances"},
			headerEnd,
		}},
		{"PERF_COUNTERSET, 6: the ids of the counters, and then instances, each with a value for each id.", []band{
			headerBand,
			{1, sized(layout.PERF_MULTI_COUNTERS), ""},
			{1, "ids of 4 bytes, dwCounters of them", ""},
			{1, "padding to 8", "dwSize of the ids"},
			{1, sized(layout.PERF_MULTI_INSTANCES), ""},
			{2, sized(layout.PERF_INSTANCE_HEADER), ""},
			{2, nameLabel, "Size of the instance"},
			{3, sized(layout.PERF_COUNTER_DATA), ""},
			{3, valueLabel, "dwSize of the value"},
			{2, "… dwCounters of them", ""},
			{1, "… dwInstances of them", "dwTotalSize of the instances"},
			headerEnd,
		}},
	},
	after: `The Size of an instance ends after its name and does not include its values. If the number of ids is odd, the documentation does not state
clearly whether their dwSize includes the 4 bytes of padding. A reader has to find out from the data after them.`,
}

var perflibSections = []section{
	queryData,
	{
		title: "Instances",
		text:  `The instances of a counter set, one after the other to the end of the buffer.`,
		forms: []form{{"", []band{
			{0, sized(layout.PERF_INSTANCE_HEADER), ""},
			{0, nameLabel, "Size of the instance"},
		}}},
	},
	{
		title: "Identifiers",
		text: `The identifiers of counters and counter sets, one after the other to the end of the buffer. A program adds them to a query or deletes them from
it, or asks for those that the query contains. For a counter set with a single instance the identifier ends after its structure. For a counter
set with several instances, the name of the instance follows, which may contain the wildcards * and ?.`,
		forms: []form{{"", []band{
			{0, sized(layout.PERF_COUNTER_IDENTIFIER), ""},
			{0, "name, NUL, padding to 8; or nothing", "Size of the identifier"},
		}}},
	},
	{
		title: "Registration",
		text:  `The registration of a counter set. The request code selects the buffer.`,
		forms: []form{{"", []band{
			{0, sized(layout.PERF_COUNTERSET_REG_INFO), ""},
			{1, sized(layout.PERF_COUNTER_REG_INFO), ""},
			{0, "… NumCounters of them", "the end of the buffer"},
		}}},
		after: `| request | buffer |
|---|---|
| 1, PERF_REG_COUNTERSET_STRUCT | as above |
| 2, PERF_REG_COUNTER_STRUCT | one PERF_COUNTER_REG_INFO |
| 3, 4, 7, 9: name and help text of the set, name of the provider, English name of the set | a string and its NUL |
| 5, 6, 10: names and help texts of the counters, their English names | [strings](#strings) |
| 8, PERF_REG_PROVIDER_GUID | one GUID |`,
	},
	{
		title: "Strings",
		text:  `The names or help texts of a counter set's counters.`,
		forms: []form{{"", []band{
			{0, sized(layout.PERF_STRING_BUFFER_HEADER), ""},
			{1, sized(layout.PERF_STRING_COUNTER_HEADER), ""},
			{0, "… dwCounters of them", "least dwOffset"},
			{0, "strings, each with its NUL, padding to 8", "dwSize of the strings"},
		}}},
		after: `dwOffset counts from the start of the buffer, in the reference pages of ` + "`perflib.h`" + ` and in consumers. In MS-PCQ it counts from the end
of the entries.`,
	},
	{
		title: "Template",
		text:  `The counter set of a provider.`,
		forms: []form{{"", []band{
			{0, sized(layout.PERF_COUNTERSET_INFO), ""},
			{1, sized(layout.PERF_COUNTER_INFO), ""},
			{0, "… NumCounters of them", "the end of the buffer"},
		}}},
	},
	{
		title: "Instance block",
		text:  `The values of an instance in a provider. There are no ids: the counters are in the order of the template.`,
		forms: []form{{"", []band{
			{0, sized(layout.PERF_COUNTERSET_INSTANCE), ""},
			{0, "8 bytes for each counter: value or address", "InstanceNameOffset"},
			{0, "name, NUL", "InstanceNameOffset + InstanceNameSize"},
			{0, "padding to 8", "dwSize of the instance"},
		}}},
	},
	{
		title: "Identity",
		text:  `The counter that is added or removed, for a provider's callback. It follows a WNODE_HEADER.`,
		forms: []form{{"", []band{
			{0, sized(layout.PERF_COUNTER_IDENTITY), ""},
			{0, "name of the computer, NUL", ""},
			{0, "name of the instance, NUL", "BufferSize of the identity"},
		}}},
		after: `MachineOffset and NameOffset are the offsets of the two names.`,
	},
}
