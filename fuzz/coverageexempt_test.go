package fuzz_test

// neverMade are the rows that no valid block has, or none that a model is encoded to, with
// the reason. Those that the role of a field forbids are not among them.
var neverMade = map[caseOf]string{
	{"PERF_DATA_BLOCK", "LittleEndian = 0"}:                "blocks of big-endian machines are not read",
	{"PERF_DATA_BLOCK", "PerfFreq = 0"}:                    "0 in a model stands for 10,000,000",
	{"PERF_DATA_HEADER", "PerfFreq = 0"}:                   "0 in a model stands for 10,000,000",
	{"PERF_DATA_BLOCK", "PerfTime100nSec = 0"}:             "0 in a model stands for SystemTime",
	{"PERF_DATA_HEADER", "PerfTime100NSec = 0"}:            "0 in a model stands for SystemTime",
	{"SYSTEMTIME", "wYear = 0"}:                            "it counts from 1601",
	{"SYSTEMTIME", "wMonth = 0"}:                           "it counts from 1",
	{"SYSTEMTIME", "wDay = 0"}:                             "it counts from 1",
	{"PERF_OBJECT_TYPE", "DefinitionLength = 0"}:           "it counts the object too",
	{"PERF_OBJECT_TYPE", "HeaderLength = 0"}:               "it counts its own record",
	{"PERF_OBJECT_TYPE", "DetailLevel without a name"}:     "there is no other",
	{"PERF_COUNTER_DEFINITION", "CounterOffset = 0"}:       "the length of the counter block is there",
	{"PERF_COUNTERSET_INFO", "NumCounters = 0"}:            "a template has a counter",
	{"PERF_COUNTERSET_INSTANCE", "InstanceNameOffset = 0"}: "the name is behind the record",
	{"PERF_COUNTERSET_INSTANCE", "InstanceNameSize = 0"}:   "the name has a NUL",
	{"PERF_COUNTER_IDENTITY", "made"}:                      "it is given to a callback, and stands in no block",

	{"data-block", "SystemName without letters"}:           "it has no name then",
	{"data-block", "object.instance.Name without letters"}: "it has no name then",
	{"objects", "object.instance.Name without letters"}:    "it has no name then",
	{"query-data", "result.instance.Name: none"}:           "there is always a NUL",
	{"instances", "instance.Name: none"}:                   "there is always a NUL",
	{"reg-string", "Text: none"}:                           "there is always a NUL",
	{"instance-block", "Name: none"}:                       "there is always a NUL",
	{"instance-block", "slot of 4 bytes"}:                  "each is of 8",
	{"instance-block", "slot of others"}:                   "each is of 8",

	{"builder.CounterSetInfo", "Counters: none"}: "a template has a counter",
}
