// Package cfacts holds what a C compiler says of winperf.h: how large its records are, where their fields lie, what its constants are
// worth. The answer is checked in, so that the rest of the module can be held against it on a machine without a C compiler; a test
// here holds the answer against every cross compiler that is installed.
package cfacts

import (
	_ "embed"
	"os/exec"
)

// Fact is one statement of the compiler. Names read
//
//	sizeof PERF_OBJECT_TYPE
//	alignof PERF_OBJECT_TYPE
//	offsetof PERF_OBJECT_TYPE.TotalByteLength
//	sizeof PERF_OBJECT_TYPE.TotalByteLength
//	const PERF_COUNTER_COUNTER
//
// The value of a constant is that of its 32 bits without a sign: PERF_NO_INSTANCES, -1 in C, is 0xffffffff.
type Fact struct {
	Name  string
	Value int64
}

//go:embed testdata/winperf.txt
var checked []byte

// Checked returns the checked-in answer, sorted by name.
func Checked() ([]Fact, error) { return Parse(checked) }

//go:embed fields.h
var fieldsH string

// FieldsHeader is the text of fields.h, the lists of field names, for other C programs that are to name every field.
func FieldsHeader() string { return fieldsH }

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
