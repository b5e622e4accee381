// Package perftest tests consumers of V1 counters on any system. A [Registry] answers as RegQueryValueEx does for
// HKEY_PERFORMANCE_DATA in Windows. Tests can choose failures that are rare on a real computer.
//
//	r := perftest.New(first, second) // models of package builder, or perftest.Bytes
//	r.Titles(english)                // Counter 009 and Help 009
//	r.MoreData(perftest.Zero)        // the size that a call returns with ERROR_MORE_DATA
//	r.Fail(2, perftest.ERROR_BUSY)   // the next two calls return ERROR_BUSY
//	typ, n, err := r.Query("Global", buf)
//
// A consumer must have a variable or an interface for the function that reads HKEY_PERFORMANCE_DATA. Its tests can then
// replace this function with r.Query. By default, a Registry answers as Windows does.
//
// # Samples
//
// The first query with a query string reads the first sample. After an answer, the next query with the same string
// reads the next sample. If there is no next sample, it reads the last sample again. A consumer that asks for "Global"
// and then for "Costly" receives two answers from the first sample. The error of a sample that cannot be encoded is
// also an answer.
//
// # Queries
//
// Words are separated by spaces, and case is ignored. The first word selects the contents of the answer:
//
//   - Global, or an empty query: all objects except those of [Registry.Costly]
//   - Costly: the objects of [Registry.Costly]
//   - MetadataGlobal, MetadataCostly: the same objects without instances
//   - OLD_Global, OLD_MetadataGlobal, OLD_MetadataCostly: the same as without OLD_. In Windows, OLD_ leaves out the
//     objects of V2. A Registry does not do this, because a block does not show which objects are of V2
//   - title indexes, such as "230" or "230 232": the objects with these title indexes, and the objects that contain the
//     parents of their instances
//   - Counter and Help, with a language such as 009: a title table, or ERROR_FILE_NOT_FOUND if the language has none.
//     Without a language: the English table, or the first table if none is English
//   - Foreign and unknown words: no objects
//
// An answer without objects is a data block that has only the header. The answer of Windows to an unknown word is not
// documented.
//
// If package layout cannot read a block to its last object, the answer is the whole block, even if the query selects
// only some objects or none. So a test can pass damaged bytes to a consumer.
//
// # Errors
//
// The errors are of type syscall.Errno, with the numbers of Windows on each system. In Windows they are equal to the
// constants of package golang.org/x/sys/windows. On other systems Error returns the text that the system has for the
// number, so compare numbers, not texts.
package perftest
