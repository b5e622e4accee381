package provider

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
)

// TestClose checks the order of the calls, and what the methods do after Close.
func TestClose(t *testing.T) {
	t.Parallel()
	s, named := newRecorder(), queues()
	p := start(t, s, Options{}, named)
	first, second := create(t, p, named, "first"), create(t, p, named, "second")
	if err := first.Delete(); err != nil {
		t.Fatal(err)
	}
	if err := first.Delete(); !errors.Is(err, ErrClosed) {
		t.Errorf("the second Delete returned %v", err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"PerfStartProviderEx", "PerfSetCounterSetInfo",
		"PerfCreateInstance", "PerfSetCounterRefValue", "PerfSetCounterRefValue",
		"PerfCreateInstance", "PerfSetCounterRefValue", "PerfSetCounterRefValue",
		"PerfDeleteInstance", "PerfDeleteInstance", "PerfStopProvider",
	}
	if !slices.Equal(s.calls, want) {
		t.Errorf("the calls are %v, want %v", s.calls, want)
	}
	for name, call := range map[string]func() error{
		"Close":    p.Close,
		"Delete":   second.Delete,
		"Create":   func() error { _, err := named.Create(p, "third"); return err },
		"Snapshot": func() error { _, err := p.Snapshot(); return err },
	} {
		if err := call(); !errors.Is(err, ErrClosed) {
			t.Errorf("%s after Close returned %v", name, err)
		}
	}
	if first.Counters[0].Add(1) != 1 || second.Counters[0].Add(2) != 2 {
		t.Error("an Add after Close did not return the new value")
	}
	if !slices.Equal(s.calls, want) {
		t.Errorf("after Close: the calls are %v", s.calls)
	}
	if err := (*Provider)(nil).Close(); err == nil {
		t.Error("Close of a nil Provider returned no error")
	}
	if _, err := (*Provider)(nil).Snapshot(); err == nil {
		t.Error("Snapshot of a nil Provider returned no error")
	}
	again := start(t, s, Options{}, named) // a definition can be started again
	create(t, again, named, "first")
}

// TestBlocked checks which calls wait, and which do not, while Windows creates or deletes an instance.
func TestBlocked(t *testing.T) {
	t.Parallel()
	for _, call := range []string{"PerfCreateInstance", "PerfDeleteInstance"} {
		synctest.Test(t, func(t *testing.T) {
			s, set := newRecorder(), queues()
			p := start(t, s, Options{}, set)
			q := create(t, p, set, "a")
			s.blockedName, s.released = call, make(chan struct{})
			first := make(chan error, 2)
			go func() {
				if call == "PerfDeleteInstance" {
					first <- q.Delete()
					return
				}
				_, err := set.Create(p, "b")
				first <- err
			}()
			synctest.Wait()
			for _, name := range []string{"a", "b"} {
				if blocked := (name == "a") == (call == "PerfDeleteInstance"); !blocked {
					continue
				}
				if _, err := set.Create(p, name); !errors.Is(err, ErrDuplicate) {
					t.Errorf("%s: Create of the same name returned %v", call, err)
				}
				if _, is := inSnapshot(t, p)[name]; is {
					t.Errorf("%s: a snapshot has the instance", call)
				}
			}
			if call == "PerfDeleteInstance" {
				if err := q.Delete(); !errors.Is(err, ErrClosed) {
					t.Errorf("the second Delete returned %v", err)
				}
			}
			closed := make(chan error, 1)
			go func() { closed <- p.Close() }()
			synctest.Wait()
			if len(closed) > 0 || slices.Contains(s.calls, "PerfStopProvider") {
				t.Errorf("%s: Close did not wait", call)
			}
			close(s.released)
			for _, err := range []error{<-first, <-closed} {
				if err != nil {
					t.Errorf("%s: %v", call, err)
				}
			}
			if len(s.providers) > 0 {
				t.Errorf("%s: the provider is not stopped", call)
			}
		})
	}
}
