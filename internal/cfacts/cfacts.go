// Package cfacts holds what a C compiler says of winperf.h and perflib.h: how large their records are, where their fields lie, what
// their constants are worth. The answers are checked in, so that the rest of the module can be held against them on a machine without
// a C compiler; a test here holds the answers against every cross compiler that is installed.
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
// The value of a constant is that of its 32 bits without a sign: PERF_NO_INSTANCES, -1 in C, is 0xffffffff.
type Fact struct {
	Name  string
	Value int64
}

// A Header is a C header that compilers are asked about, by the program and the list of fields that are named after it.
type Header struct {
	name      string // without .h
	constants string // the file that defines its constants
}

var (
	// Winperf is the compiler's own winperf.h.
	Winperf = Header{"winperf", "winperf.h"}
	// Perflib is the compiler's own perflib.h, which has the records of providers, and with it perflib_consumer.h, which has the rest.
	Perflib = Header{"perflib", "perflib_consumer.h"}
)

// Headers lists every header.
func Headers() []Header { return []Header{Winperf, Perflib} }

func (h Header) String() string { return h.name + ".h" }

//go:embed *.c *.h testdata/*.txt
var files embed.FS

// AnswerFile is the place of the checked-in answer.
func (h Header) AnswerFile() string { return "testdata/" + h.name + ".txt" }

// Checked returns the checked-in answer, sorted by name.
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

// Known returns the cross compilers of mingw-w64 that can be asked: one for each width of a pointer, since two of the records have
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
