package samples_test

import (
	"slices"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/samples"
)

// BenchmarkValues compares the time of Values for two samples with that of decoding both. In "reversed" no instance is at
// the position that it has in the older sample.
func BenchmarkValues(b *testing.B) {
	for _, name := range []string{"process-2775", "million", "v2-gpu"} {
		w := must(fuzz.FindWorkload(name))
		older := must(w.Block().MarshalBinary())
		newer := older
		if w.Kind == layout.DataBlockKind {
			var d builder.DataBlock
			if err := d.UnmarshalBinary(older); err != nil {
				b.Fatal(err)
			}
			for _, o := range d.Objects {
				slices.Reverse(o.Instances)
			}
			newer = must(d.MarshalBinary())
		}
		values := func(b *testing.B, older, newer []byte) {
			for b.Loop() {
				n := 0
				for _, err := range samples.Values(samples.Sample{Kind: w.Kind, Bytes: older}, samples.Sample{Kind: w.Kind, Bytes: newer}) {
					if err != nil {
						b.Fatal(err)
					}
					n++
				}
				b.ReportMetric(float64(n), "values")
			}
		}
		b.Run(name+"/decode", func(b *testing.B) {
			for b.Loop() {
				for _, bytes := range [][]byte{older, newer} {
					var m builder.Model = new(builder.DataBlock)
					if w.Kind == layout.QueryDataKind {
						m = new(builder.QueryData)
					}
					if err := m.UnmarshalBinary(bytes); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		b.Run(name+"/values", func(b *testing.B) { values(b, older, older) })
		b.Run(name+"/reversed", func(b *testing.B) { values(b, older, newer) })
	}
}
