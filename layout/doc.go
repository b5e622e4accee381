// Package layout says what the binary blocks of Windows performance counters
// look like, once, and reads them in place.
//
// A block is the data an extension DLL writes in its Collect function and that
// a consumer gets from HKEY_PERFORMANCE_DATA. It is made of five C structures
// of winperf.h, one after the other, tied together by lengths and offsets:
//
//	PERF_DATA_BLOCK           the header (only the consumer's view has it)
//	  PERF_OBJECT_TYPE        one object, Processor say
//	    PERF_COUNTER_DEFINITION ...
//	    PERF_INSTANCE_DEFINITION, name, PERF_COUNTER_BLOCK, values ...
//
// The functions of perflib.h have buffers of their own, the second generation of the
// format: query data, lists of instances and identifiers, what is registered of a counter
// set, a provider's template. A buffer does not say which it is; a [Kind] does.
//
//	PERF_DATA_HEADER          query data, say: a header, and for each counter set that was asked for
//	  PERF_COUNTER_HEADER     the answer: the ids of its counters, and its instances
//	    PERF_INSTANCE_HEADER, name, PERF_COUNTER_DATA, value, PERF_COUNTER_DATA, value ...
//
// The one idea to know: [Record] values such as [PERF_OBJECT_TYPE] are the only
// place that knows an offset. The accessors of the views ([Object]) and the sizes
// ([SizeofObjectType]) are generated from them.
//
// A view is a window onto the caller's bytes. Its constructor has checked its
// size, so accessors cannot fail and copy nothing; it stays valid as long as the
// bytes do. Cursors ([Data.Objects], [Object.Counters], [Object.Instances])
// advance with every step and end on any input; a fault is the last pair they
// yield, as an [*Error] that says where it is, beside a view that reads as all
// zeros. So always take both values of a cursor. Views check what is needed to
// walk safely and nothing more: turning a block into values is for package builder,
// and judging it for package validate.
//
// All integers are little-endian. Offsets in errors count from the start of the
// bytes given first.
package layout

//go:generate go run ../internal/layoutgen ..
