package main

import (
	"slices"
	"time"
)

// A pace has how long the same computing took from time to time. It touches no memory, which a copy mostly waits for: where another
// program, or another machine that shares the processor, takes part of a core, this takes longer and a copy hardly does.
type pace struct {
	samples []float64 // nanoseconds
	left    uint64    // what was computed, so that it is
}

// beside takes a sample of the pace before each of m.
func (p *pace) beside(m meter) meter {
	return func(n int) (time.Duration, error) {
		p.take()
		return m(n)
	}
}

// take computes for half a millisecond or so, with as many instructions at a time as a core has room for.
func (p *pace) take() {
	start := time.Now()
	a, b, c, d := p.left, uint64(2), uint64(3), uint64(4)
	for i := range uint64(400_000) {
		a, b = a*5+1, b*7+3
		c ^= c<<3 + i
		d ^= d>>2 + i
	}
	p.left = a ^ b ^ c ^ d
	p.samples = append(p.samples, float64(time.Since(start).Nanoseconds()))
}

// paceOf returns how many times its least the same computing took while the figures were measured.
func paceOf(figures []figure) spread {
	var all []float64
	for _, f := range figures {
		all = append(all, f.pace...)
	}
	if len(all) == 0 {
		return spread{}
	}
	least := slices.Min(all)
	for i := range all {
		all[i] /= least
	}
	return spreadOf(all)
}
