package dump

import (
	"encoding/binary"
	"strings"
	"time"

	"github.com/perfblock/perfblock/internal/cname"
	"github.com/perfblock/perfblock/layout"
)

// meaningOf returns a name, a date or a word for the value n of the field, or "".
func (e *entry) meaningOf(n int64, b []byte) string {
	switch e.Field.Go {
	case "CounterType":
		return typeName(layout.CounterType(n))
	case "DetailLevel":
		return nameOf(layout.DetailLevel(n))
	case "PerfCounterDataType":
		return nameOf(layout.PerfCounterDataType(n))
	case "InstanceType":
		return nameOf(layout.InstanceType(n))
	case "AggregateFunc":
		return nameOf(layout.AggregateFunc(n))
	case "Attrib":
		if n == 0 {
			return ""
		}
		return layout.Attrib(n).String()
	}
	if word, ok := words[e.Field.Name][n]; ok {
		return word
	}
	switch e.Field.Name {
	case "wYear": // the line of the year shows the whole date
		return moment(b, e.Base())
	case "wDayOfWeek":
		if n <= int64(time.Saturday) {
			return time.Weekday(n).String()
		}
	case "PerfTime100nSec", "PerfTime100NSec":
		return fileTime(n)
	case "NumInstances":
		return cname.Instances(int32(n))
	case "dwStatus", "Status":
		return layout.StatusName(uint32(n))
	}
	if e.Record == &layout.PERF_COUNTER_IDENTIFIER && uint32(n) == layout.PERF_WILDCARD_COUNTER {
		switch e.Field.Name {
		case "CounterId":
			return "all of the set"
		case "InstanceId":
			return "any"
		}
	}
	return ""
}

// words has words for single values of fields.
var words = map[string]map[int64]string{
	"LittleEndian":           {0: "big-endian", 1: "little-endian"},
	"DefaultCounter":         {-1: "none"},
	"CodePage":               {0: "UTF-16"},
	"ParentObjectTitleIndex": {0: "no parent"},
	"UniqueID":               {int64(layout.PERF_NO_UNIQUE_ID): "PERF_NO_UNIQUE_ID"},
	"dwOffset":               noString,
	"BaseCounterId":          noString, // 0xffffffff also means none in the fields with an id
	"PerfTimeId":             noString,
	"PerfFreqId":             noString,
	"MultiId":                noString,
}

var noString = map[int64]string{int64(layout.NoString): "none"}

// An enum is a value of an enumeration in C. String returns its C name, or its number if it is not valid.
type enum interface {
	Valid() bool
	String() string
}

// nameOf returns the C name of v, or "" if v is not a valid value.
func nameOf(v enum) string {
	if v.Valid() {
		return v.String()
	}
	return ""
}

// typeName returns the name of a counter type, or its bits if it has no name.
func typeName(t layout.CounterType) string {
	if t.Predefined() {
		return t.String()
	}
	return strings.ReplaceAll(t.Bits(), " | ", "|")
}

// moment returns the date of the SYSTEMTIME at offset off of b, or "" if it is invalid or not in b.
func moment(b []byte, off int64) string {
	if off+int64(layout.SYSTEMTIME.Size) > int64(len(b)) {
		return ""
	}
	var fields layout.SystemTime
	_, _ = binary.Decode(b[off:], le, &fields) // b is long enough
	t, err := fields.Time()
	if err != nil {
		return ""
	}
	return t.Format("2006-01-02 15:04:05.000 UTC")
}

// fileTime returns the date of a PerfTime100nSec. It returns "" for 0 and for a date that
// does not fit into a SYSTEMTIME.
func fileTime(n int64) string {
	t := layout.FromFileTime(n)
	if _, err := layout.SystemTimeOf(t); err != nil || n <= 0 {
		return ""
	}
	return t.Format("2006-01-02 15:04:05.0000000 UTC")
}
