package provider

import (
	"sync"
	"sync/atomic"
)

// memory has the values of all instances of the process. It is not part of a Provider, because the values must stay
// valid after Close, and the next Provider can use them again.
var memory pool

// A pool has memory for the values of instances. The zero value is ready to use.
type pool struct {
	mu   sync.Mutex
	free map[int][][]atomic.Uint64 // by length
	rest []atomic.Uint64           // of the last region that was allocated
}

const (
	lineWords   = 8       // in a cache line. No two instances share a cache line.
	regionWords = 8 << 10 // in 64 KiB, the granularity of VirtualAlloc
)

// take returns n values that are 0.
func (p *pool) take(n int) ([]atomic.Uint64, error) {
	size := (n + lineWords - 1) / lineWords * lineWords
	p.mu.Lock()
	defer p.mu.Unlock()
	if list := p.free[size]; len(list) > 0 {
		values := list[len(list)-1]
		p.free[size] = list[:len(list)-1]
		for i := range values {
			values[i].Store(0)
		}
		return values[:n], nil
	}
	if len(p.rest) < size {
		region, err := allocate((size + regionWords - 1) / regionWords * regionWords)
		if err != nil {
			return nil, err
		}
		p.rest = region
	}
	values := p.rest[:size:size]
	p.rest = p.rest[size:]
	return values[:n], nil
}

// give makes values available to take. Neither Windows nor the program may refer to them.
func (p *pool) give(values []atomic.Uint64) {
	values = values[:cap(values)]
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.free == nil {
		p.free = make(map[int][][]atomic.Uint64)
	}
	p.free[len(values)] = append(p.free[len(values)], values)
}
