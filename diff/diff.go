// Package diff compares two blocks of performance counters: their records, fields, names and
// values. A test shows how a block differs from the expected one:
//
//	if d := diff.Text(layout.DataBlockKind, want, got); d != "" {
//		t.Error(d)
//	}
//
// Records match by identity, not by position. The identities are:
//
//   - objects and counters of V1: the title index
//   - base counters without a title: the title index of the counter before
//   - instances of V1: name, parent and UniqueID
//   - instances of V2: InstanceId and name
//   - counters, strings and values of V2: the counter id
//   - identifiers: counter set, counter id, InstanceId and name
//   - results: type and list of ids
//   - GUIDs: the value
//
// Records with the same identity match in the order of their offsets. If the other block has no record with the same
// identity, a record matches a similar record:
//
//   - objects: the help index is the same and not 0
//   - counters of V1: the help index is the same; if it is 0, the type and the offset must also be the same
//   - results: the position is the same
//   - instances: the name is the same and not empty, and both instances have the same position after the preceding
//     match; the parent, UniqueID or InstanceId differs
//
// A record that only one block has is one difference, including the records in it. Lengths, offsets, counts and
// references to other records often change because the contents change. A change of such a field is not a difference if
// the contents explain the change:
//
//   - A count is explained if it differs from the number of records by the same amount in both blocks.
//   - The length of a name is explained if the name has that length in both blocks.
//   - Any other length, and an offset, points to a place. The field is explained if the contents before this place end
//     at different places in the two blocks. The padding between the contents and the place must have the same length
//     in both blocks, or less than 8 bytes in each.
//   - A CounterOffset is never explained if the objects have the same counters in the same order, with values of the
//     same sizes.
//   - The offset of a string is explained only if the strings match.
//   - An index is explained if it refers to records that match.
//
// Padding is a difference if the bytes differ. If the padding is longer in one block, additional zero bytes at its end
// are not a difference.
//
// Compare reads a broken block as far as [layout.Walk] can. It compares the rest as bytes. Equal blocks have no
// differences, and other blocks have at least one. If the caller swaps the blocks, the sides of each difference are
// swapped.
//
// Time is linear in the size of the blocks, with a logarithmic factor if records have another order.
// Memory is linear in the size of the blocks.
package diff

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// DefaultMax is the default of [Options.Max].
const DefaultMax = 1000

// Options choose the differences to report. The zero value is the default.
type Options struct {
	Ignore []Sort // differences of these sorts are neither listed nor counted

	// Max is the largest number of listed differences of each [Sort]. The counts include all differences.
	// 0 means [DefaultMax], a negative number means no limit.
	Max int
}

// A Result has the differences of two blocks, A and B.
type Result struct {
	Kind         layout.Kind
	SizeA, SizeB int          // bytes of the blocks
	Differences  []Difference // in the order of A; parts that only B has follow the parts of A in the same record
	Counts       Counts       // all differences, listed or not
	Ignored      []Sort       // Options.Ignore
}

// Truncated reports whether some differences are counted but not listed.
func (r *Result) Truncated() bool { return r.Counts.Total() > len(r.Differences) }

// A Difference is one difference between two blocks. A and B are the parts that differ. If a record was added, removed
// or moved, the part is a [layout.RecordPart] of the whole record, including nested records. A SYSTEMTIME is a
// RecordPart too.
type Difference struct {
	Sort   Sort
	Change Change
	A, B   layout.Part // A is the zero Part if the part was added; B is the zero Part if it was removed

	// Identity is the path with titles, names and ids in place of positions, such as
	// object[230].instance["chrome"].block.value[142]. It is the path in A, or in B if the part was added.
	Identity string
}

// A Change is the kind of change of a part from A to B.
type Change uint8

const (
	Changed Change = iota
	Removed        // only A has the part
	Added          // only B has the part
	Moved          // both have the record, and the order of the records differs
)

var changes = [...]string{Changed: "changed", Removed: "removed", Added: "added", Moved: "moved"}

func (c Change) String() string {
	if int(c) < len(changes) {
		return changes[c]
	}
	return strconv.Itoa(int(c))
}

// A Sort is a class of differences, such as counter values. [Options] can ignore all differences of a sort.
type Sort uint8

const (
	Values  Sort = iota // counter values
	Times               // when the data was collected
	Names               // names and other texts
	Fields              // fields that are not of another sort, such as CounterType
	Lengths             // lengths, offsets and counts, if no other difference explains the change
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
	Lengths: {"lengths", "length", "lengths, offsets and counts, if no other difference explains the change"},
	Records: {"records", "record", "records that only one block has, such as instances"},
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
	return 0, fmt.Errorf("unknown sort of differences %q: must be one of %s%s", s, strings.Join(names, ", "), suggest.DidYouMean(s, names))
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

// Compare compares two blocks of one kind. The parts in the result share the memory of a and b.
func Compare(kind layout.Kind, a, b []byte, o Options) Result {
	c := comparison{result: Result{Kind: kind, SizeA: len(a), SizeB: len(b), Ignored: o.Ignore}, most: o.Max}
	if c.most == 0 {
		c.most = DefaultMax
	}
	order := bytes.Compare(a, b)
	if order == 0 {
		return c.result
	}
	for _, s := range o.Ignore {
		if int(s) < len(sorts) {
			c.ignored[s] = true
		}
	}
	c.swapped = order > 0
	c.a, c.b = newTree(kind, a), newTree(kind, b)
	c.match()
	c.compareRecords(whole, whole)
	if !c.found {
		c.anyBytes(a, b)
	}
	identify(kind, a, c.result.Differences, false)
	identify(kind, b, c.result.Differences, true)
	return c.result
}

// identify sets the Identity of some differences. If added is true, these are the differences with the Change Added,
// and block is B. If added is false, these are all other differences, and block is A.
func identify(kind layout.Kind, block []byte, all []Difference, added bool) {
	var found []*Difference
	var places []validate.Finding
	for i := range all {
		d := &all[i]
		if (d.Change == Added) != added {
			continue
		}
		part := d.part()
		off := part.Off()
		// For the string of an entry, identity.Of requires the offset of the entry, not of the string.
		if steps := part.Path.Elems(); len(steps) > 0 && steps[0].Name == "entry" {
			off = layout.SizeofStringBufferHeader + int64(steps[0].Index)*layout.SizeofStringCounterHeader
		}
		found, places = append(found, d), append(places, validate.Finding{Path: part.Path, Off: off})
	}
	for i, path := range identity.Of(kind, block, places) {
		found[i].Identity = path
	}
}

// part returns the part in A, or the part in B for an added part.
func (d *Difference) part() *layout.Part {
	if d.Change == Added {
		return &d.B
	}
	return &d.A
}

// anyBytes adds one difference: the rest of A and the rest of B, from the first byte that differs.
func (c *comparison) anyBytes(a, b []byte) {
	at := commonPrefix(a, b)
	c.addDifference(Unread, func() Difference {
		return Difference{
			A: layout.Part{Span: layout.NewSpan(a[at:], int64(at)), Sort: layout.UnreadPart},
			B: layout.Part{Span: layout.NewSpan(b[at:], int64(at)), Sort: layout.UnreadPart},
		}
	})
}
