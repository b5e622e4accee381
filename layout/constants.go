package layout

import (
	"strconv"

	"github.com/perfblock/perfblock/internal/quote"
)

// Values of NumInstances that are not a number of instances.
const (
	PERF_NO_INSTANCES                int32 = -1 // one counter block, no instance definition
	PERF_METADATA_MULTIPLE_INSTANCES int32 = -2 // answer to a metadata query (Windows 10 2004): may have instances
	PERF_METADATA_NO_INSTANCES       int32 = -3 // answer to a metadata query (Windows 10 2004): has none
)

const (
	PERF_NO_UNIQUE_ID int32 = -1 // UniqueID of an instance that goes by its name

	PERF_DATA_VERSION  uint32 = 1
	PERF_DATA_REVISION uint32 = 1
)

// Align is what every header with its name, instance and counter block is padded
// to a multiple of, in bytes, so that each starts on one.
const Align = 8

// Signature returns the Signature of a PERF_DATA_BLOCK.
func Signature() [4]uint16 { return [4]uint16{'P', 'E', 'R', 'F'} }

// Bounds of DefaultScale, those of PDH_MIN_SCALE and PDH_MAX_SCALE.
const (
	MinScale = -7
	MaxScale = 7
)

// DetailLevel says whom an object or counter is for.
type DetailLevel uint32

const (
	PERF_DETAIL_NOVICE   DetailLevel = 100
	PERF_DETAIL_ADVANCED DetailLevel = 200
	PERF_DETAIL_EXPERT   DetailLevel = 300
	PERF_DETAIL_WIZARD   DetailLevel = 400
)

var detailNames = map[DetailLevel]string{
	PERF_DETAIL_NOVICE: "PERF_DETAIL_NOVICE", PERF_DETAIL_ADVANCED: "PERF_DETAIL_ADVANCED",
	PERF_DETAIL_EXPERT: "PERF_DETAIL_EXPERT", PERF_DETAIL_WIZARD: "PERF_DETAIL_WIZARD",
}

// Valid reports whether the level is one of the four.
func (d DetailLevel) Valid() bool { return detailNames[d] != "" }

// String returns the level's name in C, or its number.
func (d DetailLevel) String() string {
	if name, ok := detailNames[d]; ok {
		return name
	}
	return strconv.FormatUint(uint64(d), 10)
}

// ParseDetailLevel reads a level's name in C. The error wraps [ErrRange].
func ParseDetailLevel(s string) (DetailLevel, error) {
	for d, name := range detailNames {
		if s == name {
			return d, nil
		}
	}
	return 0, Faultf(ErrRange, "no detail level %s: it is PERF_DETAIL_NOVICE, _ADVANCED, _EXPERT or _WIZARD", quote.Short(s))
}

// InstancesName returns the C name of a negative NumInstances, "" if it has none.
func InstancesName(n int32) string {
	switch n {
	case PERF_NO_INSTANCES:
		return "PERF_NO_INSTANCES"
	case PERF_METADATA_MULTIPLE_INSTANCES:
		return "PERF_METADATA_MULTIPLE_INSTANCES"
	case PERF_METADATA_NO_INSTANCES:
		return "PERF_METADATA_NO_INSTANCES"
	}
	return ""
}
