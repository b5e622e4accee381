package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"time"

	"github.com/shirou/gopsutil/v4/cpu"
	gohost "github.com/shirou/gopsutil/v4/host"
	"github.com/shirou/gopsutil/v4/process"
)

// gather reads the processes of this machine. Idle is the first, and the others are sorted by
// process id.
func gather(ctx context.Context) (*host, error) {
	running, err := process.ProcessesWithContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("listing the processes: %w", err)
	}
	h := &host{processes: make([]proc, 1, len(running)+1)}
	h.name, _ = os.Hostname() // without a name, the block has the SystemName "unknown"
	for _, p := range running {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if isIdle(p) {
			continue // added below, with the times of the processors
		}
		values := read(ctx, p)
		if there, err := process.PidExistsWithContext(ctx, p.Pid); err == nil && !there {
			continue // the process has ended, so some values may be missing
		}
		h.processes = append(h.processes, values)
	}
	slices.SortStableFunc(h.processes[1:], func(a, b proc) int { return cmp.Compare(a.pid, b.pid) })
	h.processes[0] = idle(ctx, h.hasThreads())
	h.at = time.Now() // read the clock last, so that no process has a later start
	return h, nil
}

// read reads the values of one process. A value is 0 if it cannot be read, mostly because of
// missing rights.
func read(ctx context.Context, p *process.Process) proc {
	out := proc{
		pid:         uint32(p.Pid),
		name:        processName(known(p.NameWithContext(ctx))),
		parent:      uint32(known(p.PpidWithContext(ctx))),
		handles:     uint64(max(known(p.NumFDsWithContext(ctx)), 0)),
		threadCount: uint64(max(known(p.NumThreadsWithContext(ctx)), 0)),
	}
	if ms := known(p.CreateTimeWithContext(ctx)); ms > 0 {
		out.started = time.UnixMilli(ms)
	}
	if t, err := p.TimesWithContext(ctx); err == nil {
		out.user, out.privileged = ticks(t.User), ticks(t.System)
	}
	if f, err := p.PageFaultsWithContext(ctx); err == nil {
		out.pageFaults = f.MinorFaults + f.MajorFaults
	}
	if io, err := p.IOCountersWithContext(ctx); err == nil {
		out.readOps, out.writeOps = io.ReadCount, io.WriteCount
		out.readSize, out.writeSize = io.ReadBytes, io.WriteBytes
	}
	times := known(p.ThreadsWithContext(ctx))
	for _, id := range slices.Sorted(maps.Keys(times)) {
		t := times[id]
		out.threads = append(out.threads, thread{uint32(id), out.pid, ticks(t.User), ticks(t.System)})
	}
	readSystem(ctx, p, &out)
	return out
}

// known returns v, or the zero value if v could not be read.
func known[T any](v T, err error) T {
	if err != nil {
		var zero T
		return zero
	}
	return v
}

// idle returns process 0, which Windows shows as Idle. The process has a thread for each processor. A thread runs while
// its processor is idle.
func idle(ctx context.Context, threads bool) proc {
	p := proc{name: "Idle"}
	if s, err := gohost.BootTimeWithContext(ctx); err == nil && s > 0 {
		p.started = time.Unix(int64(s), 0)
	}
	processors, err := cpu.TimesWithContext(ctx, true)
	if err != nil {
		return p
	}
	p.threadCount = uint64(len(processors))
	for _, times := range processors {
		t := ticks(times.Idle + times.Iowait)
		p.privileged += t
		if threads {
			p.threads = append(p.threads, thread{privileged: t})
		}
	}
	return p
}

// ticks converts seconds to units of 100 ns.
func ticks(seconds float64) uint64 {
	if !(seconds > 0) { // negative or not a number
		return 0
	}
	return uint64(math.Round(seconds * 1e7))
}
