package main

import (
	"testing"
)

// The rows of the table as benchmarks of Go's own, to compare two states of the module with benchstat:
//
//	go test ./internal/bench -run '^$' -bench /process-2775/ -count 10
func BenchmarkWorkload(b *testing.B) {
	for _, w := range workloads() {
		b.Run(w.Name, func(b *testing.B) {
			l, err := newLoad(w)
			if err != nil {
				b.Fatal(err)
			}
			for _, s := range subjects {
				b.Run(s.name, func(b *testing.B) {
					run, err := s.prepare(l)
					if err != nil {
						b.Fatal(err)
					}
					b.SetBytes(int64(len(l.block)))
					b.ReportAllocs()
					for b.Loop() {
						if err := run(); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}
