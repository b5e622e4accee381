package fuzz

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/layout"
)

// A Workload is a block for measuring, always the same under its name.
type Workload struct {
	Name string
	Doc  string
	Kind layout.Kind // of the block
	make func(r *rand.Rand) builder.Model
}

// Workloads lists them, those of V1 first. Those are data blocks: of one object or two, then
// of a whole server, each smallest first, and two odd shapes.
func Workloads() []Workload {
	const v1, v2 = layout.DataBlockKind, layout.QueryDataKind
	return []Workload{
		{"tiny", "System: no instances, 18 counters, 984 bytes", v1, one(system)},
		{"cpu", "Processor: 15 counters, 9 instances, 2,144 bytes", v1, one(processor)},
		{"process-300", "Process: 28 counters, 300 instances", v1, one(process(300))},
		{"process-2775", "Process: 28 counters, 2,775 instances, the most reported from production", v1, one(process(2775))},
		{"process-distinct", "process-2775 with names that do not repeat", v1, one(distinct(process(2775)))},
		{"thread-30000", "Thread: 12 counters, 30,000 instances with parents, and their 600 processes", v1, block(threads)},
		{"server", "180 objects of a busy server, 2 MB", v1, block(objects(180, 2<<20))},
		{"cap", "10 MB, the size at which others stop", v1, block(objects(180, 10<<20))},
		{"wide", "916 counters, 256 instances", v1, one(plain(4002, 916, 256))},
		{"million", "4 counters, 1,000,000 instances", v1, one(plain(4004, 4, 1_000_000))},
		{"v2-gpu", "GPU Engine: query data of one counter set, 2 counters, 5,000 instances", v2, gpuEngine},
	}
}

// FindWorkload returns the workload of that name. The error lists the names, and wraps
// [layout.ErrRange].
func FindWorkload(name string) (Workload, error) {
	w, err := suggest.Named("workload", name, Workloads(), func(w Workload) string { return w.Name })
	if err != nil {
		return Workload{}, layout.Faultf(layout.ErrRange, "%v", err)
	}
	return w, nil
}

// Block makes the block anew: a *builder.DataBlock or, of V2, a *builder.QueryData.
func (w Workload) Block() builder.Model { return w.make(rand.New(rand.NewPCG(20260101, 1))) }

// takenAt is 2020-05-01, when the blocks that tiny and cpu copy were taken, and takenTicks
// a clock of that moment.
const takenAt, takenTicks = 132_328_100_967_890_000, 1_234_567_890_123

// block makes the data block of the objects that f returns.
func block(f func(*rand.Rand) []builder.Object) func(*rand.Rand) builder.Model {
	return func(r *rand.Rand) builder.Model {
		return &builder.DataBlock{
			SystemName:      "DESKTOP",
			PerfTime:        takenTicks,
			PerfTime100nSec: takenAt,
			DefaultObject:   238,
			Objects:         f(r),
		}
	}
}

func one(f func(*rand.Rand) builder.Object) func(*rand.Rand) builder.Model {
	return block(func(r *rand.Rand) []builder.Object { return []builder.Object{f(r)} })
}

// value returns a number that suits the counter: it fits, and grows with the width.
func value(r *rand.Rand, c builder.Counter) uint64 {
	switch n, _ := c.CounterType.Width(); n {
	case 4:
		return uint64(r.Uint32() >> (r.Uint32() % 32))
	case 8:
		return r.Uint64() >> (8 + r.Uint32()%40)
	}
	return 0
}

func values(r *rand.Rand, counters []builder.Counter) []uint64 {
	return fill(r, counters, make([]uint64, len(counters)))
}

func fill(r *rand.Rand, counters []builder.Counter, v []uint64) []uint64 {
	for i, c := range counters {
		v[i] = value(r, c)
	}
	return v
}

// plain returns an object of counters of both widths and instances named by number.
func plain(title uint32, counters, instances int) func(*rand.Rand) builder.Object {
	return func(r *rand.Rand) builder.Object {
		o := builder.Object{ObjectNameTitleIndex: title}
		types := []layout.CounterType{layout.PERF_COUNTER_BULK_COUNT, layout.PERF_COUNTER_COUNTER, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_100NSEC_TIMER}
		for i := range counters {
			o.Counter(title+2+2*uint32(i), types[i%len(types)])
		}
		o.Instances = slices.Grow(o.Instances, instances)
		numbers := make([]uint64, instances*counters) // of all of them, as there may be a million
		for i := range instances {
			from, to := i*counters, (i+1)*counters
			o.Instance("instance "+strconv.Itoa(i), fill(r, o.Counters, numbers[from:to:to])...)
		}
		return o
	}
}

// objects returns n objects of all sizes that take about that many bytes in all.
func objects(n, size int) func(*rand.Rand) []builder.Object {
	return func(r *rand.Rand) []builder.Object {
		list := []builder.Object{system(r), processor(r)}
		for left := size; len(list) < n; {
			share := left / (n - len(list)) * r.IntN(200) / 100 // of the bytes, for this object
			if len(list) == n-1 {
				share = left
			}
			counters := 4 + r.IntN(24)
			row := 56 + 6*counters // an instance with its values, on the average
			o := plain(5000+200*uint32(len(list)), counters, max(0, share-64-40*counters)/row)(r)
			if length, err := (builder.Objects{o}).EncodedLen(); err == nil {
				left -= length
			}
			list = append(list, o)
		}
		return list
	}
}
