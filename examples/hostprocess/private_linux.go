package main

import (
	"context"

	"github.com/shirou/gopsutil/v4/process"
)

// readPrivate fills in the part of the working set that no other process shares.
// Both figures are of one reading, so the difference is not below 0.
func readPrivate(ctx context.Context, p *process.Process, out *proc) {
	if m, err := p.MemoryInfoExWithContext(ctx); err == nil && m.RSS >= m.Shared {
		out.workingSetPrivate = m.RSS - m.Shared
	}
}
