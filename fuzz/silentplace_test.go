package fuzz_test

import (
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// What the classes of legal changes ask of a flip, from the fields of the undamaged block.

// mended reports whether the field, or one that is judged by it, had a finding of a rule
// that has none of it now.
func (f *flip) mended() bool {
	judged := map[string]string{
		"CounterType": "CounterSize", "CounterNameTitleIndex": "CounterHelpTitleIndex", "ObjectNameTitleIndex": "ObjectHelpTitleIndex",
	}[f.part.Field.Name]
	return slices.ContainsFunc(f.ended, func(r ruled) bool {
		return r.path == f.part.Path || judged != "" && r.path == f.part.Path.Parent().Field(judged)
	})
}

// stands reports whether a rule has something to say of a field of the same record, as it had.
func (f *flip) stands(rule, field string) bool {
	at := f.part.Path.Parent().Field(field)
	for had := range f.ruled {
		if had.rule.Name == rule && had.path == at {
			return !slices.Contains(f.ended, had)
		}
	}
	return false
}

// header returns a field of the header.
func (f *flip) header(name string) int64 {
	n, _ := f.number(layout.Path{}.Field(name))
	return n
}

// titled reports whether the block has an object of that name.
func (f *flip) titled(title uint64) bool {
	for i := 0; ; i++ {
		n, ok := f.number(layout.Path{}.At("object", i).Field("ObjectNameTitleIndex"))
		if !ok || uint64(n) == title {
			return ok
		}
	}
}

// exchangeable reports whether a type may stand where the other does.
func exchangeable(was, is layout.CounterType) bool {
	wasWidth, _ := was.Width()
	isWidth, _ := is.Width()
	wasBase, _ := was.Base()
	base, needs := is.Base()
	return is.Predefined() && wasWidth == isWidth && was.IsBase() == is.IsBase() && (!needs || base == wasBase)
}

// blockLength returns the bytes of the shortest counter block that the counter's object
// has, 0 if it has none.
func (f *flip) blockLength() int64 {
	object := f.part.Path.Parent().Parent()
	if n, ok := f.number(object.Field("block").Field("ByteLength")); ok {
		return n
	}
	least := int64(0)
	for i := 0; ; i++ {
		n, ok := f.number(object.At("instance", i).Field("block").Field("ByteLength"))
		if !ok {
			return least
		}
		if least == 0 || n < least {
			least = n
		}
	}
}

// placed reports whether the counter's value is inside each block, and no other value
// overlaps it that does not start where it does.
func (f *flip) placed() bool {
	at, size := int64(f.is), f.other("CounterSize")
	if at < int64(layout.PERF_COUNTER_BLOCK.Size) || at+size > f.blockLength() {
		return false
	}
	for other, n := range f.otherPlaces() {
		if other != at && other < at+size && at < other+n {
			return false
		}
	}
	return true
}

// sharers returns how many other counters' values start where the counter's does.
func (f *flip) sharers() (n int) {
	for other := range f.otherPlaces() {
		if other == int64(f.is) {
			n++
		}
	}
	return n
}

// otherPlaces yields where the values of the object's other counters stand, and how long
// they are.
func (f *flip) otherPlaces() func(func(int64, int64) bool) {
	counter := f.part.Path.Parent()
	return func(yield func(int64, int64) bool) {
		for i := 0; ; i++ {
			other := counter.Parent().At("counter", i)
			at, ok := f.number(other.Field("CounterOffset"))
			if !ok {
				return
			}
			size, _ := f.number(other.Field("CounterSize"))
			if other != counter && size > 0 && !yield(at, size) {
				return
			}
		}
	}
}

// texts reports whether the counter's object has a counter whose values are no numbers.
func (f *flip) texts() bool {
	for i := 0; ; i++ {
		t, ok := f.number(f.part.Path.Parent().Parent().At("counter", i).Field("CounterType"))
		if !ok || layout.CounterType(t).Size() == layout.PERF_SIZE_VARIABLE_LEN {
			return ok
		}
	}
}
