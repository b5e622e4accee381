// Command perflib_exporter reads a data block with the parser of perflib_exporter, whose files are compiled with this one.
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unsafe"
)

// The parser uses the declarations below instead of package syscall, because syscall has most of them only on Windows.

type Errno uint32

func (e Errno) Error() string { return strconv.Itoa(int(e)) }

type Systemtime [8]uint16

const HKEY_PERFORMANCE_DATA = 0

var block []byte // what a query of the registry returns

func RegQueryValueEx(_ int, _ *uint16, _, _ *uint32, data *byte, n *uint32) error {
	*n = uint32(copy(unsafe.Slice(data, *n), block))
	return nil
}

func RegCloseKey(int) {}

func UTF16PtrFromString(string) (*uint16, error) { return nil, nil }

func UTF16ToString(s []uint16) string {
	if end := slices.Index(s, 0); end >= 0 {
		s = s[:end]
	}
	return string(utf16.Decode(s))
}

// main reads the block in the file os.Args[1] as often as os.Args[2] says, and prints the number of instances. If
// os.Args[2] is "names", the file is the value Counter 009 of the registry, and main prints its indexes and names.
func main() {
	if os.Args[2] == "names" {
		printNames()
		return
	}
	times, err := strconv.Atoi(os.Args[2])
	if err == nil {
		block, err = os.ReadFile(os.Args[1])
	}
	n := 0
	for range times {
		if err != nil {
			panic(err)
		}
		var objects []*PerfObject // the parser allocates 150,000 bytes for each word of the query
		objects, err = QueryPerformanceData(strings.Repeat(" ", len(block)/150_000))
		n = 0
		for _, o := range objects {
			n += len(o.Instances)
		}
	}
	fmt.Print(n)
}

func printNames() {
	var err error
	if block, err = os.ReadFile(os.Args[1]); err != nil {
		panic(err)
	}
	table := QueryNameTable("Counter" + strings.Repeat(" ", len(block)/150_000+1))
	for _, index := range slices.Sorted(maps.Keys(table.byIndex)) {
		fmt.Printf("%d %q\n", index, table.LookupString(index))
	}
}
