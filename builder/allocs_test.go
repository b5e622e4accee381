package builder_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestNoAllocations checks that setting values in a CounterBlock does not allocate, and that a Fill does not allocate
// if its buffer does not grow.
func TestNoAllocations(t *testing.T) {
	unicode := compile(t, site().Define(builder.Counter{CounterType: layout.PERF_COUNTER_TEXT, CounterSize: 64}))
	ansi := compile(t, &builder.Object{CodePage: 1252, Counters: []builder.Counter{{CounterType: layout.PERF_COUNTER_RAWCOUNT}}})
	single := compile(t, site().Single())
	header := &builder.DataBlock{SystemName: "größe"}
	first, second, text := unicode.Handle64(0), unicode.Handle32(1), unicode.HandleText(4)
	block := unicode.CounterBlock()
	names := []string{"", "a", "eight by", "fifteen letters", "größe", "日本語", "🦀🦀🦀🦀🦀🦀🦀🦀🦀"}
	values := []uint64{1, 2, 3, 4, 0}

	buffer := make([]byte, 0, 8192)
	for name, run := range map[string]func() error{
		"filling": func() error {
			f := builder.NewFixedFill(buffer)
			f.DataBlock(header)
			f.Object(unicode)
			f.PerfTime(7)
			for i, name := range names {
				f.Instance(name)
				f.UniqueID(int32(i))
				f.Values(values...)
				f.Set64(first, uint64(i))
				f.Set32(second, uint32(i))
				f.SetText(text, "größe 🦀")
				f.Child(2, uint32(i), name)
				f.Block(block)
			}
			f.Object(ansi)
			f.Instance("gr\xf6\xdfe")
			f.Values(1)
			f.Object(single)
			f.Values(values[:4]...)
			_, err := f.Done()
			return err
		},
		"filling a buffer that can grow and is large enough": func() error {
			f := builder.NewFill(buffer)
			f.Object(unicode)
			for _, name := range names {
				f.Instance(name)
			}
			_, err := f.Done()
			return err
		},
		"filling a buffer that is too small": func() error {
			f := builder.NewFixedFill(buffer[:0:300])
			f.Object(unicode)
			for i, name := range names {
				f.Instance(name)
				f.UniqueID(int32(i))
				f.Values(values...)
				f.Set64(first, 1)
				f.SetText(text, "x")
				f.Block(block)
			}
			if _, err := f.Done(); !errors.Is(err, builder.ErrMoreData) || f.Need() < 300 {
				return errors.New("there was room")
			}
			return nil
		},
		"counting": func() error {
			block.Add64(first, 1)
			block.Set32(second, 1)
			block.SetText(text, "größe")
			return block.Err()
		},
	} {
		if err := run(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := testing.AllocsPerRun(100, func() { _ = run() }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestNoAllocationsToRefresh checks that overwriting values does not allocate.
func TestNoAllocationsToRefresh(t *testing.T) {
	template, b := twoSites(t)
	first, block := template.Handle64(0), template.CounterBlock()
	refresh := func() error {
		r := template.Refresh(b)
		r.PerfTime(8)
		for r.Next() {
			if r.Name().Len() == 0 {
				return errors.New("an instance without a name")
			}
			r.Values(1, 2, 3, 4)
			r.Set64(first, 5)
			r.Block(block)
		}
		_, err := r.Done()
		return err
	}
	if err := refresh(); err != nil {
		t.Error(err)
	}
	if n := testing.AllocsPerRun(100, func() { _ = refresh() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// objectsOfAllFields returns an object with the given number of instances. Each instance has a UniqueID, numbers,
// a text, and a name with letters outside ASCII.
func objectsOfAllFields(instances int) builder.Objects {
	o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Counter(6, layout.PERF_COUNTER_LARGE_RAWCOUNT).Counter(8, layout.PERF_COUNTER_TEXT)
	for i := range instances {
		id := int32(i)
		o.Add(builder.Instance{
			Name:     fmt.Sprintf("größe %08d", i),
			UniqueID: &id,
			Values:   []uint64{uint64(i), uint64(i) << 40, 0},
			Texts:    []string{fmt.Sprintf("text %08d", i)},
		})
	}
	return builder.Objects{*o}
}

// TestDecodingAllocatesLittle checks that decoding makes at most one allocation for every 20 instances.
func TestDecodingAllocatesLittle(t *testing.T) {
	const n = 20_000
	for name, o := range map[string]builder.Objects{"all fields": objectsOfAllFields(n), "unnamed": {*builder.NewObject(2).Add(make([]builder.Instance, n)...)}} {
		b, err := o.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		for _, lossy := range []bool{false, true} {
			var back builder.Objects
			allocs := testing.AllocsPerRun(3, func() {
				if lossy {
					_, err = back.UnmarshalLossy(b)
				} else {
					err = back.UnmarshalBinary(b)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			if most := float64(n / 20); allocs > most {
				t.Errorf("%s: %v allocations for %d instances, want %v at most", name, allocs, n, most)
			}
			if c := cap(back[0].Instances); c != n {
				t.Errorf("%s: the capacity is %d, want %d instances", name, c, n)
			}
		}
	}
}

// TestDecodedValuesHaveNoCapacity appends to the values of a decoded instance. The append must not overwrite the values
// of the next instance, which are in the same array.
func TestDecodedValuesHaveNoCapacity(t *testing.T) {
	t.Parallel()
	numbers := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Instance("a", 1).Instance("b", 2)
	for _, original := range []builder.Objects{objectsOfAllFields(2), {*numbers}} {
		b, err := original.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var o builder.Objects
		if err := o.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		for _, in := range o[0].Instances {
			_, _ = append(in.Values, 1<<63), append(in.Texts, "overwritten")
		}
		if diff := cmp.Diff(original, o); diff != "" {
			t.Errorf("append changed another instance (-want +got):\n%s", diff)
		}
	}
}

// TestInstancesShareNothing checks that changing one decoded instance does not change other instances.
func TestInstancesShareNothing(t *testing.T) {
	t.Parallel()
	b, err := objectsOfAllFields(100).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var changed, want builder.Objects
	if err := changed.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	if err := want.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	clear(b)
	in := &changed[0].Instances[50]
	_ = append(in.Values, 1, 2, 3)
	_ = append(in.Texts, "x")
	clear(in.Values)
	clear(in.Texts)
	*in.UniqueID = -7
	_ = append(changed[0].Instances[:51:51], builder.Instance{})
	changed[0].Instances[50] = want[0].Instances[50]
	if diff := cmp.Diff(want, changed); diff != "" {
		t.Errorf("other instances changed with one (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(objectsOfAllFields(100), want); diff != "" {
		t.Errorf("what was decoded is not what was encoded (-want +got):\n%s", diff)
	}
}

// queryDataOfAllFields returns query data with the given number of instances. Each instance has numbers, a text,
// and a name with letters outside ASCII.
func queryDataOfAllFields(instances int) builder.QueryData {
	set := builder.CounterSet().Counter(1, 4).Define(builder.QueryCounter{CounterId: 2}, builder.QueryCounter{CounterId: 3, Bytes: true})
	for i := range instances {
		set.Add(builder.QueryInstance{
			Name:       fmt.Sprintf("größe %08d", i),
			InstanceId: uint32(i),
			Values:     []uint64{uint64(i), uint64(i) << 40, 0},
			Texts:      []string{fmt.Sprintf("text %08d", i)},
		})
	}
	return *new(builder.QueryData{}).Add(set)
}

// TestQueryDecodingAllocatesLittle checks that instances share allocations, and that changing one instance does
// not change other instances.
func TestQueryDecodingAllocatesLittle(t *testing.T) {
	const n = 20_000
	q := queryDataOfAllFields(n)
	b, err := q.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var back builder.QueryData
	allocs := testing.AllocsPerRun(3, func() { err = back.UnmarshalBinary(b) })
	if err != nil || allocs > n/20 {
		t.Errorf("%v allocations for %d instances, %v", allocs, n, err)
	}
	in := &back.Results[0].Instances[50]
	_ = append(in.Values, 1, 2, 3)
	_ = append(in.Texts, "x")
	clear(b)
	if !reflect.DeepEqual(q, back) {
		t.Errorf("other instances changed with one (-want +got):\n%s", cmp.Diff(q, back))
	}
	list, ids := make(builder.InstanceList, n), make(builder.Identifiers, n)
	for i := range n {
		list[i].Name, ids[i].Name = fmt.Sprintf("größe %08d", i), fmt.Sprintf("größe %08d", i)
	}
	b, _ = list.MarshalBinary()
	allocs = testing.AllocsPerRun(3, func() { err = new(builder.InstanceList).UnmarshalBinary(b) })
	if err != nil || allocs > n/20 {
		t.Errorf("%v allocations for a list of %d, %v", allocs, n, err)
	}
	b, _ = ids.MarshalBinary()
	allocs = testing.AllocsPerRun(3, func() { err = new(builder.Identifiers).UnmarshalBinary(b) })
	if err != nil || allocs > n/20 {
		t.Errorf("%v allocations for %d identifiers, %v", allocs, n, err)
	}
}

// TestQueryEncodingAllocatesLittle checks that appending query data makes at most one allocation if the buffer is large
// enough.
func TestQueryEncodingAllocatesLittle(t *testing.T) {
	q := queryDataOfAllFields(1000)
	n, err := q.EncodedLen()
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 0, n)
	if allocs := testing.AllocsPerRun(10, func() { _, err = q.AppendBinary(b) }); err != nil || allocs > 1 {
		t.Errorf("%v allocations, %v", allocs, err)
	}
}

// TestSetDecodingAllocatesLittle checks that counters and texts share allocations. The decoded set must not use
// the memory of the input.
func TestSetDecodingAllocatesLittle(t *testing.T) {
	const n = 20_000
	set, template, texts := new(builder.CounterSetRegInfo{}), new(builder.CounterSetInfo{}), new(builder.StringBuffer{})
	for i := range uint32(n) {
		set.Define(builder.CounterRegInfo{CounterId: i, Type: layout.PERF_COUNTER_LARGE_RAWCOUNT, PerfTimeId: new((i + 1) % n), PerfFreqId: new((i + 2) % n)})
		template.Counter(i, layout.PERF_COUNTER_COUNTER)
		texts.Counter(i, fmt.Sprintf("größe %08d", i))
	}
	for _, m := range []builder.Model{set, template, texts, &builder.CounterSetInstance{Values: make([]uint64, n)}, new(make(builder.GUIDs, n))} {
		b, err := m.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		back, err := builder.NewModel(m.Kind())
		if err != nil {
			t.Fatal(err)
		}
		allocs := testing.AllocsPerRun(3, func() { err = back.UnmarshalBinary(b) })
		if err != nil || allocs > n/20 {
			t.Errorf("%v allocations for a %v of %d, %v", allocs, m.Kind(), n, err)
		}
		t.Logf("%v allocations for a %v of %d", allocs, m.Kind(), n)
		clear(b)
		if !reflect.DeepEqual(m, back) {
			t.Errorf("the model changed with the bytes (-want +got):\n%s", cmp.Diff(m, back))
		}
	}
}
