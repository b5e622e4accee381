package layout

// This file describes the records of winperf.h. After a change, run "go generate ./layout".
//
// The structures are packed at 8 bytes and are the same on 32- and 64-bit Windows. The title members always have 4
// bytes: they are pointers on 32-bit Windows, and DWORDs on 64-bit Windows. A C compiler computes the sizes and offsets
// in internal/cfacts, and a test compares them with the sizes and offsets here.

const reference = "https://learn.microsoft.com/windows/win32/api/winperf/ns-winperf-"

// Winperf lists the records in the order of a block.
var Winperf = []*Record{
	&PERF_DATA_BLOCK, &SYSTEMTIME, &PERF_OBJECT_TYPE, &PERF_COUNTER_DEFINITION, &PERF_INSTANCE_DEFINITION, &PERF_COUNTER_BLOCK,
}

var PERF_DATA_BLOCK = Record{
	C: "PERF_DATA_BLOCK", Size: 88, Align: 8, Name: "DataBlock", View: "DataBlock", Source: reference + "perf_data_block",
	Doc: "is the header of the block that a consumer gets. A provider does not write it.",
	Fields: []Field{
		{At: 0, Type: WChar4, Name: "Signature", Role: Role{Kind: Constant}, Doc: `"PERF" in UTF-16, without a NUL`},
		{At: 8, Type: U32, Name: "LittleEndian", Role: Role{Kind: Enum}, Doc: "1 if integers are little-endian, 0 if they are big-endian"},
		{At: 12, Type: U32, Name: "Version", Role: Role{Kind: Constant}, Doc: "1, PERF_DATA_VERSION"},
		{At: 16, Type: U32, Name: "Revision", Role: Role{Kind: Constant}, Doc: "1, PERF_DATA_REVISION"},
		{At: 20, Type: U32, Name: "TotalByteLength", Role: Role{Length, "the block, header and objects", RecordStart}, Doc: "where the block ends"},
		{At: 24, Type: U32, Name: "HeaderLength", Role: Role{Length, "the header, system name and padding", RecordStart}, Doc: "where the first object starts; a multiple of 8"},
		{At: 28, Type: U32, Name: "NumObjectTypes", Role: Role{Kind: Count, Of: "objects"}, Doc: "may be 0"},
		{At: 32, Type: I32, Name: "DefaultObject", Role: Role{Kind: Plain}, Doc: "title index of the object that a tool shows first; the block may not contain it"},
		{At: 36, Type: Time, Name: "SystemTime", Role: Role{Kind: Plain}, Doc: "when the data was collected, UTC"},
		{At: 52, Type: U32, Name: "Padding", Role: Role{Kind: Padding}, Doc: "aligns PerfTime; not a member in C"},
		{At: 56, Type: I64, Name: "PerfTime", Role: Role{Kind: Plain}, Doc: "high-resolution clock, in ticks"},
		{At: 64, Type: I64, Name: "PerfFreq", Role: Role{Kind: Plain}, Doc: "ticks of PerfTime in a second"},
		{At: 72, Type: I64, Name: "PerfTime100nSec", Role: Role{Kind: Plain}, Doc: "system time in units of 100 ns since 1601-01-01, UTC"},
		{At: 80, Type: U32, Name: "SystemNameLength", Role: Role{Length, "the system name", Nowhere}, Doc: "bytes, with the terminator; 0 for no name"},
		{At: 84, Type: U32, Name: "SystemNameOffset", Role: Role{Offset, "the system name", RecordStart}, Doc: "88 in practice"},
	},
}

var SYSTEMTIME = Record{
	C: "SYSTEMTIME", Size: 16, Align: 2, Name: "SystemTime", In: "SystemTime",
	Source: "https://learn.microsoft.com/windows/win32/api/minwinbase/ns-minwinbase-systemtime",
	Doc:    "is a date and a time of day, to the millisecond.",
	Fields: []Field{
		{At: 0, Type: U16, Name: "wYear", Doc: "1601 to 30827"},
		{At: 2, Type: U16, Name: "wMonth", Doc: "1 to 12"},
		{At: 4, Type: U16, Name: "wDayOfWeek", Doc: "0 (Sunday) to 6"},
		{At: 6, Type: U16, Name: "wDay", Doc: "1 to 31"},
		{At: 8, Type: U16, Name: "wHour", Doc: "0 to 23"},
		{At: 10, Type: U16, Name: "wMinute", Doc: "0 to 59"},
		{At: 12, Type: U16, Name: "wSecond", Doc: "0 to 59"},
		{At: 14, Type: U16, Name: "wMilliseconds", Doc: "0 to 999"},
	},
}

var PERF_OBJECT_TYPE = Record{
	C: "PERF_OBJECT_TYPE", Size: 64, Align: 8, Name: "ObjectType", View: "Object", In: "object", Source: reference + "perf_object_type",
	Doc: "is the header of an object. The counter definitions follow, then the instances or the single counter block.",
	Fields: []Field{
		{At: 0, Type: U32, Name: "TotalByteLength", Role: Role{Length, "the object with its contents", RecordStart}, Doc: "where the next object starts"},
		{At: 4, Type: U32, Name: "DefinitionLength", Role: Role{Length, "the object's header and counter definitions", RecordStart}, Doc: "where the first instance, or the counter block, starts"},
		{At: 8, Type: U32, Name: "HeaderLength", Role: Role{Length, "the object's header", RecordStart}, Doc: "where the first counter definition starts; must be 64"},
		{At: 12, Type: U32, Name: "ObjectNameTitleIndex", Role: Role{Kind: TitleIndex}, Doc: "the object's name, an even number in the title database of Windows"},
		{At: 16, Type: U32, Name: "ObjectNameTitle", Role: Role{Kind: Reserved}, Doc: "0; consumers once kept a pointer here"},
		{At: 20, Type: U32, Name: "ObjectHelpTitleIndex", Role: Role{Kind: TitleIndex}, Doc: "the object's help text; odd"},
		{At: 24, Type: U32, Name: "ObjectHelpTitle", Role: Role{Kind: Reserved}, Doc: "0"},
		{At: 28, Type: U32, Name: "DetailLevel", Go: "DetailLevel", Role: Role{Kind: Enum}, Doc: "the lowest level of its counters"},
		{At: 32, Type: U32, Name: "NumCounters", Role: Role{Kind: Count, Of: "counter definitions"}, Doc: "base counters included"},
		{At: 36, Type: I32, Name: "DefaultCounter", Role: Role{Kind: Plain}, Doc: "the counter a tool shows first, -1 for none"},
		{At: 40, Type: I32, Name: "NumInstances", Role: Role{Kind: Count, Of: "instances"}, Doc: "0 or more; -1 PERF_NO_INSTANCES; -2 and -3 in the result of a metadata query"},
		{At: 44, Type: U32, Name: "CodePage", Role: Role{Kind: Enum}, Doc: "0 if instance names are UTF-16, otherwise their code page"},
		{At: 48, Type: I64, Name: "PerfTime", Role: Role{Kind: Plain}, Doc: "the object's own clock, for counters with PERF_OBJECT_TIMER; otherwise may be 0"},
		{At: 56, Type: I64, Name: "PerfFreq", Role: Role{Kind: Plain}, Doc: "ticks of the object's PerfTime in a second"},
	},
}

var PERF_COUNTER_DEFINITION = Record{
	C: "PERF_COUNTER_DEFINITION", Size: 40, Align: 4, Name: "CounterDefinition", View: "Counter", In: "counter", Source: reference + "perf_counter_definition",
	Doc: "describes a counter and the place of its value in every counter block.",
	Fields: []Field{
		{At: 0, Type: U32, Name: "ByteLength", Role: Role{Length, "this definition", RecordStart}, Doc: "40"},
		{At: 4, Type: U32, Name: "CounterNameTitleIndex", Role: Role{Kind: TitleIndex}, Doc: "the counter's name; even. 0 for a base counter"},
		{At: 8, Type: U32, Name: "CounterNameTitle", Role: Role{Kind: Reserved}, Doc: "0"},
		{At: 12, Type: U32, Name: "CounterHelpTitleIndex", Role: Role{Kind: TitleIndex}, Doc: "the counter's help text; odd. 0 for a base counter"},
		{At: 16, Type: U32, Name: "CounterHelpTitle", Role: Role{Kind: Reserved}, Doc: "0"},
		{At: 20, Type: I32, Name: "DefaultScale", Role: Role{Kind: Plain}, Doc: "power of ten by which a graph scales the value, -7 to 7"},
		{At: 24, Type: U32, Name: "DetailLevel", Go: "DetailLevel", Role: Role{Kind: Enum}, Doc: "audience of the counter; some base counters have 0"},
		{At: 28, Type: U32, Name: "CounterType", Go: "CounterType", Role: Role{Kind: Flags}, Doc: "how the value is read, computed and shown"},
		{At: 32, Type: U32, Name: "CounterSize", Role: Role{Length, "the value", Nowhere}, Doc: "4 or 8 for a number, 0 for PERF_COUNTER_NODATA"},
		{At: 36, Type: U32, Name: "CounterOffset", Role: Role{Offset, "the value", CounterStart}, Doc: "at least 4, because the first 4 bytes of the block are its ByteLength"},
	},
}

var PERF_INSTANCE_DEFINITION = Record{
	C: "PERF_INSTANCE_DEFINITION", Size: 24, Align: 4, Name: "InstanceDefinition", View: "Instance", In: "instance", Source: reference + "perf_instance_definition",
	Doc: "is the header of an instance. Its name follows, then its counter block.",
	Fields: []Field{
		{At: 0, Type: U32, Name: "ByteLength", Role: Role{Length, "this definition, its name and padding", RecordStart}, Doc: "where the counter block starts; a multiple of 8"},
		{At: 4, Type: U32, Name: "ParentObjectTitleIndex", Role: Role{Kind: TitleIndex}, Doc: "name of the object that contains the parent instance; 0 for no parent"},
		{At: 8, Type: U32, Name: "ParentObjectInstance", Role: Role{Kind: Plain}, Doc: "position of the parent among the instances of its object, from 0"},
		{At: 12, Type: I32, Name: "UniqueID", Role: Role{Kind: Plain}, Doc: "identifies an instance without a name; otherwise -1, PERF_NO_UNIQUE_ID"},
		{At: 16, Type: U32, Name: "NameOffset", Role: Role{Offset, "the name", RecordStart}, Doc: "24 in practice"},
		{At: 20, Type: U32, Name: "NameLength", Role: Role{Length, "the name", Nowhere}, Doc: "bytes, with the terminator, without padding; 0 for no name"},
	},
}

var PERF_COUNTER_BLOCK = Record{
	C: "PERF_COUNTER_BLOCK", Size: 4, Align: 4, Name: "CounterBlock", View: "CounterBlock", In: "block", Source: reference + "perf_counter_block",
	Doc: "is the header of the values of one instance. The counter definitions have the offsets of the values.",
	Fields: []Field{
		{At: 0, Type: U32, Name: "ByteLength", Role: Role{Length, "this field, the values and padding", RecordStart}, Doc: "a multiple of 8"},
	},
}
