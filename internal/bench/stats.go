package main

import "slices"

// A spread is what is left of the samples of one figure.
type spread struct{ median, least, most float64 }

func spreadOf(samples []float64) spread {
	sorted := slices.Sorted(slices.Values(samples))
	n := len(sorted)
	return spread{median: (sorted[(n-1)/2] + sorted[n/2]) / 2, least: sorted[0], most: sorted[n-1]}
}

// ratios divides each sample by the one that was taken beside it.
func ratios(samples, beside []float64) []float64 {
	r := make([]float64, len(samples))
	for i := range r {
		r[i] = samples[i] / beside[i]
	}
	return r
}

// scaled returns the samples divided by n.
func scaled(samples []float64, n int) []float64 {
	s := make([]float64, len(samples))
	for i := range s {
		s[i] = samples[i] / float64(n)
	}
	return s
}

// sums adds each sample to the one that was taken beside it.
func sums(samples, beside []float64) []float64 {
	s := make([]float64, len(samples))
	for i := range s {
		s[i] = samples[i] + beside[i]
	}
	return s
}
