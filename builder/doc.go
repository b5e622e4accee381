// Package builder makes blocks of Windows performance counters that keep the
// rules, and turns blocks back into what they were made from.
//
// A [DataBlock] is what a consumer gets; [Objects] is what a provider's Collect
// function writes. Both hold [Object] values, which can be written as struct
// literals or put together call by call:
//
//	cpu := builder.NewObject(238).
//		Counter(6, layout.PERF_100NSEC_TIMER_INV).
//		Instance("0", 1_000_000).
//		Instance("_Total", 1_000_000)
//	block, err := builder.DataBlock{SystemName: "HOST", Objects: []builder.Object{*cpu}}.MarshalBinary()
//
// An object that is written again and again, as a provider does each time it is asked,
// is compiled once to a [Template]. A [Fill] writes it with the instances and values of
// the moment into a buffer, which may be one that cannot grow, and a [Refresh] new values
// into what stands; neither allocates. [Objects.AppendBinary] is for what is written once,
// as a fixture is: it takes a model with all there is to choose, and looks for names that
// repeat and parents that are not there, which a Fill leaves to the caller.
//
// A [QueryData] is what a consumer of the second generation, perflib.h, gets, with a
// [Result] for each of the [Identifiers] that it has added to its query; an
// [InstanceList] is what it is told of instances. All is made as blocks are:
//
//	disks := builder.CounterSet().Counter(1, 4).Counter(2, 8).
//		Instance("C:", 0, 42, 100).
//		Instance("_Total", 1, 42, 100)
//	block, err := new(builder.QueryData{}).Add(disks).MarshalBinary()
//
// What is registered of a counter set is a [CounterSetRegInfo] or [CounterRegInfo], a [RegString],
// [RegGUID] or [StringBuffer]; [GUIDs] are the sets that there are. A provider of perflib.h
// registers a [CounterSetInfo] and makes each [CounterSetInstance]. [NewModel] returns an empty model
// of any kind.
//
// The one idea to know: what the format derives is computed. Lengths, offsets,
// counts, padding and reserved fields are not in the model, or are fields whose
// zero value means "compute" and which, when set, are checked and written as
// they are. Fields bear the names that winperf.h gives them, and those of perflib.h
// without their dw.
//
// What the documentation calls an error is not encoded. What it only advises
// against is, where the model asks for it: two objects, counters or UniqueIDs of one
// number, an unnamed instance without a UniqueID, a place that is not a multiple of
// the value's size; in query data two instances of one name and id, a name of more
// characters than Windows gives, a status beside values; in a registration or template a
// type, a level or a size that Windows does not have.
//
// Clocks are the exception: a PerfTime or PerfTimeStamp below 0, a PerfFreq of 0 or less
// and a SystemTime of a month 13 are refused, although package validate only warns of them
// where no counter is computed with them. They are written into the bytes, as a patch of
// package spec does.
//
// What cannot be encoded is an [*layout.Error] with the path of the value at
// fault; nothing is cut off to fit, and the caller's buffer is as it was.
// Decoding keeps every legal value that differs from the computed one. What a
// model cannot hold (padding that is not zero, gaps, what the documentation
// forbids) is an error in UnmarshalBinary, and is dropped and listed by
// UnmarshalLossy. A block that UnmarshalBinary takes is written again byte for byte.
package builder
