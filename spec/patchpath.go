package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"go.yaml.in/yaml/v4"
)

// The paths of patches, and what is known of a field by its name.

// namedNumber reads the value of a field whose values have names.
func namedNumber(field string, n *yaml.Node) (v Number, known bool, err error) {
	switch field {
	case "CounterType", "Type":
		t, err := parseType(n.Value)
		return Number{Magnitude: uint64(t)}, true, err
	case "DetailLevel":
		return wordOf(detailForm, n)
	case "NumInstances":
		var i int32
		err := instancesCountForm.read(n, &i)
		return Number{Negative: i < 0, Magnitude: uint64(-int64(i))}, true, err
	case "Attrib":
		var a layout.Attrib
		err := attribForm.read(n, &a)
		return Number{Magnitude: uint64(a)}, true, err
	case "dwType":
		return wordOf(dataTypeForm, n)
	case "dwStatus", "Status":
		return wordOf(statusForm, n)
	case "InstanceType":
		return wordOf(instanceTypeForm, n)
	case "AggregateFunc":
		return wordOf(aggregateForm, n)
	case "CounterId", "id":
		return wordOf(counterIDForm, n)
	case "InstanceId":
		return wordOf(instanceIDForm, n)
	case "BaseCounterId", "PerfTimeId", "PerfFreqId", "MultiId":
		return wordOf(noneForm, n)
	}
	return v, false, nil
}

// wordOf reads a number of 32 bits that a form has words for.
func wordOf(f *form, n *yaml.Node) (Number, bool, error) {
	var v uint32
	err := f.read(n, &v)
	return Number{Magnitude: uint64(v)}, true, err
}

// isType reports whether a path that ends so is that of a counter type.
func isType(last layout.Elem) bool { return last.Name == "CounterType" || last.Name == "Type" }

// isGUID reports whether a path that ends so is that of a GUID.
func isGUID(last layout.Elem) bool {
	return last.Indexed && last.Name == "guid" || !last.Indexed && (last.Name == "CounterSetGuid" || last.Name == "ProviderGuid")
}

// parsePath reads a path. A word that can start none, of a block of any kind, is taken
// for a slip of a verb.
func parsePath(n *yaml.Node) (layout.Path, error) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return layout.Path{}, fmt.Errorf("wants a path such as object[0].instance[1].NameLength, not %s", describe(n))
	}
	path, err := layout.ParsePath(n.Value)
	if err != nil {
		return path, layout.Faultf(layout.ErrPath, "%s is no path such as object[0].instance[1].NameLength", quote.Short(n.Value))
	}
	first := path.Elems()[0]
	if starts := pathStarts(first.Indexed); !slices.Contains(starts, first.Name) {
		starts = append(slices.Clone(headParts), "cut", "insert", "append", "at", "hex")
		return path, layout.Faultf(layout.ErrPath, "%s is neither a path nor something a patch does%s", quote.Short(n.Value), didYouMean(first.Name, starts))
	}
	return path, nil
}

// pathStarts returns the first words of paths that have an index there, or none.
func pathStarts(indexed bool) []string {
	if indexed {
		return listParts
	}
	return headParts
}

var (
	// listParts are what blocks of some kind consist of.
	listParts = []string{"object", "result", "instance", "identifier", "counter", "guid", "entry", "slot"}
	// headParts are the fields of what stands before those, and what stands beside.
	headParts = headWords()
)

func headWords() []string {
	words := []string{"SystemName", "Name", "Text", "padding"}
	for _, r := range []*layout.Record{
		&layout.PERF_DATA_BLOCK, &layout.PERF_DATA_HEADER, &layout.PERF_COUNTERSET_REG_INFO,
		&layout.PERF_STRING_BUFFER_HEADER, &layout.PERF_COUNTERSET_INFO, &layout.PERF_COUNTERSET_INSTANCE,
	} {
		for _, f := range r.Fields {
			if !slices.Contains(words, f.Name) {
				words = append(words, f.Name)
			}
		}
	}
	return words
}

// appendPath appends a path as a scalar; in braces its brackets want quotes.
func appendPath(b []byte, p layout.Path, braces bool) []byte {
	text := p.String()
	if braces && strings.Contains(text, "[") {
		return append(append(append(b, '"'), text...), '"')
	}
	return append(b, text...)
}
