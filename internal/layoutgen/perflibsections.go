package main

import "github.com/perfblock/perfblock/layout"

const (
	nameLabel  = "name, NUL, padding to 8"
	valueLabel = "value, padding to 8"
)

// Where an answer starts and ends.
var (
	headerBand = band{0, sized(layout.PERF_COUNTER_HEADER), ""}
	headerEnd  = band{0, "", "dwSize of the answer"}
)

var queryData = section{
	title: "Query data",
	text: `One answer for each counter or counter set that was added, in the order of the Index that PerfQueryCounterInfo returns. A buffer is often
larger than what is in it: dwTotalSize ends the data.`,
	forms: []form{
		{"", []band{
			{0, sized(layout.PERF_DATA_HEADER), ""},
			{1, sized(layout.PERF_COUNTER_HEADER), ""},
			{1, "what its dwType says", "dwSize of the answer"},
			{0, "… dwNumCounters of them", "dwTotalSize of the query data"},
		}},
		{"PERF_ERROR_RETURN, 0: dwStatus is the error, and nothing follows.", []band{headerBand, headerEnd}},
		{"PERF_SINGLE_COUNTER, 1: one value.", []band{
			headerBand,
			{1, sized(layout.PERF_COUNTER_DATA), ""},
			{1, valueLabel, "dwSize of the value"},
			headerEnd,
		}},
		{"PERF_MULTIPLE_COUNTERS, 2: the ids of the counters, and a value of each, in their order.", []band{
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
		{"PERF_COUNTERSET, 6: the ids, and instances with a value of each.", []band{
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
	after: `The Size of an instance ends behind its name: its values are not in it. Where the number of ids is odd, the documentation can be read both
ways on whether their dwSize counts the 4 bytes of padding; which of the two it is shows in what follows.`,
}

var perflibSections = []section{
	queryData,
	{
		title: "Instances",
		text:  `The instances of a counter set, one behind the other to the end of the buffer.`,
		forms: []form{{"", []band{
			{0, sized(layout.PERF_INSTANCE_HEADER), ""},
			{0, nameLabel, "Size of the instance"},
		}}},
	},
	{
		title: "Identifiers",
		text: `What is added to a query or deleted from it, and what is in it, one behind the other to the end of the buffer. For a counter set of a single
instance the identifier ends behind its structure; for one of several, the name of the instance follows, in which * and ? may stand for
others.`,
		forms: []form{{"", []band{
			{0, sized(layout.PERF_COUNTER_IDENTIFIER), ""},
			{0, "name, NUL, padding to 8; or nothing", "Size of the identifier"},
		}}},
	},
	{
		title: "Registration",
		text:  `What is registered of a counter set. The request says what is asked for.`,
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
			{0, "… dwCounters of them", "dwOffset of the first string, at the least"},
			{0, "strings, each with its NUL, padding to 8", "dwSize of the strings"},
		}}},
		after: `dwOffset counts from the start of the buffer, as the pages of ` + "`perflib.h`" + ` have it and as consumers read it. MS-PCQ has it count from the end
of the entries.`,
	},
	{
		title: "Template",
		text:  `What a provider says of a counter set.`,
		forms: []form{{"", []band{
			{0, sized(layout.PERF_COUNTERSET_INFO), ""},
			{1, sized(layout.PERF_COUNTER_INFO), ""},
			{0, "… NumCounters of them", "the end of the buffer"},
		}}},
	},
	{
		title: "Instance block",
		text:  `Where the values of a provider's instance are kept. It holds no ids: the counters stand in the order of the template.`,
		forms: []form{{"", []band{
			{0, sized(layout.PERF_COUNTERSET_INSTANCE), ""},
			{0, "8 bytes for each counter: value or address", "InstanceNameOffset"},
			{0, "name, NUL", "InstanceNameOffset + InstanceNameSize"},
			{0, "padding to 8", "dwSize of the instance"},
		}}},
	},
	{
		title: "Identity",
		text:  `What a provider's callback is told of a counter that is added or removed, behind a WNODE_HEADER.`,
		forms: []form{{"", []band{
			{0, sized(layout.PERF_COUNTER_IDENTITY), ""},
			{0, "name of the computer, NUL", ""},
			{0, "name of the instance, NUL", "BufferSize of the identity"},
		}}},
		after: `MachineOffset and NameOffset lead to the two names.`,
	},
}
