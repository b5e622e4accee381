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
