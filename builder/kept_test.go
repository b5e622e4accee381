package builder_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// rich returns an object that makes use of all that an instance can keep: a name
// beyond ASCII, UniqueID, numbers and a text.
func rich(instances int) builder.Objects {
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

func TestDecodingAllocatesLittle(t *testing.T) {
	const n = 20_000
	for name, o := range map[string]builder.Objects{"all that there is": rich(n), "unnamed": {*builder.NewObject(2).Add(make([]builder.Instance, n)...)}} {
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
				t.Errorf("%s: room for %d instances, and there are %d", name, c, n)
			}
		}
	}
}

// What is kept of a model keeps alive little else of it.
func TestOneInstanceKeepsNoOther(t *testing.T) {
	const n = 50_000
	b, err := rich(n).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	var kept []builder.Instance
	func() {
		var o builder.Objects
		if err := o.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		kept = append(kept, o[0].Instances[n/2])
	}()
	if grown := heap() - before; grown > 64<<10 {
		t.Errorf("one instance keeps %d bytes", grown)
	}
	if kept[0].Name != fmt.Sprintf("größe %08d", n/2) {
		t.Errorf("the instance is called %q", kept[0].Name)
	}
	runtime.KeepAlive(b)
}

// The parts of one instance are its own, although they are cut from what they share.
func TestInstancesShareNothing(t *testing.T) {
	t.Parallel()
	b, err := rich(100).MarshalBinary()
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
	if diff := cmp.Diff(rich(100), want); diff != "" {
		t.Errorf("what was decoded is not what was encoded (-want +got):\n%s", diff)
	}
}
