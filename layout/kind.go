package layout

import (
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
)

// A Kind says what the bytes of a block are. Only [DataBlockKind] can be seen
// from the bytes, by its signature.
//
// What PerfQueryCounterSetRegistrationInfo returns has a kind for each shape that it
// can have, as its bytes do not tell what it was asked for: of the codes of
// [PerfRegInfoType], several share a shape, and [PerfRegInfoType.Kind] says which.
type Kind uint8

// The kinds of V1, the blocks of winperf.h, come first.
const (
	DataBlockKind     Kind = iota // PERF_DATA_BLOCK and its objects: what a consumer gets
	ObjectsKind                   // objects one after the other to the end: what a provider's Collect writes
	QueryDataKind                 // PERF_DATA_HEADER and the answers: of PerfQueryCounterData
	InstancesKind                 // instances one after the other to the end: of PerfEnumerateCounterSetInstances
	IdentifiersKind               // identifiers one after the other to the end: to PerfAddCounters, of PerfQueryCounterInfo
	RegSetKind                    // PERF_COUNTERSET_REG_INFO and its counters
	RegCounterKind                // one PERF_COUNTER_REG_INFO
	RegStringKind                 // one text to the end
	RegGUIDKind                   // one GUID
	StringsKind                   // PERF_STRING_BUFFER_HEADER and the texts of the counters
	GUIDsKind                     // GUIDs one after the other to the end: of PerfEnumerateCounterSet
	TemplateKind                  // PERF_COUNTERSET_INFO and its counters: to PerfSetCounterSetInfo
	InstanceBlockKind             // PERF_COUNTERSET_INSTANCE with values and name: of PerfCreateInstance
)

var kindNames = [...]string{
	DataBlockKind: "data-block", ObjectsKind: "objects",
	QueryDataKind: "query-data", InstancesKind: "instances", IdentifiersKind: "identifiers",
	RegSetKind: "reg-set", RegCounterKind: "reg-counter", RegStringKind: "reg-string", RegGUIDKind: "reg-guid",
	StringsKind: "strings", GUIDsKind: "guids", TemplateKind: "template", InstanceBlockKind: "instance-block",
}

func (k Kind) String() string { return nameOf(kindNames[:], k) }

// nameOf returns the name of a value, or its number if it has none.
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

// V1Kinds lists the kinds of V1, the blocks of winperf.h. What is made for these alone
// takes no other.
func V1Kinds() []Kind { return []Kind{DataBlockKind, ObjectsKind} }

// V1 reports whether the kind is one of [V1Kinds].
func (k Kind) V1() bool { return k <= ObjectsKind }

// ParseKind reads a kind as [Kind.String] writes it. The error wraps [ErrRange].
func ParseKind(s string) (Kind, error) {
	for k, name := range kindNames {
		if s == name {
			return Kind(k), nil
		}
	}
	return 0, Faultf(ErrRange, "no kind %s: it is one of %s", quote.Short(s), strings.Join(kindNames[:], ", "))
}

// Kind returns the kind of what PerfQueryCounterSetRegistrationInfo returns when it is
// asked for t, and whether t is one of the codes there are.
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
