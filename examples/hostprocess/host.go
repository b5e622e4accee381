package main

import (
	"slices"
	"time"
)

// A host describes a machine at one time. Tests can fill in a host by hand, and check its block.
type host struct {
	name      string
	at        time.Time
	processes []proc // in the order of the instances
}

// A proc is one process. Values that could not be read are 0.
type proc struct {
	name                string
	pid, parent         uint32
	started             time.Time // zero if it could not be read
	user, privileged    uint64    // processor time in units of 100 ns
	virtual             uint64    // address space; all sizes are in bytes
	workingSet          uint64
	workingSetPrivate   uint64
	committed           uint64 // in memory or in the page file
	pageFaults          uint64
	handles             uint64
	priority            uint64
	threadCount         uint64
	readOps, writeOps   uint64
	readSize, writeSize uint64

	threads []thread // empty if the system does not report threads
}

// A thread is one thread of a process.
type thread struct {
	id, pid          uint32
	user, privileged uint64
}

// total returns the _Total instance of the processes. Its ids and its priority are 0, its start is the earliest start,
// and its other values are sums.
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

// totalThread returns the _Total instance of the threads.
func (h *host) totalThread() thread {
	var t thread
	for i := range h.processes {
		for _, other := range h.processes[i].threads {
			t.user += other.user
			t.privileged += other.privileged
		}
	}
	return t
}

// hasThreads reports whether the system reported the threads of any process.
func (h *host) hasThreads() bool {
	return slices.ContainsFunc(h.processes, func(p proc) bool { return len(p.threads) > 0 })
}
