package layout

// This file describes the records of perflib.h. After a change, run "go generate ./layout".
//
// The structures are the same on 32- and 64-bit Windows. A C compiler computes the sizes and offsets in
// internal/cfacts, and a test compares them with the sizes and offsets here. The perflib.h of mingw-w64 does not
// declare the structures for consumers. internal/cfacts has a header with these structures, written from the
// documentation.

const perflib = "https://learn.microsoft.com/windows/win32/api/perflib/ns-perflib-"

// Perflib lists the records: first the records of a consumer, in the order of their nesting,
// then the records of a provider.
var Perflib = []*Record{
	&GUIDRecord,
	&PERF_DATA_HEADER, &PERF_COUNTER_HEADER, &PERF_MULTI_COUNTERS, &PERF_MULTI_INSTANCES, &PERF_INSTANCE_HEADER, &PERF_COUNTER_DATA,
	&PERF_COUNTER_IDENTIFIER,
	&PERF_COUNTERSET_REG_INFO, &PERF_COUNTER_REG_INFO, &PERF_STRING_BUFFER_HEADER, &PERF_STRING_COUNTER_HEADER,
	&PERF_COUNTERSET_INFO, &PERF_COUNTER_INFO, &PERF_COUNTERSET_INSTANCE, &PERF_COUNTER_IDENTITY,
}

// GUIDRecord is the record of a GUID.
var GUIDRecord = Record{
	C: "GUID", Size: 16, Align: 4, Name: "GUID", In: "guid",
	Source: "https://learn.microsoft.com/windows/win32/api/guiddef/ns-guiddef-guid",
	Doc:    "identifies a counter set or a provider.",
	Fields: []Field{
		{At: 0, Type: U32, Name: "Data1", Doc: "the first 8 hexadecimal digits"},
		{At: 4, Type: U16, Name: "Data2", Doc: "the next 4 digits"},
		{At: 6, Type: U16, Name: "Data3", Doc: "the next 4 digits"},
		{At: 8, Type: Bytes8, Name: "Data4", Doc: "the last 16 digits, as 8 bytes"},
	},
}

var PERF_DATA_HEADER = Record{
	C: "PERF_DATA_HEADER", Size: 48, Align: 8, Name: "DataHeader", View: "QueryData", Source: perflib + "perf_data_header",
	Doc: "is the header of the buffer that PerfQueryCounterData returns.",
	Fields: []Field{
		{At: 0, Type: U32, Name: "dwTotalSize", Role: Role{Length, "the buffer, header and counter blocks", RecordStart}, Doc: "where the data ends; a multiple of 8"},
		{At: 4, Type: U32, Name: "dwNumCounters", Role: Role{Kind: Count, Of: "counter blocks"}, Doc: "one for each counter or counter set of the query"},
		{At: 8, Type: I64, Name: "PerfTimeStamp", Role: Role{Kind: Plain}, Doc: "high-resolution clock, in ticks"},
		{At: 16, Type: I64, Name: "PerfTime100NSec", Role: Role{Kind: Plain}, Doc: "system time in units of 100 ns since 1601-01-01, UTC"},
		{At: 24, Type: I64, Name: "PerfFreq", Role: Role{Kind: Plain}, Doc: "ticks of PerfTimeStamp in a second"},
		{At: 32, Type: Time, Name: "SystemTime", Role: Role{Kind: Plain}, Doc: "when the data was collected, UTC"},
	},
}

var PERF_COUNTER_HEADER = Record{
	C: "PERF_COUNTER_HEADER", Size: 16, Align: 4, Name: "CounterHeader", View: "Result", In: "result", Source: perflib + "perf_counter_header",
	Doc: "is the header of the result for one counter or counter set of the query.",
	Fields: []Field{
		{At: 0, Type: U32, Name: "dwStatus", Role: Role{Kind: Enum}, Doc: "a Win32 error if dwType is PERF_ERROR_RETURN, otherwise 0"},
		{At: 4, Type: U32, Name: "dwType", Go: "PerfCounterDataType", Role: Role{Kind: Enum}, Doc: "what follows this header"},
		{At: 8, Type: U32, Name: "dwSize", Role: Role{Length, "this header and its contents", RecordStart}, Doc: "where the next result starts; a multiple of 8"},
		{At: 12, Type: U32, Name: "Reserved", Role: Role{Kind: Reserved}, Doc: "0"},
	},
}

var PERF_MULTI_COUNTERS = Record{
	C: "PERF_MULTI_COUNTERS", Size: 8, Align: 4, Name: "MultiCounters", View: "MultiCounters", In: "ids", Source: perflib + "perf_multi_counters",
	Doc: "lists the ids of the counters whose values follow.",
	Fields: []Field{
		{At: 0, Type: U32, Name: "dwSize", Role: Role{Length, "this record, the ids and padding", RecordStart}, Doc: "a multiple of 8"},
		{At: 4, Type: U32, Name: "dwCounters", Role: Role{Kind: Count, Of: "ids"}, Doc: "each of 4 bytes, directly after this record"},
	},
}

var PERF_MULTI_INSTANCES = Record{
	C: "PERF_MULTI_INSTANCES", Size: 8, Align: 4, Name: "MultiInstances", View: "MultiInstances", In: "instances", Source: perflib + "perf_multi_instances",
	Doc: "is the header of the instances of a result. The instances follow, each with its values.",
	Fields: []Field{
		{At: 0, Type: U32, Name: "dwTotalSize", Role: Role{Length, "this record, the instances and their values", RecordStart}, Doc: "a multiple of 8"},
		{At: 4, Type: U32, Name: "dwInstances", Role: Role{Kind: Count, Of: "instances"}, Doc: "may be 0"},
	},
}

var PERF_INSTANCE_HEADER = Record{
	C: "PERF_INSTANCE_HEADER", Size: 8, Align: 4, Name: "InstanceHeader", View: "InstanceHeader", In: "instance", Source: perflib + "perf_instance_header",
	Doc: "is the header of an instance. Its name with a NUL and padding follows, then its values.",
	Fields: []Field{
		{At: 0, Type: U32, Name: "Size", Role: Role{Length, "this record, the name and padding", RecordStart}, Doc: "a multiple of 8; does not include the values"},
		{At: 4, Type: U32, Name: "InstanceId", Role: Role{Kind: Plain}, Doc: "distinguishes instances with the same name"},
	},
}

var PERF_COUNTER_DATA = Record{
	C: "PERF_COUNTER_DATA", Size: 8, Align: 4, Name: "CounterData", View: "CounterData", In: "data", Source: perflib + "perf_counter_data",
	Doc: "is the header of the raw value of one counter.",
	Fields: []Field{
		{At: 0, Type: U32, Name: "dwDataSize", Role: Role{Length, "the value", Nowhere}, Doc: "4 or 8, without padding"},
		{At: 4, Type: U32, Name: "dwSize", Role: Role{Length, "this record, the value and padding", RecordStart}, Doc: "a multiple of 8"},
	},
}

var PERF_COUNTER_IDENTIFIER = Record{
	C: "PERF_COUNTER_IDENTIFIER", Size: 40, Align: 4, Name: "CounterIdentifier", View: "CounterIdentifier", In: "identifier", Source: perflib + "perf_counter_identifier",
	Doc: "identifies a counter or counter set of a query. A program passes these records to PerfAddCounters, and PerfQueryCounterInfo returns them. The name of the instances may follow the record.",
	Fields: []Field{
		{At: 0, Type: UUID, Name: "CounterSetGuid", Role: Role{Kind: Plain}, Doc: "the counter set"},
		{At: 16, Type: U32, Name: "Status", Role: Role{Kind: Enum}, Doc: "0 in PerfAddCounters; a Win32 error in PerfQueryCounterInfo"},
		{At: 20, Type: U32, Name: "Size", Role: Role{Length, "this record, the name and padding", RecordStart}, Doc: "where the next identifier starts; a multiple of 8"},
		{At: 24, Type: U32, Name: "CounterId", Role: Role{Kind: Plain}, Doc: "PERF_WILDCARD_COUNTER for all counters of the set"},
		{At: 28, Type: U32, Name: "InstanceId", Role: Role{Kind: Plain}, Doc: "0xffffffff for any id"},
		{At: 32, Type: U32, Name: "Index", Role: Role{Kind: Plain}, Doc: "position of the result in the data of PerfQueryCounterData; 0 in PerfAddCounters"},
		{At: 36, Type: U32, Name: "Reserved", Role: Role{Kind: Reserved}, Doc: "0"},
	},
}

var PERF_COUNTERSET_REG_INFO = Record{
	C: "PERF_COUNTERSET_REG_INFO", Size: 32, Align: 4, Name: "CounterSetRegInfo", View: "CounterSetRegInfo", Source: perflib + "perf_counterset_reg_info",
	Doc: "is the header of the registration of a counter set. Its counters follow.",
	Fields: []Field{
		{At: 0, Type: UUID, Name: "CounterSetGuid", Role: Role{Kind: Plain}, Doc: "the counter set"},
		{At: 16, Type: U32, Name: "CounterSetType", Role: Role{Kind: Reserved}, Doc: "0"},
		{At: 20, Type: U32, Name: "DetailLevel", Go: "DetailLevel", Role: Role{Kind: Enum}, Doc: "PERF_DETAIL_NOVICE or PERF_DETAIL_ADVANCED"},
		{At: 24, Type: U32, Name: "NumCounters", Role: Role{Kind: Count, Of: "counters"}, Doc: "of the set"},
		{At: 28, Type: U32, Name: "InstanceType", Go: "InstanceType", Role: Role{Kind: Enum}, Doc: "whether the set has instances and how they are aggregated"},
	},
}

var PERF_COUNTER_REG_INFO = Record{
	C: "PERF_COUNTER_REG_INFO", Size: 48, Align: 8, Name: "CounterRegInfo", View: "CounterRegInfo", In: "counter", Source: perflib + "perf_counter_reg_info",
	Doc: "is the registration of a counter.",
	Fields: []Field{
		{At: 0, Type: U32, Name: "CounterId", Role: Role{Kind: Plain}, Doc: "unique in its set"},
		{At: 4, Type: U32, Name: "Type", Go: "CounterType", Role: Role{Kind: Flags}, Doc: "how the value is read, computed and shown"},
		{At: 8, Type: U64, Name: "Attrib", Go: "Attrib", Role: Role{Kind: Flags}, Doc: "how the value is shown"},
		{At: 16, Type: U32, Name: "DetailLevel", Go: "DetailLevel", Role: Role{Kind: Enum}, Doc: "PERF_DETAIL_NOVICE or PERF_DETAIL_ADVANCED"},
		{At: 20, Type: I32, Name: "DefaultScale", Role: Role{Kind: Plain}, Doc: "power of ten by which a graph scales the value, -10 to 10"},
		{At: 24, Type: U32, Name: "BaseCounterId", Role: Role{Kind: Plain}, Doc: "the counter's base, 0xffffffff for none"},
		{At: 28, Type: U32, Name: "PerfTimeId", Role: Role{Kind: Plain}, Doc: "the counter with its clock, 0xffffffff for none"},
		{At: 32, Type: U32, Name: "PerfFreqId", Role: Role{Kind: Plain}, Doc: "the counter with the frequency of the clock, 0xffffffff for none"},
		{At: 36, Type: U32, Name: "MultiId", Role: Role{Kind: Plain}, Doc: "the counter with the number of items, 0xffffffff for none"},
		{At: 40, Type: U32, Name: "AggregateFunc", Go: "AggregateFunc", Role: Role{Kind: Enum}, Doc: "how the values of instances are combined"},
		{At: 44, Type: U32, Name: "Reserved", Role: Role{Kind: Reserved}, Doc: "0"},
	},
}

var PERF_STRING_BUFFER_HEADER = Record{
	C: "PERF_STRING_BUFFER_HEADER", Size: 8, Align: 4, Name: "StringBufferHeader", View: "StringBuffer", Source: perflib + "perf_string_buffer_header",
	Doc: "is the header of the names or help texts of the counters of a set.",
	Fields: []Field{
		{At: 0, Type: U32, Name: "dwSize", Role: Role{Length, "the buffer", RecordStart}, Doc: "header, entries, strings and padding"},
		{At: 4, Type: U32, Name: "dwCounters", Role: Role{Kind: Count, Of: "entries"}, Doc: "directly after this record"},
	},
}

var PERF_STRING_COUNTER_HEADER = Record{
	C: "PERF_STRING_COUNTER_HEADER", Size: 8, Align: 4, Name: "StringCounterHeader", View: "StringCounter", In: "entry", Source: perflib + "perf_string_counter_header",
	Doc: "has the offset of the string of a counter.",
	Fields: []Field{
		{At: 0, Type: U32, Name: "dwCounterId", Role: Role{Kind: Plain}, Doc: "the counter"},
		{At: 4, Type: U32, Name: "dwOffset", Role: Role{Offset, "the string", BufferStart}, Doc: "0xffffffff for none"},
	},
}

var PERF_COUNTERSET_INFO = Record{
	C: "PERF_COUNTERSET_INFO", Size: 40, Align: 4, Name: "CounterSetInfo", View: "CounterSetInfo", Source: perflib + "perf_counterset_info",
	Doc: "is the header of the template that a provider passes to PerfSetCounterSetInfo. Its counters follow.",
	Fields: []Field{
		{At: 0, Type: UUID, Name: "CounterSetGuid", Role: Role{Kind: Plain}, Doc: "the counter set"},
		{At: 16, Type: UUID, Name: "ProviderGuid", Role: Role{Kind: Plain}, Doc: "the provider"},
		{At: 32, Type: U32, Name: "NumCounters", Role: Role{Kind: Count, Of: "counters"}, Doc: "1 or more"},
		{At: 36, Type: U32, Name: "InstanceType", Go: "InstanceType", Role: Role{Kind: Enum}, Doc: "whether the set has instances and how they are aggregated"},
	},
}

var PERF_COUNTER_INFO = Record{
	C: "PERF_COUNTER_INFO", Size: 32, Align: 8, Name: "CounterInfo", View: "CounterInfo", In: "counter", Source: perflib + "perf_counter_info",
	Doc: "is a counter of a provider's template.",
	Fields: []Field{
		{At: 0, Type: U32, Name: "CounterId", Role: Role{Kind: Plain}, Doc: "unique in its set"},
		{At: 4, Type: U32, Name: "Type", Go: "CounterType", Role: Role{Kind: Flags}, Doc: "how the value is read, computed and shown"},
		{At: 8, Type: U64, Name: "Attrib", Go: "Attrib", Role: Role{Kind: Flags}, Doc: "how the value is shown"},
		{At: 16, Type: U32, Name: "Size", Role: Role{Length, "the value", Nowhere}, Doc: "4 or 8"},
		{At: 20, Type: U32, Name: "DetailLevel", Go: "DetailLevel", Role: Role{Kind: Enum}, Doc: "PERF_DETAIL_NOVICE or PERF_DETAIL_ADVANCED"},
		{At: 24, Type: I32, Name: "Scale", Role: Role{Kind: Plain}, Doc: "power of ten by which a graph scales the value, -10 to 10"},
		{At: 28, Type: U32, Name: "Offset", Role: Role{Kind: Plain}, Doc: "0; Windows ignores it and gives each counter 8 bytes"},
	},
}

var PERF_COUNTERSET_INSTANCE = Record{
	C: "PERF_COUNTERSET_INSTANCE", Size: 32, Align: 4, Name: "CounterSetInstance", View: "CounterSetInstance", Source: perflib + "perf_counterset_instance",
	Doc: "is the header of an instance from PerfCreateInstance. The values follow, 8 bytes for each counter. The name follows the values.",
	Fields: []Field{
		{At: 0, Type: UUID, Name: "CounterSetGuid", Role: Role{Kind: Plain}, Doc: "the counter set"},
		{At: 16, Type: U32, Name: "dwSize", Role: Role{Length, "the instance with its values and name", RecordStart}, Doc: "a multiple of 8"},
		{At: 20, Type: U32, Name: "InstanceId", Role: Role{Kind: Plain}, Doc: "distinguishes instances with the same name"},
		{At: 24, Type: U32, Name: "InstanceNameOffset", Role: Role{Offset, "the name", RecordStart}, Doc: "after the values"},
		{At: 28, Type: U32, Name: "InstanceNameSize", Role: Role{Length, "the name", Nowhere}, Doc: "bytes, with the terminator, without padding"},
	},
}

var PERF_COUNTER_IDENTITY = Record{
	C: "PERF_COUNTER_IDENTITY", Size: 40, Align: 4, Source: perflib + "perf_counter_identity",
	Doc: "tells the callback of a provider which counter a consumer adds or removes.",
	Fields: []Field{
		{At: 0, Type: UUID, Name: "CounterSetGuid", Role: Role{Kind: Plain}, Doc: "the counter set"},
		{At: 16, Type: U32, Name: "BufferSize", Role: Role{Length, "this record and the strings after it", RecordStart}, Doc: "bytes"},
		{At: 20, Type: U32, Name: "CounterId", Role: Role{Kind: Plain}, Doc: "PERF_WILDCARD_COUNTER for all counters of the set"},
		{At: 24, Type: U32, Name: "InstanceId", Role: Role{Kind: Plain}, Doc: "ignored if the name is *"},
		{At: 28, Type: U32, Name: "MachineOffset", Role: Role{Offset, "the computer's name", RecordStart}, Doc: "0 for none"},
		{At: 32, Type: U32, Name: "NameOffset", Role: Role{Offset, "the instance's name", RecordStart}, Doc: "0 for none"},
		{At: 36, Type: U32, Name: "Reserved", Role: Role{Kind: Reserved}, Doc: "0"},
	},
}
