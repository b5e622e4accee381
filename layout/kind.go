package layout

import (
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
)

// A Kind is the format of a block. Only a block of [DataBlockKind] starts with a signature.
//
// PerfQueryCounterSetRegistrationInfo returns one of several formats. [PerfRegInfoType.Kind] returns the kind for
// each request code.
type Kind uint8

// The kinds of V1, the blocks of winperf.h, come first.
const (
	DataBlockKind     Kind = iota // PERF_DATA_BLOCK and its objects, for consumers
	ObjectsKind                   // objects to the end of the buffer, from a provider's Collect
	QueryDataKind                 // PERF_DATA_HEADER and results, from PerfQueryCounterData
	InstancesKind                 // instances to the end, from PerfEnumerateCounterSetInstances
	IdentifiersKind               // identifiers to the end, for PerfAddCounters and from PerfQueryCounterInfo
	RegSetKind                    // PERF_COUNTERSET_REG_INFO and its counters
	RegCounterKind                // one PERF_COUNTER_REG_INFO
	RegStringKind                 // one text
	RegGUIDKind                   // one GUID
	StringsKind                   // PERF_STRING_BUFFER_HEADER and texts
	GUIDsKind                     // GUIDs to the end, from PerfEnumerateCounterSet
	TemplateKind                  // PERF_COUNTERSET_INFO and its counters, for PerfSetCounterSetInfo
	InstanceBlockKind             // PERF_COUNTERSET_INSTANCE with values and name, from PerfCreateInstance
)

var kindNames = [...]string{
	DataBlockKind: "data-block", ObjectsKind: "objects",
	QueryDataKind: "query-data", InstancesKind: "instances", IdentifiersKind: "identifiers",
	RegSetKind: "reg-set", RegCounterKind: "reg-counter", RegStringKind: "reg-string", RegGUIDKind: "reg-guid",
	StringsKind: "strings", GUIDsKind: "guids", TemplateKind: "template", InstanceBlockKind: "instance-block",
}

func (k Kind) String() string { return nameOf(kindNames[:], k) }

// nameOf returns the name of a value, or the number of a value without a name.
func nameOf[T ~uint8](names []string, v T) string {
	if int(v) < len(names) {
		return names[v]
	}
	return strconv.Itoa(int(v))
}

// Kinds lists every kind.
func Kinds() []Kind {
	all := make([]Kind, len(kindNames))
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// V1 reports whether the kind is a block of winperf.h: [DataBlockKind] or [ObjectsKind].
func (k Kind) V1() bool { return k <= ObjectsKind }

// ParseKind parses a kind in the form of [Kind.String]. The error wraps [ErrRange].
func ParseKind(s string) (Kind, error) {
	for k, name := range kindNames {
		if s == name {
			return Kind(k), nil
		}
	}
	return 0, Faultf(ErrRange, "%s is not a kind: it must be one of %s", quote.Short(s), strings.Join(kindNames[:], ", "))
}

// Kind returns the kind of the buffer that PerfQueryCounterSetRegistrationInfo returns for
// the request t, and whether t is a known request.
func (t PerfRegInfoType) Kind() (Kind, bool) {
	switch t {
	case PERF_REG_COUNTERSET_STRUCT:
		return RegSetKind, true
	case PERF_REG_COUNTER_STRUCT:
		return RegCounterKind, true
	case PERF_REG_COUNTERSET_NAME_STRING, PERF_REG_COUNTERSET_HELP_STRING, PERF_REG_PROVIDER_NAME, PERF_REG_COUNTERSET_ENGLISH_NAME:
		return RegStringKind, true
	case PERF_REG_PROVIDER_GUID:
		return RegGUIDKind, true
	case PERF_REG_COUNTER_NAME_STRINGS, PERF_REG_COUNTER_HELP_STRINGS, PERF_REG_COUNTER_ENGLISH_NAMES:
		return StringsKind, true
	}
	return 0, false
}
