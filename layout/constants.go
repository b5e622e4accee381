package layout

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

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

// PerfCounterDataType says what follows a PERF_COUNTER_HEADER.
//
// Source: https://learn.microsoft.com/windows/win32/api/perflib/ne-perflib-perfcounterdatatype
type PerfCounterDataType uint32

const (
	PERF_ERROR_RETURN       PerfCounterDataType = 0 // nothing: dwStatus is the error
	PERF_SINGLE_COUNTER     PerfCounterDataType = 1 // one value
	PERF_MULTIPLE_COUNTERS  PerfCounterDataType = 2 // ids, and a value of each
	PERF_MULTIPLE_INSTANCES PerfCounterDataType = 4 // instances with one value each
	PERF_COUNTERSET         PerfCounterDataType = 6 // ids, and instances with a value of each
)

var dataTypes = enum[PerfCounterDataType]{
	{PERF_ERROR_RETURN, "PERF_ERROR_RETURN"}, {PERF_SINGLE_COUNTER, "PERF_SINGLE_COUNTER"},
	{PERF_MULTIPLE_COUNTERS, "PERF_MULTIPLE_COUNTERS"}, {PERF_MULTIPLE_INSTANCES, "PERF_MULTIPLE_INSTANCES"},
	{PERF_COUNTERSET, "PERF_COUNTERSET"},
}

// Valid reports whether it is one of the five.
func (t PerfCounterDataType) Valid() bool { return dataTypes.name(t) != "" }

// String returns the name in C, or the number.
func (t PerfCounterDataType) String() string { return dataTypes.text(t) }

// ParsePerfCounterDataType reads a name in C. The error wraps [ErrRange].
func ParsePerfCounterDataType(s string) (PerfCounterDataType, error) { return dataTypes.parse(s) }

// PerfRegInfoType says what PerfQueryCounterSetRegistrationInfo is asked for.
//
// Source: https://learn.microsoft.com/windows/win32/api/perflib/ne-perflib-perfreginfotype
type PerfRegInfoType uint32

const (
	PERF_REG_COUNTERSET_STRUCT       PerfRegInfoType = 1  // the set and all its counters
	PERF_REG_COUNTER_STRUCT          PerfRegInfoType = 2  // one counter
	PERF_REG_COUNTERSET_NAME_STRING  PerfRegInfoType = 3  // the set's name
	PERF_REG_COUNTERSET_HELP_STRING  PerfRegInfoType = 4  // its help text
	PERF_REG_COUNTER_NAME_STRINGS    PerfRegInfoType = 5  // the names of its counters
	PERF_REG_COUNTER_HELP_STRINGS    PerfRegInfoType = 6  // their help texts
	PERF_REG_PROVIDER_NAME           PerfRegInfoType = 7  // the provider's name
	PERF_REG_PROVIDER_GUID           PerfRegInfoType = 8  // the provider's GUID
	PERF_REG_COUNTERSET_ENGLISH_NAME PerfRegInfoType = 9  // the set's name in English
	PERF_REG_COUNTER_ENGLISH_NAMES   PerfRegInfoType = 10 // the names of its counters in English
)

var regInfoTypes = enum[PerfRegInfoType]{
	{PERF_REG_COUNTERSET_STRUCT, "PERF_REG_COUNTERSET_STRUCT"}, {PERF_REG_COUNTER_STRUCT, "PERF_REG_COUNTER_STRUCT"},
	{PERF_REG_COUNTERSET_NAME_STRING, "PERF_REG_COUNTERSET_NAME_STRING"}, {PERF_REG_COUNTERSET_HELP_STRING, "PERF_REG_COUNTERSET_HELP_STRING"},
	{PERF_REG_COUNTER_NAME_STRINGS, "PERF_REG_COUNTER_NAME_STRINGS"}, {PERF_REG_COUNTER_HELP_STRINGS, "PERF_REG_COUNTER_HELP_STRINGS"},
	{PERF_REG_PROVIDER_NAME, "PERF_REG_PROVIDER_NAME"}, {PERF_REG_PROVIDER_GUID, "PERF_REG_PROVIDER_GUID"},
	{PERF_REG_COUNTERSET_ENGLISH_NAME, "PERF_REG_COUNTERSET_ENGLISH_NAME"}, {PERF_REG_COUNTER_ENGLISH_NAMES, "PERF_REG_COUNTER_ENGLISH_NAMES"},
}

// Valid reports whether it is one of the ten.
func (t PerfRegInfoType) Valid() bool { return regInfoTypes.name(t) != "" }

// String returns the name in C, or the number.
func (t PerfRegInfoType) String() string { return regInfoTypes.text(t) }

// ParsePerfRegInfoType reads a name in C. The error wraps [ErrRange].
func ParsePerfRegInfoType(s string) (PerfRegInfoType, error) { return regInfoTypes.parse(s) }

// InstanceType says whether a counter set has instances, and how they are summed up.
//
// Source: https://learn.microsoft.com/windows/win32/api/perflib/ns-perflib-perf_counterset_info
type InstanceType uint32

// The flags of which instance types are made.
const (
	PERF_COUNTERSET_FLAG_MULTIPLE  InstanceType = 2
	PERF_COUNTERSET_FLAG_AGGREGATE InstanceType = 4
	PERF_COUNTERSET_FLAG_HISTORY   InstanceType = 8
	PERF_COUNTERSET_FLAG_INSTANCE  InstanceType = 16
)

const (
	PERF_COUNTERSET_SINGLE_INSTANCE          InstanceType = 0  // one, without a name
	PERF_COUNTERSET_MULTI_INSTANCES          InstanceType = 2  // any number, with names
	PERF_COUNTERSET_SINGLE_AGGREGATE         InstanceType = 4  // any number, shown as the one value that AggregateFunc makes of them
	PERF_COUNTERSET_MULTI_AGGREGATE          InstanceType = 6  // any number, with names, and _Total, which AggregateFunc makes of them
	PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY InstanceType = 12 // as SINGLE_AGGREGATE; those that are gone count
	PERF_COUNTERSET_INSTANCE_AGGREGATE       InstanceType = 22 // those of one name are one; MS-PCQ says that it is unimplemented
)

var instanceTypes = enum[InstanceType]{
	{PERF_COUNTERSET_SINGLE_INSTANCE, "PERF_COUNTERSET_SINGLE_INSTANCE"}, {PERF_COUNTERSET_MULTI_INSTANCES, "PERF_COUNTERSET_MULTI_INSTANCES"},
	{PERF_COUNTERSET_SINGLE_AGGREGATE, "PERF_COUNTERSET_SINGLE_AGGREGATE"}, {PERF_COUNTERSET_MULTI_AGGREGATE, "PERF_COUNTERSET_MULTI_AGGREGATE"},
	{PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY, "PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY"}, {PERF_COUNTERSET_INSTANCE_AGGREGATE, "PERF_COUNTERSET_INSTANCE_AGGREGATE"},
}

// Valid reports whether it is one of the six.
func (t InstanceType) Valid() bool { return instanceTypes.name(t) != "" }

// String returns the name in C, or the number.
func (t InstanceType) String() string { return instanceTypes.text(t) }

// ParseInstanceType reads a name in C. The error wraps [ErrRange].
func ParseInstanceType(s string) (InstanceType, error) { return instanceTypes.parse(s) }

// AggregateFunc says how the values of instances become one.
//
// Source: https://learn.microsoft.com/windows/win32/api/perflib/ns-perflib-perf_counter_reg_info
type AggregateFunc uint32

const (
	PERF_AGGREGATE_UNDEFINED AggregateFunc = 0
	PERF_AGGREGATE_TOTAL     AggregateFunc = 1
	PERF_AGGREGATE_AVG       AggregateFunc = 2
	PERF_AGGREGATE_MIN       AggregateFunc = 3
	PERF_AGGREGATE_MAX       AggregateFunc = 4
)

var aggregateFuncs = enum[AggregateFunc]{
	{PERF_AGGREGATE_UNDEFINED, "PERF_AGGREGATE_UNDEFINED"}, {PERF_AGGREGATE_TOTAL, "PERF_AGGREGATE_TOTAL"},
	{PERF_AGGREGATE_AVG, "PERF_AGGREGATE_AVG"}, {PERF_AGGREGATE_MIN, "PERF_AGGREGATE_MIN"}, {PERF_AGGREGATE_MAX, "PERF_AGGREGATE_MAX"},
}

// Valid reports whether it is one of the five.
func (f AggregateFunc) Valid() bool { return aggregateFuncs.name(f) != "" }

// String returns the name in C, or the number.
func (f AggregateFunc) String() string { return aggregateFuncs.text(f) }

// ParseAggregateFunc reads a name in C. The error wraps [ErrRange].
func ParseAggregateFunc(s string) (AggregateFunc, error) { return aggregateFuncs.parse(s) }

// Attrib says how the value of a counter is shown: any of the flags.
//
// Source: https://learn.microsoft.com/windows/win32/api/perflib/ns-perflib-perf_counter_info
type Attrib uint64

const (
	PERF_ATTRIB_BY_REFERENCE       Attrib = 0x01 // the provider keeps the value, and Windows its address
	PERF_ATTRIB_NO_DISPLAYABLE     Attrib = 0x02
	PERF_ATTRIB_NO_GROUP_SEPARATOR Attrib = 0x04
	PERF_ATTRIB_DISPLAY_AS_REAL    Attrib = 0x08
	PERF_ATTRIB_DISPLAY_AS_HEX     Attrib = 0x10
)

var attribs = enum[Attrib]{
	{PERF_ATTRIB_BY_REFERENCE, "PERF_ATTRIB_BY_REFERENCE"}, {PERF_ATTRIB_NO_DISPLAYABLE, "PERF_ATTRIB_NO_DISPLAYABLE"},
	{PERF_ATTRIB_NO_GROUP_SEPARATOR, "PERF_ATTRIB_NO_GROUP_SEPARATOR"}, {PERF_ATTRIB_DISPLAY_AS_REAL, "PERF_ATTRIB_DISPLAY_AS_REAL"},
	{PERF_ATTRIB_DISPLAY_AS_HEX, "PERF_ATTRIB_DISPLAY_AS_HEX"},
}

// Valid reports whether no bit is set but those of the flags.
func (a Attrib) Valid() bool { return a&^(1<<len(attribs)-1) == 0 }

// String returns the flags, names in C joined by |, and what is left in hex.
func (a Attrib) String() string {
	var parts []string
	for _, e := range attribs {
		if a&e.value != 0 {
			parts = append(parts, e.name)
			a &^= e.value
		}
	}
	if a != 0 || parts == nil {
		parts = append(parts, "0x"+strconv.FormatUint(uint64(a), 16))
	}
	return strings.Join(parts, "|")
}

// ParseAttrib reads flags as [Attrib.String] writes them: names in C and numbers of 64
// bits, joined by | with or without blanks. The error wraps [ErrRange].
func ParseAttrib(s string) (Attrib, error) {
	var a Attrib
	for word := range strings.SplitSeq(s, "|") {
		word = strings.TrimSpace(word)
		flag, err := attribs.parse(word)
		if err != nil {
			n, notNumber := parseNumber(word, 64)
			if notNumber != nil {
				return 0, err
			}
			flag = Attrib(n)
		}
		a |= flag
	}
	return a, nil
}

// Names and numbers that stand for several.
const (
	PERF_WILDCARD_COUNTER   uint32 = 0xFFFFFFFF // CounterId: all counters of the set
	PERF_WILDCARD_INSTANCE         = "*"        // name: all instances
	PERF_AGGREGATE_INSTANCE        = "_Total"   // name: what the instances come to
	PERF_MAX_INSTANCE_NAME  uint32 = 1024       // characters of a name, its NUL included
)

// statuses are the errors that the documentation of perflib.h speaks of, by their names
// in winerror.h.
var statuses = enum[uint32]{
	{3, "ERROR_PATH_NOT_FOUND"},
	{5, "ERROR_ACCESS_DENIED"},
	{8, "ERROR_NOT_ENOUGH_MEMORY"},
	{14, "ERROR_OUTOFMEMORY"},
	{87, "ERROR_INVALID_PARAMETER"},
	{183, "ERROR_ALREADY_EXISTS"},
	{232, "ERROR_NO_DATA"},
	{1168, "ERROR_NOT_FOUND"},
	{1450, "ERROR_NO_SYSTEM_RESOURCES"},
	{4200, "ERROR_WMI_GUID_NOT_FOUND"},
	{4201, "ERROR_WMI_INSTANCE_NOT_FOUND"},
	{4202, "ERROR_WMI_ITEMID_NOT_FOUND"},
	{4211, "ERROR_WMI_INVALID_REGINFO"},
}

// Statuses yields the errors that have a [StatusName], in order of their numbers.
func Statuses() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for _, one := range statuses {
			if !yield(one.value) {
				return
			}
		}
	}
}

// StatusName returns the name that winerror.h has for the Win32 error of a dwStatus or
// Status, "" for one that the documentation of perflib.h does not speak of.
func StatusName(status uint32) string { return statuses.name(status) }

// ParseStatus reads a [StatusName]. The error wraps [ErrRange].
func ParseStatus(s string) (uint32, error) { return statuses.parse(s) }

// An enum has the names in C of a type's values.
type enum[T ~uint32 | ~uint64] []struct {
	value T
	name  string
}

// name returns the value's name, "" if it has none.
func (e enum[T]) name(v T) string {
	for _, one := range e {
		if one.value == v {
			return one.name
		}
	}
	return ""
}

// text returns the value's name, or its number.
func (e enum[T]) text(v T) string {
	if name := e.name(v); name != "" {
		return name
	}
	return fmt.Sprint(uint64(v))
}

// parse reads a name. The error lists them.
func (e enum[T]) parse(s string) (T, error) {
	names := make([]string, len(e))
	for i, one := range e {
		if one.name == s {
			return one.value, nil
		}
		names[i] = one.name
	}
	return 0, Faultf(ErrRange, "%s is none of %s", quote.Short(s), strings.Join(names, ", "))
}
