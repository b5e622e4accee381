package builder_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestDefine checks the counters that Define makes from a struct.
func TestDefine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		define func(uint32) (*builder.Object, error)
		want   *builder.Object
	}{
		{builder.Define[oneRun], builder.NewObject(40).Define(
			builder.Counter{CounterNameTitleIndex: 42, CounterType: layout.PERF_COUNTER_BULK_COUNT, DefaultScale: -1, CounterSize: 8, CounterOffset: 8},
			builder.Counter{CounterNameTitleIndex: 44, CounterType: layout.PERF_COUNTER_LARGE_RAWCOUNT, CounterSize: 8, CounterOffset: 16},
			builder.Counter{CounterNameTitleIndex: 46, CounterType: layout.PERF_COUNTER_RAWCOUNT, CounterSize: 4, CounterOffset: 24},
			builder.Counter{CounterNameTitleIndex: 48, CounterType: layout.PERF_COUNTER_RAWCOUNT, DetailLevel: layout.PERF_DETAIL_EXPERT, CounterSize: 4, CounterOffset: 28},
		)},
		{builder.Define[withNarrow], builder.NewObject(40).Define(
			builder.Counter{CounterNameTitleIndex: 42, CounterType: layout.PERF_SAMPLE_FRACTION, CounterSize: 4, CounterOffset: 8},
			builder.Counter{CounterType: layout.PERF_SAMPLE_BASE, CounterSize: 4, CounterOffset: 12},
			builder.Counter{CounterNameTitleIndex: 70, CounterType: layout.PERF_AVERAGE_TIMER, CounterSize: 4, CounterOffset: 16},
			builder.Counter{CounterType: layout.PERF_AVERAGE_BASE, CounterSize: 4, CounterOffset: 24},
			builder.Counter{CounterNameTitleIndex: 50, CounterType: layout.PERF_COUNTER_LARGE_RAWCOUNT, CounterSize: 8, CounterOffset: 32},
		)},
		{builder.Define[withOffsets], builder.NewObject(40).Define(
			builder.Counter{CounterNameTitleIndex: 42, CounterType: layout.PERF_COUNTER_RAWCOUNT, CounterSize: 4, CounterOffset: 40},
			builder.Counter{CounterNameTitleIndex: 44, CounterType: layout.PERF_COUNTER_LARGE_RAWCOUNT, CounterSize: 8, CounterOffset: 16},
			builder.Counter{CounterNameTitleIndex: 46, CounterType: layout.PERF_COUNTER_RAWCOUNT, CounterSize: 4, CounterOffset: 24},
			builder.Counter{CounterNameTitleIndex: 48, CounterType: layout.PERF_COUNTER_RAWCOUNT, CounterSize: 4, CounterOffset: 12},
		)},
	} {
		got, err := tt.define(40)
		if err != nil {
			t.Fatal(err)
		}
		if tt.want.Counters[0].CounterType == layout.PERF_COUNTER_BULK_COUNT {
			tt.want.DefaultCounter = new(int32(0))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestDefineNames checks the names that Define takes from tags.
func TestDefineNames(t *testing.T) {
	t.Parallel()
	type shopCounters struct {
		A uint32 `perf:"name=Depth"`
		B uint32 `perf:"scale=1, name=Messages/sec ,type=PERF_COUNTER_COUNTER"`
		C uint32 `perf:" name='Bytes in, ''total''' , scale=-1"`
		D uint32 `perf:"name=It's %"`
		E uint32
	}
	o, err := builder.Define[shopCounters](40)
	if err != nil {
		t.Fatal(err)
	}
	o.Name = "Shop"
	var got []string
	for _, c := range o.Counters {
		got = append(got, c.Name)
	}
	if diff := cmp.Diff([]string{"Depth", "Messages/sec", "Bytes in, 'total'", "It's %", ""}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c := o.Counters[2]; c.DefaultScale != -1 {
		t.Errorf("the item after a name in quotes is lost: %+v", c)
	}
	o.Instances = []builder.Instance{{Name: "a", Values: []uint64{1, 2, 3, 4, 5}}}
	want := map[uint32]string{40: "Shop", 42: "Depth", 44: "Messages/sec", 46: "Bytes in, 'total'", 48: "It's %"}
	if diff := cmp.Diff(want, builder.Names(&builder.Objects{*o})); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	base := builder.Objects{{Counters: []builder.Counter{{Name: "a base", CounterType: layout.PERF_RAW_BASE}}}}
	if names := builder.Names(&base); len(names) > 0 {
		t.Errorf("index 0 has a name: %v", names)
	}
	b, err := builder.Objects{*o}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	o.Name = ""
	for i := range o.Counters {
		o.Counters[i].Name = ""
	}
	if without, err := (builder.Objects{*o}).MarshalBinary(); err != nil || !bytes.Equal(b, without) {
		t.Errorf("a block without names has other bytes, error %v", err)
	}
}

// TestFieldErrors checks that Define and Bind name the field that cannot be a counter.
func TestFieldErrors(t *testing.T) {
	t.Parallel()
	numbers := compiled(t, builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Counter(6, layout.PERF_COUNTER_LARGE_RAWCOUNT))
	shared := compiled(t, builder.NewObject(2).Define(
		builder.Counter{CounterNameTitleIndex: 4, CounterType: layout.PERF_COUNTER_RAWCOUNT, CounterOffset: 8},
		builder.Counter{CounterNameTitleIndex: 6, CounterType: layout.PERF_COUNTER_RAWCOUNT, CounterOffset: 8}))
	timer := compiled(t, builder.NewObject(2).Define(
		builder.Counter{CounterNameTitleIndex: 4, CounterType: layout.PERF_AVERAGE_TIMER, CounterSize: 8}, builder.Counter{CounterType: layout.PERF_AVERAGE_BASE}))
	label := compiled(t, builder.NewObject(2).Counter(4, layout.PERF_COUNTER_NODATA))
	text := compiled(t, builder.NewObject(2).Define(builder.Counter{CounterNameTitleIndex: 4, CounterType: layout.PERF_COUNTER_TEXT, CounterSize: 16}))
	for _, tt := range []struct {
		reason string
		err    error
		want   string
	}{
		{"not a struct", define[int](), "int is no struct"},
		{"no counter", define[struct {
			A int `perf:"-"`
		}](), "has no field that is a counter"},
		{"only a field that is not exported", define[struct{ a uint32 }](), "has no field that is a counter"},
		{"a tag of a field that is not exported", define[struct {
			a uint32 `perf:"type=PERF_COUNTER_RAWCOUNT"`
		}](), `field a of struct { a uint32 "perf:\"type=PERF_COUNTER_RAWCOUNT\"" }: it has a tag and is not exported`},
		{"an empty tag of a field that is not exported", define[struct {
			a uint32 `perf:""`
		}](), "it has a tag and is not exported"},
		{"an embedded struct, whose fields are not counters", define[struct {
			oneRun
			A uint32
		}](), "field oneRun of"},
		{"a size that depends on the machine", define[struct{ A int }](), "its type is int, must be uint32"},
		{"a nested struct", define[struct{ A oneRun }](), "field A of"},
		{"an unknown item", define[struct {
			A uint32 `perf:"scal=1"`
		}](), `the item "scal=1", must have name=`},
		{"an unknown type", define[struct {
			A uint32 `perf:"type=PERF_COUNTER_RAWCONT"`
		}](), "is not a counter type"},
		{"a scale that is no number", define[struct {
			A uint32 `perf:"scale=x"`
		}](), `the item "scale=x"`},
		{"a scale that no counter can have", define[struct {
			A uint32 `perf:"scale=8"`
		}](), `the item "scale=8": must be a whole number from -7 to 7`},
		{"a title with a sign", define[struct {
			A uint32 `perf:"title=-4"`
		}](), `the item "title=-4": must be a whole number from 0 to 4294967295`},
		{"an offset in the header of the block", define[struct {
			A uint32 `perf:"offset=4"`
		}](), `the item "offset=4": must be a multiple of 4 and at least 8`},
		{"an offset that is not aligned", define[struct {
			A uint64 `perf:"offset=12"`
		}](), `the item "offset=12": must be a multiple of 8 and at least 8`},
		{"an offset that leaves no room for the field", define[struct {
			A uint32 `perf:"offset=4294967288"`
		}](), `the item "offset=4294967288"`},
		{"two values with a byte in common", define[struct {
			A uint32 `perf:"offset=20"`
			B uint64 `perf:"offset=16"`
		}](), "its offset is 16, so it shares bytes with field A of"},
		{"an offset that leaves no room for the next field", define[struct {
			A uint32 `perf:"offset=4294967284"`
			B uint64
		}](), "its offset is above 4294967295"},
		{"a repeated item", define[struct {
			A uint32 `perf:"scale=1,scale=2"`
		}](), "the tag perf has two items scale"},
		{"a name without its second quote", define[struct {
			A uint32 `perf:"name='a,scale=1"`
		}](), `the item "name='a,scale=1": the name has no closing quote`},
		{"text after a name in quotes", define[struct {
			A uint32 `perf:"name='a'b,scale=1"`
		}](), `a comma must follow the closing quote of the name`},
		{"a name with a comma and without quotes", define[struct {
			A uint32 `perf:"name=Bytes in, total"`
		}](), `the item " total", must have name=`},
		{"an empty name", define[struct {
			A uint32 `perf:"name=''"`
		}](), `the name is empty`},
		{"a comma at the end", define[struct {
			A uint32 `perf:"scale=1,"`
		}](), `the item ""`},
		{"an excluded field with other items", define[struct {
			A uint32 `perf:"-,scale=1"`
		}](), `the item "-"`},
		{"a default title that a tag repeats", define[struct {
			A uint32 `perf:"title=6"`
			B uint32
		}](), "its title index is 6, and field A of"},
		{"a text", define[struct {
			A uint32 `perf:"type=PERF_COUNTER_TEXT"`
		}](), "a field cannot hold the text of a PERF_COUNTER_TEXT"},
		{"a counter without a value", define[struct {
			A uint32 `perf:"type=PERF_COUNTER_NODATA"`
		}](), "has no numeric value"},
		{"a missing base at the end", define[struct {
			A uint32 `perf:"type=PERF_RAW_FRACTION"`
		}](), "requires a base: add a field with type=PERF_RAW_BASE after it"},
		{"a field that is not the base", define[struct {
			A uint32 `perf:"type=PERF_RAW_FRACTION"`
			B uint32
		}](), "requires a base"},
		{"readers read 8 bytes for the timer", define[struct {
			A uint32 `perf:"type=PERF_AVERAGE_TIMER"`
			B uint32 `perf:"type=PERF_AVERAGE_BASE"`
		}](), "field A of struct"},
		{"a field narrower than its type", define[struct {
			A uint32 `perf:"type=PERF_COUNTER_BULK_COUNT"`
		}](), "it has 4 bytes, must have 8, the width of a PERF_COUNTER_BULK_COUNT"},
		{"a field wider than its type", define[struct {
			A uint64 `perf:"type=PERF_COUNTER_COUNTER"`
		}](), "it has 8 bytes, must have 4, the width of a PERF_COUNTER_COUNTER"},
		{"two default counters", define[struct {
			A uint32 `perf:"default"`
			B uint32 `perf:"default"`
		}](), "which only one field can have"},
		{"a default with a value", define[struct {
			A uint32 `perf:"default=false"`
		}](), "default has no value"},
		{"shared bytes", bound[struct{ A, B uint32 }](shared), "counter[1] shares bytes with counter[0]"},
		{"too many fields", bound[withGaps](numbers), "field C of builder_test.withGaps: the template has only 2 counters"},
		{"too few fields", bound[struct{ A uint32 }](numbers), "has 1 field, must have 2, one for each counter of the template: counter[1] (PERF_COUNTER_LARGE_RAWCOUNT) has no field"},
		{"a field that is too wide", bound[struct{ A, B uint64 }](numbers), "field A of struct { A uint64; B uint64 }: it has 8 bytes, must have 4, the width of counter[0], PERF_COUNTER_RAWCOUNT"},
		{"a field that is too narrow for a timer of 8 bytes", bound[struct{ A, B uint32 }](timer), "it has 4 bytes, must have 8, the width of counter[0], PERF_AVERAGE_TIMER"},
		{"a counter without a value in the template", bound[struct{ A uint64 }](label), "counter[0] has the type PERF_COUNTER_NODATA, must have a numeric type"},
		{"a text in the template", bound[struct{ A uint64 }](text), "counter[0] has the type PERF_COUNTER_TEXT, must have a numeric type"},
	} {
		if !errors.Is(tt.err, builder.ErrField) || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, must contain %q", tt.reason, tt.err, tt.want)
		}
	}
	if _, err := builder.Define[oneRun](math.MaxUint32 - 1); !errors.Is(err, builder.ErrField) || !strings.Contains(err.Error(), "field A of builder_test.oneRun: its title index is 4294967296") {
		t.Errorf("title indexes of more than 32 bits: %v", err)
	}
	if o, err := builder.Define[struct{ A uint32 }](math.MaxUint32 - 2); err != nil || o.Counters[0].CounterNameTitleIndex != math.MaxUint32 {
		t.Errorf("a title index of 2^32 - 1: %v", err)
	}
	if err := bound[oneRun](new(builder.Template)); !errors.Is(err, builder.ErrForeign) {
		t.Errorf("a zero template: %v", err)
	}
}

func define[T any]() error {
	_, err := builder.Define[T](2)
	return err
}

func bound[T any](t *builder.Template) error {
	_, err := builder.Bind[T](t)
	return err
}
