package provider_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/provider"
)

// queue returns an object with a counter, for publication.
func queue() *builder.Object {
	return builder.NewObject(provider.FirstCounter).Counter(provider.FirstCounter+2, layout.PERF_COUNTER_RAWCOUNT)
}

// TestPublish calls the methods of a publisher in a wrong order.
func TestPublish(t *testing.T) {
	t.Parallel()
	p, err := provider.Publish("Test Publish")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.Publish("TEST PUBLISH"); err == nil || !strings.Contains(err.Error(), "another publisher") {
		t.Errorf("a second publisher of a service: %v", err)
	}
	block, err := builder.Objects{*queue().Instance("orders", 1)}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.Write(block), p.Write(block, provider.FirstCounter), p.Write(nil), p.Close(), p.Close()); err != nil {
		t.Error(err)
	}
	if err := p.Write(block); !errors.Is(err, provider.ErrClosed) {
		t.Errorf("Write after Close: %v", err)
	}
	again, err := provider.Publish("Test Publish")
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

// TestPublishNames checks the names of services.
func TestPublishNames(t *testing.T) {
	t.Parallel()
	for reason, name := range map[string]string{
		"no name":                            "",
		"the name of a key has no backslash": `Shop\Performance`,
		"the name of a file has no slash":    "Shop/Queue",
		"NUL ends a name in Windows":         "Shop\x00",
		"the path of the DLL has its limits": strings.Repeat("x", 201),
	} {
		if p, err := provider.Publish(name); err == nil {
			t.Errorf("%s: Publish returned no error", reason)
			p.Close()
		}
	}
}

// TestWriteErrors checks that Write refuses objects that the bridge would not return, and that the error says what to
// do.
func TestWriteErrors(t *testing.T) {
	t.Parallel()
	p, err := provider.Publish("Test Write")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	const first = provider.FirstCounter
	many := make(builder.Objects, 513)
	for i := range many {
		many[i] = *builder.NewObject(first+4*uint32(i)).Counter(first+2, layout.PERF_COUNTER_RAWCOUNT).Single(1)
	}
	metadata := queue()
	metadata.NumInstances = layout.PERF_METADATA_MULTIPLE_INSTANCES
	text := builder.NewObject(first).Define(builder.Counter{CounterNameTitleIndex: first + 2, CounterType: layout.PERF_COUNTER_TEXT, CounterSize: 8}).Add(builder.Instance{Name: "a", Values: []uint64{0}, Texts: []string{"b"}})
	for _, tt := range []struct {
		reason  string
		objects builder.Objects
		costly  uint32
		want    string
	}{
		{"the template was not rebased", builder.Objects{*builder.NewObject(0).Counter(2, layout.PERF_COUNTER_RAWCOUNT).Single(1)}, 0, "object[0].ObjectNameTitleIndex: is 0, must be the title of the object: write the object with the template that Template.Rebase"},
		{"the template was rebased to the real First Counter", builder.Objects{*builder.NewObject(5000).Counter(5002, layout.PERF_COUNTER_RAWCOUNT).Single(1)}, 0, "is 5000, must be at least 1000000000"},
		{"a counter was not rebased", builder.Objects{*builder.NewObject(first).Counter(2, layout.PERF_COUNTER_RAWCOUNT).Single(1)}, 0, "object[0].counter[0].CounterNameTitleIndex: is 2"},
		{"a parent was not rebased", builder.Objects{*queue().Instance("a", 1), *builder.NewObject(first+4).Counter(first+6, layout.PERF_COUNTER_RAWCOUNT).Child(4, 0, "b", 1)}, 0, "ParentObjectTitleIndex: is 4"},
		{"the bridge makes metadata", builder.Objects{*metadata}, 0, "NumInstances: is -2"},
		{"consumers on Windows do not support texts", builder.Objects{*text}, 0, "consumers on Windows do not support texts"},
		{"a publisher has at most 512 objects", many, 0, "513 objects"},
		{"a costly title must be the title of an object", builder.Objects{*queue()}, first + 8, `the parameter "costly" has the title 1000000008`},
	} {
		block, err := tt.objects.MarshalBinary()
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		var costly []uint32
		if tt.costly != 0 {
			costly = append(costly, tt.costly)
		}
		if err := p.Write(block, costly...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want %q", tt.reason, err, tt.want)
		}
	}
	if err := p.Write([]byte("no object")); err == nil || !strings.Contains(err.Error(), "cannot be published") {
		t.Errorf("bytes that are no object: %v", err)
	}
}

// ExamplePublish publishes the objects of a V1 provider. On Windows, the bridge returns them to consumers.
func ExamplePublish() {
	type queue struct {
		Published uint64 `perf:"type=PERF_COUNTER_BULK_COUNT"`
		Depth     uint32
	}
	object, err := builder.Define[queue](0) // titles as in the header for lodctr
	if err != nil {
		panic(err)
	}
	relative, err := object.Compile()
	if err != nil {
		panic(err)
	}
	template, err := relative.Rebase(provider.FirstCounter, provider.FirstHelp)
	if err != nil {
		panic(err)
	}
	queues, err := builder.Bind[queue](template)
	if err != nil {
		panic(err)
	}

	pub, err := provider.Publish("Shop")
	if err != nil {
		panic(err) // for example, the account is neither a service nor an administrator
	}
	defer pub.Close()

	fill := builder.NewFill(nil) // do this and the following every second
	fill.Object(template)
	queues.Instance(&fill, "orders", &queue{Published: 1000, Depth: 7})
	objects, err := fill.Done()
	if err != nil {
		panic(err)
	}
	if err := pub.Write(objects); err != nil {
		panic(err)
	}
	// Output:
}
