package wire_test

import (
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// winperfRecords has the records of winperf.h, copied from the documentation.
var winperfRecords = []record{
	{"DataBlock", 88, []member{
		{0, "w4", "Signature"}, {8, "u32", "LittleEndian"}, {12, "u32", "Version"}, {16, "u32", "Revision"},
		{20, "u32", "TotalByteLength"}, {24, "u32", "HeaderLength"}, {28, "u32", "NumObjectTypes"}, {32, "i32", "DefaultObject"},
		{36, "st", "SystemTime"}, {52, "u32", "Padding"}, {56, "i64", "PerfTime"}, {64, "i64", "PerfFreq"},
		{72, "i64", "PerfTime100nSec"}, {80, "u32", "SystemNameLength"}, {84, "u32", "SystemNameOffset"},
	}, func(s layout.Span) any { return layout.DataBlock{Span: s} }, wire.GetDataBlock},
	{"ObjectType", 64, []member{
		{0, "u32", "TotalByteLength"}, {4, "u32", "DefinitionLength"}, {8, "u32", "HeaderLength"}, {12, "u32", "ObjectNameTitleIndex"},
		{16, "u32", "ObjectNameTitle"}, {20, "u32", "ObjectHelpTitleIndex"}, {24, "u32", "ObjectHelpTitle"}, {28, "u32", "DetailLevel"},
		{32, "u32", "NumCounters"}, {36, "i32", "DefaultCounter"}, {40, "i32", "NumInstances"}, {44, "u32", "CodePage"},
		{48, "i64", "PerfTime"}, {56, "i64", "PerfFreq"},
	}, func(s layout.Span) any { return layout.Object{Span: s} }, wire.GetObjectType},
	{"CounterDefinition", 40, []member{
		{0, "u32", "ByteLength"}, {4, "u32", "CounterNameTitleIndex"}, {8, "u32", "CounterNameTitle"}, {12, "u32", "CounterHelpTitleIndex"},
		{16, "u32", "CounterHelpTitle"}, {20, "i32", "DefaultScale"}, {24, "u32", "DetailLevel"}, {28, "u32", "CounterType"},
		{32, "u32", "CounterSize"}, {36, "u32", "CounterOffset"},
	}, func(s layout.Span) any { return layout.Counter{Span: s} }, wire.GetCounterDefinition},
	{"InstanceDefinition", 24, []member{
		{0, "u32", "ByteLength"}, {4, "u32", "ParentObjectTitleIndex"}, {8, "u32", "ParentObjectInstance"}, {12, "i32", "UniqueID"},
		{16, "u32", "NameOffset"}, {20, "u32", "NameLength"},
	}, func(s layout.Span) any { return layout.Instance{Span: s} }, wire.GetInstanceDefinition},
	{"CounterBlock", 4, []member{{0, "u32", "ByteLength"}},
		func(s layout.Span) any { return layout.CounterBlock{Span: s} }, wire.GetCounterBlock},
}
