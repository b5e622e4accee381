package provider

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A Uint64 is a counter of an instance, with a value of 8 bytes. Its methods are like those of [atomic.Uint64], and as
// fast. A copy is the same counter. All methods of the zero value do nothing and return 0.
type Uint64 struct {
	value *atomic.Uint64
	lease *lease // of the memory of value
}

// A lease reserves the memory of an instance while the program refers to the lease. The [Instance] and its counters
// refer to the lease.
type lease struct{ instance *instance }

// Each method ends with KeepAlive, to keep the lease during the call. Otherwise the method could change the memory of
// another instance.

// Add adds delta and returns the new value. To subtract n, add ^uint64(n-1).
func (c *Uint64) Add(delta uint64) uint64 {
	if c.value == nil {
		return 0
	}
	n := c.value.Add(delta)
	runtime.KeepAlive(c.lease)
	return n
}

// Store sets the value.
func (c *Uint64) Store(value uint64) {
	if c.value != nil {
		c.value.Store(value)
		runtime.KeepAlive(c.lease)
	}
}

// Load returns the value.
func (c *Uint64) Load() uint64 {
	if c.value == nil {
		return 0
	}
	n := c.value.Load()
	runtime.KeepAlive(c.lease)
	return n
}

// A Uint32 is a counter of an instance, with a value of 4 bytes. It is like [Uint64], and starts again at 0 after 2^32 - 1.
type Uint32 struct{ low Uint64 } // Windows reads the low 4 bytes of the 8

// Add adds delta and returns the new value. To subtract n, add ^uint32(n-1).
func (c *Uint32) Add(delta uint32) uint32 { return uint32(c.low.Add(uint64(delta))) }

// Store sets the value.
func (c *Uint32) Store(value uint32) { c.low.Store(uint64(value)) }

// Load returns the value.
func (c *Uint32) Load() uint32 { return uint32(c.low.Load()) }

// A Value is a counter of an instance: a [*Uint32] or a [*Uint64].
type Value interface {
	bind(value *atomic.Uint64, l *lease)
	holds(width uint32) bool // width is in bytes
}

func (c *Uint64) bind(value *atomic.Uint64, l *lease) { c.value, c.lease = value, l }
func (c *Uint32) bind(value *atomic.Uint64, l *lease) { c.low.bind(value, l) }
func (c *Uint64) holds(width uint32) bool             { return width == 8 }
func (c *Uint32) holds(width uint32) bool             { return width == 4 }

// anyWidth is a counter whose width is known only at run time.
type anyWidth struct{ *Uint64 }

func (anyWidth) holds(uint32) bool { return true }

// memory has the values of all instances of the process. The program can use the values of an instance even after
// Close. When Windows and the program no longer refer to the values, other instances can use the memory.
var memory pool

// A pool has memory for the values of instances. The zero value is ready to use.
type pool struct {
	mu   sync.Mutex
	free map[int][][]atomic.Uint64 // by length
	rest []atomic.Uint64           // of the last region that was allocated
}

const (
	lineWords   = 8       // words of 8 bytes in a cache line; no two instances share a cache line
	regionWords = 8 << 10 // words of 8 bytes in 64 KiB, the granularity of VirtualAlloc
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

// giveBack adds values to the free memory of the pool. Neither Windows nor the program may still refer to the values.
func (p *pool) giveBack(values []atomic.Uint64) {
	values = values[:cap(values)]
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.free == nil {
		p.free = make(map[int][][]atomic.Uint64)
	}
	p.free[len(values)] = append(p.free[len(values)], values)
}
