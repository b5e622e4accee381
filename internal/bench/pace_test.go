package main

import (
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	t.Parallel()
	var p pace
	ran := 0
	m := p.beside(func(n int) (time.Duration, error) {
		if ran++; len(p.samples) != ran {
			t.Errorf("%d samples before run %d", len(p.samples), ran)
		}
		return time.Duration(n), nil
	})
	for n := range 3 {
		if took, err := m(n); took != time.Duration(n) || err != nil {
			t.Errorf("%v, %v of a run of %d", took, err, n)
		}
	}
	for _, took := range p.samples {
		if took < 10_000 { // one instruction of each round alone takes longer
			t.Errorf("400,000 rounds in %v ns", took)
		}
	}
	if got, want := paceOf([]figure{{pace: []float64{20, 30}}, {}, {pace: []float64{10}}}), (spread{median: 2, least: 1, most: 3}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := paceOf([]figure{{}}); got != (spread{}) {
		t.Errorf("%v of nothing", got)
	}
}
