package fuzz_test

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

// grammar are the places of what is no field, by kind: names, values and padding, each
// there or not, and the records of lists that no field counts.
var grammar = map[layout.Kind][]string{
	layout.DataBlockKind: {"SystemName", "padding", "gap",
		"object.block.value", "object.block.hole", "object.block.padding",
		"object.instance.Name", "object.instance.gap", "object.instance.padding",
		"object.instance.block.value", "object.instance.block.hole", "object.instance.block.padding"},
	layout.ObjectsKind: {"object",
		"object.block.value", "object.block.hole", "object.block.padding",
		"object.instance.Name", "object.instance.gap", "object.instance.padding",
		"object.instance.block.value", "object.instance.block.hole", "object.instance.block.padding"},
	layout.QueryDataKind: {"result.ids.id", "result.ids.padding", "result.data.value", "result.data.padding",
		"result.instance.Name", "result.instance.padding", "result.instance.data.value", "result.instance.data.padding"},
	layout.InstancesKind:     {"instance", "instance.Name", "instance.padding"},
	layout.IdentifiersKind:   {"identifier", "identifier.Name", "identifier.padding"},
	layout.RegStringKind:     {"Text"},
	layout.StringsKind:       {"entry.Text", "padding"},
	layout.GUIDsKind:         {"guid"},
	layout.InstanceBlockKind: {"slot", "Name", "padding"},
}

func (c *coverage) declarePlaces() {
	c.section("Places of the grammar")
	for _, kind := range layout.Kinds() {
		for _, path := range grammar[kind] {
			of := kind.String()
			switch name := path[strings.LastIndexByte(path, '.')+1:]; name {
			case "Name", "SystemName", "Text":
				for _, what := range []string{": none", " without letters", " of one letter", " of more"} {
					c.declare(of, path+what)
				}
			case "value", "slot":
				for _, what := range []string{": none", " of 4 bytes", " of 8", " of others"} {
					c.declare(of, path+what)
				}
			case "padding", "gap", "hole":
				c.declare(of, path+": none")
				c.declare(of, path+": some")
			default:
				c.declare(of, path+": none")
				c.declare(of, path+": one")
				c.declare(of, path+": more")
			}
		}
	}
}

// withoutNumbers returns a path without which of several it leads to.
func withoutNumbers(path string) string {
	var b strings.Builder
	for rest := path; ; {
		name, behind, more := strings.Cut(rest, "[")
		b.WriteString(name)
		if !more {
			return b.String()
		}
		_, rest, _ = strings.Cut(behind, "]")
	}
}

// places counts what stands where in a block.
func (c *coverage) places(t *testing.T, kind layout.Kind, b []byte) {
	t.Helper()
	known := len(c.rows)
	of := kind.String()
	there, in := map[string]int{}, map[string]map[string]int{"": {"": 0}} // of each path, with how many in each parent
	for part := range layout.Walk(kind, b) {
		if part.Sort == layout.FieldPart && part.Field.At > 0 {
			continue
		}
		full := part.Path.String()
		record := full[:max(strings.LastIndexByte(full, '.'), 0)]
		path := withoutNumbers(full)
		what := ""
		switch part.Sort {
		case layout.FieldPart:
			if c.fields[part.Field] != nil { // the record starts here
				full = record
			}
			path = withoutNumbers(full)
		case layout.NamePart:
			unit := 2
			if part.Page != 0 {
				unit = 1
			}
			what = [...]string{" without letters", " of one letter", " of more"}[min(part.Len()/unit-1, 2)]
		case layout.ValuePart:
			what = map[int]string{4: " of 4 bytes", 8: " of 8"}[part.Len()]
			if what == "" {
				what = " of others"
			}
		case layout.PaddingPart:
			what = ": some"
		}
		parent := full[:max(strings.LastIndexByte(full, '.'), 0)]
		if in[path] == nil {
			in[path] = map[string]int{}
		}
		in[path][full]++
		there[path+"\x00"+parent]++
		if what != "" {
			c.see(of, path+what, true)
		}
	}
	for _, path := range grammar[kind] {
		parents := in[path[:max(strings.LastIndexByte(path, '.'), 0)]]
		for parent := range parents {
			n := there[path+"\x00"+parent]
			c.see(of, path+": none", n == 0)
			if i, ok := c.index[caseOf{of, path + ": one"}]; ok {
				c.count(i, n == 1)
				c.see(of, path+": more", n > 1)
			}
		}
	}
	for _, r := range c.rows[known:] {
		t.Fatalf("%s has %s, a place that the grammar has not", r.of, r.what)
	}
}
