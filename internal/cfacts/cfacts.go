// Package cfacts has facts about winperf.h and perflib.h: sizes of records, offsets of fields and values of constants.
// The facts are in files, for tests on machines without a C compiler. A test compares the files with the compilers.
package cfacts

import (
	"embed"
	"os"
	"os/exec"
	"testing"

	"github.com/perfblock/perfblock/internal/cc"
)

// A Fact is a property of a C header. Names have these forms:
//
//	sizeof PERF_OBJECT_TYPE
//	alignof PERF_OBJECT_TYPE
//	offsetof PERF_OBJECT_TYPE.TotalByteLength
//	sizeof PERF_OBJECT_TYPE.TotalByteLength
//	signed PERF_OBJECT_TYPE.TotalByteLength
//	const PERF_COUNTER_COUNTER
type Fact struct {
	Name string
	// Constants are unsigned numbers of 32 bits. PERF_NO_INSTANCES is -1 in C, and has the Value 0xffffffff.
	Value int64
}

// A Header is a C header. [Header.Ask] compiles a C program for its facts. For winperf.h, this program is winperf.c,
// which includes winperf_fields.h.
type Header struct {
	name      string // without .h
	constants string // the file that defines the constants
}

var (
	// Winperf is the compiler's own winperf.h.
	Winperf = Header{"winperf", "winperf.h"}
	// Perflib is two headers. perflib.h of the compiler has the records of providers. perflib_consumer.h of this
	// package has the records of consumers, and all constants.
	Perflib = Header{"perflib", "perflib_consumer.h"}
)

// Headers lists every header.
func Headers() []Header { return []Header{Winperf, Perflib} }

func (h Header) String() string { return h.name + ".h" }

//go:embed *.c *.h testdata/*.txt
var files embed.FS

// File returns the path of the file with the facts.
func (h Header) File() string { return "testdata/" + h.name + ".txt" }

// Facts returns the facts of the file, sorted by name.
func (h Header) Facts() ([]Fact, error) {
	text, err := files.ReadFile(h.File())
	if err != nil {
		return nil, err
	}
	return Parse(text)
}

// Unpack writes the C headers of this package into dir, for the C programs of other packages.
func Unpack(dir string) error { return cc.Unpack(dir, files, "*.h") }

// Known returns the cross compilers of the tests, for 64-bit and for 32-bit Windows. Both are needed, because two
// records have members that are pointers on 32-bit Windows and numbers on 64-bit Windows.
func Known() []string { return []string{"x86_64-w64-mingw32-gcc", "i686-w64-mingw32-gcc"} }

// Compilers returns the cross compilers of [Known] that are on PATH.
func Compilers() []string {
	var found []string
	for _, cc := range Known() {
		if _, err := exec.LookPath(cc); err == nil {
			found = append(found, cc)
		}
	}
	return found
}

// RequireVariable is an environment variable. With the value "require", a test fails if a C compiler, a header or
// Wine is missing. CI sets the variable.
const RequireVariable = "PERFBLOCK_ORACLE"

// Required reports whether a missing program is an error.
func Required() bool { return os.Getenv(RequireVariable) == "require" }

// Absent skips or fails a test whose program is missing.
func Absent(tb testing.TB, reason string) {
	tb.Helper()
	if Required() {
		tb.Fatalf("%s, and %s=require", reason, RequireVariable)
	}
	tb.Skipf("%s (with %s=require, the test fails)", reason, RequireVariable)
}
