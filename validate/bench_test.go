package validate_test

import (
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// Benchmark measures the validation of each workload. For comparison, it also measures how long it
// takes to copy the workload's bytes. To compare two versions of the code, run this command on each,
// and pass both outputs to benchstat:
//
//	go test ./validate -run '^$' -bench . -count 10
func Benchmark(b *testing.B) {
	for _, name := range []string{"process-300", "process-2775", "process-distinct", "thread-30000", "server", "cap", "wide", "million"} {
		w, err := fuzz.FindWorkload(name)
		if err != nil {
			b.Fatal(err)
		}
		block, err := w.Block().MarshalBinary()
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name+"/copy", func(b *testing.B) {
			to := make([]byte, len(block))
			b.SetBytes(int64(len(block)))
			b.ReportAllocs()
			for b.Loop() {
				copy(to, block)
			}
		})
		for _, profile := range []validate.Profile{validate.Windows, validate.Strict} {
			b.Run(name+"/"+profile.String(), func(b *testing.B) { benchProfile(b, block, profile) })
		}
	}
}

func benchProfile(b *testing.B, block []byte, profile validate.Profile) {
	v, err := validate.New(validate.Options{Profile: profile})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(block)))
	b.ReportAllocs()
	for b.Loop() {
		if r := v.Bytes(layout.DataBlockKind, block, validate.Context{}); r.Counts.Error > 0 {
			b.Fatal(r.Err(validate.Error))
		}
	}
}
