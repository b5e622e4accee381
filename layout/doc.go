// Package layout defines the binary blocks of Windows performance counters and reads them
// in place.
//
// V1 is the format of winperf.h. An extension DLL writes it in its Collect function, and a
// consumer reads it from HKEY_PERFORMANCE_DATA. A block consists of five C structures, connected
// by lengths and offsets:
//
//	PERF_DATA_BLOCK           the header (only in the data that a consumer reads)
//	  PERF_OBJECT_TYPE        an object, such as Processor
//	    PERF_COUNTER_DEFINITION ...
//	    PERF_INSTANCE_DEFINITION, name, PERF_COUNTER_BLOCK, values ...
//
// V2 has a buffer for each function of perflib.h: query data, lists of instances and
// identifiers, the registration of a counter set, a provider's template. The bytes of a
// buffer do not show its kind, so functions take a [Kind].
//
//	PERF_DATA_HEADER          query data: a header, and a result for each requested counter set
//	  PERF_COUNTER_HEADER     the result: the ids of its counters, and its instances
//	    PERF_INSTANCE_HEADER, name, PERF_COUNTER_DATA, value, PERF_COUNTER_DATA, value ...
//
// The [Record] variables, such as [PERF_OBJECT_TYPE], have the offset and type of each
// field. The accessors of the views, such as [Object], and the sizes, such as
// [SizeofObjectType], are generated from these variables.
//
// [Rows] reads the names and values of all instances of an object, which is what most consumers
// need. Views read everything else.
//
// A view reads a record in the caller's bytes. The constructor of a view has checked the size
// of the record, so accessors do not fail, copy or allocate. A view is valid until the caller
// changes or releases the bytes.
//
// Iterators such as [DataBlock.Objects], [Object.Counters] and [Object.Instances] terminate
// on any input. At a fault they yield an [*Error] with the place of the fault, together with
// a view that reads as zeros, and stop. So check the error in every iteration. Views check
// only what is needed to read safely. Package builder decodes blocks into values, and package
// validate checks them.
//
// All integers are little-endian. Offsets in errors count from the start of the input.
package layout

//go:generate go run ../internal/layoutgen ..
