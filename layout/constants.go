package layout

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/cname"
	"github.com/perfblock/perfblock/internal/quote"
)

// The field NumInstances of a PERF_OBJECT_TYPE is a number of instances, or one of these values.
const (
	PERF_NO_INSTANCES                int32 = -1 // one counter block without an instance definition
	PERF_METADATA_MULTIPLE_INSTANCES int32 = -2 // object of a metadata query (Windows 10 2004) that can have instances
	PERF_METADATA_NO_INSTANCES       int32 = -3 // object of a metadata query (Windows 10 2004) without instances
)

const (
	PERF_NO_UNIQUE_ID int32 = -1 // UniqueID of an instance that is identified by its name

	PERF_DATA_VERSION  uint32 = 1
	PERF_DATA_REVISION uint32 = 1
)

// Align is the alignment in bytes of objects, instances, counter blocks and results. Their lengths, including names and
// padding, are multiples of Align. The HeaderLength of a PERF_DATA_BLOCK is a multiple of Align too.
const Align = 8

// Signature is the value of the field Signature of a PERF_DATA_BLOCK: PERF in UTF-16.
var Signature = [4]uint16{'P', 'E', 'R', 'F'}

// The smallest and the largest DefaultScale of a PERF_COUNTER_DEFINITION. The names in C are PDH_MIN_SCALE and
// PDH_MAX_SCALE.
const (
	MinScale = -7
	MaxScale = 7
)

// DetailLevel is the audience of an object or counter.
type DetailLevel uint32

const (
	PERF_DETAIL_NOVICE   DetailLevel = 100
	PERF_DETAIL_ADVANCED DetailLevel = 200
	PERF_DETAIL_EXPERT   DetailLevel = 300
	PERF_DETAIL_WIZARD   DetailLevel = 400
)

var detailLevels = enum[DetailLevel]{
	{PERF_DETAIL_NOVICE, "PERF_DETAIL_NOVICE"}, {PERF_DETAIL_ADVANCED, "PERF_DETAIL_ADVANCED"},
	{PERF_DETAIL_EXPERT, "PERF_DETAIL_EXPERT"}, {PERF_DETAIL_WIZARD, "PERF_DETAIL_WIZARD"},
}

// Valid reports whether the value is one of the four PERF_DETAIL constants.
func (d DetailLevel) Valid() bool { return detailLevels.name(d) != "" }

// String returns the level's name in C, or its number.
func (d DetailLevel) String() string { return detailLevels.text(d) }

// ParseDetailLevel reads a level's name in C. The error wraps [ErrRange].
func ParseDetailLevel(s string) (DetailLevel, error) {
	return detailLevels.parse(s)
}

// PerfCounterDataType selects the format of the data after a PERF_COUNTER_HEADER.
//
// Source: https://learn.microsoft.com/windows/win32/api/perflib/ne-perflib-perfcounterdatatype
type PerfCounterDataType uint32

const (
	PERF_ERROR_RETURN       PerfCounterDataType = 0 // no data; dwStatus is the error
	PERF_SINGLE_COUNTER     PerfCounterDataType = 1 // one value
	PERF_MULTIPLE_COUNTERS  PerfCounterDataType = 2 // ids, and one value for each id
	PERF_MULTIPLE_INSTANCES PerfCounterDataType = 4 // instances with one value each
	PERF_COUNTERSET         PerfCounterDataType = 6 // ids, and instances with one value for each id
)

var dataTypes = enum[PerfCounterDataType]{
	{PERF_ERROR_RETURN, "PERF_ERROR_RETURN"}, {PERF_SINGLE_COUNTER, "PERF_SINGLE_COUNTER"},
	{PERF_MULTIPLE_COUNTERS, "PERF_MULTIPLE_COUNTERS"}, {PERF_MULTIPLE_INSTANCES, "PERF_MULTIPLE_INSTANCES"},
	{PERF_COUNTERSET, "PERF_COUNTERSET"},
}

// Valid reports whether the value is one of the five constants.
func (t PerfCounterDataType) Valid() bool { return dataTypes.name(t) != "" }

// String returns the name in C, or the number.
func (t PerfCounterDataType) String() string { return dataTypes.text(t) }

// PerfRegInfoType is the request code of PerfQueryCounterSetRegistrationInfo.
//
// Source: https://learn.microsoft.com/windows/win32/api/perflib/ne-perflib-perfreginfotype
type PerfRegInfoType uint32

const (
	PERF_REG_COUNTERSET_STRUCT       PerfRegInfoType = 1  // the set and all its counters
	PERF_REG_COUNTER_STRUCT          PerfRegInfoType = 2  // one counter
	PERF_REG_COUNTERSET_NAME_STRING  PerfRegInfoType = 3  // the set's name
	PERF_REG_COUNTERSET_HELP_STRING  PerfRegInfoType = 4  // the set's help text
	PERF_REG_COUNTER_NAME_STRINGS    PerfRegInfoType = 5  // the names of the counters
	PERF_REG_COUNTER_HELP_STRINGS    PerfRegInfoType = 6  // the help texts of the counters
	PERF_REG_PROVIDER_NAME           PerfRegInfoType = 7  // the provider's name
	PERF_REG_PROVIDER_GUID           PerfRegInfoType = 8  // the provider's GUID
	PERF_REG_COUNTERSET_ENGLISH_NAME PerfRegInfoType = 9  // the set's name in English
	PERF_REG_COUNTER_ENGLISH_NAMES   PerfRegInfoType = 10 // the names of the counters in English
)

var regInfoTypes = enum[PerfRegInfoType]{
	{PERF_REG_COUNTERSET_STRUCT, "PERF_REG_COUNTERSET_STRUCT"}, {PERF_REG_COUNTER_STRUCT, "PERF_REG_COUNTER_STRUCT"},
	{PERF_REG_COUNTERSET_NAME_STRING, "PERF_REG_COUNTERSET_NAME_STRING"}, {PERF_REG_COUNTERSET_HELP_STRING, "PERF_REG_COUNTERSET_HELP_STRING"},
	{PERF_REG_COUNTER_NAME_STRINGS, "PERF_REG_COUNTER_NAME_STRINGS"}, {PERF_REG_COUNTER_HELP_STRINGS, "PERF_REG_COUNTER_HELP_STRINGS"},
	{PERF_REG_PROVIDER_NAME, "PERF_REG_PROVIDER_NAME"}, {PERF_REG_PROVIDER_GUID, "PERF_REG_PROVIDER_GUID"},
	{PERF_REG_COUNTERSET_ENGLISH_NAME, "PERF_REG_COUNTERSET_ENGLISH_NAME"}, {PERF_REG_COUNTER_ENGLISH_NAMES, "PERF_REG_COUNTER_ENGLISH_NAMES"},
}

// Valid reports whether the value is one of the ten constants.
func (t PerfRegInfoType) Valid() bool { return regInfoTypes.name(t) != "" }

// String returns the name in C, or the number.
func (t PerfRegInfoType) String() string { return regInfoTypes.text(t) }

// InstanceType declares whether a counter set has instances and how they are aggregated.
//
// Source: https://learn.microsoft.com/windows/win32/api/perflib/ns-perflib-perf_counterset_info
type InstanceType uint32

// The flags of an instance type.
const (
	PERF_COUNTERSET_FLAG_MULTIPLE  InstanceType = 2
	PERF_COUNTERSET_FLAG_AGGREGATE InstanceType = 4
	PERF_COUNTERSET_FLAG_HISTORY   InstanceType = 8
	PERF_COUNTERSET_FLAG_INSTANCE  InstanceType = 16
)

// The instance types of counter sets. For a type with AGGREGATE in its name, the [AggregateFunc] of a counter combines
// the values of instances.
const (
	PERF_COUNTERSET_SINGLE_INSTANCE          InstanceType = 0  // one instance, without a name
	PERF_COUNTERSET_MULTI_INSTANCES          InstanceType = 2  // any number of instances with names
	PERF_COUNTERSET_SINGLE_AGGREGATE         InstanceType = 4  // any number of instances, shown as a single value
	PERF_COUNTERSET_MULTI_AGGREGATE          InstanceType = 6  // any number of instances with names, and _Total
	PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY InstanceType = 12 // as SINGLE_AGGREGATE, including instances that no longer exist
	PERF_COUNTERSET_INSTANCE_AGGREGATE       InstanceType = 22 // instances with the same name are combined; unimplemented according to MS-PCQ
)

var instanceTypes = enum[InstanceType]{
	{PERF_COUNTERSET_SINGLE_INSTANCE, "PERF_COUNTERSET_SINGLE_INSTANCE"}, {PERF_COUNTERSET_MULTI_INSTANCES, "PERF_COUNTERSET_MULTI_INSTANCES"},
	{PERF_COUNTERSET_SINGLE_AGGREGATE, "PERF_COUNTERSET_SINGLE_AGGREGATE"}, {PERF_COUNTERSET_MULTI_AGGREGATE, "PERF_COUNTERSET_MULTI_AGGREGATE"},
	{PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY, "PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY"}, {PERF_COUNTERSET_INSTANCE_AGGREGATE, "PERF_COUNTERSET_INSTANCE_AGGREGATE"},
}

// Valid reports whether the value is one of the six combinations with a name.
func (t InstanceType) Valid() bool { return instanceTypes.name(t) != "" }

// String returns the name in C, or the number.
func (t InstanceType) String() string { return instanceTypes.text(t) }

// AggregateFunc is the function that combines the values of instances.
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

// Valid reports whether the value is one of the five constants.
func (f AggregateFunc) Valid() bool { return aggregateFuncs.name(f) != "" }

// String returns the name in C, or the number.
func (f AggregateFunc) String() string { return aggregateFuncs.text(f) }

// Attrib has flags for the display of a counter value.
//
// Source: https://learn.microsoft.com/windows/win32/api/perflib/ns-perflib-perf_counter_info
type Attrib uint64

const (
	PERF_ATTRIB_BY_REFERENCE       Attrib = 0x01 // the provider keeps the value, and Windows has its address
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

// Valid reports whether only bits of the PERF_ATTRIB constants are set.
func (a Attrib) Valid() bool { return a&^(1<<len(attribs)-1) == 0 }

// String returns the C names of the flags that are set, and a hexadecimal number for other bits,
// joined by |.
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

// ParseAttrib parses flags in the form of [Attrib.String]: C names and numbers of 64 bits, joined by
// |. Blanks around | are ignored. The error wraps [ErrRange].
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

// Names and ids with a special meaning.
const (
	PERF_WILDCARD_COUNTER   uint32 = 0xFFFFFFFF // CounterId: all counters of the set
	PERF_WILDCARD_INSTANCE         = "*"        // name: all instances
	PERF_AGGREGATE_INSTANCE        = "_Total"   // name: the total of the instances
	PERF_MAX_INSTANCE_NAME  uint32 = 1024       // maximum number of characters of a name, including its NUL
)

// StatusName returns the name of a Win32 error, as in winerror.h. The argument is the value of a
// dwStatus or Status field. The result is "" for an error that the documentation of perflib.h does
// not mention.
func StatusName(status uint32) string {
	for _, s := range cname.Statuses {
		if s.Value == status {
			return s.Name
		}
	}
	return ""
}

// An enum lists the named values of a type with their C names.
type enum[T ~uint32 | ~uint64] []struct {
	value T
	name  string
}

// name returns the name of the value, or "" if it has none.
func (e enum[T]) name(v T) string {
	for _, one := range e {
		if one.value == v {
			return one.name
		}
	}
	return ""
}

// text returns the name of the value, or its number.
func (e enum[T]) text(v T) string {
	if name := e.name(v); name != "" {
		return name
	}
	return fmt.Sprint(uint64(v))
}

// parse converts a name to its value. For an unknown name, the error lists the known names.
func (e enum[T]) parse(s string) (T, error) {
	names := make([]string, len(e))
	for i, one := range e {
		if one.name == s {
			return one.value, nil
		}
		names[i] = one.name
	}
	return 0, Faultf(ErrRange, "%s is not one of %s", quote.Short(s), strings.Join(names, ", "))
}
