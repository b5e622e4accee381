package layout

import (
	"strconv"
	"strings"
)

// A Kind says what the bytes of a block are. Only [DataBlockKind] can be seen
// from the bytes, by its signature.
type Kind uint8

const (
	DataBlockKind Kind = iota // PERF_DATA_BLOCK and its objects: what a consumer gets
	ObjectsKind               // objects one after the other to the end: what a provider's Collect writes
)

var kindNames = [...]string{DataBlockKind: "data-block", ObjectsKind: "objects"}

func (k Kind) String() string { return nameOf(kindNames[:], k) }

// nameOf returns the name of a value, or its number if it has none.
func nameOf[T ~uint8](names []string, v T) string {
	if int(v) < len(names) {
		return names[v]
	}
	return strconv.Itoa(int(v))
}

// Kinds lists every kind.
func Kinds() []Kind { return []Kind{DataBlockKind, ObjectsKind} }

// ParseKind reads a kind as [Kind.String] writes it. The error wraps [ErrRange].
func ParseKind(s string) (Kind, error) {
	for k, name := range kindNames {
		if s == name {
			return Kind(k), nil
		}
	}
	return 0, Faultf(ErrRange, "no kind %q: it is one of %s", s, strings.Join(kindNames[:], ", "))
}

// HasSignature reports whether b starts as a PERF_DATA_BLOCK does.
func HasSignature(b []byte) bool {
	for i, u := range Signature() {
		if len(b) < 2*i+2 || le.Uint16(b[2*i:]) != u {
			return false
		}
	}
	return true
}
