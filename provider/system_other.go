//go:build !windows

package provider

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"
)

// newSystem returns a replacement for Windows.
func newSystem() system { return newStandIn() }

func allocate(n int) ([]atomic.Uint64, error) { return make([]atomic.Uint64, n), nil }

// newSharer returns memory that other processes cannot read. On Windows, newSharer returns shared memory.
func newSharer() sharer { return &ownMemory }

var ownMemory = heapSharing{mappings: make(map[string]*mapping), started: time.Now()}

type heapSharing struct {
	mu       sync.Mutex
	mappings map[string]*mapping
	started  time.Time
}

func (h *heapSharing) create(name string, size uint32, _ audience) (*mapping, bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if m, exists := h.mappings[name]; exists {
		return &mapping{m.words, func() error { return nil }}, true, nil
	}
	m := &mapping{make([]atomic.Uint32, size/4), func() error {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.mappings, name)
		return nil
	}}
	h.mappings[name] = m
	return m, false, nil
}

func (h *heapSharing) seconds() uint32 { return uint32(time.Since(h.started) / time.Second) }

// A job is the process of a probe.
type job struct{ process *os.Process }

func newJob(p *os.Process) (*job, error) { return &job{p}, nil }

func (j *job) end() { _ = j.process.Kill() } // an error if the process has ended

func detach(*exec.Cmd) {}

func systemFolder() string { return "" }

// Serve returns [ErrNotWindows].
func Serve(io.Reader, *os.File) error { return ErrNotWindows }

// Service returns [ErrNotWindows].
func Service(string) (DLL, Probe, error) { return DLL{}, Probe{}, ErrNotWindows }
