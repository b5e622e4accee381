package diff

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/suggest"
)

// A Sort is a class of differences, such as counter values. [Options] can ignore all differences of a sort.
type Sort uint8

const (
	Values  Sort = iota // counter values
	Times               // when the data was collected
	Names               // names and other texts
	Fields              // fields that are not of another sort, such as CounterType
	Lengths             // lengths, offsets and counts that the contents do not explain
	Records             // records that one block does not have
	Order               // records in another order
	Padding             // bytes that hold no data
	Unread              // bytes that no field refers to, or that a fault makes unreadable
)

// sorts has the name of each sort, the noun for one difference, and the text for the help.
var sorts = [...]struct{ name, noun, doc string }{
	Values:  {"values", "value", "counter values"},
	Times:   {"times", "time", "when the data was collected: SystemTime, PerfTime and the like"},
	Names:   {"names", "name", "a changed system name or text; an instance with another name counts as another record"},
	Fields:  {"fields", "field", "all other fields, such as CounterType"},
	Lengths: {"lengths", "length", "lengths, offsets and counts that the contents do not explain"},
	Records: {"records", "record", "records that one block does not have, such as instances"},
	Order:   {"order", "move", "records in another order"},
	Padding: {"padding", "padding part", "padding that is not zero"},
	Unread:  {"unread", "unread part", "bytes that no field refers to, or that a fault makes unreadable"},
}

// Sorts returns all sorts.
func Sorts() []Sort {
	all := make([]Sort, len(sorts))
	for i := range all {
		all[i] = Sort(i)
	}
	return all
}

func (s Sort) String() string {
	if int(s) < len(sorts) {
		return sorts[s].name
	}
	return strconv.Itoa(int(s))
}

// Doc describes the sort for a help text, without a full stop.
func (s Sort) Doc() string {
	if int(s) < len(sorts) {
		return sorts[s].doc
	}
	return ""
}

// ParseSort parses a sort in the form of [Sort.String]. The error lists the sorts.
func ParseSort(s string) (Sort, error) {
	var names []string
	for i, one := range sorts {
		if one.name == s {
			return Sort(i), nil
		}
		names = append(names, one.name)
	}
	return 0, fmt.Errorf("no sort of differences %q: must be one of %s%s", s, strings.Join(names, ", "), suggest.DidYouMean(s, names))
}

// Counts has the number of differences of each sort.
type Counts [len(sorts)]int

// Total returns the number of differences of all sorts.
func (c Counts) Total() int {
	n := 0
	for _, one := range c {
		n += one
	}
	return n
}
