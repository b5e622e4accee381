package spec

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

const examplePath = "object[0].instance[1].NameLength"

// parsePath reads a path of a patch. The text may also be a misspelled operation, such as apend: the error suggests
// append.
func parsePath(n *yaml.Node) (layout.Path, error) {
	if n.Kind != yaml.ScalarNode || yamltext.IsNull(n) {
		return layout.Path{}, yamltext.Want(n, "a path such as "+examplePath)
	}
	path, err := layout.ParsePath(n.Value)
	if err != nil {
		return path, layout.Faultf(layout.ErrPath, "%s is not a path such as %s", quote.Short(n.Value), examplePath)
	}
	first := path.Elems()[0]
	starts := headParts
	if first.Indexed() {
		starts = listParts
	}
	if !slices.Contains(starts, first.Name) {
		return path, layout.Faultf(layout.ErrPath, "%s is not a path or an operation; %s", quote.Short(n.Value), pathHint(n.Value, first))
	}
	return path, nil
}

// pathHint returns a hint such as "did you mean object[0].CodePage?". The argument path is a text that is neither a
// path nor an operation.
func pathHint(path string, first layout.Elem) string {
	operations := []string{"cut", "insert", "append", "at", "hex"}
	following := strings.TrimPrefix(path, first.Name)
	if first.Indexed() {
		_, following, _ = strings.Cut(following, "]")
	}
	switch name := suggest.Similar(first.Name, slices.Concat(headParts, listParts, operations)); {
	case slices.Contains(listParts, name):
		return fmt.Sprintf("did you mean %s[%d]%s?", name, max(0, first.Index), following)
	case name != "":
		return fmt.Sprintf("did you mean %s%s?", name, following)
	}
	return fmt.Sprintf("write a path such as %s, an operation (cut, insert or append), or the keys \"at\" and \"hex\"", examplePath)
}

// The names with which a path can start.
var (
	// Elements of a list, such as object[0].
	listParts = []string{"object", "result", "instance", "identifier", "counter", "guid", "entry", "slot"}
	// Parts of the first record, such as SystemName.
	headParts = headWords()
)

func headWords() []string {
	words := []string{"SystemName", "Name", "Text", "padding"}
	for _, r := range []*layout.Record{
		&layout.PERF_DATA_BLOCK, &layout.PERF_DATA_HEADER, &layout.PERF_COUNTERSET_REG_INFO,
		&layout.PERF_STRING_BUFFER_HEADER, &layout.PERF_COUNTERSET_INFO, &layout.PERF_COUNTERSET_INSTANCE,
	} {
		for _, f := range r.Fields {
			words = append(words, f.Name)
		}
	}
	return words
}

// pathPattern matches a path if its first element is possible in some kind of block.
var pathPattern = `^((` + strings.Join(listParts, "|") + `)\[[0-9]+\](\.[A-Za-z][A-Za-z0-9]*(\[[0-9]+\])?){0,4}|(dw)?[A-Z][A-Za-z0-9]*(\.[A-Za-z0-9]+)?|padding)$`

var pathSchema = form.PatternSchema(pathPattern)

// bracketInPath reports whether a syntax error is at the "[" of a path such as object[0], which requires quotes
// inside braces.
func bracketInPath(text []byte, line, column int) bool {
	lines := strings.SplitN(string(text), "\n", line+1)
	if line < 1 || line > len(lines) {
		return false
	}
	row := []rune(lines[line-1][:min(len(lines[line-1]), 1<<10)])
	if column < 1 || column > len(row) || row[column-1] != '[' {
		return false
	}
	return slices.ContainsFunc(slices.Concat(listParts, []string{"value", "data", "id"}), func(word string) bool {
		return strings.HasSuffix(string(row[:column-1]), word)
	})
}

// namedForms maps a field with named values to the form of the field.
var namedForms = map[string]*form.Form{
	"CounterType": typeForm, "Type": typeForm, "Attrib": attribForm,
	"DetailLevel": detailForm, "NumInstances": instancesCountForm, "InstanceType": instanceTypeForm, "AggregateFunc": aggregateForm,
	"dwType": dataTypeForm, "dwStatus": statusForm, "Status": statusForm,
	"CounterId": counterIDForm, "id": counterIDForm, "InstanceId": instanceIDForm,
	"BaseCounterId": noneForm, "PerfTimeId": noneForm, "PerfFreqId": noneForm, "MultiId": noneForm,
}

func isGUID(last layout.Elem) bool {
	return last.Indexed() && last.Name == "guid" || !last.Indexed() && (last.Name == "CounterSetGuid" || last.Name == "ProviderGuid")
}
