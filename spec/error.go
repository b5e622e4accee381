package spec

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// An Error is an error and its place in a text. Line and Column count from 1; Column counts
// characters. Line and Column are 0 if there is no text, as in a [Spec] that was not parsed.
// Err is the error itself. If the text is well formed but the block is not valid, Err wraps the
// [*layout.Error] of the builder. For a wrong path or a value out of range, Err wraps an error
// kind of package layout.
type Error struct {
	File         string
	Line, Column int
	Err          error
}

// Error returns "file:12:5: message", without the parts that are not known.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(oneLine(e.File) + ":")
	}
	if e.Line > 0 {
		fmt.Fprintf(&b, "%d:%d:", e.Line, e.Column)
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	if e.Err == nil { // as in a zero Error
		return b.String() + "no error"
	}
	return b.String() + e.Err.Error()
}

// oneLine returns s with unprintable characters escaped. Backslashes are not escaped, because most Windows paths
// contain backslashes.
func oneLine(s string) string {
	quoted := strconv.Quote(s)
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(quoted[1 : len(quoted)-1])
}

func (e *Error) Unwrap() error { return e.Err }

// report returns err as an [*Error]. If err has several faults, it returns several joined
// [*Error] values.
func (s *Spec) report(err error) error {
	return yamltext.Report(err, func(f *yamltext.Fault) error { return &Error{s.file, f.Line, f.Column, f.Err} })
}

// modelErrors returns the errors of the builder with the places of the faulty values in the text.
func (s *Spec) modelErrors(err error) error {
	all := []error{err}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		all = several.Unwrap()
	}
	var faults yamltext.Faults
	for _, err := range all {
		faults.Add(yamltext.On(s.place(err), "%w", s.withKeys(err)))
	}
	return s.report(faults.Err())
}

// keysOfModel maps a field name of the model to the key in the spec, if the name and the key differ.
var keysOfModel = map[string]string{
	"BlockLength": "blockLength", "DuplicateNames": "duplicateNames", "ShortIDs": "shortIDs", "FromEntries": "fromEntries",
	"Counters": "counters", "Instances": "instances", "Values": "values", "Texts": "values", "Bytes": "bytes", "None": "none", "nil": "none",
}

// quotedOrName matches a text in quotes, or the name of a field of the model. withKeys does not change a text in
// quotes, because the text can be from the block.
var quotedOrName = lazy.Regexp(`"(\\.|[^"\\])*"|\b(` + strings.Join(slices.Sorted(maps.Keys(keysOfModel)), "|") + `)\b`)

// withKeys replaces the field names in err by keys of the text. It returns err unchanged if s has no text.
func (s *Spec) withKeys(err error) error {
	if s.root == nil {
		return err
	}
	text := quotedOrName().ReplaceAllStringFunc(err.Error(), func(found string) string {
		if key := keysOfModel[found]; key != "" {
			return key
		}
		return found
	})
	if text == err.Error() {
		return err
	}
	return layout.Faultf(err, "%s", text)
}

// place returns the node of the value to which an error of the builder refers. If the text does not have the value, it
// returns the nearest node around the value. It returns nil if s has no text.
func (s *Spec) place(err error) *yaml.Node {
	fault, ok := errors.AsType[*layout.Error](err)
	if !ok || fault.Path == (layout.Path{}) || s.root == nil {
		return s.root
	}
	steps := fault.Path.Elems()
	n := s.root
	if s.Kind() == layout.RegCounterKind { // n is the counter already, so skip counter[0] in the path
		steps = steps[1:]
	}
	for _, step := range steps {
		if step.Name == "TotalByteLength" {
			return cmp.Or(longestValue(n), n)
		}
		next := stepInto(n, step)
		if next == nil {
			return n
		}
		n = next
	}
	switch isRecord := len(steps) > 0 && steps[len(steps)-1].Indexed() && n.Kind == yaml.MappingNode; {
	case isRecord && errors.Is(err, builder.ErrCount):
		return cmp.Or(yamltext.Child(n, "values"), n) // an object with instances must not have values of its own
	case isRecord && errors.Is(err, builder.ErrTooLarge): // this record makes the block too long
		return cmp.Or(longestValue(s.root), n)
	}
	return n
}

// listKeys maps a name in a path, such as object, to the key of the list in the text, such as objects.
var listKeys = map[string]string{
	"object": "objects", "instance": "instances", "counter": "counters", "result": "results", "identifier": "identifiers",
	"entry": "strings", "value": "values", "data": "values", "slot": "values",
}

// stepInto returns the node inside n for one element of a path, such as instance[2]. It returns nil if there is no such
// node. If a list of values is too short, it returns the list.
func stepInto(n *yaml.Node, step layout.Elem) *yaml.Node {
	switch {
	case step.Name == "block": // the text has only the values of a counter block
		return yamltext.Child(n, "values")
	case !step.Indexed():
		// Keys that are not field names of the block, such as blockLength, start with a lower-case letter.
		return cmp.Or(yamltext.Child(n, step.Name), yamltext.Child(n, strings.ToLower(step.Name[:1])+step.Name[1:]))
	}
	list := n
	if n.Kind == yaml.MappingNode {
		list = yamltext.Child(n, listKeys[step.Name])
	}
	switch {
	case step.Name == "counter":
		counter, isBase := writtenCounter(list, step.Index)
		if isBase {
			return yamltext.Child(counter, "withBase")
		}
		return counter
	case listKeys[step.Name] == "values":
		return cmp.Or(yamltext.Item(list, step.Index), list)
	}
	return yamltext.Item(list, step.Index)
}

// writtenCounter returns the item of the list `counters` that defines counter i of the model. isBase is true if counter
// i is the base that withBase adds to this item.
func writtenCounter(counters *yaml.Node, i int) (n *yaml.Node, isBase bool) {
	if counters == nil {
		return nil, false
	}
	for _, n := range yamltext.Items(counters) {
		if i == 0 {
			return n, false
		}
		i--
		if flag := yamltext.Child(n, "withBase"); flag != nil && flag.Tag == "!!bool" && (flag.Value[0]|0x20) == 't' {
			if i == 0 {
				return n, true
			}
			i--
		}
	}
	return nil, false
}

// lengthKeys are the keys that determine lengths. If one of these keys has a large value, a short text describes a very
// long block.
var lengthKeys = []string{"HeaderLength", "SystemNameOffset", "blockLength", "NameOffset", "ByteLength", "CounterOffset", "CounterSize", "Size"}

// longLength is a limit far above normal lengths. If a block is too long, a key with a value above longLength is
// probably the cause.
const longLength = 1 << 28

// longestValue searches n for values of the keys in lengthKeys. It returns the node of the largest value, or nil if no
// value exceeds longLength.
func longestValue(n *yaml.Node) *yaml.Node {
	var longest *yaml.Node
	most := uint64(longLength)
	var search func(n *yaml.Node)
	search = func(n *yaml.Node) {
		for i, child := range n.Content {
			if n.Kind == yaml.MappingNode && i%2 == 1 && slices.Contains(lengthKeys, n.Content[i-1].Value) {
				if v, err := dword.Read(child); err == nil && v.Magnitude > most {
					longest, most = child, v.Magnitude
				}
			}
			search(child)
		}
	}
	if n != nil {
		search(n)
	}
	return longest
}

// A patchPart selects the part of a patch to which an error refers.
type patchPart uint8

const (
	patchPlace patchPart = iota
	patchEnd
	patchValue
)

func (s *Spec) placeOfPatch(i int, part patchPart) *yaml.Node {
	patch := yamltext.Item(yamltext.Child(s.root, "patches"), i)
	if patch == nil || len(patch.Content) < 2 {
		return s.root
	}
	opener, value := patch.Content[0], patch.Content[1]
	inner := value
	if yamltext.Child(patch, "at") != nil {
		inner = patch
	}
	switch part {
	case patchPlace:
		var path *yaml.Node // the path of a cut is its value; in other patches the path is the key
		if opener.Value == "cut" {
			path = value
		}
		return cmp.Or(yamltext.Child(inner, "at"), yamltext.Child(inner, "from"), path, opener)
	case patchEnd:
		return cmp.Or(yamltext.Child(inner, "to"), value)
	}
	return cmp.Or(yamltext.Child(inner, "hex"), value)
}
