package diff_test

import (
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/diff"
	"github.com/perfblock/perfblock/layout"
)

// object returns the bytes of an object whose instances have the given names, each with the value 1.
func object(names ...string) []byte {
	o := builder.NewObject(230).Counter(6, layout.PERF_COUNTER_RAWCOUNT)
	for _, name := range names {
		o.Instance(name, 1)
	}
	b, err := o.MarshalBinary()
	if err != nil {
		panic(err)
	}
	return b
}

// A test shows how a block differs from the expected one:
//
//	if d := diff.Text(layout.ObjectsKind, want, got); d != "" {
//		t.Error(d)
//	}
func ExampleText() {
	want := object("chrome", "svchost")
	got := object("chrome", "code", "svchost")
	got[0x94]++ // the value of chrome
	fmt.Print(diff.Text(layout.ObjectsKind, want, got))
	// Output:
	// want and got: 2 differences: 1 value, 1 record
	// changed 0094 0094 | object[0].instance[0].block.value[0] = 1 -> 2   PERF_COUNTER_RAWCOUNT   object[230].instance["chrome"].block.value[6]
	// added   -    0098 | object[0].instance[1] of 48 bytes   object[230].instance["code"]
}

// Compare returns a list of differences. These Options leave out differences of values and times.
func ExampleCompare() {
	a, b := object("chrome", "svchost"), object("svchost", "code")
	r := diff.Compare(layout.ObjectsKind, a, b, diff.Options{Ignore: []diff.Sort{diff.Values, diff.Times}})
	for _, d := range r.Differences {
		fmt.Println(d.Change, d.Identity)
	}
	// Output:
	// removed object[230].instance["chrome"]
	// added object[230].instance["code"]
}
