package samples_test

import (
	"slices"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/samples"
	"github.com/perfblock/perfblock/validate"
)

// BenchmarkValues measures three operations on two samples: decoding, Values and Compare.
func BenchmarkValues(b *testing.B) {
	for _, name := range []string{"process-2775", "million", "v2-gpu"} {
		w := must(fuzz.FindWorkload(name))
		older := must(w.Block().MarshalBinary())
		changed := func(change func(instances []builder.Instance)) []byte {
			if w.Kind != layout.DataBlockKind {
				return older
			}
			var d builder.DataBlock
			if err := d.UnmarshalBinary(older); err != nil {
				b.Fatal(err)
			}
			for _, o := range d.Objects {
				change(o.Instances)
			}
			return must(d.MarshalBinary())
		}
		// For "reversed": each instance has another position than in the older sample.
		newer := changed(slices.Reverse)
		add := func(odd int) []byte {
			return changed(func(instances []builder.Instance) {
				for _, in := range instances {
					for k := range in.Values {
						in.Values[k] += uint64(10 * (k&1 ^ odd))
					}
				}
			})
		}
		// For "fallen": half of the values of each instance fall and half grow, so Compare reports each value that
		// falls.
		high, low := add(0), add(1)
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
		compare := func(b *testing.B, older, newer []byte, ctx validate.Context) {
			for b.Loop() {
				var v validate.Validator
				result := samples.Compare(&v, samples.Sample{Kind: w.Kind, Bytes: older, Context: ctx}, samples.Sample{Kind: w.Kind, Bytes: newer, Context: ctx})
				if result.Unchecked != nil {
					b.Fatal(result.Unchecked)
				}
				b.ReportMetric(float64(result.Counts.AtLeast(validate.Info)), "findings")
			}
		}
		b.Run(name+"/compare", func(b *testing.B) { compare(b, older, older, validate.Context{}) })
		b.Run(name+"/compare-reversed", func(b *testing.B) { compare(b, older, newer, validate.Context{}) })
		b.Run(name+"/compare-fallen", func(b *testing.B) { compare(b, high, low, validate.Context{}) })
		b.Run(name+"/values", func(b *testing.B) { values(b, older, older) })
		b.Run(name+"/reversed", func(b *testing.B) { values(b, older, newer) })
	}
}
