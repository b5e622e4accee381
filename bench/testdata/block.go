// Command block reads a data block with the parser of perflib_exporter. The source files of the parser are compiled
// with this file.
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

var block []byte

// queryValue returns the same block for every name.
func queryValue(_ string, buf []byte) (typ uint32, n int, err error) { return 3, copy(buf, block), nil }

// main reads a data block several times, and prints the number of instances. The arguments are a file and the number of
// times. If the second argument is "names", main prints the title table in the file.
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

// printNames prints the indexes and names in a title table, the registry value "Counter 009".
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
