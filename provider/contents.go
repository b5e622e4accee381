package provider

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// contents describes the data of a call.
type contents struct {
	header  bool // the data starts with the signature of PERF_DATA_BLOCK
	objects []object
}

// An object describes an object in the data.
type object struct {
	title, length uint32
	instances     int32
	parents       []uint32 // sorted title indexes of the other objects that contain parents of its instances
}

// describe returns the contents of data. If the length of an object is not valid, this object is the last in the list.
func describe(data []byte) contents {
	if layout.HasSignature(data) {
		return contents{header: true}
	}
	var c contents
	for len(data) >= layout.SizeofObjectType {
		o := layout.Object{Span: layout.NewSpan(data[:layout.SizeofObjectType], 0)}
		n := o.TotalByteLength()
		one := object{title: o.ObjectNameTitleIndex(), length: n, instances: o.NumInstances()}
		whole := n >= layout.SizeofObjectType && uint64(n) <= uint64(len(data))
		if whole {
			one.parents = parents(data[:n])
			data = data[n:]
		}
		c.objects = append(c.objects, one)
		if !whole {
			break
		}
	}
	return c
}

// parents returns the ParentObjectTitleIndex of each instance whose parent is in another object. The result is sorted,
// and has each title index once.
func parents(data []byte) (titles []uint32) {
	for o, err := range layout.ReadObjects(data) {
		if err != nil {
			break
		}
		for in, err := range o.Instances() {
			if err != nil {
				break
			}
			if t := in.ParentObjectTitleIndex(); t != 0 && t != o.ObjectNameTitleIndex() {
				titles = append(titles, t)
			}
		}
	}
	slices.Sort(titles)
	return slices.Compact(titles)
}

// sum returns the sum of the lengths of the objects.
func (c *contents) sum() (n uint64) {
	for _, o := range c.objects {
		n += uint64(o.length)
	}
	return n
}

// loggedObjects is the largest number of objects, or of parents of an object, that a line of the log shows.
const loggedObjects = 8

// String returns the objects with their title indexes.
func (c contents) String() string {
	if c.header {
		return "PERF_DATA_BLOCK"
	}
	var list []string
	for i, o := range c.objects {
		if i == loggedObjects {
			list = append(list, fmt.Sprintf("%d more", len(c.objects)-i))
			break
		}
		list = append(list, o.String())
	}
	return strings.Join(list, ", ")
}

func (o object) String() string {
	text := fmt.Sprintf("%d (%d bytes", o.title, o.length)
	if o.instances < layout.PERF_NO_INSTANCES {
		text += fmt.Sprintf(", NumInstances %d", o.instances)
	}
	if n := len(o.parents); n > 0 {
		text += ", parent " + strings.Trim(fmt.Sprint(o.parents[:min(n, loggedObjects)]), "[]")
	}
	return text + ")"
}

// contentsRules has the rules about the data.
var contentsRules = []*rule{
	{validate.Rule{
		ID: "PERF3005", Name: "prov-object-sum", Severity: validate.Error, Event: 1003,
		Doc: "the lengths of the objects add up to the number of bytes that Collect returns",
		Why: "Readers use the length of an object to find the next object. If the sum of the lengths is wrong, Windows drops the data.",
		Fix: "Set TotalByteLength of each object to the distance to the next object.",
	}, func(m *callResult, report report) {
		// If the number of bytes is not a multiple of 8, the rule prov-bytes-align reports this fault instead.
		if m.hasObjects() && m.Bytes%layout.Align == 0 && m.written.sum() != uint64(m.Bytes) {
			report("data", fmt.Sprintf("the lengths of the objects add up to %d bytes", m.written.sum()), fmt.Sprintf("must be %d, the number of bytes returned", m.Bytes))
		}
	}},
	{validate.Rule{
		ID: "PERF3006", Name: "prov-object-count", Severity: validate.Error,
		Doc: "*lpNumObjectTypes is the number of objects in the data",
		Why: "Windows adds the number to NumObjectTypes of the data block. If the number is too large, readers read after the last object.",
		Fix: "Count the objects, not their instances.",
	}, func(m *callResult, report report) {
		// If the sum of the lengths is wrong, the rule prov-object-sum or prov-bytes-align reports this fault instead.
		if n := len(m.written.objects); m.hasObjects() && m.written.sum() == uint64(m.Bytes) && uint64(m.Objects) != uint64(n) {
			report("objects", fmt.Sprintf("the number of objects is %d", m.Objects), fmt.Sprintf("must be %d, as in the data", n))
		}
	}},
	{validate.Rule{
		ID: "PERF3010", Name: "prov-data-block", Severity: validate.Error,
		Doc:     "the data starts with an object; only a query that starts with Foreign may return a PERF_DATA_BLOCK",
		Why:     "Windows writes the PERF_DATA_BLOCK itself. Readers would read a second PERF_DATA_BLOCK as an object.",
		Fix:     "Write the objects only.",
		Sources: []validate.Source{collectPage, {Clause: "Performance Data Format", URL: learn + "perfctrs/performance-data-format"}},
	}, func(m *callResult, report report) {
		if m.collectReturned(success) && m.written.header && !strings.HasPrefix(m.Query, "Foreign") {
			report("data", "the data starts with the signature PERF of a data block", "must start with an object")
		}
	}},
	{validate.Rule{
		ID: "PERF3011", Name: "prov-unrequested", Severity: validate.Info,
		Doc:     "a query of title indexes returns only the objects with these indexes and the objects of their parent instances",
		Why:     "Otherwise, each query costs as much time and memory as a query of all objects. A possible cause is a search for digits: a provider finds its title 238 in the query 2380.",
		Fix:     "Split the query at its spaces, and compare each complete number with the title indexes of your objects. The query 23 does not ask for object 230.",
		Sources: []validate.Source{queryPage, collectPage},
	}, unrequested},
	{validate.Rule{
		ID: "PERF3012", Name: "prov-metadata", Severity: validate.Warning,
		Doc:     "a provider that answers MetadataGlobal or MetadataCostly sets NumInstances to -2 or -3, and its registry value Collect Supports Metadata is 1",
		Why:     "Windows passes these queries only to providers whose Performance key has the value Collect Supports Metadata. Readers expect no values in the answer.",
		Fix:     "Set the registry value Collect Supports Metadata to 1, and set NumInstances to PERF_METADATA_MULTIPLE_INSTANCES or PERF_METADATA_NO_INSTANCES. Or return no data for these queries.",
		Sources: []validate.Source{entriesPage},
	}, func(m *callResult, report report) {
		if !strings.HasPrefix(m.Query, "Metadata") || !m.hasObjects() {
			return
		}
		for _, o := range m.written.objects {
			switch isMetadata := o.instances < layout.PERF_NO_INSTANCES; {
			case m.hasMetadata && !isMetadata:
				report("data", fmt.Sprintf("NumInstances of the object %d is %d", o.title, o.instances), "must be -2 or -3, because the query is "+m.Query)
				return
			case !m.hasMetadata && isMetadata:
				report("data", fmt.Sprintf("NumInstances of the object %d is %d", o.title, o.instances), "must be -1 or more: -2 and -3 require that the registry value \"Collect Supports Metadata\" is 1")
				return
			}
		}
	}},
}

// unrequested checks the data of a query of title indexes. It reports the objects that the query does not request,
// except the objects that contain the parents of requested instances.
func unrequested(m *callResult, report report) {
	var titles []uint32
	for word := range strings.FieldsSeq(m.Query) {
		n, err := strconv.ParseUint(word, 10, 32)
		if err != nil {
			return // not a query of titles
		}
		titles = append(titles, uint32(n))
	}
	if len(titles) == 0 || !m.hasObjects() {
		return
	}
	parents := make(map[uint32][]uint32)
	for _, o := range m.written.objects {
		parents[o.title] = append(parents[o.title], o.parents...)
	}
	requested := make(map[uint32]bool)
	for ; len(titles) > 0; titles = titles[1:] { // a requested object also requests the parents of its instances
		if title := titles[0]; !requested[title] {
			requested[title] = true
			titles = append(titles, parents[title]...)
		}
	}
	var others []string
	for _, o := range m.written.objects {
		if !requested[o.title] {
			others = append(others, strconv.FormatUint(uint64(o.title), 10))
		}
	}
	if len(others) > loggedObjects {
		others = append(others[:loggedObjects], "others")
	}
	if len(others) > 0 {
		report("data", "the data has "+plural(len(others), "the object ", "the objects ")+quote.List(others, "and"), "should have only the objects of the query "+strconv.Quote(m.Query)+", and the objects that contain the parents of their instances")
	}
}
