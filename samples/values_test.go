package samples_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/samples"
	"github.com/perfblock/perfblock/validate"
)

// sample returns a data block at a tick of a clock with 1 tick per second.
func sample(tb testing.TB, tick int64, objects ...*builder.Object) samples.Sample {
	tb.Helper()
	block := builder.DataBlock{PerfTime: tick, PerfFreq: 1}
	b, err := block.Add(objects...).MarshalBinary()
	if err != nil {
		tb.Fatal(err)
	}
	return samples.Sample{Bytes: b}
}

// lines returns a line for each value: the object, the instance with its parent, the counter and the value.
func lines(older, newer samples.Sample) (all []string) {
	for v, err := range samples.Values(older, newer) {
		if err != nil {
			all = append(all, err.Error())
			continue
		}
		in := v.Instance
		name := in.Name
		if in.Parent != "" {
			name = in.Parent + "/" + name
		}
		if in.ID >= 0 && !in.Single {
			name += fmt.Sprint(":", in.ID)
		}
		counter := uint32(0)
		if v.Counter != nil {
			counter = v.Counter.ID
		}
		all = append(all, fmt.Sprintf("%d %s %d %v %v", in.Object, name, counter, in.State, v))
	}
	return all
}

// TestMatching checks which rows of two samples belong together.
func TestMatching(t *testing.T) {
	t.Parallel()
	object := func(title uint32) *builder.Object {
		o := builder.NewObject(title).Counter(title+2, layout.PERF_COUNTER_BULK_COUNT)
		o.DuplicateNames = true
		return o
	}
	ids := func(o *builder.Object, ids ...int32) *builder.Object {
		for i := range o.Instances {
			o.Instances[i].UniqueID = &ids[i]
		}
		return o
	}
	processes := func(names ...string) *builder.Object {
		o := object(230)
		for _, name := range names {
			o.Instance(name, 0)
		}
		return o
	}
	for _, tt := range []struct {
		reason       string
		older, newer []*builder.Object
		want         []string
	}{
		{
			"an instance keeps its values at another position, one is new and one is gone",
			[]*builder.Object{object(10).Instance("a", 1).Instance("b", 2).Instance("c", 3)},
			[]*builder.Object{object(10).Instance("c", 13).Instance("d", 4).Instance("a", 2)},
			[]string{"10 c 12 both 10.000 /sec", "10 d 12 new no-older-sample", "10 a 12 both 1.000 /sec", "10 b 0 gone gone"},
		},
		{
			"instances with the same name match in their order",
			[]*builder.Object{object(10).Instance("a", 1).Instance("x", 5).Instance("a", 2)},
			[]*builder.Object{object(10).Instance("a", 11).Instance("a", 22).Instance("a", 1)},
			[]string{"10 a 12 both 10.000 /sec", "10 a 12 both 20.000 /sec", "10 a 12 new no-older-sample", "10 x 0 gone gone"},
		},
		{
			"instances with the same name match in their order after they have moved",
			[]*builder.Object{object(10).Instance("x", 5).Instance("a", 1).Instance("a", 2)},
			[]*builder.Object{object(10).Instance("a", 11).Instance("a", 22).Instance("x", 5)},
			[]string{"10 a 12 both 10.000 /sec", "10 a 12 both 20.000 /sec", "10 x 12 both 0.000 /sec"},
		},
		{
			"another UniqueID is another instance, although the name is the same",
			[]*builder.Object{ids(object(10).Instance("a", 100).Instance("b", 100), 7, 8)},
			[]*builder.Object{ids(object(10).Instance("a", 1).Instance("b", 110), 9, 8)},
			[]string{"10 a:9 12 new no-older-sample", "10 b:8 12 both 10.000 /sec", "10 a:7 0 gone gone"},
		},
		{
			"a thread belongs to the process with the same name, not at the same position",
			[]*builder.Object{processes("one", "two"), object(232).Child(230, 0, "0", 100).Child(230, 1, "0", 200)},
			[]*builder.Object{processes("two", "one"), object(232).Child(230, 0, "0", 203).Child(230, 1, "0", 105)},
			[]string{"230 two 232 both 0.000 /sec", "230 one 232 both 0.000 /sec", "232 two/0 234 both 3.000 /sec", "232 one/0 234 both 5.000 /sec"},
		},
		{
			"a parent that is not in the block is known by its position",
			[]*builder.Object{object(232).Child(230, 5, "0", 100)},
			[]*builder.Object{object(232).Child(230, 5, "0", 103)},
			[]string{"232 0 234 both 3.000 /sec"},
		},
		{
			"objects in another order, an object that is gone, and one that is new",
			[]*builder.Object{object(10).Single(1), object(20).Single(2), object(30).Instance("x", 1)},
			[]*builder.Object{object(20).Single(4), object(40).Single(1), object(10).Single(6)},
			[]string{"20  22 both 2.000 /sec", "40  42 new no-older-sample", "10  12 both 5.000 /sec", "30 x 0 gone gone"},
		},
		{
			"counters in another order, and one more",
			[]*builder.Object{builder.NewObject(10).Counter(12, layout.PERF_COUNTER_BULK_COUNT).Counter(14, layout.PERF_COUNTER_BULK_COUNT).Single(1, 2)},
			[]*builder.Object{builder.NewObject(10).Counter(16, layout.PERF_COUNTER_BULK_COUNT).Counter(14, layout.PERF_COUNTER_BULK_COUNT).Counter(12, layout.PERF_COUNTER_BULK_COUNT).Single(9, 4, 4)},
			[]string{"10  16 both no-older-sample", "10  14 both 2.000 /sec", "10  12 both 3.000 /sec"},
		},
		{
			"no instances now",
			[]*builder.Object{object(10).Instance("a", 1)},
			[]*builder.Object{object(10)},
			[]string{"10 a 0 gone gone"},
		},
	} {
		if got := lines(sample(t, 0, tt.older...), sample(t, 1, tt.newer...)); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.reason, strings.Join(got, "\n     "), strings.Join(tt.want, "\n     "))
		}
	}
}

// TestMultiBaseInBlock checks a PERF_COUNTER_MULTI_TIMER whose base has no PERF_COUNTER_DEFINITION. winperf.h does not
// require a definition of the base. The formula must read the base from the bytes after the value. The base is a number
// such as the number of processors.
func TestMultiBaseInBlock(t *testing.T) {
	t.Parallel()
	at := func(clock int64, value uint64) samples.Sample {
		s := sampleOf(t, layout.PERF_COUNTER_MULTI_TIMER, moment{value, 4, clock})
		for o, err := range must(layout.ReadDataBlock(s.Bytes)).Objects() {
			for c, fault := range o.Counters() {
				if err != nil || fault != nil {
					t.Fatal(err, fault)
				}
				if c.CounterType().IsBase() {
					field := layout.PERF_COUNTER_DEFINITION.Field("CounterType")
					copy(c.Bytes()[field.At:], []byte{0, 1, 1, 0}) // PERF_COUNTER_LARGE_RAWCOUNT
				}
			}
		}
		return s
	}
	if got := lines(at(1000, 0), at(3000, 1000)); got[0] != "2  4 both 12.500 %" {
		t.Error(got)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestClocks checks that a block without a header has only the clocks of its objects.
func TestClocks(t *testing.T) {
	t.Parallel()
	objects := func(tick int64, value uint64) samples.Sample {
		o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_BULK_COUNT).Counter(6, layout.PERF_OBJ_TIME_TIMER).Single(value, value)
		o.PerfTime, o.PerfFreq = tick, 1
		return samples.Sample{Kind: layout.ObjectsKind, Bytes: must(o.MarshalBinary())}
	}
	if got, want := lines(objects(10, 1), objects(20, 2)), []string{"2  4 both no-clock", "2  6 both 10.000 %"}; !slices.Equal(got, want) {
		t.Error(got)
	}
	if got := lines(objects(10, 1), sample(t, 1)); !strings.Contains(got[0], "the older sample is objects and the newer one is data-block") {
		t.Error(got)
	}
}

// TestDamaged checks that Values does not panic for damaged and unrelated blocks, and that all numbers are finite.
func TestDamaged(t *testing.T) {
	t.Parallel()
	for seed := range uint64(long.Seeds(300, 2000)) {
		kind := []layout.Kind{layout.DataBlockKind, layout.ObjectsKind, layout.QueryDataKind}[seed%3]
		block := func(seed uint64, damage bool) samples.Sample {
			s := samples.Sample{Kind: kind}
			if kind == layout.QueryDataKind {
				j := fuzz.Join(fuzz.Seed(seed), fuzz.Config{})
				s.Bytes, s.Context = must(j.Data.MarshalBinary()), must(j.Context())
			} else {
				s.Bytes = must(fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{}).MarshalBinary())
			}
			if damage {
				s.Bytes = fuzz.Damage(fuzz.Seed(seed), s.Bytes)
			}
			return s
		}
		check(t, block(seed, seed%2 == 0), block(seed, seed%5 == 0))
		check(t, block(seed, false), block(seed+3, true))
	}
}

// TestDamagedState checks that an instance is neither new nor gone if its match could be in the part of the other sample
// that cannot be read.
func TestDamagedState(t *testing.T) {
	t.Parallel()
	object := func(title uint32) *builder.Object {
		return builder.NewObject(title).Counter(title+2, layout.PERF_COUNTER_DELTA).Instance("a", 7).Instance("b", 9)
	}
	whole := sample(t, 2, object(10), object(20))
	headless := samples.Sample{Bytes: whole.Bytes[:8]}
	partly := samples.Sample{Bytes: slices.Clone(whole.Bytes)}
	for o := range must(layout.ReadDataBlock(partly.Bytes)).Objects() {
		if o.ObjectNameTitleIndex() == 20 {
			clear(o.Bytes()[:4]) // TotalByteLength
		}
	}
	for _, tt := range []struct {
		reason       string
		older, newer samples.Sample
		want         []string // without errors
	}{
		{"the last object of the older sample has no length", partly, whole, []string{
			"10 a 12 both 0", "10 b 12 both 0", "20 a 22 unknown damaged", "20 b 22 unknown damaged",
		}},
		{"the last object of the newer sample has no length, so that its instances are not gone", whole, partly, []string{"10 a 12 both 0", "10 b 12 both 0"}},
		{"the older sample has no header", headless, whole, []string{
			"10 a 12 unknown damaged", "10 b 12 unknown damaged", "20 a 22 unknown damaged", "20 b 22 unknown damaged",
		}},
		{"the newer sample has no header", whole, headless, nil},
	} {
		var got []string
		faults := 0
		for v, err := range samples.Values(tt.older, tt.newer) {
			if err != nil {
				faults++
				if v.String() != "" {
					t.Errorf("%s: the value with an error is %q, must be empty", tt.reason, v)
				}
				continue
			}
			got = append(got, fmt.Sprintf("%d %s %d %v %v", v.Instance.Object, v.Instance.Name, v.Counter.ID, v.Instance.State, v))
		}
		if !slices.Equal(got, tt.want) || faults != 1 {
			t.Errorf("%s: got %q and %d errors, want %q and one error", tt.reason, got, faults, tt.want)
		}
	}
}

func check(t *testing.T, older, newer samples.Sample) {
	t.Helper()
	for _, wrap := range []bool{false, true} {
		for v, err := range (samples.Options{Wrap: wrap}).Values(older, newer) {
			if err != nil {
				continue
			}
			if math.IsNaN(v.Number) || math.IsInf(v.Number, 0) || v.Missing != samples.Present && v.Number != 0 {
				t.Fatalf("%v %v: %g, %v, %+v", v.Instance, v.Counter, v.Number, v.Missing, v.Inputs)
			}
			if v.Missing == samples.Present && v.Counter.Formula() == nil || v.String() == "" {
				t.Fatalf("%v %v: %v", v.Instance, v.Counter, v)
			}
		}
	}
}

func FuzzValues(f *testing.F) {
	f.Add(uint8(0), []byte{}, []byte{})
	for seed := range uint64(9) {
		kind := layout.Kinds()[seed%3]
		b := must(fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{}).MarshalBinary())
		f.Add(uint8(kind), b, b)
	}
	f.Fuzz(func(t *testing.T, kind uint8, older, newer []byte) {
		k := layout.Kinds()[int(kind)%len(layout.Kinds())]
		check(t, samples.Sample{Kind: k, Bytes: older}, samples.Sample{Kind: k, Bytes: newer})
	})
}

// TestQueryData computes values of query data with the registration of its counter set.
func TestQueryData(t *testing.T) {
	t.Parallel()
	set := layout.GUID{Data1: 1}
	five, six := uint32(5), uint32(6)
	reg := builder.NewCounterSetRegInfo(set, layout.PERF_COUNTERSET_MULTI_INSTANCES).
		Counter(1, layout.PERF_COUNTER_BULK_COUNT).
		WithBase(2, layout.PERF_LARGE_RAW_FRACTION, 3).
		Define(builder.CounterRegInfo{CounterId: 4, Type: layout.PERF_ELAPSED_TIME, PerfTimeId: &five, PerfFreqId: &six}).
		Counter(5, layout.PERF_COUNTER_LARGE_RAWCOUNT).
		Counter(6, layout.PERF_COUNTER_LARGE_RAWCOUNT)
	ctx := validate.Context{Registrations: [][]byte{must(reg.MarshalBinary())}}
	at := func(stamp int64, ctx validate.Context, results ...*builder.Result) samples.Sample {
		q := builder.QueryData{PerfTimeStamp: stamp, PerfFreq: 10}
		return samples.Sample{Kind: layout.QueryDataKind, Bytes: must(q.Add(results...).MarshalBinary()), Context: ctx}
	}
	all := func() *builder.Result {
		return builder.CounterSet().Counter(3, 8).Counter(1, 8).Counter(2, 8).Counter(4, 8).Counter(5, 8).Counter(6, 8)
	}
	few := func() *builder.Result { return builder.CounterSet().Counter(2, 8).Counter(4, 8).Counter(9, 8) }
	for _, tt := range []struct {
		reason       string
		older, newer samples.Sample
		want         []string
	}{
		{
			"a base, a time and a frequency have any place among the counters",
			at(0, ctx, all().Instance("a", 7, 10, 100, 1, 0, 0, 0)),
			at(50, ctx, all().Instance("a", 7, 10, 150, 1, 30, 50, 10)),
			[]string{"0 a:7 1 both 10.000 /sec", "0 a:7 2 both 10.000 %", "0 a:7 4 both 2.000 secs", "0 a:7 5 both 50", "0 a:7 6 both 10"},
		},
		{
			"the query did not ask for the base, the time and the frequency, and the set does not have the counter 9",
			at(0, ctx, few().Instance("a", 7, 1, 2, 3)),
			at(50, ctx, few().Instance("a", 7, 1, 2, 3)),
			[]string{"0 a:7 2 both no-base", "0 a:7 4 both no-clock", "0 a:7 9 both no-type"},
		},
		{
			"without a registration there is no type",
			at(0, validate.Context{}, few().Instance("a", 7, 1, 2, 3)),
			at(50, validate.Context{}, few().Instance("b", 7, 1, 2, 3)),
			[]string{"0 b:7 2 new no-type", "0 b:7 4 new no-type", "0 b:7 9 new no-type", "0 a:7 0 gone gone"},
		},
	} {
		if got := lines(tt.older, tt.newer); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.reason, strings.Join(got, "\n     "), strings.Join(tt.want, "\n     "))
		}
	}
}

// TestNamesOfUnknownValues checks that a State and a Missing without a name are shown as numbers.
func TestNamesOfUnknownValues(t *testing.T) {
	t.Parallel()
	const want = `4 13 ""`
	if got := fmt.Sprintf("%v %v %q", samples.Unknown+1, samples.Damaged+1, (samples.Damaged + 1).Reason()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
