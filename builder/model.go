package builder

import "github.com/perfblock/perfblock/layout"

// An Object is one object with its counters and instances.
// Source: PERF_OBJECT_TYPE.
type Object struct {
	// ObjectNameTitleIndex is the object's name in the title database.
	ObjectNameTitleIndex uint32
	// ObjectHelpTitleIndex is its help text. 0 means ObjectNameTitleIndex + 1, and 0
	// if that is 0; NoHelp writes 0 in any case.
	ObjectHelpTitleIndex uint32
	NoHelp               bool
	// DetailLevel 0 means the lowest of the counters that are no bases, and
	// PERF_DETAIL_NOVICE where there are none.
	DetailLevel layout.DetailLevel
	// DefaultCounter is -1 or names a counter that is no base, by position or title
	// index. nil means position 0, and -1 if that is no such counter.
	DefaultCounter *int32
	// NumInstances 0 means the number of Instances. [layout.PERF_NO_INSTANCES] goes
	// with Values in place of Instances, the two metadata values with neither.
	NumInstances int32
	// CodePage 0 means that names are text, written as UTF-16. Otherwise they are
	// the bytes of that Windows code page, which are written as they are.
	CodePage uint32
	// PerfTime and PerfFreq are the object's own clock and its ticks in a second. 0
	// means the header's PerfTime100nSec and 10,000,000 where a counter uses
	// PERF_OBJECT_TIMER, and 0 elsewhere. Objects without a header have
	// [DefaultTime] for the header's, also those that were decoded with one.
	PerfTime, PerfFreq int64
	// BlockLength is the ByteLength of every counter block. 0 means as long as the
	// values need; more is a multiple of 8.
	BlockLength uint32
	// DuplicateNames waives the check that no two instances have one full name.
	// Decoding sets it where a name does repeat.
	DuplicateNames bool

	Counters  []Counter
	Instances []Instance
	// Values and Texts are those of the one counter block of an object whose
	// NumInstances is PERF_NO_INSTANCES, as in [Instance].
	Values []uint64
	Texts  []string
}

// A Counter is the definition of a counter. A counter whose type requires a base
// has it right behind it; [Object.WithBase] adds both.
// Source: PERF_COUNTER_DEFINITION.
type Counter struct {
	// CounterNameTitleIndex is the counter's name in the title database; bases have none.
	CounterNameTitleIndex uint32
	// CounterHelpTitleIndex is its help text. 0 means CounterNameTitleIndex + 1, and
	// 0 if that is 0; NoHelp writes 0 in any case.
	CounterHelpTitleIndex uint32
	NoHelp                bool
	// DefaultScale is the power of ten by which a graph scales the value, -7 to 7.
	DefaultScale int32
	// DetailLevel 0 means PERF_DETAIL_NOVICE, and for a base 0.
	DetailLevel layout.DetailLevel
	CounterType layout.CounterType
	// CounterSize 0 means the bytes that the type says: 4, 8, none, or as many as
	// the longest text needs. 4 and 8 may stand for each other.
	CounterSize uint32
	// CounterOffset 0 means the next place behind the counters before this one, on a
	// multiple of 4, or 8 for values of 8 bytes. Several counters may share one place
	// if their values agree.
	CounterOffset uint32
}

// An Instance is one instance of an object with its values.
// Source: PERF_INSTANCE_DEFINITION, PERF_COUNTER_BLOCK.
type Instance struct {
	// Name is text of UTF-8 without NUL, or bytes without NUL where the object has a
	// CodePage. An empty name makes an unnamed instance, which should have a UniqueID.
	Name string
	// ParentObjectTitleIndex is the name of the object that the instance's parent
	// belongs to, 0 for no parent; ParentObjectInstance is the parent's position there.
	ParentObjectTitleIndex uint32
	ParentObjectInstance   uint32
	// UniqueID nil means PERF_NO_UNIQUE_ID.
	UniqueID *int32
	// NameOffset 0 means 24, right behind the definition, and 0 for an unnamed instance.
	NameOffset uint32
	// ByteLength 0 means as long as the name needs; more is a multiple of 8.
	ByteLength uint32
	// BlockLength 0 means the object's BlockLength.
	BlockLength uint32

	// Values holds a number for each counter of the object, bases included, in the
	// order of the counters. It is 0 for a counter without a number: text, or
	// PERF_COUNTER_NODATA. A number that does not fit its counter is an error; a
	// count that wraps, as those of 4 bytes may, is cut by the caller: uint64(uint32(n)).
	Values []uint64
	// Texts holds the value of each counter of variable length, in the order of the
	// counters: text of UTF-8 for PERF_COUNTER_TEXT, bytes for any other.
	Texts []string
}

// A DataBlock is what a consumer gets: a header and objects.
// Source: PERF_DATA_BLOCK.
type DataBlock struct {
	// SystemName is the computer's name, text of UTF-8 without NUL; it may be empty.
	SystemName string
	// SystemTime is when the data was collected, UTC. Zero means PerfTime100nSec.
	SystemTime layout.SystemTime
	// PerfTime is a clock that ticks PerfFreq times a second; PerfFreq 0 means
	// 10,000,000. PerfTime is written as it is: rates are divided by what it advances
	// between two blocks.
	PerfTime, PerfFreq int64
	// PerfTime100nSec counts 100 ns since 1601-01-01 UTC. 0 means SystemTime, or
	// [DefaultTime] where that is zero too.
	PerfTime100nSec int64
	// DefaultObject is the title index of the object a tool shows first, which need
	// not be in the block. It is written as it is.
	DefaultObject int32
	// SystemNameOffset 0 means 88, right behind the structure, and 0 without a name.
	SystemNameOffset uint32
	// HeaderLength 0 means as long as the name needs; more is a multiple of 8.
	HeaderLength uint32

	Objects []Object
}

// Objects is what a provider's Collect function writes: objects, without a header.
type Objects []Object

// DefaultTime is the PerfTime100nSec of a block that is given no time, so that
// the same model always makes the same bytes: 2000-01-01 00:00:00 UTC.
const DefaultTime int64 = 125911584000000000

// defaultFreq is the frequency of Windows' clocks today, and that of a clock which
// counts 100 ns.
const defaultFreq = 10_000_000
