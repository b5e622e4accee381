package builder

import "github.com/perfblock/perfblock/layout"

// A QueryData is what PerfQueryCounterData returns: clocks, and an answer to each
// counter or counter set that was added to the query.
// Source: PERF_DATA_HEADER.
type QueryData struct {
	// SystemTime is when the data was collected, UTC. Zero means PerfTime100NSec.
	SystemTime layout.SystemTime
	// PerfTimeStamp is a clock that ticks PerfFreq times a second; PerfFreq 0 means
	// 10,000,000. PerfTimeStamp is written as it is.
	PerfTimeStamp, PerfFreq int64
	// PerfTime100NSec counts 100 ns since 1601-01-01 UTC. 0 means SystemTime, or
	// [DefaultTime] where that is zero too.
	PerfTime100NSec int64

	// Results are the answers, to whose positions the Index of each [CounterIdentifier] leads.
	Results []Result
}

// A Result is the answer to one counter or counter set. Its Type says which of its
// parts there are; the others are empty.
// Source: PERF_COUNTER_HEADER, PERF_MULTI_COUNTERS, PERF_MULTI_INSTANCES.
type Result struct {
	Type layout.PerfCounterDataType
	// Status is the Win32 error of a PERF_ERROR_RETURN, and 0 for any other. It is
	// written as it is.
	Status uint32
	// Counters are those whose values there are. PERF_SINGLE_COUNTER and
	// PERF_MULTIPLE_INSTANCES have one, whose ID is not written and is 0.
	Counters []QueryCounter
	// ShortIDs leaves the padding behind an odd number of ids out of their dwSize. It is
	// written all the same. The documentation can be read both ways.
	ShortIDs bool
	// Values and Texts are those of PERF_SINGLE_COUNTER and PERF_MULTIPLE_COUNTERS, as in
	// [QueryInstance].
	Values []uint64
	Texts  []string
	// Instances are those of PERF_MULTIPLE_INSTANCES and PERF_COUNTERSET; there may be none.
	Instances []QueryInstance
}

// A QueryCounter is a counter of a [Result].
type QueryCounter struct {
	// CounterId is the counter's in its set.
	CounterId uint32
	// Size is that of its values: 4 or 8 bytes. 0 means 8.
	Size uint32
	// Bytes makes its values bytes, each as long as it is, in place of numbers. Windows
	// has numbers alone; but their length stands with each value, and a reader may meet
	// any. Decoding sets it where not all the values are of 4 bytes, or all of 8.
	Bytes bool
}

// A QueryInstance is an instance with its values.
// Source: PERF_INSTANCE_HEADER, PERF_COUNTER_DATA.
type QueryInstance struct {
	// Name is text of UTF-8 without NUL; it may be empty. Windows has names of 1,023
	// characters at the most, which is not asked for. Names may repeat, as InstanceId tells
	// their instances apart, and that may repeat too.
	Name       string
	InstanceId uint32
	// Size 0 means as long as the name needs; more is a multiple of 8.
	Size uint32

	// Values holds a number for each counter, in their order. It is 0 for a counter of
	// Bytes. A number that does not fit its counter is an error.
	Values []uint64
	// Texts holds the value of each counter of Bytes, in the order of the counters.
	Texts []string
}
