package titles

import (
	"cmp"
	"iter"
	"slices"

	"github.com/perfblock/perfblock/internal/quote"
)

// Sources of built-in names. System counters have the same indexes in all languages and service packs of Windows.
//
// See Microsoft's article Q287159, "Using PDH APIs Correctly in a Localized Language"
const (
	winPage = `learn.microsoft.com, "Retrieving Counter Names and Explanations"`
	listing = "pastebin.com/gzDCkp3f, a listing of Counter 009 whose first pair is 1, 1847"
	sigar   = "hyperic/sigar, win32_sigar.c, PERF_TITLE constants and the comments beside them"
	openJDK = "openjdk/jdk, os_perf_windows.cpp, PDH_ID_PROCESS_IDX and the comment about it"

	// In both sources, the value of a C constant is the index. The name of the constant identifies a counter in
	// Microsoft's documentation.
	sigarConstant   = "hyperic/sigar, win32_sigar.c, a PERF_TITLE constant, for the index; Microsoft's pages about the counter, for the name"
	openJDKConstant = "openjdk/jdk, os_perf_windows.cpp, a PDH_..._IDX constant, for the index; Microsoft's pages about the counter, for the name"
)

type builtInName struct {
	index        uint32
	name, source string
}

// builtIn lists the names in the order of their indexes.
var builtIn = []builtInName{
	{2, "System", winPage},
	{4, "Memory", winPage},
	{6, "% Processor Time", winPage},
	{10, "File Read Operations/sec", listing},
	{12, "File Write Operations/sec", listing},
	{14, "File Control Operations/sec", listing},
	{16, "File Read Bytes/sec", listing},
	{18, "File Write Bytes/sec", listing},
	{20, "File Control Bytes/sec", listing},
	{24, "Available Bytes", listing},
	{26, "Committed Bytes", listing},
	{28, "Page Faults/sec", listing},
	{30, "Commit Limit", listing},
	{32, "Write Copies/sec", listing},
	{34, "Transition Faults/sec", listing},
	{36, "Cache Faults/sec", listing},
	{38, "Demand Zero Faults/sec", listing},
	{40, "Pages/sec", listing},
	{42, "Page Reads/sec", listing},
	{44, "Processor Queue Length", listing},
	{46, "Thread State", listing},
	{48, "Pages Output/sec", sigar},
	{50, "Page Writes/sec", listing},
	{56, "Pool Paged Bytes", listing},
	{58, "Pool Nonpaged Bytes", listing},
	{60, "Pool Paged Allocs", listing},
	{64, "Pool Nonpaged Allocs", listing},
	{66, "Pool Paged Resident Bytes", listing},
	{68, "System Code Total Bytes", listing},
	{70, "System Code Resident Bytes", listing},
	{72, "System Driver Total Bytes", listing},
	{74, "System Driver Resident Bytes", listing},
	{76, "System Cache Resident Bytes", sigar},
	{86, "Cache", listing},
	{142, "% User Time", sigarConstant},
	{144, "% Privileged Time", openJDKConstant},
	{146, "Context Switches/sec", openJDKConstant},
	{174, "Virtual Bytes", sigar},
	{180, "Working Set", sigar},
	{198, "Current Disk Queue Length", sigar},
	{200, "% Disk Time", sigar},
	{202, "% Disk Read Time", sigar},
	{204, "% Disk Write Time", sigar},
	{214, "Disk Reads/sec", sigar},
	{216, "Disk Writes/sec", sigar},
	{220, "Disk Read Bytes/sec", sigar},
	{222, "Disk Write Bytes/sec", sigar},
	{230, "Process", sigar},
	{236, "LogicalDisk", sigar},
	{238, "Processor", sigar},
	{674, "System Up Time", sigar},
	{680, "Thread Count", sigarConstant},
	{682, "Priority Base", sigarConstant},
	{684, "Elapsed Time", sigarConstant},
	{698, "% Interrupt Time", sigarConstant},
	{784, "ID Process", openJDK},
	{822, "Pages Input/sec", sigar},
	{952, "Handle Count", sigarConstant},
	{1410, "Creating Process ID", sigarConstant},
	{1746, "% Idle Time", sigarConstant},
}

// BuiltIn returns the English name for an index, and the public source of the name. It knows only objects and counters
// of Windows that have the same index on all systems. ok is false for most indexes, because an index is built in only
// if a public source names it.
func BuiltIn(index uint32) (name, source string, ok bool) {
	i, ok := slices.BinarySearchFunc(builtIn, index, func(b builtInName, index uint32) int { return cmp.Compare(b.index, index) })
	if !ok {
		return "", "", false
	}
	return builtIn[i].name, builtIn[i].source, true
}

// BuiltIns yields the indexes and names of [BuiltIn], in the order of the indexes.
func BuiltIns() iter.Seq2[uint32, string] {
	return func(yield func(uint32, string) bool) {
		for _, b := range builtIn {
			if !yield(b.index, b.name) {
				return
			}
		}
	}
}

// Lookup returns a function that returns the name of an index. The function searches the database first, and then the
// built-in names. It returns "" for an unknown index. The database may be nil. A name of more than 1,024 bytes is cut,
// so that a damaged database does not make long outputs.
func (d *Database) Lookup(language string) func(index uint32) (name string, isBuiltIn bool) {
	const longest = 1024
	var names map[uint32]string
	if d != nil {
		names = d.Names(language)
	}
	return func(index uint32) (string, bool) {
		if name, ok := names[index]; ok {
			if short, cut := quote.First(name, longest); cut {
				return short + "...", false
			}
			return name, false
		}
		name, _, ok := BuiltIn(index)
		return name, ok
	}
}
