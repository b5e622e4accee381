package main

import (
	"runtime"
	"runtime/metrics"
	"time"
)

// A sampling says how much is measured for a figure.
type sampling struct {
	rounds int           // samples
	least  time.Duration // a sample takes that long at the least
}

// usual is the sampling of all that is printed.
var usual = sampling{rounds: 10, least: 20 * time.Millisecond}

// A meter does its work n times and says how long that took.
type meter func(n int) (time.Duration, error)

// A heap is that of this process, swept before the clock starts, so that no sample pays for what the one before it left behind.
type heap struct{ swept uint64 } // bytes that had ever been allocated by then

const allocatedBytes = "/gc/heap/allocs:bytes"

// sweep does nothing where next to nothing was allocated: a large heap takes longer to sweep than the sample does.
func (h *heap) sweep() {
	sample := []metrics.Sample{{Name: allocatedBytes}}
	if metrics.Read(sample); h.swept > 0 && sample[0].Value.Uint64()-h.swept < 1<<18 {
		return
	}
	runtime.GC()
	metrics.Read(sample)
	h.swept = sample[0].Value.Uint64()
}

// meter measures a function of this process.
func (h *heap) meter(run func() error) meter {
	return func(n int) (time.Duration, error) {
		h.sweep()
		start := time.Now()
		for range n {
			if err := run(); err != nil {
				return 0, err
			}
		}
		return time.Since(start), nil
	}
}

// calibrate returns how often a meter's work fits a sample. What it runs warms up caches, pages and memory that is kept.
func calibrate(m meter, least time.Duration) (int, error) {
	if took, err := m(1); err != nil || took > 10*least {
		return 1, err // too long for what is warmed up to count
	}
	for n := 1; ; {
		took, err := m(n)
		if err != nil || took >= least {
			return n, err
		}
		// Half as many again as it seems to take, and no more than a hundred times as many: the first runs are slow.
		n = int(float64(n)*min(100, 1.5*float64(least)/float64(max(took, 1)))) + 1
	}
}

// interleave takes samples of all meters in turn, so that what drifts on the machine drifts for all of them. It returns, for each
// meter, the nanoseconds of one run in each round.
func (s sampling) interleave(meters ...meter) ([][]float64, error) {
	times := make([]int, len(meters))
	for i, m := range meters {
		var err error
		if times[i], err = calibrate(m, s.least); err != nil {
			return nil, err
		}
	}
	samples := make([][]float64, len(meters))
	for range s.rounds {
		for i, m := range meters {
			took, err := m(times[i])
			if err != nil {
				return nil, err
			}
			samples[i] = append(samples[i], float64(took.Nanoseconds())/float64(times[i]))
		}
	}
	return samples, nil
}

// allocated returns how many allocations a run makes, the least of a few runs: the runtime's own fall into one now and then. A run
// that takes seconds makes so many that those do not show.
func allocated(run func() error) (uint64, error) {
	least := ^uint64(0)
	for i, start := 0, time.Now(); i < 3 && time.Since(start) < time.Second; i++ {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := run(); err != nil {
			return 0, err
		}
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	return least, nil
}
