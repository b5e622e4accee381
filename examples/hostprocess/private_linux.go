package main

import (
	"context"

	"github.com/shirou/gopsutil/v4/process"
)

// readPrivate fills in the part of the working set that no other process shares.
// Both numbers come from one read, so the difference is not negative.
func readPrivate(ctx context.Context, p *process.Process, out *proc) {
	if m, err := p.MemoryInfoExWithContext(ctx); err == nil && m.RSS >= m.Shared {
		out.workingSetPrivate = m.RSS - m.Shared
	}
}
