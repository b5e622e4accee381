package fuzz

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/layout"
)

// A Workload is a fixed block for benchmarks.
type Workload struct {
	Name string
	Doc  string
	Kind layout.Kind // of the block
	make func(r *rand.Rand) builder.Model
}

// Workloads returns the workloads. Most are data blocks, from a small block of one object to the block of a server with
// 180 objects. Some blocks have unusually many counters or instances. In some blocks, all names are distinct. One
// workload is query data.
func Workloads() []Workload {
	const v1, v2 = layout.DataBlockKind, layout.QueryDataKind
	return []Workload{
		{"tiny", "System: no instances, 18 counters, 984 bytes", v1, one(system)},
		{"cpu", "Processor: 15 counters, 9 instances, 2,144 bytes", v1, one(processor)},
		{"process-300", "Process: 28 counters, 300 instances", v1, one(process(300))},
		{"process-2775", "Process: 28 counters, 2,775 instances, the most that users have reported", v1, one(process(2775))},
		{"process-distinct", "like process-2775, with distinct names; 1 name in 70 is not ASCII", v1, distinct(one(process(2775)))},
		{"thread-30000", "Thread: 12 counters, 30,000 instances with parents, and their 600 processes", v1, block(threads(30_000))},
		{"server", "180 objects of a busy server, 2 MB", v1, block(objects(180, 2<<20))},
		{"cap", "180 objects, 10 MB, the largest block that some readers accept", v1, block(objects(180, 10<<20))},
		{"wide", "916 counters, 256 instances", v1, one(plain(4002, 916, 256))},
		{"million", "4 counters, 1,000,000 instances", v1, one(plain(4004, 4, 1_000_000))},
		{"v2-gpu", "GPU Engine: query data of one counter set, 2 counters, 5,000 instances", v2, gpuEngine},
		{"cap-distinct", "like the workload \"cap\", with longer names; 1 name in 70 is not ASCII", v1, distinct(block(objects(180, 10<<20)))},
		{"million-distinct", "like the workload \"million\", with longer names; 1 name in 70 is not ASCII", v1, distinct(one(plain(4004, 4, 1_000_000)))},
		{"distinct-300", "like thread-30000, with 300 distinct names; 1 name in 70 is not ASCII", v1, distinct(block(threads(300)))},
		{"distinct-3000", "like distinct-300, with 3,000 instances", v1, distinct(block(threads(3000)))},
		{"distinct-30000", "like distinct-300, with 30,000 instances", v1, distinct(block(threads(30_000)))},
		{"distinct-300000", "like distinct-300, with 300,000 instances", v1, distinct(block(threads(300_000)))},
		{"distinct-1000000", "like distinct-300, with 1,000,000 instances", v1, distinct(block(threads(1_000_000)))},
	}
}

// FindWorkload returns the workload with the given name. If there is none, the error lists all names and wraps
// [layout.ErrRange].
func FindWorkload(name string) (Workload, error) {
	w, err := suggest.Named("workload", name, Workloads(), func(w Workload) string { return w.Name })
	if err != nil {
		return Workload{}, layout.Faultf(layout.ErrRange, "%v", err)
	}
	return w, nil
}

// Block returns a new model of the block: a *builder.DataBlock, or a *builder.QueryData for V2.
func (w Workload) Block() builder.Model { return w.make(rand.New(rand.NewPCG(20260101, 1))) }

// Sets returns the identifiers of the query and the registration of the counter set, for a workload that is query data.
// The GUID and the counter types differ from those that Windows registers.
func (w Workload) Sets() (builder.Identifiers, []builder.CounterSetRegInfo) {
	if w.Kind != layout.QueryDataKind {
		return nil, nil
	}
	set := builder.NewCounterSetRegInfo(layout.GUID{Data1: 0x67707500, Data4: [8]byte{7: 1}}, layout.PERF_COUNTERSET_MULTI_INSTANCES)
	set.Counter(runningTime, layout.PERF_COUNTER_LARGE_RAWCOUNT).Counter(utilizationPercentage, layout.PERF_100NSEC_TIMER)
	return builder.Identifiers{builder.AllCounters(set.CounterSetGuid, layout.PERF_WILDCARD_INSTANCE)}, []builder.CounterSetRegInfo{*set}
}

// takenAt and takenTicks are the PerfTime100nSec and the PerfTime of each block. The date is 2020-05-01, on which
// Windows returned blocks with the counters of "tiny" and "cpu".
const takenAt, takenTicks = 132_328_100_967_890_000, 1_234_567_890_123

// block returns a function that makes a data block with the objects that f returns.
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

// one returns a function that makes a data block with the object that f returns.
func one(f func(*rand.Rand) builder.Object) func(*rand.Rand) builder.Model {
	return block(func(r *rand.Rand) []builder.Object { return []builder.Object{f(r)} })
}

// distinct returns a function that makes the block of f with distinct names of instances, as in the counter set
// Process V2.
func distinct(f func(*rand.Rand) builder.Model) func(*rand.Rand) builder.Model {
	return func(r *rand.Rand) builder.Model {
		d := f(r).(*builder.DataBlock)
		for i := range d.Objects {
			o := &d.Objects[i]
			o.DuplicateNames = false
			for j := 1; j < len(o.Instances)-1; j++ {
				name := &o.Instances[j].Name
				if r.IntN(70) == 0 {
					*name += "é"
				}
				*name += ":" + strconv.Itoa(4*j)
			}
		}
		return d
	}
}

// value returns a random value of a counter. width is the size of the value in bytes: 4 or 8.
func value(r *rand.Rand, width uint32) uint64 {
	if width == 4 {
		return uint64(r.Uint32() >> (r.Uint32() % 32))
	}
	return r.Uint64() >> (8 + r.Uint32()%40)
}

// values returns a random value for each counter.
func values(r *rand.Rand, counters []builder.Counter) []uint64 {
	return fill(r, counters, make([]uint64, len(counters)))
}

// fill sets v to a random value for each counter and returns v.
func fill(r *rand.Rand, counters []builder.Counter, v []uint64) []uint64 {
	for i, c := range counters {
		width, _ := c.CounterType.Width()
		v[i] = value(r, width)
	}
	return v
}

// plain returns a function that makes an object with counters of 4 and 8 bytes.
func plain(title uint32, counters, instances int) func(*rand.Rand) builder.Object {
	return func(r *rand.Rand) builder.Object {
		o := builder.Object{ObjectNameTitleIndex: title}
		types := []layout.CounterType{layout.PERF_COUNTER_BULK_COUNT, layout.PERF_COUNTER_COUNTER, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_100NSEC_TIMER}
		for i := range counters {
			o.Counter(title+2+2*uint32(i), types[i%len(types)])
		}
		o.Instances = slices.Grow(o.Instances, instances)
		numbers := make([]uint64, instances*counters) // one allocation for up to a million instances
		for i := range instances {
			from, to := i*counters, (i+1)*counters
			o.Instance("instance "+strconv.Itoa(i), fill(r, o.Counters, numbers[from:to:to])...)
		}
		return o
	}
}

// objects returns a function that makes n objects of various sizes, which have about `size` bytes in total.
func objects(n, size int) func(*rand.Rand) []builder.Object {
	return func(r *rand.Rand) []builder.Object {
		list := []builder.Object{system(r), processor(r)}
		for left := size; len(list) < n; {
			share := left / (n - len(list)) * r.IntN(200) / 100 // the bytes of this object
			if len(list) == n-1 {
				share = left
			}
			counters := 4 + r.IntN(24)
			row := 56 + 6*counters // the average bytes of an instance with its values
			o := plain(5000+200*uint32(len(list)), counters, max(0, share-layout.SizeofObjectType-layout.SizeofCounterDefinition*counters)/row)(r)
			if length, err := (builder.Objects{o}).EncodedLen(); err == nil {
				left -= length
			}
			list = append(list, o)
		}
		return list
	}
}

// These counter ids are arbitrary, because the ids of GPU Engine differ between systems.
const runningTime, utilizationPercentage = 1, 2

// gpuEngine returns query data of the counter set GPU Engine. The counter set has an instance for each process and each
// engine of the graphics card.
func gpuEngine(r *rand.Rand) builder.Model {
	const processes = 500
	engines := []string{"3D", "Copy", "Copy", "Compute_0", "Compute_1", "VideoDecode", "VideoEncode", "VideoProcessing", "Security", "VR"}

	set := builder.CounterSet().Define(builder.QueryCounter{CounterId: runningTime}, builder.QueryCounter{CounterId: utilizationPercentage})
	values := make([]uint64, 0, 2*processes*len(engines))
	for process := range processes {
		pid := 4 * (process*process/10 + process + 1) // one to six digits
		for engine, typ := range engines {
			name := fmt.Sprintf("pid_%d_luid_0x%08X_0x%08X_phys_0_eng_%d_engtype_%s", pid, 0, 0xE5A1, engine, typ)
			values = append(values, value(r, 8), value(r, 4))
			n := len(values)
			set.Instance(name, uint32(process*len(engines)+engine), values[n-2:n:n]...)
		}
	}
	return (&builder.QueryData{PerfTimeStamp: takenTicks, PerfTime100NSec: takenAt}).Add(set)
}
