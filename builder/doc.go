// Package builder encodes blocks of Windows performance counters, and decodes blocks into
// the models that they are encoded from.
//
// A [DataBlock] is the block that a consumer reads; [Objects] are the output of a provider's
// Collect function. Both contain [Object] values, which can be struct literals or be built
// call by call:
//
//	cpu := builder.NewObject(238).
//		Counter(6, layout.PERF_100NSEC_TIMER_INV).
//		Instance("0", 1_000_000).
//		Instance("_Total", 1_000_000)
//	block, err := builder.DataBlock{SystemName: "HOST", Objects: []builder.Object{*cpu}}.MarshalBinary()
//
// A provider, which writes the same object in each Collect, compiles it once to a [Template].
// A [Fill] writes the object with the current instances and values into a buffer, which may
// be one that cannot grow. A [Refresh] overwrites the values of an encoded object in place.
// Neither allocates. Pass them by pointer. [Objects.AppendBinary] is for blocks that are
// written once, such as fixtures: it takes models with all their fields, and also checks for
// names that repeat and parents that do not exist, which a Fill leaves to the caller.
//
// A [QueryData] is what a consumer of perflib.h (V2) reads, with a [Result] for each of the
// [Identifiers] in its query; an [InstanceList] lists the instances of a counter set:
//
//	disks := builder.CounterSet().Counter(1, 4).Counter(2, 8).
//		Instance("C:", 0, 42, 100).
//		Instance("_Total", 1, 42, 100)
//	block, err := new(builder.QueryData{}).Add(disks).MarshalBinary()
//
// The registration of a counter set consists of a [CounterSetRegInfo] or [CounterRegInfo], a
// [RegString], [RegGUID] or [StringBuffer]; [GUIDs] lists the registered sets. A provider of
// perflib.h registers a [CounterSetInfo] and creates each [CounterSetInstance]. [NewModel]
// returns an empty model of any kind.
//
// Everything that the format derives is computed. Lengths, offsets, counts, padding and
// reserved fields are either not in the model, or are fields whose zero value means
// "compute"; other values of these are checked and written as they are. Fields have the names
// of winperf.h, and those of perflib.h without their dw.
//
// What the documentation calls an error is not encoded. What it only advises against is
// encoded if the model asks for it: two objects, counters or UniqueIDs with the same number,
// an unnamed instance without a UniqueID, an offset that is not a multiple of the value's
// size; in query data two instances with the same name and id, a name longer than Windows
// writes, a status beside values; in a registration or template a type, a level or a size
// that Windows does not use.
//
// Clocks are the exception: a negative PerfTime or PerfTimeStamp, a negative PerfFreq and a
// SystemTime with month 13 are refused, although package validate only warns about them if
// no counter is computed with them. A patch of package spec writes such values.
//
// A model that cannot be encoded is an [*layout.Error] with the path of the value. Nothing is
// cut to fit, and the caller's buffer stays unchanged. Decoding keeps every legal value that
// differs from the computed one. What a model cannot hold (padding that is not zero, gaps,
// what the documentation forbids) is an error in UnmarshalBinary; UnmarshalLossy drops and
// lists it. If UnmarshalBinary succeeds, encoding the model returns the same bytes.
package builder
