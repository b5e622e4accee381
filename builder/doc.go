// Package builder encodes models as blocks of Windows performance counters, and decodes blocks to
// models.
//
// A [DataBlock] is the block that a consumer reads; [Objects] are the output of a provider's
// Collect function. Both contain [Object] values. An Object can be a struct literal or be built
// with method calls:
//
//	cpu := builder.NewObject(238).
//		Counter(6, layout.PERF_100NSEC_TIMER_INV).
//		Instance("0", 1_000_000).
//		Instance("_Total", 1_000_000)
//	block, err := builder.DataBlock{SystemName: "HOST", Objects: []builder.Object{*cpu}}.MarshalBinary()
//
// # Providers
//
// A provider writes objects with the same definitions in each Collect. [Define] makes an object
// whose counters are the fields of a struct, and [Object.Compile] encodes its definitions to a
// [Template] once. A [Fill] writes objects with the current instances and values into a buffer,
// which may be of fixed size. A [Binding], which [Bind] returns, copies a struct to an instance:
//
//	f := builder.NewFixedFill(buffer[:0])
//	f.Object(template)
//	sites.Instance(&f, "shop", &shop)
//	block, err := f.Done()
//
// [Fill.Values] and handles such as [Handle64] set the values of counters that are known only at run
// time. A [Refresh] overwrites the values of an encoded object in place. A Fill and a Refresh allocate
// only to grow a buffer and for an error. They must be passed by pointer. They do not check whether
// names repeat or whether parents exist. [Objects.AppendBinary] checks both, and is for blocks that
// are written once, such as fixtures.
//
// # Perflib V2
//
// A [QueryData] is what a consumer of perflib.h (V2) reads: a [Result] for each of the
// [Identifiers] in its query. An [InstanceList] lists the instances of a counter set:
//
//	disks := builder.CounterSet().Counter(1, 4).Counter(2, 8).
//		Instance("C:", 0, 42, 100).
//		Instance("_Total", 1, 42, 100)
//	block, err := new(builder.QueryData).Add(disks).MarshalBinary()
//
// The registration of a counter set is a [CounterSetRegInfo] or [CounterRegInfo] for the counters,
// a [RegString] or [StringBuffer] for texts, and a [RegGUID] for the provider. [GUIDs] lists
// the registered sets. A provider of perflib.h registers a [CounterSetInfo] and creates a
// [CounterSetInstance] for each instance. [NewModel] returns an empty model of any kind.
//
// # Computed fields
//
// Encoding computes lengths, offsets, counts and padding. The fields of a model have the names of
// winperf.h, or of perflib.h without the prefix dw. Most computed fields are not in the model. A
// few are, such as [Counter].CounterOffset: the zero value means that encoding computes the field,
// and any other value is checked and written as it is.
//
// # Errors
//
// Encoding refuses what the documentation calls an error. It accepts what the documentation only
// advises against:
//   - in a data block: two objects or two counters with the same title index, two instances with
//     the same UniqueID, an unnamed instance without a UniqueID, an offset that is not a multiple
//     of the value's size
//   - in query data: two instances with the same name and id, a name longer than Windows writes,
//     values in a result whose status is not 0
//   - in a registration or template: a type, a level or a size that Windows does not use
//
// Encoding also refuses a negative PerfTime, PerfTimeStamp, PerfTime100nSec or PerfFreq, and a
// SystemTime that is out of range, such as month 13. Package validate is less strict: it reports such
// a value as an error only if a counter is computed with the value. Otherwise it reports a warning or
// nothing. A patch of package spec can write these values.
//
// The error for a model that cannot be encoded is an [*layout.Error] with the path of the value, or
// wraps several such errors: see [Model]. Encoding does not shorten names or values. If it fails, it
// does not change the caller's buffer.
//
// Decoding keeps every valid value that differs from the computed one. Some data has no place in a
// model: padding that is not zero, gaps between records, invalid values. For such data
// UnmarshalBinary returns an error; UnmarshalLossy drops and lists it. If UnmarshalBinary returns
// no error, encoding the model returns the same bytes.
//
// The values of all instances of a decoded object or result are in one array, and the names in one
// string. A program that keeps a few instances for long should copy their values with slices.Clone,
// and their names with strings.Clone. Otherwise it keeps the memory of all instances.
package builder
