package fuzz_test

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A flip is damage of one bit of which the validator says nothing.
type flip struct {
	*subject
	part    layout.Part // the field
	was, is uint64

	now     builder.Model
	ended   []ruled  // what it no longer says
	changed []string // what of the model is another
	lost    []*layout.Error
	unread  error // why there is no model
	moved   bool  // other fields stand elsewhere, or there are others
}

// fieldOf returns a field's name, with that of its record.
func fieldOf(p layout.Part) string { return p.Record.C + "." + p.Field.Name }

// same reports whether what is read is the same.
func (f *flip) same() bool { return f.unread == nil && !f.moved && len(f.changed) == 0 }

// other returns a number that stands in the same record.
func (f *flip) other(name string) int64 {
	n, _ := f.number(f.part.Path.Parent().Field(name))
	return n
}

// read reads the damaged bytes.
func (f *flip) read(t *testing.T, r validate.Result) {
	t.Helper()
	for i := range f.part.Len() {
		f.was |= uint64(f.block[f.part.Off()+int64(i)]) << (8 * i)
		f.is |= uint64(f.scratch[f.part.Off()+int64(i)]) << (8 * i)
	}
	said := map[ruled]bool{}
	for _, g := range r.Findings {
		said[ruled{g.Rule, g.Path}] = true
	}
	for had := range f.ruled {
		if !said[had] {
			f.ended = append(f.ended, had)
		}
	}
	f.now = empty(t, f.kind)
	f.lost, f.unread = f.now.UnmarshalLossy(f.scratch)
	if f.unread == nil && !reflect.DeepEqual(f.model, f.now) {
		d := differences{of: f.part.Path.Elems(), found: map[string]bool{}}
		cmp.Equal(f.model, f.now, cmp.Reporter(&d))
		f.changed = slices.Sorted(maps.Keys(d.found))
	}
	i := 0
	for part := range layout.Walk(f.kind, f.scratch) {
		if part.Sort != layout.FieldPart {
			continue
		}
		if i == len(f.fields) || part.Path != f.fields[i].Path || part.Off() != f.fields[i].Off() || part.Path != f.part.Path && !bytes.Equal(part.Bytes(), f.fields[i].Bytes()) {
			f.moved = true
			return
		}
		i++
	}
	f.moved = i != len(f.fields)
}

// story says what is read in place of what was.
func (f *flip) story() string {
	var s []string
	if f.unread != nil {
		s = append(s, fmt.Sprintf("nothing, %v", f.unread))
	}
	if len(f.changed) > 0 {
		s = append(s, "other "+strings.Join(f.changed, ", "))
	}
	if f.moved {
		s = append(s, "other fields")
	}
	for _, e := range f.lost {
		s = append(s, e.Error())
	}
	for _, e := range f.ended {
		s = append(s, fmt.Sprintf("no more %s of %v", e.rule.Name, e.path))
	}
	return strings.Join(s, "; ")
}

// differences lists the fields in which two models differ, without the names of records
// that the damaged field is in: a counter's CounterType, Instances[*].Values. Another than
// the damaged record is told by the star, and so is what is there in one model alone.
type differences struct {
	of    []layout.Elem
	path  cmp.Path
	found map[string]bool
}

func (d *differences) PushStep(s cmp.PathStep) { d.path = append(d.path, s) }

func (d *differences) PopStep() { d.path = d.path[:len(d.path)-1] }

func (d *differences) Report(r cmp.Result) {
	if r.Equal() {
		return
	}
	var names []string
	list := ""
	for _, step := range d.path {
		switch step := step.(type) {
		case cmp.StructField:
			list = step.Name()
			names = append(names, list)
		case cmp.SliceIndex:
			if n := len(names); !d.in(list, step.Key()) {
				names = append(names[:max(0, n-1)], list+"[*]")
			} else if list != "Values" && n > 0 {
				names = names[:n-1]
			}
			list = ""
		}
	}
	d.found[strings.Join(names, ".")] = true
}

// in reports whether the damaged field is in an element of a list.
func (d *differences) in(list string, index int) bool {
	for i, e := range d.of {
		if !e.Indexed || e.Index != index {
			continue
		}
		for _, name := range listNames[list] {
			if e.Name == name && (list != "" || i == 0) {
				return true
			}
		}
	}
	return false
}

// listNames has what a path calls elements of a model's list.
var listNames = map[string][]string{
	"":        {"object", "identifier", "instance"}, // the model is a list
	"Objects": {"object"}, "Counters": {"counter", "data"}, "Instances": {"instance"}, "Values": {"counter", "data"},
	"Results": {"result"}, "Entries": {"entry"},
}
