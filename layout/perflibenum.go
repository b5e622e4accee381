package layout

import (
	"strconv"
	"strings"
)

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
