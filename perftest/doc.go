// Package perftest has what a consumer of V1 counters calls in Windows, on any system: a [Registry] answers as
// RegQueryValueEx does for HKEY_PERFORMANCE_DATA. Tests script the failures that are rare on a real computer.
//
//	r := perftest.New(first, second) // models of package builder, or perftest.Bytes
//	r.Titles(english)                // Counter 009 and Help 009
//	r.MoreData(perftest.Zero)        // the size that a call returns with ERROR_MORE_DATA
//	r.Fail(2, perftest.ERROR_BUSY)   // the next two calls
//	typ, n, err := r.Query("Global", buf)
//
// A consumer that reads counters through a variable or an interface gets r.Query in its tests. Without a script, a
// Registry answers as Windows does.
//
// # Samples
//
// Each query starts with the first sample. After an answer, the same query gets the next sample. The last sample
// repeats. So a consumer that asks for "Global" and then for "Costly" gets both from the first sample.
//
// # Queries
//
// Words are compared ignoring case, and separated by spaces. The first word decides:
//
//   - Global, or an empty query: all objects except those of [Registry.Costly]
//   - Costly: the objects of [Registry.Costly]
//   - MetadataGlobal, MetadataCostly: the same objects without instances
//   - OLD_Global, OLD_MetadataGlobal, OLD_MetadataCostly: the same as without OLD_, because a block does not tell which
//     of its objects are of V2
//   - a number: the objects with the title indexes in the query, and the objects of the parents of their instances
//   - Counter and Help, with a language such as 009: a title table. Without a language, the English table, or the first
//     table if none is English. For a language without a table the error is ERROR_FILE_NOT_FOUND
//   - Foreign and unknown words: no objects
//
// An answer without objects is a data block of only the header. What Windows answers to an unknown word is not
// documented.
//
// A block that package layout cannot read to its last object is the whole answer to all queries of data. So tests can
// feed damaged bytes to a consumer.
//
// # Errors
//
// The errors are of type syscall.Errno, with the numbers of Windows on each system. In Windows they are equal to the
// constants of package golang.org/x/sys/windows. On other systems Error returns the text that the system has for the
// number, so compare numbers, not texts.
package perftest
