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

// An op is an operation to measure, such as "fill", in one implementation, such as "struct".
type op struct {
	name, by string
	applies  func(*load) bool
	run      func(l *load, n int) error // does the work n times; errors.ErrUnsupported if a C compiler or perflib_exporter is missing
}

var ops = []op{
	{"copy", "go", always, repeat((*load).copy)},
	{"fill", "values", isData, repeat(func(l *load) error { return l.fill(l.numbers) })},
	{"fill", "struct", hasStructs, repeat(func(l *load) error { return l.fill(l.structs) })},
	{"refresh", "values", isData, repeat(func(l *load) error { return l.refresh(l.numbers) })},
	{"refresh", "struct", hasStructs, repeat(func(l *load) error { return l.refresh(l.structs) })},
	{"read", "values", always, repeat((*load).readNumbers)},
	{"read", "struct", hasStructs, repeat(func(l *load) error { return l.read(l.structs) })},
	{"read", "perflib_exporter", hasStructs, (*load).readPerflib},
	{"decode", "go", always, repeat((*load).decode)},
	{"validate", "go", always, repeat((*load).validate)},
	{"dump", "hex", always, repeat(func(l *load) error { return l.dump("hex") })},
	{"dump", "tree", always, repeat(func(l *load) error { return l.dump("tree") })},
	{"dump", "json", always, repeat(func(l *load) error { return l.dump("json") })},
	{"dump", "yaml", hasSpec, repeat((*load).dumpSpec)},
	{"diff", "go", always, repeat((*load).diff)},
	{"parse", "go", hasSpec, repeat((*load).parse)},
	{"build", "go", hasSpec, repeat((*load).build)},
}

func always(*load) bool       { return true }
func isData(l *load) bool     { return l.model.Kind() == layout.DataBlockKind }
func hasStructs(l *load) bool { return len(l.structs) > 0 && len(l.structs) == len(l.templates) }
func hasSpec(l *load) bool    { return l.spec != nil }

// repeat returns a function that does the work n times.
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

// try runs an op once and checks the bytes of l.scratch after a fill or refresh. It returns false if the op cannot run
// on the load.
func try(tb testing.TB, l *load, o op) bool {
	tb.Helper()
	if !o.applies(l) {
		return false
	}
	for i := range l.scratch {
		l.scratch[i] = 0xff // so that the block differs if the op does not write all bytes
	}
	if o.name == "refresh" {
		fatal(tb, l.fill(slices.Repeat([]valueStore{new(numbers)}, len(l.numbers))))
	}
	err := o.run(l, 1)
	if errors.Is(err, errors.ErrUnsupported) {
		return false
	}
	if err != nil {
		tb.Fatalf("%s by %s: %v", o.name, o.by, err)
	}
	if (o.name == "fill" || o.name == "refresh") && !bytes.Equal(l.scratch, l.block) {
		tb.Fatalf("%s by %s writes other bytes than the model", o.name, o.by)
	}
	return true
}

// TestOps checks that each op works for small workloads and for generated blocks.
func TestOps(t *testing.T) {
	t.Parallel()
	models := map[string]builder.Model{"empty": &builder.DataBlock{}}
	for seed := range uint64(40) { // generated blocks have names and records that no workload has
		m := fuzz.New[builder.DataBlock](fuzz.Seed(seed), fuzz.Config{Numbers: true, Computed: true})
		for _, o := range m.Objects {
			for i := range o.Instances {
				if in := &o.Instances[i]; in.ParentObjectTitleIndex == 0 {
					in.ParentObjectInstance = 0 // Fill writes ParentObjectInstance only together with ParentObjectTitleIndex
				}
			}
		}
		models[fmt.Sprint("seed ", seed)] = m
	}
	for _, name := range []string{"tiny", "cpu", "process-300", "distinct-300", "v2-gpu"} {
		w, err := fuzz.FindWorkload(name)
		fatal(t, err)
		models[name] = w.Block()
	}
	threads := models["distinct-300"].(*builder.DataBlock).Objects[1].Instances
	// Names of various lengths, with characters that have 1 to 4 bytes in UTF-8.
	for i, name := range []string{"a", "ab", "abc", "abcd", "naïve", "ß", "\u07ff", "\u0800", "€uro", "\ud7ff\ue000\uffff", "\U00010000", "x🂡y\U0010ffff"} {
		threads[i].Name = name
	}
	for name, m := range models {
		t.Run(name, func(t *testing.T) {
			l := newLoad(t, m)
			for _, o := range ops {
				// Every op must run on the workloads process-300 and distinct-300. The exception is
				// perflib_exporter, whose source may not be available.
				if !try(t, l, o) && strings.HasSuffix(name, "300") && o.by != "perflib_exporter" {
					t.Errorf("%s by %s does not apply", o.name, o.by)
				}
			}
		})
	}
}
