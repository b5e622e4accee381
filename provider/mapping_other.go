//go:build !windows

package provider

import (
	"sync"
	"sync/atomic"
	"time"
)

// newSharing returns a replacement for Windows: memory that only this process has.
func newSharing() sharing { return &ownMemory }

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
