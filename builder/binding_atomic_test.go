package builder_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestCountWhileCollecting collects values while other goroutines add to the atomic fields. The race detector reports
// a load that is not atomic.
func TestCountWhileCollecting(t *testing.T) {
	t.Parallel()
	type events struct {
		Accepted atomic.Uint64 `perf:"type=PERF_COUNTER_BULK_COUNT"`
		Refused  atomic.Uint32
	}
	object, err := builder.Define[events](5000)
	if err != nil {
		t.Fatal(err)
	}
	template, err := object.Compile()
	if err != nil {
		t.Fatal(err)
	}
	binding, err := builder.Bind[events](template)
	if err != nil {
		t.Fatal(err)
	}

	var counting events
	var stop atomic.Bool
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for !stop.Load() {
				counting.Accepted.Add(1)
				counting.Refused.Add(1)
			}
		})
	}
	defer group.Wait()
	defer stop.Store(true)

	values := func(block []byte) (accepted, refused uint64) {
		var rows layout.Rows
		for o, err := range layout.ReadObjects(block) {
			if err != nil {
				t.Fatal(err)
			}
			if err := rows.Open(o); err != nil || !rows.Next() {
				t.Fatal("the block has no instance", err)
			}
		}
		v := rows.AppendValues(nil)
		return v[0], v[1]
	}
	collect := func(how string, write func() []byte) {
		beforeAccepted, beforeRefused := counting.Accepted.Load(), uint64(counting.Refused.Load())
		accepted, refused := values(write())
		if accepted < beforeAccepted || accepted > counting.Accepted.Load() || refused < beforeRefused || refused > uint64(counting.Refused.Load()) {
			t.Errorf("%s wrote %d and %d, which the fields did not have during the call", how, accepted, refused)
		}
	}
	var block []byte
	for range 200 {
		collect("Instance", func() []byte {
			f := builder.NewFill(nil)
			f.Object(template)
			binding.Instance(&f, "shop", &counting)
			block, err = f.Done()
			if err != nil {
				t.Fatal(err)
			}
			return block
		})
		collect("Refresh", func() []byte {
			r := template.Refresh(block)
			r.Next()
			binding.Refresh(&r, &counting)
			if _, err := r.Done(); err != nil {
				t.Fatal(err)
			}
			return block
		})
	}
}
