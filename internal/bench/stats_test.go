package main

import (
	"errors"
	"slices"
	"testing"
	"time"
)

func TestSpread(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		samples []float64
		want    spread
		reason  string
	}{
		{[]float64{7}, spread{7, 7, 7}, "one sample is all three"},
		{[]float64{3, 1, 2}, spread{2, 1, 3}, "of an odd number the one in the middle, whatever their order"},
		{[]float64{4, 1, 9, 2}, spread{3, 1, 9}, "of an even number between the two in the middle"},
		{[]float64{10, 1, 2, 3, 4, 5, 6, 7, 8, 90}, spread{5.5, 1, 90}, "one that is far off moves only the end of it"},
	} {
		before := slices.Clone(tt.samples)
		if got := spreadOf(tt.samples); got != tt.want {
			t.Errorf("%v: got %v, want %v: %s", tt.samples, got, tt.want, tt.reason)
		}
		if !slices.Equal(tt.samples, before) {
			t.Errorf("%v: the samples are no longer in the order in which they were taken", before)
		}
	}
}

func TestNeighbours(t *testing.T) {
	t.Parallel()
	a, b := []float64{10, 30, 9}, []float64{5, 10, 3}
	if got, want := ratios(a, b), []float64{2, 3, 3}; !slices.Equal(got, want) {
		t.Errorf("ratios: got %v, want %v", got, want)
	}
	if got, want := sums(a, b), []float64{15, 40, 12}; !slices.Equal(got, want) {
		t.Errorf("sums: got %v, want %v", got, want)
	}
	if got, want := scaled(a, 10), []float64{1, 3, 0.9}; !slices.Equal(got, want) {
		t.Errorf("scaled: got %v, want %v", got, want)
	}
}

// clock is a meter whose runs take as long as it says.
func clock(each time.Duration, runs *[]int) meter {
	return func(n int) (time.Duration, error) {
		*runs = append(*runs, n)
		return time.Duration(n) * each, nil
	}
}

func TestCalibrate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		each   time.Duration
		reason string
	}{
		{0, "a clock that is too coarse to see one"},
		{10 * time.Nanosecond, "a tiny block"},
		{3 * time.Millisecond, "some fit"},
		{20 * time.Millisecond, "just one"},
		{time.Second, "less than one"},
	} {
		var runs []int
		m := clock(tt.each, &runs)
		if tt.each == 0 {
			m = func(n int) (time.Duration, error) {
				runs = append(runs, n)
				return (time.Duration(n) * 100).Truncate(time.Millisecond), nil
			}
		}
		n, err := calibrate(m, usual.least)
		if err != nil {
			t.Fatal(err)
		}
		took, _ := m(n)
		if took < usual.least || n > 1 && took > 3*usual.least {
			t.Errorf("%v: %d times, %v: %s", tt.each, n, took, tt.reason)
		}
		if runs[0] != 1 || len(runs) > 20 {
			t.Errorf("%v: it ran %v times: %s", tt.each, runs, tt.reason)
		}
	}
}

func TestInterleave(t *testing.T) {
	t.Parallel()
	var order []string
	named := func(name string, each time.Duration) meter {
		return func(n int) (time.Duration, error) {
			order = append(order, name)
			return time.Duration(n) * each, nil
		}
	}
	samples, err := (sampling{3, time.Millisecond}).interleave(named("a", time.Millisecond), named("b", 250*time.Microsecond))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := order[len(order)-6:], []string{"a", "b", "a", "b", "a", "b"}; !slices.Equal(got, want) {
		t.Errorf("it measured %v, want %v", got, want)
	}
	for i, each := range []float64{1e6, 250e3} {
		if want := []float64{each, each, each}; !slices.Equal(samples[i], want) {
			t.Errorf("meter %d: %v for one run, want %v", i, samples[i], want)
		}
	}
	broken := errors.New("broken")
	if _, err := (sampling{3, 0}).interleave(func(int) (time.Duration, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("got error %v, want %v", err, broken)
	}
}

func TestAllocated(t *testing.T) {
	t.Parallel()
	var sink [][]byte
	n, err := allocated(func() error {
		sink = nil
		for range 1000 {
			sink = append(sink, make([]byte, 100))
		}
		return nil
	})
	// Not exact: other tests run beside this one.
	if err != nil || n < 1000 {
		t.Errorf("%d allocations, error %v; want 1000 slices and what holds them", n, err)
	}
}
