// Package cfacts has facts about winperf.h and perflib.h from a C compiler: the sizes of the records, the offsets of the fields and the
// values of the constants. The facts are files in the repository, so that other tests can use them on a machine without a C compiler. A
// test of this package compares the files with every installed cross compiler.
package cfacts

import (
	"embed"
	"os/exec"

	"github.com/perfblock/perfblock/internal/cc"
)

// Fact is one statement of the compiler. Names read
//
//	sizeof PERF_OBJECT_TYPE
//	alignof PERF_OBJECT_TYPE
//	offsetof PERF_OBJECT_TYPE.TotalByteLength
//	sizeof PERF_OBJECT_TYPE.TotalByteLength
//	signed PERF_OBJECT_TYPE.TotalByteLength
//	const PERF_COUNTER_COUNTER
//
// The value of a constant is unsigned, of 32 bits: PERF_NO_INSTANCES, -1 in C, is 0xffffffff.
type Fact struct {
	Name  string
	Value int64
}

// A Header is a C header. The C program and the list of fields for it have its name.
type Header struct {
	name      string // without .h
	constants string // the file that defines its constants
}

var (
	// Winperf is the compiler's own winperf.h.
	Winperf = Header{"winperf", "winperf.h"}
	// Perflib is the compiler's own perflib.h, which has the records of providers, and perflib_consumer.h with those of consumers.
	Perflib = Header{"perflib", "perflib_consumer.h"}
)

// Headers lists every header.
func Headers() []Header { return []Header{Winperf, Perflib} }

func (h Header) String() string { return h.name + ".h" }

//go:embed *.c *.h testdata/*.txt
var files embed.FS

// AnswerFile returns the path of the file with the facts.
func (h Header) AnswerFile() string { return "testdata/" + h.name + ".txt" }

// Checked returns the facts of the file, sorted by name.
func (h Header) Checked() ([]Fact, error) {
	text, err := files.ReadFile(h.AnswerFile())
	if err != nil {
		return nil, err
	}
	return Parse(text)
}

// Unpack writes the C headers of this package into dir, for other C programs: a list of field names for each header, such as
// winperf_fields.h, and perflib_consumer.h.
func Unpack(dir string) error { return cc.Unpack(dir, files, "*.h") }

// Known returns the cross compilers of mingw-w64 that the tests use: one for each width of a pointer, as two of the records have
// pointers in 32-bit Windows where 64-bit Windows has numbers.
func Known() []string { return []string{"x86_64-w64-mingw32-gcc", "i686-w64-mingw32-gcc"} }

// Compilers returns those of [Known] that are on PATH.
func Compilers() []string {
	var found []string
	for _, cc := range Known() {
		if _, err := exec.LookPath(cc); err == nil {
			found = append(found, cc)
		}
	}
	return found
}
