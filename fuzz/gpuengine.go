package fuzz

import (
	"fmt"
	"math/rand/v2"

	"github.com/perfblock/perfblock/builder"
)

// gpuEngine returns what PerfQueryCounterData would of the set GPU Engine, which has an
// instance for each engine of the card that a process uses. Which ids its counters have
// only the registration of a system tells; here they count from 1.
func gpuEngine(r *rand.Rand) builder.Model {
	const runningTime, utilizationPercentage = 1, 2
	const processes = 500
	engines := []string{"3D", "Copy", "Copy", "Compute_0", "Compute_1", "VideoDecode", "VideoEncode", "VideoProcessing", "Security", "VR"}

	set := builder.CounterSet().Define(builder.QueryCounter{CounterId: runningTime}, builder.QueryCounter{CounterId: utilizationPercentage})
	values := make([]uint64, 0, 2*processes*len(engines))
	for process := range processes {
		pid := 4 * (process*process/10 + process + 1) // of one digit to six
		for engine, typ := range engines {
			name := fmt.Sprintf("pid_%d_luid_0x%08X_0x%08X_phys_0_eng_%d_engtype_%s", pid, 0, 0xE5A1, engine, typ)
			values = append(values, r.Uint64()>>(8+r.Uint32()%40), uint64(r.Uint32()>>(r.Uint32()%32)))
			n := len(values)
			set.Instance(name, uint32(process*len(engines)+engine), values[n-2:n:n]...)
		}
	}
	return (&builder.QueryData{PerfTimeStamp: takenTicks, PerfTime100NSec: takenAt}).Add(set)
}
