package main

import (
	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// Title indexes of the objects in the English title database of Windows.
const (
	titleProcess = 230
	titleThread  = 232
)

// A column is a counter, with the function that returns the value for a process or a thread.
type column[T any] struct {
	title uint32
	typ   layout.CounterType
	value func(now int64, t *T) uint64 // now is the time of the block as a FILETIME
}

// define returns the counter definitions of a table.
func define[T any](columns []column[T]) []builder.Counter {
	var counters []builder.Counter
	for _, c := range columns {
		counters = append(counters, builder.Counter{CounterNameTitleIndex: c.title, CounterType: c.typ})
	}
	return counters
}

// appendValues appends the values of t, in the order of the counter definitions.
func appendValues[T any](out []uint64, columns []column[T], now int64, t *T) []uint64 {
	for _, c := range columns {
		v := c.value(now, t)
		if width, _ := c.typ.Width(); width == 4 {
			v = uint64(uint32(v)) // counters of 4 bytes wrap, as on Windows; readers expect this
		}
		out = append(out, v)
	}
	return out
}

// processColumns are all counters of the Process object of Windows, in the same order.
var processColumns = []column[proc]{
	{6, layout.PERF_100NSEC_TIMER, func(_ int64, p *proc) uint64 { return p.user + p.privileged }},            // % Processor Time
	{142, layout.PERF_100NSEC_TIMER, func(_ int64, p *proc) uint64 { return p.user }},                         // % User Time
	{144, layout.PERF_100NSEC_TIMER, func(_ int64, p *proc) uint64 { return p.privileged }},                   // % Privileged Time
	{172, layout.PERF_COUNTER_LARGE_RAWCOUNT, unknown},                                                        // Virtual Bytes Peak
	{174, layout.PERF_COUNTER_LARGE_RAWCOUNT, func(_ int64, p *proc) uint64 { return p.virtual }},             // Virtual Bytes
	{28, layout.PERF_COUNTER_COUNTER, func(_ int64, p *proc) uint64 { return p.pageFaults }},                  // Page Faults/sec
	{178, layout.PERF_COUNTER_LARGE_RAWCOUNT, unknown},                                                        // Working Set Peak
	{180, layout.PERF_COUNTER_LARGE_RAWCOUNT, func(_ int64, p *proc) uint64 { return p.workingSet }},          // Working Set
	{182, layout.PERF_COUNTER_LARGE_RAWCOUNT, unknown},                                                        // Page File Bytes Peak
	{184, layout.PERF_COUNTER_LARGE_RAWCOUNT, func(_ int64, p *proc) uint64 { return p.committed }},           // Page File Bytes
	{186, layout.PERF_COUNTER_LARGE_RAWCOUNT, func(_ int64, p *proc) uint64 { return p.committed }},           // Private Bytes
	{680, layout.PERF_COUNTER_RAWCOUNT, func(_ int64, p *proc) uint64 { return p.threadCount }},               // Thread Count
	{682, layout.PERF_COUNTER_RAWCOUNT, func(_ int64, p *proc) uint64 { return p.priority }},                  // Priority Base
	{684, layout.PERF_ELAPSED_TIME, elapsed},                                                                  // Elapsed Time
	{784, layout.PERF_COUNTER_RAWCOUNT, func(_ int64, p *proc) uint64 { return uint64(p.pid) }},               // ID Process
	{1410, layout.PERF_COUNTER_RAWCOUNT, func(_ int64, p *proc) uint64 { return uint64(p.parent) }},           // Creating Process ID
	{56, layout.PERF_COUNTER_RAWCOUNT, unknown},                                                               // Pool Paged Bytes
	{58, layout.PERF_COUNTER_RAWCOUNT, unknown},                                                               // Pool Nonpaged Bytes
	{952, layout.PERF_COUNTER_RAWCOUNT, func(_ int64, p *proc) uint64 { return p.handles }},                   // Handle Count
	{1412, layout.PERF_COUNTER_BULK_COUNT, func(_ int64, p *proc) uint64 { return p.readOps }},                // IO Read Operations/sec
	{1414, layout.PERF_COUNTER_BULK_COUNT, func(_ int64, p *proc) uint64 { return p.writeOps }},               // IO Write Operations/sec
	{1416, layout.PERF_COUNTER_BULK_COUNT, func(_ int64, p *proc) uint64 { return p.readOps + p.writeOps }},   // IO Data Operations/sec
	{1418, layout.PERF_COUNTER_BULK_COUNT, unknown},                                                           // IO Other Operations/sec
	{1420, layout.PERF_COUNTER_BULK_COUNT, func(_ int64, p *proc) uint64 { return p.readSize }},               // IO Read Bytes/sec
	{1422, layout.PERF_COUNTER_BULK_COUNT, func(_ int64, p *proc) uint64 { return p.writeSize }},              // IO Write Bytes/sec
	{1424, layout.PERF_COUNTER_BULK_COUNT, func(_ int64, p *proc) uint64 { return p.readSize + p.writeSize }}, // IO Data Bytes/sec
	{1426, layout.PERF_COUNTER_BULK_COUNT, unknown},                                                           // IO Other Bytes/sec
	{1478, layout.PERF_COUNTER_LARGE_RAWCOUNT, func(_ int64, p *proc) uint64 { return p.workingSetPrivate }},  // Working Set - Private
}

// threadColumns are the counters of the Thread object for which gopsutil reports values.
var threadColumns = []column[thread]{
	{6, layout.PERF_100NSEC_TIMER, func(_ int64, t *thread) uint64 { return t.user + t.privileged }}, // % Processor Time
	{142, layout.PERF_100NSEC_TIMER, func(_ int64, t *thread) uint64 { return t.user }},              // % User Time
	{144, layout.PERF_100NSEC_TIMER, func(_ int64, t *thread) uint64 { return t.privileged }},        // % Privileged Time
	{784, layout.PERF_COUNTER_RAWCOUNT, func(_ int64, t *thread) uint64 { return uint64(t.pid) }},    // ID Process
	{804, layout.PERF_COUNTER_RAWCOUNT, func(_ int64, t *thread) uint64 { return uint64(t.id) }},     // ID Thread; no published list confirms the title index 804
}

// unknown returns 0, for counters that gopsutil does not report on any system.
func unknown(int64, *proc) uint64 { return 0 }

// elapsed returns the raw value of the counter Elapsed Time: the start time of the process. Readers subtract this time
// from the time of the block, and display the difference.
func elapsed(now int64, p *proc) uint64 {
	if p.started.IsZero() {
		return uint64(now) // the start is unknown: readers display 0 seconds
	}
	return uint64(min(layout.FileTime(p.started), now)) // if the clock is coarse, the start can be later than now
}
