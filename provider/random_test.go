package provider

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

// values has the counter values of each instance of a set. The key is the name of the instance.
type values map[string][]uint64

// inSnapshot returns the values in a snapshot of a provider with one set.
func inSnapshot(t testing.TB, p *Provider) values {
	t.Helper()
	var data builder.QueryData
	if err := data.UnmarshalBinary(snapshot(t, p)); err != nil {
		t.Fatal(err)
	}
	all := make(values)
	for _, in := range data.Results[0].Instances {
		all[in.Name] = in.Values
	}
	return all
}

// inSystem returns the values at the addresses that Windows would read.
func inSystem(s *standIn, handle uintptr) values {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make(values)
	for _, in := range s.providers[handle].instances {
		var list []uint64
		for id := range uint32(len(in.values)) {
			list = append(list, in.values[id+1].Load())
		}
		all[in.name] = list
	}
	return all
}

// FuzzOperations runs operations on a provider and on a simple model, and compares the two. Each operation is two
// bytes.
func FuzzOperations(f *testing.F) {
	f.Add([]byte("\x00\x00\x02\x00\x03\x00\x04\x00\x00\x01\x01\x00\x00\x00\x04\x00\x05\x00\x00\x00\x02\x00"))
	f.Add([]byte("\x00\x00\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00\x07\x04\x00\x01\x01\x01\x01\x01\x02\x04\x00"))
	// U+10400 is a capital letter of the Deseret alphabet, and U+10428 is its small letter.
	names := []string{"a", "A", "b", "ı", "I", "i", "\U00010428", "\U00010400", "x\x00", "*", "", "\xff"}
	f.Fuzz(func(t *testing.T, operations []byte) {
		s, set := newStandIn(), newSet("Set", multiple, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_COUNTER_LARGE_RAWCOUNT)
		p := start(t, s, Options{}, set)
		type held struct {
			values *Values
			want   []uint64
			live   bool
		}
		var all []*held
		live := make(map[string]*held) // by folded name
		closed := false
		for i := 0; i+1 < len(operations) && i < 400; i += 2 {
			operand := operations[i+1]
			var h *held
			if len(all) > 0 {
				h = all[int(operand)%len(all)]
			}
			switch op := operations[i] % 6; {
			case op == 0:
				name := names[int(operand)%len(names)]
				q, err := set.Create(p, name)
				fits := int(operand)%len(names) < 8
				if want := fits && live[fold(name)] == nil && !closed; (err == nil) != want {
					t.Fatalf("operation %d: Create of %q returned %v", i, name, err)
				}
				if err == nil {
					h := &held{q, make([]uint64, 2), true}
					all, live[fold(name)] = append(all, h), h
				}
			case h == nil:
			case op == 1:
				err := h.values.Delete()
				if want := h.live && !closed; (err == nil) != want || err != nil && !errors.Is(err, ErrClosed) {
					t.Fatalf("operation %d: Delete returned %v", i, err)
				}
				if h.live {
					h.live = false
					delete(live, fold(h.values.Name()))
				}
			case op == 2:
				h.want[operand%2] += uint64(operand)
				if got := h.values.Counters[operand%2].Add(uint64(operand)); got != h.want[operand%2] {
					t.Fatalf("operation %d: Add returned %d, want %d", i, got, h.want[operand%2])
				}
			case op == 3:
				h.want[operand%2] = uint64(operand)
				h.values.Counters[operand%2].Store(uint64(operand))
			case op == 4 && !closed:
				want := make(values)
				for _, h := range live {
					want[h.values.Name()] = h.want
				}
				if diff := cmp.Diff(want, inSnapshot(t, p)); diff != "" {
					t.Fatalf("operation %d: values (-model +snapshot):\n%s", i, diff)
				}
				if diff := cmp.Diff(want, inSystem(s, p.handle)); diff != "" {
					t.Fatalf("operation %d: values (-model +Windows):\n%s", i, diff)
				}
			case op == 5 && operand == 0:
				if err := p.Close(); (err == nil) == closed {
					t.Fatalf("operation %d: Close returned %v", i, err)
				}
				closed = true
				if len(s.providers) > 0 {
					t.Fatalf("operation %d: the provider is not stopped", i)
				}
			}
		}
	})
}

// TestGoroutines creates, changes and deletes instances in several goroutines, while snapshots are taken and the
// garbage collector runs. At the end, the values must be those that the goroutines have stored.
func TestGoroutines(t *testing.T) {
	t.Parallel()
	for seed := range uint64(long.Count(2, 20)) {
		s, set := newStandIn(), queues()
		p := start(t, s, Options{Collect: runtime.Gosched}, set)
		var all, readers sync.WaitGroup
		var mu sync.Mutex
		want, shared := make(values), 0
		done := make(chan struct{})
		readers.Go(func() {
			for {
				snapshot(t, p)
				runtime.GC()
				select {
				case <-done:
					return
				default:
				}
			}
		})
		for g := range 4 {
			all.Go(func() {
				r := rand.New(rand.NewPCG(seed, uint64(g)))
				own := make(map[string]*Values)
				for range 200 {
					name := fmt.Sprint("g", g, " ", r.IntN(5))
					switch q := own[name]; {
					case q == nil:
						own[name] = create(t, p, set, name)
						if got := own[name].Counters[0].Load(); got != 0 {
							t.Errorf("a new counter has the value %d", got)
						}
					case r.IntN(3) == 0:
						if err := q.Delete(); err != nil {
							t.Error(err)
						}
						delete(own, name)
						go q.Counters[0].Add(1 << 40) // a late Add must not reach another instance
					default:
						q.Counters[0].Add(1)
						q.Counters[1].Store(uint64(r.Uint32()))
					}
					if q, err := set.Create(p, "shared"); err == nil {
						mu.Lock()
						shared++
						if shared > 1 {
							t.Error("two instances have the same name")
						}
						mu.Unlock()
						mu.Lock()
						shared--
						mu.Unlock()
						if err := q.Delete(); err != nil {
							t.Error(err)
						}
					} else if !errors.Is(err, ErrDuplicate) {
						t.Error(err)
					}
				}
				mu.Lock()
				defer mu.Unlock()
				for name, q := range own {
					want[name] = []uint64{q.Counters[0].Load(), q.Counters[1].Load()}
					if want[name][0] > 200 {
						t.Errorf("the counter of %s is %d: another instance has changed it", name, want[name][0])
					}
				}
			})
		}
		all.Wait()
		close(done)
		readers.Wait()
		if diff := cmp.Diff(want, inSnapshot(t, p)); diff != "" {
			t.Errorf("values (-model +snapshot):\n%s", diff)
		}
		if diff := cmp.Diff(want, inSystem(s, p.handle)); diff != "" {
			t.Errorf("values (-model +Windows):\n%s", diff)
		}
		closed := make(chan error)
		for range 4 {
			go func() { closed <- p.Close() }()
			go func() { _, _ = set.Create(p, "late") }()
		}
		succeeded := 0
		for range 4 {
			if err := <-closed; err == nil {
				succeeded++
			} else if !errors.Is(err, ErrClosed) {
				t.Error(err)
			}
		}
		if succeeded != 1 || len(s.providers) > 0 {
			t.Errorf("%d calls of Close succeeded, and %d providers are left", succeeded, len(s.providers))
		}
	}
}
