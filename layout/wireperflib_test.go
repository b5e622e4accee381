package layout_test

import "github.com/perfblock/perfblock/layout"

// The records of perflib.h, as its documentation has them.
var perflibWires = []wire{
	{"DataHeader", 48, []wireField{
		{0, "u32", "DwTotalSize"}, {4, "u32", "DwNumCounters"}, {8, "i64", "PerfTimeStamp"}, {16, "i64", "PerfTime100NSec"},
		{24, "i64", "PerfFreq"}, {32, "st", "SystemTime"},
	}, func(s layout.Span) any { return layout.Query{Span: s} }, layout.AppendDataHeader, layout.PutDataHeader},
	{"CounterHeader", 16, []wireField{
		{0, "u32", "DwStatus"}, {4, "u32", "DwType"}, {8, "u32", "DwSize"}, {12, "u32", "Reserved"},
	}, func(s layout.Span) any { return layout.Result{Span: s} }, layout.AppendCounterHeader, layout.PutCounterHeader},
	{"MultiCounters", 8, []wireField{
		{0, "u32", "DwSize"}, {4, "u32", "DwCounters"},
	}, func(s layout.Span) any { return layout.IDs{Span: s} }, layout.AppendMultiCounters, layout.PutMultiCounters},
	{"MultiInstances", 8, []wireField{
		{0, "u32", "DwTotalSize"}, {4, "u32", "DwInstances"},
	}, func(s layout.Span) any { return layout.Instances{Span: s} }, layout.AppendMultiInstances, layout.PutMultiInstances},
	{"InstanceHeader", 8, []wireField{
		{0, "u32", "Size"}, {4, "u32", "InstanceId"},
	}, func(s layout.Span) any { return layout.Named{Span: s} }, layout.AppendInstanceHeader, layout.PutInstanceHeader},
	{"CounterData", 8, []wireField{
		{0, "u32", "DwDataSize"}, {4, "u32", "DwSize"},
	}, func(s layout.Span) any { return layout.Raw{Span: s} }, layout.AppendCounterData, layout.PutCounterData},
	{"CounterIdentifier", 40, []wireField{
		{0, "guid", "CounterSetGuid"}, {16, "u32", "Status"}, {20, "u32", "Size"}, {24, "u32", "CounterId"},
		{28, "u32", "InstanceId"}, {32, "u32", "Index"}, {36, "u32", "Reserved"},
	}, func(s layout.Span) any { return layout.Identifier{Span: s} }, layout.AppendCounterIdentifier, layout.PutCounterIdentifier},
	{"CounterSetRegInfo", 32, []wireField{
		{0, "guid", "CounterSetGuid"}, {16, "u32", "CounterSetType"}, {20, "u32", "DetailLevel"}, {24, "u32", "NumCounters"},
		{28, "u32", "InstanceType"},
	}, func(s layout.Span) any { return layout.RegSet{Span: s} }, layout.AppendCounterSetRegInfo, layout.PutCounterSetRegInfo},
	{"CounterRegInfo", 48, []wireField{
		{0, "u32", "CounterId"}, {4, "u32", "Type"}, {8, "u64", "Attrib"}, {16, "u32", "DetailLevel"},
		{20, "i32", "DefaultScale"}, {24, "u32", "BaseCounterId"}, {28, "u32", "PerfTimeId"}, {32, "u32", "PerfFreqId"},
		{36, "u32", "MultiId"}, {40, "u32", "AggregateFunc"}, {44, "u32", "Reserved"},
	}, func(s layout.Span) any { return layout.RegCounter{Span: s} }, layout.AppendCounterRegInfo, layout.PutCounterRegInfo},
	{"StringBufferHeader", 8, []wireField{
		{0, "u32", "DwSize"}, {4, "u32", "DwCounters"},
	}, func(s layout.Span) any { return layout.Strings{Span: s} }, layout.AppendStringBufferHeader, layout.PutStringBufferHeader},
	{"StringCounterHeader", 8, []wireField{
		{0, "u32", "DwCounterId"}, {4, "u32", "DwOffset"},
	}, func(s layout.Span) any { return layout.StringEntry{Span: s} }, layout.AppendStringCounterHeader, layout.PutStringCounterHeader},
	{"CounterSetInfo", 40, []wireField{
		{0, "guid", "CounterSetGuid"}, {16, "guid", "ProviderGuid"}, {32, "u32", "NumCounters"}, {36, "u32", "InstanceType"},
	}, func(s layout.Span) any { return layout.SetTemplate{Span: s} }, layout.AppendCounterSetInfo, layout.PutCounterSetInfo},
	{"CounterInfo", 32, []wireField{
		{0, "u32", "CounterId"}, {4, "u32", "Type"}, {8, "u64", "Attrib"}, {16, "u32", "Size"},
		{20, "u32", "DetailLevel"}, {24, "i32", "Scale"}, {28, "u32", "Offset"},
	}, func(s layout.Span) any { return layout.TemplateCounter{Span: s} }, layout.AppendCounterInfo, layout.PutCounterInfo},
	{"CounterSetInstance", 32, []wireField{
		{0, "guid", "CounterSetGuid"}, {16, "u32", "DwSize"}, {20, "u32", "InstanceId"}, {24, "u32", "InstanceNameOffset"},
		{28, "u32", "InstanceNameSize"},
	}, func(s layout.Span) any { return layout.SetInstance{Span: s} }, layout.AppendCounterSetInstance, layout.PutCounterSetInstance},
	{"CounterIdentity", 40, []wireField{
		{0, "guid", "CounterSetGuid"}, {16, "u32", "BufferSize"}, {20, "u32", "CounterId"}, {24, "u32", "InstanceId"},
		{28, "u32", "MachineOffset"}, {32, "u32", "NameOffset"}, {36, "u32", "Reserved"},
	}, func(s layout.Span) any { return layout.Identity{Span: s} }, layout.AppendCounterIdentity, layout.PutCounterIdentity},
}
