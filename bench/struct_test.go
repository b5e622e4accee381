package bench_test

import (
	"fmt"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A thread has the counters of an instance of the object Thread, as a provider keeps them.
type thread struct {
	UserTime, PrivilegedTime, ProcessorTime uint64 `perf:"type=PERF_100NSEC_TIMER"`
	ContextSwitches                         uint32 `perf:"type=PERF_COUNTER_COUNTER"`
	State, Priority, BasePriority           uint32
	ElapsedTime                             uint64 `perf:"type=PERF_ELAPSED_TIME"`
	StartAddress                            uint64
	WaitReason, ProcessID, ThreadID         uint32
}

// BenchmarkStruct compares a struct with a slice of values: writing, refreshing and reading 30,000 instances.
func BenchmarkStruct(b *testing.B) {
	object, err := builder.Define[thread](232)
	if err != nil {
		b.Fatal(err)
	}
	object.PerfTime, object.PerfFreq = 1, 1
	template, err := object.Compile()
	if err != nil {
		b.Fatal(err)
	}
	threads, err := builder.Bind[thread](template)
	if err != nil {
		b.Fatal(err)
	}
	const n = 30_000
	names, structs, values := make([]string, n), make([]thread, n), make([]uint64, len(object.Counters))
	for i := range names {
		names[i] = fmt.Sprint("process", i/50, "/", i%50)
		structs[i].ContextSwitches = uint32(i)
	}
	fill := func(buffer []byte, set func(f *builder.Fill, i int)) []byte {
		f := builder.NewFill(buffer)
		f.Object(template)
		for i := range names {
			set(&f, i)
		}
		block, err := f.Done()
		if err != nil {
			b.Fatal(err)
		}
		return block
	}
	block := fill(nil, func(f *builder.Fill, i int) { threads.Instance(f, names[i], &structs[i]) })
	scratch := make([]byte, len(block))
	refresh := func(set func(r *builder.Refresh, i int)) {
		r := template.Refresh(block)
		for i := 0; r.Next(); i++ {
			set(&r, i)
		}
		if _, err := r.Done(); err != nil {
			b.Fatal(err)
		}
	}
	read := func(each func(rows *layout.Rows)) {
		var rows layout.Rows
		for o, err := range layout.ReadObjects(block) {
			if err == nil {
				err = threads.Open(&rows, o)
			}
			if err != nil {
				b.Fatal(err)
			}
			for rows.Next() {
				each(&rows)
			}
		}
	}
	var into thread
	for _, o := range []struct {
		name string
		run  func()
	}{
		{"op=copy/by=go", func() { copy(scratch, block) }},
		{"op=fill/by=values", func() {
			fill(scratch[:0], func(f *builder.Fill, i int) { f.Instance(names[i]); f.Values(values...) })
		}},
		{"op=fill/by=struct", func() {
			fill(scratch[:0], func(f *builder.Fill, i int) { threads.Instance(f, names[i], &structs[i]) })
		}},
		{"op=refresh/by=values", func() { refresh(func(r *builder.Refresh, i int) { r.Values(values...) }) }},
		{"op=refresh/by=struct", func() { refresh(func(r *builder.Refresh, i int) { threads.Refresh(r, &structs[i]) }) }},
		{"op=read/by=values", func() { read(func(rows *layout.Rows) { values = rows.AppendValues(values[:0]) }) }},
		{"op=read/by=struct", func() {
			read(func(rows *layout.Rows) {
				if err := threads.Read(rows, &into); err != nil {
					b.Fatal(err)
				}
			})
		}},
	} {
		b.Run(o.name, func(b *testing.B) {
			b.SetBytes(int64(len(block)))
			b.ReportAllocs()
			for range b.N {
				o.run()
			}
		})
	}
}
