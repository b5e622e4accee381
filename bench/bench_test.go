// Package bench_test has the benchmarks of the module. docs/performance.md says how to run them.
package bench_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// An op is an operation to measure, done in one way.
type op struct {
	name, by string
	run      func(l *load, n int) error // does the work n times; errors.ErrUnsupported if it does not apply to the load
}

var ops = []op{
	{"copy", "go", repeat((*load).copy)},
	{"encode", "go", repeat((*load).encode)},
	{"fill", "values", repeat(func(l *load) error { return l.fill(l.numbers) })},
	{"fill", "struct", repeat(func(l *load) error { return l.fill(l.structs) })},
	{"refresh", "values", repeat(func(l *load) error { return l.refresh(l.numbers) })},
	{"refresh", "struct", repeat(func(l *load) error { return l.refresh(l.structs) })},
	{"read", "values", repeat((*load).readNumbers)},
	{"read", "struct", repeat(func(l *load) error { return l.read(l.structs) })},
	{"decode", "go", repeat((*load).decode)},
	{"validate", "go", repeat((*load).validate)},
	{"dump", "hex", dumpAs("hex")},
	{"dump", "tree", dumpAs("tree")},
	{"dump", "json", dumpAs("json")},
	{"dump", "yaml", repeat((*load).dumpSpec)},
	{"parse", "go", repeat((*load).parse)},
	{"build", "go", repeat((*load).build)},
}

// repeat returns a function that calls work n times.
func repeat(work func(*load) error) func(*load, int) error {
	return func(l *load, n int) error {
		for range n {
			if err := work(l); err != nil {
				return err
			}
		}
		return nil
	}
}

// BenchmarkBlock measures each op on each workload. benchstat can group by the keys in the
// names, such as BenchmarkBlock/block=cpu/op=fill/by=go.
func BenchmarkBlock(b *testing.B) {
	for _, w := range fuzz.Workloads() {
		b.Run("block="+w.Name, func(b *testing.B) {
			l := newLoad(b, w.Block())
			for _, o := range ops {
				b.Run(fmt.Sprintf("op=%s/by=%s", o.name, o.by), func(b *testing.B) {
					if !try(b, l, o) {
						b.Skip()
					}
					b.SetBytes(int64(len(l.block)))
					b.ReportAllocs()
					b.ResetTimer()
					fatal(b, o.run(l, b.N))
				})
			}
		})
	}
}

// try runs the op once and checks the block that it writes. It returns false if the op does not apply to the load.
func try(tb testing.TB, l *load, o op) bool {
	tb.Helper()
	for i := range l.scratch {
		l.scratch[i] = 0xff // so that the block differs if the op does not write all bytes
	}
	if o.name == "refresh" && l.numbers != nil {
		fatal(tb, l.fill(slices.Repeat([]values{new(numbers)}, len(l.numbers))))
	}
	err := o.run(l, 1)
	if errors.Is(err, errors.ErrUnsupported) {
		return false
	}
	if err != nil {
		tb.Fatalf("%s by %s: %v", o.name, o.by, err)
	}
	if writes := o.name == "fill" || o.name == "refresh" || o.name == "encode"; writes && !bytes.Equal(l.scratch, l.block) {
		tb.Fatalf("%s by %s writes other bytes than the model", o.name, o.by)
	}
	return true
}

// TestOps checks that each op works for small workloads, and for blocks with names and records that the workloads lack. Ops
// with structs and in C must apply to the workloads with processes and threads.
func TestOps(t *testing.T) {
	t.Parallel()
	models := map[string]builder.Model{"empty": &builder.DataBlock{}, "unusual": unusual()}
	for _, name := range []string{"tiny", "cpu", "process-300", "distinct-300", "v2-gpu"} {
		w, err := fuzz.FindWorkload(name)
		fatal(t, err)
		models[name] = w.Block()
	}
	threads := models["distinct-300"].(*builder.DataBlock).Objects[1].Instances
	for i, name := range unusualNames {
		threads[i].Name = name
	}
	for name, m := range models {
		t.Run(name, func(t *testing.T) {
			l := newLoad(t, m)
			for _, o := range ops {
				if !try(t, l, o) && strings.HasSuffix(name, "300") && o.by != "perflib_exporter" { // may be unavailable
					t.Errorf("%s by %s does not apply", o.name, o.by)
				}
			}
		})
	}
}

// unusualNames has names of various lengths, with characters that have 1 to 4 bytes in UTF-8.
var unusualNames = []string{"a", "ab", "abc", "abcd", "naïve", "ß", "\u07ff", "\u0800", "€uro", "\ud7ff\ue000\uffff", "\U00010000", "x🂡y\U0010ffff"}

// unusual returns a block with names outside ASCII, parents, UniqueIDs and gaps between values. Its objects have instances,
// an empty list of instances, or PERF_NO_INSTANCES.
func unusual() *builder.DataBlock {
	id := int32(-7)
	names := builder.NewObject(4002).
		Counter(4004, layout.PERF_COUNTER_RAWCOUNT).
		WithBase(4006, layout.PERF_AVERAGE_TIMER).
		Counter(4008, layout.PERF_COUNTER_BULK_COUNT).
		Counter(4010, layout.PERF_COUNTER_NODATA).
		Counter(4012, layout.PERF_COUNTER_RAWCOUNT)
	for i, name := range unusualNames {
		n := uint64(i)
		names.Instance(name, n, n+1, n+2, n<<40, 0, n+3)
	}
	names.Add(builder.Instance{UniqueID: &id, Values: []uint64{1<<32 - 1, 1, 2, 1<<64 - 1, 0, 3}})
	return new(builder.DataBlock{SystemName: "HÔTE"}).Add(names,
		builder.NewObject(4100).Counter(4102, layout.PERF_COUNTER_RAWCOUNT).Child(4002, 3, "child", 9).Child(4002, 4, "child", 10),
		builder.NewObject(4200).Counter(4202, layout.PERF_COUNTER_RAWCOUNT),
		builder.NewObject(4300).Single(),
		builder.NewObject(4400).Counter(4402, layout.PERF_COUNTER_RAWCOUNT).Single(5))
}
