package main

import (
	"slices"
	"time"
)

// A host is what one look at a machine found. It knows nothing of blocks, so that
// a block can be built from a host that a test has typed in.
type host struct {
	name      string
	at        time.Time
	processes []proc // in the order of the instances
}

// A proc is one process. What could not be read is 0.
type proc struct {
	name                string
	pid, parent         uint32
	started             time.Time // zero if it could not be read
	user, privileged    uint64    // processor time in units of 100 ns
	virtual             uint64    // address space, in bytes as all sizes here
	workingSet          uint64
	workingSetPrivate   uint64
	committed           uint64 // counts against the page file, whether it is in memory or not
	pageFaults          uint64
	handles             uint64
	priority            uint64
	threadCount         uint64
	readOps, writeOps   uint64
	readSize, writeSize uint64

	threads []thread // empty where the system does not tell them
}

// A thread is one thread of a process.
type thread struct {
	id, pid          uint32
	user, privileged uint64
}

// total returns the _Total instance: sums where a sum means something. It has no
// ids and no priority, and it has run as long as the process that has run longest.
func (h *host) total() proc {
	t := proc{name: "_Total"}
	for i := range h.processes {
		p := &h.processes[i]
		if !p.started.IsZero() && (t.started.IsZero() || p.started.Before(t.started)) {
			t.started = p.started
		}
		t.user += p.user
		t.privileged += p.privileged
		t.virtual += p.virtual
		t.workingSet += p.workingSet
		t.workingSetPrivate += p.workingSetPrivate
		t.committed += p.committed
		t.pageFaults += p.pageFaults
		t.handles += p.handles
		t.threadCount += p.threadCount
		t.readOps += p.readOps
		t.writeOps += p.writeOps
		t.readSize += p.readSize
		t.writeSize += p.writeSize
	}
	return t
}

// totalThread returns the _Total of the threads.
func (h *host) totalThread() thread {
	var t thread
	for i := range h.processes {
		for _, one := range h.processes[i].threads {
			t.user += one.user
			t.privileged += one.privileged
		}
	}
	return t
}

// hasThreads reports whether the system tells of threads.
func (h *host) hasThreads() bool {
	return slices.ContainsFunc(h.processes, func(p proc) bool { return len(p.threads) > 0 })
}
