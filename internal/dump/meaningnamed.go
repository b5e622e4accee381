package dump

import "github.com/perfblock/perfblock/layout"

// named returns what the type of a field calls n, "" if it has no name for it, and
// whether it is a type that has names.
func named(f *layout.Field, n int64) (string, bool) {
	switch f.Go {
	case "CounterType":
		return typeName(layout.CounterType(n)), true
	case "DetailLevel":
		return nameOf(layout.DetailLevel(n)), true
	case "PerfCounterDataType":
		return nameOf(layout.PerfCounterDataType(n)), true
	case "InstanceType":
		return nameOf(layout.InstanceType(n)), true
	case "AggregateFunc":
		return nameOf(layout.AggregateFunc(n)), true
	case "Attrib":
		if n == 0 {
			return "", true
		}
		return layout.Attrib(n).String(), true
	}
	return "", false
}

// An enumeration is a type with names for some of its numbers.
type enumeration interface {
	Valid() bool
	String() string
}

func nameOf(v enumeration) string {
	if v.Valid() {
		return v.String()
	}
	return ""
}

// statuses are the errors that the documentation of perflib.h speaks of, by their names
// in winerror.h.
var statuses = map[uint32]string{
	3:    "ERROR_PATH_NOT_FOUND",
	5:    "ERROR_ACCESS_DENIED",
	8:    "ERROR_NOT_ENOUGH_MEMORY",
	14:   "ERROR_OUTOFMEMORY",
	87:   "ERROR_INVALID_PARAMETER",
	183:  "ERROR_ALREADY_EXISTS",
	232:  "ERROR_NO_DATA",
	1168: "ERROR_NOT_FOUND",
	1450: "ERROR_NO_SYSTEM_RESOURCES",
	4200: "ERROR_WMI_GUID_NOT_FOUND",
	4201: "ERROR_WMI_INSTANCE_NOT_FOUND",
	4202: "ERROR_WMI_ITEMID_NOT_FOUND",
	4211: "ERROR_WMI_INVALID_REGINFO",
}

// statusName names an error, "" for none of those above.
func statusName(status uint32) string { return statuses[status] }
