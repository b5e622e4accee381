package wire_test

import (
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// perflibRecords has the records of perflib.h, copied from the documentation.
var perflibRecords = []record{
	{"DataHeader", 48, []member{
		{0, "u32", "DwTotalSize"}, {4, "u32", "DwNumCounters"}, {8, "i64", "PerfTimeStamp"}, {16, "i64", "PerfTime100NSec"},
		{24, "i64", "PerfFreq"}, {32, "st", "SystemTime"},
	}, func(s layout.Span) any { return layout.QueryData{Span: s} }, wire.GetDataHeader},
	{"CounterHeader", 16, []member{
		{0, "u32", "DwStatus"}, {4, "u32", "DwType"}, {8, "u32", "DwSize"}, {12, "u32", "Reserved"},
	}, func(s layout.Span) any { return layout.Result{Span: s} }, wire.GetCounterHeader},
	{"MultiCounters", 8, []member{
		{0, "u32", "DwSize"}, {4, "u32", "DwCounters"},
	}, func(s layout.Span) any { return layout.MultiCounters{Span: s} }, wire.GetMultiCounters},
	{"MultiInstances", 8, []member{
		{0, "u32", "DwTotalSize"}, {4, "u32", "DwInstances"},
	}, func(s layout.Span) any { return layout.MultiInstances{Span: s} }, wire.GetMultiInstances},
	{"InstanceHeader", 8, []member{
		{0, "u32", "Size"}, {4, "u32", "InstanceId"},
	}, func(s layout.Span) any { return layout.InstanceHeader{Span: s} }, wire.GetInstanceHeader},
	{"CounterData", 8, []member{
		{0, "u32", "DwDataSize"}, {4, "u32", "DwSize"},
	}, func(s layout.Span) any { return layout.CounterData{Span: s} }, wire.GetCounterData},
	{"CounterIdentifier", 40, []member{
		{0, "guid", "CounterSetGuid"}, {16, "u32", "Status"}, {20, "u32", "Size"}, {24, "u32", "CounterId"},
		{28, "u32", "InstanceId"}, {32, "u32", "Index"}, {36, "u32", "Reserved"},
	}, func(s layout.Span) any { return layout.CounterIdentifier{Span: s} }, wire.GetCounterIdentifier},
	{"CounterSetRegInfo", 32, []member{
		{0, "guid", "CounterSetGuid"}, {16, "u32", "CounterSetType"}, {20, "u32", "DetailLevel"}, {24, "u32", "NumCounters"},
		{28, "u32", "InstanceType"},
	}, func(s layout.Span) any { return layout.CounterSetRegInfo{Span: s} }, wire.GetCounterSetRegInfo},
	{"CounterRegInfo", 48, []member{
		{0, "u32", "CounterId"}, {4, "u32", "Type"}, {8, "u64", "Attrib"}, {16, "u32", "DetailLevel"},
		{20, "i32", "DefaultScale"}, {24, "u32", "BaseCounterId"}, {28, "u32", "PerfTimeId"}, {32, "u32", "PerfFreqId"},
		{36, "u32", "MultiId"}, {40, "u32", "AggregateFunc"}, {44, "u32", "Reserved"},
	}, func(s layout.Span) any { return layout.CounterRegInfo{Span: s} }, wire.GetCounterRegInfo},
	{"StringBufferHeader", 8, []member{
		{0, "u32", "DwSize"}, {4, "u32", "DwCounters"},
	}, func(s layout.Span) any { return layout.StringBuffer{Span: s} }, wire.GetStringBufferHeader},
	{"StringCounterHeader", 8, []member{
		{0, "u32", "DwCounterId"}, {4, "u32", "DwOffset"},
	}, func(s layout.Span) any { return layout.StringCounter{Span: s} }, wire.GetStringCounterHeader},
	{"CounterSetInfo", 40, []member{
		{0, "guid", "CounterSetGuid"}, {16, "guid", "ProviderGuid"}, {32, "u32", "NumCounters"}, {36, "u32", "InstanceType"},
	}, func(s layout.Span) any { return layout.CounterSetInfo{Span: s} }, wire.GetCounterSetInfo},
	{"CounterInfo", 32, []member{
		{0, "u32", "CounterId"}, {4, "u32", "Type"}, {8, "u64", "Attrib"}, {16, "u32", "Size"},
		{20, "u32", "DetailLevel"}, {24, "i32", "Scale"}, {28, "u32", "Offset"},
	}, func(s layout.Span) any { return layout.CounterInfo{Span: s} }, wire.GetCounterInfo},
	{"CounterSetInstance", 32, []member{
		{0, "guid", "CounterSetGuid"}, {16, "u32", "DwSize"}, {20, "u32", "InstanceId"}, {24, "u32", "InstanceNameOffset"},
		{28, "u32", "InstanceNameSize"},
	}, func(s layout.Span) any { return layout.CounterSetInstance{Span: s} }, wire.GetCounterSetInstance},
	{"CounterIdentity", 40, []member{
		{0, "guid", "CounterSetGuid"}, {16, "u32", "BufferSize"}, {20, "u32", "CounterId"}, {24, "u32", "InstanceId"},
		{28, "u32", "MachineOffset"}, {32, "u32", "NameOffset"}, {36, "u32", "Reserved"},
	}, func(s layout.Span) any { return layout.CounterIdentity{Span: s} }, wire.GetCounterIdentity},
}
