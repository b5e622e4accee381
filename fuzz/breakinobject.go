package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// The functions of this file find objects to damage in the block of f.base. Methods that make objects call these
// functions if f.base is set.

// anyType matches every counter type of a Base. Without a Base, anyType means PERF_COUNTER_RAWCOUNT.
const anyType layout.CounterType = 0xFFFFFFFF

// A counterPlace says where an object must have the counters that a breaker requires.
type counterPlace uint8

const (
	anywhere counterPlace = iota
	atStart
	atEnd
)

// findRuns returns the positions at which an object has consecutive counters of the given types.
func findRuns(o *builder.Object, where counterPlace, types []layout.CounterType) (list []int) {
	first, last := 0, len(o.Counters)-len(types)
	switch where {
	case atStart:
		last = min(last, 0)
	case atEnd:
		first = max(last, 0)
	}
	for i := first; i <= last; i++ {
		if slices.EqualFunc(types, o.Counters[i:i+len(types)], matchesType) {
			list = append(list, i)
		}
	}
	return list
}

func matchesType(t layout.CounterType, c builder.Counter) bool {
	return t == anyType || t == c.CounterType
}

// fromBase chooses an object of f.base. The object must have consecutive counters of the given types, and fits must
// return true for it.
func (f *faultyBlock) fromBase(what string, where counterPlace, types []layout.CounterType, fits func(*builder.Object) bool) builder.Object {
	i := f.oneOf(len(f.base.objects), func(i int) bool {
		o := &f.base.objects[i]
		return fits(o) && len(findRuns(o, where, types)) > 0
	}, missingObject(what, where, types))
	f.chosen["object"] = i
	return f.base.objects[i]
}

// missingObject describes an object that the Base lacks, such as "an object with a counter of type PERF_RAW_FRACTION".
func missingObject(what string, where counterPlace, types []layout.CounterType) missingRecord {
	var names []string
	for _, t := range types {
		if t != anyType {
			names = append(names, t.String())
		}
	}
	switch {
	case len(names) > 0:
		at := [...]string{" with", " that starts with", " that ends with"}[where]
		return missingRecord{what + at + " a counter of type", strings.Join(names, " followed by ")}
	case len(types) > 1:
		return missingRecord{what: fmt.Sprintf("%s with %d counters", what, len(types))}
	}
	return missingRecord{what: what}
}

// useObject copies the block of f.base into the current block, and chooses an instance of o. o is the object that
// fromBase has chosen.
func (f *faultyBlock) useObject(o builder.Object) *faultyBlock {
	f.useBase()
	if _, ok := f.chosen["instance"]; !ok && len(o.Instances) > 0 {
		f.chosen["instance"] = f.upTo(len(o.Instances))
	}
	return f
}

// useBase copies the block of f.base into the current block. The block must be of the kind data-block or objects.
func (f *faultyBlock) useBase() {
	f.objects = slices.Clone(f.base.objects)
	switch m := f.base.model.(type) {
	case *builder.DataBlock:
		d := *m
		d.Objects = f.objects
		f.take(&d)
	case *builder.Objects:
		f.take(new(builder.Objects(f.objects)))
	default:
		f.endAttempt("an object")
	}
}

// useDataBlock copies the block of f.base into the current block. The block must be of the kind data-block.
func (f *faultyBlock) useDataBlock() {
	if f.base.model.Kind() != layout.DataBlockKind {
		f.endAttempt("a block of kind %v", layout.DataBlockKind)
	}
	f.useBase()
}

// counterOfBase copies the block of f.base into the current block. It finds an object that has counter blocks and
// consecutive counters of the given types. It returns the position of the first of these counters and stores the
// position in f.chosen.
func (f *faultyBlock) counterOfBase(where counterPlace, types []layout.CounterType) int {
	o := f.fromBase("an object", where, types, valueBlocks.fits)
	list := findRuns(&o, where, types)
	f.useObject(o)
	f.chosen["counter"] = pick(f.Source, list...)
	return f.chosen["counter"]
}

// typesOfBase returns the types in the list that counters of f.base have. If no counter has such a type, it calls
// endAttempt. Without a Base, it returns the whole list.
func (f *faultyBlock) typesOfBase(list []layout.CounterType) []layout.CounterType {
	if f.base == nil {
		return list
	}
	has := map[layout.CounterType]bool{}
	for i := range f.base.objects {
		for _, c := range f.base.objects[i].Counters {
			has[c.CounterType] = true
		}
	}
	list = slices.DeleteFunc(slices.Clone(list), func(t layout.CounterType) bool { return !has[t] })
	if len(list) == 0 {
		f.endAttempt("a counter that has a numeric value and requires no base counter")
	}
	return list
}

// instanceOfBase chooses an object of f.base with at least n instances, and one of these instances. The names of the
// object are in UTF-16 if utf16 is true, and otherwise in a code page. The name of the instance has at least `letters`
// letters, and at least `padding` bytes of padding follow it.
func (f *faultyBlock) instanceOfBase(n int, utf16 bool, letters, padding int) builder.Object {
	what := "an object with an instance"
	if n > 1 {
		what = fmt.Sprintf("an object with %d instances", n)
	}
	if !utf16 {
		what += " whose names are in a code page"
	}
	o := f.fromBase(what, anywhere, nil, func(o *builder.Object) bool { return len(o.Instances) >= n && (o.CodePage == 0) == utf16 })
	f.useBase()
	for range 16 { // do not try all instances: there can be a million
		f.chosen["instance"] = f.upTo(len(o.Instances))
		if f.nameLetters() >= letters && f.namePadding() >= padding {
			return o
		}
	}
	f.endAttempt("an instance whose name has %d letters and %d bytes of padding after it", letters, padding)
	return o
}
