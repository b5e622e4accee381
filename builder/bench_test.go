package builder_test

import (
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
)

// Run with "go test ./builder -bench ." and compare two runs with benchstat.

func benchWorkloads(b *testing.B, run func(b *testing.B, d builder.DataBlock, block []byte)) {
	for _, name := range []string{"tiny", "process-2775", "thread-30000", "wide", "million"} {
		b.Run(name, func(b *testing.B) {
			w, err := fuzz.FindWorkload(name)
			if err != nil {
				b.Fatal(err)
			}
			d := w.Block()
			block, err := d.MarshalBinary()
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(block)))
			b.ReportAllocs()
			run(b, d, block)
		})
	}
}

func BenchmarkAppendBinary(b *testing.B) {
	benchWorkloads(b, func(b *testing.B, d builder.DataBlock, block []byte) {
		buf := make([]byte, 0, len(block))
		for b.Loop() {
			if _, err := d.AppendBinary(buf); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkUnmarshalBinary(b *testing.B) {
	benchWorkloads(b, func(b *testing.B, _ builder.DataBlock, block []byte) {
		for b.Loop() {
			var d builder.DataBlock
			if err := d.UnmarshalBinary(block); err != nil {
				b.Fatal(err)
			}
		}
	})
}
